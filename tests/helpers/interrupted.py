"""Helpers for tests of long series: an interruption, and games without their durations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

from chocofactory_env.arena.play import Json

T = TypeVar("T")
R = TypeVar("R")


class StopsAfter(Generic[T, R]):
    """Presses Ctrl-C in the game after a number of games; those of several series if they share an iterator of it."""

    def __init__(self, work: Callable[[T], R], games: int | Iterator[int]) -> None:
        self._work = work
        self._left = iter(range(games)) if isinstance(games, int) else games

    def __call__(self, task: T) -> R:
        if next(self._left, None) is None:
            raise KeyboardInterrupt
        return self._work(task)


def untimed(records: Sequence[Json]) -> list[Json]:
    """The games without their durations, which always differ."""
    return [{**record, "seconds": None} for record in records]
