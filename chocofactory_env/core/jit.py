"""The compile policy: `jit` decorates functions called by compiled code, `jit_entry` those called by Python.

A function is compiled when it is first called, and the machine code is kept on disk (`core.compiling.code_cache`).
Compiling happens once per installation, however many processes start at once, and again when the sources change.
`NUMBA_DISABLE_JIT=1` runs the same functions as plain Python.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial, wraps
from pathlib import Path
from time import perf_counter
from typing import Any, Final, TypeVar, cast
from weakref import WeakSet

import numba
import numpy as np
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.event import Listener, register
from numba.core.registry import CPUDispatcher

from .compiling.code_cache import CodeCache, LinkedCodeCache, report, show, shows
from .compiling.code_digest import functions_in
from .compiling.compile_ahead import share_compiling
from .compiling.compile_errors import CompileError, Failure, is_numbas
from .compiling.linked_code import EntryCompiler, LinkingCompiler
from .compiling.shipped_code import ShippedCodeCache

Function = TypeVar("Function", bound=Callable[..., Any])


config: Any = numba.config  # untyped, because Numba creates its settings at run time

COMPILED = not config.DISABLE_JIT
entries: WeakSet[Any] = WeakSet()  # the compiled functions that Python calls
failures: list[Failure] = []  # failures of the current compilation, guarded by Numba's lock
POLICY: Final[dict[str, Any]] = {"nogil": True, "error_model": "numpy"}
INNER: Final[dict[str, Any]] = POLICY | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
COMPILERS: Final[dict[type[CodeCache], type[Compiler]]] = {
    LinkedCodeCache: LinkingCompiler,
    ShippedCodeCache: EntryCompiler,
}


SHOWN_EVERY_S: Final = 0.5  # counting the functions takes a hundredth of that


class _Announcer(Listener):
    """Explains on stderr why a first call takes long: a line per part, then the time for each function called.

    Functions compiled as part of these are not listed; a terminal shows their count. Loading is silent.
    """

    def __init__(self) -> None:
        self._parts: set[str] = set()
        self._waited_for: set[str] = set()
        self._depth = 0
        self._start = 0.0
        self._part = self._entry = ""  # being compiled
        self._shown = 0.0
        self.seconds = 0.0  # total time of compiling, and of waiting for other processes to compile

    @property
    def compiling(self) -> bool:
        return self._depth > 0

    def on_start(self, event: Any) -> None:
        dispatcher = event.data["dispatcher"]
        if not isinstance(dispatcher._cache, CodeCache):
            return  # not ours
        if self._depth == 0:
            self._start = perf_counter()
            folder = dispatcher._cache.folder()
            self._part, self._entry = part_of(dispatcher.py_func), dispatcher.py_func.__name__
            self._announce(self._part, folder)
            game = game_of(dispatcher.py_func)
            if game and folder:
                share_compiling(game)
        self._depth += 1
        if shows() and perf_counter() - self._shown > SHOWN_EVERY_S:
            self._shown = perf_counter()
            self._show_progress()

    def _show_progress(self) -> None:
        """Show how many of the part's functions are compiled, or loaded with a caller."""
        part = {entry for entry in entries if part_of(entry.py_func) == self._part}
        called = functions_in(entry.py_func for entry in part)
        there = {function for function in part | called if function.overloads}
        compiled = called & (there | functions_in(function.py_func for function in there))
        show(f"compiling {self._part} ({len(compiled)} of {len(called)} functions): {self._entry}")

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
            seconds = perf_counter() - self._start
            self.seconds += seconds
            if event._exc_details is None:  # compiled, not stopped by an error or Ctrl-C; `is_failed` is inverted
                report(f"compiled {self._part}: {self._entry} in {seconds:.1f} s")

    def waits_for(self, part: str) -> None:
        """Report, once per part, that another process compiles it."""
        if part not in self._waited_for:
            self._waited_for.add(part)
            report(f"waiting for another process, which compiles {part}")


def game_of(function: Callable[..., Any]) -> str | None:
    """The game in this package that a function belongs to, or is bound to (`core.binding`)."""
    package, *names = function.__module__.split(".")
    if package != __package__.partition(".")[0]:
        return None
    bound, dot, _ = function.__qualname__.partition(".")
    return names[1] if names[0] == "games" else bound if names[0] == "core" and dot else None


def part_of(function: Callable[..., Any]) -> str:
    """The part that a function belongs to: "the search of chess" for `chocofactory_env.games.chess.search.tree`.

    A shared function bound to a game (`core.binding`) has the game's name before its own.
    """
    package, *names = function.__module__.split(".")
    game, _, bound = function.__qualname__.partition(".")
    if package != __package__.partition(".")[0]:
        return function.__module__
    if names[0] == "core":
        return f"the {SHARED_PARTS.get(names[-1], 'rules')} of {game}" if bound else "the code that all games share"
    if names[0] == "games" and len(names) > 2:
        return f"the {'search' if names[2] == 'search' else 'rules'} of {names[1]}"
    return "the code that all games share"


# Modules of `core`.
SHARED_PARTS = {
    "joint": "joint steps",
    "playouts": "playouts",
    "stepping": "batches",
    "tree": "search",
    "turns": "search",
    "value": "search",
}


_announcer = _Announcer()
if COMPILED:
    register("numba:compile", _announcer)  # type: ignore[no-untyped-call]


def seconds_compiled() -> float:
    """Seconds that this process has compiled, or waited for another to do so; timings of calls subtract it."""
    return _announcer.seconds


def jit(function: Function) -> Function:
    """Compile a function that compiled code calls, as a part of its callers (`core.compiling.linked_code`).

    Its wrapper for Python would take longer to compile than the function, so there is none: called from Python, it
    raises TypeError. `function.py_func` is the plain function. With `NUMBA_DISABLE_JIT=1`, returns the function itself.
    """
    if not COMPILED:
        return function
    dispatcher: Any = _compiled(function, INNER, LinkedCodeCache)
    dispatcher.__class__ = _Inner
    return cast(Function, dispatcher)


def jit_entry(function: Function) -> Function:
    """Compile a function that Python calls with numbers, arrays, and whole arrays of records.

    Pass arrays, not single records: Numba looks up the type of an array of records in 0.3 us, that of a record in 7 us.
    Uncompiled, only rows of a `recarray` have attributes, so structured arrays are passed as views of that type.
    """
    if COMPILED:
        entry = _compiled(function, POLICY, ShippedCodeCache)
        entries.add(entry)
        return entry

    @wraps(function)
    def with_attributes(*arguments: Any) -> Any:
        return function(*(_with_attributes(argument) for argument in arguments))

    return with_attributes  # type: ignore[return-value]


def _compiled(function: Function, policy: Mapping[str, Any], kept: type[CodeCache]) -> Function:
    dispatcher: Any = numba.njit(**policy, pipeline_class=COMPILERS[kept])(function)
    dispatcher.__class__ = _Kept
    dispatcher._cache = kept(function, policy)  # instead of Numba's own cache, which `cache=True` sets
    return cast(Function, dispatcher)


class _Kept(CPUDispatcher):
    """A function whose machine code is kept on disk. If several processes call it first, one compiles it."""

    _cache: CodeCache

    def compile(self, sig: Any) -> Any:
        with global_compiler_lock:  # so that threads never hold two file locks
            if _announcer.compiling:  # part of a function whose lock is held
                with self._cache.as_part():
                    return self._compile_one(sig)
            waits = partial(_announcer.waits_for, part_of(self.py_func))
            with self._cache.alone(sig, self.targetctx, waits) as seconds:
                _announcer.seconds += seconds
                try:
                    return self._compile_one(sig)
                except Exception as error:
                    if failures and is_numbas(error):
                        raise CompileError(str(failures[-1])) from error
                    raise
                finally:
                    failures.clear()

    def _compile_one(self, sig: Any) -> Any:
        try:
            return super().compile(sig)
        except Exception as error:
            if is_numbas(error):
                failure = Failure(_Kept._compile_one.__code__, error)
                if not failures or len(failures[-1].calls) <= len(failure.calls):  # else a part's failure caused it
                    failures.append(failure)
            raise


class _Inner(_Kept):
    """A function that only compiled code can call."""

    def __call__(self, *arguments: Any) -> Any:
        name = f"{self.py_func.__module__}.{self.py_func.__qualname__}"
        raise TypeError(f"only compiled code can call {name}; decorate it with jit_entry, or call its py_func")


def _with_attributes(argument: Any) -> Any:
    structured = isinstance(argument, np.ndarray) and argument.dtype.names is not None
    return argument.view(np.recarray) if structured else argument
