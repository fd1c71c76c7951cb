"""Imitation: what an agent does is learned, and a run goes on as if never stopped."""

from __future__ import annotations

import dataclasses
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from msgspec.structs import replace
from safetensors.torch import load_file

import chocofactory_env as cf
from chocofactory_env.training import imitate
from chocofactory_env.training.dataset import DatasetError, Export, read_dataset, write_dataset
from chocofactory_env.training.runs import LAST, read_metrics

SMALL: dict[str, Any] = {"kind": "afterstates", "width": 8, "trunk": 32}
TIMES = ("decisions_per_s", "seconds", "seconds_of_processors")
QUICK: dict[str, Any] = {"kind": "mlp", "width": 8}  # for what no network changes
IMITATE = imitate.Config(network=QUICK, epochs=3, minibatch=64, learning_rate=3e-3, evaluate_deals=0, threads=1)


def data(folder: Path, players: int, deals: int) -> Path:
    export = Export(partial(cf.load, "chocofactory", num_players=players), ("greedy",) * players, range(deals))
    write_dataset(folder, export, progress=False)
    return folder


def same(one: Path, other: Path) -> None:
    lines = [
        [{name: it for name, it in line.items() if name not in TIMES} for line in read_metrics(folder)]
        for folder in (one, other)
    ]
    assert lines[0] == lines[1]
    tensors, others = load_file(one / LAST), load_file(other / LAST)
    assert tensors.keys() == others.keys()
    assert all(torch.equal(tensor, others[name]) for name, tensor in tensors.items())


def test_imitation_comes_to_do_as_the_agent_does(tmp_path: Path) -> None:
    folders = tuple(data(tmp_path / str(players), players, 6 // players) for players in (2, 3))
    config = replace(IMITATE, network=SMALL)  # it plays any number of players
    lessons = [imitate.Lessons.of(read_dataset(folder), config) for folder in folders]
    before = imitate.Imitator(config, lessons)._held_out()
    imitate.imitate(config, folders, tmp_path / "run", progress=False)
    after = read_metrics(tmp_path / "run")[-1]
    assert after["held_out/loss"] < 0.8 * before["held_out/loss"]
    assert after["held_out/agreed"] > before["held_out/agreed"] + 0.1


def test_imitation_in_slices_goes_on_to_the_same_network(tmp_path: Path) -> None:
    """A slice that is too short for anything is one minibatch."""
    folder, config = data(tmp_path / "data", 1, 3), replace(IMITATE, epochs=2, minibatch=128)
    imitate.imitate(config, (folder,), tmp_path / "whole", progress=False)
    slices, done = 0, False
    while not done:
        try:
            imitate.imitate(config, (folder,), tmp_path / "parts", resume=slices > 0, minutes=0, progress=False)
            done = True
        except KeyboardInterrupt:
            slices += 1
    assert slices > 2
    same(tmp_path / "whole", tmp_path / "parts")


def test_data_of_a_game_that_is_not_registered_are_refused(tmp_path: Path) -> None:
    """A file may come from a stranger, and `cf.load` would call what it names."""
    written = read_dataset(data(tmp_path / "data", 1, 1))
    foreign = dataclasses.replace(written, settings=written.settings | {"game": "types:SimpleNamespace"})
    with pytest.raises(cf.UnknownGameError, match="unknown game 'types:SimpleNamespace'"):
        imitate.Lessons.of(foreign, IMITATE)


def test_the_learning_rate_falls_to_the_end_over_several_data_sets(tmp_path: Path) -> None:
    lessons = imitate.Lessons.of(read_dataset(data(tmp_path / "data", 1, 4)), IMITATE)
    config = replace(IMITATE, epochs=2, minibatch=-(-2 * len(lessons.learned) // 3))  # two of each
    imitator = imitate.Imitator(config, [lessons, lessons])
    for _ in range(config.epochs):
        imitator.learn(progress=False)
    last = config.learning_rate * (1 + np.cos(np.pi * 7 / 8)) / 2  # of eight
    assert imitator.optimiser.param_groups[0]["lr"] == pytest.approx(last)


def test_held_out_deals_are_not_learned_from(tmp_path: Path) -> None:
    lessons = imitate.Lessons.of(read_dataset(data(tmp_path / "data", 1, 5)), replace(IMITATE, held_out=0.2))
    rows = np.concatenate([lessons.learned, lessons.held_out])
    assert np.array_equal(np.sort(rows), np.arange(len(lessons.data)))
    assert 0.1 < len(lessons.held_out) / len(rows) < 0.35


def test_data_with_nothing_to_hold_out_are_refused(tmp_path: Path) -> None:
    folder = data(tmp_path / "data", 1, 1)
    with pytest.raises(DatasetError, match="decisions of 1 deals: expected some to learn from"):
        imitate.imitate(IMITATE, (folder,), tmp_path / "run", progress=False)
    assert not (tmp_path / "run").exists()
