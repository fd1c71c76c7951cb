"""Plays a uniformly random legal action: the baseline for every other agent."""

from __future__ import annotations

import numpy as np

from chocofactory_env import Game


class RandomAgent:
    def __init__(self, seed: int | None = None) -> None:
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        self._generator = np.random.default_rng(seed)

    def __call__(self, observation: object, mask: np.ndarray) -> int:
        return int(self._generator.choice(legal_of(mask)))


def for_game(game: Game) -> RandomAgent:
    """Make the agent `random`, which plays any game."""
    return RandomAgent()


def legal_of(mask: np.ndarray) -> np.ndarray:
    """The legal actions of a mask, (L,); ValueError unless it is of 0 and 1, or False and True, and allows one."""
    legal = np.flatnonzero(mask)
    wrong = legal[mask[legal] != 1]
    if len(wrong):
        raise ValueError(f"mask: expected 0 or 1 for every action, got {mask[wrong[0]]} for action {wrong[0]}")
    if not len(legal):
        raise ValueError("mask: it allows no action")
    return legal
