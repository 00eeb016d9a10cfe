// SPDX-License-Identifier: Apache-2.0
// Draws timelines, each on a canvas, and lets one zoom in them.
document.querySelectorAll("figure.timeline").forEach(figure => {
  const canvas = figure.querySelector("canvas"), note = figure.querySelector("output");
  const data = JSON.parse(figure.querySelector("script[type='application/json']").textContent);
  const unpack = (text, kind) => new kind(Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer);
  const counts = unpack(data.counts, Uint32Array), kinds = unpack(data.kinds, Uint8Array);
  const begins = unpack(data.begins, Float64Array), ends = unpack(data.ends, Float64Array);
  const starts = new Uint32Array(counts.length + 1);
  counts.forEach((n, k) => starts[k + 1] = starts[k] + n);
  const rowOf = new Map(data.tasks.map((task, row) => [task, row]));
  const length = data.last - data.first, rows = data.tasks.length;
  const left = 66, bottom = 22, all = () => ({x: 0, w: length, y: 0, h: rows});
  let view = all(), painted = 0;

  const limit = v => {
    const w = Math.min(Math.max(v.w, 4), length), h = Math.min(Math.max(v.h, 1), rows);
    return {w, h, x: Math.min(Math.max(v.x, 0), length - w), y: Math.min(Math.max(v.y, 0), rows - h)};
  };
  const show = v => { view = limit(v); if (!painted) painted = requestAnimationFrame(paint); };
  // Index of the first span of a row that ends behind x.
  const firstOf = (row, x) => {
    let a = starts[row], b = starts[row + 1];
    while (a < b) { const m = (a + b) >> 1; if (ends[m] > x) b = m; else a = m + 1; }
    return a;
  };
  const step = span => { const p = 10 ** Math.floor(Math.log10(span)); return [1, 2, 5, 10].find(k => k * p >= span) * p; };

  function paint() {
    painted = 0;
    const ratio = window.devicePixelRatio || 1, css = getComputedStyle(figure);
    const colour = name => css.getPropertyValue(name).trim();
    const W = canvas.clientWidth, H = canvas.clientHeight, w = W - left, h = H - bottom;
    canvas.width = W * ratio; canvas.height = H * ratio;
    const g = canvas.getContext("2d");
    g.scale(ratio, ratio);
    const X = t => left + (t - view.x) / view.w * w, Y = row => (row - view.y) / view.h * h;
    const fills = data.colours.map(colour);
    g.save(); g.beginPath(); g.rect(left, 0, w, h); g.clip();
    const rowHeight = h / view.h, gap = rowHeight > 6 ? 1 : 0;
    // Of many tasks on a pixel one is drawn; of many spans on a pixel the longest.
    const skip = Math.max(1, Math.floor(1 / rowHeight));
    for (let row = Math.floor(view.y / skip) * skip; row < Math.min(view.y + view.h, rows); row += skip) {
      const y = Y(row), high = Math.max(rowHeight * skip, 1) - gap;
      let at = -1, best = 0, kind = 0;
      for (let k = firstOf(row, view.x); k < starts[row + 1] && begins[k] < view.x + view.w; ++k) {
        const a = X(begins[k]), b = X(ends[k]);
        if (b - a >= 1) { g.fillStyle = fills[kinds[k]]; g.fillRect(a, y, b - a + .3, high); continue; }
        if (Math.floor(a) !== at) { at = Math.floor(a); best = 0; }
        if (b - a > best) { best = b - a; kind = kinds[k]; g.fillStyle = fills[kind]; g.fillRect(at, y, 1, high); }
      }
    }
    if (rowHeight > 3) {
      g.strokeStyle = colour("--ink"); g.lineWidth = 1;
      for (const [task, t] of data.marks) {
        const row = rowOf.get(task);
        if (row === undefined || t < view.x || t > view.x + view.w) continue;
        g.beginPath(); g.moveTo(X(t), Y(row)); g.lineTo(X(t), Y(row + 1) - gap); g.stroke();
      }
    }
    if (data.path.length && figure.querySelector("input").checked) {
      g.lineJoin = "round";
      for (const [width, ink] of [[4, colour("--surface")], [2, colour("--ink")]]) {
        g.lineWidth = width; g.strokeStyle = ink; g.beginPath();
        for (const [a, b, from, to] of data.path) {
          const p = rowOf.get(from), q = rowOf.get(to);
          if (p === undefined || q === undefined || b < view.x || a > view.x + view.w) continue;
          g.moveTo(X(a), Y(p + .5)); g.lineTo(X(b), Y(q + .5));
        }
        g.stroke();
      }
    }
    g.restore();
    g.fillStyle = colour("--muted"); g.strokeStyle = colour("--line"); g.font = "11px system-ui, sans-serif";
    g.textAlign = "center"; g.textBaseline = "top";
    const dx = step(view.w / Math.max(2, w / 110));
    for (let t = Math.ceil((view.x + data.first) / dx) * dx; t <= view.x + view.w + data.first; t += dx) {
      const x = X(t - data.first);
      g.beginPath(); g.moveTo(x, h); g.lineTo(x, h + 4); g.stroke();
      if (x > left + 12 && x < W - 24) g.fillText(t.toLocaleString("en"), x, h + 7);
    }
    g.textAlign = "right"; g.textBaseline = "middle";
    const dy = Math.max(1, Math.round(step(view.h / Math.max(1, h / 18))));
    for (let row = Math.ceil(view.y / dy) * dy; row < view.y + view.h && row < rows; row += dy)
      g.fillText("task " + data.tasks[row], left - 6, Math.max(7, Math.min(Y(row) + Math.max(rowHeight, 8) / 2, h - 6)));
  }

  const place = e => {
    const box = canvas.getBoundingClientRect();
    return {x: (e.clientX - box.left - left) / (canvas.clientWidth - left),
            y: (e.clientY - box.top) / (canvas.clientHeight - bottom)};
  };
  const zoom = (at, factor, tasksOnly, timeOnly) => {
    const fx = tasksOnly ? 1 : factor, fy = timeOnly ? 1 : factor;
    const v = {w: Math.min(view.w * fx, length), h: Math.min(view.h * fy, rows)};
    show({...v, x: view.x + at.x * (view.w - v.w), y: view.y + at.y * (view.h - v.h)});
  };
  canvas.addEventListener("wheel", e => {
    e.preventDefault();
    zoom(place(e), Math.exp((e.deltaY || e.deltaX) / 300), e.shiftKey, e.altKey || rows <= 16);
  }, {passive: false});
  const touches = new Map();
  canvas.addEventListener("pointerdown", e => { touches.set(e.pointerId, place(e)); canvas.setPointerCapture(e.pointerId); });
  const lift = e => touches.delete(e.pointerId);
  canvas.addEventListener("pointerup", lift);
  canvas.addEventListener("pointercancel", lift);
  canvas.addEventListener("pointermove", e => {
    const p = place(e), before = touches.get(e.pointerId);
    tell(p);
    if (!before) return;
    touches.set(e.pointerId, p);
    if (touches.size === 1) return show({...view, x: view.x + (before.x - p.x) * view.w, y: view.y + (before.y - p.y) * view.h});
    const other = [...touches].find(([id]) => id !== e.pointerId)[1];
    const away = q => Math.hypot(q.x - other.x, q.y - other.y) || 1e-6;
    zoom(other, away(before) / away(p), false, rows <= 16);
  });
  canvas.addEventListener("dblclick", () => show(all()));
  canvas.addEventListener("keydown", e => {
    const middle = {x: .5, y: .5};
    const keys = {"+": () => zoom(middle, .7), "-": () => zoom(middle, 1 / .7), Enter: () => show(all()),
      ArrowLeft: () => show({...view, x: view.x - view.w / 8}), ArrowRight: () => show({...view, x: view.x + view.w / 8}),
      ArrowUp: () => show({...view, y: view.y - view.h / 8}), ArrowDown: () => show({...view, y: view.y + view.h / 8})};
    if (keys[e.key]) { e.preventDefault(); keys[e.key](); }
  });
  function tell(p) {
    const row = Math.floor(view.y + p.y * view.h), t = view.x + p.x * view.w;
    note.textContent = "\u00a0";
    if (row < 0 || row >= rows || t < 0 || t > length) return;
    const k = firstOf(row, t);
    if (k < starts[row + 1] && begins[k] <= t)
      note.textContent = `task ${data.tasks[row]}: ${data.states[kinds[k]]}, cycles ${(begins[k] + data.first).toLocaleString("en")} to ${(ends[k] + data.first).toLocaleString("en")}`;
  }
  const box = figure.querySelector("input");
  if (box) box.addEventListener("change", () => show(view));
  new ResizeObserver(() => show(view)).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => show(view));
});
