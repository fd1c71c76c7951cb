"""The command `chocofactory`, also `python -m chocofactory_env.arena`. `chocofactory --help` lists its subcommands."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import resolve_name
from typing import Final, NoReturn

import chocofactory_env as cf
from chocofactory_env.core.command import Command
from chocofactory_env.core.messages import hint, shown
from chocofactory_env.core.text.printing import print_stand_ins, reader_may_leave

from .needs import ALL, INSTALL, PACKAGES, need
from .notes import ARENA

PACKAGE: Final = ARENA.rpartition(".")[0]
COMMANDS: Final = {  # name: (module, its Command, purpose)
    "match": (".match", "COMMAND", "play agents against each other at one table"),
    "tournament": (".tournament", "COMMAND", "play every pair of agents, and rate them"),
    "benchmark": (".benchmark", "COMMAND", "play the benchmark of a game, and write an entry"),
    "task": (".benchmark", "TASK", "judge an agent by a learning task, and write an entry"),
    "check-entry": (".benchmark", "CHECK", "replay games of an entry"),
    "explain": (".explain", "COMMAND", "explain a game: where its scores came from, and what decisions cost"),
    "play": (f"{PACKAGE}.play.__main__", "COMMAND", "play in the browser, against agents or people, and watch games"),
    "mcp": (f"{PACKAGE}.adapters.mcp", "COMMAND", "play a game with an assistant that speaks MCP"),
    "draw": (".draw", "COMMAND", "draw or print a position"),
    "build": (f"{PACKAGE}.build", "COMMAND", "build the libraries of the games"),
    "c-library": (f"{PACKAGE}.c_library", "COMMAND", "write a game's C library and header, for other languages"),
}
TRAIN: Final = "train"
TRAINING: Final = f"{PACKAGE}.training"
TRAINS: Final = f"{TRAIN} NAME", "train agents: what `python -m chocofactory_env.training.NAME` runs"
NEED_NOTHING: Final = ("build", "c-library", "draw", "mcp", "play")  # commands that work without the extra `arena`
NEED_ALL: Final = ("explain", "tournament")  # those for which what training brings is too little


def command(name: str) -> Command:
    """The command of this name."""
    module, attribute, _ = COMMANDS[name]
    found: Command = getattr(import_module(resolve_name(module, ARENA)), attribute)
    return found


def help_text() -> str:
    listed = [*((name, purpose) for name, (_, _, purpose) in COMMANDS.items()), TRAINS]
    width = max(len(name) for name, _ in listed)
    lines = [f"  {name:<{width}}  {purpose}" for name, purpose in listed]
    return "\n".join(
        [
            "usage: chocofactory COMMAND ...",
            "",
            "Compare agents, play in the browser, draw positions, and train.",
            "",
            *lines,
            "",
            "chocofactory COMMAND --help shows options and examples; chocofactory --version, the version.",
        ]
    )


def main(arguments: Sequence[str] | None = None) -> None:
    given = sys.argv[1:] if arguments is None else list(arguments)
    print_stand_ins()
    with reader_may_leave():
        try:
            _run(given)
        except KeyboardInterrupt:  # while a command is loading; then it answers for itself
            _end(130, "error: stopped")


def _run(given: Sequence[str]) -> None:
    name, rest = (given[0], given[1:]) if given else ("--help", [])
    if name in ("-h", "--help"):
        print(help_text())
        sys.exit(0)
    if name == "--version":
        print(f"chocofactory_env {cf.__version__}")
        sys.exit(0)
    if name not in (*COMMANDS, TRAIN):
        there_are = ", ".join((*COMMANDS, TRAIN))
        _end(2, f"error: there is no command {shown(name)}{hint(name, COMMANDS)}; there are: {there_are}")
    if name not in NEED_NOTHING:
        _need(name, INSTALL, ALL if name in NEED_ALL else PACKAGES)
    if "" not in sys.path:
        sys.path.insert(0, "")  # finds users' agents in the current folder
    if name == TRAIN:
        _train(rest)
    else:
        command(name).run(rest)


def _train(words: Sequence[str]) -> None:
    """Run what `python -m chocofactory_env.training.NAME` runs."""
    needs = import_module(TRAINING).NEEDS
    names = sorted(needs)
    name = words[0] if words else "--help"
    if name in ("-h", "--help"):
        print(f"usage: chocofactory train NAME ...\n\nNAME is one of {', '.join(names)}; each has a --help.")
        print("\nexample: chocofactory train ppo --help")
        sys.exit(0)
    if name not in names:
        _end(2, f"train: error: expected one of {', '.join(names)}, got {shown(name)}")
    _need(f"{TRAIN} {name}", *needs[name])
    import_module(f"{TRAINING}.{name}").main(list(words[1:]))


def _need(name: str, install: str, packages: Sequence[str]) -> None:
    """End the command if it lacks a package; see `need`."""
    try:
        need(f"chocofactory {name}", install, packages)
    except ImportError as error:
        _end(1, str(error))


def _end(status: int, message: str) -> NoReturn:
    print(message if status == 1 else f"chocofactory {message}", file=sys.stderr)
    sys.exit(status)


if __name__ == "__main__":
    main()
