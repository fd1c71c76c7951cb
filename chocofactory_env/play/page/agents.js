// Choosing an agent by name with its settings, as the protocol writes it: NAME:KEY=VALUE,...

import { element, labelled, option } from "./dom.js";

/** Names of agents whose strength is measured, strongest first, without the random one; all if none is. */
export function byStrength({ agents }) {
  const measured = agents.filter(({ name, measured: results }) => results.length && name !== "random");
  return (measured.length ? measured : agents).map((agent) => agent.name);
}

const PATIENCE = 300; // milliseconds for a decision of an opponent

/** The default opponent of a new game: the strongest that is fast. */
export function opponentOf({ agents }) {
  const fast = agents.find(({ name, measured }) => measured.some((one) => one.agent === name && one.milliseconds <= PATIENCE));
  return (fast ?? agents[0]).name;
}

/** A group of fields; its `value` is the agent's text, at first `chosen`. `described` is the message "game". */
export function agentChooser(described, chosen = "") {
  const names = described.agents.map((agent) => agent.name);
  const [wanted, written = ""] = described.own.includes(chosen) ? [] : chosen.split(":");
  const given = Object.fromEntries(written.split(",").map((one) => one.split("=")));
  const first = names.includes(wanted) ? wanted : opponentOf(described);
  const select = element(
    "select",
    { "aria-label": "Agent" },
    ...described.own.map((text) => option(text, shortened(text), text === chosen)),
    ...names.map((name) => option(name, name, name === first && !described.own.includes(chosen))),
  );
  const settings = element("details", { class: "settings" }, element("summary", {}, "Settings"));
  const about = element("span", { class: "quiet style" });
  const group = element("span", { class: "agent" }, select, settings, about);
  const fields = new Map();

  function fill() {
    fields.clear();
    const agent = described.own.includes(select.value) ? null : described.agents.find((one) => one.name === select.value);
    about.textContent = agent ? [agent.style, ...agent.measured.map((one) => measuredWords(agent.name, one))].join(" ").replaceAll("`", "") : "";
    settings.hidden = !agent?.settings.length;
    settings.replaceChildren(settings.firstElementChild);
    for (const setting of agent?.settings ?? []) {
      const field = settingField(setting, agent.name === wanted ? given[setting.name] : undefined);
      fields.set(setting.name, [field, setting]);
      settings.append(labelled(setting.name.replaceAll("_", " "), field));
    }
  }

  select.addEventListener("change", fill);
  fill();
  Object.defineProperty(group, "value", {
    get() {
      const changed = [...fields].flatMap(([name, [field, setting]]) => {
        const value = setting.kind === "flag" ? String(field.checked) : field.value.trim();
        return value === "" || value === String(setting.value ?? "") ? [] : [`${name}=${value}`];
      });
      return changed.length ? `${select.value}:${changed.join(",")}` : select.value;
    },
  });
  return group;
}

/** The result of a tournament, for the agent itself or with settings. */
function measuredWords(name, { agent, rating, milliseconds }) {
  const which = agent === name ? "Rating" : `With ${agent.slice(name.length + 1).replaceAll(",", ", ")}: rating`;
  return `${which} ${rating}, ${milliseconds} ms a decision.`;
}

/** given: the value in the agent's text, if it is there. */
function settingField({ kind, value, least, most }, given) {
  if (kind === "flag") return element("input", { type: "checkbox", checked: (given ?? String(value)) === "true" });
  const limits = { min: least, max: most, step: kind === "whole" ? 1 : "any" };
  return element("input", { type: "number", ...limits, value: given ?? value ?? "", placeholder: value === null ? "default" : null });
}

const shortened = (text) => (text.length > 48 ? `${text.slice(0, 20)}…${text.slice(-26)}` : text);
