"""Manfredini's Chocolate Factory: its agents by name, and settings for the agents of every game."""

from .. import any_game
from ..turns import TurnAgent
from .greedy import GreedyAgent
from .shipped import CHECKPOINTS, shipped_checkpoint, shipped_value

__all__ = ["AGENTS", "CHECKPOINTS", "LEAD_SCALE", "shipped_checkpoint", "shipped_value"]

AGENTS = {**any_game.AGENTS, "expert": TurnAgent, "greedy": GreedyAgent}
LEAD_SCALE = 5.0  # for `flat_mc`: points
