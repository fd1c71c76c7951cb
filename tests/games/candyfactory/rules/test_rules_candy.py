"""Candy factory: the machine and its recipes."""

from __future__ import annotations

from typing import Any

import numpy as np
from candyfactory_games import Position, finish_turn, free, goods, legal, play, step, supply

RECIPES = ["chocolate-peanuts", "chocolate-pretzel", "toffee"]


def machine(recipes: list[str] = RECIPES, tokens: tuple[int, ...] = (), **seat: Any) -> tuple[Any, np.ndarray]:
    """Seat 0 on a machine's space."""
    table = Position("candy", play_forced=False, recipes=recipes).tokens(*tokens).player(0, hand=["3"], coins=0, **seat)
    game, state = table.build()
    play(game, state, "play 3", "bring clockwise", "stop")
    return game, state


def test_the_recipes_in_play_have_six_tokens_each_and_no_others_are_made() -> None:
    """CANDY-1, START-7"""
    game, state = machine(warehouse={"sugar": 3, "chocolate": 2})
    assert state[0]["tokens"].tolist() == [6, 6, 6, 0, 0]
    assert legal(game, state) == {"make recipe 0", "make recipe 1", "make recipe 2", "stop"}


def test_a_use_takes_its_cost_and_gives_plain_candy() -> None:
    """CANDY-2, ABIL-9, ABIL-5"""
    game, state = machine(warehouse={"sugar": 3, "chocolate": 1})
    before = supply(state)
    play(game, state, "make recipe 2")
    assert goods(game, state) == {"chocolate": 1, "plain 2": 2}
    assert state[0]["tokens"].tolist() == [6, 6, 4, 0, 0]
    assert supply(state) == before | {"sugar": before["sugar"] + 3}
    assert game.current_player(state) == 1  # one recipe a use of the machine


def test_a_recipe_is_used_up_to_its_number_of_times_or_fewer() -> None:
    """CANDY-3"""
    game, state = machine(warehouse={"sugar": 3, "chocolate": 3})
    play(game, state, "make recipe 1")
    assert step(state) == "recipe"
    assert legal(game, state) == {"make recipe 1", "stop"}
    fewer = game.clone(state)
    play(game, fewer, "stop")
    assert goods(game, fewer) == {"sugar": 2, "chocolate": 2, "plain 1": 1}
    assert game.current_player(fewer) == 1
    play(game, state, "make recipe 1")
    assert goods(game, state) == {"sugar": 1, "chocolate": 1, "plain 1": 2}
    assert game.current_player(state) == 1


def test_candies_without_a_place_stay_on_the_card() -> None:
    """CANDY-4: the ninth situation."""
    game, state = machine(warehouse={"sugar": 6, "chocolate": 1})
    play(game, state, "make recipe 0")
    assert goods(game, state) == {"sugar": 6, "plain 0": 1}
    assert state[0]["tokens"][0] == 5


def test_with_one_token_left_a_use_makes_one_and_with_none_it_is_not_offered() -> None:
    """CANDY-5: the ninth situation."""
    game, state = machine(tokens=(1, 0, 6), warehouse={"sugar": 2, "chocolate": 2})
    assert legal(game, state) == {"make recipe 0", "stop"}
    play(game, state, "make recipe 0")
    assert goods(game, state) == {"sugar": 2, "chocolate": 1, "plain 0": 1}
    assert legal(game, state) == {"stop"}


def test_no_recipe_costs_cacao_and_none_is_there() -> None:
    """CANDY-7"""
    game, state = (
        Position().player(0, hand=["4"], warehouse={"cacao": 3}).player(1, hand=[], warehouse={"cacao": 2}).build()
    )
    assert "cacao" not in (game.cards.array["recipes"].dtype.names or ())
    play(game, state, "play 4")
    finish_turn(game, state)
    assert state[0]["half"] == 1
    assert not state[0]["seats"]["goods"][:, :, 1].any()
    assert supply(state)["cacao"] == 30


def test_the_game_ends_with_the_candy_factory() -> None:
    """CANDY-8"""
    game, state = Position("candy").player(0, hand=["3"]).player(1, hand=[]).build()
    play(game, state, "play 3")
    finish_turn(game, state)
    assert game.is_over(state)
    assert legal(game, state) == set()
    assert game.won(state).any()


def test_a_use_without_a_place_for_one_is_not_offered() -> None:
    """CANDY-4, ROOM-6: paying one good of a stack frees no place."""
    seat: dict[str, Any] = {"warehouse": {"sugar": 6, "chocolate": 2}, "stacks": {"warehouse": {"chocolate": 1}}}
    game, state = machine(**seat)
    assert free(state) == 0
    assert legal(game, state) == {"make recipe 1", "make recipe 2", "stop"}
    play(game, state, "make recipe 1")  # its sugar frees one
    assert goods(game, state) == {"sugar": 5, "chocolate": 1, "plain 1": 1}
    assert free(state) == 0


def test_a_whole_stack_that_is_paid_frees_a_place() -> None:
    """CANDY-4, ROOM-5, ROOM-6"""
    seat: dict[str, Any] = {"warehouse": {"sugar": 2, "chocolate": 6}, "stacks": {"warehouse": {"sugar": 1}}}
    game, state = machine(["peppermint", "lollipop", "cotton-candy"], **seat)
    assert free(state) == 0
    assert legal(game, state) == {"make recipe 0", "stop"}  # two sugars; the others cost one
    play(game, state, "make recipe 0")
    assert goods(game, state) == {"chocolate": 6, "plain 0": 1}
    assert free(state) == 0
