"""Plays a uniformly random legal action: the baseline for every other agent."""

from __future__ import annotations

import numpy as np

from chocofactory_env import Game

from .protocol import Observation, legal_of


class RandomAgent:
    def __init__(self, seed: int | None = None) -> None:
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        self._generator = np.random.default_rng(seed)

    def __call__(self, observation: Observation, mask: np.ndarray) -> int:
        return int(self._generator.choice(legal_of(mask)))


def for_game(game: Game) -> RandomAgent:
    """Make the agent `random`, which plays any game."""
    return RandomAgent()
