"""Schoko & Co.: its agents by name, and settings for the agents of every game."""

from .. import any_game
from .expert import ExpertAgent
from .manager import ManagerAgent
from .shipped import CHECKPOINTS, shipped_checkpoint, shipped_value

__all__ = ["AGENTS", "CHECKPOINTS", "LEAD_SCALE", "shipped_checkpoint", "shipped_value"]

AGENTS = {**any_game.AGENTS, "expert": ExpertAgent, "manager": ManagerAgent}
LEAD_SCALE = 150.0  # for `flat_mc`: thousands
