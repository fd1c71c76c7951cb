"""Options, words, and positions."""

from __future__ import annotations

import pytest
from candyfactory_games import load

from chocofactory_env.games.candyfactory.state import State
from chocofactory_env.games.candyfactory.vocabulary import NAME, Half, Step, half_of, step_of, words_of


def test_messages_say_when_it_is() -> None:
    game = load(num_players=2)
    assert game.when(game.new(1)) == "plantation half, play"


def test_the_vocabulary_reads_positions() -> None:
    game = load(num_players=2, game="candy")
    state = game.new(1)
    assert (NAME, game.name) == ("candyfactory", "candyfactory")
    assert (half_of(state), step_of(state)) == (Half.CANDY, Step.LOAD)
    assert words_of(Half) == ("plantation", "candy")


def test_a_position_is_small_and_packed() -> None:
    """Equal positions are equal bytes, and copies are cheap."""
    assert not State.dtype.isalignedstruct
    assert State.dtype.itemsize < 1_100


@pytest.mark.parametrize(("players", "size"), [(2, 545), (3, 708), (4, 871)])
def test_all_varieties_are_seen_alike(players: int, size: int) -> None:
    layouts = [load(num_players=players, game=game).observation_layout for game in ("full", "plantation", "candy")]
    assert {layout.size for layout in layouts} == {size}
    assert len({tuple((block.name, block.shape, block.high) for block in layout.blocks) for layout in layouts}) == 1
