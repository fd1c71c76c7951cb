// Small helpers for the document.

export const byId = (id) => document.getElementById(id);

/** Makes an element. Attributes that begin with "on" are listeners; those that are false or null are left out. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** Makes an SVG element. */
export function shape(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export function option(value, words, selected = false) {
  return element("option", { value, selected }, words);
}

/** A field with its label above it. */
export function labelled(words, field) {
  return element("label", {}, element("span", {}, words), field);
}

export function button(words, onclick, attributes = {}) {
  return element("button", { type: "button", onclick, ...attributes }, words);
}

/** Asks for confirmation of something that cannot be undone. action: the word on the button. */
export function sure(question, about, action) {
  const dialog = byId("sure");
  const [heading, words, yes] = ["h2", "p", ".main"].map((place) => dialog.querySelector(place));
  [heading.textContent, words.textContent, yes.textContent, dialog.returnValue] = [question, about, action, ""];
  dialog.showModal();
  return new Promise((resolve) => (dialog.onclose = () => resolve(dialog.returnValue === "yes")));
}

/** Offers text as a download. */
export function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: name.endsWith(".html") ? "text/html" : "application/json" }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** The class of a line: of a seat, or null for news. */
export const byWhom = (seat) => (seat === null ? "news" : `by-${seat}`);

const IRREGULAR = { is: "be", has: "have", does: "do", goes: "go" };

const infinitive = (verb) => IRREGULAR[verb] ?? verb.replace(/(?<=..)ies$/, "y").replace(/(?<=ss|sh|ch|x|zz)es$/, "").replace(/([^s])s$/, "$1");

/** What `name` does in a move, as an order for a button: "Ann takes a card and looks at it", "Take a card and look at it". */
export function asOrder(words, name) {
  const [, rest] = /^(?:, [^,]+,)? (.+)$/s.exec(words.startsWith(name) ? words.slice(name.length) : "") ?? [];
  return capitalized(rest?.replace(/^[a-z]+|(?<= and )[a-z]+s(?= )/g, infinitive) ?? words);
}

/** Words about a seat, for places that show its name already. */
export function withoutName(words, name) {
  return capitalized(words.startsWith(`${name} `) ? words.slice(name.length + 1) : words);
}

const capitalized = (words) => words[0].toUpperCase() + words.slice(1);
