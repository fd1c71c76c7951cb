"""`check_game` on every variant, and how long games are."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from long_runs import amount
from schoko_games import VARIANTS, variant_name

import chocofactory_env as cf
from chocofactory_env.games.schoko.constants import Task
from chocofactory_env.games.schoko.game import MOMENTS
from chocofactory_env.testing import check_game

GAMES = amount("CF_CHECKED_GAMES", 1, 2)
BOUND = 12_000  # steps of a game of random actions


@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
@pytest.mark.long
def test_schoko_conforms(options: dict[str, Any]) -> None:
    check_game(cf.load("schoko", **options), seeds=range(GAMES))


@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
def test_random_games_end(options: dict[str, Any]) -> None:
    game = cf.load("schoko", **options)
    results = game.random_playouts(game.new(seed=1), np.arange(300), player=0)
    assert results.decisions.max() <= BOUND
    assert (results.ranking == 0).sum(axis=1).tolist() == [1] * 300


def test_the_environments_are_there_by_name() -> None:
    from chocofactory_env import schoko_v0

    env = schoko_v0.env(num_players=3)
    env.reset(seed=1)
    for _ in env.agent_iter():
        observation, _, terminated, _, _ = env.last()
        assert observation is not None
        env.step(None if terminated else int(np.flatnonzero(observation["action_mask"])[-1]))
    assert not env.agents
    learner = gymnasium.make("ChocoFactory/SchokoVersus-v0", num_players=2)
    _, info = learner.reset(seed=1)
    assert info["action_mask"].shape == (118,)
    step = cf.make_batch("schoko", num_envs=2, num_players=4).reset(seed=1)
    assert np.asarray(step.observations).shape == (2, 446)


def test_options_are_checked() -> None:
    with pytest.raises(TypeError, match="moths"):
        cf.load("schoko", moths=8)
    with pytest.raises(ValueError, match="upset"):
        cf.load("schoko", upset="none")
    with pytest.raises(TypeError, match="play_forced"):
        cf.load("schoko", play_forced="yes")


def test_the_moment_of_a_secret_names_nobody() -> None:
    """SEE-5"""
    words = {MOMENTS[task] for task in (Task.CARD_A, Task.CARD_B, Task.CARD_C, Task.TARGET, Task.HOLIDAY)}
    assert words == {"card window"}
    assert MOMENTS[Task.BID_BARS] == MOMENTS[Task.BID_PRICE]
    assert set(MOMENTS) == set(Task)
