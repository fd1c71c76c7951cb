"""The three games, for tests that run with each: their helpers by name, and every variant."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import candyfactory_games
import chocofactory_games
import numpy as np
import pytest
import schoko_games

from chocofactory_env.core.jit import COMPILED

NAMES = ("chocofactory", "candyfactory", "schoko")
# Each has `load`, `VARIANTS`, `variant_name`, `steps`, `scrambled`, `Position`, `legal` and `play`.
GAMES: dict[str, Any] = dict(zip(NAMES, (chocofactory_games, candyfactory_games, schoko_games), strict=True))
OF_A_MOMENT = 3 if COMPILED else 1  # extra positions of each kind, so that none goes unseen
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
    """Yield every position of a random game, which changes, and the action played in it; -1 at the end."""
    return GAMES[game.name].steps(game, seed)


def raw_tensors(game: Any, state: np.ndarray, seat: int) -> dict[str, np.ndarray]:
    """The seat's raw observation, by block."""
    raw = np.empty(game.observation_layout.raw_size, np.uint8)
    game.write_raw_observation(state, seat, raw)
    return dict(game.observation_layout.tensors(raw))


def looked_at(game: Any, seed: int, stride: int, most: int = OF_A_MOMENT) -> Iterator[tuple[int, np.ndarray, int]]:
    """Yield (number, position, action) every `stride` steps of a random game, of each kind the first ones, and the end.

    most: how many of a kind.
    """
    moments = Counter[str]()
    for number, (state, action) in enumerate(steps(game, seed)):
        moment = re.sub(r"\d+", "", game.when(state))
        moments[moment] += 1
        if number % stride == 0 or moments[moment] <= most or action < 0:
            yield number, state, action


def check_hidden(game: Any, seed: int, stride: int, rng: np.random.Generator) -> int:
    """Check that hidden information changes no byte of what a seat sees; returns the number of changed positions."""
    changed = 0
    for number, state, action in looked_at(game, seed, stride):
        mover = game.current_player(state)
        for seat in range(game.num_players) if action >= 0 else ():
            other = GAMES[game.name].scrambled(game, state, seat, rng)
            where = f"{game.options}, seed {seed}, step {number}, seat {seat}"
            seen = game.observe(state, seat).flat
            assert seen.max() <= 1, where
            assert game.observe(other, seat).flat.tobytes() == seen.tobytes(), where
            assert game.when(other) == game.when(state), where
            if seat == mover:
                assert game.legal_mask(other).tobytes() == game.legal_mask(state).tobytes(), where
            changed += other.tobytes() != state.tobytes()
    return changed
