"""What an agent is, and the agents by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

import numpy as np

from chocofactory_env import Game

Observation = Mapping[str, np.ndarray]


class Agent(Protocol):
    """A callable from what a seat sees to what it does.

    An agent that draws random numbers or remembers a game may also have `reset(seed: int)`; it is called before each
    game. The environments take agents as opponents as they are.
    """

    def __call__(self, observation: Observation, mask: np.ndarray) -> int:
        """The number of a legal action: `mask` is (A,), 1 where an action is legal, and never all zeros."""


def reset(agent: Agent, seed: int) -> None:
    """Prepare `agent` for a game, if it wants to be prepared."""
    prepare = getattr(agent, "reset", None)
    if prepare is not None:
        prepare(seed)


def _random(game: Game) -> Agent:
    from .random_agent import RandomAgent

    return RandomAgent()


def _greedy(game: Game) -> Agent:
    from .greedy import GreedyAgent

    return GreedyAgent(game)


AGENTS: dict[str, Callable[[Game], Agent]] = {
    "greedy": _greedy,
    "random": _random,
}


def make_agent(name: str, game: Game) -> Agent:
    """A fresh agent for a seat of `game`."""
    if name not in AGENTS:
        raise ValueError(f"unknown agent {name!r}; there are: {', '.join(sorted(AGENTS))}")
    return AGENTS[name](game)
