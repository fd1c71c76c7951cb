"""The three games for tests that hold for each of them: their helpers by name, and every variant."""

from __future__ import annotations

from typing import Any

import candyfactory_games
import chocofactory_games
import pytest
import schoko_games

NAMES = ("chocofactory", "candyfactory", "schoko")
# Each has `load`, `VARIANTS`, `variant_name`, `steps`, `scrambled`, `Position`, `legal` and `play`.
GAMES: dict[str, Any] = dict(zip(NAMES, (chocofactory_games, candyfactory_games, schoko_games), strict=True))
EVERY_VARIANT = pytest.mark.parametrize(
    ("name", "options"),
    [
        pytest.param(name, options, id=f"{name}, {module.variant_name(options)}")
        for name, module in GAMES.items()
        for options in module.VARIANTS
    ],
)


def load(name: str, **options: Any) -> Any:
    return GAMES[name].load(**options)


def steps(game: Any, seed: int) -> Any:
    """Every position of a random game, which changes, and the action that is played in it; -1 at the end."""
    return GAMES[game.name].steps(game, seed)
