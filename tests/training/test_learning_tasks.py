"""Learning tasks: the program that learns them."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from exit_status import status_of

import chocofactory_env as cf
from chocofactory_env.arena import tasks as arena_tasks
from chocofactory_env.arena.curves import read_curves
from chocofactory_env.training import tasks
from chocofactory_env.training.ppo import Learner
from chocofactory_env.training.settings import STOPPED
from chocofactory_env.training.tasks import POINTS

TENTH = 0.1


@pytest.mark.programs
@pytest.mark.parametrize("algorithm", ["ppo_mlp", "ppo_afterstates"])
def test_a_tenth_of_the_budget_beats_random_play(algorithm: str, tmp_path: Path) -> None:
    task = cf.task("first")
    (run,) = tasks.program("first", algorithm, out=tmp_path, share=TENTH).runs
    assert len(run.points) == POINTS
    assert run.points[-1].decisions <= TENTH * task.budget
    assert run.points[-1].low > 0.5 > task.figure(task.evaluate("random")).low
    networks = sorted((tmp_path / f"first-{algorithm}-0").glob("*.safetensors"))
    assert {int(network.stem) for network in networks} == {point.decisions for point in run.points}


def test_curves_and_networks_that_are_there_are_not_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena_tasks, "DEALS", range(900_000, 900_003))
    words = ("first", "ppo_mlp", "--out", tmp_path, "--share", "0.02")
    assert status_of(tasks.main, *words) == 0
    curves = tmp_path / "first-ppo_mlp.json"
    before = curves.read_bytes()
    monkeypatch.setattr(tasks, "ALGORITHMS", dict.fromkeys(tasks.ALGORITHMS))
    assert status_of(tasks.main, *words) == 0
    assert curves.read_bytes() == before
    curves.unlink()
    assert status_of(tasks.main, *words) == 0
    assert curves.read_bytes() == before


def test_a_stopped_learner_goes_on_as_if_it_had_not_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(arena_tasks, "DEALS", range(900_000, 900_003))
    words = ("first", "ppo_mlp", "--share", 0.06)
    assert status_of(tasks.main, *words, "--out", tmp_path / "whole") == 0
    iterate = Learner.iterate

    def stopped(self: Learner) -> dict[str, float]:
        signal.raise_signal(signal.SIGINT)
        return iterate(self)

    monkeypatch.setattr(Learner, "iterate", stopped)
    for _ in range(2):
        assert status_of(tasks.main, *words, "--out", tmp_path / "parts") == STOPPED
        assert "run the same command again to resume" in capsys.readouterr().err
    monkeypatch.setattr(Learner, "iterate", iterate)
    assert status_of(tasks.main, *words, "--out", tmp_path / "parts") == 0
    whole, parts = (read_curves(tmp_path / out / "first-ppo_mlp.json").runs[0] for out in ("whole", "parts"))
    assert len(whole.points) > 1
    assert parts.points == whole.points
