"""Flat Monte Carlo for any game: every legal action is followed by random playouts, and the best mean is played.

Idea: no tree and no knowledge of the game. Before every playout, hidden information and future draws are resampled,
identically for all actions. Cost: `playouts` random games per legal action.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from chocofactory_env import Consideration, Game
from chocofactory_env.core.reading import between

from .by_game import AGENTS, addition
from .settings import SEEDS, checked


class FlatAgent:
    """Deterministic for a seed.

    playouts: per legal action. With several players, a playout counts by the seat's final lead over its best opponent;
        in a solo game, by whether it is won.

    A game may set two scales in `agents/<game>/__init__.py`: `LEAD_SCALE`, a clear lead in units of its scores, and
    `SCORE_WEIGHT`, the weight of a point of score beside a win in a solo game. By default both follow from the spread
    of the scores in the playouts of a decision.
    """

    @checked
    def __init__(self, game: Game, playouts: Annotated[int, between(1, 1_000_000)] = 100) -> None:
        self._game = game
        self._playouts = playouts
        self._lead_scale: float | None = addition(AGENTS, game.name, "LEAD_SCALE", None)
        self._score_weight: float | None = addition(AGENTS, game.name, "SCORE_WEIGHT", None)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Start a game: seed the playouts."""
        self._rng = np.random.default_rng(seed)

    def choose(self, state: Any, player: int) -> int:
        legal = np.flatnonzero(self._game.legal_mask(state)).tolist()
        if len(legal) == 1:
            return int(legal[0])
        return int(legal[int(np.argmax(self._values(self._tried(state, player, legal))))])

    def consider(self, state: Any, player: int) -> Consideration:
        """The value of the playouts after each action, and the share that the seat won."""
        legal = np.flatnonzero(self._game.legal_mask(state)).tolist()
        ends = self._tried(state, player, legal)
        values = dict(zip(legal, self._values(ends), strict=True))
        won = {action: float(end[0].mean()) for action, end in zip(legal, ends, strict=True)}
        return Consideration({"value": values, "won": won}, value=("value", max(values.values())))

    def _tried(self, state: Any, player: int, legal: list[int]) -> list[tuple[np.ndarray, np.ndarray]]:
        seeds = self._rng.integers(SEEDS, size=self._playouts)
        return [self._ends(state, player, action, seeds) for action in legal]

    def _ends(self, state: Any, player: int, action: int, seeds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(K,) each: whether the seat won each playout, and its lead over the best opponent (alone: its payoff)."""
        ends = self._game.random_playouts(state, seeds, player=player, action=action)
        if self._game.num_players == 1:
            return ends.won[:, 0], ends.payoffs[:, 0]
        return ends.won[:, player], ends.payoffs[:, player] - np.delete(ends.payoffs, player, axis=1).max(axis=1)

    def _values(self, ends: list[tuple[np.ndarray, np.ndarray]]) -> list[float]:
        """The value of each action."""
        leads = [lead for _, lead in ends]
        if self._game.num_players == 1:
            weight = self._score_weight or 0.01 / spread(leads)
            return [float(won.mean() + weight * score.mean()) for won, score in ends]
        scale = self._lead_scale or spread(leads)
        return [float(np.mean(np.tanh(lead / scale))) for lead in leads]


def spread(values: list[np.ndarray]) -> float:
    """The standard deviation of all values; 1 if they are equal."""
    return float(np.concatenate(values).std()) or 1.0
