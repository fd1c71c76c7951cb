"""The whole compile policy: one decorator, and one cache folder that cannot go stale.

Numba's own cache looks only at the file of the cached function, so an edit in another module would go unseen. Here the
folder's name is a hash of the sources of `core/` and `games/`, which hold all compiled functions and what they are
built from, and of the versions that shape machine code. `NUMBA_DISABLE_JIT=1` runs the same functions as plain Python.
`CHOCOFACTORY_CACHE_DIR` moves the cache.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core.event import Listener, register
from platformdirs import user_cache_path

Function = TypeVar("Function", bound=Callable[..., Any])

config: Any = numba.config  # its settings are made at run time, so they have no types

PACKAGE = Path(__file__).resolve().parent.parent
COMPILED = not config.DISABLE_JIT


@cache
def cache_folder() -> Path:
    """Where compiled code of exactly these sources and versions is kept."""
    digest = hashlib.sha256(f"{sys.version} {np.__version__} {numba.__version__}".encode())
    for source in sorted([*(PACKAGE / "core").rglob("*.py"), *(PACKAGE / "games").rglob("*.py")]):
        digest.update(source.relative_to(PACKAGE).as_posix().encode())
        digest.update(source.read_bytes())
    root = os.environ.get("CHOCOFACTORY_CACHE_DIR")
    base = Path(root) if root else user_cache_path("chocofactory_env")
    return base / digest.hexdigest()[:16]


class _Announcer(Listener):
    """Says once, on the error stream, why the first call takes long. Loading what was compiled before is silent."""

    def __init__(self) -> None:
        self._said = False

    def on_start(self, event: Any) -> None:
        function = event.data["dispatcher"].py_func
        if not self._said and function.__module__.partition(".")[0] == __package__.partition(".")[0]:
            self._said = True
            print(
                "chocofactory_env: compiling the rules for this machine, which takes up to a minute. It happens once: "
                f"the code is kept in {cache_folder()}",
                file=sys.stderr,
                flush=True,
            )

    def on_end(self, event: Any) -> None:
        """Nothing: what follows speaks for itself."""


if COMPILED:
    register("numba:compile", _Announcer())  # type: ignore[no-untyped-call]


def jit(function: Function) -> Function:
    """Compile on first call, keep the machine code on disk, release the GIL; without Numba the function itself."""
    if not COMPILED:
        return function
    # Numba reads the folder from its global configuration while it decorates; other users' setting is put back.
    others = config.CACHE_DIR
    config.CACHE_DIR = str(cache_folder())
    try:
        return cast(Function, numba.njit(cache=True, nogil=True, error_model="numpy")(function))
    finally:
        config.CACHE_DIR = others


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
