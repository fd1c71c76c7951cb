"""Values by playing and fitting: what is fitted, what is held out, rounds that go on after Ctrl-C."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chocofactory_games import load
from msgspec.structs import replace

import chocofactory_env as cf
from chocofactory_env.agents.by_game import addition
from chocofactory_env.agents.values import about_value, read_value
from chocofactory_env.arena.play import JOURNAL, JournalError, Json, Task
from chocofactory_env.training import value as rounds
from chocofactory_env.training.cards import Trial, card_of
from chocofactory_env.training.chocofactory.value import Explorer
from chocofactory_env.training.settings import STOPPED
from chocofactory_env.training.value import (
    HELD_OUT,
    Config,
    Data,
    Round,
    bends_of,
    card,
    explained,
    fit,
    held_out,
    main,
    play_rounds,
    records_of,
    subject_of,
    with_run,
)

STAGES = 6
SMALL = Config(players=1, rounds=2, games=5, width=2, seed=900_000)


def made_up(number: int, rng: np.random.Generator) -> tuple[Data, np.ndarray, np.ndarray]:
    """Rows whose results are exactly such a value, with its constants and weights."""
    stages = rng.integers(0, STAGES - 1, number)
    features = rng.normal(size=(number, 4)).astype(np.float32)
    features[:, 3] = 7.0  # never varies
    terms = rng.normal(size=(3, 4)) * [1, 1, 1, 0]
    weights = bends_of(np.arange(STAGES), STAGES) @ terms
    constant = rng.normal(size=STAGES)
    results = constant[stages] + (features * weights[stages]).sum(1)
    return Data(features, stages, results.astype(np.float32), np.arange(number) % 5 == 0), constant, weights


def test_a_value_that_is_there_is_found() -> None:
    data, constant, weights = made_up(3000, np.random.default_rng(0))
    value = fit(data, STAGES, np.zeros(4), ridge=1e-6)
    assert np.allclose(value.weights[:5], weights[:5], atol=1e-3)
    assert np.allclose(value.constant[:5], constant[:5], atol=1e-3)
    assert explained(value, data) == [1.0] * 5


def test_what_is_fitted_is_added_to_the_prior() -> None:
    data, _, weights = made_up(3000, np.random.default_rng(1))
    prior = np.array([2.0, 0, 0, 0])
    strong = fit(data, STAGES, prior, ridge=1e9)
    assert np.allclose(strong.weights, prior, atol=1e-2)
    weak = fit(data, STAGES, prior, ridge=1e-6)
    assert np.allclose(weak.weights[:5], weights[:5], atol=1e-3)


@pytest.mark.parametrize("variants", range(1, 11))
def test_a_fifth_of_the_games_of_every_variant_is_held_out(variants: int) -> None:
    played = [seed % variants for seed in range(500_000, 500_000 + 50 * variants)]
    held = held_out(played)
    for variant in range(variants):
        assert held[np.array(played) == variant].sum() == 10
    for seed in range(10):  # the fewest games that a round may have
        assert 0 < held_out([(seed + game) % variants for game in range(HELD_OUT)]).sum() < HELD_OUT


def test_rounds_go_on_where_they_were_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert play_rounds(SMALL, tmp_path / "whole", progress=False) is None
    once = Round.__call__
    played: list[Task] = []

    def interrupted(self: Round, task: Task) -> Json:
        if len(played) == 7:
            raise KeyboardInterrupt
        played.append(task)
        result: Json = once(self, task)
        return result

    monkeypatch.setattr(Round, "__call__", interrupted)
    stopped = play_rounds(SMALL, tmp_path / "parts", progress=False)
    assert stopped is not None
    assert stopped.startswith("2 of 5 games are played")
    monkeypatch.setattr(Round, "__call__", once)
    for _ in range(2):  # the second time only reads
        assert play_rounds(SMALL, tmp_path / "parts", progress=False) is None
    for name in ("round-1", "round-2"):
        whole, parts = (json.loads((tmp_path / run / name / "value.json").read_text()) for run in ("whole", "parts"))
        assert whole["weights"] == parts["weights"]
        assert whole["constant"] == parts["constant"]
        assert parts["about"]["seconds"] > 0


def test_the_card_says_what_was_played_and_what_was_fitted(tmp_path: Path) -> None:
    other = tmp_path / "other"
    play_rounds(replace(SMALL, rounds=1), other, progress=False)
    config = replace(SMALL, latest=1, add=(str(other),), decks=("shipped", "generated:100000"))
    play_rounds(config, tmp_path / "run", progress=False)
    files = [tmp_path / "run" / f"round-{number}" / "value.json" for number in (1, 2)]
    made = card(config, files[-1], [about_value(file) for file in files], [])
    assert made.data == "10 games in rounds of 5, fitted to the latest 5, and to 5 of `other`"
    assert [report["games"] for report in made.rounds] == [5, 10]
    assert f"--add {other} --decks shipped generated:100000 --latest 1 " in made.made[0].command
    assert made.decks == ["shipped", "generated:100000"]


def test_rows_are_the_ends_of_all_days_but_the_last() -> None:
    series = Round(Config(players=2, games=5, width=2), 0, None)
    record = series(series.tasks[0])
    assert sorted(zip(record["seats"], record["stages"], strict=True)) == [(p, d) for p in (0, 1) for d in range(5)]
    for seat in (0, 1):
        results = {result for at, result in zip(record["seats"], record["results"], strict=True) if at == seat}
        assert len(results) == 1  # the seat's money at the end


def test_every_variant_is_dealt_from_every_deck(monkeypatch: pytest.MonkeyPatch) -> None:
    decks = ("shipped*2", "generated:100000")
    series = Round(Config(players=2, games=12, width=2, decks=decks), 0, None)
    dealt: list[tuple[Any, Any]] = []
    monkeypatch.setattr(
        Explorer, "__init__", lambda _, game, *others: dealt.append((game.options["expansion"], game.options["deck"]))
    )
    for task in series.tasks:
        with pytest.raises(AttributeError):  # the explorer was not made
            series(task)
    each = Counter(dealt[::2])
    assert each == {
        (None, None): 6,
        (None, decks[1]): 3,
        ("master_chocolatier", None): 2,
        ("master_chocolatier", decks[1]): 1,
    }


def test_a_fitted_value_is_played_by(tmp_path: Path) -> None:
    play_rounds(Config(players=3, rounds=1, games=5, width=2), tmp_path, progress=False)
    game = cf.load("chocofactory", num_players=3)
    path = tmp_path / "round-1" / "value.json"
    assert read_value(path, game.name, game.value_features, game.value_stages).weights.any()  # type: ignore[attr-defined]  # compiled games have them
    agent = cf.make_agent(f"expert:width=2,draft_width=1,value={path}", game)
    state = game.new(seed=1)
    while not game.is_over(state):
        game.apply(state, cf.decide(game, agent, state))


def test_no_card_of_the_value_before_stays_when_a_trial_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(trial: Trial, game: str) -> Trial:
        raise KeyboardInterrupt("run the same command again")

    def addition_here(where: str, game: str, name: str, default: Any) -> Any:
        return (
            (lambda players: tmp_path / "solo.json")
            if name == "shipped_value"
            else addition(where, game, name, default)
        )

    monkeypatch.setattr(rounds, "addition", addition_here)
    monkeypatch.setattr(Trial, "played", stop)
    card_of(tmp_path / "solo.json").write_text("of the value before")
    with pytest.raises(SystemExit) as end:
        main(["--rounds", "1", "--games", "5", "--width", "1", "--out", str(tmp_path / "run"), "--ship"])
    assert end.value.code == STOPPED
    assert "run the same command again" in capsys.readouterr().err
    assert (tmp_path / "solo.json").exists()
    assert not card_of(tmp_path / "solo.json").exists()


def test_a_fit_without_a_single_solution_is_refused_before_its_games_are_played() -> None:
    with pytest.raises(ValueError, match=r"ridge: expected a number above 0, got 0\.0"):
        replace(SMALL, ridge=0.0)


def test_games_of_other_runs_are_fitted_too_whatever_their_mean(tmp_path: Path) -> None:
    data, _, weights = made_up(3000, np.random.default_rng(3))
    early = np.arange(3000) < 100
    first, other = data.of(early), data.of(~early)
    both = with_run(first, other._replace(results=other.results + 1000))
    assert both.held_out.tolist() == data.held_out.tolist()
    value = fit(both, STAGES, np.zeros(4), ridge=1e-6)
    assert np.allclose(value.weights[:5], weights[:5], atol=0.2)
    for stage in range(5):
        rows = first.stages == stage
        found = value.constant[stage] + first.features[rows] @ value.weights[stage]
        assert abs(found.mean() - first.results[rows].mean()) < 1


def test_a_run_to_be_added_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="expected the rounds of a run"):
        records_of(tmp_path, Round(SMALL, 0, None))
    play_rounds(replace(SMALL, rounds=1), tmp_path, progress=False)
    other_players = Round(replace(SMALL, players=2), 0, None)
    assert len(records_of(tmp_path, other_players)) == 5


@pytest.mark.parametrize(
    ("line", "changes", "message"),
    [
        (1, {"config": {"game": "schoko"}}, 'config.game is "schoko" there and "chocofactory" here'),
        (1, {"rules": 0}, "rules is 0 there"),
        (1, {"config": {}}, "line 1: config.game: expected this field"),
        (2, {"task": {"deal": 3}}, r"line 2: task.variant: expected this field"),
        (2, {"result": {"stages": [0, 1, 2, 3, 6]}}, "line 2: stages: expected 0 to 5, got 6"),
        (2, {"result": {"features": [[0.0]] * 5}}, r"line 2: does not have 5 rows of \d+ features"),
    ],
)
def test_a_run_to_be_added_is_checked_before_anything_is_played(
    line: int, changes: dict[str, Any], message: str, tmp_path: Path
) -> None:
    series = Round(SMALL, 0, None)
    features = [0.0] * len(load(num_players=1).value_features)
    game = {"seats": [0] * 5, "stages": [*range(5)], "features": [features] * 5, "results": [0.0] * 5, "seconds": 0.1}
    lines: list[dict[str, Any]] = [series.settings(), {"task": {"deal": 1, "variant": 0}, "result": game}]
    result = {"result": game | changes["result"]} if "result" in changes else changes
    lines[line - 1] |= result
    journal = tmp_path / "other" / "round-1" / JOURNAL
    journal.parent.mkdir(parents=True)
    journal.write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf-8")
    with pytest.raises(JournalError, match=message):
        play_rounds(replace(SMALL, add=(str(tmp_path / "other"),)), tmp_path / "run", progress=False)
    assert not (tmp_path / "run").exists()


def test_a_bankrupt_seat_of_schoko_counts_less_than_any_other() -> None:
    game: Any = cf.load("schoko", num_players=3)
    subject, rng = subject_of("schoko"), np.random.default_rng(1)
    results: dict[bool, list[float]] = {True: [], False: []}
    for seed in range(6):
        state = game.new(seed)
        while not game.is_over(state):
            game.apply(state, int(rng.choice(np.flatnonzero(game.legal_mask(state)))))
        for seat in range(3):
            results[bool(state["players"]["out"][0, seat])].append(subject.result(game, state, seat))
    assert max(results[True]) < min(results[False])
