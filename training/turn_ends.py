"""What `training.value` fits where turns are searched to their end: positions in which a seat's turn is over.

Who plays is `agents.turns.TurnAgent`, which strays now and then. The result is the seat's payoff when the game ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from agents.turns import TurnAgent
from agents.values import judge_of
from chocofactory_env import Game

from .value import Row

STRAYS = 0.05  # share of the decisions that are drawn


class TurnEnds:
    """variants: by number of players, options of the variants that are played in turns.

    first: makes the judge, (1,), by which the first round is played, of a game.
    """

    def __init__(self, variants: Mapping[int, Sequence[Mapping[str, Any]]], first: Any) -> None:
        self.variants = variants
        self.prior_share = dict.fromkeys(variants, 0.0)
        self._first = first

    def prior(self, features: Sequence[str]) -> np.ndarray:
        return np.zeros(len(features))

    def explorer(self, game: Game, width: int, value: Path | None) -> StrayingAgent:
        return StrayingAgent(game, self._first(game) if value is None else judge_of(game, value), width)

    def row_after(self, game: Any, before: Any, state: Any, seat: int) -> Row | None:
        """After the last decision of a turn, unless it was the last of the game."""
        if game.is_over(state) or game.turn_goes_on(state, seat):
            return None
        features, stage = game.features(state, seat)
        return Row(seat, stage, features)

    def result(self, game: Game, state: Any, seat: int) -> float:
        return float(game.payoffs(state)[seat])


class StrayingAgent(TurnAgent):
    """Draws some of its decisions, so that the fit sees more than one way to play. deals: see `TurnAgent`."""

    def __init__(self, game: Game, judge: np.ndarray, deals: int) -> None:
        self._begin(game, judge, deals, endings=2000)

    def choose(self, state: Any, player: int) -> int:
        if self._rng.random() < STRAYS:
            return int(self._rng.choice(np.flatnonzero(self._game.legal_mask(state))))
        return super().choose(state, player)
