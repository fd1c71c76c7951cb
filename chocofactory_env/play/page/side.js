// The column beside the picture: the list of moves, undo, the log, the agents' pace, seats and links.

import { asOrder, button, byId, byWhom, element, labelled } from "./dom.js";
import { drawResult } from "./results.js";
import { addressOf, session } from "./session.js";

const DELAYS = [0, 0.2, 0.5, 1, 2, 4];
const alternatives = new Intl.ListFormat("en", { type: "disjunction" });

/** Draws the rules in brief, with those of the view's phases unfolded. clauses: all rules, by id. */
export function drawRules(rules, phases, clauses) {
  const lines = (words) => words.split(/\n+/).map((line) => element("p", {}, line.replaceAll("`", "")));
  const told = alike(rules?.phases ?? []).map(({ names, words }) => element("details", { open: names.some((name) => phases.includes(name)) }, element("summary", {}, names.join(", ").replaceAll("_", " ")), ...lines(words)));
  const all = Object.entries(clauses).map(([id, words]) => element("p", {}, element("strong", {}, id), ` ${words}`));
  const full = all.length ? [element("details", { class: "all" }, element("summary", {}, "All rules, word for word"), ...all)] : [];
  byId("rules").replaceChildren(...(rules?.general ? [element("h3", {}, "Rules in brief"), ...lines(rules.general), ...told, ...full] : []));
}

/** Groups consecutive phases with the same words. */
function alike(phases) {
  const found = [];
  for (const { name, words } of phases) {
    if (found.at(-1)?.words === words) found.at(-1).names.push(name);
    else found.push({ names: [name], words });
  }
  return found;
}

/** Draws legal moves, and undo; for a viewer that is not asked, who is to move, or may be. names: of the seats. */
export function drawMoves(view, names, { take, undo, back, hint }) {
  const rows = view.actions.map(({ action, words }, place) => {
    const key = place < 9 ? String(place + 1) : null;
    return element(
      "li",
      {},
      button(asOrder(words, names[view.seat]), () => take(action), {
        "data-move": action,
        "aria-keyshortcuts": key,
        onfocus: () => hint(action),
        onpointerenter: () => hint(action),
        onpointerleave: () => hint(null),
        onblur: () => hint(null),
      }),
    );
  });
  const movers = view.mover === null ? names.filter((_, seat) => seat !== view.seat) : [names[view.mover]];
  const list = rows.length ? element("ol", {}, ...rows) : element("p", { class: "quiet" }, `${alternatives.format(movers)} is to move.`);
  const steps = view.undo.length ? undoButtons(view.undo, undo) : view.back ? [button("Take back my last move", back, { "aria-keyshortcuts": "U" })] : [];
  const place = byId("moves");
  const focused = place.contains(document.activeElement);
  place.hidden = view.over !== null || view.at !== null;
  place.replaceChildren(list, element("p", { class: "row undo" }, ...steps));
  if (focused && !place.hidden) (place.querySelector("button") ?? byId("board")).focus({ preventScroll: true });
}

function undoButtons(words, undo) {
  const one = button("Take back", () => undo(1), { title: words[0], "aria-keyshortcuts": "U", "aria-label": `Take back: ${words[0]}` });
  return words.length > 1 ? [one, button(`Take back all ${words.length}`, () => undo(words.length))] : [one];
}

/** Asks to confirm an action that cannot be taken back. */
export function drawDoubt(go, never) {
  byId("moves").querySelector(".doubt")?.remove();
  byId("moves").prepend(
    element("div", { class: "doubt", role: "alert" }, element("p", {}, "This cannot be taken back. Take it again to do it."), element("p", { class: "row" }, button("Do it", go, { class: "main" }), button("Do it, and do not ask again", never))),
  );
}

/** Draws a person's request to take a move back. */
export function drawRequest({ request, seats, held }, agree) {
  const place = byId("request");
  const asked = request?.waits_for.filter((seat) => held.includes(seat)) ?? [];
  const mine = held.includes(request?.seat);
  place.hidden = !asked.length && !mine;
  if (place.hidden) return;
  const name = (seat) => seats[seat].name;
  if (asked.length) {
    const answer = (words, yes, attributes = {}) => button(words, () => agree(asked[0], yes), attributes);
    place.replaceChildren(element("p", {}, `${name(request.seat)} asks to take back the last move, and what followed.`), element("p", { class: "row" }, answer("Agree", true, { class: "main" }), answer("No", false)));
  } else {
    const waits = `Waiting for ${request.waits_for.map(name).join(" and ")} to agree.`;
    place.replaceChildren(element("p", {}, request.refused_by === null ? waits : `${name(request.refused_by)} does not agree to take it back.`));
  }
}

export function drawOutcome(view, names, { again = null, lookThrough = null, analyse = null }) {
  const place = byId("outcome");
  place.hidden = view.over === null;
  if (view.over === null) return;
  place.replaceChildren(
    element("h2", {}, "The game is over"),
    ...drawResult(view.over, names, view.seat),
    element("p", { class: "row" }, analyse ? button("Analyse the game", analyse) : null, lookThrough ? button("Look through the game", lookThrough) : null, again ? button("Another game like this", again) : null),
  );
}

/** Draws `lines` after the first `from`, which stay. */
export function drawLog({ from, lines }) {
  const list = byId("log").querySelector("ol");
  while (list.children.length > from) list.lastElementChild.remove();
  list.append(...lines.map((line) => element("li", { class: byWhom(line.seat), "data-by": line.seat ?? "" }, line.words)));
  list.scrollTop = list.scrollHeight;
}

/** The last line of the log by seat. */
export function lastLines() {
  const lines = [...byId("log").querySelectorAll('li:not([data-by=""])')];
  return Object.fromEntries(lines.map((line) => [line.dataset.by, line.textContent]));
}

/** Whether this browser may save the game, look through it, and change its pace. */
export const inCharge = (table) => table !== null && (table.host || table.held.length > 0);

export function drawPace(table, { pace, step }) {
  const place = byId("pace");
  place.hidden = table.seats.every((seat) => seat.kind !== "agent") || table.over;
  const mayChange = inCharge(table);
  const slider = element("input", {
    type: "range",
    min: 0,
    max: DELAYS.length - 1,
    value: nearest(table.delay),
    disabled: !mayChange,
    onchange: () => pace({ delay: DELAYS[slider.value] }),
    "aria-valuetext": `${table.delay} seconds`,
  });
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.name : null;
  const paused = button(table.paused ? "Go on" : "Pause", () => pace({ paused: !table.paused }), { disabled: !mayChange, "aria-keyshortcuts": "P", "data-name": "pause" });
  const one = button("One move", step, { disabled: !mayChange || !table.paused, "aria-keyshortcuts": "N", "data-name": "step" });
  const problem = table.problem ? element("p", { class: "problem" }, table.problem) : null;
  slider.dataset.name = "delay";
  place.querySelector("div").replaceChildren(...[element("p", { class: "row" }, paused, one), labelled(`${table.delay} s for a turn`, slider), problem].filter(Boolean));
  if (focused) place.querySelector(`[data-name="${focused}"]`)?.focus();
}

const nearest = (delay) => DELAYS.reduce((best, one, place) => (Math.abs(one - delay) < Math.abs(DELAYS[best] - delay) ? place : best), 0);

export function drawSeats(table, view, { look, save }) {
  const rows = table.seats.map((seat, number) => {
    const what = seat.kind === "agent" ? seat.agent : seat.here ? "here" : "away";
    const who = view?.seat === number ? `${seat.name} (you)` : seat.name;
    const row = element("li", {}, element("span", { class: `dot seat-${number}` }, String(number)), element("strong", {}, who), ` ${what} `);
    if (seat.token) row.append(copyButton("Copy the link of this seat", addressOf(seat.token)));
    const mayLook = table.held.includes(number) && (table.persons === 0 || table.held.length > 1) && view?.seat !== number;
    if (mayLook) row.append(button("Look with these eyes", () => look(number)));
    return row;
  });
  const watch = session.watch[table.table];
  const open = table.held.length > 0 && view?.seat !== null ? button("Look at what lies open", () => look(null)) : null;
  const file = inCharge(table) ? button("Save the record", () => save("record")) : null;
  byId("seats").querySelector("div").replaceChildren(
    ...[
      element("ul", {}, ...rows),
      element("p", { class: "quiet" }, `${table.watchers} watching`),
      element("p", { class: "row" }, ...[watch ? copyButton("Copy a link to watch", addressOf(watch)) : null, open, file].filter(Boolean)),
    ].filter(Boolean),
  );
}

/** A button that copies an address, or shows it if there is no clipboard. */
function copyButton(words, address) {
  const made = button(words, async () => {
    try {
      await navigator.clipboard.writeText(address);
      made.textContent = "Copied";
    } catch {
      made.after(element("input", { readonly: true, value: address, "aria-label": words }));
    }
  }, { "data-address": address });
  return made;
}
