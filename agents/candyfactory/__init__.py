"""Manfredini's Chocolate Factory: its agents, and settings for the agents of every game. Read by `agents.by_game`."""

from pathlib import Path

from chocofactory_env import Game

AGENTS = {  # add to the agents of every game, or replace them
    "expert": "..turns:TurnAgent",
    "greedy": ".greedy:GreedyAgent",
}
SHIPPED_VALUE = ".:shipped_value"
CHECKPOINTS = Path(__file__).parent / "checkpoints"
VALUES = Path(__file__).parent / "values"
VALUE = "two"  # fitted to games of two; one fitted to games of three was no better

# For `flat_mc`.
LEAD_SCALE = 5.0  # points


def shipped_value(players: int) -> Path:
    """The default learned value of `expert` and `mcts` for 2 to 4 players."""
    return VALUES / f"{VALUE}.json"


def shipped_checkpoint(game: Game) -> Path:
    """The default network of `learned`."""
    return CHECKPOINTS / "candyfactory.safetensors"
