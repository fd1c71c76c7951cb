"""Employees: what each of them does, and when."""

from __future__ import annotations

from typing import Any

import pytest
from chocofactory_games import KINDS, STORES, Position, in_a_move, legal, pieces, play, player_of

Json = dict[str, Any]


def running(employee: str, **player: Any) -> Position:
    return Position(num_players=2).phase("run").player(0, employee=employee, **player)


def fulfilling(employee: str, **player: Any) -> Position:
    return Position(num_players=2).phase("fulfil").player(0, employee=employee, **player)


@pytest.mark.parametrize("store", STORES)
def test_the_directors_progress_counts_double_at_his_own_store(store: str) -> None:
    """EMP-1: two pieces of a kind, and four in two pairs, are two spaces on sides A."""
    game, state = fulfilling(f"director-{store}", store_room={"chunks": 2, "caramel": 2, "boxed": 2}).build()
    play(game, state, f"supply {store}")
    while in_a_move(game.to_dict(state)):
        choices = legal(game, state)
        play(game, state, next((f"take {kind}" for kind in KINDS if f"take {kind}" in choices), "stop"))
    assert player_of(game, state)["track"][store] == 2 * 2


# Employee, phase, what else seat 0 has, what it does (a set: what is legal then), and what it has afterwards.
CASES: list[tuple[str, str, Json, list[str | set[str]], Json]] = [
    (
        "operator", "run", {"belt": {0: {"bean": 1, "nuts": 2}}},
        ["use employee", {"take bean", "take nuts"}, "take nuts", {"tile 1", "tile 2", "tile 3"}, "tile 3"],
        {"belt": {0: {"bean": 1, "nuts": 1}, 3: {"nuts": 1}}},
    ),
    (
        "expert-operator", "run", {"belt": {0: {"bean": 3}}},
        ["use employee", "tile 3", "use employee", "tile 0", "tile 3", "use employee", "tile 0", "tile 3"],
        {"belt": {3: {"bean": 3}}},
    ),
    (
        "salesman", "fulfil", {"orders": [("harbour-store", 0)], "store_room": {"fingers": 5}},
        ["fulfil order 0", "fulfil order 0"], {"money": 4 + 7 + 2, "room": {}},
    ),
    (
        "clerk", "fulfil", {"orders": [("harbour-store", 0), None, None]},
        ["use employee"], {"money": 0, "order": ("harbour-store", 1)},
    ),
    (
        "clerk", "fulfil", {"orders": [("winter-garden", 2), None, None]},
        ["use employee"], {"money": 0, "order": (None, 0), "pile": ["winter-garden"]},
    ),
    (
        "decorator", "run", {"belt": {1: {"boxed": 1}, 2: {"bean": 1, "fingers": 1}, 3: {"cocoa": 1}}, "coal": 5},
        ["use employee", {"tile 2", "tile 3"}, "tile 2", "take fingers", "make nuts"],
        {"belt": {1: {"boxed": 1}, 2: {"bean": 1, "nuts": 1}, 3: {"cocoa": 1}}, "coal": 5},
    ),
    (
        "corner-shop-agent", "fulfil",
        {"orders": [("harbour-store", 0), None, None], "store_room": {"bean": 3, "chunks": 2, "boxed": 2}},
        ["use employee", {"take chunks", "take boxed"}, "take chunks", "take boxed"],
        {"money": 4, "order": ("harbour-store", 1), "room": {"bean": 3, "chunks": 1, "boxed": 1}},
    ),
    (
        "dealer", "fulfil",
        {"orders": [("theatre-foyer", 0), None, None], "store_room": {"caramel": 1, "nuts": 1}},
        ["use employee", {"take caramel", "take nuts"}, "take nuts"], {"money": 7, "room": {"nuts": 1}},
    ),
    ("supervisor", "run", {"belt": {}}, ["end shift", "end shift"], {"belt": {0: {"bean": 2}, 1: {"bean": 2}}}),
    (
        "packer", "run", {"belt": {1: {"bean": 1, "nuts": 2}, 3: {"boxed": 1}}},
        ["use employee", {"tile 1", "tile 3"}, "tile 1"], {"belt": {1: {"bean": 2, "nuts": 4}, 3: {"boxed": 1}}},
    ),
    (
        "technician", "run", {"belt": {1: {"bean": 1, "nuts": 2}, 3: {"boxed": 1}}, "coal": 2},
        ["assign slot 2", "operate slot 2", "tile 1", "take bean", "take nuts", "stop", "operate slot 2", "tile 3"],
        {"belt": {1: {"nuts": 1}}, "room": {"bean": 1, "nuts": 1, "boxed": 1}, "coal": 0},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("employee", "phase", "own", "moves", "after"), CASES)
def test_what_an_employee_does(employee: str, phase: str, own: Json, moves: list[str | set[str]], after: Json) -> None:
    """EMP-3, EMP-4, EMP-5, EMP-6, EMP-8, EMP-10, EMP-11, EMP-13, EMP-15, EMP-16, RUN-6; once a day what is used up"""
    game, state = Position(num_players=2).phase(phase).player(0, employee=employee, **own).build()
    for move in moves:
        if isinstance(move, set):
            assert legal(game, state) == move
        else:
            play(game, state, move)
    player = player_of(game, state)
    there: Json = {name: player[name] for name in ("money", "coal", "pile")}
    there |= {"order": (player["orders"][0], player["stage"][0]), "room": pieces(game, state)}
    there["belt"] = {tile: held for tile in range(4) if (held := pieces(game, state, tile=tile))}
    assert {name: there[name] for name in after} == after
    assert not legal(game, state) & {"use employee", "operate slot 2"}, "its uses, or the coal for them, are spent"


@pytest.mark.parametrize(
    ("part", "coal"), [("caramel-coater", 1), ("straight-to-box", 1), ("sweet-kitchen", 2), ("three-of-a-bean", 2)]
)
def test_the_mechanic_halves_the_coal_of_one_part_rounded_up_all_day(part: str, coal: int) -> None:
    """EMP-7, EMP-17"""
    belt = {3: {"chunks": 3, "bean": 3, "cocoa": 2}}
    game, state = running("mechanic", belt=belt, coal=9, factory={3: part}).build()
    play(game, state, "assign slot 3")
    assert not {words for words in legal(game, state) if words.startswith("assign")}
    play(game, state, "operate slot 3")
    assert player_of(game, state)["coal"] == 9 - coal


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


@pytest.mark.parametrize("employee", ["operator", "decorator", "packer", "clerk", "corner-shop-agent", "dealer"])
def test_an_employee_acts_in_its_own_phase_only(employee: str) -> None:
    """EMP-18"""
    has: Json = {"belt": {1: {"bean": 1}}, "store_room": dict.fromkeys(KINDS[2:], 5)}
    phases = []
    for phase, position in (("run", running(employee, **has)), ("fulfil", fulfilling(employee, **has))):
        phases += [phase] if "use employee" in legal(*position.build()) else []
    assert phases == ["run" if employee in ("operator", "decorator", "packer") else "fulfil"]
