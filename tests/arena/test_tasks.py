"""Learning tasks: an environment, a budget, and an evaluation."""

from __future__ import annotations

import numpy as np
import pytest

import chocofactory_env as cf
from chocofactory_env.arena import tasks
from chocofactory_env.arena.tasks import LearningTask
from chocofactory_env.envs.vector import SeatVectorEnv


@pytest.fixture(autouse=True)
def few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "DEALS", range(900_000, 900_002))


@pytest.mark.parametrize("task", cf.tasks(), ids=lambda each: each.id)
def test_a_task_is_learned_in_its_environments_and_judged(task: LearningTask) -> None:
    env, envs = task.make(), task.make_vec(num_envs=3)
    assert env.get_wrapper_attr("game").options == task.game.options
    assert isinstance(envs, SeatVectorEnv)
    assert envs.game.options == task.game.options
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


def test_an_agent_is_judged_as_a_match() -> None:
    task = cf.task("first-v0")
    match = cf.play_match(task.game, ["greedy", "random"], range(900_000, 900_002))
    assert task.figure(task.evaluate("greedy")).value == match.agents()[0]["win_rate"] == 1


def test_an_unknown_task_is_refused_with_the_known_ones() -> None:
    with pytest.raises(
        ValueError, match=r"unknown task 'frist'.*did you mean 'first'.*there are: first, duel, solo-money"
    ):
        cf.task("frist")
