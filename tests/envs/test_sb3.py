"""The native batch as a `VecEnv` of Stable-Baselines3: the same games as its `DummyVecEnv`, and training on it."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from games_under_test import pick

sb3 = pytest.importorskip("stable_baselines3")
from sb3_contrib import MaskablePPO  # noqa: E402 - after it is known to be there
from sb3_contrib.common.maskable.evaluation import evaluate_policy  # noqa: E402
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported  # noqa: E402
from stable_baselines3.common.callbacks import EvalCallback  # noqa: E402
from stable_baselines3.common.env_util import make_vec_env  # noqa: E402
from stable_baselines3.common.monitor import Monitor  # noqa: E402
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor  # noqa: E402

import chocofactory_env as cf  # noqa: E402
from chocofactory_env.envs.sb3 import BatchVecEnv  # noqa: E402

SOLO, VERSUS = "ChocoFactory/FactoryManager-v0", "ChocoFactory/Versus-v0"


@pytest.mark.parametrize(
    ("name", "options", "illegal"),
    [
        (SOLO, {"reward": "shaped"}, 0.02),
        (VERSUS, {"num_players": 3, "reward": "rank"}, 0),
        (SOLO, {"max_episode_steps": 6, "illegal_action": "terminate"}, 0.1),
    ],
)
def test_it_plays_what_dummy_vec_env_plays(name: str, options: dict[str, Any], illegal: float) -> None:
    native: Any = BatchVecEnv(name, 3, **options)
    single: Any = DummyVecEnv([lambda: gymnasium.make(name, **options)] * 3)
    for env in (native, single):
        env.seed(4)
    assert native.observation_space == single.observation_space
    assert native.action_space == single.action_space
    assert np.array_equal(native.reset(), single.reset())
    rng, ended = np.random.default_rng(0), 0
    for _ in range(350):
        masks = get_action_masks(native)
        assert np.array_equal(masks, get_action_masks(single))
        actions = np.array([pick(1 - mask if rng.random() < illegal else mask, rng) for mask in masks])
        one, other = native.step(actions), single.step(actions)
        assert all(np.array_equal(mine, its) for mine, its in zip(one[:3], other[:3], strict=True))
        for done, mine, its in zip(one[2], one[3], other[3], strict=True):
            if not done:
                assert mine == ({"illegal_action": True} if its["illegal_action"] else {})
                continue
            ended += 1
            assert mine.keys() == its.keys()
            assert all(np.array_equal(mine[key], its[key]) for key in its)
    assert ended > 2


def test_an_evaluation_of_a_policy_without_masks_ends() -> None:
    """Such a policy may repeat an illegal action forever."""
    games = VecMonitor(BatchVecEnv(SOLO, 2, max_episode_steps=40))
    callback = EvalCallback(games, n_eval_episodes=3, eval_freq=8, verbose=0)
    model = sb3.PPO("MlpPolicy", VecMonitor(BatchVecEnv(SOLO, 2)), n_steps=8, batch_size=16, n_epochs=1, seed=0)
    model.learn(32, callback=callback)
    assert np.isfinite(callback.last_mean_reward)


def test_maskable_ppo_trains_on_it_directly() -> None:
    env = VecMonitor(BatchVecEnv(SOLO, 16, reward="shaped"))
    assert is_masking_supported(env)
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=128, n_epochs=1, seed=0)
    before = model.policy.state_dict()["action_net.weight"].clone()
    model.learn(1536)  # 96 steps of every row, so that games end
    assert not bool((before == model.policy.state_dict()["action_net.weight"]).all())
    assert model.ep_info_buffer  # episode statistics arrive
    returns, lengths = evaluate_policy(model, env, n_eval_episodes=2, return_episode_rewards=True)
    assert isinstance(returns, list)
    assert isinstance(lengths, list)
    assert len(returns) == 2
    assert min(lengths) > 10


def test_attributes_and_methods_are_the_batchs() -> None:
    env = BatchVecEnv(SOLO, 3)
    assert env.get_attr("num_envs", indices=[0, 2]) == [3, 3]
    env.set_attr("note", 5)
    batch: Any = env.env
    assert batch.note == 5
    with pytest.raises(ValueError, match="share"):
        env.set_attr("note", 6, indices=[0])
    env.reset()
    assert len(env.env_method("action_masks", indices=[1])) == 1
    for indices, number in ((None, 3), ([2], 1)):
        states = env.env_method("state", 1, indices=indices)
        assert [batch.game.seed_of(state) for state in states] == [batch.game.seed_of(batch.state(1))] * number
        assert env.env_method("game_of", 1, indices=indices) == [batch.game] * number
    assert env.env_method("set_options", {}) == [None] * 3
    with pytest.raises(ValueError, match="set_options: the games of a batch share it; set it for all 3, not for"):
        env.env_method("set_options", {}, indices=[1])
    assert env.env_method("close", indices=[0, 1]) == [None, None]
    assert env.env_is_wrapped(Monitor) == [False] * 3
    env.close()


def test_maskable_ppo_learns_from_blocks_by_name() -> None:
    env = cf.name_blocks(gymnasium.make(SOLO))
    MaskablePPO("MultiInputPolicy", env, n_steps=64, batch_size=32, n_epochs=1, seed=0, device="cpu").learn(64)


def two_games(**options: Any) -> Any:
    return gymnasium.make_vec(SOLO, 2, **options)


def test_options_and_pictures_are_those_of_the_batch() -> None:
    env: Any = BatchVecEnv(SOLO, 3, difficulty=[0, 1], render_mode="rgb_array")
    env.set_options({"difficulty": 1})
    env.seed(1)
    env.reset()
    assert [info["difficulty"] for info in env.reset_infos] == [1, 1, 1]
    assert [image.shape[2] for image in env.get_images()] == [3, 3, 3]
    assert env.render().ndim == 3
    env.set_options([{"difficulty": 0}, {"difficulty": 1}, {}])
    with pytest.raises(ValueError, match=r"^set_options: the games of a batch share their options, got"):
        env.reset()
    env.set_options({"nonsense": 1})
    with pytest.raises(TypeError, match="nonsense"):
        env.reset()


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="SAME_STEP"):
        BatchVecEnv(two_games())
    with pytest.raises(TypeError, match="native"):
        BatchVecEnv(two_games(vectorization_mode="sync"))
    with pytest.raises(TypeError, match="num_envs"):
        BatchVecEnv(two_games(autoreset_mode="SameStep"), num_envs=2)


@pytest.mark.parametrize("name", [SOLO, VERSUS])
def test_an_environment_by_its_id_is_made_and_learned_in(name: str) -> None:
    """SB3 asks for pictures first, and falls back on a TypeError alone."""
    model = MaskablePPO("MlpPolicy", name, n_steps=32, batch_size=16, n_epochs=1, seed=0, device="cpu")
    model.learn(64)
    assert model.num_timesteps == 64
    env: Any = model.env
    assert env.render_mode == "rgb_array"
    assert env.envs[0].render().shape == (800, 1280, 3)


@pytest.mark.parametrize("kwargs", [None, {"render_mode": None}, {"render_mode": "ansi", "reward": "shaped"}])
def test_make_vec_env_takes_the_ids(kwargs: dict[str, Any] | None) -> None:
    env = make_vec_env(SOLO, n_envs=2, seed=0, env_kwargs=kwargs)
    assert env.render_mode == ("rgb_array" if kwargs is None else kwargs["render_mode"])
    MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=32, n_epochs=1, seed=0, device="cpu").learn(64)
    env.close()
