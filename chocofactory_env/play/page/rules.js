// Clauses and hints of a game, asked for once.

const asked = new Map();

/** The server's {clauses, hints}; empty if it does not answer. */
export function pagesOf(game) {
  if (!asked.has(game)) {
    const nothing = () => {
      asked.delete(game);
      return { clauses: {}, hints: [] };
    };
    asked.set(game, fetch(`/rules/${encodeURIComponent(game)}`).then((answer) => (answer.ok ? answer.json() : nothing()), nothing));
  }
  return asked.get(game);
}
