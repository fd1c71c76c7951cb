"""Show a demonstration in a few minutes: `chocofactory demo`.

A challenger plays against random agents, each deal once from every seat. If the game has a solo variant, both agents
play that too. At the end the command prints a table. `arena/<game>/__init__.py` names the agents and numbers of games.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

import chocofactory_env as cf
from chocofactory_env.agents.by_game import addition

from .match import Result, play_match, table
from .notes import ARENA
from .options import add_game_name, command_parser


@dataclass(frozen=True)
class Demo:
    """The agents, and deals by number of players. A game's folder holds its own as a dictionary DEMO."""

    challenger: str = "flat_mc:playouts=20"
    opponent: str = "random"
    deals: dict[int, int] = field(default_factory=lambda: {2: 20})


def demo_of(game: str) -> Demo:
    return Demo(**addition(ARENA, game, "DEMO", {}))


def demonstrate(name: str, demo: Demo) -> list[Result]:
    """Play, and return all results, or those before Ctrl-C."""
    results: list[Result] = []
    for num_players, count in demo.deals.items():
        game = cf.load(name, num_players=num_players)
        together = [demo.challenger, *[demo.opponent] * (num_players - 1)]
        for agents in [together] if num_players > 1 else [[demo.challenger], [demo.opponent]]:
            results.append(play_match(game, agents, range(count)))
            if results[-1].interrupted:
                return results
    return results


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_parser(
        "demo", "A demonstration in a few minutes: a challenger against random agents.", "--quick", "--game schoko"
    )
    add_game_name(parser)
    parser.add_argument("--quick", action="store_true", help="play a tenth of the games")
    chosen = parser.parse_args(arguments)
    demo = demo_of(chosen.game)
    share = 10 if chosen.quick else 1
    print(f"{demo.challenger} against {demo.opponent}: every deal is played from every seat.", flush=True)
    deals = {players: max(1, count // share) for players, count in demo.deals.items()}
    try:
        results = demonstrate(chosen.game, Demo(demo.challenger, demo.opponent, deals))
    except (ImportError, ValueError) as error:
        parser.error(str(error))
    print()
    print(table(results))
    sys.exit(130 if any(result.interrupted for result in results) else 0)


if __name__ == "__main__":
    main()
