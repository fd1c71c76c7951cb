"""The parallel environment of PettingZoo, and batches of joint steps: every game, a decision of all that are asked."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from games_under_test import GAMES, GameMaker, chocofactory, pick
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test
from pettingzoo.test.state_test import state_test
from pettingzoo.utils.conversions import aec_to_parallel, parallel_to_aec, turn_based_aec_to_parallel

import chocofactory_env as cf
from chocofactory_env import chocofactory_v0
from chocofactory_env.core.jit import COMPILED
from chocofactory_env.envs.parallel import ParallelGameEnv

CYCLES = 100 if COMPILED else 40


def together(**options: Any) -> Any:
    return chocofactory(mode="simultaneous", **options)


ALL = [*GAMES, pytest.param(together, id="simultaneous")]


def chosen(observations: dict[str, Any], rng: np.random.Generator) -> dict[str, int]:
    return {agent: pick(seen["action_mask"], rng) for agent, seen in observations.items()}


def play(env: Any, seed: int, deal: int | None = 7) -> list[Any]:
    """Random legal play; everything that was seen."""
    rng = np.random.default_rng(seed)
    observations, infos = env.reset(seed=deal)
    seen: list[Any] = [observations, infos]
    while env.agents:
        step = env.step(chosen(observations, rng))
        observations = step[0]
        seen.append(step)
    return seen


# --- PettingZoo's own tests and conversions


@pytest.mark.filterwarnings("ignore")  # PettingZoo's, about observations that are dictionaries
@pytest.mark.parametrize("make", ALL)
def test_passes_pettingzoos_tests_and_conversions(make: GameMaker, capsys: pytest.CaptureFixture[str]) -> None:
    game = make(num_players=3)
    parallel_api_test(ParallelGameEnv(game), num_cycles=CYCLES)
    parallel_seed_test(lambda: ParallelGameEnv(game), num_cycles=CYCLES)
    api_test(parallel_to_aec(ParallelGameEnv(game)), num_cycles=CYCLES)
    there_and_back = aec_to_parallel(parallel_to_aec(ParallelGameEnv(game)))
    seen, expected = ([step[0] for step in play(env, 1)[2:-1]] for env in (there_and_back, ParallelGameEnv(game)))
    np.testing.assert_equal(seen, expected)


@pytest.mark.parametrize("make", ALL)
def test_the_state_is_what_all_seats_see(make: GameMaker) -> None:
    game = make(num_players=3)
    aec, parallel = cf.make_env(game, illegal_action="terminate"), cf.make_parallel_env(game)
    state_test(aec, parallel, CYCLES)
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"call reset\(\) before state\(\)"):
        cf.make_env(game).state()
    aec.reset(seed=3)
    for _ in range(20):
        aec.step(int(aec.last()[0]["action_mask"].argmax()))
        np.testing.assert_equal(
            aec.state(), np.concatenate([aec.observe(agent)["observation"] for agent in aec.possible_agents])
        )


@pytest.mark.filterwarnings("ignore")
def test_the_aec_environment_of_the_mode_is_converted_as_any_other() -> None:
    parallel_api_test(turn_based_aec_to_parallel(chocofactory_v0.env(mode="simultaneous")), num_cycles=CYCLES)
    api_test(chocofactory_v0.env(mode="simultaneous", num_players=3), num_cycles=CYCLES)
    assert not chocofactory_v0.parallel_env(mode="turns").game.simultaneous


def test_bad_calls_are_refused() -> None:
    env = chocofactory_v0.parallel_env(num_players=2)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="expected one of each of player_0, player_1, got player_0"):
        env.step({"player_0": 1})
    with pytest.raises(TypeError, match=r"^player_1: an action is an integer in 0\.\.107, got 1\.5$"):
        env.step({"player_0": 0, "player_1": 1.5})
    wrong: Any
    for wrong in ([0, 0], None, np.zeros(2, int)):
        with pytest.raises(TypeError, match=r"step\(actions\): expected an action by agent, as a dictionary, got"):
            env.step(wrong)
    with pytest.raises(TypeError, match=r"'modes'.*did you mean 'mode'"):
        chocofactory_v0.parallel_env(modes="turns")


def test_frames_show_the_moves_of_all_who_acted() -> None:
    pytest.importorskip("resvg_py")
    env, rng = chocofactory_v0.parallel_env(num_players=2, render_mode="rgb_array"), np.random.default_rng(0)
    observations, _ = env.reset(seed=1)
    while sum(seen["action_mask"][env.wait] for seen in observations.values()):
        observations = env.step(chosen(observations, rng))[0]
    before = env.render()
    env.step(chosen(observations, rng))
    assert env._display is not None
    assert {line.seat for line in list(env._display.lines)[-2:]} == {0, 1}
    after = env.render()
    assert before.shape == after.shape == (800, 1280, 3)
    assert (before != after).any()


# --- batches


def test_a_batch_is_made_for_a_game_in_which_seats_act_at_once() -> None:
    batch = cf.make_batch("chocofactory", 4, num_players=2, mode="simultaneous")
    assert type(batch) is cf.ParallelBatch
    assert type(cf.make_batch("chocofactory", 4, num_players=2)) is cf.SelfPlayBatch
    assert type(cf.SelfPlayBatch("chocofactory", 4, mode="simultaneous")) is cf.SelfPlayBatch
    assert repr(batch) == "ParallelBatch('chocofactory', num_envs=4, num_players=2)"
    assert batch.wait == batch.game.num_actions == batch.num_actions - 1
    assert batch.single_action_space == gymnasium.spaces.Discrete(108)
    step = batch.reset(seed=1)
    assert [array.shape for array in step] == [(4, 2, batch.game.observation_layout.size), (4, 2, 108), (4, 2), (4,)]
    with pytest.raises(cf.IllegalActionError, match=r"game 0, player \d: illegal action 106; .*"):
        batch.step(np.full((4, 2), 106))
    with pytest.raises(ValueError, match=r"actions: expected shape \(4, 2\), got \(4,\)"):
        batch.step(np.zeros(4, int))
    with pytest.raises(TypeError, match="unknown buffer 'current_player'; there are: observations, action_masks"):
        batch.write_into(current_player=np.zeros(4, np.int32))
