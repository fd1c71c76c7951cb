"""Infos of one seat have the same keys, kinds, and shapes at every step, so recorders such as Minari's take them."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import chocofactory_env as cf

ONE_SEAT = [f"ChocoFactory/{name}-v0" for name in ("FactoryManager", "Versus", "CandyFactoryVersus", "SchokoVersus")]
SETS: dict[str, dict[str, Any]] = {
    "alone": {},
    "decks": {"decks": ["generated:5", None]},
    "ended by an illegal action": {"illegal_action": "terminate"},
    "truncated": {"max_episode_steps": 5},
}


def form(info: dict[str, Any]) -> dict[str, Any]:
    return {name: (type(each), np.shape(each), getattr(each, "dtype", None)) for name, each in info.items()}


@pytest.mark.parametrize("name", ONE_SEAT)
@pytest.mark.parametrize("options", SETS.values(), ids=SETS)
def test_every_step_tells_the_same_things(name: str, options: dict[str, Any]) -> None:
    env = gymnasium.make(name, **options)
    rng, sample, forms = np.random.default_rng(1), cf.LegalSampler(1), []
    for seed in range(3):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            forms.append(form(info))
            illegal = rng.random() < 0.1 and not info["action_mask"].all()
            mask = 1 - info["action_mask"] if illegal else info["action_mask"]
            _, _, terminated, truncated, info = env.step(sample.one(mask))
            assert info["illegal_action"] is illegal
            over = terminated or truncated
        forms.append(form(info))
    assert all(each == forms[0] for each in forms)


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_batches_flag_the_rows_that_are_reset(mode: AutoresetMode) -> None:
    env = gymnasium.make_vec("ChocoFactory/SchokoVersus-v0", 3, months=[6, 8], autoreset_mode=mode)
    _, infos = env.reset(seed=1)
    assert all(infos[f"_{name}"].all() for name in infos if not name.startswith("_"))
    rows = np.array([False, True, False])
    _, infos = env.reset(seed=2, options={"reset_mask": rows, "months": 6})
    names = {name for name in infos if not name.startswith("_")} - {"action_mask"}
    assert all(infos[f"_{name}"].tolist() == rows.tolist() for name in names)
    assert infos["months"].tolist() == [0, 6, 0]
