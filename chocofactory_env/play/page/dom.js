// Small helpers for the document, and what this browser remembers.

export const byId = (id) => document.getElementById(id);

/** Makes an element. Attributes that begin with "on" are listeners; those that are false or null are left out. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Makes an SVG element. */
export function shape(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export const option = (value, words, selected = false) => element("option", { value, selected }, words);

/** A field with its label above it. */
export const labelled = (words, field) => element("label", {}, element("span", {}, words), field);

export const button = (words, onclick, attributes = {}) => element("button", { type: "button", onclick, ...attributes }, words);

/** Offers text as a download. */
export function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: name.endsWith(".html") ? "text/html" : "application/json" }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** The text kept under a key, by all tabs or by this one ("sessionStorage"); null if there is none, or no storage. */
export function recall(key, storage = "localStorage") {
  try {
    return window[storage].getItem(`chocofactory-${key}`);
  } catch {
    return null;
  }
}

export function remember(key, text, storage = "localStorage") {
  try {
    window[storage].setItem(`chocofactory-${key}`, text);
  } catch {
    // a browser without storage forgets
  }
}
