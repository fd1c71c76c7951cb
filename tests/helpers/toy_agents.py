"""Agents that play any game, for tests of series, datasets and workers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import chocofactory_env as cf
from chocofactory_env.agents.protocol import AnyAgent


class Picks:
    """Picks the legal action at a place in the list: 0 is the first, -1 the last."""

    def __init__(self, place: int) -> None:
        self._place = place

    def __call__(self, observation: cf.Tensors, mask: np.ndarray) -> int:
        return int(np.flatnonzero(mask)[self._place])


def first(game: cf.Game | None) -> Picks:
    return Picks(0)


def last(game: cf.Game | None) -> Picks:
    return Picks(-1)


class Guesses:
    def reset(self, seed: int) -> None:
        self._generator = np.random.default_rng(seed)

    def __call__(self, observation: cf.Tensors, mask: np.ndarray) -> int:
        return int(self._generator.choice(np.flatnonzero(mask)))


class Searcher:
    """Guesses for a search agent: it keeps the positions that it is given, and the seeds that it is told.

    What it does to a position is its own matter.
    """

    def __init__(self, game: cf.Game, seen: list[bytes] | None = None) -> None:
        self.game = game
        self.seen: list[bytes] = [] if seen is None else seen
        self.seeds: list[int] = []
        self._generator = np.random.default_rng(0)

    def reset(self, seed: int) -> None:
        self.seeds.append(seed)
        self._generator = np.random.default_rng(seed)

    def choose(self, state: np.ndarray, player: int) -> int:
        assert self.game.current_player(state) == player
        self.seen.append(state.tobytes())
        action = np.int64(self._generator.choice(np.flatnonzero(self.game.legal_mask(state))))
        self.game.apply(state, int(action))
        return action  # type: ignore[return-value]  # an integer of NumPy is taken too


TOYS = ("moves", "guesses", "rests")  # from strong to weak


def make_toy_agent(text: str, game: cf.Game | None) -> AnyAgent:
    makers: tuple[Callable[[cf.Game | None], AnyAgent], ...] = (first, lambda _: Guesses(), last)
    return makers[TOYS.index(text)](game)
