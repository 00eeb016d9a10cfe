// SPDX-License-Identifier: Apache-2.0
// Says what a plot shows where one points at it, by mouse, finger or keyboard; its curve lights up then, and where its
// name in the key is pointed at; and plays maps over time.
(() => {
const tip = document.body.appendChild(document.createElement("div"));
tip.className = "hint";
tip.hidden = true;
tip.setAttribute("role", "status");
const HEAT = 20;  // steps of the scale, as in palette.py

// "load (flits/cycle)" and 0.3: "load: 0.3 flits/cycle"; what has no name is said alone.
function spoken(name, value) {
  const [, what, unit] = name.match(/^(.*?)(?: \(([^()]*)\))?$/);
  if (!what) return value;
  return `${what}: ${value}${unit ? " " + unit : ""}`;
}

function explore(figure, data) {
  const svg = figure.querySelector("svg"), marks = [], ofShape = new Map();
  data.groups.forEach(group => {
    const first = marks.length;
    group.points.forEach(([x, y, name, ...values], i) =>
      marks.push({x, y, name, values, group, shapes: [], page: group.pages && group.pages[i]}));
    if (!group.shapes) return;
    svg.querySelectorAll(`[data-mark="${group.drawn}"] path`).forEach((shape, k) => {
      const mark = marks[first + group.shapes[k]];
      mark.shapes.push(shape);
      ofShape.set(shape, mark);
    });
  });
  const ring = document.createElementNS(svg.namespaceURI, "circle");
  ring.setAttribute("class", "ring");
  const curves = figure.querySelectorAll("g.curve"), names = figure.querySelectorAll(".curves [data-curve]");
  const light = number => {
    figure.classList.toggle("lit", number !== undefined);
    [...curves, ...names].forEach(e => e.classList.toggle("on", e.dataset.curve === number));
  };
  names.forEach(name => {
    for (const on of ["pointerenter", "focus"]) name.addEventListener(on, () => light(name.dataset.curve));
    for (const off of ["pointerleave", "blur"]) name.addEventListener(off, () => light(undefined));
  });
  let current = null;
  const player = data.series && play(figure, data.series, marks, () => current && show(current));

  function nearest(x, y) {
    let best = null, least = Infinity;
    for (const mark of marks) {
      const {half, floor} = mark.group, within = half && Math.abs(mark.x - x) <= half && y >= mark.y && y <= floor;
      const away = within ? 0 : Math.hypot(mark.x - x, mark.y - y);
      if (away <= mark.group.reach && away < least) { best = mark; least = away; }
    }
    return best;
  }
  function pointed(e) {
    const at = new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return ofShape.get(e.target) || nearest(at.x, at.y);
  }
  function hide() {
    if (!current) return;  // the tip is another plot's
    current.shapes.forEach(shape => shape.classList.remove("pointed"));
    current = null;
    ring.remove();
    light(undefined);
    tip.hidden = true;
  }
  function show(mark, at) {
    if (mark !== current) hide();
    current = mark;
    mark.shapes.forEach(shape => shape.classList.add("pointed"));
    light(mark.group.curve);
    if (!mark.shapes.length) {
      for (const [name, value] of [["cx", mark.x], ["cy", mark.y], ["r", 5]]) ring.setAttribute(name, value);
      svg.append(ring);
    }
    const lines = mark.group.columns.map((name, k) => [name, mark.values[k]]).filter(([, value]) => value !== "\u2013");
    const now = player && player.said(marks.indexOf(mark));
    tip.replaceChildren(...[[mark.name], ...(now ? [now] : []), ...lines].filter(parts => parts[0] || parts[1]).map(([name, value]) => {
      const line = document.createElement("div");
      if (value === undefined) line.appendChild(document.createElement("b")).textContent = name;
      else line.append(spoken(name, value));
      return line;
    }));
    tip.hidden = false;
    if (!at) at = new DOMPoint(mark.x, mark.y).matrixTransform(svg.getScreenCTM());
    const box = tip.getBoundingClientRect(), beyond = at.x + 14 + box.width > document.documentElement.clientWidth;
    tip.style.left = Math.max(4, beyond ? at.x - box.width - 14 : at.x + 14) + "px";
    tip.style.top = Math.max(4, Math.min(at.y + 14, innerHeight - box.height - 4)) + "px";
    svg.style.cursor = mark.page ? "pointer" : "";
  }
  const follow = e => {
    const mark = pointed(e);
    if (mark) show(mark, {x: e.clientX, y: e.clientY}); else { hide(); svg.style.cursor = ""; }
  };
  svg.addEventListener("pointermove", follow);
  let before = null;  // what was shown when a finger came: a second tap on it opens its page
  svg.addEventListener("pointerdown", e => { before = current; follow(e); });
  svg.addEventListener("pointerleave", e => { if (e.pointerType !== "touch") hide(); });
  svg.addEventListener("click", e => {
    const mark = pointed(e);
    if (mark && mark.page && (e.pointerType !== "touch" || mark === before)) open(mark.page, e.ctrlKey || e.metaKey ? "_blank" : "_self");
  });
  document.addEventListener("pointerdown", e => { if (current && !svg.contains(e.target) && !e.target.closest(".player")) hide(); });
  addEventListener("scroll", () => { if (document.activeElement !== svg) hide(); }, {passive: true});
  svg.tabIndex = 0;
  svg.addEventListener("blur", hide);
  svg.addEventListener("keydown", e => {
    const at = marks.indexOf(current), last = marks.length - 1;
    const keys = {ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: last};
    if (e.key === "Escape") hide();
    if (e.key === "Enter" && current && current.page) location.href = current.page;
    if (!(e.key in keys)) return;
    e.preventDefault();
    show(marks[Math.min(Math.max(keys[e.key], 0), last)]);
  });
}

// The first of the slider's places is the map as it was drawn, of the measured window; then one an interval.
function play(figure, series, marks, changed) {
  const values = Uint8Array.from(atob(series.values), c => c.charCodeAt(0)), shown = marks.filter(mark => mark.shapes.length);
  const panel = figure.querySelector(".player"), slider = panel.querySelector("input"), note = panel.querySelector("output");
  const drawn = new Map(shown.flatMap(mark => mark.shapes.map(shape => [shape, shape.style.fill])));
  const count = series.ends.length, number = n => n.toLocaleString("en").replaceAll(",", "\u202f");
  const value = (mark, k) => values[k * shown.length + mark];
  const time = k => `cycles ${number(series.begins[k])} to ${number(series.ends[k])}`;
  let timer = 0;
  function set(place) {
    slider.value = place;
    const k = slider.value - 1;
    note.textContent = k < 0 ? "measured window" : time(k);
    shown.forEach((mark, m) => {
      const step = k < 0 ? 0 : value(m, k) === series.unknown ? 0 : value(m, k) / series.steps * HEAT;
      const fill = `var(--heat${Math.min(Math.floor(step), HEAT - 1)})`;
      mark.shapes.forEach(shape => shape.style.fill = k < 0 ? drawn.get(shape) : fill);
    });
    panel.classList.toggle("moved", k >= 0);  // then paper says which interval it shows
    slider.setAttribute("aria-valuetext", note.textContent);
    changed();
  }
  const button = name => panel.querySelector(`[data-do="${name}"]`);
  function stop() {
    clearInterval(timer);
    timer = 0;
    button("play").textContent = "Play";
  }
  function start() {
    if (+slider.value === count) set(1);
    button("play").textContent = "Pause";
    timer = setInterval(() => { if (+slider.value < count) set(+slider.value + 1); else stop(); }, 150);
  }
  button("play").addEventListener("click", () => timer ? stop() : start());
  button("back").addEventListener("click", () => { stop(); set(+slider.value - 1); });
  button("on").addEventListener("click", () => { stop(); set(+slider.value + 1); });
  slider.addEventListener("input", () => { stop(); set(slider.value); });
  figure.querySelectorAll("[data-interval]").forEach(jump => {
    jump.hidden = false;
    jump.addEventListener("click", () => { stop(); set(+jump.dataset.interval + 1); slider.focus(); });
  });
  slider.max = count;
  panel.hidden = false;
  set(0);
  return {said: m => {
    const k = slider.value - 1;
    if (k < 0 || m >= shown.length || value(m, k) === series.unknown) return null;
    return [`${time(k)}, ${series.name} (${series.unit})`, +(value(m, k) / series.steps * series.top).toPrecision(3)];
  }};
}

document.querySelectorAll("script.marks").forEach(script => explore(script.closest("figure"), JSON.parse(script.textContent)));
})();
