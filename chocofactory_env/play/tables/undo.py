"""Undo: the steps of the seat that acted last, as long as they showed it nothing new.

A step can be taken back only if it leads to the same in every deal that the seat cannot tell from the true one. Then it
revealed nothing: no card was turned up, no die was rolled, and nobody answered.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from ...core.game import Game, State
from .pictures import open_mover, words_of_move

DEALS: Final = 16  # redeals of what the seat cannot know


@dataclass
class Step:
    """An action, with the position before it. quiet: whether it showed nothing new; None: not computed."""

    before: State
    action: int
    words: str
    quiet: bool | None = None


@dataclass
class Run:
    """The steps of a seat since another one acted."""

    seat: int = -1
    steps: list[Step] = field(default_factory=list)

    def add(self, game: Game, before: State, action: int) -> None:
        """Add an action. The run keeps `before`, the position."""
        seat = game.current_player(before)
        if seat != self.seat:
            self.seat, self.steps = seat, []
        self.steps.append(Step(before, action, words_of_move(game, before, action, seat)))

    def retractable(self, game: Game, state: State) -> list[Step]:
        """The steps that the seat can take back, latest first; `state` is the present position."""
        found: list[Step] = []
        if game.current_player(state) != self.seat and open_mover(game, state) is None:  # it may not be known
            return found
        after = state
        for step in reversed(self.steps):
            if step.quiet is None:
                step.quiet = shows_nothing_new(game, step, after, self.seat)
            if not step.quiet:
                break
            found.append(step)
            after = step.before
        return found

    def take_back(self, steps: int) -> State:
        """Remove the last `steps`, and return the position before them."""
        before = self.steps[-steps].before
        del self.steps[-steps:]
        return before


def shows_nothing_new(game: Game, step: Step, after: State, seat: int) -> bool:
    """Whether the step looks the same to the seat, and leads to the same mover, in all DEALS redeals."""
    known = what_is_known(game, after, seat)
    for seed in range(DEALS):
        dealt = game.redeal(step.before, seat, seed)
        if not game.legal_mask(dealt)[step.action]:
            return False
        game.apply(dealt, step.action)
        if what_is_known(game, dealt, seat) != known:
            return False
    return True


def what_is_known(game: Game, state: State, seat: int) -> tuple[int, bytes, bytes]:
    """The seat to move, the seat's observation, and its mask."""
    layout = game.observation_layout
    seen = np.zeros(layout.raw_size, layout.raw_dtype)
    game.write_raw_observation(state, seat, seen)
    mover = game.current_player(state)
    return mover, seen.tobytes(), game.legal_mask(state).tobytes() if mover == seat else b""
