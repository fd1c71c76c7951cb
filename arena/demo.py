"""Show a demonstration in a few minutes: `chocofactory demo`.

A challenger plays against random agents, each deal once from every seat. If the game has a solo variant, both agents
play that too. At the end the command prints a table. `arena/<game>/__init__.py` names the agents and numbers of games.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import chocofactory_env as cf
from chocofactory_env.agents.by_game import addition
from chocofactory_env.core.command import Command

from .match import Result, play_match, table
from .needs import need
from .notes import ARENA
from .options import DEFAULT_GAME


@dataclass(frozen=True)
class Demo:
    """The agents, and deals by number of players. A game's folder holds its own as a dictionary DEMO."""

    challenger: str = "flat_mc:playouts=20"
    opponent: str = "random"
    deals: dict[int, int] = field(default_factory=lambda: {2: 20})


@dataclass
class Demonstration:
    """The matches of a demonstration; as text, one table."""

    results: list[Result]

    @property
    def interrupted(self) -> bool:
        return any(result.interrupted for result in self.results)

    def message(self) -> str:
        return "\n".join(f"{one.setting()}: {one.message()}" for one in self.results if one.message())

    def __str__(self) -> str:
        return f"\n{table(self.results)}"


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


def demonstrate_game(game: str = DEFAULT_GAME, quick: bool = False) -> Demonstration:
    """Show a demonstration in a few minutes: a challenger against random agents, every deal from every seat.

    Args:
        game: its name.
        quick: play a tenth of the games.
    """
    need("a demonstration")
    demo = demo_of(game)
    print(f"{demo.challenger} against {demo.opponent}: every deal is played from every seat.", flush=True)
    deals = {players: max(1, count // (10 if quick else 1)) for players, count in demo.deals.items()}
    return Demonstration(demonstrate(game, Demo(demo.challenger, demo.opponent, deals)))


COMMAND = Command("chocofactory demo", demonstrate_game, ("--quick", "--game schoko"))
main = COMMAND.run

if __name__ == "__main__":
    main()
