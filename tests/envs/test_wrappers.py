"""Wrappers that show some blocks, and blocks by name, alone and with Gymnasium's own, over one environment and many."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from games_under_test import pick
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import FlattenObservation, FrameStackObservation

import chocofactory_env as cf
from chocofactory_env import schoko_v0

IDS = ["ChocoFactory/FactoryManager-v0", "ChocoFactory/SchokoVersus-v0"]
SOME = {"ChocoFactory/FactoryManager-v0": ["coal", "phase", "money"], "ChocoFactory/SchokoVersus-v0": ["cash", "bids"]}
STEPS = 60


def assert_blocks(named: Any, whole: np.ndarray, layout: Any, blocks: list[str]) -> None:
    expected = layout.views(whole)
    assert list(named) == [block.name for block in layout.blocks if block.name in blocks]
    for name, block in named.items():
        assert np.array_equal(block, expected[name])


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_many_environments_show_blocks_by_name(name: str, mode: AutoresetMode) -> None:
    options: dict[str, Any] = {"autoreset_mode": mode, "max_episode_steps": 9}
    plain, env = (gymnasium.make_vec(name, 3, **options) for _ in range(2))
    layout: Any = plain.unwrapped.observation_layout  # type: ignore[attr-defined]  # ours has it
    env = cf.show_blocks(env, SOME[name])
    chosen = env.observation_layout
    assert chosen.size == sum(block.size for block in layout.blocks if block.name in SOME[name]) < layout.size
    env = cf.name_blocks(env)
    (whole, infos), (named, _) = plain.reset(seed=3), env.reset(seed=3)
    rng, finals = np.random.default_rng(1), 0
    for _ in range(STEPS):
        assert env.observation_space.contains(named)
        assert_blocks(named, whole, layout, SOME[name])
        actions = np.array([pick(mask, rng) for mask in infos["action_mask"]])
        (whole, *_, infos), (named, *_, told) = plain.step(actions), env.step(actions)
        for row in np.flatnonzero(told.get("_final_obs", ())):
            finals += 1
            assert_blocks(told["final_obs"][row], infos["final_obs"][row], layout, SOME[name])
            assert env.single_observation_space.contains(told["final_obs"][row])
    assert bool(finals) == (mode is AutoresetMode.SAME_STEP)


def test_frames_are_gymnasiums_and_have_names_too() -> None:
    one = gymnasium.make(IDS[0])
    layout: Any = one.get_wrapper_attr("observation_layout")
    assert [*cf.name_blocks(one).reset(seed=1)[0]] == [block.name for block in layout.blocks]
    frames = FrameStackObservation(cf.show_blocks(one, ["money", "coal"]), 4, padding_type="zero")
    env = cf.name_blocks(frames)
    seen, info = env.reset(seed=1)
    assert {name: block.shape[0] for name, block in seen.items()} == {"money": 4, "coal": 4}
    assert not seen["money"][:3].any()
    before = seen["money"][3].copy()
    seen = env.step(int(info["action_mask"].argmax()))[0]
    assert np.array_equal(seen["money"][2], before)
    assert env.observation_space.contains(seen)


@pytest.mark.parametrize(
    ("names", "error", "match"),
    [
        (["mony"], ValueError, r"blocks: no block is named 'mony' \(did you mean 'money'\?\); blocks are: "),
        (["money", "money"], ValueError, "blocks: 'money' is named twice"),
        ([], ValueError, "blocks: expected one or more names, got none"),
        ("money", TypeError, "blocks: expected names in a list, got 'money'"),
    ],
)
def test_blocks_that_there_are_not(names: Any, error: type[Exception], match: str) -> None:
    for env in (gymnasium.make(IDS[0]), gymnasium.make_vec(IDS[0], 2)):
        with pytest.raises(error, match=match):
            cf.show_blocks(env, names)


@pytest.mark.parametrize("show", [cf.name_blocks, lambda env: cf.show_blocks(env, ["money"])])
def test_other_observations_are_refused(show: Any) -> None:
    one = gymnasium.make(IDS[0])
    flat_frames = FlattenObservation(FrameStackObservation(one, 2, padding_type="zero"))
    for env, found in (
        (flat_frames, r"Box\(0.0, 1.0, \(1474,\), float32\)"),
        (cf.name_blocks(one), "Dict"),
        (cf.name_blocks(gymnasium.make_vec(IDS[0], 2)), "Dict"),
    ):
        with pytest.raises(TypeError, match=rf"^env: expected observations \(\.\.\., 737\), got {found}"):
            show(env)


@pytest.mark.parametrize(
    "make",
    [
        lambda: gymnasium.make_vec(IDS[0], 2, vectorization_mode="sync"),
        lambda: gymnasium.make("CartPole-v1"),
        schoko_v0.env,
    ],
)
def test_other_environments_are_refused(make: Any) -> None:
    with pytest.raises(TypeError, match=r"^env: expected a Gymnasium or native vector environment of this package"):
        cf.name_blocks(make())
