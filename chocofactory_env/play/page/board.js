// The picture of the position: showing it, pointing at things by mouse, touch and keys, and numbers beside choices.

import { byId, element } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const TALL_BELOW = 760; // pixels of width in which panels stand one below another
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const board = byId("board");
const parser = new DOMParser();

export const isTall = () => document.documentElement.clientWidth < TALL_BELOW;

/** Shows a drawn picture. Focus stays on the same choice, or goes to the first. */
export function show(svg) {
  const focused = document.activeElement;
  const inside = board.contains(focused);
  const action = inside ? focused.getAttribute("data-action") : null;
  const drawn = document.importNode(parser.parseFromString(svg, "image/svg+xml").documentElement, true);
  drawn.removeAttribute("width");
  drawn.removeAttribute("height");
  drawn.setAttribute("preserveAspectRatio", "xMidYMin meet");
  board.replaceChildren(drawn);
  if (inside) (find(action) ?? legal()[0] ?? board).focus({ preventScroll: true });
}

const find = (action) => (action === null ? null : board.querySelector(`[data-action="${CSS.escape(action)}"]`));
const legal = () => [...board.querySelectorAll("[data-action]")];

export function setBusy(busy) {
  board.classList.toggle("busy", busy);
}

/** Calls take(action) when a thing is pointed at. */
export function onTake(take) {
  const taken = (event) => event.target.closest("[data-action]");
  board.addEventListener("click", (event) => {
    const thing = taken(event);
    if (thing) take(Number(thing.dataset.action));
  });
  board.addEventListener("keydown", (event) => {
    const thing = taken(event);
    if (thing && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      take(Number(thing.dataset.action));
    } else if (event.key in STEPS && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const next = nearest(thing, STEPS[event.key]);
      if (next) {
        event.preventDefault();
        next.focus();
      }
    }
  });
}

/** The closest choice in a direction; the first if none has the focus. */
function nearest(from, [right, down]) {
  if (!from) return legal()[0];
  const middle = (thing) => {
    const { x, y, width, height } = thing.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const [x, y] = middle(from);
  let best = null;
  let least = Infinity;
  for (const thing of legal()) {
    const [otherX, otherY] = middle(thing);
    const along = (otherX - x) * right + (otherY - y) * down;
    const across = Math.abs((otherX - x) * down) + Math.abs((otherY - y) * right);
    if (thing !== from && along > 1 && along + 2 * across < least) [best, least] = [thing, along + 2 * across];
  }
  return best;
}

/** Numbers beside the choices: action -> words; the best one stands out. */
export function annotate(words, best) {
  for (const old of board.querySelectorAll(".number")) old.remove();
  for (const [action, text] of Object.entries(words)) {
    for (const thing of board.querySelectorAll(`[data-action="${CSS.escape(action)}"]`)) {
      const box = thing.getBBox();
      const group = document.createElementNS(SVG, "g");
      group.setAttribute("class", Number(action) === best ? "number best" : "number");
      const width = 7 * text.length + 8;
      group.append(
        shape("rect", { x: box.x + box.width - width, y: box.y - 11, width, height: 15, rx: 4 }),
        shape("text", { x: box.x + box.width - width / 2, y: box.y + 0.5, "text-anchor": "middle", "font-size": 11 }, text),
      );
      thing.append(group);
    }
  }
}

function shape(tag, attributes, words = "") {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = words;
  return made;
}

/** Brings the focus to the board's first choice. */
export function focusFirst() {
  (legal()[0] ?? board).focus({ preventScroll: true });
}

export function highlight(action) {
  for (const thing of board.querySelectorAll(".hinted")) thing.classList.remove("hinted");
  if (action !== null) find(String(action))?.classList.add("hinted");
}

export const placeholder = () => board.replaceChildren(element("p", { class: "waiting" }, "…"));
