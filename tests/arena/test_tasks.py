"""Learning tasks: an environment, a budget, and an evaluation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from exit_status import status_of

import chocofactory_env as cf
from chocofactory_env.arena import benchmark, tasks
from chocofactory_env.arena.decks import measured
from chocofactory_env.arena.entries import EntryError, read_entry
from chocofactory_env.arena.match import RESULT
from chocofactory_env.arena.tasks import LearningTask
from chocofactory_env.envs.vector import SeatVectorEnv


@pytest.fixture(autouse=True)
def few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "DEALS", range(900_000, 900_002))


@pytest.mark.parametrize("task", cf.tasks(), ids=lambda each: each.id)
def test_a_task_is_learned_in_its_environments_and_judged(task: LearningTask) -> None:
    env, envs = task.make(), task.make_vec(num_envs=3)
    assert isinstance(envs, SeatVectorEnv)
    for game in (env.get_wrapper_attr("game"), envs.game):
        assert {**game.options, "deck": None} == task.game.options
        assert (game.options["deck"] is not None) == bool(task.unseen)
    size = env.observation_space.shape
    _, infos = envs.reset(seed=7)
    envs.step(infos["action_mask"].argmax(axis=1))

    def first(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        assert observations.shape[1:] == size
        chosen: np.ndarray = masks.argmax(axis=1)
        return chosen

    result = task.evaluate(first, progress=False)
    assert len(result.agents()) == 1 + (task.opponents is not None)
    assert result.agents()[0]["games"] == 2 * task.game.num_players
    figure = task.figure(result)
    assert figure.name == task.primary
    assert figure.low <= figure.value <= figure.high
    assert str(figure).startswith(task.primary)


def test_a_task_over_decks_is_judged_on_others() -> None:
    task = cf.task("decks")
    assert measured(task.unseen)
    assert not measured(task.options["decks"])
    played = task.evaluate("random", progress=False).games["deck"]
    assert set(played) == {"generated:0", "generated:1"}  # two deals


def test_an_agent_is_judged_as_a_match() -> None:
    task = cf.task("first-v1")
    match = cf.play_match(task.game, ["greedy", "random"], range(900_000, 900_002))
    assert task.figure(task.evaluate("greedy")).value == match.agents()[0]["win_rate"] == 1


def test_an_unknown_task_is_refused_with_the_known_ones() -> None:
    with pytest.raises(
        ValueError, match=r"unknown task 'frist'.*did you mean 'first'.*there are: first, duel, duel-planner, decks, "
    ):
        cf.task("frist")


@pytest.fixture
def entry(tmp_path: Path) -> Path:
    words = ("plantation", "--agent", "random", "--seed", 3, "--decisions", 1_000_000, "--name", "Mine")
    assert status_of(benchmark.TASK.run, *words, "--out", tmp_path) == 0
    return tmp_path / RESULT


def test_an_entry_holds_the_task_its_games_and_the_figure(entry: Path) -> None:
    read, task = read_entry(entry), cf.task("plantation")
    assert (read["game"], read["task"], read["protocol"]) == ("candyfactory", "plantation", task.version)
    assert read["learned"] == {"seed": 3, "decisions": 1_000_000}
    expected = task.figure(task.evaluate("random"))
    assert read["figure"] == {**expected._asdict(), "high": round(expected.high, 6)}
    assert str(benchmark.Result(read)).endswith(str(expected))
    assert status_of(benchmark.CHECK.run, entry, "--games", 2) == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"task": "frist"}, "has an unknown task 'frist'"),
        ({"task": "first"}, "is of game 'candyfactory'; the task first is of chocofactory"),
        ({"protocol": 1}, "is of protocol 1"),
        ({"learned": {"seed": 3, "decisions": 1_000_001}}, "learned from 1,000,001 decisions; the budget .* 1,000,000"),
        ({"figure": {"name": "won", "value": 0.5, "low": 0.0, "high": 1.0}}, "does not follow from its games: figure"),
        ({"figure": None}, "figure"),
    ],
)
def test_an_entry_that_does_not_fit_is_refused(entry: Path, change: dict[str, Any], said: str) -> None:
    data = json.loads(entry.read_text("utf-8")) | change
    entry.write_text(json.dumps({name: value for name, value in data.items() if value is not None}), "utf-8")
    with pytest.raises(EntryError, match=rf"result\.json .*{said}"):
        read_entry(entry)
