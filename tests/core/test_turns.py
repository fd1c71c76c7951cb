"""Looking ahead to the end of a seat's turn, and trees whose leaves are judged by a value: with the toy race."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from chocofactory_env.core.kernel.rng import WORDS, simulation_seed
from chocofactory_env.core.search import value
from toyrace import rules
from toyrace.game import ToyRace


def judge_of(game: ToyRace, *weights: float, constant: float = 0.0) -> np.ndarray:
    """In both stages the same weights, by `rules.FEATURES`."""
    judge = game.judge()
    judge["value"]["weights"][0, :, : len(weights)] = weights
    judge["value"]["constant"] = constant
    judge["spread"] = 5.0
    return judge


def value_of(game: ToyRace, judge: np.ndarray, state: np.ndarray, seat: int) -> float:
    if game.is_over(state):
        return float(game.scores(state)[seat])
    features, stage = game.features(state, seat)
    return float(judge["value"]["weights"][0, stage] @ features + judge["value"]["constant"][0, stage])


def lead_of(game: ToyRace, judge: np.ndarray, state: np.ndarray, seat: int) -> float:
    values = [value_of(game, judge, state, other) for other in range(game.num_players)]
    own = values.pop(seat)
    return own - max(values) if values else own


def best_lead(game: ToyRace, judge: np.ndarray, state: np.ndarray, seat: int) -> float:
    """Of all ways through the rest of the turn; by plain recursion."""
    if game.current_player(state) != seat or not state["acted"][0]:
        return lead_of(game, judge, state, seat)
    found = []
    for action in np.flatnonzero(game.legal_mask(state)).tolist():
        after = game.clone(state)
        game.apply(after, action)
        found.append(best_lead(game, judge, after, seat))
    return max(found)


@pytest.mark.parametrize(("players", "turns"), [(1, 0), (1, 4), (2, 3), (3, 14)])
def test_the_best_end_of_a_turn_is_found(players: int, turns: int) -> None:
    """With all chance of the deal, as by plain recursion; the mean of the deals."""
    game = ToyRace(num_players=players)
    judge = judge_of(game, 1.0, 0.7, 2.0, -0.1, constant=3.0)
    state = game.new(4)
    for _ in range(turns):
        game.apply(state, rules.REST)
    state["fuel"] = 4
    seat = game.current_player(state)
    leads = game.turn_search(judge).leads(state, deals=2, seed=11)
    dealt = [game.redeal(state, seat, simulation_seed(np.zeros(WORDS, np.uint32), 11, number)) for number in (0, 1)]
    for action, legal in enumerate(game.legal_mask(state)):
        if not legal:
            assert leads[action] == -np.inf
            continue
        found = []
        for deal in dealt:
            after = game.clone(deal)
            game.apply(after, action)
            found.append(best_lead(game, judge, after, seat))
        assert leads[action] == pytest.approx(np.mean(found), abs=1e-4), game.describe(action)


def test_no_roll_is_foreseen() -> None:
    """A roll moves 2 spaces on average, whatever the generator of the position would roll."""
    game = ToyRace(num_players=2)
    judge = judge_of(game, 1.0)
    state = game.new(3)
    state["drawn"] = rules.DECK  # nothing but the die is unknown
    search, rolls = game.turn_search(judge), []
    for seed in range(5):
        state["rng"] = np.random.default_rng(seed).integers(1 << 32, size=4, dtype=np.uint32)
        leads = search.leads(state, deals=2000, seed=1)
        rolls.append(leads[rules.ROLL] - leads[rules.REST])
    assert rolls == [pytest.approx(2.0, abs=0.1)] * 5
    assert len(set(rolls)) == 1, "the position's own generator has no part in it"


def test_a_limit_of_endings_keeps_to_legal_ends() -> None:
    game = ToyRace(num_players=2)
    judge = judge_of(game, 1.0, 0.5)
    state = game.new(1)
    state["fuel"] = rules.TANK
    everything = game.turn_search(judge).leads(state, deals=1, seed=1)
    some = game.turn_search(judge, endings=1).leads(state, deals=1, seed=1)
    legal = game.legal_mask(state) == 1
    assert (some[legal] <= everything[legal] + 1e-6).all()
    assert np.isfinite(some[legal]).all()


def test_a_tree_is_judged_by_the_value() -> None:
    """By a value that likes fuel alone, refuelling is best; by one that likes points, a roll: 2 spaces on average."""
    game = ToyRace(num_players=2)
    state = game.new(1)
    for weights, verb in (((0.0, 5.0), "refuel"), ((5.0, 0.0), "roll")):
        search: Any = game.tree_search(judge=judge_of(game, *weights))
        found = search.search(state, 300, seed=1)
        assert game.decode(int(found.visits.argmax()))[0] == verb
        assert ((found.value >= 0) & (found.value <= 1)).all()


def test_a_lead_is_over_the_best_other_seat() -> None:
    values = np.array([3.0, 9.0, 5.0])
    lead, chance = (cast(Any, getattr(function, "plain", function)) for function in (value.lead_of, value.chance_of))
    assert [lead(values, 3, seat) for seat in range(3)] == [-6, 4, -4]
    assert lead(values, 1, 0) == 3
    assert chance(0.0, 7.0) == 0.5
    assert chance(7.0, 7.0) == pytest.approx(1 - chance(-7.0, 7.0))
    assert chance(-1e9, 0.001) == pytest.approx(0), "no overflow where it is not compiled"
    assert chance(1e9, 0.001) == 1


def test_a_game_that_is_over_is_not_searched() -> None:
    """No action is legal: all that could come out are numbers that say nothing."""
    game = ToyRace(num_players=2)
    state = game.random_playout(game.new(1), seed=1)
    with pytest.raises(ValueError, match="state: expected a decision of a seat, but the game is over"):
        game.turn_search(game.judge()).leads(state, deals=1, seed=1)
    with pytest.raises(ValueError, match="state: expected a decision of a seat, but the game is over"):
        game.tree_search().search(state, 10, seed=1)
