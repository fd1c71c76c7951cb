// A card that says what a thing is, and its rule: by a click on what is no choice, a long press or a right click, or "?".

import { byId, element } from "./dom.js";

const MARGIN = 8; // pixels between the card and the thing or the edge of the window

/** clause(id): promises the words of a rule, or "". */
export function explainThings(clause) {
  const card = byId("about");
  const hide = () => (card.hidden = true);
  document.addEventListener("click", (event) => {
    const thing = event.target.closest("#table .item");
    if (card.contains(event.target) || !thing || event.target.closest("[data-action]")) return hide();
    show(thing);
  });
  document.addEventListener("contextmenu", (event) => {
    const thing = event.target.closest("#table .item");
    if (!thing) return;
    event.preventDefault();
    show(thing);
  });
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  document.addEventListener("scroll", hide, true);

  async function show(thing) {
    const at = thing.title.indexOf(": ");
    const [name, rest] = at < 0 ? [thing.title, ""] : [thing.title.slice(0, at), thing.title.slice(at + 2)];
    const rule = thing.dataset.rule ?? thing.closest("[data-rule]")?.dataset.rule;
    const words = rule ? await clause(rule) : "";
    card.replaceChildren(element("strong", {}, name), ...(rest ? [element("p", {}, rest)] : []), ...(words ? [element("p", { class: "quiet" }, words)] : []));
    card.hidden = false;
    const { left, top, bottom } = thing.getBoundingClientRect();
    const { width, height } = card.getBoundingClientRect();
    const below = innerHeight - bottom - MARGIN > height;
    card.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`;
    card.style.top = `${below ? bottom + MARGIN : Math.max(MARGIN, top - height - MARGIN)}px`;
  }

  /** Explains the thing with the focus; false if none has it. */
  return () => {
    const thing = document.activeElement?.closest("#table .item");
    if (thing) show(thing);
    return Boolean(thing);
  };
}
