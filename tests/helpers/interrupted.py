"""What the tests of long series share: an interruption, and games without the seconds that they took."""

from __future__ import annotations


class StopsAfter:
    """Presses Ctrl-C in the game after so many."""

    def __init__(self, play, games):
        self._play = play
        self._left = games

    def __call__(self, task):
        self._left -= 1
        if self._left < 0:
            raise KeyboardInterrupt
        return self._play(task)


def untimed(records):
    """The games without the seconds that they took, which are never the same."""
    return {task: {**record, "seconds": None} for task, record in records.items()}
