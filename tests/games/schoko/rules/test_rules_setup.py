"""Setup, and the order of the month."""

from __future__ import annotations

import numpy as np
import pytest
from schoko_games import Position, asked, legal, load, money, most, of, play

from chocofactory_env.games.schoko.constants import GONE, NONE, NUM_CATEGORIES, UNSEEN, Event, Express


@pytest.mark.parametrize("players", [2, 3, 4])
def test_set_2_everyone_begins_with_cash_alone(players: int) -> None:
    """SET-1"""
    state = load(num_players=players).new(seed=3)
    assert money(state) == [100] * players
    for field in ("staff", "staff_before", "loans", "shares", "cocoa", "chocolate", "num_contracts", "out"):
        assert not np.any(of(state, field)), field


@pytest.mark.parametrize("players", [2, 3, 4])
def test_set_3_three_express_cards_each_and_the_others_leave_the_game(players: int) -> None:
    hands = set()
    for seed in range(20):
        places = load(num_players=players).new(seed)["express"][0].tolist()
        assert [places.count(seat) for seat in range(players)] == [3] * players
        assert (places.count(UNSEEN), places.count(GONE)) == (12 - 3 * players, 0)
        hands.add(tuple(places))
    assert len(hands) > 15


def test_set_4_contracts_are_shuffled() -> None:
    decks = {tuple(load().new(seed)["contracts"][0].tolist()) for seed in range(20)}
    assert len(decks) > 15
    assert all(sorted(deck) == list(range(23)) for deck in decks)


def test_set_5_events_are_shuffled_and_again_after_the_seventh() -> None:
    """EV-0"""
    decks = [load().new(seed)["events"][0].tolist() for seed in range(20)]
    assert len({tuple(deck) for deck in decks}) > 15
    for deck in decks:
        assert sorted(deck[:7]) == sorted(deck[7:]) == list(range(7))
    assert any(deck[:7] != deck[7:] for deck in decks)


def test_set_6_the_first_leader_is_drawn_or_named() -> None:
    assert {int(load(num_players=3).new(seed)["leader"][0]) for seed in range(20)} == {0, 1, 2}
    game = load(num_players=3, leader=2)
    assert {int(game.new(seed)["leader"][0]) for seed in range(5)} == {2}


@pytest.mark.parametrize(("players", "allowed", "usual"), [(2, [6, 8, 10, 12], 8), (3, [6, 9, 12], 9), (4, [8, 12], 8)])
def test_set_7_months_are_a_multiple_of_the_players(players: int, allowed: list[int], usual: int) -> None:
    assert int(load(num_players=players).new(0)["months"][0]) == usual
    for months in range(3, 14):
        if months in allowed:
            assert int(load(num_players=players, months=months).new(0)["months"][0]) == months
        else:
            with pytest.raises(ValueError, match="months"):
                load(num_players=players, months=months)


def test_set_8_stores_take_sixteen_bars() -> None:
    game, state = Position().player(0, cocoa=5).ask("announce", 0).build()
    assert most(game, state) == 11
    game, state = Position().player(0, staff=(6, 0, 0, 0), cocoa=16, chocolate=9).ask("make", 0).build()
    assert most(game, state) == 7


def test_set_9_what_is_not_in_the_box_cannot_be_had() -> None:
    """STAFF-4"""
    assert load().new(0)["box"][0].tolist() == [20, 16, 16, 10, 13, 10]
    firms = Position().player(0, staff=(0, 8, 0, 0)).player(1, staff=(0, 7, 0, 0)).player(2, cash=500)
    game, state = firms.ask("staff", 2, category=1).build()
    assert most(game, state) == 1
    game, state = Position(2).player(0, shares=9, cash=200).player(1, cash=100).ask("money", 1).build()
    assert "buy_shares 1" in legal(game, state)
    assert "buy_shares 2" not in legal(game, state)
    firms = Position(2).player(0, loans=13, staff=(3, 0, 0, 0))
    game, state = firms.player(1, cash=0, shares=1).ask("money", 1).build()
    assert "take_loan" not in legal(game, state)


def test_set_10_bars_do_not_run_out() -> None:
    firms = Position(4)
    for seat in range(4):
        firms.player(seat, chocolate=16, cocoa=16 if seat else 15)
    game, state = firms.ask("announce", 0).build()
    play(game, state, "bars 1", "bars 1", "price 2")
    assert sum(of(state, "chocolate") + of(state, "cocoa")) == 128


def test_mon_1_a_month_has_its_phases_in_order() -> None:
    game = load(num_players=2, leader=0, play_forced=False)
    state = game.new(seed=1)
    seen = [asked(game, state)[0]]
    while int(state["month"][0]) == 0 and not game.is_over(state):
        words = legal(game, state)
        play(game, state, "pass" if "pass" in words else words[0])
        if asked(game, state)[0] != seen[-1]:
            seen.append(asked(game, state)[0])
    assert seen == ["look", "staff", "announce", "make", "bank_sale", "money", "look"]


@pytest.mark.parametrize(("out", "leader"), [((), 1), ((1,), 2), ((1, 2), 3)])
def test_mon_2_the_leadership_passes_to_the_left_over_bankrupt_players(out: tuple[int, ...], leader: int) -> None:
    firms = Position(4)
    for number, seat in enumerate(out):
        firms.player(seat, cash=0, out=number + 1)
    game, state = firms.ask("money", 3).build()
    play(game, state, "pass")
    assert asked(game, state) == ("look", leader)
    assert int(state["leader"][0]) == leader


def test_mon_3_what_is_announced_holds_next_month_and_a_card_to_the_end_of_this() -> None:
    firms = Position(2).event("no_cocoa").player(0, struck_by="illness", absent=(1, 0, 0, 0), staff=(2, 0, 0, 0))
    game, state = firms.player(1, has_played=1, staff=(2, 0, 0, 0), chocolate=1).ask("bank_sale", 1).build()
    play(game, state, "bars 0")
    assert (int(state["event_turned"][0]), int(state["event_in_force"][0])) == (Event.NO_COCOA, NONE)
    assert (of(state, "struck_by"), of(state, "has_played")) == ([Express.ILLNESS, NONE], [0, 1])
    play(game, state, "pass", "pass")
    assert (int(state["event_turned"][0]), int(state["event_in_force"][0])) == (NONE, Event.NO_COCOA)
    assert (of(state, "struck_by"), of(state, "has_played")) == ([NONE] * 2, [0] * 2)
    assert of(state, "absent", 0) == [0] * NUM_CATEGORIES
