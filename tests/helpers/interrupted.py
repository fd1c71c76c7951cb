"""Helpers for tests of long series: an interruption, and games without their durations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from arena.series import Json, Task

R = TypeVar("R")


class StopsAfter(Generic[R]):
    """Presses Ctrl-C in the game after a number of games."""

    def __init__(self, play: Callable[[Task], R], games: int) -> None:
        self._play = play
        self._left = games

    def __call__(self, task: Task) -> R:
        self._left -= 1
        if self._left < 0:
            raise KeyboardInterrupt
        return self._play(task)


def untimed(records: Mapping[Task, Json]) -> dict[Task, Json]:
    """The games without their durations, which always differ."""
    return {task: {**record, "seconds": None} for task, record in records.items()}
