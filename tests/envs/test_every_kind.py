"""What every kind of environment and batch refuses: a step after `close`, seeds that are none, options at a reset."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from games_under_test import toy
from gymnasium.error import ClosedEnvironmentError

import chocofactory_env as cf
from chocofactory_env.envs.aec import AECGameEnv
from chocofactory_env.envs.parallel import ParallelGameEnv

REST = toy().action_layout.encode("rest")
OF_ONE = {"num_players": 1, "rounds": 2}
OF_TWO = {"num_players": 2, "rounds": 2}
# What is made, and an action that it takes.
MAKERS: dict[str, tuple[Callable[[], Any], Any]] = {
    "AEC": (lambda: AECGameEnv(toy(**OF_TWO)), REST),
    "parallel": (lambda: ParallelGameEnv(toy(**OF_TWO)), {"player_0": REST, "player_1": REST}),
    "solo": (lambda: gymnasium.make("ChocoFactory/FactoryManager-v0", name=toy(**OF_ONE)), REST),
    "versus": (lambda: gymnasium.make("ChocoFactory/Versus-v0", name=toy(**OF_TWO)), REST),
    "solo, many": (lambda: gymnasium.make_vec("ChocoFactory/FactoryManager-v0", 2, name=toy(**OF_ONE)), [REST, REST]),
    "versus, many": (lambda: gymnasium.make_vec("ChocoFactory/Versus-v0", 2, name=toy(**OF_TWO)), [REST, REST]),
    "batch": (lambda: cf.SelfPlayBatch(toy(**OF_TWO), 2), [REST, REST]),
    "joint batch": (lambda: cf.ParallelBatch(toy(**OF_TWO), 2), [[REST, REST]] * 2),
}


def position_of(env: Any) -> bytes:
    whole: Any = env.unwrapped if isinstance(env, gymnasium.Env | gymnasium.vector.VectorEnv) else env
    positions: bytes = (whole._batch.states if hasattr(whole, "_batch") else whole.game_state).tobytes()
    return positions


@pytest.mark.parametrize("kind", MAKERS)
def test_what_is_no_seed_is_refused_and_changes_nothing(kind: str) -> None:
    env = MAKERS[kind][0]()
    env.reset(seed=4)
    before = position_of(env)
    for seed, error in ((True, TypeError), (1.5, TypeError), ("1", TypeError), (-1, ValueError)):
        with pytest.raises(error, match="seed"):
            env.reset(seed=seed)
        assert position_of(env) == before
    env.reset(seed=np.uint32(4))  # NumPy's integers are taken too
    assert position_of(env) == before


@pytest.mark.parametrize("kind", MAKERS)
def test_a_reset_refuses_options_of_the_environment_and_changes_nothing(kind: str) -> None:
    env = MAKERS[kind][0]()
    env.reset(seed=4)
    before = position_of(env)
    for key, value in (("num_players", 3), ("reward", "win")):
        with pytest.raises(
            TypeError, match=rf"'{key}', which is an option of the environment: make\w*\(..., {key}=...\)"
        ):
            env.reset(seed=1, options={key: value})
    assert position_of(env) == before


def test_an_aec_environment_warns_of_options_that_it_ignores_and_others_refuse_them() -> None:
    env = MAKERS["AEC"][0]()
    with pytest.warns(UserWarning, match=r"reset\(options=...\) ignores 'options': it takes no options"):
        env.reset(seed=1, options={"options": 1})  # as `api_test` does
    env.reset(seed=1, options={"options": 1})  # once is enough: a warning is an error in these tests
    assert env.game.seed_of(env.game_state) == 1
    with pytest.raises(TypeError, match="unknown key 'nonsense'; reset"):
        MAKERS["solo"][0]().reset(options={"nonsense": 2})


@pytest.mark.parametrize("kind", MAKERS)
def test_nothing_goes_on_after_close(kind: str) -> None:
    make, action = MAKERS[kind]
    env = make()
    env.reset(seed=1)
    env.close()
    env.close()  # again is harmless
    actions = np.array(action) if isinstance(action, list) else action
    with pytest.raises(ClosedEnvironmentError, match=r"step\(\): the environment has been closed; make a new one"):
        env.step(actions)
    with pytest.raises(ClosedEnvironmentError, match=r"reset\(\): the environment has been closed"):
        env.reset(seed=1)
    unplayed = make()
    unplayed.close()
    with pytest.raises(ClosedEnvironmentError, match="closed"):
        unplayed.reset(seed=1)


def test_a_closed_batch_takes_no_snapshot_back() -> None:
    batch = cf.SelfPlayBatch(toy(**OF_TWO), 2)
    batch.reset(seed=1)
    snapshot = batch.snapshot()
    batch.close()
    with pytest.raises(ClosedEnvironmentError, match=r"restore\(\)"):
        batch.restore(snapshot)


def test_a_closed_aec_environment_shows_nothing_more() -> None:
    env = AECGameEnv(toy(**OF_TWO))
    env.reset(seed=1)
    env.close()
    for name, call in (("last", env.last), ("observe", lambda: env.observe("player_0"))):
        with pytest.raises(ClosedEnvironmentError, match=rf"{name}\(\): the environment has been closed"):
            call()


@pytest.mark.parametrize("kind", [kind for kind in MAKERS if "batch" not in kind])
def test_render_without_a_mode_says_which_there_are(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    warned: list[str] = []
    monkeypatch.setattr(gymnasium.logger, "warn", warned.append)
    env = MAKERS[kind][0]().unwrapped
    env.reset(seed=1)
    assert env.render() is None
    expected = "expected render_mode to be one of 'ansi', 'rgb_array', 'human', got None"
    assert warned == [f"{type(env).__name__}.render() without a render mode: {expected}"]
