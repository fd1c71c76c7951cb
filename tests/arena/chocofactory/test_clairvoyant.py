"""The clairvoyant bound: wins that it finds are wins, and its foresight stays out of the agents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chocofactory_env.agents.chocofactory.planner import PlannerAgent
from chocofactory_env.arena.chocofactory.clairvoyant import Foreseeing, Search, main, wins
from chocofactory_env.arena.play import JOURNAL, JournalError, Outcome
from chocofactory_env.core.files import held
from chocofactory_env.games.chocofactory.game import ChocolateFactory

SOLO = ChocolateFactory(num_players=1)


def test_a_win_found_can_be_played_again() -> None:
    seed, attempt = next((seed, attempt) for seed in range(20) for attempt in range(3) if wins(SOLO, seed, attempt))
    agent, state = Foreseeing(SOLO, attempt, seed), SOLO.new(seed)
    while not SOLO.is_over(state):
        SOLO.apply(state, agent.choose(SOLO.clone(state), 0))
    assert SOLO.won(state)[0]


def test_foresight_changes_what_a_day_is_worth_and_agents_have_none() -> None:
    weights = SOLO.evaluation_weights()
    assert weights["foresight"] == 0
    weights["foresight"] = 1
    state = SOLO.new(3)
    value = {planner.plan(state, 0).value for planner in (SOLO.planner(8), SOLO.planner(8, weights))}
    assert len(value) == 2
    before = state.tobytes()
    PlannerAgent(SOLO, 8, weights=weights).choose(state, 0)
    assert state.tobytes() == before


def test_the_command_writes_a_bound(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--seeds", "3", "--tries", "2", "--out", str(tmp_path)])
    said = capsys.readouterr().out
    assert "at the first try" in said
    assert "%" in said
    assert list(json.loads((tmp_path / "bound.json").read_text())) == ["0"]
    with pytest.raises(SystemExit):
        main(["--seeds", "3", "--tries", "5", "--out", str(tmp_path)])
    assert "tries" in capsys.readouterr().err


def test_decks_without_a_win_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    decks = ("generated:1", "generated:2,stray=1")
    done = [({"deck": decks[seed % 2]}, {"tries": tries}) for seed, tries in enumerate([None, 3, None])]
    assert Search((0,), 3, 5, decks).without_a_win(Outcome(done)) == {"generated:1": 2}
    main(["--seeds", "2", "--tries", "1", "--decks", *decks, "--out", str(tmp_path)])
    said = capsys.readouterr().out
    for seed, deck in enumerate(decks):
        assert (f"{deck}: no win in 1 games" in said) != wins(ChocolateFactory(num_players=1, deck=deck), seed, 0)


def test_tries_that_cannot_be_are_refused_and_two_at_once_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--seeds", "1", "--tries", "1", "--out", str(tmp_path)]
    main(words)
    journal = tmp_path / JOURNAL
    settings, game = journal.read_text().splitlines()
    journal.write_text(f'{settings}\n{game[: game.index("tries")]}tries": 2}}}}\n')
    with pytest.raises(SystemExit):
        main(words)
    assert "games.jsonl, line 2 has tries 2, which is more than 1" in capsys.readouterr().err
    with held(tmp_path, JournalError), pytest.raises(SystemExit):
        main(words)
    assert "another process is at work in it" in capsys.readouterr().err
