"""Shared playouts and tree search, tried on the toy race: a seat that asks sees no more than it may."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from games_under_test import race_with

from chocofactory_env.core.jit import COMPILED, jit
from chocofactory_env.core.kernel.rng import WORDS, simulation_seed
from chocofactory_env.core.search.tree import TreeSearch
from toyrace import rules
from toyrace.game import ToyRace

SIMULATIONS = 300 if COMPILED else 30
PLAYOUTS = 100 if COMPILED else 10
Hide = Callable[[np.ndarray, int, np.random.Generator], None]


def sponsors_of_others(state: np.ndarray, seat: int, rng: np.random.Generator) -> None:
    others = [other for other in range(int(state["num_players"][0])) if other != seat]
    state["sponsor"][0, others] = 1 + (state["sponsor"][0, others] + rng.integers(rules.SPONSORS - 1)) % rules.SPONSORS


def order_of_the_deck(state: np.ndarray, seat: int, rng: np.random.Generator) -> None:
    drawn = int(state["drawn"][0])
    state["stack"][0, drawn:] = rng.permutation(state["stack"][0, drawn:])


def chance_to_come(state: np.ndarray, seat: int, rng: np.random.Generator) -> None:
    state["seed"] = rng.integers(1 << 62)
    state["rng"] = rng.integers(1 << 32, size=state["rng"].shape, dtype=np.uint32)


HIDDEN: list[Hide] = [sponsors_of_others, order_of_the_deck, chance_to_come]


def near_the_end(game: ToyRace, seed: int) -> np.ndarray:
    """The last round; everyone has fuel, and the end of the track, where sponsors pay, is near."""
    state: np.ndarray = game.new(seed)
    state["turn"] = int(game.options["rounds"]) * game.num_players - game.num_players
    state["space"][0, : game.num_players] = rules.TRACK - 2
    state["fuel"][0, : game.num_players] = 3
    return state


def with_other(hide: Hide, state: np.ndarray, seat: int, seed: int) -> np.ndarray:
    other = state.copy()
    hide(other, seat, np.random.default_rng(seed))
    assert other.tobytes() != state.tobytes()
    return other


def found(game: ToyRace, state: np.ndarray) -> list[bytes]:
    return [array.tobytes() for array in game.tree_search().search(state, SIMULATIONS, seed=3)]


def played(game: ToyRace, state: np.ndarray, player: int | None) -> list[bytes]:
    return [array.tobytes() for array in game.random_playouts(state, range(PLAYOUTS), player=player)]


@pytest.mark.parametrize("hide", HIDDEN)
@pytest.mark.parametrize("players", [2, 4])
def test_a_tree_does_not_see_what_is_hidden_from_the_seat_that_moves(hide: Hide, players: int) -> None:
    game = ToyRace(num_players=players)
    for seed in range(4):
        state = near_the_end(game, seed)
        others = with_other(hide, state, game.current_player(state), seed)
        assert found(game, others) == found(game, state)


@pytest.mark.parametrize("hide", HIDDEN)
@pytest.mark.parametrize("players", [2, 4])
def test_playouts_do_not_see_what_is_hidden_from_the_seat_that_asks(hide: Hide, players: int) -> None:
    game = ToyRace(num_players=players)
    for seed in range(4):
        state = near_the_end(game, seed)
        for seat in range(players):
            others = with_other(hide, state, seat, seed)
            assert played(game, others, seat) == played(game, state, seat)


def test_what_the_seat_sees_itself_counts() -> None:
    """Otherwise the tests above would say nothing."""
    game = ToyRace(num_players=2)
    state = near_the_end(game, 1)
    state["sponsor"] = 1
    seat = game.current_player(state)
    own = state.copy()
    own["sponsor"][0, seat] = rules.SPONSORS
    assert found(game, own) != found(game, state)
    assert played(game, own, seat) != played(game, state, seat)
    assert played(game, own, 1 - seat) == played(game, state, 1 - seat)


def test_playouts_for_nobody_leave_hidden_things_as_they_lie() -> None:
    game = ToyRace(num_players=2)
    state = near_the_end(game, 1)
    for hide in (sponsors_of_others, order_of_the_deck):
        assert played(game, with_other(hide, state, 0, 1), None) != played(game, state, None)


def test_every_face_of_a_die_comes_about_equally_often() -> None:
    game = ToyRace(num_players=2)
    state = game.new(1)
    seat, roll = game.current_player(state), game.action_layout.encode("roll")
    faces = np.zeros(rules.DIE, int)
    for seed in range(1500):
        dealt = game.redeal(state, seat, seed)
        game.apply(dealt, roll)
        faces[int(dealt["space"][0, seat]) - 1] += 1
    assert (abs(faces - 500) < 75).all()  # four standard deviations


def lucky(seed: int) -> tuple[ToyRace, np.ndarray]:
    """The last turn of a race alone, which is won by rolling the highest face and refuelling, and in no other way."""
    game = ToyRace(num_players=1)
    state = game.new(seed)
    state["turn"] = int(game.options["rounds"]) - 1
    state["money"][0, 0] = rules.WIN_ALONE - rules.DIE - rules.REFUEL
    return game, state


@pytest.mark.parametrize("seed", range(6 if COMPILED else 1))
def test_a_tree_expects_every_face_and_foresees_none(seed: int) -> None:
    game, state = lucky(seed)
    result = game.tree_search().search(state, 3000 if COMPILED else 300, seed)
    roll = game.action_layout.encode("roll")
    assert result.value[roll] == pytest.approx(1 / rules.DIE, abs=0.06 if COMPILED else 0.15)
    assert np.delete(result.value, roll).max() == 0
    assert result.visits.argmax() == roll


def test_a_tree_grows_on_and_finds_the_same_again() -> None:
    game, state = lucky(1)
    before = state.tobytes()
    search: Any = game.tree_search()
    half = search.search(state, SIMULATIONS, seed=5)
    whole = search.search(state, SIMULATIONS, seed=5, more=True)
    assert half.visits.sum() == SIMULATIONS
    assert whole.visits.sum() == 2 * SIMULATIONS
    at_once = game.tree_search().search(state, 2 * SIMULATIONS, seed=5)
    assert all(np.array_equal(one, other) for one, other in zip(whole, at_once, strict=True))
    assert state.tobytes() == before


def test_priors_and_advice_are_looked_at_first() -> None:
    game, state = lucky(1)
    rest, refuel = game.action_layout.encode("rest"), game.action_layout.encode("refuel")
    priors = np.full(game.num_actions, 0.01, np.float32)
    priors[rest] = 1
    assert game.tree_search(priors=priors).search(state, 5, seed=1).visits.argmax() == rest
    assert game.tree_search().search(state, 5, seed=1, advice=[refuel]).visits.argmax() == refuel


def test_priors_of_other_numbers_are_searched_by_the_same_code() -> None:
    game, state = lucky(1)
    weights = np.arange(1, game.num_actions + 1)
    expected = game.tree_search(priors=weights.astype(np.float32)).search(state, SIMULATIONS, seed=1)
    read_only = weights.astype(np.float32)
    read_only.flags.writeable = False
    for priors in (weights, weights / 1, np.repeat(weights, 2)[::2], read_only, weights.tolist()):
        found = game.tree_search(priors=priors, exploration=np.float32(0.6)).search(state, SIMULATIONS, seed=1)
        assert np.array_equal(found.visits, expected.visits)


@jit
def note_deal(
    tables: np.ndarray,
    leaves: np.ndarray,
    priors: np.ndarray,
    mask: np.ndarray,
    words: np.ndarray,
    values: np.ndarray,
    leaf: tuple[np.ndarray],
) -> None:
    """In place of `judge_leaf`: the seed of the deal, and the playouts' generator; seen[0, 0] counts the lines."""
    seen = leaf[0]
    line = int(seen[0, 0]) + 1
    seen[0, 0] = line
    seen[line, 0] = leaves[0].seed
    seen[line, 1] = int(words[0]) * 2**30 + int(words[1])
    values[:] = 0.5


NOTES_DEALS = race_with("notes_deals", judge_leaf=note_deal)


class NotingSearch(TreeSearch):
    @property
    def _kernel(self) -> Any:
        return NOTES_DEALS

    def deals(self, state: np.ndarray, simulations: int, seed: int) -> list[tuple[int, int]]:
        """Of every simulation what it is dealt from, and what its playout is seeded with."""
        seen = np.zeros((simulations + 1, 2), np.int64)
        self._leaf = (seen,)
        self.search(state, simulations, seed)
        return [(int(deal), int(playout)) for deal, playout in seen[1:]]


def test_searches_of_neighbouring_seeds_share_no_deal() -> None:
    game = ToyRace(num_players=2)
    state = game.new(1)
    search = NotingSearch(game)
    seen = [pair for seed in (7, 8, 9) for pair in search.deals(state, 60, seed)]
    assert len({deal for deal, _ in seen}) == len({playout for _, playout in seen}) == 180
    assert search.deals(state, 5, seed=7) == seen[:5]


@pytest.mark.parametrize("seed", [0, 2**63 - 1])
def test_the_seed_of_a_simulation_is_one_that_a_game_takes(seed: int) -> None:
    scratch = np.zeros(WORDS, np.uint32)
    found = [simulation_seed(scratch, seed, number) for number in (0, 1, 2**31 - 1)]
    assert len(set(found)) == 3
    for each in found:
        ToyRace().new(each)
