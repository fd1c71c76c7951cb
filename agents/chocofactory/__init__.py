"""Agents of Chocolate Factory, and what those that play any game know of it; read by `agents.by_game`."""

from pathlib import Path

from chocofactory_env import Game

AGENTS = {  # beside those that play any game, or in their place
    "expert": ".expert:ExpertAgent",
    "greedy": ".greedy:GreedyAgent",
    "mcts": ".tree:TreeAgent",
    "planner": ".planner:PlannerAgent",
    "solo": ".planner:for_solo_game",
}
NETWORKS = {"afterstates": ".afterstates:AfterstateNetwork"}
NETWORK = "afterstates"  # the kind that is made unless another is asked for
SHIPPED_VALUE = ".:shipped_value"
CHECKPOINTS = Path(__file__).parent / "checkpoints"
VALUES = Path(__file__).parent / "values"
VALUE_FILES = {1: "solo", 2: "two", 3: "three", 4: "four"}  # by the number of players

# For `flat_mc`.
LEAD_SCALE = 40.0  # pounds
SCORE_WEIGHT = 1e-4  # of a pound, in the solo game


def shipped_checkpoint(game: Game) -> Path:
    """The network that `learned` plays the variant with, unless it is given another."""
    if game.num_players > 1:
        return CHECKPOINTS / "players.safetensors"
    return CHECKPOINTS / ("solo-decks.safetensors" if game.options["expansion"] else "solo.safetensors")


def checkpoint_over_decks(game: Game) -> Path | None:
    """The network that was trained on many decks."""
    return CHECKPOINTS / "solo-decks.safetensors" if game.num_players == 1 else None


def shipped_value(players: int) -> Path:
    """The learned value that `expert` judges by, unless it is given another."""
    return VALUES / f"{VALUE_FILES[players]}.json"
