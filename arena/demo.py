"""A demonstration in under three minutes: `python -m arena.demo`.

Greedy plays against random agents at two, three and four players, each deal once from every seat, and both play a
series of the solo game. The last thing printed is the table.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import chocofactory_env as cf
from agents.protocol import make_agent

from .match import Entrant, Result, play_match, play_solo_series, table

CHALLENGER = "greedy"
OPPONENT = "random"
GAME = "chocofactory"
DEALS = {2: 50, 3: 33, 4: 25}  # about a hundred games for each number of players
SOLO_DEALS = 100


def demonstrate(deals: dict[int, int], solo_deals: int) -> list[Result]:
    """All results, up to where Ctrl-C stopped them."""
    results: list[Result] = []
    for num_players, count in deals.items():
        game = cf.load(GAME, num_players=num_players)
        names = [CHALLENGER, *[OPPONENT] * (num_players - 1)]
        results.append(play_match(game, [Entrant(name, make_agent(name, game)) for name in names], range(count)))
        if results[-1].interrupted:
            return results
    solo = cf.load(GAME, num_players=1)
    for name in (CHALLENGER, OPPONENT):
        results.append(play_solo_series(solo, Entrant(name, make_agent(name, solo)), range(solo_deals)))
        if results[-1].interrupted:
            break
    return results


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m arena.demo", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the games")
    chosen = parser.parse_args(arguments)
    share = 10 if chosen.quick else 1
    print(f"{CHALLENGER} against {OPPONENT}: every deal is played from every seat.", flush=True)
    deals = {players: count // share for players, count in DEALS.items()}
    results = demonstrate(deals, SOLO_DEALS // share)
    print()
    print(table(results))
    sys.exit(130 if any(result.interrupted for result in results) else 0)


if __name__ == "__main__":
    main()
