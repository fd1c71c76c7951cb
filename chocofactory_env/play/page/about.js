// A card that explains any drawn thing, on mouse over, focus, a long press, or "?".

import { byId, element } from "./dom.js";

const REST = 350; // milliseconds that the mouse must stay on a thing
const LEAVE = 150; // milliseconds until the card closes after the mouse has left the thing
const PRESS = 500; // milliseconds of a long press
const MARGIN = 8; // pixels between the card and the thing or the edge of the window

const card = byId("about");

export class About {
  /** foresee(action): what a move will change, or null if it is not offered. clause(id): its words, or "". */
  constructor(foresee, clause) {
    Object.assign(this, { foresee, clause });
    this.timer = 0;
    this.of = null;
    this.mouse = ""; // its last place
    const play = byId("play");
    for (const name of ["pointermove", "pointerdown"]) addEventListener(name, (event) => event.pointerType === "mouse" && this.follow(event));
    play.addEventListener("focusin", (event) => subject(event.target) && event.target.matches(":focus-visible") && this.show(subject(event.target)));
    play.addEventListener("focusout", () => this.hide());
    play.addEventListener("pointerdown", (event) => this.press(event));
    for (const name of ["pointerup", "pointercancel", "pointermove"]) play.addEventListener(name, (event) => event.pointerType !== "mouse" && this.lift(event));
    play.addEventListener("click", (event) => this.pressed && this.swallow(event), true);
    play.addEventListener("contextmenu", (event) => (this.pressed || this.touched) && event.preventDefault());
    play.addEventListener("scroll", () => this.hide(), true);
    addEventListener("keydown", (event) => event.key === "Escape" && this.hide());
    card.addEventListener("pointerleave", () => this.hide());
    card.addEventListener("click", () => this.hide());
  }

  /** Shows or hides the card soon after a real movement; browsers also report a resting mouse whose surroundings change. */
  follow({ type, clientX, clientY, target }) {
    const mouse = `${clientX} ${clientY}`;
    const moved = type === "pointermove" && mouse !== this.mouse;
    this.mouse = mouse;
    const thing = card.contains(target) ? this.of : subject(target);
    if (!moved || thing === this.next) return;
    clearTimeout(this.timer);
    this.next = thing;
    if (thing === this.of) return;
    this.timer = setTimeout(() => (thing ? this.show(thing) : this.hide()), thing ? REST : LEAVE);
  }

  press(event) {
    this.hide();
    this.pressed = false;
    if (event.pointerType === "mouse") return;
    this.touched = [event.clientX, event.clientY];
    const thing = subject(event.target);
    if (!thing) return;
    this.timer = setTimeout(() => {
      this.pressed = true; // ignore the click that follows
      this.show(thing);
    }, PRESS);
  }

  lift({ type, clientX, clientY }) {
    const still = type === "pointermove" && this.touched && Math.hypot(clientX - this.touched[0], clientY - this.touched[1]) < 10;
    if (!still && !this.pressed) clearTimeout(this.timer);
    if (type !== "pointermove") this.touched = null;
  }

  swallow(event) {
    this.pressed = false;
    event.stopPropagation();
    event.preventDefault();
  }

  hide() {
    clearTimeout(this.timer);
    this.of?.removeAttribute("aria-describedby");
    this.of = null;
    this.next = undefined; // the thing under the mouse, null for none, that the timer is about
    card.hidden = true;
  }

  /** Shows the card of the thing with the focus; false if none has it. */
  ask() {
    const thing = subject(document.activeElement);
    if (thing) this.show(thing);
    return thing !== null;
  }

  async show(thing) {
    this.hide();
    this.of = thing;
    card.replaceChildren(...told(thing));
    card.hidden = false;
    thing.setAttribute("aria-describedby", "about");
    place(thing);
    if (thing.dataset.rule) this.addRule(thing);
    const action = thing.dataset.action ?? thing.dataset.move;
    const found = action === undefined ? null : await this.foresee(Number(action)).catch(() => null);
    if (found === null || this.of !== thing) return;
    card.append(...foreseen(found));
    place(thing);
  }

  async addRule(thing) {
    const words = await this.clause(thing.dataset.rule);
    if (!words || this.of !== thing) return;
    card.querySelector(".rule").append(`: ${words}`);
    place(thing);
  }
}

const subject = (target) => target.closest?.("#play .thing, #moves [data-move]") ?? null;

/** The thing's name, what it is and does, and its clause of the rules. */
function told(thing) {
  const label = thing.getAttribute("aria-label") ?? thing.textContent;
  const words = thing.dataset.action === undefined ? label : label.replace(/ \([^()]*\)$/, ""); // without the action
  const at = words.indexOf(": ");
  const [name, rest] = at < 0 ? [words, ""] : [words.slice(0, at), words.slice(at + 2)];
  const rule = thing.dataset.rule ? element("p", { class: "quiet rule" }, `Rule ${thing.dataset.rule}`) : null;
  return [element("strong", {}, name), rest ? element("p", {}, rest) : null, rule].filter(Boolean);
}

function foreseen({ changes, open }) {
  const rows = changes.map(([before, after]) => element("li", {}, ...change(before, after)));
  const more = open ? element("p", { class: "quiet" }, rows.length ? "The rest is chance, or up to others." : "What follows is chance, or up to others.") : null;
  const none = !rows.length && !open ? element("p", { class: "quiet" }, "Nothing on the table changes yet.") : null;
  return [element("p", { class: "then" }, "If you take it"), rows.length ? element("ul", {}, ...rows) : null, more, none].filter(Boolean);
}

function change(before, after) {
  if (!after) return [element("del", {}, before)];
  return before ? [element("span", { class: "quiet" }, before), " → ", after] : [after];
}

/** Puts the card where it covers no other move: left of the list of moves; else below or above, where there is more room. */
function place(thing) {
  const { left, top, bottom } = (thing.closest("#moves") ?? thing).getBoundingClientRect();
  const { width, height } = card.getBoundingClientRect();
  card.classList.toggle("scrolls", card.scrollHeight > card.clientHeight);
  const [lowest, rightmost] = [innerHeight - height - MARGIN, innerWidth - width - MARGIN];
  const beside = left - width - MARGIN;
  if (thing.closest("#moves") && beside >= MARGIN) return put(beside, Math.min(thing.getBoundingClientRect().top, lowest));
  const below = innerHeight - bottom - MARGIN;
  put(Math.min(left, rightmost), below > height || below > top ? Math.min(bottom + MARGIN, lowest) : top - height - MARGIN);
}

function put(left, top) {
  card.style.left = `${Math.max(MARGIN, left)}px`;
  card.style.top = `${Math.max(MARGIN, top)}px`;
}
