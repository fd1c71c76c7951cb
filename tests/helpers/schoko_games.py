"""Games of Schoko & Co. for tests: played at random, but by firms that do not ruin themselves at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from kept_games import kept_uncompiled

from chocofactory_env.games.schoko.actions import ACTIONS
from chocofactory_env.games.schoko.game import Schoko
from chocofactory_env.games.schoko.vocabulary import Task

VARIANTS: list[dict[str, Any]] = [
    {"num_players": 2},
    {"num_players": 2, "months": 12, "upset": "all", "play_forced": False},
    {"num_players": 3, "leader": 1},
    {"num_players": 3, "months": 6, "play_forced": False},
    {"num_players": 4},
    {"num_players": 4, "months": 12, "upset": "all"},
]
PASS = ACTIONS.first["pass"]


def variant_name(options: dict[str, Any]) -> str:
    return "-".join(f"{key}={value}" for key, value in options.items())


def weight_of(action: int, *, makes: bool) -> float:
    verb, argument = ACTIONS.decode(action)
    if verb == "staff":
        return (1.0, 4.0, 2.0)[argument] if argument < 3 else 0.05
    if verb == "price":
        return 1.0 / (1 + argument) ** 2
    if verb == "bars" and makes:
        return 1.0 + 3 * argument
    return 0.6 if verb == "pass" else 1.0


WEIGHTS = np.array([[weight_of(action, makes=makes) for action in range(ACTIONS.size)] for makes in (False, True)])


def weights(task: int, legal: np.ndarray) -> np.ndarray:
    """How often each legal action is played: firms stay small and bid little; now and then anything."""
    weight = WEIGHTS[int(task == Task.MAKE)][legal]
    shares: np.ndarray = weight / weight.sum()
    return shares


@kept_uncompiled
def moves(game: Schoko, seed: int, wild: float = 0.0) -> Iterator[tuple[np.ndarray, np.ndarray, int]]:
    """Every position of a game, its mask, and the action that is played in it (-1 at the end).

    Position and mask are records that change; `wild`: share of steps at random.
    """
    rng = np.random.default_rng(seed)
    state = game.new(seed)
    mask = game.legal_mask(state)
    while not game.is_over(state):
        legal = np.flatnonzero(mask)
        even = np.full(len(legal), 1 / len(legal))
        chance = even if rng.random() < wild else weights(int(state["task"][0]), legal)
        shares = chance.cumsum()
        # As `rng.choice(legal, p=chance)` draws, without its checks, which take as long as the step.
        action = int(legal[(shares / shares[-1]).searchsorted(rng.random(), side="right")])
        yield state, mask, action
        game.advance(state, action, mask)
    yield state, mask, -1


def steps(game: Schoko, seed: int, wild: float = 0.0) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Every position of a game and its mask."""
    for state, mask, _ in moves(game, seed, wild):
        yield state, mask


def positions(game: Schoko, seed: int) -> Iterator[tuple[np.ndarray, int]]:
    """Every position of a game that is a little wild, and the action that is played in it (-1 at the end)."""
    for state, _, action in moves(game, seed, wild=0.05):
        yield state, action
