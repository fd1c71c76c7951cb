"""Choose who compiles: no process, this one, or, with several cores, also a second one that compiles ahead.

The second process compiles what this one will need later. It starts when a process first compiles code of a game, and
ends with that process. They share code on disk (`core.compiling.code_cache`), so no result depends on it.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

VARIABLE: Final = "CHOCOFACTORY_COMPILE"
NEVER: Final = "never"  # compiling is an error
ALONE: Final = "alone"  # there is no second process
PART: Final = "ahead"  # the part that `warm_up` compiles in the second process


def setting() -> str:
    """NEVER, ALONE, or "" if the user has set nothing.

    Raises:
        ValueError: the variable has another value.
    """
    value = os.environ.get(VARIABLE, "")
    if value not in (NEVER, ALONE, ""):
        raise ValueError(f"{VARIABLE}={value}: expected {NEVER!r}, {ALONE!r} or nothing")
    return value


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def share_compiling(game: str) -> None:
    """Start the second process for a game, once, if it can be of use."""
    if cores() == 1 or setting() == ALONE or not sys.executable:
        return
    package = Path(__file__).parents[2]
    paths = [str(package.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    with suppress(OSError):  # then only this process compiles
        second = subprocess.Popen(
            [sys.executable, "-m", f"{package.name}.warm_up", game, "--parts", PART, "--processes", "1"],
            env={**os.environ, VARIABLE: ALONE, "PYTHONPATH": os.pathsep.join(paths)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        atexit.register(end, second)


def end(second: subprocess.Popen[bytes]) -> None:
    """End the second process. The code it has compiled is kept; the function being compiled is lost."""
    second.terminate()
    second.wait()
