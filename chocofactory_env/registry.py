"""The games by name. Strings only, so that importing the package imports and compiles no game."""

from __future__ import annotations

from importlib import import_module
from typing import Any, cast

from .core.game import Game

GAMES: dict[str, str] = {
    "chocofactory": "chocofactory_env.games.chocofactory.game:ChocolateFactory",
}


class UnknownGameError(ValueError):
    """No game is registered under this name."""


def load(name: str, **options: Any) -> Game:
    """The variant of a game that `options` describe.

    `GAMES[name]` is `"module:attribute"`; the attribute is called with the options and checks them itself.

    Raises:
        UnknownGameError: no game has this name.
        TypeError, ValueError: an option is unknown or has a bad value (raised by the game).
    """
    target = GAMES.get(name)
    if target is None:
        raise UnknownGameError(f"unknown game {name!r}; there are: {', '.join(sorted(GAMES))}")
    module, _, attribute = target.partition(":")
    return cast(Game, getattr(import_module(module), attribute)(**options))
