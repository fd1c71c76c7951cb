"""The Gymnasium environment of one player, over the toy game and the real one."""

from __future__ import annotations

from typing import Any

import gymnasium
import pytest
from games_under_test import WITH_SOLO_GAME, GameMaker
from gymnasium.utils.env_checker import check_env as gymnasium_check_env

import chocofactory_env as cf
from chocofactory_env.envs.seat import SeatEnv

ID = "ChocoFactory/FactoryManager-v0"


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
