"""The subject of `training.value` for games whose turns are searched to the end: positions at the end of a turn.

`agents.turns.TurnAgent` plays, with some random decisions. The result is the seat's payoff when the game ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from chocofactory_env import Game, decide
from chocofactory_env.agents.protocol import reset
from chocofactory_env.agents.turns import TurnAgent

from .value import Row

STRAYS = 0.05  # share of random decisions
ENDINGS = 2000  # that the players try


class TurnEnds:
    """variants: options of the variants to play in turn, by number of players.

    first: makes the agent of the first round, of a game and the width.
    """

    def __init__(self, variants: Mapping[int, Sequence[Mapping[str, Any]]], first: Callable[..., Any]) -> None:
        self.variants = variants
        self.prior_share = dict.fromkeys(variants, 0.0)
        self._first = first

    def prior(self, features: Sequence[str]) -> np.ndarray:
        return np.zeros(len(features))

    def explorer(self, game: Game, width: int, value: Path | None) -> Any:
        plays = self._first(game, width) if value is None else TurnAgent(game, width, ENDINGS, value)
        return StrayingAgent(game, plays, STRAYS)

    def row_after(self, game: Any, before: Any, state: Any, seat: int) -> Row | None:
        """The row after the last decision of a turn, unless the game is over."""
        if game.is_over(state) or game.turn_goes_on(state, seat):
            return None
        features, stage = game.features(state, seat)
        return Row(seat, stage, features)

    def result(self, game: Game, state: Any, seat: int) -> float:
        return float(game.payoffs(state)[seat])


class StrayingAgent:
    """Makes a share of its decisions at random, for more variety in the fit, and the others as another agent."""

    def __init__(self, game: Game, agent: Any, share: float) -> None:
        self._game, self._agent, self._share = game, agent, share

    def reset(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        reset(self._agent, seed)

    def choose(self, state: Any, player: int) -> int:
        if self._rng.random() < self._share:
            return int(self._rng.choice(np.flatnonzero(self._game.legal_mask(state))))
        return decide(self._game, self._agent, state)
