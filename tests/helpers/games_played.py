"""Random games of Chocolate Factory for the property tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from kept_games import kept_uncompiled

from chocofactory_env.games.chocofactory.actions import ACTIONS, NUM_ACTIONS

MASTER_CHOCOLATIER = "master_chocolatier"
ENDS = ("end_shift", "finish_orders", "finish_cleanup", "trade")
IS_END = np.array([ACTIONS.decode(action)[0] in ENDS for action in range(NUM_ACTIONS)])
VARIANTS: tuple[dict[str, Any], ...] = (
    {"num_players": 1, "difficulty": 1, "sides": "random"},
    {"num_players": 2, "sides": "random"},
    {"num_players": 3, "sides": "B", "play_forced": False},
    {"num_players": 4, "sides": "random"},
    {"num_players": 1, "expansion": MASTER_CHOCOLATIER, "sides": "random"},
    {"num_players": 2, "expansion": MASTER_CHOCOLATIER, "sides": "DCDDD", "play_forced": False},
    {"num_players": 3, "expansion": MASTER_CHOCOLATIER, "sides": "random"},
    {"num_players": 4, "expansion": MASTER_CHOCOLATIER, "sides": "D"},
    {"num_players": 2, "mode": "simultaneous", "play_forced": False},
    {"num_players": 3, "mode": "simultaneous", "expansion": MASTER_CHOCOLATIER, "sides": "random"},
)


def variant_name(options: dict[str, Any]) -> str:
    more = [word for word, option in (("expansion", "expansion"), ("simultaneous", "mode")) if option in options]
    return ", ".join((f"{options['num_players']} players", *more))


def choose(game: Any, mask: np.ndarray, rng: np.random.Generator) -> int:
    """A random action; nine times in ten one that does something, so that games become interesting."""
    legal = np.flatnonzero(mask)
    if rng.random() < 0.9:
        doing = legal[~IS_END[legal]]
        legal = doing if len(doing) else legal
    return int(legal[rng.integers(len(legal))])


@kept_uncompiled
def steps(game: Any, seed: int) -> Iterator[tuple[np.ndarray, int]]:
    """Every (state, action) of a random game before it is played, then (last state, -1). The state is reused."""
    rng = np.random.default_rng(seed)
    state = game.new(seed)
    while not game.is_over(state):
        action = choose(game, game.legal_mask(state), rng)
        yield state, action
        game.apply(state, action)
    yield state, -1
