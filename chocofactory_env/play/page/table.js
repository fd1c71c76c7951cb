// Draws a tree. It knows groups, rows and items, and no game; CSS does the layout.

import { byId, element, shape } from "./dom.js";

const ZONES = { choose: "play", own: "play", rival: "rivals", goal: "rivals", shared: "side" };
const TABS = { play: "Play", rivals: "Rivals", side: "Table" };
const MOST = 16; // things that were moved; if there are more, it counts as another position

let signs = {};
let drawn = null; // the tree that is shown
let fresh = []; // elements made for it
let lost = false; // the focus, until there is a choice again

/** Shows a tree. Elements that look the same stay, with focus and place; new ones are marked as moved. */
export function drawTree(tree) {
  const focused = document.activeElement?.closest?.("#table [data-action]")?.dataset.action;
  const goesOn = drawn !== null && drawn.game === tree.game && drawn.players === tree.players && drawn.viewer === tree.viewer;
  if (drawn !== null && JSON.stringify(drawn.signs) !== JSON.stringify(tree.signs)) clear();
  for (const one of document.querySelectorAll("#table [data-moved]")) delete one.dataset.moved;
  [drawn, signs, fresh] = [tree, tree.signs, []];
  Object.assign(byId("table").dataset, { game: tree.game, players: tree.players, watched: tree.viewer === null });
  document.title = byId("title").textContent = tree.title;
  renew(byId("when"), tree.when, (words) => element("li", {}, words));
  const zones = { end: [], play: [], rivals: [], side: [] };
  for (const one of tree.groups) zones[zoneOf(one, tree)].push(one);
  for (const [zone, groups] of Object.entries(zones)) drawGroups(byId(zone), groups);
  const beside = document.querySelector('#table [data-group="moves"]')?.parentElement ?? byId("side");
  for (const one of ["guide", "panel"].map(byId)) if (one && one.parentElement !== beside) beside.append(one); // they stand for the last moves
  const told = fresh.filter((one) => one.matches(".item") && !one.closest('[data-role="choose"], [data-group="moves"]'));
  if (goesOn && told.length <= MOST) for (const one of told) one.dataset.moved = "";
  lost = (lost || focused !== undefined) && document.activeElement === document.body;
  if (lost) (find(focused ?? "") ?? choices()[0])?.focus({ preventScroll: true });
}

const hasBelt = ({ rows }) => rows.some(({ kind }) => kind === "belt");

function zoneOf({ id, role, seat }, { players, viewer, groups }) {
  if (id === "result" && viewer === null && players > 1) return "end";
  if (id === "moves" && viewer !== null && (players <= 2 || !groups.some(hasBelt))) return "rivals"; // below them there is room
  if (id === "week") return "side";
  if (role === "rival" && viewer === null && seat % 2 === 0) return "play"; // for who watches, two columns
  if (role === "choose" && viewer === null && players > 1 && ["display", "offer"].includes(id)) return "side";
  return ZONES[role];
}

export function clear() {
  drawn = null;
  for (const one of document.querySelectorAll("#table .group[data-group]")) one.remove();
}

function drawGroups(zone, groups) {
  const there = new Map([...zone.querySelectorAll(":scope > .group[data-group]")].map((one) => [one.dataset.group, one]));
  for (const [id, one] of there) if (!groups.some((group) => group.id === id)) one.remove();
  let before = null;
  for (const group of groups) {
    const made = there.get(group.id) ?? element("section", { class: "group", "data-group": group.id }, element("div", { class: "board" }, element("h2")));
    fill(made, group);
    const place = before ? before.nextSibling : zone.firstChild;
    if (made !== place) zone.insertBefore(made, place);
    before = made;
  }
}

function fill(made, { name, role, seat, notes = [], rows }) {
  made.dataset.role = role;
  made.setAttribute("aria-label", name);
  if (seat !== undefined && made.dataset.group.startsWith("seat")) made.dataset.seat = seat;
  const board = made.firstChild;
  const badge = made.dataset.seat === undefined ? [] : [{ badge: seat }];
  renew(board.firstChild, [...badge, { name }, ...notes.map((words) => ({ words }))], (one) => (one.badge !== undefined ? element("b", { class: "seat" }, String(one.badge)) : one.words ? element("em", {}, one.words) : element("span", {}, one.name)));
  const there = [...board.children].slice(1);
  rows.forEach((row, place) => {
    let here = there[place];
    if (here?.dataset.row !== row.kind) {
      const other = element("div", { class: "row", "data-row": row.kind });
      if (here) here.replaceWith(other);
      else board.append(other);
      here = other;
      if (row.kind === "log" || row.kind === "text") here.tabIndex = 0;
    }
    renew(here, [...(row.label ? [{ label: row.label }] : []), ...row.items], (one) => (one.label ? element("span", { class: "label" }, one.label) : item(one)));
  });
  for (const other of there.slice(rows.length)) other.remove();
}

/** Makes elements for those of `ones` that have none that looks the same, and removes the others. */
function renew(parent, ones, make) {
  const there = new Map();
  for (const child of parent.children) there.set(child.look, [...(there.get(child.look) ?? []), child]);
  const known = new Set([...parent.children].map((child) => child.lies));
  const wanted = ones.map((one) => {
    const look = JSON.stringify(one);
    const kept = there.get(look)?.shift();
    if (kept) return kept;
    const made = make(one);
    Object.assign(made, { look, lies: JSON.stringify(one, (key, value) => (key === "action" || key === "state" ? undefined : value)) });
    if (!known.has(made.lies)) fresh.push(made); // a thing that can be taken now has not moved
    return made;
  });
  for (const rest of there.values()) for (const one of rest) one.remove();
  wanted.forEach((one, place) => parent.children[place] !== one && parent.insertBefore(one, parent.children[place] ?? null));
}

// --- items

function item(one, within = false) {
  const acts = one.action !== undefined && !within;
  const label = one.words && !one.name.includes(one.words) ? `${one.words}: ${one.name}` : one.name;
  const made = element(acts ? "button" : "div", { class: "item", title: one.name, type: acts ? "button" : null, "data-action": acts ? one.action : null, "aria-label": acts ? label : null, "data-rule": one.rule });
  for (const key of ["state", "kind", "seat", "piece"]) if (one[key] !== undefined) made.dataset[key] = one[key];
  if (one.kind === "share") made.style = `flex-grow: ${Math.abs(one.words)}; --hue: var(--${signs[one.face[0][0].slice(1)].hue})`;
  if (one.seat !== undefined && one.kind !== "token") made.append(element("b", { class: "seat" }, String(one.seat)));
  if (one.tail && one.words) made.append(line(one.tail, "tail")); // first, so that it can float beside the face
  if (one.face) made.append(element("span", { class: "face" }, ...one.face.map((words) => line(words, "line"))));
  if (one.words) made.append(element("span", { class: "words" }, one.words));
  if (one.small) made.append(element("small", {}, one.small));
  if (one.many > 1) made.append(element("b", { class: "many" }, String(one.many)));
  if (one.tail && !one.words) made.append(line(one.tail, "tail"));
  if (one.status) made.append(element("span", { class: "status" }, one.status));
  if (one.items) made.append(element("div", { class: "items" }, ...one.items.map((each) => item(each, within || acts))));
  if (one.assigned) made.append(sign("person"));
  return made;
}

const line = (words, name) => element("span", { class: name }, ...words.map(word));

const word = (one) => (one[0] === ":" ? sign(one.slice(1)) : one === "→" ? element("i", { class: "to" }) : element("span", {}, one));

function sign(name) {
  const one = signs[name];
  const made = element("i", { class: "sign", role: "img", "aria-label": one.name, title: one.name });
  if (one.of) {
    made.classList.add("class");
    made.append(...one.of.map((each) => mark(signs[each], "-.5 -.5 1 1")));
  } else if (one.letter) {
    made.classList.add("letter");
    made.style.background = `var(--${one.hue})`;
    made.textContent = one.letter;
  } else made.append(mark(one, "-.56 -.56 1.12 1.12"));
  return made;
}

const mark = (one, viewBox) => shape("svg", { viewBox }, shape("path", { d: one.path, class: `fill-${one.hue}` }));

// --- choices

export const choices = () => [...document.querySelectorAll('#table [data-role="choose"] [data-action]')];

const find = (action) => document.querySelector(`#table [data-action="${CSS.escape(action)}"]`);

/** Writes numbers on the choices, action -> words, and highlights the best one. */
export function annotate(words, best = null) {
  for (const old of document.querySelectorAll("#table .number")) old.remove();
  for (const each of document.querySelectorAll("#table .best")) each.classList.remove("best");
  for (const [action, text] of Object.entries(words)) {
    for (const each of document.querySelectorAll(`#table [data-action="${CSS.escape(action)}"]`)) {
      each.classList.toggle("best", Number(action) === best);
      if (each.closest('[data-role="choose"]')) each.append(element("b", { class: "number" }, text));
    }
  }
}

/** The tabs of a phone. */
export function drawTabs(nav) {
  const tabs = Object.entries(TABS).map(([tab, words]) => element("button", { type: "button", "data-tab": tab, "aria-pressed": String(tab === "play"), onclick: () => showTab(tab) }, words));
  nav.replaceChildren(...tabs);
}

export function showTab(tab) {
  byId("table").dataset.tab = tab;
  for (const each of document.querySelectorAll("nav [data-tab]")) each.setAttribute("aria-pressed", String(each.dataset.tab === tab));
  scrollTo(0, 0);
}

// The same action stands on a button and on a thing: pointing at one shows both.
function hot(event) {
  const on = event.type === "pointerover" || event.type === "focusin";
  const action = event.target.closest?.("#table [data-action]")?.dataset.action;
  if (action) for (const each of document.querySelectorAll(`#table [data-action="${action}"]`)) each.classList.toggle("hot", on);
}
for (const kind of ["pointerover", "pointerout", "focusin", "focusout"]) document.addEventListener(kind, hot);

// --- keys

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Moves the focus from a choice to the nearest one in the direction of an arrow key; false if it is none, or there is none. */
export function step(event) {
  const from = document.activeElement?.closest?.("#table [data-action]");
  if (!from || !(event.key in STEPS) || event.ctrlKey || event.metaKey || event.altKey) return false;
  const [right, down] = STEPS[event.key];
  const middle = (thing) => {
    const { x, y, width, height } = thing.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const [x, y] = middle(from);
  let [best, least] = [null, Infinity];
  for (const thing of document.querySelectorAll("#table [data-action]")) {
    const [otherX, otherY] = middle(thing);
    const along = (otherX - x) * right + (otherY - y) * down;
    const across = Math.abs((otherX - x) * down) + Math.abs((otherY - y) * right);
    if (thing !== from && thing.checkVisibility() && along > 1 && along + 2 * across < least) [best, least] = [thing, along + 2 * across];
  }
  best?.focus();
  return best !== null;
}
