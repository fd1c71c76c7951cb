"""The Gymnasium environment of one player, over the toy game and the real one."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from games_under_test import WITH_SOLO_GAME, GameMaker, pick
from gymnasium.utils.env_checker import check_env as gymnasium_check_env

import chocofactory_env as cf
from chocofactory_env.envs.seat import SeatEnv

ID = "ChocoFactory/FactoryManager-v0"


def play(env: Any, seed: int, observation: Any = None) -> list[Any]:
    """Random legal play to the end of the game under way; everything that came back."""
    rng = np.random.default_rng(seed)
    seen: list[Any] = []
    terminated = False
    while not terminated:
        observation, reward, terminated, truncated, info = env.step(pick(env.unwrapped.action_masks(), rng))
        seen.append((observation.tobytes(), reward, terminated, truncated, info["action_mask"].tobytes(), len(info)))
    return seen


@pytest.mark.parametrize("options", [{}, {"render_mode": "ansi"}])
@pytest.mark.parametrize("reward", ["win", "score", "shaped"])
def test_passes_gymnasiums_check_env(options: dict[str, Any], reward: str) -> None:
    gymnasium_check_env(gymnasium.make(ID, reward=reward, **options).unwrapped)


@pytest.mark.parametrize("make", WITH_SOLO_GAME)
def test_passes_gymnasiums_check_env_over_any_game(make: GameMaker) -> None:
    env = SeatEnv(make(num_players=1))
    env.spec = gymnasium.envs.registration.EnvSpec("Any-v0", entry_point=lambda **_: SeatEnv(make(num_players=1)))
    gymnasium_check_env(env, skip_render_check=True)


def test_passes_check_env_of_stable_baselines3(recwarn: pytest.WarningsRecorder) -> None:
    env_checker = pytest.importorskip("stable_baselines3.common.env_checker")
    recwarn.clear()
    env_checker.check_env(gymnasium.make(ID).unwrapped)
    assert not recwarn.list


@pytest.mark.parametrize("named", [False, True])
def test_maskable_ppo_learns_through_it(named: bool) -> None:
    contrib = pytest.importorskip("sb3_contrib")
    env = cf.name_blocks(gymnasium.make(ID)) if named else gymnasium.make(ID)
    policy = "MultiInputPolicy" if named else "MlpPolicy"
    contrib.MaskablePPO(policy, env, n_steps=64, batch_size=32, n_epochs=1, seed=0, device="cpu").learn(64)


def test_the_module_in_the_id_imports_and_registers() -> None:
    env: Any = gymnasium.make(f"chocofactory_env:{ID}", difficulty=0)
    assert env.unwrapped.game.num_players == 1
    assert env.unwrapped.game.options["difficulty"] == 0


@pytest.mark.parametrize("make", WITH_SOLO_GAME)
def test_an_illegal_action_costs_a_little_by_default(make: GameMaker) -> None:
    env = SeatEnv(make(num_players=1))
    observation, info = env.reset(seed=2)
    before = env.game_state.tobytes()
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    for action in (illegal, np.int64(illegal), -1, env.game.num_actions):
        again, reward, terminated, truncated, told = env.step(action)
        assert isinstance(observation, np.ndarray)
        assert isinstance(again, np.ndarray)
        assert np.array_equal(observation, again)
        assert reward == -0.01
        assert not terminated
        assert not truncated
        assert told["illegal_action"] is True
        assert np.array_equal(told["action_mask"], info["action_mask"])
        assert env.game_state.tobytes() == before
    for no_action in (None, 0.5, np.array([1])):
        with pytest.raises(TypeError, match="integer"):
            env.step(no_action)


@pytest.mark.parametrize("make", WITH_SOLO_GAME)
def test_an_illegal_action_raises_or_ends_the_game_on_request(make: GameMaker) -> None:
    env = SeatEnv(make(num_players=1), illegal_action="raise")
    _, info = env.reset(seed=2)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    before = env.game_state.tobytes()
    with pytest.raises(cf.IllegalActionError):
        env.step(illegal)
    assert env.game_state.tobytes() == before
    env = SeatEnv(make(num_players=1), illegal_action="terminate")
    env.reset(seed=2)
    _, reward, terminated, truncated, info = env.step(illegal)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["illegal_action"] is True
    assert info["action_mask"].all()


@pytest.mark.parametrize("make", WITH_SOLO_GAME)
def test_seeded_resets_repeat_and_others_go_on(make: GameMaker) -> None:
    env = SeatEnv(make(num_players=1))
    env.reset(seed=5)
    assert env.game.seed_of(env.game_state) == 5
    first = play(env, 0)
    env.reset()
    second = env.game.seed_of(env.game_state)
    env.reset(seed=5, options={})
    assert play(env, 0) == first
    env.reset()
    assert env.game.seed_of(env.game_state) == second != 5
    drawn = SeatEnv(make(num_players=1))
    drawn.reset()
    other = SeatEnv(make(num_players=1))
    other.reset()
    assert drawn.game.seed_of(drawn.game_state) != other.game.seed_of(other.game_state)
