"""The observation says nothing of what is secret; that it says all the rest, games beside the oracle check."""

from __future__ import annotations

from all_games import raw_tensors
from schoko_games import Position


def test_what_is_more_than_a_high_is_shown_as_the_high() -> None:
    firms = Position(2).player(0, cash=2_345).player(1, cash=40_000, salaries=300)
    state = firms.ask("look", 0).state
    seen = raw_tensors(firms.game, state, 0)
    assert (seen["cash"].tolist(), seen["salaries"].tolist()) == ([[250, 234], [250, 250]], [0, 250])
