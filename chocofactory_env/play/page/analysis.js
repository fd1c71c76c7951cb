// What an analysis found: chances to win, and costly decisions. Saved games show it, too.

import { button, element, shape } from "./dom.js";

const FIRST = 3; // decisions shown at first
const MOST = 20;
const [FONT, LETTER] = [11, 6]; // height and width of the letters of the chart
const [AXIS, MARGIN] = [40, 8]; // beside the chart: room for the labels of its axis, and for half a stop

/** The decisions that cost most. A click goes to that place of the game. */
export function listCostly(regrets, go) {
  const row = ({ at, words, better, regret, error }) =>
    element("li", {}, button(words, () => go(at)), ` ${better}: better by ${regret.toFixed(1)} ± ${error.toFixed(1)}`);
  const [first, others] = [regrets.slice(0, FIRST).map(row), regrets.slice(FIRST, MOST).map(row)];
  return element(
    "div",
    {},
    first.length ? element("p", { class: "quiet" }, "What another move would have gained, in hundredths of a win:") : null,
    element("ol", {}, ...first),
    others.length ? element("details", {}, element("summary", {}, `${others.length} more`), element("ol", { start: FIRST + 1 }, ...others)) : null,
  );
}

/** Each seat's chance over the game as a line. A click goes to that place of the game. */
export function drawCurve(curve, { seats: names, actions, chapters }, go) {
  const [width, height] = [300, 110];
  const x = (at) => ((width * at) / actions).toFixed(1);
  const y = (chance) => (height - (height * chance) / 100).toFixed(1);
  const line = (_, seat) => shape("polyline", { class: `line-seat-${seat}`, "stroke-width": 2, points: curve.map(({ at, chances }) => `${x(at)},${y(chances[seat])}`).join(" ") });
  const stops = curve.map(({ at, chances }) => {
    const words = chances.map((chance, seat) => `${names[seat]} ${Math.round(chance)} %`).join(", ");
    const stop = shape("rect", { x: x(at) - 4, y: 0, width: 8, height, class: "stop", tabindex: 0, role: "button", "aria-label": `Action ${at}: ${words}` });
    stop.append(Object.assign(shape("title", {}), { textContent: words }));
    stop.addEventListener("click", () => go(at));
    stop.addEventListener("keydown", (event) => ["Enter", " "].includes(event.key) && (event.preventDefault(), go(at)));
    return stop;
  });
  const middle = shape("line", { class: "line-line", x1: 0, x2: width, y1: y(50), y2: y(50), "stroke-dasharray": "3 3" });
  const label = (words, place) => shape("text", { ...place, "font-size": FONT, class: "fill-muted" }, words);
  const levels = [0, 50, 100].map((chance) => label(`${chance} %`, { x: -6, y: Number(y(chance)) + 4, "text-anchor": "end" }));
  let free = 0; // the end of the last label
  const starts = chapters.flatMap(({ at, words }) => {
    const left = Number(x(at));
    const tick = shape("line", { class: "line-line", x1: left, x2: left, y1: height, y2: height + 4 });
    if (left < free || left + LETTER * words.length > width + MARGIN) return [tick];
    free = left + LETTER * (words.length + 1);
    return [tick, label(words, { x: left, y: height + 15 })];
  });
  const box = `${-AXIS} ${-MARGIN} ${AXIS + width + MARGIN} ${MARGIN + height + 20}`;
  const picture = shape("svg", { viewBox: box, class: "curve", role: "group", "aria-label": "Chances to win over the game" }, middle, ...levels, ...starts, ...names.map(line), ...stops);
  const key = names.map((name, seat) => element("li", {}, element("span", { class: `dot seat-${seat}` }, String(seat)), ` ${name}`));
  return element("div", {}, picture, element("ul", { class: "row key" }, ...key));
}
