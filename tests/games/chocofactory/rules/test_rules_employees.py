"""Employees: what each of them does, and when."""

from __future__ import annotations

from typing import Any

import pytest
from chocofactory_games import KINDS, STORES, Position, legal, pieces, play, player_of

from chocofactory_env.games.chocofactory.cards import Cards


def running(employee: str, **player: Any) -> Position:
    return Position(num_players=2).phase("run").player(0, employee=employee, **player)


def fulfilling(employee: str, **player: Any) -> Position:
    return Position(num_players=2).phase("fulfil").player(0, employee=employee, **player)


def stage_of(position: Position, order: str, stage: int) -> Any:
    cards: Cards = position.game.cards
    return cards.record.orders[cards.orders.index(order)].stages[stage]


def an_order(position: Position, stages: int, first_pieces: int = 1) -> str:
    """An order with so many stages, whose first one asks for at least so many pieces."""
    cards: Cards = position.game.cards
    return next(
        order
        for number, order in enumerate(cards.orders)
        if cards.record.orders[number].num_stages == stages
        and cards.record.orders[number].stages[0].number >= first_pieces
    )


def asked(stage: Any) -> dict[str, int]:
    return {kind: number for kind, number in zip(KINDS, stage.pieces.tolist(), strict=True) if number}


@pytest.mark.parametrize("number", range(5))
def test_the_directors_progress_counts_double_at_his_own_store(number: int) -> None:
    """EMP-1"""
    store = STORES[number]
    room = {"chunks": 2, "caramel": 2, "boxed": 2}
    game, state = fulfilling(f"director-{store}", store_room=room).build()
    play(game, state, f"supply {store}")
    while game.to_dict(state)["under_way"]:
        choices = legal(game, state)
        play(game, state, next((f"take {kind}" for kind in KINDS if f"take {kind}" in choices), "stop"))
    spaces = {0: 2, 1: 2, 2: 2, 3: 2, 4: 2}[number]  # side A: two pieces of a kind; four in two pairs
    assert player_of(game, state)["tracks"][store] == 2 * spaces


@pytest.mark.parametrize(("employee", "times"), [("operator", 1), ("expert-operator", 3)])
def test_operators_move_a_piece_from_any_tile_to_any_other(employee: str, times: int) -> None:
    """EMP-3, EMP-10"""
    game, state = running(employee, belt={0: {"bean": 3, "nuts": 2}}).build()
    for _ in range(times):
        play(game, state, "use employee")
        if "tile 0" in legal(game, state):  # at first it is the only tile with pieces, and chosen by itself
            play(game, state, "tile 0")
        play(game, state, "take nuts" if pieces(game, state, tile=0).get("nuts", 0) == 2 else "take bean")
        assert legal(game, state) == {"tile 1", "tile 2", "tile 3"}
        play(game, state, "tile 3")
    assert "use employee" not in legal(game, state)
    assert sum(pieces(game, state, tile=3).values()) == times
    assert sum(pieces(game, state, tile=0).values()) == 5 - times


def test_the_salesman_brings_one_pound_more_for_every_stage() -> None:
    """EMP-4"""
    position = fulfilling("salesman")
    order = an_order(position, stages=2)
    stages = [stage_of(position, order, number) for number in range(2)]
    room: dict[str, int] = {}
    for stage in stages:
        room = {kind: room.get(kind, 0) + asked(stage).get(kind, 0) for kind in {*room, *asked(stage)}}
    game, state = position.player(0, orders=[(order, 0)], store_room=room).build()
    play(game, state, "fulfil order 0", "fulfil order 0")
    assert player_of(game, state)["money"] == sum(stage.pay for stage in stages) + 2


@pytest.mark.parametrize("stages", [1, 2, 3])
def test_the_clerk_skips_a_stage_without_pay_and_the_last_one_completes_the_order(stages: int) -> None:
    """EMP-5"""
    position = fulfilling("clerk", store_room={})
    order = an_order(position, stages)
    game, state = position.player(0, orders=[(order, stages - 1), None, None]).build()
    play(game, state, "use employee")
    player = player_of(game, state)
    assert player["money"] == 0
    assert player["orders"][0] is None
    assert order in player["completed"]
    assert "use employee" not in legal(game, state)
    if stages > 1:
        game, state = position.player(0, orders=[(order, 0), None, None]).build()
        play(game, state, "use employee")
        assert player_of(game, state)["orders"][0] == {"order": order, "stage": 1}


def test_the_decorator_upgrades_one_piece_on_any_tile_by_one_step() -> None:
    """EMP-6"""
    game, state = running("decorator", belt={1: {"boxed": 1}, 2: {"bean": 1, "fingers": 1}, 3: {"cocoa": 1}}).build()
    play(game, state, "use employee")
    assert legal(game, state) == {"tile 2", "tile 3"}
    play(game, state, "tile 2", "take fingers", "make nuts")
    assert pieces(game, state, tile=2) == {"bean": 1, "nuts": 1}
    assert "use employee" not in legal(game, state)
    assert player_of(game, state)["coal"] == 5


@pytest.mark.parametrize(("cost", "halved"), [(1, 1), (2, 1), (3, 2), (4, 2)])
def test_the_mechanic_halves_the_coal_of_one_part_rounded_up_all_day(cost: int, halved: int) -> None:
    """EMP-7, EMP-17"""
    position = running("mechanic", belt={3: {"chunks": 3, "bean": 3, "cocoa": 2}}, coal=9)
    part = a_part_that_costs(position, cost)
    game, state = position.player(0, factory={3: part}).build()
    play(game, state, "assign slot 3")
    assert not {words for words in legal(game, state) if words.startswith("assign")}
    play(game, state, "operate slot 3")
    assert player_of(game, state)["coal"] == 9 - halved


def a_part_that_costs(position: Position, cost: int) -> str:
    """A deck part with this cost that takes beans, cocoa or chunks."""
    cards: Cards = position.game.cards
    for number, part in enumerate(cards.parts[3:], 3):
        row = cards.record.parts[number]
        takes = {
            symbol for option in row.options[: row.num_options] for symbol in option.takes[: option.num_takes].tolist()
        }
        if row.cost == cost and (takes <= {0, 1, 2, 7, 9, 10}):
            return part
    raise LookupError(cost)


def test_the_corner_shop_agent_completes_a_stage_with_any_refined_pieces() -> None:
    """EMP-8"""
    position = fulfilling("corner-shop-agent")
    order = an_order(position, stages=2, first_pieces=2)
    stage = stage_of(position, order, 0)
    room = {"bean": 3, "chunks": 2, "boxed": int(stage.number)}
    game, state = position.player(0, orders=[(order, 0), None, None], store_room=room).build()
    play(game, state, "use employee", "take chunks")
    while game.to_dict(state)["under_way"]:
        play(game, state, "take boxed")
    player = player_of(game, state)
    assert player["money"] == stage.pay
    assert player["orders"][0]["stage"] == 1
    assert pieces(game, state) == {"bean": 3, "chunks": 1, "boxed": 1}
    assert "use employee" not in legal(game, state)


def test_the_dealer_leaves_out_one_piece_of_choice() -> None:
    """EMP-11"""
    position = fulfilling("dealer")
    cards: Cards = position.game.cards
    order = next(
        order
        for number, order in enumerate(cards.orders)
        if (cards.record.orders[number].stages[0].pieces > 0).sum() == 2 and cards.record.orders[number].num_stages > 1
    )
    stage = stage_of(position, order, 0)
    game, state = position.player(0, orders=[(order, 0), None, None], store_room=asked(stage)).build()
    play(game, state, "use employee")
    assert legal(game, state) == {f"take {kind}" for kind in asked(stage)}
    kept = min(asked(stage))
    play(game, state, f"take {kept}")
    assert pieces(game, state) == {kept: 1}
    assert player_of(game, state)["money"] == stage.pay


def test_the_engineer_runs_four_shifts() -> None:
    """EMP-12, RUN-1"""
    game, state = running("engineer").build()
    for shift in (1, 2, 3, 4):
        assert (game.current_player(state), game.to_dict(state)["shift"]) == (0, shift)
        play(game, state, "end shift")
    assert game.current_player(state) == 1


@pytest.mark.parametrize("day", [2, 6])
def test_the_engineers_shift_may_be_left_out(day: int) -> None:
    """DRAFT-5, EMP-12, RUN-1, RUN-9: its push would take the cocoa past the Upgrader."""
    belt = {0: {"bean": 1}, 1: {"cocoa": 1}, 3: {"boxed": 2}}
    position = Position(num_players=2).phase("run", day=day, shift=3).player(0, employee="engineer", belt=belt)
    game, state = position.build()
    assert {"stop", "end shift"} <= legal(game, state)
    play(game, state, "stop")
    assert (game.current_player(state), game.to_dict(state)["shift"]) == (1, 1)
    if day < 6:
        assert [pieces(game, state, tile=tile) for tile in range(4)] == [belt.get(tile, {}) for tile in range(4)]
        assert pieces(game, state) == {}
    else:
        assert not any(pieces(game, state, tile=tile) for tile in range(4))
        assert pieces(game, state) == {"bean": 1, "cocoa": 1, "boxed": 2}


def test_the_supervisor_loads_two_beans() -> None:
    """EMP-13"""
    game, state = running("supervisor").build()
    play(game, state, "end shift", "end shift")
    assert [pieces(game, state, tile=tile) for tile in (0, 1)] == [{"bean": 2}, {"bean": 2}]


def test_the_packer_doubles_every_piece_on_one_tile() -> None:
    """EMP-15"""
    game, state = running("packer", belt={1: {"bean": 1, "nuts": 2}, 3: {"boxed": 1}}).build()
    play(game, state, "use employee")
    assert legal(game, state) == {"tile 1", "tile 3"}
    play(game, state, "tile 1")
    assert pieces(game, state, tile=1) == {"bean": 2, "nuts": 4}
    assert "use employee" not in legal(game, state)


@pytest.mark.parametrize(("slot", "tiles"), [(0, {0, 1}), (3, {2, 3}), (5, {0, 1, 2}), (6, {1, 2, 3})])
def test_the_technicians_part_works_on_its_own_tile_or_one_beside_it(slot: int, tiles: set[int]) -> None:
    """EMP-16, RUN-5"""
    everywhere = {tile: {"cocoa": 1} for tile in range(4)}
    game, state = running("technician", coal=9, factory={slot: "straight-to-box"}, belt=everywhere).build()
    play(game, state, f"assign slot {slot}", f"operate slot {slot}")
    assert legal(game, state) == {f"tile {tile}" for tile in tiles}


def test_the_technicians_chute_takes_any_pieces_of_a_neighbouring_tile_for_one_coal() -> None:
    """EMP-16, RUN-6"""
    game, state = running("technician", coal=2, belt={1: {"bean": 1, "nuts": 2}, 3: {"boxed": 1}}).build()
    play(game, state, "assign slot 2", "operate slot 2", "tile 1", "take bean", "take nuts", "stop")
    assert pieces(game, state) == {"bean": 1, "nuts": 1}
    assert player_of(game, state)["coal"] == 1
    play(game, state, "operate slot 2", "tile 3")
    assert pieces(game, state) == {"bean": 1, "nuts": 1, "boxed": 1}
    assert "operate slot 2" not in legal(game, state)  # no coal left


@pytest.mark.parametrize("employee", ["mechanic", "technician"])
def test_parts_are_assigned_once_a_day_at_any_moment_of_an_operate_step(employee: str) -> None:
    """EMP-17"""
    game, state = running(employee, coal=9, belt={0: {"bean": 1}}).build()
    play(game, state, "operate slot 0", "end shift")
    assert "assign slot 1" in legal(game, state)
    play(game, state, "assign slot 1", "end shift")
    assert not {words for words in legal(game, state) if words.startswith("assign")}
    assert player_of(game, state)["assigned"] == 1


@pytest.mark.parametrize("employee", ["operator", "decorator", "packer"])
def test_operator_decorator_and_packer_act_while_running_only(employee: str) -> None:
    """EMP-18"""
    game, state = running(employee, belt={1: {"bean": 1}}).build()
    assert "use employee" in legal(game, state)
    game, state = fulfilling(employee, belt={1: {"bean": 1}}).build()
    assert "use employee" not in legal(game, state)


@pytest.mark.parametrize("employee", ["clerk", "corner-shop-agent", "dealer"])
def test_clerk_agent_and_dealer_act_in_fulfil_orders_only(employee: str) -> None:
    """EMP-18"""
    room = dict.fromkeys(("chunks", "fingers", "caramel", "nuts", "boxed"), 5)
    game, state = fulfilling(employee, store_room=room).build()
    assert "use employee" in legal(game, state)
    game, state = running(employee, store_room=room, belt={1: {"bean": 1}}).build()
    assert "use employee" not in legal(game, state)
