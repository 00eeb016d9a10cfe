// SPDX-License-Identifier: Apache-2.0
// Spots of plots tell what they are; a curve lights up under the pointer, and where its name in the key is pointed at.
document.querySelectorAll("figure").forEach(figure => {
  const spots = figure.querySelectorAll(".spot"), names = figure.querySelectorAll(".curves [data-curve]");
  if (!spots.length && !names.length) return;
  const curves = figure.querySelectorAll("g.curve"), tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  figure.append(tip);
  const light = number => {
    figure.classList.toggle("lit", number !== undefined);
    [...curves, ...names].forEach(e => e.classList.toggle("on", e.dataset.curve === number));
  };
  const hide = () => { tip.hidden = true; light(undefined); };
  const show = spot => {
    tip.textContent = spot.dataset.text;
    tip.hidden = false;
    const box = spot.getBoundingClientRect(), frame = figure.getBoundingClientRect();
    const x = (box.left + box.right) / 2 - frame.left - tip.offsetWidth / 2;
    tip.style.left = Math.max(4, Math.min(x, frame.width - tip.offsetWidth - 4)) + "px";
    tip.style.top = Math.max(4, box.top - frame.top - tip.offsetHeight - 6) + "px";
    light(spot.dataset.curve);
  };
  spots.forEach(spot => {
    const target = spot.closest("a") || spot;
    spot.addEventListener("pointerenter", () => show(spot));
    spot.addEventListener("pointerleave", hide);
    target.addEventListener("focus", () => show(spot));
    target.addEventListener("blur", hide);
  });
  names.forEach(name => {
    name.addEventListener("pointerenter", () => light(name.dataset.curve));
    name.addEventListener("pointerleave", hide);
    name.addEventListener("focus", () => light(name.dataset.curve));
    name.addEventListener("blur", hide);
  });
});
