"""Look up what a game adds to shared code: names in the `__init__.py` of a folder named after the game.

`agents/chocofactory/`, `arena/chocofactory/` and `training/chocofactory/` are such folders. A new game brings its own
and edits no shared file. Games without one, such as every game outside the package, get the defaults.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from chocofactory_env import Game

T = TypeVar("T")

AGENTS = __name__.rpartition(".")[0]  # the package of the agents, in the wheel and in a checkout
NETWORKS = "chocofactory_env_networks"  # the package of the shipped networks, where there is no checkout


def addition(package: str, game: str, name: str, default: T) -> T:
    """The value of `name` in `<package>/<game>/__init__.py`; `default` if there is no such folder or name."""
    folder = folder_of(package, game)
    return default if folder is None else getattr(folder, name, default)


def hook(package: str, game: str, name: str) -> Callable[..., Any] | None:
    """The function or class that `name` in the game's folder points to, as `".module:attribute"`; None if unset."""
    place = addition(package, game, name, "")
    return find(place, f"{package}.{game}") if place else None


def shipped_network(game: Game) -> Path | None:
    """The network file that `learned` plays this variant with; None if the game has none."""
    place: Callable[[Game], Path | None] | None = addition(AGENTS, game.name, "shipped_checkpoint", None)
    return None if place is None else place(game)


def networks_of(game: str) -> Path:
    """The folder of a game's shipped networks: beside its agents in a checkout, else in a package of its own."""
    own = Path(__file__).parent / game / "checkpoints"
    package = None if own.exists() else find_spec(NETWORKS)
    return own if package is None else Path(str(package.origin)).parent / game


def shipped(
    game: str, networks: Mapping[int, str], values: Mapping[int, str]
) -> tuple[Callable[[Game], Path | None], Callable[[int], Path]]:
    """`shipped_checkpoint` and `shipped_value` of a game's folder, from the names of files by number of players."""

    def shipped_checkpoint(variant: Game) -> Path | None:
        name = networks.get(variant.num_players)
        return None if name is None else networks_of(game) / f"{name}.safetensors"

    def shipped_value(players: int) -> Path:
        return Path(__file__).parent / game / "values" / f"{values[players]}.json"

    return shipped_checkpoint, shipped_value


def measured(game: str, players: int) -> dict[str, tuple[float, float]]:
    """Rating and milliseconds per decision of each agent, from the tournaments with this number of players."""
    folder = folder_of(AGENTS, game)
    file = None if folder is None else Path(folder.__path__[0]) / "measured.json"  # written by tools.data
    if file is None or not file.exists():
        return {}
    found: dict[str, dict[str, tuple[float, float]]] = json.loads(file.read_text(encoding="utf-8"))
    return found.get(str(players), {})


def find(place: str, package: str) -> Any:
    """The object at `".module:attribute"` in a package."""
    module, _, attribute = place.partition(":")
    return getattr(import_module(module, package), attribute)


@cache
def folder_of(package: str, game: str) -> ModuleType | None:
    """The package `<package>.<game>`, imported; None if there is no such folder."""
    name = f"{package}.{game}"
    try:
        folder = import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not name.startswith(error.name):
            raise  # something that the folder imports
        return None
    return folder if hasattr(folder, "__path__") else None  # a module of the shared code may have the name of a game
