"""Bring and ship: transport to the factory and from it."""

from __future__ import annotations

from random import Random

import pytest
from candyfactory_games import Position, board, goods, legal, play, step, supply


def test_the_first_situation_a_taken_space_gives_capacity_two() -> None:
    """TO-1, TO-2, TO-8, ABIL-2: workers on 4 alone, a 4 is played, the worker comes onto 5."""
    game, state = Position().workers(4).player(0, hand=["4"], warehouse={"cacao": 1}, coins=0).build()
    play(game, state, "play 4", "bring clockwise")
    assert board(state) == [4, 5]
    assert state[0]["turn"]["left"] == 2
    play(game, state, "move sugar", "move sugar")
    assert goods(game, state) == {"sugar": 2, "cacao": 1}
    assert legal(game, state) == {"mix", "stop"}
    play(game, state, "mix")  # with one of the sugars that were brought
    assert goods(game, state) == {"sugar": 1, "chocolate": 1}


def test_the_second_situation_three_spaces_tried_give_capacity_three() -> None:
    """FROM-1, FROM-2, FROM-6: workers on 4 alone, a 2 is played; the outlet comes first, and the board is empty."""
    table = Position().workers(4).player(0, hand=["2"], warehouse={"sugar": 1, "cacao": 1, "chocolate": 1}, coins=0)
    game, state = table.build()
    play(game, state, "play 2", "ship clockwise")
    assert board(state) == [4]
    assert state[0]["turn"]["left"] == 3
    play(game, state, "sell cacao")
    assert state[0]["seats"][0]["coins"] == 2
    assert board(state) == []
    assert step(state) == "goods"
    play(game, state, "truck 0", "move sugar", "move chocolate")
    assert goods(game, state, 0, "truck 0") == {"sugar": 1, "chocolate": 1}
    assert goods(game, state) == {}


def tried(taken: tuple[int, ...], number: int, occupied: bool) -> tuple[int, int]:
    """A search that knows no engine: the space found and how many were tried."""
    order = [(number - 1 + step) % 8 + 1 for step in range(8)]
    found = next(place for place, space in enumerate(order) if (space in taken) == occupied)
    return order[found], found + 1


@pytest.mark.parametrize("number", range(1, 9))
def test_every_board_is_searched_clockwise_from_the_number(number: int) -> None:
    """TO-1, TO-2, TO-3, FROM-1, FROM-2, FROM-3, FROM-7"""
    draw = Random(number)
    for workers in range(9):
        taken = tuple(draw.sample(range(1, 9), workers))
        game, state = Position(play_forced=False).workers(*taken).player(0, hand=[f"{number}"], coins=0).build()
        play(game, state, f"play {number}")
        possible = {"bring clockwise"} if len(taken) < 8 else set()
        possible |= {"ship clockwise"} if taken else set()
        assert legal(game, state) == possible != set()
        for words in possible:
            after = game.clone(state)
            play(game, after, words)
            turn = after[0]["turn"]
            assert (int(turn["space"]) + 1, int(turn["left"])) == tried(taken, number, words.startswith("ship"))


def test_of_an_empty_pile_nothing_is_taken() -> None:
    """TO-7"""
    everything = {truck: {"sugar": number} for truck, number in enumerate((5, 3, 4, 3))}
    table = Position(num_players=2).workers(4).player(0, hand=["4"], warehouse={}, trucks=everything, coins=0)
    game, state = table.player(1, trucks=everything, warehouse={}).build()
    assert supply(state)["sugar"] == 0
    play(game, state, "play 4", "bring clockwise")
    assert legal(game, state) == {"move cacao", "stop"}
