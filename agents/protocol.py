"""What an agent is, and the agents by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from chocofactory_env import Agent, Game, SearchAgent, decide
from chocofactory_env import reset_agent as reset

__all__ = ["AGENTS", "Agent", "AnyAgent", "Observation", "SearchAgent", "decide", "make_agent", "reset"]

Observation = Mapping[str, np.ndarray]
AnyAgent = Agent | SearchAgent


def _random(game: Game) -> AnyAgent:
    from .random_agent import RandomAgent

    return RandomAgent()


def _greedy(game: Game) -> AnyAgent:
    from .greedy import GreedyAgent

    return GreedyAgent(game)


def _planner(game: Game, **settings: Any) -> AnyAgent:
    from .planner import PlannerAgent

    return PlannerAgent(game, **settings)


def _solo(game: Game, **settings: Any) -> AnyAgent:
    if game.num_players != 1:
        raise ValueError(f"agent 'solo' plays the solo game, got one of {game.num_players} players")
    return _planner(game, **settings)


def _mcts(game: Game, **settings: Any) -> AnyAgent:
    from .tree import TreeAgent

    return TreeAgent(game, **settings)


def _flat_mc(game: Game, **settings: Any) -> AnyAgent:
    from .tree import FlatAgent

    return FlatAgent(game, **settings)


def _learned(game: Game, **settings: Any) -> AnyAgent:
    from .learned import LearnedAgent

    return LearnedAgent(game, **settings)


AGENTS: dict[str, Callable[..., AnyAgent]] = {
    "flat_mc": _flat_mc,
    "greedy": _greedy,
    "learned": _learned,
    "mcts": _mcts,
    "planner": _planner,
    "random": _random,
    "solo": _solo,
}


def make_agent(text: str, game: Game) -> AnyAgent:
    """A fresh agent for a seat of `game`, by its name and settings: `"greedy"`, `"planner:width=32"`.

    ValueError for a name that there is not, and for settings that it does not take.
    """
    name, _, said = text.partition(":")
    if name not in AGENTS:
        raise ValueError(f"unknown agent {name!r}; there are: {', '.join(sorted(AGENTS))}")
    try:
        return AGENTS[name](game, **_settings(said))
    except TypeError as error:
        raise ValueError(f"agent {text!r}: {error}") from error


def _settings(said: str) -> dict[str, Any]:
    """`"width=32,time_s=0.05"`: values are JSON where they are, else text."""
    settings: dict[str, Any] = {}
    for part in filter(None, said.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise ValueError(f"agent settings: expected NAME=VALUE, got {part!r}")
        try:
            settings[key] = json.loads(value)
        except json.JSONDecodeError:
            settings[key] = value
    return settings
