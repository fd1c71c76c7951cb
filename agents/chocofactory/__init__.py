"""Chocolate Factory: its agents by name, and settings for the agents of every game."""

from collections.abc import Callable
from typing import Any

from .. import any_game
from ..by_game import networks_of, shipped
from ..scripted import ScriptedAgent
from .expert import ExpertAgent
from .planner import PlannerAgent, for_solo_game
from .tree import TreeAgent, by_playouts

__all__ = [
    "AGENTS",
    "CHECKPOINTS",
    "LEAD_SCALE",
    "NETWORK",
    "NETWORKS",
    "SCORE_WEIGHT",
    "shipped_checkpoint",
    "shipped_value",
]

AGENTS: dict[str, Callable[..., Any]] = {
    **any_game.AGENTS,
    "expert": ExpertAgent,
    "greedy": ScriptedAgent,
    "ismcts": by_playouts,
    "mcts": TreeAgent,
    "planner": PlannerAgent,
    "solo": for_solo_game,
}
NETWORKS = {"afterstates": ".afterstates:AfterstateNetwork"}  # imported when they are made, since they need torch
NETWORK = "afterstates"  # the default kind

# For `flat_mc`.
LEAD_SCALE = 40.0  # pounds
SCORE_WEIGHT = 1e-4  # of a pound beside a win, in the solo game

CHECKPOINTS = networks_of("chocofactory")
shipped_checkpoint, shipped_value = shipped(
    "chocofactory",
    {1: "solo", 2: "players", 3: "players", 4: "players"},
    {1: "solo", 2: "two", 3: "three", 4: "four"},
)
