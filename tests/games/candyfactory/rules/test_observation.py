"""The observation says what the table says, seen from each seat."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from candy_games import VARIANTS, scrambled, steps, variant_name
from candy_positions import Table, load, play, step

from chocofactory_env.core.jit import COMPILED

EVERY = pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
STRIDE = 3 if COMPILED else 17  # of the positions of a game, for what looks at each of them from all seats


def view(game: Any, state: np.ndarray, seat: int = 0) -> dict[str, np.ndarray]:
    raw = np.zeros(game.observation_layout.size, np.uint8)
    game.write_raw_observation(state, seat, raw)
    return dict(game.observation_layout.tensors(raw))


@pytest.mark.parametrize(("players", "size"), [(2, 545), (3, 708), (4, 871)])
def test_all_varieties_are_seen_alike(players: int, size: int) -> None:
    layouts = [load(num_players=players, game=game).observation_layout for game in ("full", "plantation", "candy")]
    assert {layout.size for layout in layouts} == {size}
    assert len({tuple((block.name, block.shape, block.high) for block in layout.blocks) for layout in layouts}) == 1


def test_seats_are_listed_from_the_observer_on() -> None:
    """OPEN-1"""
    table = Table(num_players=3).seat(0, coins=1, warehouse={"sugar": 3}).seat(1, coins=2, hand=["4"], deck=["1", "2"])
    game, state = table.seat(2, coins=3, trucks={1: {"chocolate": 2}}, stacks={"truck 1": {"chocolate": 1}}).build()
    for seat, order in ((0, [0, 1, 2]), (1, [1, 2, 0]), (2, [2, 0, 1])):
        seen = view(game, state, seat)
        assert seen["coins"].tolist() == [number + 1 for number in order]
        assert seen["to_move"].tolist() == [number == 0 for number in order]
        assert seen["hand_size"].tolist() == [1 if number == 1 else 3 for number in order]
        assert seen["deck_size"].tolist() == [2 if number == 1 else 6 for number in order]
        assert seen["goods"][order.index(0), 0].tolist() == [3, 1 - 1, *[0] * 11]
        assert seen["goods"][order.index(2), 2, 2] == 2
        assert seen["stacks"][order.index(2), 2, 2] == 1
        assert seen["free"][order.index(2)].tolist() == [5, 5, 2, 4, 3]
        assert seen["free"][order.index(0)].tolist() == [4, 5, 3, 4, 3]


def test_the_board_and_the_cards_are_shown_by_content() -> None:
    """OPEN-1, START-7, ABIL-1"""
    table = Table("candy", recipes=["chocolate-pretzel", "lollipop", "chocolate-bunny"]).workers(1, 6).die(7)
    game, state = table.tokens(6, 5, 4).build()
    seen = view(game, state)
    assert seen["half"].tolist() == [0, 1]
    assert seen["step"].tolist() == [0, 1, *[0] * 8]
    assert np.flatnonzero(seen["board"]).tolist() == [0, 5]
    assert np.flatnonzero(seen["die"]).tolist() == [6]
    assert seen["abilities"].argmax(axis=1).tolist() == [2, 3, 2, 4, 2, 3, 2, 4]
    rows = [[1, 1, 2, 1, 3, 6], [1, 0, 1, 1, 2, 5], [1, 2, 1, 1, 6, 4], [0] * 6, [0] * 6]
    assert seen["recipes"].tolist() == rows
    assert seen["trucks"].tolist() == [[5, 1, 1], [3, 1, 1], [4, 1, 0], [3, 1, 0]]
    assert seen["supply"].tolist() == [30, 30, 13]


def test_the_turn_under_way_is_shown() -> None:
    """OPEN-1, TURN-1"""
    table = Table(play_forced=False).workers(4).die(5).seat(0, hand=["machinist"], warehouse={"sugar": 3}, coins=0)
    game, state = table.build()
    play(game, state, "play machinist")
    seen = view(game, state, 1)
    assert np.flatnonzero(seen["task_card"]).tolist() == [13]
    assert not seen["task_number"].any()
    assert np.flatnonzero(seen["step"]).tolist() == [2]
    play(game, state, "keep die", "ship clockwise", "stop", "truck 2", "move sugar")
    seen = view(game, state, 1)
    assert np.flatnonzero(seen["step"]).tolist() == [5]
    assert np.flatnonzero(seen["task_number"]).tolist() == [4]
    assert seen["task_way"].tolist() == [0, 1, 0]
    assert np.flatnonzero(seen["task_space"]).tolist() == [3]
    assert seen["task_left"] == 7
    assert np.flatnonzero(seen["task_truck"]).tolist() == [2]
    assert np.flatnonzero(seen["task_last"]).tolist() == [0]
    assert seen["task_open"].tolist() == [0, 0]
    assert seen["played_specialists"][1].tolist() == [0, 0, 0, 0, 0, 1, 0]


def test_uses_that_are_still_to_come_are_shown() -> None:
    """SPEC-7, CANDY-3"""
    recipes = ["lollipop", "cotton-candy", "peppermint"]
    table = Table("candy", play_forced=False, recipes=recipes).die(3).seat(0, hand=["machinist"], coins=0)
    game, state = table.seat(0, warehouse={"sugar": 7}).build()
    play(game, state, "play machinist", "keep die", "bring clockwise", "stop")
    assert view(game, state)["task_open"].tolist() == [1, 1]
    play(game, state, "make recipe 2")
    seen = view(game, state)
    assert seen["task_open"].tolist() == [0, 1]
    assert np.flatnonzero(seen["task_recipe"]).tolist() == [2]
    assert seen["task_uses"] == 1
    assert np.flatnonzero(seen["step"]).tolist() == [7]


def test_hands_and_looks_are_shown_to_their_seat_alone() -> None:
    """OPEN-2, OPEN-3, OPEN-4"""
    table = Table(play_forced=False).seat(0, hand=["2", "6", "temp"], deck=["8"], coins=1)
    game, state = table.deck_of_specialists("runner", "packer", "runner", "sorter").build()
    play(game, state, "play 2", "bring clockwise", "stop", "recruit")
    assert step(state) == "hire"
    own, other = view(game, state, 0), view(game, state, 1)
    assert own["offer"].tolist() == [0, 0, 2, 0, 0, 1]
    assert not other["offer"].any()
    assert own["known_specialists"].tolist() == [0, 0, 2, 0, 0, 1]
    assert not other["known_specialists"].any()
    play(game, state, "hire packer")
    own, other = view(game, state, 0), view(game, state, 1)
    assert np.flatnonzero(own["hand"]).tolist() == [5, 8, 14]
    assert np.flatnonzero(own["own_deck"]).tolist() == [7]
    assert own["known_specialists"].tolist() == [0, 0, 2, 0, 0, 0]
    assert own["specialist_deck"] == 3
    assert np.flatnonzero(other["unplayed"][1]).tolist() == [5, 7, 8]
    assert other["unknown_specialists"].tolist() == [
        0,
        1,
    ]
    assert other["unplayed"][1].tolist() == own["unplayed"][0].tolist()


def test_the_loading_and_the_surplus_are_shown() -> None:
    """SHORT-5, TRANS-2"""
    game = load(game="candy", num_players=2)
    state = game.new(seed=1)
    play(game, state, *["truck 0"] * 5, "truck 1")
    seen = view(game, state)
    assert seen["to_load"].tolist() == [1, 4]
    assert np.flatnonzero(seen["task_truck"]).tolist() == [1]
    full = {0: {"sugar": 5}, 1: {"sugar": 3}, 2: {"sugar": 4}, 3: {"sugar": 3}}
    table = Table(game="full").seat(0, hand=[], trucks=full, warehouse={}, played=["temp", "sorter"])
    game, state = table.seat(1, hand=["4"]).build()
    state["current"] = 1
    play(game, state, "play 4", "bring clockwise", "stop", "stop")
    assert view(game, state)["surplus"] == 2
    assert view(game, state, 1)["played_specialists"][1].sum() == 2


@EVERY
def test_what_a_seat_cannot_see_does_not_change_its_observation(options: dict[str, Any]) -> None:
    """OPEN-2: hidden cards and the generator in another order, whatever the order."""
    game, draw = load(**options), np.random.default_rng(4)
    for number, (state, _) in enumerate(steps(game, seed=2)):
        for seat in range(game.num_players) if number % STRIDE == 0 else ():
            other = scrambled(state, seat, draw)
            assert game.observe(other, seat).flat.tobytes() == game.observe(state, seat).flat.tobytes()
