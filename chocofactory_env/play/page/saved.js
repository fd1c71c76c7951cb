// A game without a server: its positions are in the page.

import { drawCurve, listCostly, moveCursor } from "./analysis.js";
import { button, byId, element, option } from "./dom.js";
import { annotate, drawTabs, drawTree } from "./table.js";

async function read() {
  const bytes = Uint8Array.from(atob(byId("data").textContent), (one) => one.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}

read().then(({ names, chapters, actions, views, rows, analysis }) => {
  let [at, view] = [0, views[0]];
  const slider = element("input", { type: "range", min: 0, max: actions.length, "aria-label": "Action", oninput: () => go(Number(slider.value)) });
  const count = element("output", { id: "count" });
  const eyes = element("select", { "aria-label": "With the eyes of", onchange: () => ((view = views[eyes.value]), go(at)) }, ...views.map((one, number) => option(number, one.eyes)));
  eyes.hidden = views.length === 1;
  const small = (words, name, to) => button(words, () => go(to()), { "aria-label": name, title: name, class: "sign-of" });
  byId("tools").append(small("|◀", "To the start", () => 0), small("◀", "One action back", () => at - 1), small("▶", "One action forth", () => at + 1), small("▶|", "To the end", () => actions.length), slider, count, eyes);
  drawTabs(document.querySelector("nav"));

  function go(wanted) {
    at = Math.max(0, Math.min(actions.length, wanted));
    const tree = view.trees[at];
    drawTree({ ...tree, groups: tree.groups.map((group) => ({ ...group, rows: group.rows.map((row) => rows[row]) })) });
    slider.value = at;
    count.textContent = `${at} of ${actions.length}`;
    const better = (analysis?.regrets ?? []).filter((one) => one.at === at && one.action !== undefined).map((one) => [one.action, `+${one.regret.toFixed(0)}`]);
    annotate(at < actions.length ? Object.fromEntries([[actions[at], "played"], ...better]) : {}, better[0]?.[0] ?? null);
    moveCursor(at, actions.length);
  }

  addEventListener("keydown", (event) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, PageUp: at - 10, PageDown: at + 10, Home: 0, End: actions.length }[event.key];
    if (to === undefined || event.target === eyes || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    go(to);
  });
  if (analysis) {
    byId("panel").hidden = false;
    byId("panel").append(element("h2", {}, "Chances to win"), drawCurve(analysis.curve, { names, actions: actions.length, chapters, now: at }, go), element("h3", {}, "The costliest decisions"), listCostly(analysis.regrets, go));
  }
  go(0);
});
