"""What every script of a peer shares: decisions per second, one JSON object per row on stdout.

Measured is uniform random legal play: at every step the legal actions and the observation of the next mover are built
in the library's normal way, and finished games are restarted. Only the standard library is needed, for each script
runs in a virtual environment of its own. The runner starts it on one core; by hand that is `taskset -c 0 python ...`.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Iterable
from importlib.metadata import version
from typing import Any, NamedTuple

Play = Callable[[int], int]  # plays at least so many decisions and returns how many it was

GLANCE = 0.05  # seconds of play between two looks at the clock, about


class Row(NamedTuple):
    """One line of the comparison."""

    name: str
    make: Callable[[], Play]
    note: str = ""  # what is to be known when it is compared


def rate(play: Play, chunk: int, seconds: float) -> float:
    """Decisions per second over at least so many seconds."""
    done, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        done += play(chunk)
    return done / spent


def measure(name: str, play: Play, seconds: float, repeats: int) -> dict[str, Any]:
    """The median of so many repeats, after a second of warming up."""
    chunk = 1
    play(chunk)  # may compile for long
    start = time.perf_counter()
    while time.perf_counter() - start < min(seconds, 1.0):
        before = time.perf_counter()
        play(chunk)
        if time.perf_counter() - before < GLANCE:
            chunk *= 2
    per_second = statistics.median(rate(play, chunk, seconds) for _ in range(repeats))
    return {"row": name, "per_second": round(per_second, 1), "unit": "decisions"}


def main(peer: str, distribution: str, rows: Iterable[Row]) -> None:
    """The command line of a script; a row that fails is printed with its error, and the others go on."""
    parser = argparse.ArgumentParser(description=f"Decisions per second of {peer}.")
    parser.add_argument("--seconds", type=float, default=5.0, help="of each repeat (5)")
    parser.add_argument("--repeats", type=int, default=3, help="of each row; the median counts (3)")
    arguments = parser.parse_args()

    for row in rows:
        try:
            figures = measure(row.name, row.make(), arguments.seconds, arguments.repeats)
        except Exception as error:
            figures = {"row": row.name, "error": f"{type(error).__name__}: {error}"}
        print(json.dumps({"peer": peer, "version": version(distribution), **figures, "note": row.note}), flush=True)
