// What an analysis found: chances to win, and costly decisions. Saved games show it, too.

import { button, element, shape } from "./dom.js";

const MOST_COSTLY = 20; // decisions
const [FONT, LETTER] = [11, 6]; // height and width of the letters of the chart
const [AXIS, MARGIN] = [40, 8]; // beside the chart: room for the labels of its axis, and for half a stop
const [WIDTH, HEIGHT] = [300, 110];
const SURE = 1.96; // standard errors, of a 95 % interval

/** The decisions that cost most, with 95 % intervals. A click goes to that place of the game. */
export function listCostly(regrets, go) {
  const rows = regrets.filter(({ regret }) => regret >= 0.5).slice(0, MOST_COSTLY).map(({ at, words, better, regret, error }) => {
    const interval = error < 0.05 ? "" : ` (${Math.max(0, regret - SURE * error).toFixed(0)} to ${(regret + SURE * error).toFixed(0)})`;
    return element("li", {}, button(words, () => go(at)), ` ${better}: better by ${regret.toFixed(0)}${interval}`);
  });
  return element("div", {}, rows.length ? element("p", { class: "quiet" }, "What another move would have gained, in hundredths of a win:") : null, element("ol", {}, ...rows));
}

/** Each seat's chance over the game as a line, with a cursor at `now`. A click goes to that place of the game. */
export function drawCurve(curve, { names, actions, chapters, now }, go) {
  const x = (at) => ((WIDTH * at) / Math.max(1, actions)).toFixed(1);
  const y = (chance) => (HEIGHT - (HEIGHT * chance) / 100).toFixed(1);
  const line = (_, seat) => shape("polyline", { class: `line-seat-${seat}`, "stroke-width": 2, points: curve.map(({ at, chances }) => `${x(at)},${y(chances[seat])}`).join(" ") });
  const stops = curve.map(({ at, chances }) => {
    const words = chances.map((chance, seat) => `${names[seat]} ${Math.round(chance)} %`).join(", ");
    const stop = shape("rect", { x: x(at) - 4, y: 0, width: 8, height: HEIGHT, class: "stop", tabindex: 0, role: "button", "aria-label": `Action ${at}: ${words}` });
    stop.append(Object.assign(shape("title", {}), { textContent: words }));
    stop.addEventListener("click", () => go(at));
    stop.addEventListener("keydown", (event) => ["Enter", " "].includes(event.key) && (event.preventDefault(), go(at)));
    return stop;
  });
  const middle = shape("line", { class: "line-line", x1: 0, x2: WIDTH, y1: y(50), y2: y(50), "stroke-dasharray": "3 3" });
  const cursor = shape("line", { class: "line-accent cursor", x1: x(now), x2: x(now), y1: 0, y2: HEIGHT });
  const label = (words, place) => shape("text", { ...place, "font-size": FONT, class: "fill-muted" }, words);
  const levels = [0, 50, 100].map((chance) => label(`${chance} %`, { x: -6, y: Number(y(chance)) + 4, "text-anchor": "end" }));
  let free = 0; // the end of the last label
  const starts = chapters.flatMap(({ at, words }) => {
    const left = Number(x(at));
    const tick = shape("line", { class: "line-line", x1: left, x2: left, y1: HEIGHT, y2: HEIGHT + 4 });
    if (left < free || left + LETTER * words.length > WIDTH + MARGIN) return [tick];
    free = left + LETTER * (words.length + 1);
    return [tick, label(words, { x: left, y: HEIGHT + 15 })];
  });
  const box = `${-AXIS} ${-MARGIN} ${AXIS + WIDTH + MARGIN} ${MARGIN + HEIGHT + 20}`;
  const picture = shape("svg", { viewBox: box, class: "curve", role: "group", "aria-label": "Chances to win over the game" }, middle, cursor, ...levels, ...starts, ...names.map(line), ...stops);
  const key = names.map((name, seat) => element("li", { class: "item", "data-seat": seat }, element("b", { class: "seat" }, String(seat)), ` ${name}`));
  return element("div", {}, picture, element("ul", { class: "line-of key" }, ...key));
}

/** Moves the cursor of a curve. */
export function moveCursor(now, actions) {
  const x = ((WIDTH * now) / Math.max(1, actions)).toFixed(1);
  for (const one of document.querySelectorAll(".cursor")) for (const end of ["x1", "x2"]) one.setAttribute(end, x);
}
