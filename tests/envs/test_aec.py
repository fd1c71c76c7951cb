"""The PettingZoo environment, over the toy game and the real one."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import pytest
from games_under_test import GAMES, GameMaker, toy, with_players
from pettingzoo.test import api_test, seed_test

from chocofactory_env.envs.aec import AECGameEnv

# These two ask for an observation that is a bare array, which no environment with an action mask has.
# And it resets with an option that no environment has.
UNAVOIDABLE = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    r"reset\(options=...\) ignores 'options'",
)


@pytest.mark.parametrize(("make", "players"), with_players(GAMES, [1, 2, 3, 4]))
def test_passes_pettingzoos_api_test(make: GameMaker, players: int, capsys: Any) -> None:
    env = AECGameEnv(make(num_players=players))
    with warnings.catch_warnings():
        for message in UNAVOIDABLE:
            warnings.filterwarnings("ignore", message)
        # The same check, of an agent at whose turn the game may have ended; masks of final states are all zeros.
        warnings.filterwarnings("ignore", "Action mask numpy array is all zeros")
        api_test(env, num_cycles=300)


@pytest.mark.parametrize("make", GAMES)
def test_passes_pettingzoos_seed_test(make: GameMaker) -> None:
    seed_test(lambda: AECGameEnv(make(num_players=3)), num_cycles=300)


def test_after_the_end_everything_says_so() -> None:
    env = AECGameEnv(toy(num_players=2, rounds=1))
    env.reset(seed=1)
    while env.agents:
        seen, _, over, _, _ = env.last()
        env.step(None if over else int(seen["action_mask"].argmax()))
    calls: list[tuple[str, Callable[[], Any]]] = [
        ("last", env.last),
        ("observe", lambda: env.observe("player_0")),
        ("step", lambda: env.step(None)),
    ]
    for name, call in calls:
        with pytest.raises(gymnasium.error.ResetNeeded, match=rf"call reset\(\) before {name}\(\)"):
            call()


def test_an_agent_that_there_is_not_is_named() -> None:
    env: Any = AECGameEnv(toy(num_players=2))
    env.reset(seed=1)
    for look in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(ValueError, match=r"^agent: expected one of player_0, player_1, got 'player_9'$"):
            look("player_9")
