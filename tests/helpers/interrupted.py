"""Helpers for tests of long series: an interruption, and games without their durations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from chocofactory_env.arena.games import PlaysGames
from chocofactory_env.arena.play import Json, Task

T = TypeVar("T")
R = TypeVar("R")


class StopsAfter(Generic[T, R]):
    """Presses Ctrl-C in the game after a number of games."""

    def __init__(self, work: Callable[[T], R], games: int) -> None:
        self._work = work
        self._left = games

    def __call__(self, task: T) -> R:
        self._left -= 1
        if self._left < 0:
            raise KeyboardInterrupt
        return self._work(task)


def stops_after(games: int) -> type[PlaysGames]:
    """`PlaysGames` that press Ctrl-C in the game after so many, of all that they play."""
    left = games

    class Stops(PlaysGames):
        def __call__(self, task: Task) -> Json:
            nonlocal left
            left -= 1
            if left < 0:
                raise KeyboardInterrupt
            return super().__call__(task)

    return Stops


def untimed(records: Sequence[Json]) -> list[Json]:
    """The games without their durations, which always differ."""
    return [{**record, "seconds": None} for record in records]
