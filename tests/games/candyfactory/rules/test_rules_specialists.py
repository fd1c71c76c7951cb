"""Specialists."""

from __future__ import annotations

from typing import Any

import pytest
from candyfactory_games import Position, board, finish_turn, goods, legal, play, step


def with_card(half: str, card: str, die: int, *workers: int, **seat: Any) -> Position:
    table = Position(half, play_forced=False).workers(*workers).die(die)
    return table.player(0, hand=[card], coins=0, **seat)


@pytest.mark.parametrize("half", ["plantation", "candy"])
@pytest.mark.parametrize("card", ["lift_operator", "sorter", "runner", "trucker", "machinist", "packer"])
def test_every_specialist_plays_in_both_halves_and_none_need_be_used(half: str, card: str) -> None:
    """SPEC-1"""
    for direction in ("bring clockwise", "ship clockwise"):
        game, state = with_card(half, card, 3, 1, 2, warehouse={"sugar": 2}, trucks={0: {"sugar": 1}}).build()
        play(game, state, f"play {card}", "keep die", *["turn die 0"] * (card == "runner"), direction)
        finish_turn(game, state)
        assert game.current_player(state) == 1
        assert goods(game, state) == {"sugar": 2}


@pytest.mark.parametrize("direction", ["bring clockwise", "ship clockwise"])
def test_the_lift_operator_carries_one_more(direction: str) -> None:
    """SPEC-3, SPEC-10"""
    game, state = with_card("plantation", "lift_operator", 4, 4, 6, 7, warehouse={"sugar": 7}).build()
    play(game, state, "play lift_operator", "keep die", direction)
    tried = 2 if direction.startswith("bring") else 1
    assert state[0]["turn"]["left"] == tried + 1


def test_the_sorter_may_search_counter_clockwise() -> None:
    """SPEC-4: the fifth situation."""
    game, state = with_card("plantation", "sorter", 5, 4).build()
    play(game, state, "play sorter", "keep die")
    assert legal(game, state) == {"bring clockwise", "ship clockwise", "ship counter-clockwise"}
    for direction, capacity in (("ship clockwise", 8), ("ship counter-clockwise", 2)):
        after = game.clone(state)
        play(game, after, direction)
        assert after[0]["turn"]["left"] == capacity
        assert after[0]["turn"]["space"] == 3
    game, state = with_card("plantation", "sorter", 4, 4).build()
    play(game, state, "play sorter", "keep die")
    assert legal(game, state, "ship") == {"ship clockwise"}
    assert legal(game, state, "bring") == {"bring clockwise", "bring counter-clockwise"}
    play(game, state, "bring counter-clockwise")
    assert board(state) == [3, 4]


@pytest.mark.parametrize(("face", "steps", "number"), [(8, "+1", 1), (1, "-2", 7), (4, "0", 4), (7, "+2", 1)])
def test_the_runner_turns_the_die_itself(face: int, steps: str, number: int) -> None:
    """SPEC-5, SPEC-9: the sixth situation."""
    game, state = with_card("plantation", "runner", face).build()
    play(game, state, "play runner", "keep die")
    assert legal(game, state) == {f"turn die {words}" for words in ("-2", "-1", "0", "+1", "+2")}
    play(game, state, f"turn die {steps}")
    assert state[0]["turn"]["number"] == number
    assert state[0]["die"] == number
    assert step(state) == "direct"
    finish_turn(game, state)
    assert state[0]["die"] == number


def test_the_machinist_mixes_besides_the_ability_of_the_space() -> None:
    """SPEC-7, SPEC-11"""
    warehouse = {"sugar": 3, "cacao": 3}
    game, state = with_card("plantation", "machinist", 4, warehouse=warehouse).build()
    play(game, state, "play machinist", "keep die", "bring clockwise", "stop")
    assert legal(game, state) == {"sell cacao", "mix", "stop"}
    mixed = game.clone(state)
    play(game, mixed, "mix")  # the order never matters here, so the space comes first or not at all
    assert game.current_player(mixed) == 1
    play(game, state, "sell cacao")
    assert legal(game, state) == {"mix", "stop"}
    play(game, state, "mix")
    assert goods(game, state) == {"sugar": 2, "cacao": 1, "chocolate": 1}
    assert game.current_player(state) == 1


def test_the_trucker_uses_any_number_of_trucks() -> None:
    """SPEC-6, SPEC-10"""
    game, state = with_card("plantation", "trucker", 1, 4, warehouse={"sugar": 5, "chocolate": 2}).build()
    play(game, state, "play trucker", "keep die", "ship clockwise", "stop", "truck 0", "move chocolate")
    assert legal(game, state) == {"move chocolate", "truck 1", "truck 2", "truck 3", "stop"}
    play(game, state, "truck 2", "move sugar")
    assert legal(game, state) == {"move sugar", "move chocolate", "truck 3", "stop"}
    play(game, state, "truck 3")
    assert legal(game, state) == {"move sugar", "move chocolate"}
    assert state[0]["turn"]["left"] == 2
    play(game, state, "move sugar", "move sugar")
    assert game.current_player(state) == 1
    assert [goods(game, state, 0, f"truck {truck}") for truck in (0, 2, 3)] == [
        {"chocolate": 1},
        {"sugar": 1},
        {"sugar": 2},
    ]
