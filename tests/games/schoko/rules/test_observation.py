"""The observation says nothing of what is secret; that it says all the rest, games beside the oracle check."""

from __future__ import annotations

from typing import Any

import numpy as np
from schoko_games import Position, asked, play

from chocofactory_env.games.schoko.constants import NUM_EVENTS, Event, Express, Task


def raw(game: Any, state: np.ndarray, seat: int) -> dict[str, np.ndarray]:
    out = np.empty(game.observation_layout.raw_size, np.uint8)
    game.write_raw_observation(state, seat, out)
    return dict(game.observation_layout.tensors(out))


def test_ev_0_no_event_is_to_come_until_all_are_shuffled_again_after_the_seventh_month() -> None:
    for month, left in ((7, 0), (8, NUM_EVENTS - 1)):
        firms = Position(2, month=month, months=12).player(0, shares=1).player(1, shares=1)
        game, state = firms.ask("money", 0).build()
        assert raw(game, state, 0)["events_left"].sum() == left
    game, state = Position(2, month=7, months=12).player(0, shares=1).ask("money", 0).build()
    play(game, state, "pass", "pass")
    assert (asked(game, state)[0], raw(game, state, 0)["events_left"].sum()) == ("look", NUM_EVENTS)


def test_what_is_more_than_a_high_is_shown_as_the_high() -> None:
    firms = Position(2).player(0, cash=2_345).player(1, cash=40_000, salaries=300)
    state = firms.ask("look", 0).state
    seen = raw(firms.game, state, 0)
    assert (seen["cash"].tolist(), seen["salaries"].tolist()) == ([[250, 234], [250, 250]], [0, 250])


def test_see_2_the_event_is_known_to_who_has_looked_until_all_see_it() -> None:
    """LOOK-2, EV-0"""
    game, state = Position(2).event("protest").ask("look", 0).build()
    assert not raw(game, state, 0)["event_known"].any()
    play(game, state, "look")
    assert np.flatnonzero(raw(game, state, 0)["event_known"]).tolist() == [Event.PROTEST]
    assert not raw(game, state, 1)["event_known"].any()
    for seat in range(2):
        assert raw(game, state, seat)["looked"][(0 - seat) % 2] == 1
    game, state = Position(2).event("protest").player(0, looked=1).player(1, chocolate=1).ask("bank_sale", 1).build()
    play(game, state, "bars 0")
    assert not raw(game, state, 0)["event_known"].any()
    assert np.flatnonzero(raw(game, state, 1)["event_turned"]).tolist() == [Event.PROTEST]


def views(game: Any, state: np.ndarray, *seats: int) -> list[bytes]:
    """What these seats see, and what pictures and messages say."""
    seen = [b"".join(tensor.tobytes() for tensor in raw(game, state, seat).values()) for seat in seats]
    return [*seen, game.when(state).encode(), game.render(state).encode()]


def bids() -> Position:
    firms = Position(3)
    for seat in range(3):
        firms.player(seat, announced=10)
    return firms.ask("bid_bars", 0)


def test_see_5_of_a_bid_under_way_the_others_see_nothing() -> None:
    """SEE-2, COCOA-4"""
    game, state = bids().build()
    before = views(game, state, 1, 2)
    play(game, state, "bars 3")
    assert views(game, state, 1, 2) == before
    assert raw(game, state, 0)["own_bid"].tolist() == [3, 0]
    for seat in (1, 2):
        seen = raw(game, state, seat)
        assert not any(seen[name].any() for name in ("task", "to_move", "task_city", "own_bid", "bid_made", "bids"))


def test_see_5_a_complete_bid_is_seen_to_have_been_made_also_one_for_no_bars() -> None:
    seen = []
    for words in (["bars 3", "price 7"], ["bars 3", "price 8"], ["bars 0"]):
        game, state = bids().build()
        play(game, state, *words)
        assert asked(game, state) == ("bid_bars", 1)
        assert raw(game, state, 2)["bid_made"].tolist() == [0, 1, 0]
        seen.append(views(game, state, 1, 2))
    assert seen[0] == seen[1] == seen[2]


def test_bids_are_revealed_when_the_last_is_made() -> None:
    """COCOA-5"""
    game, state = bids().build()
    play(game, state, "bars 3", "price 7", "bars 0", "bars 1", "price 2")
    assert raw(game, state, 1)["bids"][:, 0].tolist() == [[0, 0], [1, 2], [3, 7]]
    assert raw(game, state, 1)["bid_made"].tolist() == [0, 0, 0]


def test_see_4_and_see_5_nobody_sees_who_is_asked_for_a_card() -> None:
    """XP-4"""
    firms = (
        Position(3).player(0, hand=["levy"]).player(1, hand=["gifts"], staff=(1, 0, 0, 0)).player(2, staff=(1, 0, 0, 0))
    )
    game, state = firms.ask("card_a", 0).build()
    before = views(game, state, 2)
    assert int(raw(game, state, 0)["task"].argmax()) == Task.CARD_A
    play(game, state, "pass")
    assert asked(game, state) == ("card_a", 1)
    assert views(game, state, 2) == before
    play(game, state, "play gifts")
    assert asked(game, state) == ("target", 1)
    assert views(game, state, 2) == before  # the card is shown when it strikes
    assert np.flatnonzero(raw(game, state, 1)["task_card"]).tolist() == [Express.GIFTS]


def test_see_5_who_chooses_a_holiday_is_not_shown() -> None:
    """XP-HOLIDAY: the window is still under way; that the card was played is open."""
    firms = Position(2).player(0, hand=["holiday"]).player(1, staff=(1, 0, 1, 0))
    game, state = firms.ask("card_a", 0).build()
    play(game, state, "play holiday")
    struck, other = raw(game, state, 1), raw(game, state, 0)
    assert int(struck["task"].argmax()) == Task.HOLIDAY
    assert struck["to_move"].tolist() == [1, 0]
    assert np.flatnonzero(struck["task_card"]).tolist() == [Express.HOLIDAY]
    assert not any(other[name].any() for name in ("task", "to_move", "task_card"))
    assert other["struck_by"][1, Express.HOLIDAY] == 1
    assert "to move" not in game.render(state)
