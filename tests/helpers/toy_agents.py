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


TOYS = ("moves", "guesses", "rests")  # from strong to weak


def make_toy_agent(text: str, game: cf.Game | None) -> AnyAgent:
    makers: tuple[Callable[[cf.Game | None], AnyAgent], ...] = (first, lambda _: Guesses(), last)
    return makers[TOYS.index(text)](game)
