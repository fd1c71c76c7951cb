// The panels of the position: drawing, pointing by mouse, touch and keys, and numbers beside choices.

import { byId, element, shape, withoutName } from "./dom.js";
import { fly, land, lying } from "./motion.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const board = byId("board");
const parser = new DOMParser();
let texts = new Map(); // the pictures of the last view as text, by the key of the panel
let drawn = new Map(); // the elements shown, by the same key
let shown = null; // the view shown

/** Shows a view's panels. Focus stays on the same choice, or goes to the first; moved pieces fly to their places. */
export function show(view) {
  const goesOn = shown !== null && shown.table === view.table && shown.seat === view.seat;
  const before = goesOn ? lying(changed(shown, view)) : null;
  read(view);
  arrange(view);
  if (goesOn) fly(before, lying(changed(view, shown)));
  else land();
  shown = view;
}

/** Rebuilds pictures from their differences to those of the last view. */
function read({ panels }) {
  const pieces = [...texts.values()].flatMap((text) => text.split("<"));
  const whole = (svg) => (typeof svg === "string" ? svg : svg.map((part) => (typeof part === "string" ? part : pieces.slice(part[0], part[0] + part[1]).join("<"))).join("<"));
  texts = new Map(panels.map(({ key, svg }) => [key, svg === null ? texts.get(key) : whole(svg)]));
}

/** Panels of a view that look different in another one. */
function changed(view, other) {
  const same = new Set(other.panels.map((panel) => panel.key));
  return view.panels
    .filter((panel) => !same.has(panel.key) && drawn.has(panel.key))
    .map(({ role, owner, name, key }) => ({ place: `${role} ${owner} ${owner === null ? name : ""}`, svg: drawn.get(key), strip: byId("rivals").querySelector(`[data-seat="${owner}"] .dot`) }));
}

function arrange(view) {
  const focused = document.activeElement;
  const inside = board.contains(focused);
  const action = inside ? focused.getAttribute("data-action") : null;
  const scrolled = ["own", "middle"].map((id) => [byId(id), byId(id).scrollTop]);
  const asked = question();
  drawn = new Map(view.panels.map((panel) => [panel.key, drawn.get(panel.key) ?? draw(panel.key)]));
  const large = view.panels.find((panel) => panel.role === "own") ?? watched(view);
  const of = (role) => view.panels.filter((panel) => panel.role === role).map((panel) => drawn.get(panel.key));
  board.style.setProperty("--high", large?.height ?? 600);
  byId("own").replaceChildren(...(large ? [drawn.get(large.key)] : []));
  byId("choose").replaceChildren(...of("choose"));
  byId("shared").replaceChildren(...of("shared"));
  drawRivals(view, large);
  for (const [place, top] of scrolled) place.scrollTop = top;
  if (view.decision !== null && question() !== asked) byId("middle").scrollTop = 0;
  if (inside) (find(action) ?? legal()[0] ?? board).focus({ preventScroll: true });
}

/** The words above the choices. */
const question = () => [...byId("choose").querySelectorAll("text")].filter((one) => !one.closest("[data-action]")).map((one) => one.textContent).join(" ");

function draw(key) {
  const made = document.importNode(parser.parseFromString(texts.get(key), "image/svg+xml").documentElement, true);
  for (const name of ["width", "height"]) made.removeAttribute(name);
  made.setAttribute("preserveAspectRatio", "xMidYMin meet");
  return made;
}

export function clear() {
  texts = new Map();
  drawn = new Map();
  shown = null;
  land();
  for (const id of ["own", "choose", "shared", "rivals"]) byId(id).replaceChildren();
}

// --- the other players

let chosen = null; // the seat that a spectator sees large
const opened = new Set(); // seats whose strips are unfolded
let last = {}; // the last line of the log, by seat

/** The panel that a spectator sees large. */
function watched(view) {
  const rivals = view.panels.filter((panel) => panel.role === "rival");
  return rivals.find((panel) => panel.owner === (chosen ?? (view.at === null ? 0 : view.mover))) ?? rivals[0];
}

function drawRivals(view, large) {
  const rivals = view.panels.filter((panel) => panel.role === "rival");
  const strips = rivals.map((panel) => (large.role === "own" ? folded(panel) : choice(panel, large, view)));
  const focused = byId("rivals").contains(document.activeElement) ? document.activeElement.closest("[data-seat]")?.dataset.seat : null;
  byId("rivals").replaceChildren(...strips);
  if (focused) byId("rivals").querySelector(`[data-seat="${focused}"] summary, button[data-seat="${focused}"]`)?.focus();
}

function folded(panel) {
  const strip = element("details", { "data-seat": panel.owner, open: opened.has(panel.owner) }, element("summary", {}, ...facts(panel)));
  if (drawn.get(panel.key).querySelector("[data-action]")) strip.classList.add("asked");
  strip.append(drawn.get(panel.key));
  strip.addEventListener("toggle", () => (strip.open ? opened.add(panel.owner) : opened.delete(panel.owner)));
  return strip;
}

function choice(panel, large, view) {
  const take = () => {
    chosen = panel.owner;
    arrange(view);
  };
  return element("button", { type: "button", class: "strip", "data-seat": panel.owner, "aria-pressed": String(panel === large), onclick: take }, ...facts(panel));
}

function facts(panel) {
  const [name, ...roles] = panel.name.split(" · ");
  return [
    element("span", { class: `dot seat-${panel.owner}` }, String(panel.owner)),
    element("strong", {}, name),
    element("span", { class: "facts" }, ...panel.summary.map((words) => element("span", {}, words))),
    element("span", { class: "last", "data-roles": roles.join(" · ") }, didLast(panel.owner, roles.join(" · "))),
  ];
}

/** More facts about a player, and its last move. */
const didLast = (seat, roles) => [roles, last[seat]].filter(Boolean).join(" · ");

/** Draws each player's last move below its name. */
export function drawLast(lines, names) {
  last = Object.fromEntries(Object.entries(lines).map(([seat, words]) => [seat, withoutName(words, names[seat])]));
  for (const strip of byId("rivals").children) {
    const place = strip.querySelector(".last");
    place.textContent = didLast(strip.dataset.seat, place.dataset.roles);
  }
}

// --- choices

const find = (action) => (action === null ? null : board.querySelector(`[data-action="${CSS.escape(action)}"]`));
const legal = () => [...board.querySelectorAll("[data-action]")];
const all = () => [...board.querySelectorAll(".thing")];

export function setBusy(busy) {
  board.classList.toggle("busy", busy);
}

/** Calls take(action) when a thing with an action is clicked. */
export function onTake(take) {
  const taken = (event) => event.target.closest("svg [data-action]");
  byId("play").addEventListener("click", (event) => {
    const thing = taken(event);
    if (thing) take(Number(thing.dataset.action));
  });
  board.addEventListener("keydown", (event) => {
    const thing = taken(event);
    if (thing && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      take(Number(thing.dataset.action));
    } else if (event.key in STEPS && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const here = event.target.closest(".thing");
      const next = nearest(here, STEPS[event.key], event.shiftKey ? all() : legal());
      if (next) {
        event.preventDefault();
        if (!next.dataset.action) next.tabIndex = -1;
        next.focus();
      }
    }
  });
}

/** The nearest thing in a direction; the first one if none has the focus. */
function nearest(from, [right, down], things) {
  if (!from) return things[0];
  const middle = (thing) => {
    const { x, y, width, height } = thing.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const [x, y] = middle(from);
  let best = null;
  let least = Infinity;
  for (const thing of things) {
    const [otherX, otherY] = middle(thing);
    const along = (otherX - x) * right + (otherY - y) * down;
    const across = Math.abs((otherX - x) * down) + Math.abs((otherY - y) * right);
    if (thing !== from && along > 1 && along + 2 * across < least) [best, least] = [thing, along + 2 * across];
  }
  return best;
}

/** Writes numbers beside the choices, action -> words, and highlights the best one. */
export function annotate(words, best) {
  for (const old of board.querySelectorAll(".number")) old.remove();
  for (const [action, text] of Object.entries(words)) {
    for (const thing of board.querySelectorAll(`[data-action="${CSS.escape(action)}"]`)) {
      const box = thing.getBBox();
      const group = shape("g", { class: Number(action) === best ? "number best" : "number" });
      const width = 7 * text.length + 8;
      group.append(
        shape("rect", { x: box.x + box.width - width, y: box.y - 11, width, height: 15, rx: 4 }),
        shape("text", { x: box.x + box.width - width / 2, y: box.y + 0.5, "text-anchor": "middle", "font-size": 11 }, text),
      );
      thing.append(group);
    }
  }
}

/** Focuses the board's first choice. */
export function focusFirst() {
  (legal()[0] ?? board).focus({ preventScroll: true });
}

export function highlight(action) {
  for (const thing of board.querySelectorAll(".hinted")) thing.classList.remove("hinted");
  if (action !== null) find(String(action))?.classList.add("hinted");
}
