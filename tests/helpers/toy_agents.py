"""Agents that play any game, for tests of series, datasets and workers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import chocofactory_env as cf
from agents.protocol import AnyAgent, Observation


class Guesses:
    def reset(self, seed: int) -> None:
        self._generator = np.random.default_rng(seed)

    def __call__(self, observation: Observation, mask: np.ndarray) -> int:
        return int(self._generator.choice(np.flatnonzero(mask)))


class Rests:
    def __call__(self, observation: Observation, mask: np.ndarray) -> int:
        return int(np.flatnonzero(mask)[-1])


def make_toy_agent(text: str, game: cf.Game) -> AnyAgent:
    toys: dict[str, Callable[[], AnyAgent]] = {"guesses": Guesses, "rests": Rests}
    return toys[text]()
