// Storage: host key, tokens by table, and the current table survive a reload of this tab; other tabs find its seats.

const blocked = new Map(); // what a browser without storage keeps until a reload

/** The text kept under a key, by all tabs or by this one; null if there is none. */
export function recall(key, storage = "localStorage") {
  try {
    return window[storage].getItem(key);
  } catch {
    return blocked.get(key) ?? null;
  }
}

export function remember(key, text, storage = "localStorage") {
  try {
    window[storage].setItem(key, text);
  } catch {
    blocked.set(key, text);
  }
}

const KEY = "chocofactory-table";
const SEATS = "chocofactory-seats"; // tokens by table, latest last
const MOST_SEATS = 16; // tables
const MOST_TOKENS = 32;

export const session = { host: null, tokens: {}, watch: {}, current: null, ...JSON.parse(recall(KEY, "sessionStorage")) };

/** Tokens by table that any tab of this browser has held. */
export const seatsKept = () => JSON.parse(recall(SEATS)) ?? {};

/** Keeps the seats of this table for other tabs; without tokens, forgets them. */
export function keepSeats(table, tokens) {
  const { [table]: _, ...others } = seatsKept();
  const entries = [...Object.entries(others), ...(tokens.length ? [[table, tokens]] : [])];
  remember(SEATS, JSON.stringify(Object.fromEntries(entries.slice(-MOST_SEATS))));
}

export const keep = () => remember(KEY, JSON.stringify(session), "sessionStorage");

/** Take the host key and tokens out of the address; returns the tokens to join with. */
export function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (given.has("host")) session.host = given.get("host");
  history.replaceState(null, "", location.pathname);
  keep();
  return (given.get("join") ?? "").split(",").filter(Boolean);
}

/** All tokens, the host key first, then those of the current table. */
export function tokens() {
  const tables = Object.keys(session.tokens).sort((one, other) => (other === session.current) - (one === session.current));
  const kept = Object.values(seatsKept()).reverse().flat();
  return [...new Set([session.host, ...tables.flatMap((table) => session.tokens[table]), ...kept])].filter(Boolean).slice(0, MOST_TOKENS);
}

export function forget(stale) {
  for (const table of Object.keys(session.tokens)) {
    session.tokens[table] = session.tokens[table].filter((token) => !stale.includes(token));
    if (!session.tokens[table].length) delete session.tokens[table];
  }
  for (const [table, kept] of Object.entries(seatsKept())) {
    if (kept.some((token) => stale.includes(token))) keepSeats(table, kept.filter((token) => !stale.includes(token)));
  }
  if (stale.includes(session.host)) session.host = null;
  if (session.current && !session.tokens[session.current]) session.current = null;
  keep();
}

export const addressOf = (token) => `${location.origin}/#join=${token}`;
