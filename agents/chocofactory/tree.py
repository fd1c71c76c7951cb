"""Agents that look ahead by playing games out: `mcts` (a tree) and `flat_mc` (none)."""

from __future__ import annotations

from time import perf_counter
from typing import Annotated, Any

import numpy as np

from chocofactory_env import Game

from ..settings import Seconds, Within, checked
from .planner import PlannerAgent

BATCH = 32  # simulations between two looks at the clock
SEEDS = 1 << 62  # a search takes as many in a row as it makes simulations


class TreeAgent:
    """Monte-Carlo tree search; deterministic for a seed, unless it is given a time.

    simulations: for each decision. time_s: if given, so many seconds a decision instead.
    plan_width: at a leaf every seat plans the rest of its day with a beam so wide; 0: a playout instead, of `days`.
    advised: what `planner` would do is looked at first.
    days, exploration: see `chocofactory_env.games.chocofactory.search.tree.TreeSearch`.
    """

    @checked
    def __init__(
        self,
        game: Game,
        simulations: Annotated[int, Within(1, 1_000_000)] = 300,
        time_s: Seconds | None = None,
        plan_width: Annotated[int, Within(0, 10_000)] = 4,
        days: Annotated[int, Within(0, 5)] | None = 0,
        advised: bool = True,
        exploration: Annotated[float, Within(0)] = 0.6,
    ) -> None:
        self._game = game
        self._simulations = simulations
        self._time = time_s
        self._search = game.tree_search(days=days, plan_width=plan_width, exploration=exploration)  # type: ignore[attr-defined]
        self._adviser = PlannerAgent(game) if advised else None
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Before a game: the seeds of all its searches are drawn from here."""
        self._rng = np.random.default_rng(seed)

    def choose(self, state: Any, player: int) -> int:
        legal = np.flatnonzero(self._game.legal_mask(state))
        if len(legal) == 1:
            return int(legal[0])
        seed = int(self._rng.integers(SEEDS))
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

    @checked
    def __init__(self, game: Game, playouts: Annotated[int, Within(1, 1_000_000)] = 100) -> None:
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
        seeds = self._rng.integers(SEEDS, size=self._playouts)
        return max(legal, key=lambda action: self._mean(state, player, action, seeds))

    def _mean(self, state: Any, player: int, action: int, seeds: np.ndarray) -> float:
        after = self._game.clone(state)
        self._game.apply(after, action)
        ends = self._game.random_playouts(after, seeds, player=player)
        if self._game.num_players == 1:
            return float(ends.won.mean() + 1e-4 * ends.scores.mean())
        others = np.delete(ends.scores, player, axis=1).max(axis=1)
        return float(np.mean(np.tanh((ends.scores[:, player] - others) / 40)))
