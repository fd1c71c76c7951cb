"""Tournaments: who meets whom, rounds of neighbours, what is said and written. Played on the toy game, mostly."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from exit_status import status_of
from interrupted import StopsAfter

import chocofactory_env as cf
from chocofactory_env.agents.protocol import AnyAgent
from chocofactory_env.arena import tournament as arena
from chocofactory_env.arena.games import PlaysGames
from chocofactory_env.arena.match import RESULT
from chocofactory_env.arena.play import JOURNAL, Json, Task, key
from chocofactory_env.arena.tournament import Pair, Result, Round, Tournament, seatings_of
from toyrace.game import ToyRace

MOVES = ("0.9", "0", "0.8", "1", "0.85")  # agents by how often they move


class Moves:
    """Moves so often, else does what is listed last."""

    def __init__(self, share: float) -> None:
        self._share = share
        self.reset(0)

    def reset(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def __call__(self, observation: cf.Tensors, mask: np.ndarray) -> int:
        return int(np.flatnonzero(mask)[0 if self._rng.random() < self._share else -1])


def make(text: str, game: cf.Game) -> AnyAgent:
    return Moves(float(text))


def of_toys(players: int = 2, games: int = 8, neighbour_games: int = 20) -> Tournament:
    staged = Tournament(
        partial(ToyRace, num_players=players), MOVES, players, range(0), make, neighbour_games=neighbour_games
    )
    return replace(staged, deals=range(5, 5 + staged.deals_for(games)))


def play(tournament: Tournament, folder: Path) -> list[Round]:
    return tournament.play(folder, progress=False)


def untimed(rounds: list[Round]) -> dict[str, object]:
    return {**Result(rounds).to_dict(), "decisions_per_second": None}


def stop_after(games: int, patch: pytest.MonkeyPatch) -> None:
    """Press Ctrl-C in the game after so many of a tournament's."""
    left = iter(range(games))
    patch.setattr(arena, "PlaysGames", lambda one: StopsAfter(PlaysGames(one), left))


# --- who meets whom


def test_every_pair_of_two_meets_and_of_more_each_sits_alone_against_each_other() -> None:
    assert seatings_of("abc", 2) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert seatings_of("ab", 3) == [("a", "b", "b"), ("b", "a", "a")]
    assert len(seatings_of("abcd", 4)) == 4 * 3


@pytest.mark.parametrize(("players", "few", "many"), [(2, 6, 18), (3, 6, 18), (4, 8, 24)])
def test_every_pair_plays_some_games_and_neighbours_more(players: int, few: int, many: int, tmp_path: Path) -> None:
    """At least 5 and 17 games, in whole deals."""
    staged = of_toys(players, 5, 17)
    rounds = play(staged, tmp_path)
    games: dict[Pair, int] = {}
    for each in Result(rounds).to_dict()["pairings"]:
        one, other = each["sides"]
        games[one["agent"], other["agent"]] = each["games"]
    assert len(games) == 10
    assert set(games.values()) == {few, many}
    assert {games[pair] for pair in staged.neighbours(rounds)} == {many}


def test_all_pairs_of_a_round_play_the_same_deals_in_order(tmp_path: Path) -> None:
    first, *further = play(of_toys(), tmp_path)
    assert list(first.series.deals) == [5, 6, 7, 8]
    assert [list(each.series.deals) for each in further] == [[9, 10, 11, 12, 13, 14]] * len(further)
    tables = [table for each in further for table in each.series.tables]
    assert len(set(tables)) == len(tables)


def test_agents_are_summed_up_over_the_deals_that_all_pairs_played(tmp_path: Path) -> None:
    result = Result(play(of_toys(), tmp_path))
    assert {agent["games"] for agent in result.to_dict()["agents"]} == {4 * 8}
    assert result.to_dict()["games"] > 10 * 8


@pytest.mark.parametrize("games", [3, 85, 110])
def test_an_interrupted_tournament_is_resumed_to_the_same_result(
    games: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = untimed(play(of_toys(), tmp_path / "whole"))
    with monkeypatch.context() as patch:
        stop_after(games, patch)
        part = play(of_toys(), tmp_path / "part")
    assert Result(part).interrupted
    assert sum(len(each.outcome.done) for each in part) == games
    assert "run the same command again to go on" in Result(part).message()
    rest = play(of_toys(), tmp_path / "part")
    assert Result(rest).message() == ""
    assert untimed(rest) == whole


@pytest.mark.parametrize("fails", [slice(3, 4), slice(80)])
def test_neighbours_wait_for_the_games_that_failed(
    fails: slice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = untimed(play(of_toys(), tmp_path / "whole"))
    failing = [key(task) for task in of_toys().series().tasks[fails]]

    class Fails(PlaysGames):
        def __call__(self, task: Task) -> Json:
            if key(task) in failing:
                raise RuntimeError("the machine is out of memory")
            return super().__call__(task)

    with monkeypatch.context() as patch:
        patch.setattr(arena, "PlaysGames", Fails)
        part = play(of_toys(), tmp_path / "part")
    assert len(part) == 1
    assert f"{80 - len(failing)} of 80 games are played; run the same command again" in Result(part).message()
    assert untimed(play(of_toys(), tmp_path / "part")) == whole


def test_enough_games_from_the_beginning_make_one_round(tmp_path: Path) -> None:
    assert len(play(of_toys(games=8, neighbour_games=8), tmp_path)) == 1


def test_only_deals_of_which_all_games_were_played_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stop_after(2 * 20 + 5, monkeypatch)
    result = Result(play(of_toys(neighbour_games=0), tmp_path))
    assert result.to_dict()["deals"] == 2
    for shown in (repr(result), result._repr_html_()):
        assert "45 of 80 games are played; run the same command again to go on" in shown
    stop_after(5, monkeypatch)  # of the first deal
    nothing = Result(play(of_toys(neighbour_games=0), tmp_path / "none"))
    assert nothing.to_dict() == {}
    for shown in (repr(nothing), nothing._repr_html_()):
        assert "no deal is complete yet" in shown
        assert "5 of 80 games are played" in shown


# --- the command line, on the real game


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two deals of greedy against random at a table of three."""
    folder = tmp_path_factory.mktemp("arena")
    run("greedy", "random", "--players", 3, "--deals", 2, "--option", "sides=B", "--out", folder)
    return folder


def run(*words: object, status: int = 0) -> None:
    assert status_of(arena.main, *words) == status


def test_the_files_hold_what_is_needed_to_play_again(folder: Path) -> None:
    settings, *games = map(json.loads, (folder / JOURNAL).read_text().splitlines())
    assert settings["options"]["sides"] == "B"
    assert len(settings["deck"]) == 64
    assert settings["seeds"] == {"first": 0, "number": 2}
    assert settings["tables"] == [["greedy", "random", "random"], ["random", "greedy", "greedy"]]
    assert set(settings["versions"]) == {"chocofactory_env", "python", "numpy"}
    assert Counter((game["task"]["deal"], game["task"]["rotation"]) for game in games) == Counter(
        {(deal, rotation): 2 for deal in (0, 1) for rotation in (0, 1, 2)}
    )
    assert json.loads((folder / RESULT).read_text())["settings"] == settings


def test_a_game_is_noted_day_by_day_and_by_source(folder: Path) -> None:
    _, *games = map(json.loads, (folder / JOURNAL).read_text().splitlines())
    for game in (each["result"] for each in games):
        by_day, by_source = game["notes"]["money_by_day"], game["notes"]["sources"]
        assert [len(days) for days in by_day] == [6, 6, 6]
        assert [sum(sources) for sources in by_source] == game["scores"]
        assert [days[-1] for days in by_day] == [sum(sources[:-1]) for sources in by_source]


def test_the_result_has_every_statistic_and_plot(folder: Path) -> None:
    result = json.loads((folder / RESULT).read_text())
    assert (result["games"], result["deals"], result["interrupted"]) == (12, 2, False)
    assert [rating["agent"] for rating in result["ratings"]] == ["greedy", "random"]
    assert [one["even"] for one in result["one_versus_rest"]] == [1 / 3, 1 / 3]
    assert min(result["decisions_per_second"].values()) > 0
    assert {path.name for path in folder.glob("*.svg")} == {"ratings.svg", "scores.svg", "sources.svg", "days.svg"}


def test_the_same_games_give_the_same_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [RESULT, "ratings.svg", "scores.svg", "sources.svg", "days.svg"]
    before = [(folder / name).read_bytes() for name in names]
    run("greedy", "random", "--players", 3, "--deals", 2, "--option", "sides=B", "--out", folder)
    assert [(folder / name).read_bytes() for name in names] == before
    printed = capsys.readouterr().out
    assert "greedy among random" in printed
    assert "greedy – random" in printed


def test_the_command_writes_the_result_of_all_rounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cf, "load", lambda name, **options: ToyRace(**options))
    words = ["random", "flat_mc:playouts=2", "flat_mc:playouts=1", "--game", "toyrace", "--deals", 2]
    run(*words, "--neighbour-games", 8, "--out", tmp_path)
    data = json.loads((tmp_path / RESULT).read_text(encoding="utf-8"))
    journals = list(tmp_path.rglob(JOURNAL))
    played = Counter(path.parent.name for path in journals for _ in path.read_text(encoding="utf-8").splitlines()[1:])
    assert played["all"] == 3 * 4
    assert data["games"] == played.total() == 3 * 4 + 4 * sum(len(each["tables"]) for each in data["further"])
    assert not data["interrupted"]
    assert (tmp_path / "ratings.svg").exists()
    assert "flat_mc:playouts=2" in capsys.readouterr().out


def test_the_folder_of_something_else_is_refused_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "thesis.tex").touch()
    run("random", "greedy", "--out", tmp_path, status=2)
    expected = f"{tmp_path} holds thesis.tex; expected an empty or new folder, or one with games.jsonl"
    assert expected in " ".join(capsys.readouterr().err.split())
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
