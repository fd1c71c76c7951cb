"""Random games of `candyfactory` for the tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from kept_games import kept_uncompiled

from chocofactory_env.games.candyfactory.actions import STOP

VARIANTS: tuple[dict[str, Any], ...] = (
    {"num_players": 2},
    {"num_players": 3, "play_forced": False},
    {"num_players": 4, "start_player": 2},
    {"num_players": 2, "game": "plantation", "play_forced": False},
    {"num_players": 4, "game": "plantation"},
    {"num_players": 2, "game": "candy", "start_player": 1},
    {"num_players": 3, "game": "candy", "play_forced": False},
)


def variant_name(options: dict[str, Any]) -> str:
    return f"{options.get('game', 'full')}, {options['num_players']} players"


def choose(game: Any, mask: np.ndarray, rng: np.random.Generator) -> int:
    """A random action; nine times in ten one that does something, so that games become interesting."""
    legal = np.flatnonzero(mask)
    if rng.random() < 0.9:
        doing = legal[legal != STOP]
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


def scrambled(state: np.ndarray, seat: int, draw: np.random.Generator) -> np.ndarray:
    """The position with everything that the seat cannot see in another order, possible or not."""
    other = state.copy()
    row = other[0]
    row["seed"], row["rng"] = draw.integers(1 << 62), draw.integers(1 << 32, size=4, dtype=np.uint32)
    for number, player in enumerate(row["seats"]):
        player["deck"][: player["deck_size"]] = draw.permutation(player["deck"][: player["deck_size"]])
        if number != seat:
            player["hand"] = draw.permutation(player["hand"])
            player["knows"] = draw.permutation(player["knows"])
    unseen = np.flatnonzero((row["known_to"][: row["specialists_left"]] >> seat & 1) == 0)
    row["specialists"][unseen] = draw.permutation(row["specialists"][unseen])
    return other
