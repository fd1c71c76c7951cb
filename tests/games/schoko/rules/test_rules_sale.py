"""Sales meetings."""

from __future__ import annotations

import pytest
from schoko_games import Position, asked, legal, money, of, play, row_of


def before_meetings(salesmen: tuple[int, ...]) -> Position:
    """The last seat has one bar to make; then the meetings begin."""
    players = len(salesmen)
    firms = Position(players, leader=0).next_contracts("hotel-group", "fair-stalls", "duty-free")
    for seat, number in enumerate(salesmen):
        firms.player(seat, staff=(0, number, 0, 0), chocolate=6)
    firms.player(players - 1, staff=(1, salesmen[-1], 0, 0), cocoa=1)
    return firms.ask("make", players - 1)


@pytest.mark.parametrize(
    ("salesmen", "meetings", "markers"),
    [((3, 1, 0), 9, [9, 3, 0]), ((4, 1, 0, 2), 15, [15, 4, 0, 8]), ((1, 0), 2, [2, 0]), ((2, 2), 4, [4, 4])],
)
def test_sale_1_and_sale_2_meetings_and_markers(salesmen: tuple[int, ...], meetings: int, markers: list[int]) -> None:
    """Situation 6."""
    firms = before_meetings(salesmen)
    game, state = firms.player(0, hand=["tax_inspection"]).build()
    play(game, state, "bars 1")
    assert (asked(game, state)[0], int(state["meetings_left"][0])) == ("card_b", meetings)
    assert of(state, "marker") == markers


def test_sale_3_the_contract_is_turned_up_then_all_say_whether_they_come_then_it_is_offered() -> None:
    game, state = before_meetings((2, 1)).build()
    play(game, state, "bars 1")
    assert asked(game, state) == ("attend", 1)
    assert game.cards.contracts[state["offer"][0]] == "hotel-group"
    assert int(state["price"][0]) == 0
    play(game, state, "attend")
    assert (asked(game, state), int(state["price"][0])) == (("offer", 0), 44)


def attending() -> Position:
    """Seat 0 comes without being asked, the others are asked if they may come."""
    firms = Position(4).meeting("hotel-group", left=6, present=[0])
    firms.player(0, marker=5, chocolate=5).player(1, marker=2, chocolate=3)
    return firms.player(2, marker=2, chocolate=2).player(3, marker=0, chocolate=5).ask("attend", 1)


def test_sale_4_only_who_can_deliver_and_has_a_marker_is_asked() -> None:
    game, state = attending().build()
    assert legal(game, state) == ["attend", "pass"]
    play(game, state, "attend")
    assert asked(game, state) == ("offer", 0)  # seat 2 has too little chocolate, seat 3 no marker
    assert int(state["present"][0]) == 0b11


def test_sale_5_being_present_costs_one_of_the_marker() -> None:
    game, state = attending().build()
    play(game, state, "attend")
    assert of(state, "marker") == [5, 1, 2, 0]
    game, state = attending().build()
    play(game, state, "pass")
    assert of(state, "marker") == [5, 2, 2, 0]
    game, state = before_meetings((2, 2)).build()
    play(game, state, "bars 1")
    assert of(state, "marker") == [3, 3]


def auction(price: int = 42, present: tuple[int, ...] = (0, 1, 3)) -> Position:
    """Situation 7: chairman is seat 3."""
    firms = Position(4).meeting("ice-cream-maker", price, left=3, present=present)
    for seat in range(4):
        firms.player(seat, chocolate=3 if seat in present else 0, marker=2)
    return firms.ask("offer", present[0])


def test_sale_6_all_eligible_are_asked_the_chairman_last() -> None:
    game, state = auction().build()
    for seat in (0, 1, 3):
        assert asked(game, state) == ("offer", seat)
        play(game, state, "pass")
    assert asked(game, state) == ("raise", 3)
    game, state = auction().build()
    play(game, state, "pass", "accept")
    assert row_of(game, state, 1) == [("ice-cream-maker", 42)]


def test_sale_7_the_chairman_raises_and_all_are_asked_again() -> None:
    game, state = auction().build()
    play(game, state, "pass", "pass", "pass")
    assert legal(game, state) == [f"raise {number}" for number in range(1, 6)]
    play(game, state, "raise 5")
    assert asked(game, state) == ("offer", 0)
    play(game, state, "pass", "accept")
    assert row_of(game, state, 1) == [("ice-cream-maker", 47)]
    assert of(state, "chocolate") == [3, 0, 0, 3]


def test_sale_8_a_single_eligible_player_is_offered_the_highest_price() -> None:
    """Situation 7."""
    firms = (
        Position(4).next_contracts("ice-cream-maker", "hotel-group").player(1, staff=(1, 1, 0, 0), chocolate=2, cocoa=1)
    )
    game, state = firms.ask("make", 1).build()
    play(game, state, "bars 1")
    assert (asked(game, state), int(state["price"][0])) == (("offer", 1), 78)
    play(game, state, "pass")
    assert (int(state["price"][0]), int(state["meetings_left"][0])) == (82, 3)
    play(game, state, "accept")
    assert row_of(game, state, 1) == [("hotel-group", 82)]


def test_sale_9_the_bars_go_at_once_and_the_money_lies_behind_the_others() -> None:
    firms = auction().player(1, contracts=[("tea-room", 30)])
    game, state = firms.build()
    play(game, state, "pass", "accept")
    assert row_of(game, state, 1) == [("tea-room", 30), ("ice-cream-maker", 42)]
    assert (of(state, "chocolate", 1), money(state)[1]) == (0, 100)


def test_sale_10_without_chocolate_there_are_no_more_meetings() -> None:
    firms = Position(2).meeting("tea-room", 52, left=4, present=[0]).player(0, chocolate=2, marker=3)
    game, state = firms.player(1, cocoa=1, chocolate=0).ask("offer", 0).build()
    left = int(state["contracts_left"][0])
    play(game, state, "accept")
    assert (int(state["contracts_left"][0]), int(state["meetings_left"][0])) == (left, 0)
    assert of(state, "marker") == [0, 0]


def test_sale_11_the_contracts_that_are_held_back_are_shuffled_when_one_is_wanted() -> None:
    decks = set()
    for seed in range(6):
        firms = Position(2, seed=seed).next_contracts("tea-room").meeting("ice-cream-maker", 42, left=3, present=[0, 1])
        firms.player(0, chocolate=6, marker=2).player(1, chocolate=6, marker=2, contracts=[("airline", 60)])
        game, state = firms.ask("offer", 0).build()
        play(game, state, "accept")
        assert game.cards.contracts[state["offer"][0]] == "tea-room"
        assert int(state["contracts_left"][0]) == 0
        play(game, state, "accept" if asked(game, state)[0] == "offer" else "pass")
        assert int(state["contracts_left"][0]) == 23 - 4
        decks.add(tuple(state["contracts"][0].tolist()))
    assert len(decks) == 6


def test_sale_12_who_gained_no_contract_may_sell_two_bars() -> None:
    firms = Position(3).player(0, chocolate=5).player(1, chocolate=5, gained=1, contracts=[("tea-room", 30)])
    game, state = firms.player(2, chocolate=1).ask("bank_sale", 0).build()
    assert legal(game, state) == ["bars 0", "bars 1", "bars 2"]
    play(game, state, "bars 2")
    assert (asked(game, state), money(state)[0], of(state, "chocolate", 0)) == (("bank_sale", 2), 110, 3)
    assert legal(game, state) == ["bars 0", "bars 1"]
