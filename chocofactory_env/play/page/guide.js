// Hints for a new player's first day. Each is shown once, in its phase.

import { button, byId, element } from "./dom.js";
import { pagesOf } from "./rules.js";
import { recall, remember } from "./session.js";

const KEY = "chocofactory-hints"; // {on: true, false, or null if nobody was asked, seen: numbers of hints by game}

const place = byId("guide");

export class Guide {
  constructor() {
    this.forget();
    const box = byId("hints-on");
    box.addEventListener("change", () => this.turn(box.checked));
  }

  forget() {
    Object.assign(this, { game: null, pages: { hints: [], clauses: {} }, phases: [], shown: null });
    place.hidden = true;
  }

  /** Begins when a person plays this game here. */
  async begin(game) {
    this.forget();
    this.game = game;
    const pages = await pagesOf(game);
    if (this.game !== game) return;
    this.pages = pages;
    this.draw();
  }

  /** Takes the person's phases; none while it is not asked. */
  at(phases) {
    this.phases = phases;
    if (this.game !== null) this.draw();
  }

  turn(on) {
    write({ ...kept(), on });
    this.shown = null;
    this.draw();
  }

  /** Hints for the present phases that this browser has not shown. */
  due() {
    const seen = kept().seen[this.game] ?? [];
    return this.pages.hints.map((hint, number) => ({ ...hint, number })).filter(({ phases, number }) => !seen.includes(number) && phases.some((phase) => this.phases.includes(phase)));
  }

  next() {
    const [first = null] = this.due();
    this.shown = first;
    if (first !== null) {
      const { seen, ...rest } = kept();
      write({ ...rest, seen: { ...seen, [this.game]: [...(seen[this.game] ?? []), first.number] } });
    }
    this.draw();
  }

  draw() {
    const { on } = kept();
    byId("hints-on").checked = on === true;
    if (on === null && this.pages.hints.length) return this.offer();
    if (on && this.due().length && !this.shown?.phases.some((phase) => this.phases.includes(phase))) return this.next();
    place.hidden = !on || this.shown === null;
    if (place.hidden) return;
    const more = this.due().length;
    const { words, clauses } = this.shown;
    const rules = clauses.map((clause) => element("p", { class: "quiet" }, element("strong", {}, clause), ` ${this.pages.clauses[clause] ?? ""}`));
    place.replaceChildren(
      element("div", {}, ...marked(words), element("details", {}, element("summary", {}, "The rule"), ...rules)),
      element("p", { class: "row" }, button(more ? "Next hint" : "Got it", () => this.next(), { class: "main" }), button("No more hints", () => this.turn(false))),
    );
  }

  offer() {
    place.hidden = false;
    place.replaceChildren(
      element("div", {}, element("p", {}, "New to this game? Short hints explain your first day, each when you need it.")),
      element("p", { class: "row" }, button("Show hints", () => this.turn(true), { class: "main" }), button("No, thanks", () => this.turn(false))),
    );
  }
}

/** Emphasises words between stars. */
const marked = (words) => [element("p", {}, ...words.split("*").map((part, number) => (number % 2 ? element("em", {}, part) : part)))];

const kept = () => ({ on: null, seen: {}, ...JSON.parse(recall(KEY)) });

const write = (hints) => remember(KEY, JSON.stringify(hints));
