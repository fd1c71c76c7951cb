"""Setup."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from candyfactory_games import ALL_NUMBERS, SPECIALISTS, deck, goods, hand, load, specialist_deck, step, supply

SEEDS = range(40)


def test_the_supply_lacks_what_players_begin_with() -> None:
    """START-1, START-2, START-4"""
    for players in (2, 3, 4):
        game = load(num_players=players)
        state = game.new(seed=1)
        assert supply(state) == {"sugar": 30 - players, "cacao": 30 - players, "coins": 15 - players}
        for seat in range(players):
            assert goods(game, state, seat) == {"sugar": 1, "cacao": 1}
            assert state[0]["seats"][seat]["coins"] == 1
            assert not state[0]["seats"][seat]["goods"][1:].any()


def test_eighteen_specialists_lie_in_one_shuffled_deck() -> None:
    """START-2, START-6"""
    game = load(num_players=2)
    decks = [specialist_deck(game.new(seed)) for seed in SEEDS]
    assert all(Counter(cards) == dict.fromkeys(SPECIALISTS[1:], 3) for cards in decks)
    assert len({cards[0] for cards in decks}) == 6


def test_everyone_has_the_same_cards_and_trucks_and_a_hand_of_the_temp_and_two_workers() -> None:
    """START-3, START-5"""
    game = load(num_players=4)
    hands = set()
    for seed in SEEDS:
        state = game.new(seed)
        for seat in range(4):
            held, left = hand(state, seat), deck(state, seat)
            assert held[-1] == "temp"
            assert len(held) == 3
            assert len(left) == 6
            assert sorted([*held[:-1], *left]) == list(ALL_NUMBERS)
            hands.add(tuple(held))
        assert len({tuple(seat["free"]) for seat in state[0]["seats"].tolist() if isinstance(seat, dict)}) <= 1
    assert len(hands) > 20


@pytest.mark.parametrize(("players", "number"), [(2, 3), (3, 4), (4, 5)])
def test_recipes_are_drawn_and_lie_in_the_order_of_the_deck(players: int, number: int) -> None:
    """START-7, CANDY-1"""
    game = load(num_players=players)
    drawn = Counter[int]()
    for seed in SEEDS:
        row = game.new(seed)[0]
        recipes = row["recipes"].tolist()
        assert recipes[number:] == [-1] * (5 - number)
        assert row["tokens"].tolist() == [6] * number + [0] * (5 - number)
        assert all(one < other for one, other in pairwise(recipes[:number]))
        drawn.update(recipes[:number])
    assert set(drawn) == set(range(10))


def test_any_seat_may_start_unless_an_option_says_which() -> None:
    """START-8"""
    game = load(num_players=3)
    assert {game.current_player(game.new(seed)) for seed in SEEDS} == {0, 1, 2}
    fixed = load(num_players=3, start_player=2)
    assert {fixed.current_player(fixed.new(seed)) for seed in SEEDS} == {2}


def test_the_board_is_empty_and_the_die_lies_anyhow_whoever_starts() -> None:
    """START-9"""
    game = load(num_players=2)
    states = [game.new(seed) for seed in range(150)]
    assert not any(state[0]["board"].any() for state in states)
    assert {(game.current_player(state), int(state[0]["die"])) for state in states} == {
        (seat, face) for seat in (0, 1) for face in range(1, 9)
    }
    assert {step(state) for state in states} == {"play"}
