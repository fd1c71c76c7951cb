// An agent's thoughts about the position: numbers on the choices, and a table.

import { element } from "./dom.js";
import { annotate } from "./table.js";

const ROWS = 12;

/** Elements for the message `thought`; writes its numbers on the choices. words: of the legal actions. */
export function drawThought({ columns, line, value }, words) {
  const [main, ...others] = columns;
  const order = main ? Object.entries(main.numbers).sort(([, one], [, other]) => other - one) : [];
  const best = order.length ? Number(order[0][0]) : (line[0]?.action ?? null);
  const worded = columns.map(wording);
  const beside = Object.fromEntries(order.map(([action, number]) => [action, worded[0](number)]));
  if (best !== null && !order.length) beside[best] = "1st";
  annotate(beside, best);
  const rows = order.slice(0, ROWS).map(([action, number]) =>
    element("tr", { class: Number(action) === best ? "best" : null }, element("th", { scope: "row" }, words[action] ?? `action ${action}`), element("td", {}, worded[0](number)), ...others.map(({ numbers }, place) => element("td", {}, action in numbers ? worded[place + 1](numbers[action]) : ""))),
  );
  const head = ["move", main?.name ?? "number", ...others.map((column) => column.name)].map((name) => element("th", { scope: "col" }, name));
  const parts = [];
  if (value) parts.push(element("p", {}, `${value.name}: ${short(value.number)}`));
  if (rows.length) parts.push(element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows)));
  if (line.length) parts.push(element("h3", {}, "What it expects"), element("ol", {}, ...line.map((one) => element("li", {}, one.words))));
  return parts.length ? parts : [element("p", { class: "quiet" }, "It says nothing about this position.")];
}

/** A function that words the numbers of a column: as percentages if they are shares, which add up to one. */
function wording({ numbers }) {
  const all = Object.values(numbers);
  const isShare = all.every((one) => one >= 0) && Math.abs(all.reduce((sum, one) => sum + one, 0) - 1) < 0.01;
  return isShare ? percent : short;
}

function percent(share) {
  const rounded = Math.round(100 * share);
  return rounded === 0 && share > 0 ? "< 1 %" : `${rounded} %`;
}

/** A number with three digits at most, unless it is larger. */
function short(number) {
  const size = Math.abs(number);
  if (size >= 100 || Number.isInteger(number)) return number.toFixed(0);
  return size >= 10 ? number.toFixed(1) : number.toFixed(2);
}
