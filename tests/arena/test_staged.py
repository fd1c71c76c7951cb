"""Tournaments in rounds: every pair plays some games, neighbours in the rating more. Played on the toy game."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import chocofactory_env as cf
from agents.protocol import AnyAgent, Observation
from arena import staged, statistics
from arena.match import Interval
from arena.series import JOURNAL, JournalError, Json
from arena.staged import StagedTournament, neighbours, result_of
from arena.statistics import Games, Rating
from arena.tournament import Result, Round, TournamentWorker
from toyrace.game import ToyRace

MOVES = ("0.9", "0", "0.8", "1", "0.85")  # agents by how often they move


class Moves:
    """Moves so often, else does what is listed last."""

    def __init__(self, share: float) -> None:
        self._share = share
        self.reset(0)

    def reset(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def __call__(self, observation: Observation, mask: np.ndarray) -> int:
        return int(np.flatnonzero(mask)[0 if self._rng.random() < self._share else -1])


def make(text: str, game: cf.Game) -> AnyAgent:
    return Moves(float(text))


def of_toys(players: int = 2, games: int = 8, neighbour_games: int = 20) -> StagedTournament:
    return StagedTournament(partial(ToyRace, num_players=players), MOVES, players, games, neighbour_games, 5, make)


def play(tournament: StagedTournament, folder: Path) -> list[Round]:
    return tournament.play(folder, progress=False)


def whole_result(rounds: list[Round]) -> Result:
    result = result_of(rounds)
    assert result is not None
    return result


@pytest.mark.parametrize(("players", "few", "many"), [(2, 6, 18), (3, 6, 18), (4, 8, 24)])
def test_every_pair_plays_some_games_and_neighbours_more(players: int, few: int, many: int, tmp_path: Path) -> None:
    """At least 5 and 17 games, in whole deals."""
    rounds = play(of_toys(players, 5, 17), tmp_path)
    result = whole_result(rounds)
    games = {(one.agent, other.agent): each.games for each in result.pairings for one, other in [each.sides]}
    assert len(games) == 10
    assert set(games.values()) == {few, many}
    assert {games[pair] for pair in neighbours(result.ratings)} == {many}


def test_all_pairs_of_a_round_play_the_same_deals_in_order(tmp_path: Path) -> None:
    first, *further = play(of_toys(), tmp_path)
    assert list(first.tournament.deals) == [5, 6, 7, 8]
    assert [list(each.tournament.deals) for each in further] == [[9, 10, 11, 12, 13, 14]] * len(further)
    tables = [table for each in further for table in each.tournament.seatings]
    assert len(set(tables)) == len(tables)


def test_agents_are_summed_up_over_the_deals_that_all_pairs_played(tmp_path: Path) -> None:
    result = whole_result(play(of_toys(), tmp_path))
    assert {agent.games for agent in result.agents} == {4 * 8}
    assert len(result.games.deals) > len(result.common.deals) == 10 * 8


@pytest.mark.parametrize("games", [3, 85, 110])
def test_an_interrupted_tournament_is_resumed_to_the_same_result(
    games: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = whole_result(play(of_toys(), tmp_path / "whole")).to_dict()
    left = games

    class Stops(TournamentWorker):
        def __call__(self, task: Any) -> Json:
            nonlocal left
            left -= 1
            if left < 0:
                raise KeyboardInterrupt
            return super().__call__(task)

    monkeypatch.setattr("arena.tournament.TournamentWorker", Stops)
    part = play(of_toys(), tmp_path / "part")
    assert part[-1].outcome.interrupted
    assert sum(len(each.outcome.records) for each in part) == games
    message = staged.stopped(part)
    assert message is not None
    assert message.startswith(f"round {len(part)}: stopped after ")
    monkeypatch.setattr("arena.tournament.TournamentWorker", TournamentWorker)
    rest = play(of_toys(), tmp_path / "part")
    assert staged.stopped(rest) is None
    assert {**whole_result(rest).to_dict(), "decisions_per_second": None} == {**whole, "decisions_per_second": None}


def test_enough_games_from_the_beginning_make_one_round(tmp_path: Path) -> None:
    assert len(play(of_toys(games=8, neighbour_games=8), tmp_path)) == 1


def test_a_folder_of_other_settings_is_refused(tmp_path: Path) -> None:
    play(of_toys(), tmp_path)
    with pytest.raises(JournalError, match=r"seeds\.number is 6 there and 7 here"):
        play(of_toys(neighbour_games=22), tmp_path)


def test_neighbours_of_the_same_rating_stand_in_the_order_of_the_agents() -> None:
    points = {"a": 0.0, "b": 5.0, "c": 1e-9, "d": -5.0}
    ratings = [Rating(agent, each, 1.0, Interval(each, each)) for agent, each in points.items()]
    assert neighbours(ratings) == [("a", "b"), ("a", "c"), ("c", "d")]


# --- statistics of pairings with different numbers of deals


def games_by_hand() -> Games:
    """a and b meet in deals 0 and 1; a and c, b and c in deal 0 alone."""
    played = [(0, "ab", [4, 2]), (0, "ac", [6, 0]), (0, "bc", [1, 3]), (1, "ab", [10, 20])]
    rest: dict[str, Any] = {"places": [1, 2], "decisions": [1, 1], "seconds": [1.0, 1.0], "notes": {}}
    records = [
        {**rest, "deal": deal, "agents": list(pair), "scores": [one, other], "won": [one > other, other > one]}
        for deal, pair, (one, other) in played
    ]
    return Games.of("abc", records)


def test_a_pairing_counts_the_deals_that_it_played() -> None:
    games = games_by_hand()
    of_pair = {tuple(side.agent for side in each.sides): each for each in statistics.pairings(games)}
    assert of_pair["a", "b"].difference == ((4 - 2) + (10 - 20)) / 2
    assert of_pair["a", "c"].difference == 6
    assert of_pair["a", "c"].difference_interval is None
    assert statistics.win_matrix(games).tolist() == [[0, 1, 1], [1, 0, 0], [0, 1, 0]]


def test_common_deals_are_those_of_all_pairings() -> None:
    common = games_by_hand().of_common_deals()
    assert common.deals.tolist() == [0, 0, 0]
    assert [agent.games for agent in statistics.summaries(common)] == [2, 2, 2]
    assert [agent.score for agent in statistics.summaries(common)] == [5, 1.5, 1.5]


# --- the command line


def run(*words: object) -> int:
    with pytest.raises(SystemExit) as end:
        staged.main([str(word) for word in words])
    return int(end.value.code or 0)


def test_the_command_writes_the_result_of_all_rounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cf, "load", lambda name, **options: ToyRace(**options))
    words = ["random", "flat_mc:playouts=2", "flat_mc:playouts=1", "--game", "toyrace", "--games", 4]
    assert run(*words, "--neighbour-games", 8, "--out", tmp_path) == 0
    data = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    journals = list(tmp_path.rglob(JOURNAL))
    played = Counter(path.parent.name for path in journals for _ in path.read_text(encoding="utf-8").splitlines()[1:])
    assert played["all"] == 3 * 4
    assert data["games"] == played.total() == 3 * 4 + 4 * sum(len(each["tables"]) for each in data["further"])
    assert not data["interrupted"]
    assert (tmp_path / "ratings.svg").exists()
    assert "flat_mc:playouts=2" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["random"], "at least two agents"),
        (["random", "greedy", "--games", "0"], "--games: expected 1 or more"),
        (["random", "nobody"], "unknown agent 'nobody'"),
    ],
)
def test_what_cannot_be_played_is_refused(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*words, "--out", tmp_path) == 2
    assert said in capsys.readouterr().err
