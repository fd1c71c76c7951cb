"""Decisions per second of uniformly random legal play, as one JSON object per row on stdout.

Every step builds the legal actions and the observation of the next mover, and new games follow finished ones. Peers
are measured where this package is not installed: only tyro is needed, for the command line.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from random import random
from typing import Any, NamedTuple

import tyro

Play = Iterator[int]  # plays without end, and yields the number of decisions made since the last one


def any_legal(mask: Any) -> int:
    """A random legal action of a NumPy mask."""
    legal = mask.nonzero()[0]
    return int(legal[int(random() * len(legal))])


def play_aec(env: Any) -> Play:
    """Play a PettingZoo environment of agents in turn, as its users do: observation and mask come from `last()`."""
    env.reset(seed=1)
    while True:
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
            if not env.agents:
                env.reset()
        else:
            env.step(any_legal(observation["action_mask"]))
            yield 1


GLANCE = 0.05  # approximate seconds of play between checks of the clock


class Row(NamedTuple):
    """A row of a table. `note`: the aim, or a caveat for comparisons."""

    name: str
    make: Callable[[], Play]
    note: str = ""
    unit: str = "decisions/s"


@dataclass(frozen=True)
class Chosen:
    """What a command line asks for."""

    seconds: float = 5.0
    """seconds per repeat"""
    repeats: int = 3
    """repeats per row, of which the median counts"""
    only: str = ""
    """measure only rows whose name contains this"""


def command_line(description: str | None) -> Chosen:
    return tyro.cli(Chosen, description=description)


def print_row(group: str, row: str, value: float, unit: str, note: str = "") -> None:
    print(json.dumps({"group": group, "row": row, "value": value, "unit": unit, "note": note}), flush=True)


def rate(play: Play, chunk: int, seconds: float, clock: Callable[[], float] = time.perf_counter) -> float:
    """Decisions per second, over at least `seconds`."""
    done, start = 0, clock()
    while (spent := clock() - start) < seconds:
        done += sum(islice(play, chunk))
    return done / spent


def chunk_of(play: Play, warm_up: float) -> int:
    """The number of steps between looks at the clock, found after some seconds of warm-up."""
    next(play)  # may take long to compile
    rate(play, 1, warm_up)
    return max(1, int(GLANCE * rate(play, 1, GLANCE) / next(play)))


def measure(play: Play, seconds: float, repeats: int) -> float:
    """The median of the repeats, after a second of warm-up."""
    chunk = chunk_of(play, min(seconds, 1.0))
    return round(statistics.median(rate(play, chunk, seconds) for _ in range(repeats)), 1)


def main(group: str, rows: Iterable[Row], description: str | None) -> None:
    """Measure and print the rows that the command line asks for."""
    chosen = command_line(description)
    for row in rows:
        if chosen.only in row.name:
            print_row(group, row.name, measure(row.make(), chosen.seconds, chosen.repeats), row.unit, row.note)
