"""Schoko & Co.: its agents by name, and settings for the agents of every game."""

from .. import any_game
from ..by_game import networks_of, shipped
from ..scripted import ScriptedAgent
from .expert import ExpertAgent

__all__ = ["AGENTS", "CHECKPOINTS", "LEAD_SCALE", "shipped_checkpoint", "shipped_value"]

AGENTS = {**any_game.AGENTS, "expert": ExpertAgent, "manager": ScriptedAgent}
LEAD_SCALE = 150.0  # for `flat_mc`: thousands
CHECKPOINTS = networks_of("schoko")
shipped_checkpoint, shipped_value = shipped(
    "schoko", dict.fromkeys((2, 3, 4), "schoko"), {2: "two", 3: "three", 4: "four"}
)
