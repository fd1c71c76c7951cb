// The replay of a record: slider, play, step, chapters, and costly decisions.

import { drawCurve, listCostly } from "./analysis.js";
import { button, byId, element, labelled, option } from "./dom.js";

const PACE = [2, 1, 0.5, 0.2, 0.05]; // seconds per action

export class Replay {
  /** seek(at, seat): asks for the view; regret(), save(what), refused(error). */
  constructor({ seek, regret, save, refused }) {
    Object.assign(this, { seek, regret, save, refused, about: null, at: 0, seat: null, playing: false, pace: 1 });
    this.place = byId("replay");
    this.found = element("div", {});
  }

  get open() {
    return this.about !== null;
  }

  /** The message "replay"; null closes it. */
  begin(about) {
    this.about = about;
    this.playing = false;
    this.at = 0;
    this.place.hidden = about === null;
    if (about === null) return;
    this.slider = element("input", { type: "range", min: 0, max: about.actions, value: 0, oninput: () => this.go(Number(this.slider.value)) });
    this.count = element("output", {}, `0 of ${about.actions}`);
    this.toggle = button("Play", () => this.play(!this.playing), { "aria-keyshortcuts": "P" });
    this.eyes = element("select", { onchange: () => this.look(this.eyes.value) }, option("", "what lies open"), ...about.seats.map((name, seat) => option(seat, name)));
    this.chapters = element("select", { onchange: () => this.go(Number(this.chapters.value)) }, ...about.chapters.map(({ at, words }) => option(at, words)));
    const pace = element("input", { type: "range", min: 0, max: PACE.length - 1, value: this.pace, oninput: () => (this.pace = Number(pace.value)) });
    this.analyse = about.regrets
      ? button("Analyse the game", () => this.findRegrets())
      : element("p", { class: "quiet" }, about.why_no_regrets ?? "Regrets cannot be had here.");
    this.found.replaceChildren();
    this.place.replaceChildren(
      element("h2", {}, "Replay"),
      labelled("Action", this.slider),
      element("p", { class: "row" }, button("First", () => this.go(0)), button("Back", () => this.go(this.at - 1), { "aria-keyshortcuts": "[" }), this.toggle, button("Next", () => this.go(this.at + 1), { "aria-keyshortcuts": "]" }), button("Last", () => this.go(about.actions)), this.count),
      element("div", { class: "choices" }, labelled("With the eyes of", this.eyes), about.chapters.length ? labelled("Jump to", this.chapters) : null),
      labelled("Speed", pace),
      this.analyse,
      this.found,
      element("p", { class: "row" }, ...["record", "page"].map((what) => button(`Save the ${what}`, () => this.save(what)))),
    );
  }

  look(value) {
    this.seat = value === "" ? null : Number(value);
    this.go(this.at);
  }

  goWith(at, seat) {
    this.seat = seat;
    this.eyes.value = seat ?? "";
    return this.go(at);
  }

  async go(at) {
    this.at = Math.max(0, Math.min(at, this.about.actions));
    this.slider.value = this.at;
    this.count.textContent = `${this.at} of ${this.about.actions}`;
    this.chapters.selectedIndex = this.about.chapters.findLastIndex((chapter) => chapter.at <= this.at);
    this.wanted = [this.at, this.seat];
    if (this.asking) return; // the loop below asks for the latest wish
    this.asking = true;
    try {
      while (this.wanted) {
        const [wanted, seat] = this.wanted;
        this.wanted = null;
        await this.seek(wanted, seat);
      }
    } catch (error) {
      this.play(false);
      this.refused(error);
    } finally {
      this.asking = false;
    }
  }

  async play(playing) {
    this.playing = playing;
    this.toggle.textContent = playing ? "Pause" : "Play";
    const run = (this.run = (this.run ?? 0) + 1);
    while (this.playing && this.run === run && this.open && this.at < this.about.actions) {
      await this.go(this.at + 1);
      await new Promise((resolve) => setTimeout(resolve, 1000 * PACE[this.pace]));
    }
    if (this.run === run && this.playing) this.play(false);
  }

  async findRegrets() {
    const { about } = this;
    this.analyse.hidden = true;
    this.found.replaceChildren(element("p", { class: "quiet" }, "Playing the decisions again…"));
    try {
      this.showRegrets(await this.regret());
    } catch (error) {
      if (about !== this.about) return; // it was left
      this.found.replaceChildren();
      this.analyse.hidden = false;
      this.refused(error);
    }
  }

  /** Draws the message `regrets`. */
  showRegrets({ done, all, regrets, curve, ended }) {
    const go = (at) => this.go(at);
    if (done === 0) this.begun = performance.now();
    const progress = ended ? null : element("div", {}, element("progress", { max: all, value: done, "aria-label": "turns looked at" }), element("p", { class: "quiet" }, progressWords(done, all, performance.now() - this.begun)));
    const stopped = ended && done < all ? element("p", { class: "quiet" }, `Time is up: ${done} of ${all} turns were looked at.`) : null;
    this.found.replaceChildren(
      ...[
        element("h3", {}, "Chances to win"),
        drawCurve(curve, this.about, go),
        progress,
        stopped,
        element("h3", {}, "The costliest decisions"),
        listCostly(regrets, go),
        regrets.length || !ended ? null : element("p", {}, "None that could be found."),
      ].filter(Boolean),
    );
  }
}

/** passed: milliseconds since the first turn was begun. */
function progressWords(done, all, passed) {
  const seconds = Math.ceil((passed * (all - done)) / done / 1000);
  const left = seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return `${done} of ${all} turns${done ? `, about ${left} left` : ""}`;
}
