"""Agents of Manfredini's Chocolate Factory, and what those that play any game know of it; read by `agents.by_game`."""

from pathlib import Path

from chocofactory_env import Game

AGENTS = {  # beside those that play any game, or in their place
    "expert": "..turns:TurnAgent",
    "greedy": ".greedy:GreedyAgent",
}
SHIPPED_VALUE = ".:shipped_value"
CHECKPOINTS = Path(__file__).parent / "checkpoints"
VALUES = Path(__file__).parent / "values"
VALUE = "two"  # learned in games of two; a value fitted to games of three was not better (docs/logs/training.md)

# For `flat_mc`.
LEAD_SCALE = 5.0  # points


def shipped_value(players: int) -> Path:
    """The learned value that `expert` and `mcts` judge by with 2 to 4 players, unless they are given another."""
    return VALUES / f"{VALUE}.json"


def shipped_checkpoint(game: Game) -> Path:
    """The network that `learned` plays with, unless it is given another."""
    return CHECKPOINTS / "candyfactory.safetensors"
