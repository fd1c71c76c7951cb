"""Opponents that compiled code plays, threads ask, or one pass of a network answers: they play as the agents do."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from games_under_test import pick

import chocofactory_env as cf
from chocofactory_env.core.jit import COMPILED
from chocofactory_env.core.library import plain
from chocofactory_env.envs.vector import PerGame, SeatVectorEnv

ROWS = 16
STEPS = 200 if COMPILED else 8


def hasty(observations: Any, masks: np.ndarray) -> np.ndarray:
    actions: np.ndarray = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
    return actions


def seen(opponents: Any, games: Any, steps: int = STEPS, **options: Any) -> list[Any]:
    """What a learner that plays at random sees, and its rewards."""
    env, rng = SeatVectorEnv(games, ROWS, opponents=opponents, reward="rank", **options), np.random.default_rng(2)
    told: list[Any] = [env.reset(seed=7)[0].tobytes()]
    for _ in range(steps):
        actions = [pick(mask, rng) for mask in env.action_masks()]
        observations, rewards, ends, _, infos = env.step(np.array(actions))
        told.append((observations.tobytes(), rewards.tobytes(), ends.tobytes(), infos["action_mask"].tobytes()))
    return told


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("chocofactory", {"num_players": 2}),
        ("chocofactory", {"num_players": 3, "sides": "random"}),
        ("chocofactory", {"num_players": 4, "expansion": "master_chocolatier", "sides": "random"}),
        ("chocofactory", {"num_players": 2, "deck": "generated:100000,stray=1"}),
        ("schoko", {"num_players": 2}),
        ("schoko", {"num_players": 4, "upset": "all", "deck": "generated:100000,stray=1"}),
    ],
    ids=str,
)
def test_the_compiled_player_decides_as_its_agent(name: str, options: dict[str, Any]) -> None:
    """The agent is asked row by row, with what its seat cannot know dealt anew."""
    game: Any = cf.load(name, **options)
    agents = PerGame(partial(cf.make_agent, game.scripted_agent, game))
    assert seen(game.scripted_agent, game) == seen(agents, game)


def test_the_compiled_player_stands_beside_opponents_that_are_asked() -> None:
    game = cf.load("chocofactory", num_players=4)
    agents = PerGame(partial(cf.make_agent, "greedy", game))
    for mode in ("NextStep", "SameStep"):
        by_code, asked = (
            seen([hasty, each, hasty], game, autoreset_mode=mode, max_episode_steps=150) for each in ("greedy", agents)
        )
        assert by_code == asked


def test_random_by_name_is_the_default() -> None:
    for name in ("chocofactory", "schoko"):
        game = cf.load(name, num_players=3)
        assert seen("random", game) == seen(None, game) == seen(["random"], game, num_threads=2)


@pytest.mark.skipif(not COMPILED, reason="compares the library with plain Python")
def test_library_and_plain_python_choose_alike() -> None:
    solo, three = {"num_players": 1, "difficulty": 3}, {"num_players": 3, "expansion": "master_chocolatier"}
    for name, options in (("chocofactory", solo), ("chocofactory", three), ("schoko", {"num_players": 3})):
        game: Any = cf.load(name, **options)
        choose, notes = plain(game.kernel.choose_scripted.plain), np.zeros(1, game.kernel.records.notes)
        state, rng = game.new(5), np.random.default_rng(5)
        for step in range(160):
            if game.is_over(state):
                break
            action = game.scripted_action(state)
            assert choose(game.tables, state, np.zeros(game.num_actions, np.int8), notes) == action
            game.apply(state, pick(game.legal_mask(state), rng) if step % 4 == 0 else action)


def test_a_game_without_a_scripted_player_says_so() -> None:
    game: Any = cf.load("candyfactory", num_players=2)
    with pytest.raises(TypeError, match="'candyfactory' has no scripted player"):
        game.scripted_action(game.new(1))


def test_threads_change_no_decision_of_agents() -> None:
    games = cf.games("chocofactory", num_players=2, decks=["shipped", "generated:100000"])
    one, three = (seen("planner:width=2", games, STEPS // 8, num_threads=number) for number in (1, 3))
    assert one == three


def test_one_pass_of_a_network_answers_for_all_rows() -> None:
    pytest.importorskip("torch")
    game = cf.load("candyfactory", num_players=2)
    agents = PerGame(partial(cf.make_agent, "learned", game))
    assert seen("learned", game, STEPS // 8) == seen(agents, game, STEPS // 8)
