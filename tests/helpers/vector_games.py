"""Compare a native vector environment with Gymnasium's `SyncVectorEnv` of single ones, step by step."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv


def assert_same(native: Any, single: Any, where: str) -> None:
    """Assert deep equality of what two vector environments return."""
    if isinstance(single, dict):
        assert set(native) - {"episode", "_episode"} == set(single), where
        for name in single:
            assert_same(native[name], single[name], f"{where}.{name}")
    elif isinstance(single, np.ndarray) and single.dtype == object:
        for row, (one, other) in enumerate(zip(native, single, strict=True)):
            assert_same(one, other, f"{where}[{row}]")
    elif isinstance(single, np.ndarray):
        assert native.shape == single.shape, where
        if single.dtype == np.float64:  # rewards, which are float32 in the batch
            assert np.array_equal(native, single.astype(np.float32)), where
        else:
            assert native.dtype == single.dtype, where
            assert np.array_equal(native, single), where
    else:
        assert native == single, where


def actions_for(masks: np.ndarray, rng: np.random.Generator, illegal: float) -> np.ndarray:
    """Random legal actions, but any action in a share `illegal` of rows."""
    actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
    wild = rng.random(len(actions)) < illegal
    actions[wild] = rng.integers(0, masks.shape[1], wild.sum())
    return actions


def follow(native: VectorEnv[Any, Any, Any], single: VectorEnv[Any, Any, Any], steps: int, illegal: float = 0) -> int:
    """Play both with the same actions; returns the number of games that ended."""
    rng = np.random.default_rng(3)
    mode = native.metadata["autoreset_mode"]
    assert_same(native.reset(seed=11)[0], single.reset(seed=11)[0], "reset")
    ended, masks = 0, native.reset(seed=11)[1]["action_mask"]
    assert_same(masks, single.reset(seed=11)[1]["action_mask"], "reset")
    for step in range(steps):
        actions = actions_for(masks, rng, illegal)
        one, other = native.step(actions), single.step(actions)
        for name, mine, its in zip(("obs", "rewards", "terminations", "truncations", "infos"), one, other, strict=True):
            assert_same(mine, its, f"step {step}: {name}")
        masks, done = one[4]["action_mask"], one[2] | one[3]
        ended += int(done.sum())
        assert np.array_equal(native.action_masks(), masks.astype(bool))  # type: ignore[attr-defined]  # ours has them
        if mode == AutoresetMode.DISABLED and done.any():
            given = native.reset(options={"reset_mask": done.copy()})
            its = single.reset(options={"reset_mask": done.copy()})
            assert_same(given[0], its[0], f"step {step}: reset")
            assert_same(given[1]["action_mask"][done], its[1]["action_mask"][done], f"step {step}: reset")
            masks = given[1]["action_mask"]
        if step % 101 == 100:  # in the middle of a game
            some = np.arange(native.num_envs) == rng.integers(native.num_envs)
            given = native.reset(options={"reset_mask": some.copy()})
            its = single.reset(options={"reset_mask": some.copy()})
            assert_same(given[0], its[0], f"step {step}: reset of {some}")
            masks = given[1]["action_mask"]
            assert_same(masks[some], its[1]["action_mask"][some], f"step {step}: reset of {some}")
    return ended
