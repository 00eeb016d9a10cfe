// SPDX-License-Identifier: Apache-2.0
// Tables that are sorted by a click on a column's name, and whose rows are chosen by words.
document.querySelectorAll(".tables section").forEach(section => {
  const body = section.querySelector("tbody"), rows = [...body.rows], heads = [...section.querySelectorAll("thead th")];
  if (rows.length < 3) return;
  const text = (row, k) => row.cells[k] ? row.cells[k].textContent.trim() : "";
  // "1 234", "12 %", "25.1 ± 0.3", "–": their first number, or the text.
  const key = cell => {
    const plain = cell.replace(/\u202f/g, "");
    return /^[-+]?\d/.test(plain) ? parseFloat(plain) : plain === "–" || plain === "" ? NaN : plain;
  };
  const compare = (a, b) => {
    if (typeof a === "number" && typeof b === "number") return isNaN(a) || isNaN(b) ? isNaN(a) - isNaN(b) : a - b;
    if (typeof a !== typeof b) return typeof a === "number" && !isNaN(a) ? -1 : typeof b === "number" && !isNaN(b) ? 1 : typeof a === "number" ? 1 : -1;
    return a.localeCompare(b);
  };
  const sort = k => {
    const down = heads[k].getAttribute("aria-sort") === "ascending";
    heads.forEach(h => h.removeAttribute("aria-sort"));
    heads[k].setAttribute("aria-sort", down ? "descending" : "ascending");
    const keyed = rows.map((row, i) => [key(text(row, k)), i, row]);
    keyed.sort((a, b) => {
      const none = x => typeof x === "number" && isNaN(x);  // last, either way
      if (none(a[0]) || none(b[0])) return none(a[0]) - none(b[0]) || a[1] - b[1];
      return (down ? -1 : 1) * compare(a[0], b[0]) || a[1] - b[1];
    });
    body.append(...keyed.map(entry => entry[2]));
  };
  heads.forEach((head, k) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.title = "Sort";
    head.append(button);
    button.addEventListener("click", () => sort(k));
  });
  if (rows.length < 9) return;
  const box = document.createElement("input"), count = document.createElement("span");
  box.type = "search";
  box.className = "filter";
  box.placeholder = "Filter: words, or a column and a number: latency<30";
  box.setAttribute("aria-label", "Filter rows of " + section.querySelector("h2").textContent);
  count.className = "note count";
  count.setAttribute("role", "status");
  section.querySelector("h2").after(box, count);
  const names = heads.map(h => h.textContent.trim().toLowerCase());
  const column = name => [names.indexOf(name), names.findIndex(n => n.startsWith(name)), names.findIndex(n => n.includes(name))].find(k => k >= 0);
  const tests = {"<": (a, b) => a < b, ">": (a, b) => a > b, "<=": (a, b) => a <= b, ">=": (a, b) => a >= b, "=": (a, b) => a === b};
  const fits = word => {
    const parts = word.match(/^(.+?)(<=|>=|<|>|=)(.+)$/), k = parts && column(parts[1]);
    if (!parts || k === undefined) return row => row.textContent.toLowerCase().includes(word);
    const wanted = key(parts[3]);
    return row => {
      const value = key(text(row, k));
      return parts[2] === "=" && typeof wanted === "string" ? text(row, k).toLowerCase() === wanted : tests[parts[2]](value, wanted);
    };
  };
  box.addEventListener("input", () => {
    const all = box.value.toLowerCase().split(/\s+/).filter(Boolean).map(fits);
    let shown = 0;
    for (const row of rows) {
      row.hidden = !all.every(f => f(row));
      shown += !row.hidden;
    }
    count.textContent = all.length ? `${shown} of ${rows.length} rows` : "";
  });
});
