"""Board games about chocolate factories as reinforcement-learning environments.

Importing registers the environments with Gymnasium and PettingZoo; games are imported and compiled on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import gymnasium

from ._checkout import find_agents
from .core.agent import Agent, SearchAgent, decide, reset_agent
from .core.game import Game, IllegalActionError, Playouts, Step
from .core.layout import ActionLayout, Block, ObservationLayout, Tensors
from .registry import UnknownGameError, load

__all__ = [
    "ActionLayout",
    "Agent",
    "Block",
    "DeckError",
    "Game",
    "GameRecord",
    "IllegalActionError",
    "LegalSampler",
    "ObservationLayout",
    "PerGame",
    "Playouts",
    "RecordError",
    "SearchAgent",
    "SelfPlayBatch",
    "StateError",
    "Step",
    "Tensors",
    "UnknownGameError",
    "__version__",
    "agent_seed",
    "decide",
    "load",
    "make_agent",
    "make_batch",
    "record_game",
    "reset_agent",
]

if TYPE_CHECKING:
    from .agents.protocol import make_agent
    from .core.agent_seeds import agent_seed
    from .core.batch import LegalSampler
    from .envs.selfplay import SelfPlayBatch, make_batch
    from .envs.vector import PerGame
    from .games.chocofactory.deck_check import DeckError
    from .games.chocofactory.serial import StateError
    from .record import GameRecord, RecordError, record_game

    __version__: str

_LATER = {
    "DeckError": "games.chocofactory.deck_check",
    "GameRecord": "record",
    "LegalSampler": "core.batch",
    "PerGame": "envs.vector",
    "RecordError": "record",
    "SelfPlayBatch": "envs.selfplay",
    "StateError": "games.chocofactory.serial",
    "agent_seed": "core.agent_seeds",
    "make_agent": "agents.protocol",
    "make_batch": "envs.selfplay",
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
    for name, module, env in (
        ("ChocoFactory/FactoryManager-v0", "solo", "Solo"),
        ("ChocoFactory/Versus-v0", "versus", "Versus"),
    ):
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point=f"{__name__}.envs.{module}:{env}Env",
                vector_entry_point=f"{__name__}.envs.vector:{env}VectorEnv",
                kwargs={"game": "chocofactory"},
                # Gymnasium's passive checker refuses to render in a mode that is not in `metadata` before the
                # environment can say what is missing. The tests run its active checker, `check_env`.
                disable_env_checker=True,
            )
    try:
        from pettingzoo import aec_registry, register  # from 1.27 on
    except ImportError:
        return
    if "ChocoFactory/ChocolateFactory-v0" not in aec_registry:
        register("aec", "ChocoFactory/ChocolateFactory-v0", entry_point="chocofactory_env.chocofactory_v0:env")


find_agents()
_register()
