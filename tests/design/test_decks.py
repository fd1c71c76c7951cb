"""How results spread over decks: which games are played, what is said about them, and what a filter would reject."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import chocofactory_env as cf
from agents.protocol import make_agent
from arena.match import Entrant, play_game
from design import deck_tournament
from design.decks import FIRST_DEAL, PLOT, TABLES, Decks, DeckWorker, Found, main, number, table


def found_of(won: dict[int, list[list[bool]]], alone: bool = False) -> Found:
    """Two decks near and two far; won: by deck, of each deal."""
    series = Decks("schoko", ("greedy",) if alone else ("greedy", "random"), range(2), len(won[1]), alone)
    records: dict[tuple[int, ...], dict[str, Any]] = {
        (deal, deck, 0): {
            "agents": list(series.agents),
            "won": of,
            "scores": [100, 50][: len(of)],
            "first": 0,
            "decisions": 9,
        }
        for deck, deals in won.items()
        for deal, of in enumerate(deals)
    }
    return Found(series, records)


def test_a_game_is_that_of_its_deck_deal_and_rotation() -> None:
    series = Decks("candyfactory", ("greedy", "random"), range(3, 5), deals=2)
    assert [name for _, name in series.names] == [
        None, "generated:3,stray=0", "generated:4,stray=0", "generated:3,stray=1", "generated:4,stray=1",
    ]  # fmt: skip
    assert len(series.tasks) == (4 + 4 * 2) * 2
    task = (FIRST_DEAL + 1, 4, 1)
    assert task in series.tasks
    record = DeckWorker(series)(task)
    game = cf.load("candyfactory", deck="generated:4,stray=1")
    play = play_game(game, [Entrant(name, make_agent(name, game)) for name in series.agents], task[0], 1)
    assert record["agents"] == list(play.names) == ["random", "greedy"]
    assert record["scores"] == list(play.scores)
    assert record["first"] == game.current_player(game.new(seed=task[0]))
    series.check_record(task, record)


def test_equal_agents_play_a_deal_once() -> None:
    assert len(Decks("schoko", ("greedy",) * 3, range(2), deals=3).tasks) == 6 + 4 * 3


def test_means_are_those_of_decks() -> None:
    win, loss = [True, False], [False, True]
    found = found_of({0: [win, loss], 1: [win, win], 2: [loss, loss], 3: [win, loss], 4: [win, loss]})
    rows = {row.split("|")[1].strip(): row for row in table(found)}
    assert rows["`greedy` wins"].count("50.0%") == 3
    assert "50.0% [0.0%, 100.0%]" in rows["`greedy` wins"], "two decks that differ as much as they can"
    assert rows["`random` wins"].count("50.0%") == 3
    assert number(0.5, False) == "0.5"


def test_the_measured_filter_names_what_degenerates() -> None:
    win, loss = [True, False], [False, True]
    many = {deck: [win, loss] * 20 for deck in range(5)}
    assert found_of(many).rejected() == {}
    assert found_of(many | {2: [win] * 40}).rejected() == {"generated:1,stray=0": "who starts wins 100%"}
    poor = found_of(many)
    for deal in range(40):
        poor.records[deal, 3, 0]["scores"] = [10, 5]
    assert poor.rejected() == {"generated:0,stray=1": "0.10 times the shipped deck's score"}
    even = {deck: [[True], [False]] * 20 for deck in range(5)}
    alone = found_of(even | {1: [[True]] * 40, 4: [[False]] * 40}, alone=True)
    assert alone.rejected() == {
        "generated:0,stray=0": "100% of the games won",
        "generated:1,stray=1": "0% of the games won",
    }
    few = found_of({deck: [[True], [deck != 4]] for deck in range(5)}, alone=True)
    assert few.rejected() == {}, "two games say little"


@pytest.mark.slow
def test_the_command_writes_tables_plot_and_summary_and_resumes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--game", "candyfactory", "--agents", "random", "greedy", "--decks", "0-1", "--deals", "1"]
    main([*arguments, "--out", str(tmp_path), "--processes", "1"])
    first = capsys.readouterr().out
    assert (tmp_path / TABLES).read_text(encoding="utf-8").strip() == first.strip()
    assert (tmp_path / PLOT).read_text(encoding="utf-8").startswith("<?xml")
    summary = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    assert summary["decks"]["generated:1,stray=1"] == cf.load("candyfactory", deck="generated:1,stray=1").deck_hash
    assert {column: len(means) for column, means in summary["measures"]["`greedy` wins"].items()} == {
        "shipped": 1, "near": 2, "far": 2,
    }  # fmt: skip
    assert np.isfinite(summary["measures"]["decisions of a game"]["far"]).all()
    main([*arguments, "--out", str(tmp_path), "--processes", "1"])
    assert capsys.readouterr().out == first
    with pytest.raises(SystemExit):
        main(["--agents", "random", "--decks", "5", "--out", str(tmp_path)])
    assert "expected FIRST-LAST, got '5'" in capsys.readouterr().err


def test_a_tournament_over_decks_is_compared_with_one_on_the_shipped_deck(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def pairing(first: str, second: str, rate: float) -> dict[str, Any]:
        sides = [{"agent": first, "win_rate": rate}, {"agent": second, "win_rate": 1 - rate}]
        return {"sides": sides}

    near_and_far = {"generated:0": 0.5, "generated:1": 1.0, "generated:0,stray=1": 0.25}
    by_deck = dict.fromkeys(("a", "b"), near_and_far)
    over = {"settings": {}, "by_deck": by_deck, "pairings": []}
    shipped = {
        "settings": {"agents": ["a", "b", "c"]},
        "pairings": [pairing("a", "b", 0.75), pairing("a", "c", 0.0)],
    }
    paths = [tmp_path / name for name in ("over.json", "shipped.json")]
    for path, data in zip(paths, (over, shipped), strict=True):
        path.write_text(json.dumps(data), encoding="utf-8")
    out = tmp_path / "out"
    deck_tournament.main([*map(str, paths), "--out", str(out)])
    assert "| `a` | 75.0% | 75.0% [50.0%, 100.0%] | 25.0% |" in capsys.readouterr().out
    assert (out / PLOT).read_text(encoding="utf-8").startswith("<?xml")
    assert json.loads((out / "result.json").read_text(encoding="utf-8"))["by_deck"] == by_deck
    paths[0].write_text(json.dumps({**over, "by_deck": {"d": near_and_far}}), encoding="utf-8")
    with pytest.raises(SystemExit):
        deck_tournament.main([*map(str, paths), "--out", str(out)])
    assert "the tournament on the shipped deck lacks d" in capsys.readouterr().err
