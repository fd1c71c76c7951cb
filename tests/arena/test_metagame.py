"""What goes beyond a ladder: Nash averaging, alpha-rank, and cycles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from chocofactory_env.arena.metagame import alpha_rank, nash, rates_of, solutions, some_equilibrium
from chocofactory_env.arena.report import circles
from chocofactory_env.arena.results import Shown, results_of_game
from chocofactory_env.arena.table import cycles
from tools.clauses import shipped_games

ROCK_PAPER_SCISSORS = np.array([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]])


def random_rates(size: int, rng: np.random.Generator) -> np.ndarray:
    above = np.triu(rng.random((size, size)), 1)
    return above + np.tril(1 - above.T, -1) + np.eye(size) / 2


def test_a_circle_shares_and_its_copies_do_not_gain() -> None:
    """Balduzzi et al. 2018: with a second paper the two papers share the weight of one."""
    assert nash(ROCK_PAPER_SCISSORS) == pytest.approx([1 / 3] * 3, abs=1e-5)
    assert alpha_rank(ROCK_PAPER_SCISSORS) == pytest.approx([1 / 3] * 3)
    twice = ROCK_PAPER_SCISSORS[np.ix_([0, 1, 1, 2], [0, 1, 1, 2])]
    assert nash(twice) == pytest.approx([1 / 3, 1 / 6, 1 / 6, 1 / 3], abs=1e-5)


def test_who_beats_all_has_all_weight() -> None:
    rates = np.array([[0.5, 0.6, 0.7], [0.4, 0.5, 0.9], [0.3, 0.1, 0.5]])
    assert nash(rates) == pytest.approx([1, 0, 0], abs=1e-6)
    assert alpha_rank(rates) == pytest.approx([1, 0, 0], abs=1e-5)


@pytest.mark.parametrize("size", [2, 3, 8])
def test_nobody_wins_more_than_half_against_the_equilibrium(size: int) -> None:
    rng = np.random.default_rng(size)
    for _ in range(20):
        rates = random_rates(size, rng)
        weights = nash(rates)
        assert weights.sum() == pytest.approx(1)
        assert (rates @ weights).max() <= 0.5 + 1e-5
        assert weights == pytest.approx(some_equilibrium(rates), abs=1e-3), "it is the only one"


def test_alpha_rank_is_that_of_open_spiel() -> None:
    """`open_spiel.python.egt.alpharank.compute([rates], use_inf_alpha=True, inf_alpha_eps=1e-6)` of OpenSpiel 2.0.2."""
    rates = np.array([[0.5, 0.7, 0.3, 0.9], [0.3, 0.5, 0.8, 0.5], [0.7, 0.2, 0.5, 0.6], [0.1, 0.5, 0.4, 0.5]])
    assert alpha_rank(rates) == pytest.approx([0.315789, 0.263158, 0.368421, 0.052632], abs=2e-6)


def test_intervals_are_wider_after_fewer_games() -> None:
    wins = np.array([[0, 6, 4], [4, 0, 6], [6, 4, 0]])
    few, many = (solutions(["a", "b", "c"], number * wins)[0] for number in (1, 100))
    for one in (few, many):
        low, high = one["nash_interval"]
        assert low <= one["nash"] <= high
    assert few["nash"] == many["nash"] == pytest.approx(1 / 3, abs=1e-3)
    assert np.ptp(few["nash_interval"]) > 2 * np.ptp(many["nash_interval"])
    assert rates_of(np.zeros((2, 2))).tolist() == [[0.5, 0.5]] * 2


def pairing(one: str, other: str, won: int, lost: int, low: float) -> dict[str, Any]:
    sides = [
        {"agent": one, "wins": won, "win_rate": won / 100, "win_rate_interval": [low, low + 0.2]},
        {"agent": other, "wins": lost, "win_rate": lost / 100, "win_rate_interval": [0.8 - low, 1 - low]},
    ]
    return {"games": 100, "sides": sides}


def tournament(low: float) -> dict[str, Any]:
    pairs = [("c", "a"), ("a", "b"), ("b", "c")]
    pairings = [pairing(one, other, 60, 41, low if one == "c" else 0.51) for one, other in pairs]
    return {"ratings": [{"agent": agent, "points": points} for agent, points in zip("abc", (1, 3, 2), strict=True)]} | {
        "pairings": pairings
    }


def test_a_circle_is_reported_where_all_intervals_lie_above_a_half() -> None:
    assert cycles(tournament(0.51)) == [("a", "b", "c")]
    assert circles(tournament(0.51)) == "In a circle: `a` > `b` > `c` > `a`."
    assert cycles(tournament(0.49)) == []
    assert circles(tournament(0.49)).startswith("No three agents")


def wins_of(result: Mapping[str, Any]) -> tuple[list[str], np.ndarray]:
    """The agents of a tournament's `result.json`, and the row agent's wins, (N, N); a shared win counts half."""
    agents = [rating["agent"] for rating in result["ratings"]]
    wins = np.zeros((len(agents),) * 2)
    for pairing in result["pairings"]:
        one, other = pairing["sides"]
        first, second = agents.index(one["agent"]), agents.index(other["agent"])
        shared = (one["wins"] + other["wins"] - pairing["games"]) / 2
        wins[first, second], wins[second, first] = one["wins"] - shared, other["wins"] - shared
    return agents, wins


SERIES = [(game, one) for game in shipped_games() for one in results_of_game(game).series]


@pytest.mark.parametrize(("game", "series"), SERIES)
def test_files_of_results_hold_what_follows_from_their_pairings(game: str, series: Shown) -> None:
    result = series.result(results_of_game(game).folder)
    assert result is not None
    for kept, found in zip(result["solutions"], solutions(*wins_of(result)), strict=True):
        assert kept.pop("agent") == found.pop("agent")
        assert np.hstack([kept[name] for name in found]) == pytest.approx(np.hstack(list(found.values())), abs=0.02)
