"""Agents of Schoko & Co., and what those that play any game know of it; read by `agents.by_game`."""

from pathlib import Path

from chocofactory_env import Game

AGENTS = {  # beside those that play any game, or in their place
    "expert": ".expert:ExpertAgent",
    "manager": ".manager:ManagerAgent",
}
SHIPPED_VALUE = ".:shipped_value"
VALUES = Path(__file__).parent / "values"
VALUE_FILES = {2: "two", 3: "three", 4: "four"}  # by the number of players
CHECKPOINTS = Path(__file__).parent / "checkpoints"

# For `flat_mc`.
LEAD_SCALE = 150.0  # thousands


def shipped_value(players: int) -> Path:
    """The learned value that `expert` and `mcts` judge by, unless they are given another."""
    return VALUES / f"{VALUE_FILES[players]}.json"


def shipped_checkpoint(game: Game) -> Path:
    """The network that `learned` plays with, unless it is given another."""
    return CHECKPOINTS / "schoko.safetensors"
