"""Agents that leave: they raise what would end the program, at each place where they are called."""

from __future__ import annotations

import sys
from typing import Any, Never

import numpy as np

from chocofactory_env import Game


def leave(how: str) -> Never:
    if how == "exit":
        sys.exit(3)
    raise {"generator": GeneratorExit, "interrupt": KeyboardInterrupt, "own": OwnEnd}[how]


class OwnEnd(BaseException):
    """No Exception, as the ends that some libraries define."""


class Leaves:
    """Plays the first legal action, and leaves where `where` says."""

    def __init__(self, game: Game, where: str = "call", how: str = "exit") -> None:
        self._where, self._how = where, how
        if where == "make":
            leave(how)
        if where == "tell":
            self.observe_move = self._told

    def reset(self, seed: int) -> None:
        if self._where == "reset":
            leave(self._how)

    def __call__(self, observation: Any, mask: np.ndarray) -> int:
        if self._where == "call":
            leave(self._how)
        return int(mask.argmax())

    def _told(self, move: object) -> None:
        leave(self._how)


class Searches(Leaves):
    def choose(self, state: Any, player: int) -> int:
        leave(self._how)
