"""Shared parts of the peers' scripts: decisions per second, as one JSON object per row on stdout.

They measure uniformly random legal play: every step builds the legal actions and the observation of the next mover in
the library's normal way, and finished games are restarted. Only the standard library is needed, since each script runs
in its own virtual environment. The runner starts it on one core; by hand, use `taskset -c 0 python ...`.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Iterable
from importlib.metadata import version
from typing import Any, NamedTuple

Play = Callable[[int], int]  # plays at least this many decisions, and returns the number played

GLANCE = 0.05  # approximate seconds of play between checks of the clock


class Row(NamedTuple):
    """A row of the comparison."""

    name: str
    make: Callable[[], Play]
    note: str = ""  # caveat for comparisons


def rate(play: Play, chunk: int, seconds: float) -> float:
    """Decisions per second, over at least `seconds`."""
    done, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        done += play(chunk)
    return done / spent


def measure(name: str, play: Play, seconds: float, repeats: int) -> dict[str, Any]:
    """The median of the repeats, after a second of warm-up."""
    chunk = 1
    play(chunk)  # may take long to compile
    start = time.perf_counter()
    while time.perf_counter() - start < min(seconds, 1.0):
        before = time.perf_counter()
        play(chunk)
        if time.perf_counter() - before < GLANCE:
            chunk *= 2
    per_second = statistics.median(rate(play, chunk, seconds) for _ in range(repeats))
    return {"row": name, "per_second": round(per_second, 1), "unit": "decisions"}


def main(peer: str, distribution: str, rows: Iterable[Row]) -> None:
    """The command line of a script. A failing row is printed with its error, and the others continue."""
    parser = argparse.ArgumentParser(description=f"Decisions per second of {peer}.")
    parser.add_argument("--seconds", type=float, default=5.0, help="seconds per repeat (5)")
    parser.add_argument("--repeats", type=int, default=3, help="repeats per row, of which the median counts (3)")
    arguments = parser.parse_args()

    for row in rows:
        try:
            figures = measure(row.name, row.make(), arguments.seconds, arguments.repeats)
        except Exception as error:
            figures = {"row": row.name, "error": f"{type(error).__name__}: {error}"}
        print(json.dumps({"peer": peer, "version": version(distribution), **figures, "note": row.note}), flush=True)
