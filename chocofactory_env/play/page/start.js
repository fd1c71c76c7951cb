// The start page: a new game, files, and the list of tables.

import { agentChooser, opponentOf } from "./agents.js";
import { button, byId, element, labelled, option, sure } from "./dom.js";
import { recall, remember, seatsKept, session, tokens } from "./session.js";

const KINDS = { here: "a person here", link: "another browser", agent: "an agent" };

export class Start {
  /** ask(message): asks the server. play(message): makes a table. enter(entry), replay(upload) go there. */
  constructor(ask, { play, enter, replay, refused }) {
    Object.assign(this, { ask, play, enter, replay, refused, described: null, upload: null, chosen: {} });
    this.form = byId("new-game");
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.begin();
    });
  }

  /** Shows the content of the message `welcome`. */
  async open(welcome) {
    this.titles = welcome.titles;
    this.listTables(welcome.tables);
    this.offerToContinue(welcome.tables);
    if (this.described === null && welcome.games.length) {
      this.games = welcome.games;
      await this.offer(welcome.preset ?? { game: welcome.games[0], options: {}, seats: [], seed: null });
    }
  }

  /** Fills in the form from a message `new`. */
  async offer({ game, options, seats, seed = null }) {
    this.upload = null;
    this.chosen = { ...options };
    const error = await this.describe(game, this.chosen, seats);
    if (error) this.refused(error);
    else if (byId("seed")) byId("seed").value = seed ?? "";
  }

  async describe(game, options, seats = null) {
    const asked = (this.asked = (this.asked ?? 0) + 1);
    try {
      this.waiting(true);
      const described = await this.ask({ type: "describe", game, options });
      if (asked !== this.asked) return null; // something else was chosen meanwhile
      this.described = described;
      this.draw(seats);
      return null;
    } catch (error) {
      return error;
    } finally {
      if (asked === this.asked) this.waiting(false);
    }
  }

  /** Changes to another game, with its default options. */
  async change(game) {
    this.chosen = {};
    const error = await this.describe(game, {});
    if (error) this.refused(error);
  }

  /** Sets an option. Options chosen before are reset if they do not go with it. */
  async choose(name, value) {
    const { game } = this.described;
    const players = "num_players" in this.chosen ? { num_players: this.chosen.num_players } : {};
    let error = null;
    for (const wanted of [{ ...this.chosen, [name]: value }, { ...players, [name]: value }]) {
      const refusal = await this.describe(game, wanted);
      if (refusal === null) {
        this.chosen = wanted;
        return;
      }
      error ??= refusal;
    }
    this.draw(null);
    this.refused(error);
  }

  waiting(busy) {
    this.form.classList.toggle("busy", busy);
    this.form.setAttribute("aria-busy", busy);
  }

  /** The options of the variant in the form. */
  options() {
    return Object.fromEntries(this.described.options.map(({ name, value }) => [name, value]));
  }

  seats() {
    return [...this.form.querySelectorAll("[data-seat]")].map((row) => {
      const kind = row.querySelector("[data-kind]").value;
      const name = row.querySelector("[data-name]").value.trim();
      const seat = name ? { kind, name } : { kind };
      return kind === "agent" ? { ...seat, agent: row.querySelector(".agent").value } : seat;
    });
  }

  /** Buttons for the game shown, with its default options. */
  presets() {
    const { game, players } = this.described;
    const opponent = opponentOf(this.described);
    const own = () => ({ kind: "here", ...(ownName() && { name: ownName() }) });
    const begin = (others) => () => {
      const seats = [own(), ...others.map((agent) => ({ kind: "agent", agent }))];
      return this.make({ type: "new", game, options: { num_players: seats.length }, seats, seed: null });
    };
    const now = (words, others) => (players.includes(others.length + 1) ? button(`Play now: ${words}`, begin(others), { class: "now" }) : null);
    return element("div", { class: "row presets" }, now(`you against ${opponent}`, [opponent]), now("alone", []));
  }

  async begin() {
    const seed = this.form.querySelector("#seed")?.value ?? "";
    const at = this.form.querySelector("#at")?.value ?? "";
    const message = { type: "new", game: "", options: {}, seats: this.seats(), seed: null };
    if (this.upload) Object.assign(message, { upload: this.upload.upload }, at === "" ? {} : { at: Number(at) });
    else Object.assign(message, { game: this.described.game, options: this.options(), seed: seed === "" ? null : Number(seed) });
    const own = this.form.querySelector("[data-seat='0'] [data-name]");
    if (message.seats[0].kind === "here") remember(OWN_NAME, own.value.trim());
    await this.make(message);
  }

  async make(message) {
    try {
      this.waiting(true);
      await this.play(message);
    } catch (error) {
      this.refused(error);
    } finally {
      this.waiting(false);
    }
  }

  draw(given) {
    const { described } = this;
    const focused = document.activeElement?.id;
    const before = given ?? (this.form.querySelector("[data-seat]") ? this.seats() : []);
    const choose = (name, value) => this.choose(name, value);
    const [number, others] = [true, false].map((wanted) => described.options.filter((one) => (one.name === "num_players") === wanted));
    const players = number[0]?.value ?? described.players[0];
    const fields = (options) => options.filter(isChoice).map((one) => optionField(one, choose));
    const open = byId("more")?.open ?? false;
    const seed = byId("seed")?.value ?? "";
    const game = element(
      "select",
      { id: "game", onchange: () => this.change(game.value) },
      ...this.games.map((name) => option(name, this.titles[name] ?? name, name === described.game)),
    );
    this.form.replaceChildren(
      ...(this.upload ? [this.fileRow()] : []),
      ...(this.upload ? [] : [explained(labelled("Game", game), described.about), this.presets(), ...fields(number)]),
      element(
        "fieldset",
        { class: "seats" },
        element("legend", {}, "Seats"),
        element("p", { class: "quiet style" }, "Ratings compare the agents: 0 is their mean, and 400 points more are odds of ten to one."),
        ...Array.from({ length: players }, (_, seat) => this.seatRow(seat, before[seat])),
      ),
      ...(this.upload ? [] : [element("details", { id: "more", open }, element("summary", {}, "Options"), element("div", {}, ...fields(others), explained(labelled("Seed", numberField("seed", 0, null, seed)), "The same number deals the same game. Leave it empty for a new deal.")))]),
      ...(this.upload ? [labelled("Play on after so many actions (all if empty)", numberField("at", 0, this.upload.actions))] : []),
      element("button", { type: "submit", class: "main" }, this.upload ? "Play on" : "Start"),
      ...(this.upload ? [] : [this.fileRow()]),
    );
    if (focused) byId(focused)?.focus();
  }

  seatRow(seat, before) {
    const kind = before?.kind ?? (seat === 0 ? "here" : "agent");
    const agent = agentChooser(this.described, before?.agent);
    const select = element(
      "select",
      { "data-kind": true, "aria-label": `Who plays seat ${seat}`, onchange: () => (agent.hidden = select.value !== "agent") },
      ...Object.entries(KINDS).map(([value, words]) => option(value, words, value === kind)),
    );
    agent.hidden = kind !== "agent";
    const name = element("input", { "data-name": true, maxlength: 40, value: before || seat ? (before?.name ?? "") : ownName(), placeholder: "Name", "aria-label": `Name of seat ${seat}` });
    return element("div", { "data-seat": seat, class: "row" }, element("span", { class: `dot seat-${seat}` }, String(seat)), select, name, agent);
  }

  fileRow() {
    const choose = element("input", { type: "file", id: "file", accept: ".json,.jsonl,application/json", onchange: () => this.read(choose.files[0]) });
    const row = element("div", { class: "row files" }, labelled(this.upload ? "Open another file" : "Or open a record from a file", choose));
    if (this.upload) {
      row.append(element("strong", {}, `Record of ${this.titles[this.upload.game] ?? this.upload.game}`));
      row.append(button("Watch the replay", () => this.replay(this.upload.upload).catch(this.refused)), button("Close the file", () => this.close()));
    }
    return row;
  }

  async read(file) {
    if (!file) return;
    try {
      const answer = await fetch("/upload", { method: "POST", body: file, headers: { "x-key": session.host } });
      const said = await answer.json();
      if (!answer.ok) throw new Error(said.reason);
      this.upload = said;
      const error = await this.describe(said.game, said.options);
      if (error) throw error;
    } catch (error) {
      this.refused(error);
    }
  }

  async close() {
    this.upload = null;
    await this.change(this.described.game);
  }

  /** Offers the game that was played last in this browser, in any tab. */
  offerToContinue(tables) {
    const entry = tables.find(({ table, over, held }) => !over && held.length && table in seatsKept());
    const name = entry?.held.map((seat) => entry.seats[seat]).join(" and ");
    byId("continue").replaceChildren(...(entry ? [element("h2", {}, `Continue as ${name}?`), element("p", {}, this.wordsOf(entry)), button("Continue", () => this.enter(entry), { class: "main" })] : []));
  }

  wordsOf({ game, seats, over, chapter }) {
    return [`${this.titles[game] ?? game}: ${seats.join(", ")}`, over ? "over" : chapter].filter(Boolean).join(" · ");
  }

  listTables(tables) {
    const rows = tables.map((entry) => {
      const words = this.wordsOf(entry);
      const when = [entry.began && `began ${dated(entry.began)}`, `last move ${dated(entry.when)}`].filter(Boolean).join(", ");
      const what = entry.over ? "Look back" : entry.held.length ? "Play on" : "Watch";
      const enter = button(what, () => this.enter(entry), { "aria-label": `${what}: ${words}` });
      const close = session.host ? button("Delete", () => this.remove(entry, words), { "aria-label": `Delete: ${words}` }) : null;
      return element("li", {}, element("span", {}, words), element("time", {}, when), enter, close);
    });
    byId("tables").replaceChildren(...(rows.length ? [element("h2", {}, "Tables"), element("ul", {}, ...rows)] : []));
  }

  async remove(entry, words) {
    if (!(await sure("Delete this game for good?", words, "Delete"))) return;
    try {
      await this.ask({ type: "close", table: entry.table });
      this.listTables((await this.ask({ type: "hello", tokens: tokens() })).tables);
    } catch (error) {
      this.refused(error);
    }
  }
}

const dated = (seconds) => new Date(1000 * seconds).toLocaleString([], { dateStyle: "short", timeStyle: "short" });

const OWN_NAME = "chocofactory-name"; // the name of the person at this browser, typed once

const ownName = () => recall(OWN_NAME) ?? "";

const OTHERS = "\u2026"; // stands for values to be typed

/** Whether there is anything to choose. */
const isChoice = ({ choices, others }) => choices === null || choices.length > 1 || others !== null;

/** A field that calls choose(name, value). */
function optionField(described, choose) {
  return explained(plainField(described, choose), described.explained);
}

/** A labelled field with a sentence below it. */
function explained(label, words) {
  const field = label.querySelector("input, select");
  field.setAttribute("aria-describedby", `${field.id}-words`);
  return element("div", {}, label, element("p", { class: "quiet", id: `${field.id}-words` }, words));
}

function plainField(described, choose) {
  const { name, label, kind, value, choices } = described;
  const id = `option-${name}`;
  if (kind === "flag") {
    const box = element("input", { type: "checkbox", id, checked: value, onchange: () => choose(name, box.checked) });
    return labelled(label, box);
  }
  const read = (text) => (text === "" ? null : kind === "number" ? Number(text) : text);
  if (choices === null) {
    const field = element("input", { type: kind === "number" ? "number" : "text", id, value: value ?? "", onchange: () => choose(name, read(field.value)) });
    return labelled(label, field);
  }
  return labelled(label, choiceField(described, id, (text) => choose(name, read(text))));
}

function choiceField({ value, choices, words, others }, id, chosen) {
  const known = choices.includes(value) ? [] : [option(value ?? "", String(value ?? "none"), true)];
  const written = others === null ? [] : [option(OTHERS, `${others} \u2026`)];
  const select = element("select", { id }, ...known, ...choices.map((one, place) => option(one ?? "", words[place], one === value)), ...written);
  select.addEventListener("change", () => {
    if (select.value !== OTHERS) return chosen(select.value);
    const field = element("input", { type: "text", id, placeholder: others, onchange: () => chosen(field.value) });
    select.replaceWith(field);
    field.focus();
  });
  return select;
}

function numberField(id, min, max = null, value = "") {
  return element("input", { id, type: "number", min, max, step: 1, value });
}
