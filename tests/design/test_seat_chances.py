"""Games of one agent against itself, by the place in turn order."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from chocofactory_games import load

from agents.protocol import make_agent
from arena.match import Entrant, play_game
from design.seat_chances import FIRST_DEAL, Seats, main, row_of, table_of


def test_who_wins_is_counted_by_the_place_in_turn_order() -> None:
    series = Seats(partial(load, num_players=3), "greedy", games=3)
    game = load(num_players=3)
    starts = set()
    for task in series.tasks:
        record = series(task)
        play = play_game(game, [Entrant("greedy", make_agent("greedy", game)) for _ in range(3)], task[0])
        state = game.new(seed=task[0])
        start = game.current_player(state)  # DRAFT-1: who starts moves first
        starts.add(start)
        for place in range(3):
            assert record["won"][place] == play.won[(start + place) % 3]
            assert record["scores"][place] == play.scores[(start + place) % 3]
    assert len(starts) > 1


def test_a_row_says_what_was_counted() -> None:
    records = [{"won": [True, False], "scores": [10, 4]}] * 3 + [{"won": [False, True], "scores": [2, 8]}]
    row = row_of(records, 4)
    assert row[:2] == ["2", "4"]
    assert row[2].startswith("75.0% [")
    assert row[3].startswith("25.0% [")
    assert row[4:] == ["", "", "8.0 / 5.0", "0.317"]


def test_the_page_is_written_and_the_games_are_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "greedy",
        "--games",
        "2",
        "--players",
        "2",
        "4",
        "--out",
        str(tmp_path),
        "--page",
        str(tmp_path / "p.md"),
    ]
    main(arguments)
    text = (tmp_path / "p.md").read_text()
    assert "| 2 | 2 | " in text
    assert "| 4 | 2 | " in text
    assert f"from {FIRST_DEAL:,} on" in text
    journal = (tmp_path / "4" / "games.jsonl").read_text()
    main(arguments)
    assert (tmp_path / "4" / "games.jsonl").read_text() == journal


def test_a_table_has_a_column_for_every_place() -> None:
    of_five = [{"won": [False, False, False, False, True], "scores": [1, 2, 3, 4, 5]}]
    of_two = [{"won": [True, False], "scores": [1, 0]}]
    head, rows = table_of([of_two, of_five], "points")
    assert head == [
        *["players", "games", "starts", "second", "third", "fourth", "fifth"],
        *["points by place", "p if places were equal"],
    ]
    assert rows[0][4:7] == ["", "", ""]
    assert rows[1][6].startswith("100.0% [")


def test_an_unknown_agent_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["nobody", "--out", str(tmp_path)])
    assert "unknown agent 'nobody'" in capsys.readouterr().err


def test_any_game_can_be_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["random", "--game", "toyrace.game:ToyRace", "--players", "3", "--games", "2", "--out", str(tmp_path)])
    text = capsys.readouterr().out
    assert (
        "`python -m design.seat_chances random --game toyrace.game:ToyRace --players 3 --games 2 --out FOLDER`" in text
    )
    assert "score by place" in text


def test_seats_are_compared_over_decks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    decks = ("generated:0", "generated:1,stray=1")
    series = Seats(partial(load, num_players=3), "greedy", 2, decks)
    records = [series(task) for task in series.tasks]
    assert [record["deck"] for record in records] == [decks[FIRST_DEAL % 2], decks[(FIRST_DEAL + 1) % 2]]
    game = load(num_players=3, deck=records[0]["deck"])
    play = play_game(game, [Entrant("greedy", make_agent("greedy", game)) for _ in range(3)], FIRST_DEAL)
    assert sorted(records[0]["scores"]) == sorted(play.scores)
    main(["greedy", "--games", "2", "--players", "3", "--decks", *decks, "--out", str(tmp_path)])
    out = capsys.readouterr().out
    assert row_of(records, 3)[2] in out
    assert "2 decks, deals" in out
