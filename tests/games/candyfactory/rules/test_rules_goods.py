"""Warehouse and trucks; what stacks are and are not."""

from __future__ import annotations

from candyfactory_games import Position, finish_turn, free, goods, legal, play, stacks, step


def test_a_warehouse_has_seven_places() -> None:
    """ROOM-1: the whistle is none of them."""
    game, state = Position().workers(*range(1, 8)).player(0, hand=["1"], warehouse={}, coins=0, whistle=1).build()
    assert free(state) == 7
    play(game, state, "play 1", "bring clockwise", *["move sugar"] * 7)
    assert goods(game, state) == {"sugar": 7}
    assert step(state) == "play"


def test_trucks_have_the_places_of_their_placard_berths_included() -> None:
    """ROOM-2, ROOM-4"""
    game, state = Position().player(0, trucks={0: {"sugar": 4}, 2: {"sugar": 4}}).build()
    assert [free(state, 0, f"truck {truck}") for truck in range(4)] == [1, 3, 0, 3]
    assert game.cards.record.berths.tolist() == [0, 1, 1, 1, 1]


def test_stacks_hold_a_moved_good_and_capacity_counts_every_good() -> None:
    """SPEC-8, SPEC-10, SPEC-12, SPEC-13, SPEC-15"""
    warehouse = {"sugar": 3, "plain 0": 1, "decorated 0": 2}
    table = (
        Position("candy", play_forced=False).workers(8).die(3).player(0, hand=["packer"], warehouse=warehouse, coins=0)
    )
    game, state = table.player(0, trucks={0: {"sugar": 3, "plain 0": 1, "decorated 0": 1}}).build()
    assert free(state, 0, "truck 0") == 0
    play(game, state, "play packer", "keep die", "ship clockwise", "stop")
    assert state[0]["turn"]["left"] == 6
    play(game, state, "truck 0", "move sugar", "move sugar", "move sugar")
    assert legal(game, state) == {"move plain 0", "move decorated 0", "stop"}  # three single sugars took three
    play(game, state, "move plain 0", "move decorated 0")
    assert legal(game, state) == {"stop"}  # the second decorated one has no single one to lie on
    assert stacks(game, state, 0, "truck 0") == {"sugar": 3, "plain 0": 1, "decorated 0": 1}
    assert goods(game, state) == {"decorated 0": 1}


def test_stacks_stay_stacks_in_trucks() -> None:
    """SPEC-14: through the transition."""
    table = Position().player(0, hand=[], trucks={0: {"sugar": 2}}, stacks={"truck 0": {"sugar": 1}})
    game, state = table.player(1, hand=["4"]).build()
    state["current"] = 1
    play(game, state, "play 4")
    finish_turn(game, state)
    assert state[0]["half"] == 1
    assert stacks(game, state, 0, "truck 0") == {"sugar": 1}


def test_identical_goods_leave_single_ones_first() -> None:
    """ROOM-5"""
    table = (
        Position().workers(8).player(0, hand=["1"], warehouse={"sugar": 3}, stacks={"warehouse": {"sugar": 1}}, coins=0)
    )
    game, state = table.build()
    assert free(state) == 5
    play(game, state, "play 1", "ship clockwise", "truck 0")  # the first sugar goes by itself
    assert (goods(game, state), stacks(game, state), free(state)) == ({"sugar": 2}, {"sugar": 1}, 6)
    play(game, state, "move sugar")
    assert (goods(game, state), stacks(game, state), free(state)) == ({"sugar": 1}, {}, 6)  # ROOM-6
    play(game, state, "move sugar")
    assert (goods(game, state), free(state)) == ({}, 7)
