"""Chocolate Factory: its agents, and settings for the agents of every game. Read by `agents.by_game`."""

from pathlib import Path

from chocofactory_env import Game

AGENTS = {  # add to the agents of every game, or replace them
    "expert": ".expert:ExpertAgent",
    "greedy": ".greedy:GreedyAgent",
    "mcts": ".tree:TreeAgent",
    "planner": ".planner:PlannerAgent",
    "solo": ".planner:for_solo_game",
}
NETWORKS = {"afterstates": ".afterstates:AfterstateNetwork"}
NETWORK = "afterstates"  # the default kind
SHIPPED_VALUE = ".:shipped_value"
CHECKPOINTS = Path(__file__).parent / "checkpoints"
VALUES = Path(__file__).parent / "values"
VALUE_FILES = {1: "solo", 2: "two", 3: "three", 4: "four"}  # by number of players

# For `flat_mc`.
LEAD_SCALE = 40.0  # pounds
SCORE_WEIGHT = 1e-4  # of a pound beside a win, in the solo game


def shipped_checkpoint(game: Game) -> Path:
    """The default network of `learned`."""
    return CHECKPOINTS / ("solo.safetensors" if game.num_players == 1 else "players.safetensors")


def checkpoint_over_decks(game: Game) -> Path | None:
    """The network trained on many decks, if there is one."""
    return CHECKPOINTS / "solo-decks.safetensors" if game.num_players == 1 else None


def shipped_value(players: int) -> Path:
    """The default learned value of `expert`."""
    return VALUES / f"{VALUE_FILES[players]}.json"
