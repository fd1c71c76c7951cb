"""The subject of `training.value` for Schoko & Co.: a few positions of every game, for any seat.

`manager` plays the first round, and a tree search with the value of the round before plays the others. Both make some
random decisions. The result is the seat's payoff at the end of the game, or `LEAST`.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from chocofactory_env import Game, decide
from chocofactory_env.agents.schoko.expert import ExpertAgent
from chocofactory_env.agents.schoko.manager import ManagerAgent

from ..value import Row

STRAYS: Final = 0.03  # share of random decisions
LEAST: Final = -300.0  # floor of payoffs in thousands, as the few bankrupt seats would distort a linear fit
EVERY: Final = 5  # one of this many positions is valued, since neighbours are similar


class Decisions:
    variants: Mapping[int, Sequence[Mapping[str, Any]]] = {2: ({},), 3: ({},), 4: ({},)}
    prior_share: Mapping[int, float] = {2: 0.0, 3: 0.0, 4: 0.0}

    def prior(self, features: Sequence[str]) -> np.ndarray:
        return np.zeros(len(features))

    def explorer(self, game: Game, width: int, value: Path | None) -> StrayingAgent:
        """Make an agent. width: simulations per decision."""
        if value is None:
            return StrayingAgent(game, ManagerAgent(game))
        return StrayingAgent(game, ExpertAgent(game, simulations=width, value=value))

    def row_after(self, game: Any, before: Any, state: Any, seat: int) -> Row | None:
        """The row of a position; the position itself determines whether it is valued, and for which seat."""
        if game.is_over(state) or game.turn_goes_on(state, seat):
            return None
        drawn, places = divmod(zlib.crc32(state.tobytes()), game.num_players)
        if drawn % EVERY:
            return None
        valued = (seat + places) % game.num_players
        features, stage = game.features(state, valued)
        return Row(valued, stage, features)

    def result(self, game: Game, state: Any, seat: int) -> float:
        return max(LEAST, float(game.payoffs(state)[seat]))


DECISIONS: Final = Decisions()


class StrayingAgent:
    """Makes some random decisions, for more variety in the fit."""

    def __init__(self, game: Game, agent: Any) -> None:
        self._game = game
        self._agent = agent

    def reset(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        if hasattr(self._agent, "reset"):
            self._agent.reset(seed)

    def choose(self, state: Any, player: int) -> int:
        if self._rng.random() < STRAYS:
            return int(self._rng.choice(np.flatnonzero(self._game.legal_mask(state))))
        return decide(self._game, self._agent, state)
