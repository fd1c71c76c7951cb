"""Infos of one seat have the same keys, kinds, and shapes at every step, so recorders such as Minari's take them."""

from __future__ import annotations

import gc
from pathlib import Path
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


@pytest.mark.parametrize("name", ONE_SEAT)
@pytest.mark.parametrize("data_format", ["hdf5", "arrow"])
@pytest.mark.filterwarnings("ignore:Implicitly cleaning up:ResourceWarning")  # Minari leaves its temporary folders
def test_minari_records_infos(name: str, data_format: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    minari = pytest.importorskip("minari")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    made = gymnasium.make(name, decks=["generated:5", None], max_episode_steps=30)
    env = minari.DataCollector(made, record_infos=True, data_format=data_format)
    sample, told = cf.LegalSampler(1), []
    for seed in range(2):
        _, info = env.reset(seed=seed)
        told.append([info])
        over = False
        while not over:
            *_, terminated, over, info = env.step(sample.one(info["action_mask"]))
            over = over or terminated
            told[-1].append(info)
    given = dict.fromkeys(("algorithm_name", "author", "author_email", "code_permalink", "description"), "test")
    dataset = env.create_dataset("chocofactory/test-v0", eval_env=name, ref_min_score=0.0, **given)
    for episode, infos in zip(dataset, told, strict=True):
        assert set(episode.infos) == set(infos[0])
        for key in ("action_mask", "score", "won"):
            np.testing.assert_array_equal(episode.infos[key], [each[key] for each in infos])
        assert {str(deck, "utf-8") if isinstance(deck, bytes) else deck for deck in episode.infos["deck"]} == {
            infos[0]["deck"]
        }
    del env
    gc.collect()  # while that warning is ignored
