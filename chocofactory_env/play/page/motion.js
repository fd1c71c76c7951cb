// Animations: pieces and cards fly from their places in the last picture to the new ones; changes of amounts rise.

import { element, shape } from "./dom.js";

const TIME = 200; // milliseconds
const TO_READ = 900; // milliseconds for the change of an amount
const MOST = 24; // pieces; if more have moved, it counts as another picture

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const sky = element("div", { id: "sky", "aria-hidden": "true" });
document.body.append(sky);
let hidden = []; // animations that hide pieces until they arrive

/**
 * Places of pieces in some panels, by piece, and amounts under "". Called before and after a change of the picture.
 * panels: of {place, svg, strip}; strip: stands for a folded panel.
 */
export function lying(panels) {
  const found = new Map();
  if (calm.matches || document.hidden) return found;
  for (const { place, svg, strip } of panels) {
    for (const thing of svg.querySelectorAll("[data-piece], [data-many]")) {
      const { piece = "", many } = thing.dataset;
      const shown = many === undefined ? thing : (thing.querySelector("path") ?? thing);
      const box = shown.getBoundingClientRect();
      const here = { many: Number(many ?? 1), thing: many === undefined ? thing : null };
      if (box.width) Object.assign(here, { box, shown, bounds: shown.getBBox() });
      else if (strip && piece) here.box = strip.getBoundingClientRect();
      else continue;
      if (!found.has(piece)) found.set(piece, new Map());
      found.get(piece).set(`${place} ${thing.getAttribute("transform")}`, here);
    }
  }
  return found;
}

/** Animates the change from one answer of `lying` to the next. Nothing waits for it. */
export function fly(before, after) {
  land();
  const flights = [...after].flatMap(([piece, places]) => (piece && before.has(piece) ? flightsOf(before.get(piece), places) : []));
  if (flights.length > MOST) return;
  for (const [from, to] of flights) begin(from, to);
  for (const [place, now] of after.get("") ?? []) {
    const by = now.many - (before.get("")?.get(place)?.many ?? now.many);
    if (by) rise(now.box, by);
  }
}

/** Ends all animations. */
export function land() {
  for (const one of hidden) one.cancel();
  hidden = [];
  sky.replaceChildren();
}

/** Flights of a piece, from places that have fewer now to places that have more, nearest first. */
function flightsOf(before, after) {
  const changed = (one, other) => [...one].map(([place, here]) => ({ ...here, left: here.many - (other.get(place)?.many ?? 0) })).filter(({ left }) => left > 0);
  const lost = changed(before, after);
  const gained = changed(after, before);
  const pairs = lost.flatMap((from) => gained.map((to) => [from, to])).sort((one, other) => distance(...one) - distance(...other));
  return pairs.filter(([from, to]) => {
    const number = Math.min(from.left, to.left);
    from.left -= number;
    to.left -= number;
    return number > 0 && distance(from, to) > 1;
  });
}

const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2];

function distance(from, to) {
  const [[x, y], [otherX, otherY]] = [middle(from.box), middle(to.box)];
  return Math.hypot(x - otherX, y - otherY);
}

function begin(from, to) {
  const pictured = to.shown ? to : from;
  if (!pictured.shown) return; // from one folded strip to another
  const { left, top, width, height } = pictured.box;
  const place = element("div", {}, copyOf(pictured));
  Object.assign(place.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  sky.append(place);
  const [hereX, hereY] = middle(pictured.box);
  const at = ({ box, shown }) => {
    const [x, y] = middle(box);
    return `translate(${x - hereX}px, ${y - hereY}px) scale(${shown ? box.width / width : Math.min(1, 12 / width)})`;
  };
  const moving = place.animate([{ transform: at(from) }, { transform: at(to) }], { duration: TIME, easing: "ease-in-out" });
  moving.onfinish = () => place.remove();
  if (to.thing && to.shown) hidden.push(to.thing.animate([{ opacity: 0 }, { opacity: 0 }], TIME)); // invisible, but it can be clicked
}

/** Shows by how much an amount has changed. */
function rise({ left, top, width }, by) {
  const words = element("div", { class: "change" }, by > 0 ? `+${by}` : `−${-by}`);
  Object.assign(words.style, { left: `${left + width - 12}px`, top: `${top - 12}px` }); // above the new amount
  sky.append(words);
  const rising = words.animate([{ opacity: 1 }, { opacity: 1, offset: 0.6 }, { opacity: 0, transform: "translateY(-1.5em)" }], TO_READ);
  rising.onfinish = () => words.remove();
}

/** A picture of a single thing, without its action. */
function copyOf({ shown, bounds: { x, y, width, height } }) {
  const copy = shown.cloneNode(true);
  for (const name of ["transform", "role", "tabindex", "data-action", "aria-label"]) copy.removeAttribute(name);
  copy.classList.remove("thing", "legal");
  return shape("svg", { viewBox: `${x} ${y} ${width} ${height}` }, copy);
}
