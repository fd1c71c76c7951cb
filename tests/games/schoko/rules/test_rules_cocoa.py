"""The markets, and production."""

from __future__ import annotations

from typing import Any

import pytest
from schoko_games import Position, asked, legal, money, most, of, play


def test_cocoa_1_everyone_announces_up_to_the_free_places() -> None:
    game, state = Position(3, leader=2).player(2, cocoa=6).player(0, cocoa=16).ask("announce", 2).build()
    assert most(game, state) == 10
    play(game, state, "bars 10")
    assert asked(game, state) == ("announce", 1)  # seat 0 has no free place
    play(game, state, "bars 4")
    assert of(state, "announced") == [0, 4, 10]


@pytest.mark.parametrize(
    ("announced", "market"),
    [((16, 9, 7, 6), [8, 8, 8, 7, 7]), ((3, 0, 0, 0), [1, 1, 1, 0, 0]), ((16, 16, 16, 16), [13, 13, 13, 13, 12])],
)
def test_cocoa_2_bars_are_spread_evenly(announced: tuple[int, ...], market: list[int]) -> None:
    """Situation 3."""
    game, state = Position(4).ask("announce", 0).build()
    play(game, state, *(f"bars {bars}" for bars in announced))
    assert state["market"][0].tolist() == market


def test_cocoa_3_cities_sell_in_turn_and_those_without_bars_are_skipped() -> None:
    game, state = Position(2).ask("announce", 0).build()
    play(game, state, "bars 2", "bars 0")
    assert (asked(game, state), int(state["city"][0])) == (("bid_bars", 0), 0)
    play(game, state, "bars 1", "price 4", "bars 0")
    assert (asked(game, state), int(state["city"][0]), of(state, "cocoa")) == (("bid_bars", 0), 1, [1, 0])
    play(game, state, "bars 0", "bars 0")
    assert asked(game, state)[0] == "money"  # nobody has anything to make or to sell
    game, state = Position(2).ask("announce", 0).build()
    play(game, state, "bars 0", "bars 0")
    assert asked(game, state)[0] == "money"


def bidding(**fields: Any) -> Position:
    firms = Position(4, leader=2)
    for seat in range(4):
        firms.player(seat, announced=10)
    return firms.player(2, **fields).ask("bid_bars", 2)


def test_cocoa_4_bars_and_price_are_limited_by_offer_store_and_cash() -> None:
    for fields, bars in (({}, 8), ({"cocoa": 12}, 4), ({"cash": 3}, 3)):
        game, state = bidding(**fields).build()
        assert most(game, state) == bars
    game, state = bidding(cash=29).build()
    play(game, state, "bars 4")
    assert legal(game, state) == [f"price {price}" for price in range(1, 8)]
    game, state = bidding(cash=250).build()
    play(game, state, "bars 2")
    assert most(game, state) == 30
    game, state = bidding(cash=250).build()
    play(game, state, "bars 0")
    assert asked(game, state) == ("bid_bars", 3)


def test_cocoa_5_the_highest_bid_is_served_first_and_equal_ones_in_player_order() -> None:
    """Situation 4."""
    game, state = bidding().build()
    play(game, state, "bars 4", "price 5", "bars 5", "price 4", "bars 4", "price 5", "bars 3")
    assert (of(state, "cocoa"), money(state)) == ([0] * 4, [100] * 4)
    play(game, state, "price 6")
    assert of(state, "cocoa") == [1, 3, 4, 0]
    assert money(state) == [95, 82, 80, 100]


def test_cocoa_6_bids_stay_visible_and_what_nobody_buys_is_gone() -> None:
    game, state = bidding().build()
    play(game, state, "bars 3", "price 2", "bars 0", "bars 0")
    play(game, state, "bars 2", "price 1")
    assert state["market"][0].tolist() == [0, 8, 8, 8, 8]
    for seat in range(4):
        bids = game.observe(state, seat)["bids"][:, 0] * 30
        assert [[round(float(x)) for x in bids[(other - seat) % 4]] for other in range(4)] == [
            [0, 0],
            [2, 1],
            [3, 2],
            [0, 0],
        ]


@pytest.mark.parametrize("event", ["no_cocoa", "slow_work"])
def test_cocoa_7_in_a_month_without_cocoa_the_phase_is_left_out(event: str) -> None:
    """EV-5"""
    firms = Position(2).in_force(event).player(0, staff=(1, 0, 0, 0), cocoa=3)
    game, state = firms.ask("staff", 1, category=3).build()
    play(game, state, "staff 0")
    assert asked(game, state)[0] == ("make" if event == "no_cocoa" else "announce")


@pytest.mark.parametrize(
    ("fields", "bars"),
    [
        ({}, 9),
        ({"absent": (1, 0, 0, 0), "struck_by": "illness"}, 6),
        ({"struck_by": "slow_shift"}, 6),
        ({"chocolate": 14}, 2),
        ({"cocoa": 4}, 4),
    ],
)
def test_make_1_and_make_2_how_much_is_made(fields: dict[str, Any], bars: int) -> None:
    """Situation 5."""
    values: dict[str, Any] = {"staff": (3, 0, 0, 0), "cocoa": 9} | fields
    firms = Position(2).player(0, **values)
    if "struck_by" in fields:
        firms.player(1, has_played=1)
    game, state = firms.ask("make", 0).build()
    assert most(game, state) == bars
    before = of(state, "cocoa", 0), of(state, "chocolate", 0)
    play(game, state, "bars 2")
    assert (of(state, "cocoa", 0), of(state, "chocolate", 0)) == (before[0] - 2, before[1] + 2)
