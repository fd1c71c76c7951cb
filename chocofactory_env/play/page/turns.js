// The story of the game: a line for each turn, which unfolds into its steps.

import { button, byId, byWhom, element } from "./dom.js";

const list = byId("turns").querySelector("ol");
let told = []; // {first, last, seat, words}; seat: null for news
let lines = []; // lines of the log

/** Draws the message `log`. own: the viewer's seat, or null. */
export function drawTurns({ from, lines: more, stories }, own) {
  lines = [...lines.slice(0, from), ...more];
  told = [...told.slice(0, stories.from), ...stories.new];
  byId("turns").hidden = !told.length && lines.length > 0; // the game tells no stories
  while (list.children.length > stories.from) list.lastElementChild.remove();
  list.append(...told.slice(stories.from).map(drawTurn));
  const since = own === null ? told.length : told.findLastIndex((one) => one.seat === own) + 1;
  [...list.children].forEach((turn, place) => turn.classList.toggle("new", place >= since));
  list.scrollTop = list.scrollHeight;
}

function drawTurn({ first, last, seat, words }) {
  const steps = lines.slice(first, last + 1).map((line) => line.words);
  if (steps.length === 1) return element("li", { class: byWhom(seat) }, words);
  const shown = steps.filter((step) => !step.endsWith("(forced)"));
  return element("li", { class: byWhom(seat) }, element("details", {}, element("summary", {}, words), element("ol", {}, ...shown.map((step) => element("li", {}, step)))));
}

/** Each seat's last turn. */
export const lastTurns = () => Object.fromEntries(told.filter(({ seat }) => seat !== null).map(({ seat, words }) => [seat, words]));

export const forgetTurns = () => drawTurns({ from: 0, lines: [], stories: { from: 0, new: [] } }, null);

/** Buttons of a player: unfold the turns since the own last one, and skip waits until the next. skip: null without waits. */
export function drawTurnButtons(plays, skip) {
  const again = button("Since my last move", () => {
    for (const one of list.querySelectorAll("li.new details")) one.open = true;
    list.querySelector("li.new")?.scrollIntoView({ block: "nearest" });
  });
  byId("turns").querySelector("p").replaceChildren(...(plays ? [again] : []), ...(skip ? [button("Skip to my turn", skip)] : []));
}
