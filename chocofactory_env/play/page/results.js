// The result of a game, and where it came from. Saved games show it, too.

import { element } from "./dom.js";

/** Elements that show `over` of a view. names: of the seats. viewer: the seat that looks, or null. */
export function drawResult({ scores, ranking, won, accounts }, names, viewer = null) {
  const alone = scores.length === 1; // no places without others
  const order = scores.map((_, seat) => seat).sort((one, other) => ranking[one] - ranking[other]);
  const rows = order.map((seat) =>
    element("tr", {}, ...(alone ? [] : [element("td", {}, String(ranking[seat] + 1))]), element("th", { scope: "row" }, seat === viewer ? `${names[seat]} (you)` : names[seat]), element("td", {}, String(scores[seat])), element("td", {}, won[seat] ? "won" : alone ? "lost" : "")),
  );
  const head = [...(alone ? [] : ["place"]), "player", "score", "result"].map((words) => element("th", { scope: "col" }, words));
  return [
    element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows)),
    ...(accounts.length ? [element("h3", {}, "Where it came from"), drawAccounts(accounts, order, names)] : []),
  ];
}

/** Draws a row for each source, a column for each seat. */
function drawAccounts(accounts, order, names) {
  const heads = order.map((seat) => element("th", { scope: "col" }, names[seat]));
  const rows = accounts.map(({ source, amounts }) => element("tr", {}, element("th", { scope: "row" }, source), ...order.map((seat) => element("td", {}, String(amounts[seat])))));
  return element("div", { class: "wide", tabindex: 0, role: "group", "aria-label": "Where it came from" }, element("table", { class: "accounts" }, element("thead", {}, element("tr", {}, element("td", {}), ...heads)), element("tbody", {}, ...rows)));
}
