"""The subject of `training.value` for games whose turns are searched to the end: positions at the end of a turn.

`agents.turns.TurnAgent` plays, with some random decisions. The result is the seat's payoff when the game ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from chocofactory_env import Game
from chocofactory_env.agents.turns import TurnAgent
from chocofactory_env.agents.values import judge_of

from .value import Row

STRAYS = 0.05  # share of random decisions


class TurnEnds:
    """variants: options of the variants to play in turn, by number of players.

    first: makes a game's judge, (1,), for the first round.
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
        """The row after the last decision of a turn, unless the game is over."""
        if game.is_over(state) or game.turn_goes_on(state, seat):
            return None
        features, stage = game.features(state, seat)
        return Row(seat, stage, features)

    def result(self, game: Game, state: Any, seat: int) -> float:
        return float(game.payoffs(state)[seat])


class StrayingAgent(TurnAgent):
    """Makes some random decisions, for more variety in the fit. deals: see `TurnAgent`."""

    def __init__(self, game: Game, judge: np.ndarray, deals: int) -> None:
        self._begin(game, judge, deals, endings=2000)

    def choose(self, state: Any, player: int) -> int:
        if self._rng.random() < STRAYS:
            return int(self._rng.choice(np.flatnonzero(self._game.legal_mask(state))))
        return super().choose(state, player)
