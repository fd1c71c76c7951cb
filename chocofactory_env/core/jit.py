"""The whole compile policy: two decorators.

A function is compiled when it is first called, and the machine code is kept on disk (`core.code_cache`): compiling
happens once for an installation and follows the sources. `NUMBA_DISABLE_JIT=1` runs the same functions as plain Python.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core.event import Listener, register

from .code_cache import CodeCache, report

Function = TypeVar("Function", bound=Callable[..., Any])

config: Any = numba.config  # its settings are made at run time, so they have no types

COMPILED = not config.DISABLE_JIT


class _Announcer(Listener):
    """Says on the error stream why a first call takes long: once for each part, and how long each called function took.

    What such a function calls is compiled with it and not listed. Loading compiled code is silent.
    """

    def __init__(self) -> None:
        self._parts: set[str] = set()
        self._depth = 0
        self._start = 0.0

    def on_start(self, event: Any) -> None:
        dispatcher = event.data["dispatcher"]
        if not isinstance(dispatcher._cache, CodeCache):
            return  # not ours
        if self._depth == 0:
            self._start = perf_counter()
            self._announce(part_of(dispatcher.py_func.__module__), dispatcher._cache.folder())
        self._depth += 1

    def _announce(self, part: str, folder: Path | None) -> None:
        if part not in self._parts:
            self._parts.add(part)
            kept = "" if folder is None else f". It happens once: the code is kept in {folder}"
            report(f"compiling {part} for this machine, which can take a minute{kept}")

    def on_end(self, event: Any) -> None:
        dispatcher = event.data["dispatcher"]
        if not isinstance(dispatcher._cache, CodeCache):
            return
        self._depth -= 1
        if self._depth == 0:
            function = dispatcher.py_func
            seconds = perf_counter() - self._start
            report(f"compiled {part_of(function.__module__)}: {function.__name__} in {seconds:.1f} s")


def part_of(module: str) -> str:
    """What a module is a part of, in words: `chocofactory_env.games.chess.search.tree` of "the search of chess"."""
    package, _, rest = module.partition(".")
    if package != __package__.partition(".")[0]:
        return module
    area, *names = rest.split(".")
    if area != "games" or len(names) < 2:
        return "the code that all games share"
    game, part = names[:2]
    return f"the {PARTS.get(part, 'rules')} of {game}"


PARTS = {"batch": "batches", "search": "search"}  # modules of a game's folder; all others are its rules


if COMPILED:
    register("numba:compile", _Announcer())  # type: ignore[no-untyped-call]


def jit(function: Function) -> Function:
    """Compile on first call, keep the machine code on disk, release the GIL; without Numba the function itself."""
    if not COMPILED:
        return function
    dispatcher: Any = numba.njit(nogil=True, error_model="numpy")(function)
    dispatcher._cache = CodeCache(function)  # in place of Numba's own, which `cache=True` sets
    return cast(Function, dispatcher)


def entry(function: Function) -> Function:
    """`jit` for a function that is called from Python with whole arrays of records, of which it takes rows.

    Arrays, not single records: Numba looks up the type of an array of records in 0.3 us, that of a record in 7 us.
    Uncompiled, only a `recarray` has rows with attributes, so structured arrays are passed as views of that type.
    """
    if COMPILED:
        return jit(function)

    @wraps(function)
    def with_attributes(*arguments: Any) -> Any:
        return function(*(_with_attributes(argument) for argument in arguments))

    return with_attributes  # type: ignore[return-value]


def _with_attributes(argument: Any) -> Any:
    structured = isinstance(argument, np.ndarray) and argument.dtype.names is not None
    return argument.view(np.recarray) if structured else argument
