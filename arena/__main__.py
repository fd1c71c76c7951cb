"""The command `chocofactory`, in a checkout also `python -m arena`. `chocofactory --help` lists its subcommands."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import resolve_name
from typing import Final

import chocofactory_env as cf
from chocofactory_env.agents.by_game import addition
from chocofactory_env.core.command import CommandParser
from chocofactory_env.registry import GAMES

from .needs import need
from .notes import ARENA

PACKAGE: Final = ARENA.rpartition(".")[0]
COMMANDS: Final = {  # name: (module, purpose); `arena/<game>/__init__.py` may add commands
    "match": (".match", "play agents against each other at one table"),
    "tournament": (".tournament", "play every pair of agents, and rate them"),
    "benchmark": (".benchmark", "play the benchmark of a game, and write or check an entry"),
    "language": (".language", "play the benchmark for agents that answer in text, such as language models"),
    "demo": (".demo", "show a demonstration, which takes a few minutes"),
    "explain": (".explain", "explain a game: where its scores came from, and what decisions cost"),
    "play": (f"{PACKAGE}.play.__main__", "play in the browser, against agents or people"),
    "draw": (".draw", "draw or print a position"),
    "build": (f"{PACKAGE}.build", "build the libraries of the games"),
    "c-library": (f"{PACKAGE}.c_library", "write a game's C library and header, for other languages"),
}
NEED_NOTHING: Final = ("build", "c-library", "draw", "play")  # commands that work without the extra `arena`


def commands() -> dict[str, tuple[str, str]]:
    """The commands, with those of all games: name -> (absolute module name, purpose)."""
    found = {name: (resolve_name(module, ARENA), purpose) for name, (module, purpose) in COMMANDS.items()}
    for game in GAMES:
        own: Mapping[str, tuple[str, str]] = addition(ARENA, game, "COMMANDS", {})
        folder = f"{ARENA}.{game}"
        found |= {name: (resolve_name(module, folder), purpose) for name, (module, purpose) in own.items()}
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    given = sys.argv[1:] if arguments is None else list(arguments)
    there_are = commands()
    width = max(map(len, there_are))
    lines = [f"  {name:<{width}}  {purpose}" for name, (_, purpose) in there_are.items()]
    parser = CommandParser(
        prog="chocofactory",
        usage="chocofactory COMMAND ...",
        description="Compare agents, play in the browser, and draw positions.",
        epilog="\n".join(["commands:", *lines, "", "chocofactory COMMAND --help shows options and examples."]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"chocofactory_env {cf.__version__}")
    parser.add_argument("command", choices=there_are, metavar="COMMAND", help="see below")
    name = parser.parse_args(given[:1] or ["--help"]).command
    if name not in NEED_NOTHING:
        try:
            need(f"chocofactory {name}")
        except ImportError as error:
            parser.exit(1, f"{error}\n")
    if "" not in sys.path:
        sys.path.insert(0, "")  # finds users' agents in the current folder
    import_module(there_are[name][0]).main(given[1:])


if __name__ == "__main__":
    main()
