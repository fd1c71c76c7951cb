"""Learning curves on tasks: what their files must hold, aggregates over seeds, and the page that is made of them."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import numpy as np
import pytest
from refusals import change
from repository import ROOT

import chocofactory_env as cf
from chocofactory_env.arena import curves
from chocofactory_env.arena.curves import Curve, CurvesError, Point

TASK = cf.task("first")
LATE = "runs.{}.points.1.decisions = 500001"


def run(seed: int, *values: float, seconds: float | None = 1.5) -> Curve:
    """A run with a point at each 1,000 decisions."""
    points = [
        Point(1000 * (place + 1), 200, round(200 * value), 50.0, value, max(0.0, value - 0.1), min(1.0, value + 0.1))
        for place, value in enumerate(values)
    ]
    return Curve(seed, seconds, {"python": "3.11"}, points)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = curves.no_curves(TASK, "mine").with_run(run(1, 0.5, 0.7)).with_run(run(0, 0.4, 0.9, seconds=None))
    found.write(tmp_path / "curves.json")
    return tmp_path / "curves.json"


def test_runs_are_kept_by_seed_and_read_again(path: Path) -> None:
    read = curves.read_curves(path)
    assert [each.seed for each in read.runs] == [0, 1]
    again = read.with_run(run(1, 0.1, 0.2))
    assert [each.points[-1].value for each in again.runs] == [0.9, 0.2]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ('task = "first"', "task: expected one of first-v1, .*, got 'first'"),
        ('deck = "0000"', "expected the present deck and rules"),
        ("runs.0.seed = -1", r"runs\[0\]\.seed: expected"),
        ("runs.1.points.0.decisions = 7", r"runs\[1\]: expected the decisions of the first run"),
        (f"{LATE.format(0)} ; {LATE.format(1)}", "within the budget of 500,000"),
        ("runs.0.points.0.wins = 201", r"runs\[0\]: expected at most all games won"),
        ("runs.0.points.0.value = 0.95", "a value in its interval"),
        ("runs.0.pionts = []", "pionts"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_with_its_place(path: Path, changes: str, said: str) -> None:
    path.write_text(json.dumps(change(json.loads(path.read_text("utf-8")), changes)), "utf-8")
    with pytest.raises(CurvesError, match=rf"curves\.json.*{said}"):
        curves.read_curves(path)


def test_an_interquartile_mean_leaves_out_the_best_and_the_worst_of_five() -> None:
    values = np.array([[0.0, 5.0], [1.0, 5.0], [2.0, 5.0], [3.0, 5.0], [100.0, 5.0]])
    (first, constant) = curves.interquartile(values)
    assert first[0] == 2
    assert 0 <= first[1] < 2 < first[2] <= 100
    assert constant.tolist() == [5, 5, 5]


def test_one_seed_has_the_interval_of_its_games_and_several_that_of_the_seeds(path: Path) -> None:
    both = curves.read_curves(path)
    one = msgspec.structs.replace(both, runs=both.runs[:1])
    assert curves.along(one)[-1].tolist() == pytest.approx([0.9, 0.8, 1.0])
    assert curves.along(both)[-1].tolist() == pytest.approx([0.8, 0.7, 0.9])


def test_the_page_shows_the_committed_results() -> None:
    page = (ROOT / "docs" / "tasks.md").read_text("utf-8").splitlines()
    lines = curves.table()
    assert len(lines) > 2
    at = page.index(lines[0])
    assert page[at : at + len(lines)] == lines


def test_the_plot_shows_every_curve(tmp_path: Path) -> None:
    curves.draw(tmp_path / "curves.svg")
    drawn = (tmp_path / "curves.svg").read_text("utf-8")
    names = {each.algorithm for each in curves.committed()} | {"decisions of training"}
    assert all(f"<!-- {name} -->" in drawn for name in names)
