"""The networks and the learned values that are shipped."""

from pathlib import Path

from chocofactory_env import Game

from ..by_game import networks_of

CHECKPOINTS = networks_of("chocofactory")
VALUES = Path(__file__).parent / "values"
VALUE_FILES = {1: "solo", 2: "two", 3: "three", 4: "four"}  # by number of players


def shipped_checkpoint(game: Game, decks: bool = False) -> Path | None:
    """The default network of `learned`; decks: the one trained on many decks, None if there is none."""
    if decks:
        return CHECKPOINTS / "solo-decks.safetensors" if game.num_players == 1 else None
    return CHECKPOINTS / ("solo.safetensors" if game.num_players == 1 else "players.safetensors")


def shipped_value(players: int) -> Path:
    """The default learned value of `expert`."""
    return VALUES / f"{VALUE_FILES[players]}.json"
