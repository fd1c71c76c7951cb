"""The PettingZoo environment, over the toy game and the real one."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pettingzoo.test
import pytest
from games_under_test import GAMES, GameMaker, pick, toy, with_players
from pettingzoo.test import api_test, seed_test
from pettingzoo.test.state_test import test_state as check_state  # under another name: pytest collects `test_…`
from pettingzoo.utils.average_total_reward import average_total_reward
from pettingzoo.utils.conversions import aec_to_parallel, turn_based_aec_to_parallel

import chocofactory_env as cf
from chocofactory_env import candyfactory_v0, chocofactory_v0, schoko_v0
from chocofactory_env.envs.aec import AECGameEnv
from chocofactory_env.envs.common import NotResetError

# These two ask for an observation that is a bare array, which no environment with an action mask has.
# And it resets with an option that no environment has.
UNAVOIDABLE = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    r"reset\(options=...\) ignores 'options'",
)


def last_observation(env: AECGameEnv) -> dict[str, Any]:
    observation = env.last()[0]
    assert observation is not None
    return observation


def play(env: AECGameEnv, seed: int, steps: int | None = None) -> list[Any]:
    """Random legal play; everything that was seen."""
    rng = np.random.default_rng(seed)
    seen: list[Any] = []
    for agent in env.agent_iter(10**6 if steps is None else steps):
        observation, reward, terminated, truncated, info = env.last()
        assert observation is not None
        seen.append((agent, observation["observation"].tobytes(), observation["action_mask"].tobytes(), reward))
        seen.append((terminated, truncated, str(info)))
        env.step(None if terminated or truncated else pick(observation["action_mask"], rng))
    return seen


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


# Of the tests of PettingZoo those that do not pass, and how they fail: docs/libraries.md says why.
NOT_APPLICABLE: dict[str, tuple[Callable[[Callable[..., AECGameEnv]], Any], type[Exception], str]] = {
    "state_test": (lambda make: check_state(make(), 10), NotImplementedError, "state"),
    "max_cycles_test": (lambda make: pettingzoo.test.max_cycles_test(chocofactory_v0), TypeError, "max_cycles"),
    "parallel_api_test": (lambda make: pettingzoo.test.parallel_api_test(make()), TypeError, "unpack"),
    "parallel_seed_test": (
        lambda make: pettingzoo.test.parallel_seed_test(lambda: turn_based_aec_to_parallel(chocofactory_v0.env())),
        cf.IllegalActionError,
        "illegal action",
    ),
    "bombardment_test": (lambda make: pettingzoo.test.bombardment_test(make(), 5), AttributeError, "shape"),
    "aec_to_parallel": (lambda make: aec_to_parallel(make()), AssertionError, "not generally safe"),
}


@pytest.mark.filterwarnings("ignore")  # PettingZoo's, about observations that are dictionaries
@pytest.mark.parametrize("name", NOT_APPLICABLE)
def test_pettingzoos_tests_that_do_not_apply_fail_as_the_page_on_libraries_says(name: str) -> None:
    run, error, match = NOT_APPLICABLE[name]
    with pytest.raises(error, match=match):
        run(lambda **options: AECGameEnv(toy(num_players=3), **options))


def test_pettingzoos_other_tests_do_what_they_can(capsys: pytest.CaptureFixture[str]) -> None:
    env = AECGameEnv(toy(num_players=3))
    pettingzoo.test.test_save_obs(env)
    assert "did not save the observations" in capsys.readouterr().out
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about observations that are dictionaries
        pettingzoo.test.parallel_api_test(turn_based_aec_to_parallel(env))


@pytest.mark.parametrize(
    ("module", "name"),
    [(chocofactory_v0, "ChocolateFactory"), (candyfactory_v0, "CandyFactory"), (schoko_v0, "Schoko")],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_the_three_routes_make_the_same_environment(module: Any, name: str) -> None:
    envs = [module.env(num_players=3), module.raw_env(num_players=3)]
    if hasattr(pettingzoo, "make"):  # from 1.27 on
        envs.append(pettingzoo.make("aec", f"ChocoFactory/{name}-v0", num_players=3))
    for env in envs:
        env.reset(seed=5)
        assert type(env) is AECGameEnv
        assert env.game.num_players == 3
        assert not env.metadata["is_parallelizable"]
    assert len({str(play(env, 1)) for env in envs}) == 1


def test_agents_are_counted_after_a_reset() -> None:
    env = AECGameEnv(toy(num_players=2))
    assert env.max_num_agents == 2
    with pytest.raises(NotResetError, match=r"^no game is under way: call reset\(\) before using num_agents$"):
        env.num_agents  # noqa: B018
    env.reset(seed=1)
    assert env.num_agents == 2
    with pytest.raises(AttributeError, match="no attribute 'num_nonsense'"):
        env.num_nonsense  # noqa: B018


@pytest.mark.parametrize("module", [chocofactory_v0, candyfactory_v0, schoko_v0])
def test_pettingzoo_averages_rewards_of_actions_without_masks(module: Any) -> None:
    env = module.env(illegal_action="terminate")
    assert -1 <= average_total_reward(env, max_episodes=20) < 0


def test_before_the_first_reset_everything_says_so() -> None:
    env = AECGameEnv(toy())
    for what in (lambda: env.agent_selection, env.last, lambda: env.observe("player_0"), lambda: env.agents):
        with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
            what()
    with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
        env.step(0)
    assert not hasattr(env, "agents")
    with pytest.raises(AttributeError, match="nonsense"):
        _ = env.nonsense


def test_after_the_end_everything_says_so() -> None:
    env = AECGameEnv(toy(num_players=2, rounds=1))
    env.reset(seed=1)
    while env.agents:
        seen, _, over, _, _ = env.last()
        assert seen is not None
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
