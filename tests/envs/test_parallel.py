"""The parallel environment of PettingZoo, and batches of joint steps: every game, a decision of all that are asked."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from games_under_test import GAMES, GameMaker, chocofactory, pick, toy
from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test
from pettingzoo.utils.conversions import aec_to_parallel, parallel_to_aec, turn_based_aec_to_parallel

import chocofactory_env as cf
from chocofactory_env import candyfactory_v0, chocofactory_v0, schoko_v0
from chocofactory_env.core.jit import COMPILED
from chocofactory_env.envs.common import NotResetError
from chocofactory_env.envs.parallel import ParallelGameEnv
from chocofactory_env.registry import GAMES as REGISTERED

CYCLES = 100 if COMPILED else 40
Joint = tuple[dict[str, Any], ...]


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


def in_bytes(seen: Any) -> str:
    return str(pickle.dumps(seen))


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


@pytest.mark.filterwarnings("ignore")
def test_the_aec_environment_of_the_mode_is_converted_as_any_other() -> None:
    parallel_api_test(turn_based_aec_to_parallel(chocofactory_v0.env(mode="simultaneous")), num_cycles=CYCLES)
    api_test(chocofactory_v0.env(mode="simultaneous", num_players=3), num_cycles=CYCLES)


@pytest.mark.parametrize(
    ("module", "name", "mode"),
    [
        (chocofactory_v0, "chocofactory", "simultaneous"),
        (candyfactory_v0, "candyfactory", None),
        (schoko_v0, "schoko", None),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_the_routes_make_the_same_environment(module: Any, name: str, mode: str | None) -> None:
    envs = [module.parallel_env(num_players=3), cf.make_parallel_env(name, num_players=3)]
    if hasattr(pettingzoo, "make"):  # from 1.27 on
        identifier = f"ChocoFactory/{REGISTERED[name].aec}-v0"
        envs.append(pettingzoo.make("parallel", identifier, num_players=3))
    for env in envs:
        assert type(env) is ParallelGameEnv
        assert env.game.options.get("mode") == mode
        assert env.metadata["is_parallelizable"]
        env.reset(seed=5)
    assert len({env.game_state.tobytes() for env in envs}) == 1


def test_the_mode_may_be_turns_too() -> None:
    env = chocofactory_v0.parallel_env(mode="turns", num_players=2)
    assert not env.game.simultaneous
    for observations, *_ in play(env, 1)[2:-1]:
        assert sum(not seen["action_mask"][env.wait] for seen in observations.values()) == 1


# --- what is asked and seen


# --- errors


def test_bad_calls_are_refused() -> None:
    env = chocofactory_v0.parallel_env(num_players=2)
    with pytest.raises(ResetNeeded):
        env.step({})
    with pytest.raises(NotResetError, match="agents"):
        env.agents  # noqa: B018
    with pytest.raises(NotResetError, match=r"call reset\(\) before using num_agents"):
        env.num_agents  # noqa: B018
    env.reset(seed=1)
    with pytest.raises(ValueError, match="expected one of each of player_0, player_1, got player_0"):
        env.step({"player_0": 1})
    with pytest.raises(TypeError):
        env.step({"player_0": 1.5, "player_1": 0})
    wrong: Any
    for wrong in ([0, 0], None, np.zeros(2, int)):
        with pytest.raises(TypeError, match=r"step\(actions\): expected an action by agent, as a dictionary, got"):
            env.step(wrong)
    with pytest.raises(ValueError, match="illegal_action must be one of"):
        chocofactory_v0.parallel_env(illegal_action="penalty")
    with pytest.raises(TypeError, match=r"'modes'.*did you mean 'mode'"):
        chocofactory_v0.parallel_env(modes="turns")
    with pytest.raises(TypeError, match=r"unknown key 'mode', which is an option of the environment"):
        env.reset(options={"mode": "turns"})


def test_frames_show_the_moves_of_all_who_acted() -> None:
    pytest.importorskip("resvg_py")
    env, rng = chocofactory_v0.parallel_env(num_players=2, render_mode="rgb_array"), np.random.default_rng(0)
    observations, _ = env.reset(seed=1)
    while sum(seen["action_mask"][env.wait] for seen in observations.values()):
        observations = env.step(chosen(observations, rng))[0]
    before = env.render()
    env.step(chosen(observations, rng))
    assert env._display is not None
    assert {line.seat for line in list(env._display.log.lines)[-2:]} == {0, 1}
    after = env.render()
    assert before.shape == after.shape == (800, 1280, 3)
    assert (before != after).any()


def test_it_renders_who_acts() -> None:
    env, rng = chocofactory_v0.parallel_env(num_players=2, render_mode="ansi"), np.random.default_rng(0)
    observations, _ = env.reset(seed=1)
    while sum(seen["action_mask"][env.wait] for seen in observations.values()):
        observations = env.step(chosen(observations, rng))[0]
    table = env.render()
    assert table is not None
    assert "Player 0 · shift 1" in table
    assert "Player 1 · shift 1" in table
    assert max(map(len, table.splitlines())) <= 100


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


@pytest.mark.parametrize("autoreset", [True, False])
def test_threads_forms_and_snapshots_of_a_batch_make_no_difference(autoreset: bool) -> None:
    game, number = together(num_players=2), 130
    batches = [cf.ParallelBatch(game, number, autoreset=autoreset, num_threads=threads) for threads in (1, 2)]
    batches.append(cf.ParallelBatch(game, number, autoreset=autoreset, scaled=False))
    steps, choose = [batch.reset(seed=1) for batch in batches], cf.LegalSampler(2)
    kept = np.zeros_like(batches[0].buffers.action_masks)
    batches[1].write_into(action_masks=kept)
    for count in range(230 if COMPILED else 8):
        actions = choose(steps[0].action_masks)
        steps = [batch.step(actions) for batch in batches]
        assert all(np.array_equal(steps[0].dones, step.dones) for step in steps)
        assert all(np.array_equal(steps[0].action_masks, step.action_masks) for step in steps)
        scaled = steps[2].observations * game.observation_layout.scale
        assert np.array_equal(steps[0].observations, scaled.astype(np.float32))
        if count == 5:
            batches[0].restore(batches[1].snapshot())
    assert batches[1].buffers.action_masks is kept
    if COMPILED and not autoreset:
        over = steps[0].dones
        assert over.any()
        assert (steps[0].action_masks[over].sum(-1) == 1).all()
        assert (steps[0].action_masks[over][..., -1] == 1).all()
    for batch in batches:
        batch.close()


def test_a_game_without_such_phases_asks_one_seat_a_step() -> None:
    batch = cf.ParallelBatch(toy(num_players=3), 5)
    step = batch.reset(seed=1)
    assert (step.action_masks[..., -1].sum(1) == 2).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        batch.step(cf.LegalSampler(1)(step.action_masks))
