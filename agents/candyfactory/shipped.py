"""The networks and the learned value that are shipped."""

from pathlib import Path

from chocofactory_env import Game

from ..by_game import networks_of

CHECKPOINTS = networks_of("candyfactory")
VALUES = Path(__file__).parent / "values"
VALUE = "two"  # fitted to games of two; one fitted to games of three was no better


def shipped_value(players: int) -> Path:
    """The default learned value of `expert` and `mcts` for 2 to 4 players."""
    return VALUES / f"{VALUE}.json"


def shipped_checkpoint(game: Game, decks: bool = False) -> Path | None:
    """The default network of `learned`; None over many decks."""
    return None if decks else CHECKPOINTS / "candyfactory.safetensors"
