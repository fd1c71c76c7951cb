"""The tournament: who meets whom, what is kept, what is said. Played on a toy game where the game does not matter."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from interrupted import StopsAfter, untimed
from toy_agents import TOYS, Guesses, Picks, make_toy_agent

import chocofactory_env as cf
from agents.protocol import AGENTS
from arena import plots, statistics
from arena import tournament as arena
from arena.match import Entrant, play_game, wilson_interval
from arena.series import JOURNAL, RESULT, JournalError, Json, Outcome, Task, differences, play_series
from arena.statistics import Games
from arena.tournament import Result, Tournament, TournamentWorker, seatings_of
from toyrace.game import ToyRace

GAMES_OF_A_DEAL = 2 * 3  # two seats, three pairs


def moves(game: cf.Game) -> Picks:
    return Picks(0)


def toy_tournament(players: int = 2, deals: int = 6, agents: tuple[str, ...] = TOYS) -> Tournament:
    load = partial(ToyRace, num_players=players)
    return Tournament(load, agents, players, range(deals), make_toy_agent)


def result_of(tournament: Tournament, outcome: Outcome) -> Result:
    result = Result.of(tournament, outcome)
    assert result is not None
    return result


def untimed_result(tournament: Tournament, outcome: Outcome) -> dict[str, Any]:
    return {**result_of(tournament, outcome).to_dict(), "decisions_per_second": None}


# --- who meets whom


def test_with_two_players_every_pair_of_different_agents_meets() -> None:
    assert seatings_of("abc", 2) == [("a", "b"), ("a", "c"), ("b", "c")]


@pytest.mark.parametrize("players", [3, 4])
def test_with_more_players_each_agent_sits_alone_against_each_other_one(players: int) -> None:
    assert seatings_of("ab", players) == [("a", *"bbb"[: players - 1]), ("b", *"aaa"[: players - 1])]
    assert len(seatings_of("abcd", players)) == 4 * 3


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_agents_sit_on_all_seats_of_a_deal_equally_often(players: int, tmp_path: Path) -> None:
    outcome = toy_tournament(players, deals=1).play(tmp_path, progress=False)
    seats = [(seat, agent) for record in outcome.records.values() for seat, agent in enumerate(record["agents"])]
    times = {seats.count((seat, agent)) for seat in range(players) for agent in TOYS}
    assert times == {2 if players == 2 else 2 * players}


def test_a_game_of_a_tournament_is_the_game_of_a_match(tmp_path: Path) -> None:
    outcome = toy_tournament().play(tmp_path, progress=False)
    pair = [Entrant(name, make_toy_agent(name, None)) for name in ("guesses", "rests")]
    play = play_game(ToyRace(num_players=2), pair, seed=4, rotation=1)
    record = outcome.records[4, 2, 1]
    assert (record["agents"], record["scores"], record["places"], record["won"]) == tuple(
        map(list, (play.names, play.scores, play.places, play.won))
    )
    assert record["decisions"] == list(play.decisions)


# --- the journal


@pytest.mark.parametrize("games", [1, GAMES_OF_A_DEAL, 17])
def test_an_interrupted_tournament_goes_on_to_the_same_result(games: int, tmp_path: Path) -> None:
    tournament = toy_tournament()
    whole = tournament.play(tmp_path / "whole", progress=False)
    play = StopsAfter(TournamentWorker(tournament), games)
    part = play_series(tmp_path / "part", tournament, play, progress=False)
    assert part.interrupted
    assert len(part.records) == games
    rest = tournament.play(tmp_path / "part", progress=False)
    assert not rest.interrupted
    assert untimed(rest.records) == untimed(whole.records)
    assert untimed_result(tournament, rest) == untimed_result(tournament, whole)


@pytest.mark.parametrize("torn", ['{"task": [5, 2', "", '{"task": [5, 2, 1], "deal": 5}'])
def test_a_torn_last_line_is_dropped_and_its_game_played_again(
    torn: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tournament = toy_tournament()
    whole = tournament.play(tmp_path, progress=False)
    journal = tmp_path / JOURNAL
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(lines[:-1]) + torn)
    again = tournament.play(tmp_path, progress=False)
    assert untimed(again.records) == untimed(whole.records)
    assert ("dropped" in capsys.readouterr().err) == bool(torn)
    assert len(journal.read_text().splitlines()) == len(lines)


def test_a_folder_whose_settings_were_torn_is_begun_anew(tmp_path: Path) -> None:
    tournament = toy_tournament(deals=1)
    (tmp_path / JOURNAL).write_text('{"format"')
    assert len(tournament.play(tmp_path, progress=False).records) == GAMES_OF_A_DEAL
    assert json.loads((tmp_path / JOURNAL).read_text().splitlines()[0]) == tournament.settings()


def test_a_broken_line_in_the_middle_is_an_error(tmp_path: Path) -> None:
    tournament = toy_tournament(deals=1)
    tournament.play(tmp_path, progress=False)
    lines = (tmp_path / JOURNAL).read_text().splitlines()
    (tmp_path / JOURNAL).write_text("\n".join([*lines[:3], lines[3][:20], *lines[4:]]) + "\n")
    with pytest.raises(JournalError, match=r"games\.jsonl, line 4 is not JSON"):
        tournament.play(tmp_path, progress=False)


def test_two_at_once_are_refused(tmp_path: Path) -> None:
    tournament = toy_tournament(deals=1)

    class StartsAnother(TournamentWorker):
        def __call__(self, task: Task) -> Json:
            with pytest.raises(JournalError, match=r"another process is at work in it; wait for its end, or choose"):
                tournament.play(tmp_path, progress=False)
            return super().__call__(task)

    outcome = play_series(tmp_path, tournament, StartsAnother(tournament), progress=False)
    assert len(outcome.records) == GAMES_OF_A_DEAL
    settings = [line for line in (tmp_path / JOURNAL).read_text().splitlines() if '"task"' not in line]
    assert len(settings) == 1
    assert tournament.play(tmp_path, progress=False) == outcome


@pytest.mark.parametrize(
    ("line", "changes", "said"),
    [
        (3, None, r"line 3 lacks the field task; expected a game of the series"),  # the settings again
        (1, {"task": [0, 0, 0]}, r"line 1 is a game; expected the settings"),
        (2, {"task": "x"}, r"line 2 has task 'x', which is not a list"),
        (2, {"task": [9, 0, 0]}, r"line 2 is of task \[9, 0, 0\], which the series does not have"),
        (3, {"task": [0, 0, 0]}, r"line 3 is of task \[0, 0, 0\], as a line before it is"),
        (4, {"deal": 5}, r"line 4 has deal 5, which is not 0"),
        (4, {"agents": ["moves", "x"]}, r"line 4 has agents \['moves', 'x'\], which is not \["),
        (4, {"scores": [1, "x"]}, r"line 4 has scores\[1\] 'x', which is not an integer"),
        (4, {"scores": [1]}, r"line 4 has 1 entries in scores, which is not one a seat"),
        (4, {"notes": {"sources": [[1], []]}}, r"line 4 has notes \['sources'\], which are not \[\]"),
        (4, {"seconds": [1, None]}, r"line 4 has seconds\[1\] None, which is not a number"),
    ],
)
def test_what_no_game_gave_is_an_error_that_names_line_and_field(
    line: int, changes: dict[str, Any] | None, said: str, tmp_path: Path
) -> None:
    tournament = toy_tournament(deals=1)
    tournament.play(tmp_path, progress=False)
    lines = (tmp_path / JOURNAL).read_text().splitlines()
    lines[line - 1] = lines[0] if changes is None else json.dumps(json.loads(lines[line - 1]) | changes)
    (tmp_path / JOURNAL).write_text("\n".join(lines) + "\n")
    before = (tmp_path / JOURNAL).read_bytes()
    with pytest.raises(JournalError, match=r"games\.jsonl, " + said):
        tournament.play(tmp_path, progress=False)
    assert (tmp_path / JOURNAL).read_bytes() == before


def test_bytes_that_are_no_text_are_an_error_that_names_the_line(tmp_path: Path) -> None:
    tournament = toy_tournament(deals=1)
    tournament.play(tmp_path, progress=False)
    lines = (tmp_path / JOURNAL).read_bytes().splitlines()
    (tmp_path / JOURNAL).write_bytes(b"\n".join([*lines[:2], b"\xff\xfe", *lines[3:]]) + b"\n")
    with pytest.raises(JournalError, match=r"games\.jsonl, line 3 is not text in UTF-8: byte 0xff at 0"):
        tournament.play(tmp_path, progress=False)


def test_a_finished_tournament_is_not_played_again(tmp_path: Path) -> None:
    tournament = toy_tournament()
    whole = tournament.play(tmp_path, progress=False)
    play = StopsAfter(TournamentWorker(tournament), 0)
    again = play_series(tmp_path, tournament, play, progress=False)
    assert again == whole


def test_other_settings_are_refused_and_named(tmp_path: Path) -> None:
    toy_tournament(deals=2).play(tmp_path, progress=False)
    with pytest.raises(JournalError, match=r"seeds\.number is 2 there and 3 here$"):
        toy_tournament(deals=3).play(tmp_path, progress=False)
    other = replace(toy_tournament(deals=2), load=partial(ToyRace, num_players=2, rounds=3))
    with pytest.raises(JournalError, match=r"options\.rounds is 5 there and 3 here$"):
        other.play(tmp_path, progress=False)


def test_differences_are_named_by_their_place() -> None:
    assert differences({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}, "d": None}) == ["a.c is 2 there and 3 here"]
    assert differences({"a": [1]}, {"a": [1], "d": 0}) == ["d is null there and 0 here"]


def test_the_number_of_processes_does_not_change_the_result(tmp_path: Path) -> None:
    tournament = toy_tournament()
    one = tournament.play(tmp_path / "one", progress=False)
    two = tournament.play(tmp_path / "two", processes=2, progress=False)
    assert list(two.records) == list(one.records) == tournament.tasks
    assert untimed(two.records) == untimed(one.records)
    assert untimed_result(tournament, two) == untimed_result(tournament, one)


def test_only_deals_of_which_all_games_were_played_count(tmp_path: Path) -> None:
    tournament = toy_tournament()
    play = StopsAfter(TournamentWorker(tournament), 2 * GAMES_OF_A_DEAL + 5)
    part = play_series(tmp_path, tournament, play, progress=False)
    assert result_of(tournament, part).to_dict()["deals"] == 2
    assert Result.of(tournament, replace(part, records={})) is None


# --- what is said: two deals of a against b, money and places by hand

RECORDS: list[Json] = [
    {"deal": 7, "agents": ["a", "b"], "scores": [10, 4], "won": [True, False], "places": [1, 2]},
    {"deal": 7, "agents": ["b", "a"], "scores": [6, 8], "won": [False, True], "places": [2, 1]},
    {"deal": 9, "agents": ["a", "b"], "scores": [5, 9], "won": [False, True], "places": [2, 1]},
    {"deal": 9, "agents": ["b", "a"], "scores": [3, 13], "won": [False, True], "places": [2, 1]},
]
NOTES = {"decisions": [6, 3], "seconds": [2.0, 0.5], "notes": {"kept": [[1, 2], [3, 4]]}}


def by_hand(records: list[Json] = RECORDS) -> Games:
    return Games.of("ab", [{**NOTES, **record} for record in records])


def test_an_agent_is_summed_up_over_its_seats() -> None:
    a, b = statistics.summaries(by_hand())
    assert (a.agent, a.games, a.wins, a.win_rate, a.score, a.place) == ("a", 4, 3, 0.75, 9.0, 1.25)
    assert (b.agent, b.games, b.wins, b.win_rate, b.score, b.place) == ("b", 4, 1, 0.25, 5.5, 1.75)
    assert a.win_rate_interval == wilson_interval(3, 4)


def test_differences_are_taken_by_deal() -> None:
    [pairing] = statistics.pairings(by_hand())
    # by deal a has 9 and 9, b has 5 and 6: the differences are 4 and 3
    assert pairing.difference == 3.5
    assert pairing.difference_interval == pytest.approx((3, 4))
    assert pairing.sides[0].score_interval == pytest.approx((9, 9))
    assert pairing.more_games == 0


def test_an_agent_with_several_seats_wins_a_game_once() -> None:
    seats = {"agents": ["a", "b", "b"], "won": [False, True, False], "scores": [1, 5, 4], "places": [3, 1, 2]}
    notes = {"decisions": [1, 1, 1], "seconds": [1.0, 1.0, 1.0], "notes": {}}
    games = Games.of("ab", [{**notes, "deal": 0, **seats}])
    _, b = statistics.summaries(games)
    assert (b.games, b.wins, b.score, b.place) == (1, 1, 4.5, 1.5)
    assert statistics.summary(games, 0, games.of_table(0, 1)).wins == 0
    assert games.of_table(1, 0).tolist() == [False]


def test_the_deals_needed_follow_the_formula() -> None:
    differences = np.array([3.0, -1.0, 2.0, -2.0])  # mean 0.5, variance 17 / 3
    assert statistics.deals_needed(differences) == math.ceil(1.959964**2 * (17 / 3) / 0.25) - 4
    assert statistics.deals_needed(np.array([1.0, 1.0])) == 0
    assert statistics.deals_needed(np.array([1.0, -1.0])) is None
    assert statistics.deals_needed(np.array([1.0])) is None


def test_the_bootstrap_interval_is_near_students_and_always_the_same() -> None:
    values = np.random.default_rng(1).normal(100, 20, 400)
    interval = statistics.bootstrap_interval(values)
    half = 1.966 * values.std(ddof=1) / 20
    assert interval == pytest.approx((values.mean() - half, values.mean() + half), abs=0.3)
    assert interval == statistics.bootstrap_interval(values)
    assert statistics.bootstrap_interval(values[:1]) is None


def test_the_hierarchical_interval_counts_decks() -> None:
    """Twenty decks whose means differ by 10, with little chance within a deck: 400 games are 20 observations."""
    rng = np.random.default_rng(1)
    values = rng.normal(100, 10, (20, 1)) + rng.normal(0, 5, (20, 20))
    decks = np.repeat(np.arange(20), 20)
    interval = statistics.hierarchical_interval(values.ravel(), decks)
    means = values.mean(axis=1)
    half = 1.96 * math.sqrt((means.var(ddof=1) + 5**2 / 20) / 20)  # games are resampled, too
    assert interval == pytest.approx((means.mean() - half, means.mean() + half), abs=0.8)
    shuffled = rng.permutation(400)
    again = statistics.hierarchical_interval(values.ravel()[shuffled], decks[shuffled])
    assert interval == pytest.approx(again, abs=0.5)
    of_games = statistics.bootstrap_interval(values.ravel())
    assert interval is not None
    assert of_games is not None
    assert interval.high - interval.low > 3 * (of_games.high - of_games.low)
    assert statistics.hierarchical_interval(values[0], decks[:20]) == statistics.bootstrap_interval(values[0])
    assert statistics.spread_of_decks(values) == pytest.approx(means.std(ddof=1), rel=0.05)
    assert statistics.spread_of_decks(rng.normal(100, 5, (200, 20))) < 1
    assert math.isnan(statistics.spread_of_decks(values[:1]))


def test_the_rating_of_two_agents_is_the_logit_of_the_win_rate() -> None:
    a, b = statistics.ratings("ab", np.array([[0, 30], [10, 0]]))
    assert a.points - b.points == pytest.approx(400 * math.log10(30.5 / 10.5))
    assert a.points == pytest.approx(-b.points)
    error = 400 / math.log(10) * math.sqrt(1 / 30.5 + 1 / 10.5)  # of the difference, twice that of either
    assert a.error == b.error == pytest.approx(error / 2)
    assert a.interval == pytest.approx((a.points - 1.96 * a.error, a.points + 1.96 * a.error), rel=1e-3)


def test_ratings_fit_results_that_the_model_explains_exactly() -> None:
    strengths = np.array([1.2, 0.2, -1.4])
    chances = 1 / (1 + np.exp(strengths[None] - strengths[:, None]))
    wins = 10_000 * chances * (1 - np.eye(3))
    found = [rating.points for rating in statistics.ratings("abc", wins)]
    assert found == pytest.approx(400 / math.log(10) * strengths, abs=0.1)


def test_an_agent_that_wins_every_game_has_a_finite_rating_and_a_wide_interval() -> None:
    a, b = statistics.ratings("ab", np.array([[0, 400], [0, 0]]))
    assert a.points > b.points
    assert 100 < a.error < 200


def test_speed_is_the_median_of_an_agents_own_decisions() -> None:
    games = by_hand([{**RECORDS[0], "seconds": [2.0, 0.5]}, {**RECORDS[0], "seconds": [1.0, 0.0]}])
    assert statistics.speeds(games) == {"a": 4.5, "b": 6.0}
    untimed_games = by_hand([{**RECORDS[0], "seconds": [0.0, 0.0]}])
    assert statistics.speeds(untimed_games) == {"a": None, "b": None}


def test_means_of_notes_are_by_agent_and_not_by_seat() -> None:
    assert statistics.note_means(by_hand(RECORDS[:1])) == {"a": {"kept": [1, 2]}, "b": {"kept": [3, 4]}}


def test_a_shared_win_is_half_a_win_of_either_in_the_ratings_and_one_of_nobody_none() -> None:
    both, nobody = ({**RECORDS[0], "won": [won, won], "places": [1, 1]} for won in (True, False))
    assert statistics.win_matrix(by_hand([both])).tolist() == [[0, 0.5], [0.5, 0]]
    assert statistics.win_matrix(by_hand([nobody])).tolist() == [[0, 0], [0, 0]]
    assert [one.wins for one in statistics.summaries(by_hand([both]))] == [1, 1]


def test_scores_may_be_negative(tmp_path: Path) -> None:
    debts = by_hand([{**RECORDS[0], "scores": [-10, -250]}, {**RECORDS[1], "scores": [-90, 4]}])
    assert statistics.summaries(debts)[1].score == -170
    assert statistics.pairings(debts)[0].difference == 167
    plots.draw_scores({"a": debts.scores[:, 0], "b": debts.scores[:, 1]}, "score", tmp_path / "scores.svg")
    assert (tmp_path / "scores.svg").stat().st_size > 1000


# --- the command line, on the real game


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two deals of greedy against random at a table of three."""
    folder = tmp_path_factory.mktemp("arena")
    run(["greedy", "random", "--players", "3", "--deals", "2", "--option", "sides=B", "--out", str(folder)])
    return folder


def run(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        arena.main(arguments)
    assert stopped.value.code == 0


def test_the_files_hold_what_is_needed_to_play_again(folder: Path) -> None:
    settings, *games = map(json.loads, (folder / JOURNAL).read_text().splitlines())
    assert settings["options"]["sides"] == "B"
    assert len(settings["deck"]) == 64
    assert settings["seeds"] == {"first": 0, "number": 2}
    assert settings["tables"] == [["greedy", "random", "random"], ["random", "greedy", "greedy"]]
    assert set(settings["versions"]) == {"chocofactory_env", "python", "numpy"}
    assert {tuple(game["task"]) for game in games} == {(d, t, r) for d in (0, 1) for t in (0, 1) for r in (0, 1, 2)}
    assert json.loads((folder / "result.json").read_text())["settings"] == settings


def test_a_game_is_noted_day_by_day_and_by_source(folder: Path) -> None:
    _, *games = map(json.loads, (folder / JOURNAL).read_text().splitlines())
    for game in games:
        by_day, by_source = game["notes"]["money_by_day"], game["notes"]["sources"]
        assert [len(days) for days in by_day] == [6, 6, 6]
        assert [sum(sources) for sources in by_source] == game["scores"]
        assert [days[-1] for days in by_day] == [sum(sources[:-1]) for sources in by_source]


def test_the_result_has_every_statistic_and_plot(folder: Path) -> None:
    result = json.loads((folder / "result.json").read_text())
    assert (result["games"], result["deals"], result["interrupted"]) == (12, 2, False)
    assert [rating["agent"] for rating in result["ratings"]] == ["greedy", "random"]
    assert [one["even"] for one in result["one_versus_rest"]] == [1 / 3, 1 / 3]
    assert result["decisions_per_second"]["random"] > result["decisions_per_second"]["greedy"] > 0
    assert {path.name for path in folder.glob("*.svg")} == {"ratings.svg", "scores.svg", "sources.svg", "days.svg"}


def test_the_same_games_give_the_same_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ["result.json", "ratings.svg", "scores.svg", "sources.svg", "days.svg"]
    before = [(folder / name).read_bytes() for name in names]
    run(["greedy", "random", "--players", "3", "--deals", "2", "--option", "sides=B", "--out", str(folder)])
    assert [(folder / name).read_bytes() for name in names] == before
    printed = capsys.readouterr().out
    assert "greedy among random" in printed
    assert "greedy – random" in printed


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["random"], "at least two agents"),
        (["random", "random"], "no two of them the same"),
        (["random", "nobody"], "unknown agent 'nobody'"),
        (["random", "greedy", "--deals", "0"], "--deals: expected 1 or more"),
        (["random", "greedy", "--players", "1"], "between two players or more"),
        (["random", "greedy", "--players", "5"], "num_players"),
        (["random", "greedy", "--option", "colour=red"], "colour"),
        (["random", "greedy", "--deals", "1"], "seeds.number is 2 there and 1 here"),
    ],
)
def test_what_cannot_be_played_is_refused(
    arguments: list[str], said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        arena.main([*arguments, "--out", str(folder)])
    assert said in capsys.readouterr().err


def test_the_folder_of_something_else_is_refused_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(SystemExit):
        arena.main(["random", "greedy", "--out", str(tmp_path)])
    expected = f"{tmp_path} holds thesis.tex; expected an empty or new folder, or one with games.jsonl"
    assert expected in " ".join(capsys.readouterr().err.split())
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize(
    ("command", "arguments", "name"),
    [
        ("tournament", ["random", "greedy"], RESULT),
        ("staged", ["random", "greedy"], RESULT),
        ("tournament", ["random", "greedy"], "ratings.svg"),
        ("staged", ["random", "greedy"], "days.svg"),
        ("benchmark", ["random"], RESULT),
        ("chocofactory.solo_benchmark", ["random"], RESULT),
        ("chocofactory.solo_benchmark", ["random"], "objectives.svg"),
        ("chocofactory.clairvoyant", [], "bound.json"),
    ],
)
def test_a_folder_in_place_of_the_result_is_refused_before_anything_is_played(
    command: str, arguments: list[str], name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(SystemExit) as stopped:
        import_module(f"arena.{command}").main([*arguments, "--out", str(tmp_path)])
    assert stopped.value.code == 2
    assert f"{tmp_path / name}: expected a file, got a folder" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_ctrl_c_is_told_and_leaves_what_was_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cf, "load", lambda name, **options: ToyRace(**options))
    monkeypatch.setitem(AGENTS, "moves", "test_arena:moves")
    arguments = ["moves", "random", "--deals", "3", "--out", str(tmp_path)]
    monkeypatch.setattr(arena, "TournamentWorker", lambda tournament: StopsAfter(TournamentWorker(tournament), 3))
    with pytest.raises(SystemExit) as stopped:
        arena.main(arguments)
    assert stopped.value.code == 130
    assert "stopped after 3 of 6 games" in capsys.readouterr().out
    monkeypatch.setattr(arena, "TournamentWorker", TournamentWorker)
    run(arguments)
    assert json.loads((tmp_path / "result.json").read_text())["deals"] == 3


def test_agents_are_seeded_by_what_they_see_by_rotation_and_by_seat(tmp_path: Path) -> None:
    seeds = []

    class Listens(Guesses):
        def reset(self, seed: int) -> None:
            seeds.append(seed)
            super().reset(seed)

    tournament = replace(toy_tournament(deals=2, agents=("a", "b")), make=lambda text, game: Listens())
    tournament.play(tmp_path, progress=False)
    game = ToyRace(num_players=2)
    assert seeds == [
        cf.agent_seed(game, game.new(deal), seat, rotation) for deal in (0, 1) for rotation in (0, 1) for seat in (0, 1)
    ]
