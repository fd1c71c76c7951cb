"""Board games about chocolate factories as reinforcement-learning environments.

Importing registers the environments with Gymnasium and PettingZoo; games are imported and compiled on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import gymnasium

from .core.game import Game, IllegalActionError
from .core.layout import ActionLayout, Block, ObservationLayout, Tensors
from .registry import UnknownGameError, load

__all__ = [
    "ActionLayout",
    "Block",
    "DeckError",
    "Game",
    "GameRecord",
    "IllegalActionError",
    "ObservationLayout",
    "RecordError",
    "StateError",
    "Tensors",
    "UnknownGameError",
    "__version__",
    "load",
    "record_game",
]

if TYPE_CHECKING:
    from .games.chocofactory.deck_check import DeckError
    from .games.chocofactory.serial import StateError
    from .record import GameRecord, RecordError, record_game

    __version__: str

_LATER = {
    "DeckError": "games.chocofactory.deck_check",
    "GameRecord": "record",
    "RecordError": "record",
    "StateError": "games.chocofactory.serial",
    "record_game": "record",
}


def __getattr__(name: str) -> Any:
    """Public names that are looked up on first use: importing the package stays cheap."""
    if name == "__version__":
        value: Any = _installed_version()
    elif name in _LATER:
        value = getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _installed_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("chocofactory-env")
    except PackageNotFoundError:
        return "0+checkout"  # run from a checkout that is not installed


def _register() -> None:
    """Register with Gymnasium and, where it is installed with a registry, with PettingZoo; again is harmless."""
    for name, entry_point in (
        ("ChocoFactory/FactoryManager-v0", "chocofactory_env.envs.solo:SoloEnv"),
        ("ChocoFactory/Versus-v0", "chocofactory_env.envs.versus:VersusEnv"),
    ):
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=entry_point, kwargs={"game": "chocofactory"})
    try:
        from pettingzoo import aec_registry, register
    except ImportError:
        return
    if "ChocoFactory/ChocolateFactory-v0" not in aec_registry:
        register("aec", "ChocoFactory/ChocolateFactory-v0", entry_point="chocofactory_env.chocofactory_v0:env")


_register()
