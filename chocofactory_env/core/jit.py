"""Mark the rules: `jit` for functions that other rules call, `jit_entry` for those that Python calls.

The marked functions are plain Python. A user's process calls entries in a C library (`core.library`) that was made of
them; only the process that makes it imports Numba (`core.build`). `CHOCOFACTORY_RULES=python` runs plain Python.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cached_property, update_wrapper
from threading import local
from typing import Any, Final, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])

VARIABLE: Final = "CHOCOFACTORY_RULES"
PYTHON, BUILDING = "python", "building"
RULES: Final = os.environ.get(VARIABLE, "")
if RULES not in ("", PYTHON, BUILDING):
    raise ValueError(f"{VARIABLE}: expected python, or nothing for the library, got {RULES!r}")

COMPILED: Final = RULES != PYTHON  # whether the rules run in libraries, wherever there is one
PARTS: Final = ("rules", "views", "seats", "batches", "parallel", "search")  # of a game's library, built when needed
ALL_GAMES: Final = "all_games"  # the library of functions that belong to no game
PACKAGE: Final = __package__.partition(".")[0]


class Here(local):
    """What a thread runs: while it is in plain rules, the entries that they call are plain, too."""

    plain = False


here: Final = Here()
entries: dict[tuple[str, str], Entry] = {}  # by library and name
compiled: dict[Entry, Any] = {}  # Numba's dispatchers, while a library is built


class Entry:
    """A function of the rules that Python calls, with arrays and numbers as its annotations say (`core.signature`).

    It lies in the library of `game`, in `part`, as `symbol`. `module` is what a process imports to know it.
    """

    def __init__(self, plain: Callable[..., Any], game: str, part: str, symbol: str, module: str) -> None:
        update_wrapper(self, plain)
        self.plain, self.game, self.part, self.symbol, self.module = plain, game, part, symbol, module

    def __call__(self, *arguments: Any) -> Any:
        """Call it. TypeError or ValueError names an argument of another type or layout, or one that is read-only."""
        return self.plain(*arguments) if here.plain else self.checked(*arguments)

    def bind(self, *first: Any) -> Callable[..., Any]:
        """The function with its first arguments fixed, for callers that pass the same other arrays many times.

        Addresses are taken once, and kept with the arrays: of the fixed ones, and of those of the last call, which are
        not looked at when they come again.
        """
        from .library import caller

        return caller(self, first, remembers=True)

    @cached_property
    def checked(self) -> Callable[..., Any]:
        from .library import caller

        return caller(self, (), remembers=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return _find, (self.module, self.game, self.symbol)

    def __deepcopy__(self, memo: Any) -> Entry:
        return self


def _find(module: str, game: str, symbol: str) -> Entry:
    from importlib import import_module

    import_module(module)
    return entries[game, symbol]


def jit(function: Function) -> Function:
    """Mark a function that other rules call.

    It is `function` itself, except in the process that builds a library: Python must not call it when it imports rules.
    """
    if RULES != BUILDING:
        return function
    from .lowering import dispatcher

    return cast(Function, dispatcher(function, no_cfunc_wrapper=True))


def jit_entry(part: str) -> Callable[[Function], Function]:
    """Mark a function that Python calls, and that other rules may call; `part`: of the library that has it."""

    def mark(function: Function) -> Function:
        return entry(function, game_of(function.__module__), part, function.__name__, function.__module__)

    return mark


def entry(function: Function, game: str, part: str, symbol: str, module: str) -> Function:
    """Make a function an entry of a game's library.

    Raises:
        ValueError: the part is unknown, or another module has an entry of this name.
    """
    if part not in PARTS:
        raise ValueError(f"{function.__name__}: expected a part of {', '.join(PARTS)}, got {part!r}")
    known = entries.get((game, symbol))
    if known is not None and known.module != module:
        raise ValueError(
            f"{symbol} of {game}: expected one module that has it, got {known.module} and {module}; "
            f"if they are one file, import it under one name"
        )
    made = entries[game, symbol] = Entry(function, game, part, symbol, module)
    if RULES == BUILDING:
        compiled[made] = jit(function)
        return cast(Function, compiled[made])
    return cast(Function, made)


def game_of(module: str) -> str:
    """The game in whose folder a module lies; for one outside, ALL_GAMES in this package, else the module's name."""
    package, *names = module.split(".")
    if package != PACKAGE:
        return module.replace(".", "_")
    return names[1] if names[0] == "games" else ALL_GAMES
