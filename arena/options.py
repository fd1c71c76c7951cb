"""Shared parts of commands: help with examples, `--game`, `--players`, the game's options, and output files."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import chocofactory_env as cf
from chocofactory_env import Game
from chocofactory_env._checkout import checkout
from chocofactory_env.agents.by_game import addition
from chocofactory_env.core.command import CommandParser, add_option, count, seed_of_deal

from .notes import ARENA
from .workers import Workers

DEFAULT_GAME = "chocofactory"
PLOTS = "*.svg"  # the pattern for `folder_for` in commands that draw plots


def command_parser(command: str, purpose: str, *examples: str) -> CommandParser:
    """The parser of `chocofactory COMMAND`; `--help` shows the purpose and the examples."""
    shown = "\n".join(f"  chocofactory {command} {example}" for example in examples)
    return CommandParser(
        prog=f"chocofactory {command}",
        description=purpose,
        epilog=f"examples:\n{shown}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def add_game(parser: argparse.ArgumentParser, arguments: Sequence[str] | None, players: int | None = None) -> None:
    """Add `--game`, `--option NAME=VALUE`, `--players` if a default is given, and the game's shorthands.

    A shorthand such as `--expansion NAME` stands for `--option expansion=NAME`. A game lists its shorthands with their
    help as `OPTIONS` in `arena/<game>/__init__.py`.

    arguments: the command line, on which shorthands depend; None: that of the process.
    """
    add_game_name(parser)
    if players is not None:
        parser.add_argument("--players", type=count, default=players, help=f"number of players ({players})")
    add_options(parser, game_named(arguments))


def add_options(parser: argparse.ArgumentParser, game: str) -> None:
    """Add `--option NAME=VALUE` and the game's shorthands."""
    add_option(parser)
    for name, text in shorthands_of(game).items():
        parser.add_argument(f"--{name}", help=text)


def add_game_name(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", default=DEFAULT_GAME, help=f"name of the game ({DEFAULT_GAME})")


def game_named(arguments: Sequence[str] | None) -> str:
    """Read the game from a command line, ignoring the rest."""
    early = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    add_game_name(early)
    name: str = early.parse_known_args(arguments)[0].game
    return name


def shorthands_of(game: str) -> Mapping[str, str]:
    """The game's shorthands, with their help."""
    shorthands: Mapping[str, str] = addition(ARENA, game, "OPTIONS", {})
    return shorthands


def options_of(chosen: argparse.Namespace, game: str) -> dict[str, Any]:
    """The game's options on the command line, without the number of players."""
    given = {name: value for name in shorthands_of(game) if (value := getattr(chosen, name)) is not None}
    return dict(chosen.option) | given


def loader(chosen: argparse.Namespace, num_players: int) -> Callable[..., Game]:
    """A picklable function that loads the game that a command line describes."""
    return partial(cf.load, chosen.game, **{"num_players": num_players, **options_of(chosen, chosen.game)})


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Add the option `--seed`."""
    parser.add_argument("--seed", type=seed_of_deal, default=0, help="seed of the first deal; later deals count up (0)")


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


@contextmanager
def input_reported(parser: argparse.ArgumentParser) -> Iterator[None]:
    """Report bad input, and exit. An error that came up in a game has notes, and keeps its traceback."""
    try:
        yield
    except (ImportError, OSError, TypeError, ValueError) as error:
        if hasattr(error, "__notes__"):
            raise
        parser.error(str(error))


def docs_folder() -> Path:
    """`docs/` of the checkout; ValueError if the package is installed from a wheel."""
    root = checkout()
    if root is None:
        raise ValueError("the documentation is part of a checkout, and the package is installed from a wheel")
    return root / "docs"
