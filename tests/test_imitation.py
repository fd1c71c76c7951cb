"""Imitation and expert iteration: what an agent does is learned, and a run goes on as if never stopped."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

import chocofactory_env as cf
from agents.dataset import Export, write_dataset
from agents.protocol import decide, make_agent
from training import expert_iteration, imitate
from training.runs import LAST, read_metrics

SMALL = {"kind": "entity", "width": 8, "trunk": 32}
IMITATE = imitate.Config(network=SMALL, epochs=3, minibatch=64, learning_rate=3e-3, evaluate_deals=0, threads=1)
ITERATE = expert_iteration.Config(
    network=SMALL, expert="planner:width=4", rounds=2, games=2, minibatch=64, evaluate_deals=1, threads=1, processes=1
)


def data(folder: Path, players: int, deals: int) -> Path:
    export = Export(partial(cf.load, "chocofactory", num_players=players), ("greedy",) * players, range(deals))
    write_dataset(folder, export, progress=False)
    return folder


def same(one: Path, other: Path) -> None:
    lines = [
        [{name: value for name, value in line.items() if name != "decisions_per_s"} for line in read_metrics(folder)]
        for folder in (one, other)
    ]
    assert lines[0] == lines[1]
    tensors, others = load_file(one / LAST), load_file(other / LAST)
    assert all(torch.equal(tensor, others[name]) for name, tensor in tensors.items())


def stop_at(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Ctrl-C in the middle of a pass over the data."""
    learn = imitate.Imitator.learn
    passes = 0

    def stopped(imitator: imitate.Imitator, progress: bool) -> dict[str, float]:
        nonlocal passes
        passes += 1
        if passes == number:
            raise KeyboardInterrupt
        return learn(imitator, progress)

    monkeypatch.setattr(imitate.Imitator, "learn", stopped)


def test_imitation_comes_to_do_as_the_agent_does(tmp_path: Path) -> None:
    folders = [data(tmp_path / str(players), players, 6 // players) for players in (2, 3)]
    lessons = [imitate.Lessons.of(imitate.read_dataset(folder), IMITATE) for folder in folders]
    before = imitate.Imitator(IMITATE, lessons)._held_out()
    imitate.imitate(IMITATE, folders, tmp_path / "run", progress=False)
    after = read_metrics(tmp_path / "run")[-1]
    assert after["held_out/loss"] < 0.8 * before["held_out/loss"]
    assert after["held_out/agreed"] > before["held_out/agreed"] + 0.1


def test_imitation_goes_on_to_the_same_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = data(tmp_path / "data", 1, 4)
    imitate.imitate(IMITATE, [folder], tmp_path / "whole", progress=False)
    with monkeypatch.context() as patch:
        stop_at(patch, 3)
        with pytest.raises(KeyboardInterrupt):
            imitate.imitate(IMITATE, [folder], tmp_path / "parts", progress=False)
    imitate.imitate(IMITATE, [folder], tmp_path / "parts", resume=True, progress=False)
    same(tmp_path / "whole", tmp_path / "parts")


def test_held_out_deals_are_not_learned_from(tmp_path: Path) -> None:
    lessons = imitate.Lessons.of(imitate.read_dataset(data(tmp_path / "data", 1, 5)), replace(IMITATE, held_out=0.2))
    rows = np.concatenate([lessons.learned, lessons.held_out])
    assert np.array_equal(np.sort(rows), np.arange(len(lessons.actions)))
    assert 0.1 < len(lessons.held_out) / len(rows) < 0.35


# --- expert iteration


def test_the_expert_is_asked_about_every_choice_of_the_network(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    expert_iteration.iterate(replace(ITERATE, rounds=1, experts_share=0.0), folder, progress=False)
    lesson = expert_iteration.Lesson("{}", "planner:width=4", folder / LAST, experts_share=0.0)
    record = lesson((31_000_000, 1))
    game = cf.load("chocofactory", num_players=1)
    state = game.new(seed=31_000_000)
    learner = expert_iteration.LearnedAgent(game, folder / LAST, sample=True)
    learner.reset(expert_iteration.agent_seed(31_000_000, 1, 0))
    row = differ = 0
    while not game.is_over(state):
        mask = game.legal_mask(state)
        if mask.sum() == 1:
            game.apply(state, int(mask.argmax()))
            continue
        raw = np.empty(game.observation_layout.size, np.uint8)
        game.write_raw_observation(state, 0, raw)  # type: ignore[attr-defined]
        assert np.array_equal(record["raw"][row], raw)
        assert np.array_equal(record["masks"][row], mask)
        asked: Any = make_agent("planner:width=4", game)
        assert record["actions"][row] == decide(game, asked, state)
        action = learner(game.observe(state, 0), mask)
        differ += action != record["actions"][row]
        game.apply(state, action)
        row += 1
    assert row == len(record["actions"])
    assert differ > 10
    assert (record["won"] == game.won(state)[0]).all()


def test_expert_iteration_goes_on_to_the_same_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expert_iteration.iterate(ITERATE, tmp_path / "whole", progress=False)
    with monkeypatch.context() as patch:
        stop_at(patch, ITERATE.epochs + 1)
        with pytest.raises(KeyboardInterrupt):
            expert_iteration.iterate(ITERATE, tmp_path / "parts", progress=False)
    expert_iteration.iterate(replace(ITERATE), tmp_path / "parts", resume=True, progress=False)
    same(tmp_path / "whole", tmp_path / "parts")
    assert read_metrics(tmp_path / "whole")[1]["decisions"] > read_metrics(tmp_path / "whole")[0]["decisions"]


def test_recorded_games_are_learned_from_as_well(tmp_path: Path) -> None:
    folder = data(tmp_path / "data", 1, 3)
    config = replace(ITERATE, rounds=1)
    expert_iteration.iterate(config, tmp_path / "alone", progress=False)
    expert_iteration.iterate(config, tmp_path / "more", data=[folder], progress=False)
    alone, more = (read_metrics(tmp_path / run)[0]["decisions"] for run in ("alone", "more"))
    assert more - alone == len(imitate.read_dataset(folder))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"expert": "oracle"}, "unknown agent 'oracle'"),
        ({"players": (1, 2)}, "built for other observations"),
        ({"network": {"kind": "cnn"}}, "unknown network 'cnn'"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_played(
    changed: dict[str, Any], said: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=said):
        expert_iteration.iterate(replace(ITERATE, **changed), tmp_path / "run", progress=False)
    assert not (tmp_path / "run").exists()


def test_a_run_goes_on_with_the_network_that_it_starts_from(tmp_path: Path) -> None:
    config = replace(ITERATE, rounds=1, network={"kind": "entity", "width": 4, "trunk": 8})
    start = expert_iteration.iterate(config, tmp_path / "start", progress=False)
    best = expert_iteration.iterate(replace(ITERATE, rounds=1), tmp_path / "run", start=start, progress=False)
    assert expert_iteration.load_checkpoint(best).about["network"] == config.network


def test_data_with_nothing_to_hold_out_are_refused(tmp_path: Path) -> None:
    folder = data(tmp_path / "data", 1, 1)
    with pytest.raises(imitate.DatasetError, match="decisions of 1 deals: expected some to learn from"):
        imitate.imitate(IMITATE, [folder], tmp_path / "run", progress=False)
    assert not (tmp_path / "run").exists()
