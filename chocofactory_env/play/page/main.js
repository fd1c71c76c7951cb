// The page: connects the server's messages, the parts of the page, and the user's actions.

import { Advice } from "./advice.js";
import { About } from "./about.js";
import { annotate, clear, drawLast, focusFirst, highlight, onTake, setBusy, show } from "./board.js";
import { byId, download } from "./dom.js";
import { Guide } from "./guide.js";
import { Replay } from "./replay.js";
import { pagesOf } from "./rules.js";
import { forget, keep, keepSeats, readAddress, recall, remember, seatsKept, session, tokens } from "./session.js";
import { drawDoubt, drawLog, drawMoves, drawOutcome, drawPace, drawRequest, drawRules, drawSeats, inCharge, lastLines } from "./side.js";
import { Refused, Socket } from "./socket.js";
import { Start } from "./start.js";
import { drawTurnButtons, drawTurns, forgetTurns, lastTurns } from "./turns.js";

const SHOWN_FOR = 8000; // milliseconds that a refusal is shown

let joining = readAddress();
let table = null; // the last messages `table` and `view`
let view = null;

// --- the connection

const socket = new Socket(said, opened, dropped);
const ask = (message) => socket.ask(message);

/** Blocks the page until the server shows the table again. */
function dropped() {
  byId("connection").textContent = "The server is away. Connecting again…";
  byId("play").classList.add("away");
  if (view !== null) view = { ...view, decision: null };
  nothingAsked();
}

async function opened() {
  byId("play").classList.remove("away");
  try {
    const given = [...new Set([...joining, ...tokens()])].slice(0, 32);
    const welcome = await ask({ type: "hello", tokens: given });
    if (session.host && !welcome.host) refused(new Refused("The host key in this address is not this server's. Open the address that the server printed last."));
    titles = welcome.titles;
    forget(welcome.stale.map((place) => given[place]));
    const fresh = joining.filter((_, place) => !welcome.stale.includes(place));
    if (joining.length && !fresh.length) refused(new Refused("this link opens nothing any more"));
    joining = [];
    const known = session.current ? session.tokens[session.current] : [];
    if (fresh.length) await join(fresh);
    else if (known?.length && !replay.open) await join(known);
    else if (replay.open) await reopenReplay();
    else showStart(welcome);
    byId("connection").textContent = "";
  } catch (error) {
    if (!socket.open) return; // dropped again
    byId("connection").textContent = "";
    refused(error);
    if (table === null) showStart(await welcomeAgain());
  }
}

const welcomeAgain = () => ask({ type: "hello", tokens: tokens() });

async function join(held = []) {
  pending = held;
  try {
    await ask({ type: "join", tokens: held });
  } catch (error) {
    pending = []; // they open no table
    throw error;
  }
}

let replayed = {}; // the game in the replay, as in the message `open`
let titles = {}; // of games, by name
let pending = []; // tokens whose table is not known yet

// --- messages that are no answers

/** Marks the board as no decision of this browser. */
function nothingAsked() {
  byId("play").dataset.decision = "";
}

const heard = {
  table(message) {
    const first = table === null || table.table !== message.table;
    table = message;
    session.current = table.table;
    if (pending.length) session.tokens[table.table] = [...new Set([...(session.tokens[table.table] ?? []), ...pending])];
    pending = [];
    keep();
    if (plays()) keepSeats(table.table, table.over ? [] : session.tokens[table.table]);
    if (first) enterTable();
    drawRequest(table, actions.agree);
    byId("connection").textContent = table.unkept ? `This game is not saved: ${table.unkept}` : "";
    drawPace(table, actions);
    drawSeats(table, view, actions);
  },
  view(message) {
    closeCurtain();
    showPlay();
    view = message;
    setBusy(false);
    about.hide();
    show(view);
    nothingAsked();
    if (view.decision !== null) byId("play").dataset.decision = `${view.seat}-${view.decision}`;
    Object.assign(byId("play").dataset, { over: view.over !== null, at: view.at ?? "" });
    title(view.title);
    advice.forget(view);
    guide.at(view.decision === null ? [] : view.phases);
    drawMoves(view, names(), actions);
    if (view.decision !== null) stopSkipping();
    drawTurnButtons(plays(), mayWait() ? skip : null);
    drawOutcome(view, names(), inCharge(table) ? { again: table.host && actions.again, lookThrough: actions.lookThrough, analyse: actions.analyse } : {});
    if (table) drawSeats(table, view, actions);
  },
  log(message) {
    drawLog(message);
    drawTurns(message, view?.seat ?? null);
    drawLast({ ...lastLines(), ...lastTurns() }, names());
    const last = message.lines.at(-1);
    const turn = view?.decision !== null && view !== null ? "Your move." : "";
    byId("news").textContent = [last?.words, turn].filter(Boolean).join(". ");
  },
  curtain: openCurtain,
  closed() {
    table = view = null;
    careful(toTables)();
  },
  regrets: (message) => replay.open && replay.showRegrets(message), // one may be on its way when the replay is left
  refused: (message) => refused(new Refused(message.reason)),
};

function said(message) {
  heard[message.type]?.(message);
}

function names() {
  return replay.open ? replay.about.seats : (table?.seats.map((seat) => seat.name) ?? []);
}

// --- requests

/** Whether somebody plays here. At a table without persons the host holds all seats, only to look. */
const plays = () => table !== null && table.persons > 0 && table.held.length > 0;
const mayWait = () => plays() && view.decision === null && view.over === null && table.delay > 0;

let skipped = null; // the pace to restore

/** Lets agents move without waits until this browser is asked. */
function skip() {
  skipped = table.delay;
  actions.pace({ delay: 0, paused: false });
}

function stopSkipping() {
  if (skipped !== null) actions.pace({ delay: skipped });
  skipped = null;
}

const careful = (work) => (...given) => Promise.resolve(work(...given)).catch(refused);

const actions = {
  take: careful(async (action) => {
    if (!socket.open) throw new Refused("The server is away: this move was not made. It can be made again when the page is connected.");
    if (view === null || view.decision === null || replay.open) return;
    setBusy(true);
    const { decision, seat } = view;
    const again = doubted === `${table.table} ${decision} ${action}`;
    try {
      const answer = await ask({ type: "act", table: table.table, seat, decision, action, careful: asksFirst() && !again });
      if (answer.type === "final") doubt(action, decision);
    } finally {
      setBusy(false);
    }
  }),
  undo: careful((steps) => ask({ type: "undo", table: table.table, seat: view.seat, steps, of: view.undo.length })),
  back: careful(() => ask({ type: "back", table: table.table, seat: view.seat })),
  agree: careful((seat, agree) => ask({ type: "agree", table: table.table, seat, agree })),
  pace: careful((change) => ask({ type: "pace", table: table.table, ...change })),
  step: careful(() => ask({ type: "step", table: table.table })),
  look: careful((seat) => ask({ type: "uncover", table: table.table, seat })),
  save: careful(async (what) => {
    const { name, text } = await ask({ type: "save", table: replay.open ? null : table.table, what });
    download(name, text);
  }),
  hint: highlight,
  lookThrough: careful(() => openReplay({ table: table.table })),
  analyse: careful(async () => {
    await openReplay({ table: table.table });
    if (replay.about.regrets) await replay.findRegrets();
  }),
  again: careful(async () => {
    const { game, options, seats } = table;
    await toTables();
    await start.offer({ game, options, seats: seats.map(({ kind, name, agent }) => (kind !== "agent" ? { kind, name } : name.startsWith(agent) ? { kind, agent } : { kind, name, agent })) });
  }),
};

// --- moves that cannot be taken back

const ASKS_FIRST = "chocofactory-asks-first";
const asksFirst = () => recall(ASKS_FIRST) !== "no";
let doubted = null; // the move that waits for confirmation

function doubt(action, decision) {
  if (view?.decision !== decision) return;
  doubted = `${table.table} ${decision} ${action}`;
  highlight(action);
  drawDoubt(() => actions.take(action), () => {
    remember(ASKS_FIRST, "no");
    actions.take(action);
  });
}
byId("asks-first").addEventListener("change", (event) => remember(ASKS_FIRST, event.target.checked ? "yes" : "no"));

const played = () => (byId("play").hidden ? null : replay.open ? replay.about : table);

const foresee = async (action) => {
  if (view === null || view.decision === null || replay.open) return null;
  const { seat, decision } = view;
  return ask({ type: "foresee", table: table.table, seat, decision, action });
};
const about = new About(foresee, async (clause) => {
  const { game } = played() ?? {}; // the table may be closed by now
  const { clauses } = game ? await pagesOf(game) : { clauses: {} };
  return clauses[clause] ?? clauses[clause.split(".")[0]] ?? ""; // a row of a clause has its words
});

const guide = new Guide();

const advice = new Advice({
  think: (agent) => ask(replay.open ? { type: "think", table: null, agent } : { type: "think", table: table.table, seat: view.seat, agent }),
  stop: careful(() => ask({ type: "stop" })),
  refused,
});

const replay = new Replay({
  async seek(at, seat) {
    heard.view(await ask({ type: "seek", at, seat }));
    annotate(view.played === null ? {} : { [view.played]: "next" }, view.played);
  },
  regret: () => ask({ type: "regret" }),
  save: actions.save,
  refused,
});

const start = new Start(ask, {
  async play(message) {
    const made = await ask(message);
    session.tokens[made.table] = [...made.seats.flatMap((seat, place) => (seat && message.seats[place].kind !== "link" ? [seat.token] : [])), made.watch];
    session.watch[made.table] = made.watch;
    session.current = made.table;
    keep();
  },
  async enter(entry) {
    const held = session.tokens[entry.table] ?? seatsKept()[entry.table] ?? (entry.watch ? [entry.watch] : []);
    if (entry.watch) session.watch[entry.table] = entry.watch;
    await careful(() => join(held))();
  },
  replay: (upload) => openReplay({ upload }),
  refused,
});

/** Opens the replay of an uploaded file, or of this browser's table. */
async function openReplay(what, at = 0, seat = null) {
  advice.clear();
  const about = await ask({ type: "open", ...what });
  replayed = what;
  table = null;
  forgetTable();
  replay.begin(about);
  byId("pace").hidden = byId("seats").hidden = byId("request").hidden = true;
  guide.forget();
  offerAdvice(about.game, about.options);
  showPlay();
  await replay.goWith(at, seat);
}

/** After a drop, opens the record again, if the server still has it. */
async function reopenReplay() {
  const { at, seat } = replay;
  try {
    if (replayed.table) await join(session.tokens[replayed.table]);
    await openReplay(replayed, at, seat);
  } catch (error) {
    if (!socket.open) return; // dropped again
    refused(error);
    await closeReplay();
  }
}

async function offerAdvice(game, options) {
  byId("advice").hidden = true;
  try {
    advice.offer(await ask({ type: "describe", game, options }));
    byId("advice").hidden = false;
  } catch {
    // the server does not list its agents for guests
  }
}

function enterTable() {
  replay.begin(null);
  skipped = null;
  byId("seats").hidden = false;
  if (plays()) guide.begin(table.game);
  else guide.forget();
  offerAdvice(table.game, table.options);
  requestAnimationFrame(() => document.activeElement === document.body && focusFirst());
}

// --- what is shown

function title(words) {
  document.title = words;
  document.querySelector("header h1").textContent = words;
}

function showOnly(id) {
  for (const one of ["start", "play", "nothing"]) byId(one).hidden = one !== id;
  byId("to-tables").hidden = id === "start" || id === "nothing";
}

function showPlay() {
  if (!byId("play").hidden) return;
  showOnly("play");
  scrollTo(0, 0); // the form may have been scrolled
  if (replay.open) byId("pace").hidden = byId("seats").hidden = true;
}

function showStart(welcome) {
  title("Chocolate factories");
  showOnly(welcome.host || welcome.tables.length ? "start" : "nothing");
  byId("new-game").hidden = byId("start-title").hidden = !welcome.host;
  start.open(welcome);
}

/** Makes a reload of the page open no table. */
function forgetTable() {
  session.current = null;
  keep();
}

async function toTables() {
  const entered = table !== null || replay.open;
  forgetTable(); // now, because the page may be reloaded before the server answers
  advice.clear();
  replay.begin(null);
  try {
    if (entered) await ask({ type: "leave" });
  } catch {
    // the table was closed
  }
  table = view = null;
  forgetTable();
  closeCurtain();
  showStart(await welcomeAgain());
}

async function closeReplay() {
  replay.begin(null);
  showStart(await welcomeAgain());
}

function openCurtain({ seat, name }) {
  const dialog = byId("curtain");
  view = null;
  nothingAsked();
  showPlay();
  clear();
  advice.clear();
  byId("moves").replaceChildren();
  byId("log").querySelector("ol").replaceChildren();
  forgetTurns();
  byId("curtain-title").textContent = `${name} is to move`;
  const uncover = dialog.querySelector("button");
  uncover.textContent = `I am ${name}: show`;
  uncover.onclick = () => actions.look(seat);
  if (!dialog.open) dialog.showModal();
}

function closeCurtain() {
  if (byId("curtain").open) {
    byId("curtain").close();
    focusFirst();
  }
}
byId("curtain").addEventListener("cancel", (event) => event.preventDefault());

let refusalTimer = 0;
function refused(error) {
  const place = byId("refusal");
  place.textContent = error.message;
  place.hidden = false;
  clearTimeout(refusalTimer);
  refusalTimer = setTimeout(() => (place.hidden = true), SHOWN_FOR);
}
byId("refusal").addEventListener("click", () => (byId("refusal").hidden = true));

/** Shows rules and keys. */
async function help() {
  byId("asks-first").checked = asksFirst();
  const { rules, game } = played() ?? {};
  drawRules(rules, view?.phases ?? [], game ? (await pagesOf(game)).clauses : {});
  if (!byId("help-dialog").open) byId("help-dialog").showModal();
}

// --- keys, sizes, light and dark

onTake(actions.take);
byId("to-tables").addEventListener("click", careful(toTables));
byId("help").addEventListener("click", help);

const KEYS = {
  u: () => (view?.undo.length ? actions.undo(1) : view?.back && actions.back()),
  t: () => advice.ask(),
  p: () => (replay.open ? replay.play(!replay.playing) : inCharge(table) && actions.pace({ paused: !table.paused })),
  n: () => inCharge(table) && table.paused && actions.step(),
  "[": () => replay.open && replay.go(replay.at - 1),
  "]": () => replay.open && replay.go(replay.at + 1),
  "?": () => about.ask() || help(),
  h: help,
};

const typing = (event) => event.target.closest("input, select, textarea, dialog");
const ONCE = ["Enter", " ", "u", "U", ..."123456789"]; // the next question may come while the key is still down

addEventListener(
  "keydown",
  (event) => {
    if (!event.repeat || !ONCE.includes(event.key) || typing(event)) return;
    event.preventDefault();
    event.stopPropagation();
  },
  true, // before the board and the buttons
);

addEventListener("keydown", (event) => {
  if (typing(event) || event.ctrlKey || event.metaKey || event.altKey || byId("play").hidden) return;
  const key = event.key.toLowerCase();
  if (key in KEYS) KEYS[key]();
  else if (/^[1-9]$/.test(key) && view?.actions[key - 1]) actions.take(view.actions[key - 1].action);
});

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  byId("theme").textContent = isDark() ? "Light" : "Dark";
}
const devices = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (document.documentElement.dataset.theme ?? (devices.matches ? "dark" : "light")) === "dark";
byId("theme").addEventListener("click", () => {
  const theme = isDark() ? "light" : "dark";
  setTheme(theme);
  remember("chocofactory-theme", theme);
});
devices.addEventListener("change", () => setTheme(null));
setTheme(recall("chocofactory-theme"));
