"""The observation says nothing of what is secret; that it says all the rest, games beside the oracle check."""

from __future__ import annotations

from all_games import raw_tensors
from schoko_games import Position, asked, play

from chocofactory_env.games.schoko.constants import NUM_EVENTS


def test_what_is_more_than_a_high_is_shown_as_the_high() -> None:
    firms = Position(2).player(0, cash=2_345).player(1, cash=40_000, salaries=300)
    state = firms.ask("look", 0).state
    seen = raw_tensors(firms.game, state, 0)
    assert (seen["cash"].tolist(), seen["salaries"].tolist()) == ([[250, 234], [250, 250]], [0, 250])


def test_ev_0_no_event_is_to_come_until_all_are_shuffled_again_after_the_seventh_month() -> None:
    for month, left in ((7, 0), (8, NUM_EVENTS - 1)):
        firms = Position(2, month=month, months=12).player(0, shares=1).player(1, shares=1)
        game, state = firms.ask("money", 0).build()
        assert raw_tensors(game, state, 0)["events_left"].sum() == left
    game, state = Position(2, month=7, months=12).player(0, shares=1).ask("money", 0).build()
    play(game, state, "pass", "pass")
    assert (asked(game, state)[0], raw_tensors(game, state, 0)["events_left"].sum()) == ("look", NUM_EVENTS)
