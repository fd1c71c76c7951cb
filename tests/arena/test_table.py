"""One table of games, and what is asked of it: by hand, and recomputed from published games."""

from __future__ import annotations

import json
import lzma
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from repository import ROOT

from chocofactory_env.arena import plots
from chocofactory_env.arena import table as tables
from chocofactory_env.arena.play import Json
from chocofactory_env.arena.table import (
    games_of,
    games_to_separate,
    mean_interval,
    of_common_deals,
    table_of,
    wilson_interval,
)

# Two deals of a against b.
RECORDS: list[Json] = [
    {"deal": 7, "agents": ["a", "b"], "scores": [10, 4], "won": [True, False], "places": [1, 2]},
    {"deal": 7, "agents": ["b", "a"], "scores": [6, 8], "won": [False, True], "places": [2, 1]},
    {"deal": 9, "agents": ["a", "b"], "scores": [5, 9], "won": [False, True], "places": [2, 1]},
    {"deal": 9, "agents": ["b", "a"], "scores": [3, 13], "won": [False, True], "places": [2, 1]},
]
REST = {"decisions": [6, 3], "seconds": [2.0, 0.5], "notes": {"kept": [[1, 2], [3, 4]]}}


def by_hand(records: list[Json] = RECORDS) -> Any:
    return table_of([{**REST, **record} for record in records])


def summaries(table: Any, agents: str = "ab") -> list[Json]:
    return [tables.summary(table, agent) for agent in agents]


def test_the_table_has_a_row_for_every_seat_of_every_game() -> None:
    table = by_hand()
    columns = ["game", "deal", "deck", "seat", "agent", "score", "place", "won", "decisions", "seconds", "kept"]
    assert list(table.columns) == columns
    assert table.iloc[3].to_dict() == {
        "game": 1, "deal": 7, "deck": "", "seat": 1, "agent": "a", "score": 8, "place": 1, "won": True,
        "decisions": 3, "seconds": 0.5, "kept": [3, 4],
    }  # fmt: skip
    assert len(table_of([])) == 0


def test_an_agent_is_summed_up_over_its_seats() -> None:
    a, b = summaries(by_hand())
    names = ("agent", "games", "wins", "win_rate", "score", "place")
    assert [a[name] for name in names] == ["a", 4, 3, 0.75, 9.0, 1.25]
    assert [b[name] for name in names] == ["b", 4, 1, 0.25, 5.5, 1.75]
    assert a["win_rate_interval"] == wilson_interval(3, 4)


def test_differences_are_taken_by_deal() -> None:
    [pairing] = tables.pairings(by_hand(), "ab")
    # by deal a has 9 and 9, b has 5 and 6: the differences are 4 and 3
    assert pairing["difference"] == 3.5
    assert pairing["difference_interval"] == pytest.approx((3, 4))
    assert pairing["sides"][0]["score_interval"] == pytest.approx((9, 9))
    assert pairing["more_games"] == 0


def test_an_agent_with_several_seats_wins_a_game_once() -> None:
    seats = {"agents": ["a", "b", "b"], "won": [False, True, False], "scores": [1, 5, 4], "places": [3, 1, 2]}
    table = table_of([{"decisions": [1, 1, 1], "seconds": [1.0, 1.0, 1.0], "deal": 0, **seats}])
    _, b = summaries(table)
    assert (b["games"], b["wins"], b["score"], b["place"]) == (1, 1, 4.5, 1.5)
    assert tables.summary(games_of(table, "a", "b", alone=True), "a")["wins"] == 0
    assert len(games_of(table, "b", "a", alone=True)) == 0


def test_a_pairing_counts_the_deals_that_it_played_and_common_deals_are_those_of_all() -> None:
    """a and b meet in deals 0 and 1; a and c, b and c in deal 0 alone."""
    played = [(0, "ab", [4, 2]), (0, "ac", [6, 0]), (0, "bc", [1, 3]), (1, "ab", [10, 20])]
    rest: dict[str, Any] = {"places": [1, 2], "decisions": [1, 1], "seconds": [1.0, 1.0]}
    table = table_of(
        [
            {**rest, "deal": deal, "agents": list(pair), "scores": [one, other], "won": [one > other, other > one]}
            for deal, pair, (one, other) in played
        ]
    )
    of_pair = {tuple(side["agent"] for side in each["sides"]): each for each in tables.pairings(table, "abc")}
    assert of_pair["a", "b"]["difference"] == ((4 - 2) + (10 - 20)) / 2
    assert of_pair["a", "c"]["difference"] == 6
    assert of_pair["a", "c"]["difference_interval"] is None
    assert tables.win_matrix(table, "abc").tolist() == [[0, 1, 1], [1, 0, 0], [0, 1, 0]]
    common = of_common_deals(table)
    assert [(one["games"], one["score"]) for one in summaries(common, "abc")] == [(2, 5), (2, 1.5), (2, 1.5)]


def test_the_deals_needed_follow_the_formula() -> None:
    differences = np.array([3.0, -1.0, 2.0, -2.0])  # mean 0.5, variance 17 / 3
    assert tables.deals_needed(differences) == math.ceil(1.959964**2 * (17 / 3) / 0.25) - 4
    assert tables.deals_needed(np.array([1.0, 1.0])) == 0
    assert tables.deals_needed(np.array([1.0, -1.0])) is None
    assert tables.deals_needed(np.array([1.0])) is None


def test_speed_is_the_median_of_an_agents_own_decisions() -> None:
    games = by_hand([{**RECORDS[0], "seconds": [2.0, 0.5]}, {**RECORDS[0], "seconds": [1.0, 0.0]}])
    assert tables.speeds(games, "ab") == {"a": 4.5, "b": 6.0}
    assert tables.speeds(by_hand([{**RECORDS[0], "seconds": [0.0, 0.0]}]), "ab") == {"a": None, "b": None}


def test_means_of_notes_are_by_agent_and_not_by_seat() -> None:
    assert tables.note_means(by_hand(RECORDS[:1]), "ab", ["kept"]) == {"a": {"kept": [1, 2]}, "b": {"kept": [3, 4]}}


def test_a_shared_win_is_half_a_win_of_either_in_the_ratings_and_one_of_nobody_none() -> None:
    both, nobody = ({**RECORDS[0], "won": [won, won], "places": [1, 1]} for won in (True, False))
    assert tables.win_matrix(by_hand([both]), "ab").tolist() == [[0, 0.5], [0.5, 0]]
    assert tables.win_matrix(by_hand([nobody]), "ab").tolist() == [[0, 0], [0, 0]]
    assert [one["wins"] for one in summaries(by_hand([both]))] == [1, 1]


def test_scores_may_be_negative(tmp_path: Path) -> None:
    debts = by_hand([{**RECORDS[0], "scores": [-10, -250]}, {**RECORDS[1], "scores": [-90, 4]}])
    assert summaries(debts)[1]["score"] == -170
    assert tables.pairings(debts, "ab")[0]["difference"] == 167
    scores = {name: debts.loc[debts["agent"] == name, "score"].to_numpy() for name in "ab"}
    plots.draw_scores(scores, "score", tmp_path / "scores.svg")
    assert (tmp_path / "scores.svg").stat().st_size > 1000


# --- intervals


def test_wilson_interval_of_published_example() -> None:
    """Newcombe (1998), table I: 81 of 263."""
    assert wilson_interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)


def test_mean_interval_is_students() -> None:
    mean, interval = mean_interval([1.0, 2.0, 3.0, 4.0])
    half = 3.182446 * math.sqrt(5 / 3) / 2  # t with 3 degrees of freedom
    assert mean == 2.5
    assert interval == pytest.approx((2.5 - half, 2.5 + half), rel=1e-6)
    assert mean_interval([4.0, 4.0, 4.0]) == (4.0, (4.0, 4.0))


def test_the_interval_of_a_mean_covers_it_as_often_as_it_says() -> None:
    rng = np.random.default_rng(0)
    covered = 0
    for _ in range(100):
        low, high = tables.bootstrap_interval(rng.normal(3, 2, 60)) or (math.nan, math.nan)
        covered += low < 3 < high
    assert 88 <= covered <= 99


def of_decks(won: list[bool], decks: list[str]) -> Any:
    """Deals that "a" wins or loses from both seats."""
    return table_of(
        [
            {
                "deal": deal,
                "deck": deck,
                "agents": names,
                "won": [(name == "a") == one for name in names],
                "scores": [1, 2],
                "places": [1, 2],
                "decisions": [1, 1],
                "seconds": [1.0, 1.0],
            }
            for deal, (one, deck) in enumerate(zip(won, decks, strict=True))
            for names in (["a", "b"], ["b", "a"])
        ]
    )


def test_intervals_count_decks() -> None:
    """The winner depends on the deck alone, so 200 deals of four decks say little."""
    won = [deck < 2 for deck in range(4)] * 50
    decks = tables.summary(of_decks(won, ["w", "x", "y", "z"] * 50), "a")
    deals = tables.summary(of_decks(won, ["w"] * 200), "a")
    assert decks["win_rate"] == deals["win_rate"] == 0.5
    assert decks["win_rate_interval"] == pytest.approx((0, 1), abs=0.01)
    assert deals["win_rate_interval"] == pytest.approx((0.45, 0.55), abs=0.01)
    all_won = tables.summary(of_decks([True] * 4, ["w", "x", "y", "z"]), "a")
    assert all_won["win_rate_interval"] == wilson_interval(8, 8), "not narrower, where no deck differs"
    [pairing] = tables.pairings(of_decks([True, True, True, False] * 50, ["w", "x", "y", "z"] * 50), "ab")
    assert pairing["more_games"] is None, "more deals would bring no more decks"


def test_the_gap_is_the_difference_of_two_means_with_both_chances() -> None:
    rng = np.random.default_rng(0)
    one, other = rng.normal(0.6, 0.1, 400), rng.normal(0.5, 0.1, 400)
    many = np.arange(400)
    found, interval = tables.gap((one, many), (other, many))
    assert found == pytest.approx(0.1, abs=0.02)
    half = 1.96 * 0.1 * 2**0.5 / 20 * 2**0.5  # decks are resampled, and so is the one deal of each
    assert interval.high - interval.low == pytest.approx(2 * half, rel=0.35)


def test_so_many_more_games_tell_two_agents_apart_in_four_of_five_matches() -> None:
    more = games_to_separate(0.55, 200)
    assert more is not None
    wins = np.random.default_rng(1).binomial(200 + more, 0.55, 20_000)
    separated = [wilson_interval(int(number), 200 + more).low > 0.5 for number in np.unique(wins)]
    share = sum((wins == number).sum() for number, apart in zip(np.unique(wins), separated, strict=True) if apart)
    assert share / len(wins) == pytest.approx(0.8, abs=0.02)


# --- ratings


def test_the_rating_of_two_agents_is_the_logit_of_the_win_rate() -> None:
    a, b = tables.ratings("ab", np.array([[0, 30], [10, 0]]))
    assert a["points"] - b["points"] == pytest.approx(400 * math.log10(30.5 / 10.5))
    assert a["points"] == pytest.approx(-b["points"])
    error = 400 / math.log(10) * math.sqrt(1 / 30.5 + 1 / 10.5)  # of the difference, twice that of either
    assert a["error"] == pytest.approx(error / 2)
    assert b["error"] == pytest.approx(error / 2)
    low, high = a["points"] - 1.96 * a["error"], a["points"] + 1.96 * a["error"]
    assert a["interval"] == pytest.approx((low, high), rel=1e-3)


def test_ratings_fit_results_that_the_model_explains_exactly() -> None:
    strengths = np.array([1.2, 0.2, -1.4])
    chances = 1 / (1 + np.exp(strengths[None] - strengths[:, None]))
    wins = 10_000 * chances * (1 - np.eye(3))
    found = [rating["points"] for rating in tables.ratings("abc", wins)]
    assert found == pytest.approx(400 / math.log(10) * strengths, abs=0.1)


def test_an_agent_that_wins_every_game_has_a_finite_rating_and_a_wide_interval() -> None:
    a, b = tables.ratings("ab", np.array([[0, 400], [0, 0]]))
    assert a["points"] > b["points"]
    assert 100 < a["error"] < 200


# --- published results follow from their games

PUBLISHED = sorted(ROOT.glob("docs/*/results/*.games.xz"))


@pytest.mark.slow
@pytest.mark.parametrize("path", PUBLISHED, ids=lambda path: f"{path.parents[1].name}: {path.name}")
def test_published_results_follow_from_their_games(path: Path) -> None:
    """A file may hold more games: those of neighbours in the rating of an earlier result."""
    result = json.loads(path.with_name(path.name.replace(".games.xz", ".json")).read_text(encoding="utf-8"))
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        _, *games = ((line.get("task"), line.get("result")) for line in map(json.loads, lines))
    players, agents = len(games[0][0]["agents"]), result["settings"]["agents"]
    records = []
    for each in (result["settings"], *result["further"]):
        deals = range(each["seeds"]["first"], each["seeds"]["first"] + each["seeds"]["number"])
        seatings = {tuple(table) for table in each["tables"]}
        records += [
            task | found
            for task, found in games
            if task["deal"] in deals and _before_rotation(task, players) in seatings
        ]
    table = table_of(records)
    again = {
        "games": int(table["game"].nunique()),
        "deals": int(table["deal"].nunique()),
        "ratings": tables.ratings(agents, tables.win_matrix(table, agents)),
        "agents": [tables.summary(of_common_deals(table), agent) for agent in agents],
        "pairings": tables.pairings(table, agents),
        "one_versus_rest": tables.one_versus_rest(table, agents),
    }
    for name, value in json.loads(json.dumps(again)).items():
        _assert_same(value, result[name], name)


def _before_rotation(task: Json, players: int) -> tuple[str, ...]:
    return tuple(task["agents"][(seat + task["rotation"]) % players] for seat in range(players))


def _assert_same(one: Any, other: Any, where: str) -> None:
    """Counts and words exactly, other numbers to 1e-9."""
    if isinstance(one, dict):
        assert one.keys() == other.keys(), where
        for name in one:
            _assert_same(one[name], other[name], f"{where}.{name}")
    elif isinstance(one, list):
        assert len(one) == len(other), where
        for place, (each, its) in enumerate(zip(one, other, strict=True)):
            _assert_same(each, its, f"{where}[{place}]")
    elif isinstance(one, float):
        assert one == pytest.approx(other, abs=1e-9), where
    else:
        assert one == other, where
