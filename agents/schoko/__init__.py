"""Schoko & Co.: its agents, and settings for the agents of every game. Read by `agents.by_game`."""

from pathlib import Path

from chocofactory_env import Game

AGENTS = {  # add to the agents of every game, or replace them
    "expert": ".expert:ExpertAgent",
    "manager": ".manager:ManagerAgent",
}
SHIPPED_VALUE = ".:shipped_value"
VALUES = Path(__file__).parent / "values"
VALUE_FILES = {2: "two", 3: "three", 4: "four"}  # by number of players
CHECKPOINTS = Path(__file__).parent / "checkpoints"

# For `flat_mc`.
LEAD_SCALE = 150.0  # thousands


def shipped_value(players: int) -> Path:
    """The default learned value of `expert` and `mcts`."""
    return VALUES / f"{VALUE_FILES[players]}.json"


def shipped_checkpoint(game: Game) -> Path:
    """The default network of `learned`."""
    return CHECKPOINTS / "schoko.safetensors"
