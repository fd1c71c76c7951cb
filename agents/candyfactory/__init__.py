"""Manfredini's Chocolate Factory: its agents by name, and settings for the agents of every game."""

from .. import any_game
from ..by_game import networks_of, shipped
from ..turns import TurnAgent
from .greedy import GreedyAgent

__all__ = ["AGENTS", "CHECKPOINTS", "LEAD_SCALE", "shipped_checkpoint", "shipped_value"]

AGENTS = {**any_game.AGENTS, "expert": TurnAgent, "greedy": GreedyAgent}
LEAD_SCALE = 5.0  # for `flat_mc`: points
CHECKPOINTS = networks_of("candyfactory")
# One fitted to games of three was no better.
shipped_checkpoint, shipped_value = shipped(
    "candyfactory", dict.fromkeys((2, 3, 4), "candyfactory"), dict.fromkeys((2, 3, 4), "two")
)
