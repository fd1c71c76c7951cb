"""Taking back: the steps of the seat that acted last, and which of them showed it nothing new.

A step can be taken back only if it leads to the same in every deal that the seat cannot tell from the true one. So
nothing hidden came out by it: no card was turned up, no die was rolled, and nobody answered.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from ...core.game import Game, State
from .pictures import has_secrets, words_of_move

DEALS: Final = 16  # of what the seat cannot know
FEW_DEALS: Final = 4  # to find out which sort of move another seat is about to make


@dataclass
class Step:
    """An action, with the position before it. `quiet` is None until it has been found out."""

    before: State
    action: int
    words: str
    quiet: bool | None = None


@dataclass
class Run:
    """What a seat has done since another one acted."""

    seat: int = -1
    steps: list[Step] = field(default_factory=list)

    def add(self, game: Game, before: State, action: int) -> None:
        """before: the position, the run's to keep."""
        seat = game.current_player(before)
        if seat != self.seat:
            self.seat, self.steps = seat, []
        self.steps.append(Step(before, action, words_of_move(game, before, action, seat)))

    def retractable(self, game: Game, state: State) -> list[Step]:
        """The steps that the seat can take back, the latest first; `state` is the position now."""
        found: list[Step] = []
        if not self.steps or (game.current_player(state) != self.seat and not turn_is_open(game, state, self.seat)):
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
        """The position before the last `steps`."""
        before = self.steps[-steps].before
        del self.steps[-steps:]
        return before


def shows_nothing_new(game: Game, step: Step, after: State, seat: int) -> bool:
    """Whether the step looks the same to the seat, and passes the move to the same one, in all of DEALS."""
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
    """Who is to move, what the seat sees, and what it may do."""
    layout = game.observation_layout
    seen = np.zeros(layout.raw_size, layout.raw_dtype)
    game.write_raw_observation(state, seat, seen)
    mover = game.current_player(state)
    return mover, seen.tobytes(), game.legal_mask(state).tobytes() if mover == seat else b""


def turn_is_open(game: Game, state: State, seat: int) -> bool:
    """Whether the seat may know whose turn it is, now that another one is to move: it would see each of its moves."""
    if game.is_over(state):
        return False
    for seed in range(FEW_DEALS if has_secrets(game) else 0):
        dealt = game.redeal(state, seat, seed)
        legal = np.flatnonzero(game.legal_mask(dealt)).tolist()
        if not all(words_of_move(game, dealt, action, seat) for action in legal):
            return False
    return True
