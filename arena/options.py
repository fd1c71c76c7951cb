"""The parts that commands share: the game with its options, the deals, and the folder of the documentation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import chocofactory_env as cf
from chocofactory_env import Game
from chocofactory_env.core.checkout import checkout
from chocofactory_env.core.command import Count, Options, Seed

DEFAULT_GAME = "chocofactory"


def game_of(game: str = DEFAULT_GAME, players: Count | None = None, option: Options = {}) -> Game:  # noqa: B006
    """Load a game.

    Args:
        game: its name, or MODULE:ATTRIBUTE for a game of your own.
        players: number of players; the game's default unless given.
        option: an option of the game; repeat it for more.
    """
    number = {} if players is None else {"num_players": players}
    return cf.load(game, **{**number, **option})


def game_for(agents: Sequence[str], game: str = DEFAULT_GAME, option: Options = {}) -> Game:  # noqa: B006
    """Load a game with a seat for each agent.

    Args:
        game: its name, or MODULE:ATTRIBUTE for a game of your own.
        option: an option of the game; repeat it for more.
    """
    return cf.load(game, **{"num_players": len(agents), **option})


def deals_of(deals: Count = 100, seed: Seed = 0) -> range:
    """The deals of a series of games.

    Args:
        deals: number of deals, each played from every seat.
        seed: seed of the first deal; later deals count up.
    """
    return range(seed, seed + deals)


def docs_folder() -> Path:
    """`docs/` of the checkout; ValueError if the package is installed from a wheel."""
    root = checkout()
    if root is None:
        raise ValueError("the documentation is part of a checkout, and the package is installed from a wheel")
    return root / "docs"
