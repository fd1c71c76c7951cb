"""The parts that commands share: the game with its options, the deals, and the folder of the documentation."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import chocofactory_env as cf
from chocofactory_env import Game
from chocofactory_env.core.checkout import checkout
from chocofactory_env.core.command import Count, Options, Seed, add_option, count

from .workers import Workers

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


# --- for programs with a parser of their own


def add_game(parser: argparse.ArgumentParser, arguments: Sequence[str] | None) -> None:
    """Add `--game` and `--option NAME=VALUE`."""
    add_game_name(parser)
    add_option(parser)


def add_game_name(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", default=DEFAULT_GAME, help=f"name of the game ({DEFAULT_GAME})")


def game_named(arguments: Sequence[str] | None) -> str:
    """Read the game from a command line, ignoring the rest."""
    early = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    add_game_name(early)
    name: str = early.parse_known_args(arguments)[0].game
    return name


def loader(chosen: argparse.Namespace, num_players: int) -> Callable[..., Game]:
    """A picklable function that loads the game that a command line describes."""
    return partial(cf.load, chosen.game, **{"num_players": num_players, **dict(chosen.option)})


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Add `--processes` and `--ray`."""
    parser.add_argument("--processes", type=count, help="how many play (1; on a Ray cluster as many as it has CPUs)")
    add_ray(parser)


def add_ray(parser: argparse.ArgumentParser) -> None:
    """Add `--ray`, and `--time-out`."""
    parser.add_argument(
        "--ray",
        metavar="ADDRESS",
        help="play on a Ray cluster: auto, HOST:PORT or ray://HOST:PORT; local starts one of this machine",
    )
    parser.add_argument("--time-out", type=float, metavar="SECONDS", help="a game that takes longer fails (no limit)")


def workers_of(chosen: argparse.Namespace) -> Workers:
    """Read the options of workers."""
    return Workers(processes=chosen.processes, ray=chosen.ray, time_out=chosen.time_out)
