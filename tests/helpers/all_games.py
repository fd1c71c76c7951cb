"""The three games for tests that hold for each of them: how a variant is loaded, its variants, and random games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import candy_games
import candy_positions
import games_played
import numpy as np
import positions
import pytest
import schoko_games

from chocofactory_env.games.schoko.game import Schoko

NAMES = ("chocofactory", "candyfactory", "schoko")
LOAD: dict[str, Callable[..., Any]] = dict(zip(NAMES, (positions.load, candy_positions.load, Schoko), strict=True))
_PLAYED: dict[str, Any] = dict(zip(NAMES, (games_played, candy_games, schoko_games), strict=True))
EVERY_VARIANT = pytest.mark.parametrize(
    ("name", "options"),
    [
        pytest.param(name, options, id=f"{name}, {module.variant_name(options)}")
        for name, module in _PLAYED.items()
        for options in module.VARIANTS
    ],
)


def steps(game: Any, seed: int) -> Iterator[tuple[np.ndarray, int]]:
    """Every position of a random game, which changes, and the action that is played in it; -1 at the end."""
    if game.name == "schoko":
        return ((state, action) for state, _, action in schoko_games.moves(game, seed))
    found: Iterator[tuple[np.ndarray, int]] = _PLAYED[game.name].steps(game, seed)
    return found
