"""Agents' seeds: of a deal they hold no more than the seat sees, and the seeds of searches do not overlap."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from chocofactory_games import VARIANTS, load, scrambled, variant_name

import chocofactory_env as cf
from chocofactory_env.agents.chocofactory.tree import TreeAgent
from chocofactory_env.arena.games import Entrant, play_game
from chocofactory_env.core.kernel.rng import WORDS, opponent_seed
from chocofactory_env.envs.seat import SeatEnv
from chocofactory_env.envs.vector import SeatVectorEnv
from toyrace.game import ToyRace

EVERY = pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
SPY = 0  # the seat of the agent that listens


class Spy:
    def __init__(self) -> None:
        self.seeds: list[int] = []

    def reset(self, seed: int) -> None:
        self.seeds.append(seed)

    def begin(self, games: np.ndarray, seeds: np.ndarray) -> None:
        self.seeds += seeds.tolist()

    def __call__(self, observations: Any, masks: np.ndarray) -> Any:
        return masks.argmax(axis=-1)


class Other(Spy):
    """In the seats of others; it does not listen."""


def in_a_match(game: Any, deal: int) -> int:
    spy = Spy()
    play_game(game, [Entrant("spy", spy), Entrant("other", Other())], deal)
    return spy.seeds[0]


def in_a_record(game: Any, deal: int) -> int:
    spy = Spy()
    cf.record_game(game, [spy, Other()], deal)
    return spy.seeds[0]


def against_a_learner(game: Any, deal: int) -> int:
    spy = Spy()
    SeatEnv(game, opponents=spy, seat=1).reset(seed=deal)
    return spy.seeds[0]


def against_a_batch_of_learners(game: Any, deal: int) -> int:
    spy = Spy()
    SeatVectorEnv(game, 1, opponents=spy, seat=1).reset(seed=deal)
    return spy.seeds[0]


PLACES = [in_a_match, in_a_record, against_a_learner, against_a_batch_of_learners]


@pytest.mark.parametrize("seed_given", PLACES)
def test_the_seed_is_derived_in_one_way_everywhere(seed_given: Callable[[Any, int], int]) -> None:
    game = ToyRace(num_players=2)
    for deal in range(5):
        rotation = [0] if seed_given is in_a_match else []
        assert seed_given(game, deal) == cf.agent_seed(game, game.new(deal), SPY, *rotation)


@EVERY
def test_hidden_cards_and_the_seed_of_the_deal_do_not_enter_an_agents_seed(options: dict[str, Any]) -> None:
    game, rng = load(**options), np.random.default_rng(1)
    for deal in range(3):
        state = game.new(deal)
        for seat in range(game.num_players):
            seed = cf.agent_seed(game, state, seat)
            for other in (scrambled(game, state, seat, rng), game.redeal(state, seat, seed=deal + 1)):
                assert game.seed_of(other) != deal
                assert cf.agent_seed(game, other, seat) == seed


def test_seeds_of_games_seats_and_rotations_differ_and_can_be_had_again() -> None:
    game = load(num_players=4)
    where = [(deal, seat, rotation) for deal in range(50) for seat in range(4) for rotation in range(4)]
    seeds = [cf.agent_seed(game, game.new(deal), seat, rotation) for deal, seat, rotation in where]
    assert len(set(seeds)) == len(seeds)
    assert seeds == [cf.agent_seed(game, game.new(deal), seat, rotation) for deal, seat, rotation in where]
    assert all(0 <= seed < 1 << 63 for seed in seeds)
    assert max(seeds) > 1 << 62
    ones = np.array([[seed >> bit & 1 for bit in range(63)] for seed in seeds]).mean(axis=0)
    assert ((ones > 0.4) & (ones < 0.6)).all()


@pytest.mark.parametrize("seat", [-1, 2, 10**9, True])
def test_a_seat_that_is_not_there_has_no_seed(seat: Any) -> None:
    game = load(num_players=2)
    with pytest.raises((TypeError, ValueError), match=r"^seat: expected"):
        cf.agent_seed(game, game.new(1), seat)
    with pytest.raises(ValueError, match=r"^state: expected one position of this variant"):
        cf.agent_seed(game, load(num_players=3).new(1), 0)


def test_the_seed_of_the_environments_own_rivals_is_not_given_to_agents() -> None:
    game, scratch = ToyRace(num_players=2), np.zeros(WORDS, np.uint32)
    given = {against_a_learner(game, deal) for deal in range(20)}
    assert given.isdisjoint({opponent_seed(scratch, deal, 0) for deal in range(20)})


@pytest.mark.parametrize("settings", [{}, {"time_s": 0.002}], ids=str)
def test_searches_of_neighbouring_games_take_no_seed_in_common(
    settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load(num_players=2)
    agent = TreeAgent(game, simulations=300, plan_width=0, advised=False, **settings)
    taken: list[tuple[int, int]] = []
    search = agent._search.search

    def noted(state: Any, simulations: int, seed: int, more: bool = False, **rest: Any) -> Any:
        if not more:
            taken.append((seed, seed + 1_000_000))
        return search(state, 1, seed, more, **rest)

    monkeypatch.setattr(agent._search, "search", noted)
    state = game.new(1)
    for seed in range(4):
        agent.reset(seed)
        for _ in range(40):
            agent.choose(state.copy(), game.current_player(state))
    assert len(taken) == 160
    first_game, in_order = taken[:40], sorted(taken)
    assert all(end <= first for (_, end), (first, _) in pairwise(in_order))
    agent.reset(0)
    for _ in range(40):
        agent.choose(state.copy(), game.current_player(state))
    assert taken[160:] == first_game


@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, "x", True])
def test_no_agent_is_reset_by_what_is_no_seed(seed: Any) -> None:
    spy = Spy()
    with pytest.raises((TypeError, ValueError), match=r"^seed: expected "):
        cf.reset_agent(spy, seed)
    assert not spy.seeds
