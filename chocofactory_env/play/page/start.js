// The start page: a game at once, a form for any other, saved games, and files.

import { agentChooser, byStrength, opponentOf } from "./agents.js";
import { button, byId, element, labelled, option, recall, remember } from "./dom.js";

const PERSON = "person";

export class Start {
  /** ask(message): asks the server. sit(message): begins or opens a game. */
  constructor(ask, { sit, refused, help, turnTheme }) {
    Object.assign(this, { ask, sit, refused, help, turnTheme, described: null, chosen: {} });
    this.form = element("form", { id: "new-game", onsubmit: (event) => (event.preventDefault(), this.begin()) });
    this.saved = element("div", { id: "saved" });
    const file = element("input", { type: "file", id: "file", accept: ".json,.jsonl,application/json", onchange: () => file.files[0]?.text().then((text) => this.sit({ type: "open", text, name: recall("name") || null })) });
    const above = element("p", { class: "line-of" }, button("Light or dark", turnTheme), button("Help", help));
    byId("start").append(above, element("h2", {}, "Play"), this.form, this.saved, labelled("Open a record from a file", file));
  }

  /** Shows the content of the message `welcome`. */
  async open({ games, titles, saved, preset }) {
    Object.assign(this, { games, titles });
    this.listSaved(saved);
    if (this.described === null) await this.offer(preset ?? { game: games[0], options: {}, seats: [] });
  }

  /** Fills in the form from a message `new`. */
  async offer({ game, options, seats, seed = null }) {
    this.chosen = { ...options };
    const error = await this.describe(game, this.chosen, seats);
    if (error) this.refused(error);
    else byId("seed").value = seed ?? "";
  }

  async describe(game, options, seats = null) {
    const asked = (this.asked = (this.asked ?? 0) + 1);
    this.form.setAttribute("aria-busy", "true");
    try {
      const described = await this.ask({ type: "describe", game, options });
      if (asked !== this.asked) return null; // something else was chosen meanwhile
      this.described = described;
      this.draw(seats);
      return null;
    } catch (error) {
      return error;
    } finally {
      if (asked === this.asked) this.form.setAttribute("aria-busy", "false");
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

  options() {
    return Object.fromEntries(this.described.options.filter(({ value }) => value !== null).map(({ name, value }) => [name, value]));
  }

  seats() {
    return [...this.form.querySelectorAll("[data-seat-row]")].map((row) => {
      const name = row.querySelector("[data-name]").value.trim();
      const agent = row.querySelector("[data-who]").value === PERSON ? {} : { agent: row.querySelector(".agent").value };
      return { ...agent, ...(name && { name }) };
    });
  }

  /** Buttons for the game shown, with its default options: opponents by strength, alone, and agents to watch. */
  presets() {
    const { game, players } = this.described;
    const names = byStrength(this.described);
    const own = () => (this.ownField().value.trim() ? { name: this.ownField().value.trim() } : {});
    const begin = (make) => () => {
      remember("name", this.ownField().value.trim());
      const seats = make();
      return this.sit({ type: "new", game, options: { num_players: seats.length }, seats });
    };
    const against = (level, agent) => (agent && players.includes(2) ? button(`${level}: against ${agent}`, begin(() => [own(), { agent }]), { class: "now" }) : null);
    const levels = { Easy: names.at(-1), Medium: names[Math.floor((names.length - 1) / 2)], Strong: names[0] };
    const rows = Object.entries(levels).map(([level, agent]) => against(level, agent));
    const alone = players.includes(1) ? button("Alone", begin(() => [own()]), { class: "now" }) : null;
    const watch = button("Watch agents", begin(() => Array.from({ length: Math.min(4, players.at(-1)) }, () => ({ agent: opponentOf(this.described) }))), { class: "now" });
    return element("div", { class: "line-of presets", role: "group", "aria-label": "Play now" }, ...rows, alone, watch);
  }

  ownField() {
    return this.form.querySelector("[data-name]");
  }

  async begin() {
    const seed = byId("seed").value;
    const [first] = this.seats();
    if (!first.agent) remember("name", first.name ?? "");
    await this.sit({ type: "new", game: this.described.game, options: this.options(), seats: this.seats(), seed: seed === "" ? null : Number(seed) });
  }

  draw(given) {
    const { described } = this;
    const focused = document.activeElement?.id;
    const before = given ?? (this.form.querySelector("[data-seat-row]") ? this.seats() : []);
    const choose = (name, value) => this.choose(name, value);
    const [number, others] = [true, false].map((wanted) => described.options.filter((one) => (one.name === "num_players") === wanted));
    const players = number[0]?.value ?? described.players[0];
    const fields = (options) => options.filter(isChoice).map((one) => optionField(one, choose));
    const open = byId("more")?.open ?? false;
    const seed = byId("seed")?.value ?? "";
    const picture = element("select", { id: "game", onchange: () => this.change(picture.value) }, ...this.games.map((name) => option(name, this.titles[name] ?? name, name === described.game)));
    this.form.replaceChildren(
      explained(labelled("Game", picture), described.about),
      this.presets(),
      ...fields(number),
      element("fieldset", {}, element("legend", {}, "Seats"), element("p", { class: "quiet" }, "Ratings compare the agents: 0 is their mean, and 400 points more are odds of ten to one."), ...Array.from({ length: players }, (_, seat) => this.seatRow(seat, before[seat]))),
      element("details", { id: "more", open }, element("summary", {}, "Options"), element("div", {}, ...fields(others), explained(labelled("Seed", element("input", { id: "seed", type: "number", min: 0, step: 1, value: seed })), "The same number deals the same game. Leave it empty for a new deal."))),
      element("button", { type: "submit", class: "main" }, "Start"),
    );
    if (focused) byId(focused)?.focus();
  }

  seatRow(seat, before) {
    const isPerson = before ? !before.agent : seat === 0;
    const agent = agentChooser(this.described, before?.agent);
    const who = element("select", { "data-who": true, "aria-label": `Who plays seat ${seat}`, onchange: () => (agent.hidden = who.value === PERSON) }, option(PERSON, "a person", isPerson), option("agent", "an agent", !isPerson));
    agent.hidden = isPerson;
    const name = element("input", { "data-name": true, maxlength: 40, value: before?.name ?? (seat ? "" : (recall("name") ?? "")), placeholder: "Name", "aria-label": `Name of seat ${seat}` });
    return element("div", { "data-seat-row": seat, class: "line-of item", "data-seat": seat }, element("b", { class: "seat" }, String(seat)), who, name, agent);
  }

  listSaved(saved) {
    const rows = saved.map((entry) => {
      const { file, game, agents, over, when, actions } = entry;
      const words = `${this.titles[game] ?? game}: ${agents.map((agent) => agent ?? "a person").join(", ")} · ${over ? "over" : `${actions} actions`}`;
      const what = over ? "Look through" : "Go on";
      const time = new Date(1000 * when).toLocaleString([], { dateStyle: "short", timeStyle: "short" });
      const row = element("li", {}, element("span", {}, words), element("time", {}, time), button(what, () => this.sit({ type: "open", file, name: recall("name") || null }), { "aria-label": `${what}: ${words}, ${time}` }), button("Delete", () => this.ask({ type: "remove", file }).then(() => row.remove(), this.refused), { "aria-label": `Delete: ${words}, ${time}` }));
      return row;
    });
    this.saved.replaceChildren(...(rows.length ? [element("h2", {}, "Saved games"), element("ul", {}, ...rows)] : []));
  }
}

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
  if (!words) return element("div", {}, label);
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
