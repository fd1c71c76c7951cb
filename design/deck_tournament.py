"""Compare a tournament over generated decks with one on the shipped deck: a plot, a table, and a summary of every deck.

    chocofactory tournament expert greedy --decks generated:0-49 generated:0-49,stray=1 --deals 100 --out runs/two
    python -m design.deck_tournament runs/two/result.json runs/shipped/result.json --out runs/decks

Agents are compared by their mean win rate against the other agents of the first tournament, each counted once.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from agents.files import read_json, write_json
from arena.series import RESULT, markdown_table
from arena.statistics import bootstrap_interval
from chocofactory_env.core.command import folder_for
from chocofactory_env.core.files import write_text

from .decks import COLUMNS, PLOT, TABLES, draw_rates, number

FAR = ",stray=1"  # the end of the names of decks far from the shipped one
Rates = dict[str, dict[str, np.ndarray]]  # by agent and column, (D,): the win rate on each deck


def rates_of(over_decks: Mapping[str, Any], shipped: Mapping[str, Any]) -> Rates:
    """From two `result.json`. ValueError if an agent, or a kind of decks, is missing."""
    agents = list(over_decks["by_deck"])
    absent = set(agents) - set(shipped["settings"]["agents"])
    if absent:
        raise ValueError(f"the tournament on the shipped deck lacks {', '.join(sorted(absent))}")
    found = {}
    for agent in agents:
        by_deck = over_decks["by_deck"][agent]
        near, far = (
            np.array([won for deck, won in by_deck.items() if deck.endswith(FAR) == is_far]) for is_far in (False, True)
        )
        if not (len(near) and len(far)):
            raise ValueError("expected a tournament over decks near the shipped one and far from it")
        found[agent] = dict(zip(COLUMNS, (np.array([mean_rate(shipped, agent, agents)]), near, far), strict=True))
    return found


def mean_rate(result: Mapping[str, Any], agent: str, agents: Sequence[str]) -> float:
    """The agent's mean win rate over its pairings with `agents`."""
    pairs = [pairing["sides"] for pairing in result["pairings"]]
    own = [
        side["win_rate"]
        for sides in pairs
        for side, other in (sides, sides[::-1])
        if side["agent"] == agent and other["agent"] in agents
    ]
    return float(np.mean(own))


def table(rates: Rates) -> list[str]:
    rows = []
    for agent, columns in rates.items():
        cells = []
        for values in columns.values():
            interval = bootstrap_interval(values)
            bounds = "" if interval is None else " [{}, {}]".format(*(number(bound, True) for bound in interval))
            cells.append(number(float(values.mean()), True) + bounds)
        rows.append([f"`{agent}`", *cells])
    return markdown_table(["games won", *COLUMNS], rows)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m design.deck_tournament", description="How win rates move.")
    parser.add_argument("over_decks", type=Path, help="result.json of a tournament over generated decks")
    parser.add_argument("shipped", type=Path, help="result.json of one on the shipped deck, with the same agents")
    parser.add_argument("--out", type=folder_for(PLOT, TABLES, RESULT), required=True, help="folder")
    chosen = parser.parse_args(arguments)
    try:
        results = [
            read_json(path, dict[str, Any], ValueError, "a result of a tournament")
            for path in (chosen.over_decks, chosen.shipped)
        ]
        rates = rates_of(*results)
    except ValueError as error:
        parser.error(str(error))
    chosen.out.mkdir(parents=True, exist_ok=True)
    text = "\n".join(table(rates))
    draw_rates(rates, 1 / 2, chosen.out / PLOT)
    write_text(chosen.out / TABLES, text + "\n")
    write_json(chosen.out / RESULT, {name: results[0][name] for name in ("settings", "by_deck", "pairings")})
    print(text)


if __name__ == "__main__":
    main()
