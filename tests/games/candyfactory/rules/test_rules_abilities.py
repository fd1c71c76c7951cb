"""Abilities of the plantation, coins and the shift change, and of the candy factory's decorating station and outlet."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from candyfactory_games import (
    Position,
    board,
    coins,
    deck,
    finish_turn,
    free,
    goods,
    hand,
    legal,
    play,
    specialist_deck,
    stacks,
    step,
    supply,
)


def on_space(space: int, half: str = "plantation", **seat: Any) -> Position:
    """A worker was placed on this space with nothing moved, once `arrive` is played."""
    return Position(half, play_forced=False).player(0, **{"hand": [f"{space}"], "coins": 0, **seat})


def arrive(table: Position) -> tuple[Any, np.ndarray]:
    game, state = table.build()
    play(game, state, f"play {hand(state)[0]}", "bring clockwise", "stop")
    assert step(state) == "ability"
    return game, state


def test_an_ability_is_used_once_or_not() -> None:
    """ABIL-1, ABIL-6"""
    game, state = arrive(on_space(1, warehouse={"sugar": 2, "cacao": 2}))
    assert legal(game, state) == {"mix", "stop"}
    play(game, state, "mix")
    assert goods(game, state) == {"sugar": 1, "cacao": 1, "chocolate": 1}
    assert game.current_player(state) == 1
    assert supply(state)["sugar"] == 30 - 1 - 1  # ABIL-5


def test_goods_in_trucks_do_not_count() -> None:
    """ABIL-3"""
    game, state = arrive(on_space(1, warehouse={"cacao": 1}, trucks={0: {"sugar": 2}}))
    assert legal(game, state) == {"stop"}
    game, state = arrive(on_space(4, "candy", trucks={0: {"sugar": 2}}))
    assert legal(game, state) == {"stop"}


def test_a_use_that_gains_nothing_is_not_offered() -> None:
    """ABIL-4, ABIL-12, CANDY-5"""
    assert legal(*arrive(on_space(1, warehouse={"sugar": 1}))) == {"stop"}
    assert legal(*arrive(on_space(4, warehouse={"sugar": 1}))) == {"stop"}
    assert legal(*arrive(on_space(2))) == {"stop"}  # no coin to pay with
    assert legal(*arrive(on_space(2, coins=1).deck_of_specialists())) == {"stop"}  # no card to take
    assert legal(*arrive(on_space(2, "candy", warehouse={"decorated 0": 2, "sugar": 1}, coins=1))) == {"stop"}
    assert legal(*arrive(on_space(1, "candy", warehouse={"sugar": 7}).tokens(0, 0, 0))) == {"stop"}


@pytest.mark.parametrize(("left", "paid"), [(5, 2), (2, 2), (1, 1), (0, 0)])
def test_the_outlet_pays_two_coins_for_a_cacao_or_what_there_is(left: int, paid: int) -> None:
    """ABIL-7, COIN-1, ABIL-4: the tenth situation."""
    game, state = arrive(on_space(4, warehouse={"sugar": 1, "cacao": 1, "chocolate": 1}).player(1, coins=15 - left))
    assert supply(state)["coins"] == left
    assert legal(game, state) == ({"sell cacao", "stop"} if left else {"stop"})
    if left:
        cacao = supply(state)["cacao"]
        play(game, state, "sell cacao")
        assert coins(state) == paid
        assert supply(state)["coins"] == left - paid
        assert supply(state)["cacao"] == cacao + 1


def test_a_recruit_pays_looks_at_three_and_takes_one() -> None:
    """ABIL-8, ABIL-13, ABIL-14: the seventh situation."""
    table = on_space(2, hand=["2", "5", "6"], deck=["1"], coins=1)
    table.deck_of_specialists("runner", "packer", "sorter", "trucker", "machinist")
    game, state = table.build()
    play(game, state, "play 2", "bring clockwise", "stop", "recruit")
    assert coins(state) == 0
    assert legal(game, state) == {"hire runner", "hire packer", "hire sorter"}
    play(game, state, "hire packer")
    assert specialist_deck(state) == ["trucker", "machinist", "runner", "sorter"]
    assert hand(state) == ["5", "6", "packer"]
    assert deck(state) == ["1"]
    assert game.current_player(state) == 1


def test_the_candy_outlet_buys_one_good_of_any_kind_for_a_coin() -> None:
    """ABIL-11"""
    warehouse = {"sugar": 1, "chocolate": 1, "plain 1": 1, "decorated 1": 1}
    game, state = arrive(on_space(4, "candy", warehouse=warehouse))
    assert legal(game, state) == {f"sell {kind}" for kind in warehouse} | {"stop"}
    play(game, state, "sell decorated 1")
    assert coins(state) == 1
    assert game.current_player(state) == 1


def test_one_candy_is_decorated_for_nothing() -> None:
    """ABIL-10, CANDY-6"""
    warehouse = {"sugar": 1, "chocolate": 1, "plain 0": 2, "decorated 1": 1}
    game, state = arrive(on_space(2, "candy", warehouse=warehouse))
    assert legal(game, state) == {"decorate recipe 0", "stop"}
    play(game, state, "decorate recipe 0")
    assert goods(game, state) == {"sugar": 1, "chocolate": 1, "plain 0": 1, "decorated 0": 1, "decorated 1": 1}
    assert game.current_player(state) == 1


def test_a_coin_decorates_all_stacks_as_stacks() -> None:
    """ABIL-10, ABIL-15, CANDY-6"""
    seat = {"warehouse": {"plain 0": 3, "plain 2": 1, "decorated 0": 2}, "coins": 1}
    game, state = arrive(on_space(2, "candy", stacks={"warehouse": {"plain 0": 1, "decorated 0": 1}}, **seat))
    play(game, state, "decorate all")
    assert goods(game, state) == {"decorated 0": 5, "decorated 2": 1}
    assert stacks(game, state) == {"decorated 0": 2}
    assert coins(state) == 0
    assert supply(state)["coins"] == 15 - 1
    assert free(state) == 3


# --- coins and the shift change


def shift_actions(taken: tuple[int, ...]) -> set[str]:
    return {f"{'remove' if space in taken else 'add'} worker space {space}" for space in range(1, 9)}


def test_a_shift_change_costs_a_coin_and_is_called_once_in_a_half() -> None:
    """WHIS-1, WHIS-2, COIN-1"""
    game, state = Position().workers(4).player(0, hand=["4", "5"], coins=2).build()
    before = supply(state)
    play(game, state, "play 4")
    assert legal(game, state) == shift_actions((4,)) | {"bring clockwise", "ship clockwise"}
    play(game, state, "remove worker space 4")
    assert coins(state) == 1
    assert state[0]["seats"][0]["whistle"] == 1
    assert supply(state)["coins"] == before["coins"]
    assert step(state) == "goods"
    assert state[0]["turn"]["left"] == 1
    assert board(state) == [4]
    finish_turn(game, state)
    play(game, state, "play temp", "keep die")
    assert legal(game, state, "add") | legal(game, state, "remove")  # the other player's
    finish_turn(game, state)
    play(game, state, "play 5")
    assert not legal(game, state, "add") | legal(game, state, "remove")


@pytest.mark.parametrize("half", ["plantation", "candy"])
def test_a_shift_change_may_fill_the_board(half: str) -> None:
    """WHIS-3, TO-3: the fourth situation. No ability is used and nothing is moved by it."""
    table = Position(half, play_forced=False).workers(1, 2, 3, 4, 5, 6, 7).player(0, hand=["5"], coins=1)
    game, state = table.player(0, warehouse={"sugar": 1}).build()
    play(game, state, "play 5", "add worker space 8")
    assert legal(game, state) == {"ship clockwise"}
    assert goods(game, state) == {"sugar": 1}
    play(game, state, "ship clockwise")
    assert state[0]["turn"]["left"] == 1
    assert state[0]["turn"]["space"] == 4


@pytest.mark.parametrize("left", [["runner"], []])
def test_the_last_specialist_may_be_recruited(left: list[str]) -> None:
    """ABIL-8, ABIL-12"""
    table = on_space(2, hand=["2", "5", "6"], deck=["1"], coins=1)
    table.deck_of_specialists(*left)
    game, state = table.build()
    play(game, state, "play 2", "bring clockwise", "stop")
    assert ("recruit" in legal(game, state)) == bool(left)
