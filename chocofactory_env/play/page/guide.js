// Hints for a new player's first day. Each is shown once, in its phase, and ends with it.

import { button, byId, element, recall, remember } from "./dom.js";

const kept = () => ({ on: null, seen: {}, ...JSON.parse(recall("hints")) }); // on: null if nobody was asked; seen: numbers of hints by game
const write = (change) => remember("hints", JSON.stringify({ ...kept(), ...change }));

export class Guide {
  constructor() {
    Object.assign(this, { game: null, pages: { hints: [], clauses: {} }, phases: [], shown: null });
    byId("hints-on").addEventListener("change", ({ target }) => this.turn(target.checked));
  }

  /** Begins when a person plays this game; with null nobody does. */
  begin(game, pages) {
    Object.assign(this, { game, pages, shown: null });
  }

  /** Takes the person's phases; none while it is not asked. */
  at(phases) {
    this.phases = phases;
    if (!this.fits(this.shown)) this.shown = null;
    this.draw();
  }

  fits(hint) {
    return hint !== null && hint.phases.some((phase) => this.phases.includes(phase));
  }

  turn(on) {
    write({ on });
    this.shown = null;
    this.draw();
  }

  /** Hints for the present phases that this browser has not shown. */
  due() {
    const seen = kept().seen[this.game] ?? [];
    return this.pages.hints.map((hint, number) => ({ ...hint, number })).filter((hint) => !seen.includes(hint.number) && this.fits(hint));
  }

  next() {
    this.shown = this.due()[0] ?? null;
    const { seen } = kept();
    if (this.shown) write({ seen: { ...seen, [this.game]: [...(seen[this.game] ?? []), this.shown.number] } });
  }

  draw() {
    const [{ on }, place] = [kept(), byId("guide")];
    byId("hints-on").checked = on === true;
    const asks = on === null && this.game !== null && this.pages.hints.length > 0 && this.phases.length > 0;
    if (on && this.game !== null && this.shown === null) this.next();
    place.hidden = !asks && !(on && this.shown);
    if (asks) {
      place.replaceChildren(element("p", {}, "New to this game? Short hints explain your first day, each when you need it."), element("p", { class: "line-of" }, button("Show hints", () => this.turn(true), { class: "main" }), button("No, thanks", () => this.turn(false))));
    } else if (!place.hidden) {
      const { words, clauses } = this.shown;
      const rules = clauses.map((clause) => element("p", { class: "quiet" }, this.pages.clauses[clause] ?? ""));
      const another = () => {
        this.next();
        this.draw();
      };
      place.replaceChildren(element("p", {}, ...words.split("*").map((part, number) => (number % 2 ? element("em", {}, part) : part))), element("details", {}, element("summary", {}, "The rule"), ...rules), element("p", { class: "line-of" }, button(this.due().length ? "Next hint" : "Got it", another, { class: "main" }), button("No more hints", () => this.turn(false))));
    }
  }
}
