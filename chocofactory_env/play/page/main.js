// The page: connects the server's messages, the table, and the user's actions.

import { drawThought } from "./advice.js";
import { explainThings } from "./about.js";
import { agentChooser } from "./agents.js";
import { drawCurve, listCostly, moveCursor } from "./analysis.js";
import { button, byId, download, element, option, recall, remember } from "./dom.js";
import { Guide } from "./guide.js";
import { pagesOf } from "./rules.js";
import { Refused, Socket } from "./socket.js";
import { Start } from "./start.js";
import { annotate, choices, clear, drawTabs, drawTree, showTab, step } from "./table.js";

const SHOWN_FOR = 8000; // milliseconds that a refusal is shown
const DELAYS = [2, 1, 0.5, 0.3, 0.1, 0]; // seconds between moves, from slow to fast

let game = null; // the message `sat` of the open game
let view = null; // the last message `view`
let describing = null; // promises the message `game`, with the agents that can be asked
let playing = null; // the timer of a replay
let analysis = null; // the last message `regrets`
let busy = false;

const socket = new Socket((message) => heard[message.type]?.(message), opened, dropped);
const ask = (message) => socket.ask(message);
const careful = (work) => (...given) => Promise.resolve(work(...given)).catch(refused);

// --- the connection

function dropped() {
  byId("connection").textContent = "The server is away. Connecting again…";
  document.body.dataset.decision = "";
  if (view) view = { ...view, decision: null };
}

async function opened() {
  try {
    const welcome = await ask({ type: "hello" });
    byId("connection").textContent = "";
    const file = game?.file ?? recall("file", "sessionStorage");
    const { preset } = welcome;
    if (file && welcome.saved.some((one) => one.file === file)) return await sit({ type: "open", file, name: ownName() });
    showStart(welcome);
    if (preset?.seats.length && recall("begun", "sessionStorage") === null) {
      remember("begun", "yes", "sessionStorage");
      await sit({ type: "new", ...preset });
    }
  } catch (error) {
    if (socket.open) refused(error);
  }
}

const ownName = () => recall("name") || null;

/** Opens or begins a game. */
async function sit(message) {
  stopPlaying();
  [view, analysis] = [null, null];
  clear();
  game = await ask(message);
  remember("file", game.file, "sessionStorage");
  byId("panel").hidden = true;
  guide.begin(game.seats.some((seat) => seat.agent === null) && !view?.ended ? game.game : null, await pagesOf(game.game));
  if (view) heard.view(view); // it came before the names and hints
  if (document.activeElement === document.body) focusFirst();
  describing = ask({ type: "describe", game: game.game, options: game.options }).catch(() => null);
}

/** Goes back to before an action; the analysis was of moves that are gone. */
async function takeBack(where) {
  await ask({ type: "back", ...where });
  analysis = null;
  if (byId("panel").dataset.of === "analysis") byId("panel").hidden = true;
}

const focusFirst = () => (choices()[0] ?? byId("tools").querySelector("button"))?.focus({ preventScroll: true });

// --- messages

const heard = {
  view(message) {
    const [before, first] = [view, view === null];
    view = message;
    busy = false;
    if (byId("curtain").open) byId("curtain").close();
    annotate({});
    if (byId("panel").dataset.of === "thought") byId("panel").hidden = true;
    showOnly("table");
    drawTree(view.tree);
    Object.assign(document.body.dataset, { decision: view.decision ?? "", over: view.over, at: view.at, live: view.live });
    if (game === null) return;
    drawTools();
    guide.at(view.phases);
    moveCursor(view.at, view.actions);
    if (view.played !== null) annotate(Object.fromEntries([[view.played, "played"], ...betterHere()]), betterHere()[0]?.[0] ?? null);
    if (first) showTab("play");
    if (first && document.activeElement === document.body) focusFirst();
    const asked = view.decision !== null ? "Your move." : "";
    const last = view.tree.groups.find((group) => group.id === "moves")?.rows[0].items[0].name ?? "";
    byId("news").textContent = [last, view.problem, asked].filter(Boolean).join(" ");
    if (view.problem && view.problem !== before?.problem) refused(new Refused(view.problem));
  },
  curtain({ name }) {
    const dialog = byId("curtain");
    [view, document.body.dataset.decision] = [null, ""];
    showOnly("table");
    clear();
    byId("curtain-title").textContent = `${name} is to move`;
    const uncover = dialog.querySelector("button");
    uncover.textContent = `I am ${name}: show`;
    uncover.onclick = careful(() => ask({ type: "look" }));
    if (!dialog.open) dialog.showModal();
  },
  regrets: drawAnalysis,
};
byId("curtain").addEventListener("cancel", (event) => event.preventDefault());

/** The better action at this position, as the analysis knows it. */
const betterHere = () => (analysis?.regrets ?? []).filter((one) => one.at === view.at).map((one) => [one.action, `+${one.regret.toFixed(0)}`]);

// --- actions

const actions = {
  take: careful(async (action) => {
    if (!socket.open) throw new Refused("The server is away: this move was not made. It can be made again when the page is connected.");
    if (busy || view === null || view.decision === null) return;
    busy = true;
    try {
      await ask({ type: "act", decision: view.decision, action });
    } finally {
      busy = false;
    }
  }),
  back: careful(() => view?.back && takeBack({})),
  goOnFromHere: careful(() => takeBack({ to: view.at })),
  look: careful((at, eyes = view.eyes) => ask({ type: "look", at, eyes })),
  pace: careful((change) => ask({ type: "pace", ...change })),
  save: careful(async (what) => {
    const { name, text } = await ask({ type: "save", what });
    download(name, text);
  }),
  think: careful(async () => {
    const described = await describing;
    if (!described) return;
    const words = Object.fromEntries(choices().map((one) => [one.dataset.action, one.title]));
    const chooser = byId("panel").querySelector(".agent") ?? agentChooser(described);
    const body = element("div", { "aria-live": "polite" }, element("p", { class: "quiet" }, "It thinks…"));
    showPanel("thought", "What an agent thinks", element("p", { class: "line-of" }, chooser, button("Ask", actions.think), button("Stop", careful(() => ask({ type: "stop" })))), body);
    const at = view.at;
    const thought = await ask({ type: "think", agent: chooser.value }).catch((error) => (body.replaceChildren(element("p", {}, error.message)), null));
    if (thought && view?.at === at) body.replaceChildren(...drawThought(thought, words));
  }),
  analyse: careful(async () => {
    if (game.no_analysis) throw new Refused(game.no_analysis);
    if (!analysis) showPanel("analysis", "Analysis", element("p", { class: "quiet" }, "Playing the decisions again…"));
    else drawAnalysis(analysis);
    const { file } = game;
    const found = analysis?.ended ? null : await ask({ type: "regret" });
    if (found && game?.file === file) drawAnalysis(found); // else the game was left
  }),
  leave: careful(async () => {
    stopPlaying();
    remember("file", "", "sessionStorage");
    game = view = null;
    await ask({ type: "leave" });
    showStart(await ask({ type: "hello" }));
  }),
  again: careful(async () => {
    const { options, seats } = game;
    const name = game.game;
    await actions.leave();
    await start.offer({ game: name, options, seats: seats.map(({ name: called, agent }) => (agent === null ? { name: called } : { agent })) });
  }),
};

// --- looking back and forth

function stopPlaying() {
  clearInterval(playing);
  playing = null;
}

function play() {
  stopPlaying();
  let [from, asked] = [view.at, false];
  if (from >= view.actions) from = 0;
  actions.look(from);
  playing = setInterval(async () => {
    if (asked || !view) return;
    if (view.live) return stopPlaying() ?? drawTools();
    asked = true;
    await actions.look(view.at + 1);
    asked = false;
  }, Math.max(40, 1000 * view.delay));
  drawTools();
}

const go = (at) => view && actions.look(Math.max(0, Math.min(at, view.actions)));

/** Pauses or goes on: a replay while one looks back or after the end, else the agents. */
function pause() {
  if (!view) return;
  if (view.live && !view.ended) actions.pace({ paused: !view.paused });
  else if (playing) stopPlaying() ?? drawTools();
  else play();
}

const tools = {}; // made once, so that focus and drags survive a new view

function makeTools() {
  const small = (words, name, act, keys = null) => button(words, act, { "aria-label": name, title: name, "aria-keyshortcuts": keys, class: "sign-of" });
  tools.first = small("|◀", "To the start", () => go(0));
  tools.back = small("◀", "One action back", () => go(view.at - 1), "[");
  tools.pause = button("Pause", pause, { "aria-keyshortcuts": "P" });
  tools.next = small("▶", "One action forth", () => (view.paused && view.live && !view.ended ? actions.pace({ step: true }) : go(view.at + 1)), "]");
  tools.slider = element("input", { type: "range", min: 0, "aria-label": "Action", oninput: () => go(Number(tools.slider.value)) });
  tools.count = element("output", {});
  tools.speed = element("input", { type: "range", min: 0, max: DELAYS.length - 1, "aria-label": "Speed", title: "Speed", class: "speed", oninput: () => actions.pace({ delay: DELAYS[tools.speed.value] }).then(() => playing && play()) });
  tools.eyes = element("select", { "aria-label": "With the eyes of", title: "With the eyes of", onchange: () => actions.look(view.live ? null : view.at, /^\d/.test(tools.eyes.value) ? Number(tools.eyes.value) : tools.eyes.value || null) });
  tools.from = button("Go on from here", actions.goOnFromHere);
  tools.undo = button("Undo", actions.back, { "aria-keyshortcuts": "U", title: "Back to before your last choice" });
  tools.think = button("Think", actions.think, { "aria-keyshortcuts": "T", title: "Ask an agent what it thinks" });
  tools.analyse = button("Analyse", actions.analyse, { title: "Chances to win, and the costliest decisions" });
  tools.more = element("select", { "aria-label": "More", onchange: () => choose(tools.more.value) }, ...["More…", "New game", "Another game like this", "Save the record", "Save the page", "Light or dark", "Help"].map((words) => option(words, words)));
  byId("tools").replaceChildren(...Object.values(tools));
}

function choose(what) {
  tools.more.value = "More…";
  const acts = { "New game": actions.leave, "Another game like this": actions.again, "Save the record": () => actions.save("record"), "Save the page": () => actions.save("page"), "Light or dark": turnTheme, Help: help };
  acts[what]?.();
}

function drawTools() {
  if (!tools.first) makeTools();
  const { actions: last, at, live, ended, persons, paused, delay, eyes } = view;
  const agents = game.seats.some((seat) => seat.agent !== null);
  const looks = ended || !live || !persons.length || paused; // replay controls are not in a player's way
  Object.assign(tools.slider, { max: last, value: at });
  tools.count.textContent = `${at} / ${last}`;
  const goes = live && !ended ? !paused : playing !== null;
  [tools.pause.textContent, tools.pause.title] = goes ? ["Pause", "Pause"] : ["Play", "Go on"];
  tools.pause.hidden = !looks && !agents;
  for (const one of [tools.first, tools.slider, tools.count, tools.next]) one.hidden = !looks;
  tools.back.hidden = last === 0;
  tools.speed.hidden = !agents && !looks;
  tools.speed.value = DELAYS.indexOf(DELAYS.reduce((best, one) => (Math.abs(one - delay) < Math.abs(best - delay) ? one : best)));
  tools.from.hidden = live;
  tools.undo.hidden = !view.back;
  tools.think.hidden = view.over || (view.decision === null && persons.length > 0 && !ended);
  tools.analyse.hidden = !ended;
  tools.eyes.hidden = !(ended || !persons.length);
  const names = [["", "by default"], ["mover", "who moves"], ["open", "what lies open"], ...game.seats.map(({ name }, seat) => [seat, name])];
  if (!tools.eyes.hidden && tools.eyes.options.length !== names.length) tools.eyes.replaceChildren(...names.map(([value, words]) => option(value, words)));
  tools.eyes.value = eyes ?? "";
}

// --- thoughts and analysis, in the place of the last moves

function showPanel(of, title, ...parts) {
  const panel = byId("panel");
  panel.dataset.of = of;
  panel.hidden = false;
  const close = () => {
    panel.hidden = true;
    annotate({});
  };
  panel.replaceChildren(element("h2", {}, element("span", {}, title), button("×", close, { "aria-label": "Close", class: "sign-of" })), ...parts.filter(Boolean));
}

function drawAnalysis(message) {
  if (message.done === 0) drawAnalysis.begun = performance.now();
  analysis = message;
  if (!view) return;
  const { done, all, regrets, curve, ended } = message;
  const names = game.seats.map((seat) => seat.name);
  const seconds = Math.ceil(((performance.now() - drawAnalysis.begun) * (all - done)) / Math.max(1, done) / 1000);
  const left = done < 2 ? "" : `, about ${seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`} left`;
  const progress = ended ? (done < all ? `Time is up: ${done} of ${all} turns were looked at.` : "") : `${done} of ${all} turns${left}`;
  const none = ended && !regrets.length ? element("p", {}, "No costly decision was found.") : null;
  const to = (at) => actions.look(at, "mover");
  showPanel("analysis", "Chances to win", drawCurve(curve, { names, actions: view.actions, chapters: view.chapters, now: view.at }, to), progress ? element("p", { class: "quiet" }, progress) : null, element("h3", {}, "The costliest decisions"), listCostly(regrets, to), none);
}

// --- the parts of the page

const guide = new Guide();
const clauseOf = async (id) => {
  const { clauses } = game ? await pagesOf(game.game) : { clauses: {} };
  return clauses[id] ?? clauses[id.split(".")[0]] ?? ""; // a row of a clause has its words
};
const explainFocused = explainThings(clauseOf);
const start = new Start(ask, { sit: careful(sit), refused, help, turnTheme });
drawTabs(document.querySelector("nav"));

function showOnly(id) {
  for (const one of ["start", "table"]) byId(one).hidden = one !== id;
  document.querySelector("nav").hidden = byId("tools").hidden = id !== "table";
  document.body.dataset.page = id;
}

function showStart(welcome) {
  document.title = byId("title").textContent = "Chocolate factories";
  byId("when").replaceChildren();
  document.body.dataset.decision = "";
  showOnly("start");
  start.open(welcome);
}

let refusalTimer = 0;
function refused(error) {
  const place = byId("refusal");
  place.textContent = error.message;
  place.hidden = false;
  clearTimeout(refusalTimer);
  refusalTimer = setTimeout(() => (place.hidden = true), SHOWN_FOR);
}
byId("refusal").addEventListener("click", () => (byId("refusal").hidden = true));

/** Shows rules, those of the present phase unfolded, and keys. */
async function help() {
  const rules = game?.rules;
  const lines = (words) => words.split(/\n+/).map((line) => element("p", {}, line.replaceAll("`", "")));
  const { clauses } = game ? await pagesOf(game.game) : { clauses: {} };
  const all = Object.values(clauses).map((words) => element("p", {}, words));
  const phases = (rules?.phases ?? []).map(({ name, words }) => element("details", { open: view?.phases.includes(name) }, element("summary", {}, name.replaceAll("_", " ")), ...lines(words)));
  const whole = all.length ? [element("details", {}, element("summary", {}, "All rules, word for word"), ...all)] : [];
  byId("rules").replaceChildren(...(rules?.general ? [element("h3", {}, "Rules in brief"), ...lines(rules.general), ...phases, ...whole] : []));
  if (!byId("help").open) byId("help").showModal();
}

// --- clicks, keys, light and dark

document.addEventListener("click", (event) => {
  const thing = event.target.closest("#table [data-action]");
  if (thing) actions.take(Number(thing.dataset.action));
});

const KEYS = { u: actions.back, t: actions.think, p: pause, n: () => view?.paused && actions.pace({ step: true }), "[": () => go(view.at - 1), "]": () => go(view.at + 1), "?": () => explainFocused() || help(), h: help };
const ONCE = ["Enter", " ", "u", "U", ..."123456789"]; // the next question may come while the key is still down
const typing = (event) => event.target.closest("input:not([type=range]), select, textarea, dialog");

addEventListener(
  "keydown",
  (event) => {
    if (!event.repeat || !ONCE.includes(event.key) || typing(event)) return;
    event.preventDefault();
    event.stopPropagation();
  },
  true, // before the buttons
);

addEventListener("keydown", (event) => {
  if (typing(event) || event.ctrlKey || event.metaKey || event.altKey || byId("table").hidden || view === null) return;
  const key = event.key.toLowerCase();
  const back = { ArrowLeft: view.at - 1, ArrowRight: view.at + 1, Home: 0, End: view.actions }[event.key];
  if (step(event)) event.preventDefault();
  else if (back !== undefined && view.decision === null && event.target.type !== "range") go(back);
  else if (key in KEYS) KEYS[key]();
  else if (/^[1-9]$/.test(key) && choices()[key - 1]) actions.take(Number(choices()[key - 1].dataset.action));
});

const devices = matchMedia("(prefers-color-scheme: dark)");

function turnTheme() {
  const dark = (document.documentElement.dataset.theme ?? (devices.matches ? "dark" : "light")) === "dark";
  document.documentElement.dataset.theme = dark ? "light" : "dark";
  remember("theme", document.documentElement.dataset.theme);
}
if (recall("theme")) document.documentElement.dataset.theme = recall("theme");
