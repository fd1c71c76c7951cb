"""The network and the learned values that are shipped."""

from pathlib import Path

from chocofactory_env import Game

from ..by_game import networks_of

CHECKPOINTS = networks_of("schoko")
VALUES = Path(__file__).parent / "values"
VALUE_FILES = {2: "two", 3: "three", 4: "four"}  # by number of players


def shipped_value(players: int) -> Path:
    """The default learned value of `expert` and `mcts`."""
    return VALUES / f"{VALUE_FILES[players]}.json"


def shipped_checkpoint(game: Game, decks: bool = False) -> Path | None:
    """The default network of `learned`; None over many decks."""
    return None if decks else CHECKPOINTS / "schoko.safetensors"
