// An agent's thoughts about the position, beside the choices and as a table.

import { agentChooser } from "./agents.js";
import { annotate } from "./board.js";
import { button, byId, element } from "./dom.js";

const ROWS = 12;

export class Advice {
  /** think(agent): asks the server for a thought; stop(): gives it up. */
  constructor({ think, stop, refused }) {
    Object.assign(this, { think, stop, refused, chooser: null, words: {}, asked: null });
    this.place = byId("advice").querySelector("div");
    this.found = element("div", { "aria-live": "polite" });
  }

  /** Takes the agents of a variant. The one that is chosen stays, if it is among them. */
  offer(described) {
    const likely = ["planner", "expert"].find((name) => described.agents.some((agent) => agent.name === name));
    this.chooser = agentChooser(described, this.chooser?.value ?? likely);
    const ask = button("What would it do?", () => this.ask(), { "aria-keyshortcuts": "T" });
    this.place.replaceChildren(element("p", { class: "row" }, this.chooser, ask, button("Stop", () => this.giveUp())), this.found);
  }

  /** Clears the thoughts. One that is still to come will not be shown. */
  clear() {
    this.asked = null;
    this.found.replaceChildren();
  }

  /** Takes a new position. */
  forget(view) {
    this.clear();
    annotate({}, null);
    this.words = Object.fromEntries(view.actions.map(({ action, words }) => [action, words]));
    this.mayAsk = view.at === null ? view.decision !== null : view.mover !== null;
  }

  async ask() {
    if (this.chooser === null) return;
    if (!this.mayAsk) {
      this.found.replaceChildren(element("p", { class: "quiet" }, "An agent can be asked while this seat is to move."));
      return;
    }
    byId("advice").open = true;
    this.found.replaceChildren(element("p", { class: "quiet" }, "It thinks…"));
    const asked = (this.asked = this.think(this.chooser.value));
    try {
      const thought = await asked;
      if (asked !== this.asked) return;
      this.asked = null;
      this.show(thought);
    } catch (error) {
      if (asked !== this.asked) return;
      this.clear();
      this.refused(error);
    }
  }

  giveUp() {
    if (this.asked !== null) this.clear();
    this.stop();
  }

  show({ columns, line, value }) {
    const [main, ...others] = columns;
    const order = main ? Object.entries(main.numbers).sort(([, one], [, other]) => other - one) : [];
    const best = order.length ? Number(order[0][0]) : line.length ? line[0].action : null;
    const words = columns.map(wording);
    const beside = Object.fromEntries(order.map(([action, number]) => [action, words[0](number)]));
    if (best !== null && !order.length) beside[best] = "1st";
    annotate(beside, best);
    const most = Math.max(...order.map(([, number]) => Math.abs(number)), 1e-9);
    const rows = order.slice(0, ROWS).map(([action, number]) =>
      element(
        "tr",
        { class: Number(action) === best ? "best" : null },
        element("th", { scope: "row" }, this.words[action] ?? `action ${action}`),
        element("td", {}, words[0](number), element("meter", { min: 0, max: most, value: Math.max(0, number), "aria-hidden": "true" })),
        ...others.map(({ numbers }, place) => element("td", {}, action in numbers ? words[place + 1](numbers[action]) : "")),
      ),
    );
    const head = ["move", main?.name ?? "number", ...others.map((column) => column.name)].map((words) => element("th", { scope: "col" }, words));
    const parts = [];
    if (value) parts.push(element("p", {}, `${value.name}: ${short(value.number)}`));
    if (rows.length) parts.push(element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows)));
    if (rows.length > 1) parts.push(element("p", { class: "quiet" }, `It takes the move with the highest number under “${main.name}”.`));
    if (line.length) parts.push(element("h3", {}, "What it expects"), element("ol", {}, ...line.map((one) => element("li", {}, one.words))));
    if (!parts.length) parts.push(element("p", { class: "quiet" }, "It says nothing about this position."));
    this.found.replaceChildren(...parts);
  }
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
