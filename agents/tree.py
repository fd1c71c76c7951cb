"""Agents that look ahead by playing games out: `mcts` (a tree) and `flat_mc` (none)."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

from chocofactory_env import Game

from .planner import PlannerAgent

BATCH = 32  # simulations between two looks at the clock


class TreeAgent:
    """Monte-Carlo tree search; deterministic for a seed, unless it is given a time.

    simulations: for each decision. time_s: if given, so many seconds a decision instead.
    plan_width: at a leaf every seat plans the rest of its day with a beam so wide; 0: a playout instead, of `days`.
    advised: what `planner` would do is looked at first.
    days, exploration: see `chocofactory_env.games.chocofactory.search.tree.TreeSearch`.
    """

    def __init__(
        self,
        game: Game,
        simulations: int = 300,
        time_s: float | None = None,
        plan_width: int = 4,
        days: int | None = 0,
        advised: bool = True,
        exploration: float = 0.6,
    ) -> None:
        if simulations < 1:
            raise ValueError(f"simulations: expected 1 or more, got {simulations}")
        self._game = game
        self._simulations = simulations
        self._time = time_s
        self._search = game.tree_search(days=days, plan_width=plan_width, exploration=exploration)  # type: ignore[attr-defined]
        self._adviser = PlannerAgent(game) if advised else None
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Before a game: from here the chance of all its searches follows."""
        self._seed = seed % (1 << 31)
        self._decisions = 0

    def choose(self, state: Any, player: int) -> int:
        legal = np.flatnonzero(self._game.legal_mask(state))
        if len(legal) == 1:
            return int(legal[0])
        self._decisions += 1
        seed = (self._seed << 24) + (self._decisions << 44 >> 24)
        begun = perf_counter()
        advice = self._adviser.advise(state, player) if self._adviser else []
        found = self._search.search(state, self._simulations if self._time is None else BATCH, seed, advice=advice)
        while self._time is not None and perf_counter() - begun < self._time:
            found = self._search.search(state, BATCH, seed, more=True, advice=advice)
        return int(np.lexsort((found.value, found.visits))[-1])


class FlatAgent:
    """Flat Monte Carlo: every legal action is followed by the same random playouts, and the best mean is played.

    playouts: for each action, each with the hidden cards dealt anew. It counts how far ahead the seat is in the end.
    """

    def __init__(self, game: Game, playouts: int = 100) -> None:
        if playouts < 1:
            raise ValueError(f"playouts: expected 1 or more, got {playouts}")
        self._game = game
        self._playouts = playouts
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Before a game."""
        self._rng = np.random.default_rng(seed)

    def choose(self, state: Any, player: int) -> int:
        legal = np.flatnonzero(self._game.legal_mask(state)).tolist()
        if len(legal) == 1:
            return int(legal[0])
        seeds = self._rng.integers(1 << 62, size=self._playouts)
        return max(legal, key=lambda action: self._mean(state, player, action, seeds))

    def _mean(self, state: Any, player: int, action: int, seeds: np.ndarray) -> float:
        after = self._game.clone(state)
        self._game.apply(after, action)
        ends = self._game.random_playouts(after, seeds, redeal=True)
        if self._game.num_players == 1:
            return float(ends.won.mean() + 1e-4 * ends.scores.mean())
        others = np.delete(ends.scores, player, axis=1).max(axis=1)
        return float(np.mean(np.tanh((ends.scores[:, player] - others) / 40)))
