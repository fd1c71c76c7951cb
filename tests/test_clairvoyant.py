"""The clairvoyant bound: wins that it finds are wins, and its foresight stays out of the agents."""

from __future__ import annotations

from pathlib import Path

import pytest

import chocofactory_env as cf
from agents.clairvoyant import Foreseeing, main, wins
from agents.planner import PlannerAgent
from agents.solo_benchmark import read_bound

SOLO = cf.load("chocofactory", num_players=1)


def test_a_win_found_can_be_played_again() -> None:
    seed, attempt = next((seed, attempt) for seed in range(20) for attempt in range(3) if wins(SOLO, seed, attempt))
    agent, state = Foreseeing(SOLO, attempt, seed), SOLO.new(seed)
    while not SOLO.is_over(state):
        SOLO.apply(state, agent.choose(SOLO.clone(state), 0))
    assert SOLO.won(state)[0]


def test_foresight_changes_what_a_day_is_worth_and_agents_have_none() -> None:
    guess = SOLO.guesses()
    assert guess["foresight"] == 0
    guess["foresight"] = 1
    state = SOLO.new(3)
    worth = {planner.plan(state, 0).worth for planner in (SOLO.planner(8), SOLO.planner(8, guess))}
    assert len(worth) == 2
    before = state.tobytes()
    PlannerAgent(SOLO, 8, guess=guess).choose(state, 0)
    assert state.tobytes() == before


def test_the_command_writes_a_bound_that_the_benchmark_reads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["--seeds", "3", "--tries", "2", "--out", str(tmp_path)])
    said = capsys.readouterr().out
    assert "at the first try" in said
    assert "%" in said
    bound = read_bound(tmp_path / "bound.json")
    assert list(bound) == [0]
    with pytest.raises(SystemExit):
        main(["--seeds", "3", "--tries", "5", "--out", str(tmp_path)])
    assert "tries" in capsys.readouterr().err
