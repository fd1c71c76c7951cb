"""What observations have in common, and what is secret; the rest is compared with the oracle in its games."""

from __future__ import annotations

import numpy as np
import pytest
from all_games import raw_tensors
from candyfactory_games import Position, load, play, step


@pytest.mark.parametrize(("players", "size"), [(2, 545), (3, 708), (4, 871)])
def test_all_varieties_are_seen_alike(players: int, size: int) -> None:
    layouts = [load(num_players=players, game=game).observation_layout for game in ("full", "plantation", "candy")]
    assert {layout.size for layout in layouts} == {size}
    assert len({tuple((block.name, block.shape, block.high) for block in layout.blocks) for layout in layouts}) == 1


def test_hands_and_looks_are_shown_to_their_seat_alone() -> None:
    """OPEN-2, OPEN-3, OPEN-4"""
    table = Position(play_forced=False).player(0, hand=["2", "6", "temp"], deck=["8"], coins=1)
    game, state = table.deck_of_specialists("runner", "packer", "runner", "sorter").build()
    play(game, state, "play 2", "bring clockwise", "stop", "recruit")
    assert step(state) == "hire"
    own, other = raw_tensors(game, state, 0), raw_tensors(game, state, 1)
    assert own["offer"].tolist() == [0, 0, 2, 0, 0, 1]
    assert not other["offer"].any()
    assert own["known_specialists"].tolist() == [0, 0, 2, 0, 0, 1]
    assert not other["known_specialists"].any()
    play(game, state, "hire packer")
    own, other = raw_tensors(game, state, 0), raw_tensors(game, state, 1)
    assert np.flatnonzero(own["hand"]).tolist() == [5, 8, 14]
    assert np.flatnonzero(own["own_deck"]).tolist() == [7]
    assert own["known_specialists"].tolist() == [0, 0, 2, 0, 0, 0]
    assert own["specialist_deck"] == 3
    assert np.flatnonzero(other["unplayed"][1]).tolist() == [5, 7, 8]
    assert other["unknown_specialists"].tolist() == [0, 1]
    assert other["unplayed"][1].tolist() == own["unplayed"][0].tolist()
