"""The oracle: worked examples by hand, and the engine held against it in random games.

The games: `CF_ORACLE_GAMES` says how many are followed (default 16). For thousands:

    CF_ORACLE_GAMES=4000 python -m pytest tests/games/chocofactory/rules/test_oracle.py -k follows -n 4

`CF_ORACLE_FIRST` is the first seed (default 0); `-rP` prints what the games were about. A failure names the seed and
the variant; to see one game again:

    python -c "from oracle_follow import Pair; Pair(seed, num_players, play_forced).play()"      # in tests/
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from long_runs import amount
from oracle import Answer, Json, OpenOrder, Oracle, deliveries, orders_suffice, steps_suffice, store_prizes
from oracle_cards import (
    KINDS,
    MASTER_CHOCOLATIER,
    REFINED,
    SIZES,
    STORES,
    ChocolateOrder,
    ManagerCard,
    Order,
    Stage,
    read_cards,
)
from oracle_follow import Pair, load
from oracle_setup import check_invariants, check_setup, deal

from chocofactory_env.core.jit import COMPILED

GAMES = amount("CF_ORACLE_GAMES", 16, 4_000)
FIRST_SEED = int(os.environ.get("CF_ORACLE_FIRST", "0"))

# The shipped parts, employees and manager cards, and orders and pounds of sides C of our own.
ORDERS = {
    "pair": Order("small", (Stage(Counter(caramel=1, nuts=1), 7),)),
    "one": Order("small", (Stage(Counter(boxed=1), 5),)),
    "steps": Order("large", (Stage(Counter(chunks=2), 4), Stage(Counter(fingers=3), 7), Stage(Counter(boxed=1), 9))),
}
CARDS_SHIPPED = {expansion: read_cards(expansion) for expansion in (None, MASTER_CHOCOLATIER)}
POUNDS = dict(zip(STORES, (10, 9, 8, 7, 6), strict=True))
CARDS_OF_TESTS = {
    expansion: replace(cards, orders=cards.orders | ORDERS, pounds=POUNDS) for expansion, cards in CARDS_SHIPPED.items()
}
CARDS = CARDS_OF_TESTS[None]


def position(
    phase: str = "run",
    *,
    num_players: int = 2,
    day: int = 1,
    sides: str = "AAAAA",
    play_forced: bool = False,
    expansion: str | None = None,
    belt: dict[int, Counter[str]] | None = None,
    factory: dict[int, str] | None = None,
    orders: dict[int, tuple[str, int]] | None = None,
    **player: Any,
) -> Oracle:
    """A position in which seat 0 starts, and has what is said here."""
    cards = CARDS_OF_TESTS[expansion]
    state = deal(cards, num_players, Random(1), play_forced=play_forced, expansion=expansion)
    state |= {"phase": phase, "day": day, "start_player": 0, "shift": int(phase == "run")}
    state["sides"] = dict(zip(STORES, sides, strict=True))
    oracle = Oracle.from_dict(state, cards)
    if phase != "draft":
        oracle.clear_display()
    first = oracle.players[0]
    for tile, pieces in (belt or {}).items():
        first.belt[tile] = Counter(pieces)
    for slot, part in (factory or {}).items():
        first.factory[slot] = part
    for place, (order, stage) in (orders or {}).items():
        open_orders = first.orders if place < 3 else first.special_orders
        open_orders[place % 3] = OpenOrder(order, stage)
    if player.get("employee") is not None:
        player.setdefault("uses_left", cards.employees[player["employee"]].uses)
    for name, value in player.items():
        assert hasattr(first, name), name
        setattr(first, name, value)
    return oracle


def answer(words: str) -> Answer:
    """`take chunks` -> ("take", 2)."""
    verb, _, argument = words.partition(" ")
    for names in (KINDS, STORES, SIZES):
        if argument in names:
            return verb, names.index(argument)
    return verb, int(argument or 0)


def said(words: str) -> tuple[Answer, ...]:
    return tuple(answer(step) for step in words.split(", "))


def ways(oracle: Oracle, words: str) -> set[tuple[Answer, ...]]:
    """Every way to carry through the move that begins so."""
    return {
        tuple(step for step, _ in script[1:])
        for first, scripts in oracle.moves()
        if first == answer(words)
        for script in scripts
    }


def arguments(oracle: Oracle, verb: str) -> set[int]:
    return {argument for name, argument in oracle.legal() if name == verb}


def play(oracle: Oracle, words: str) -> Oracle:
    for step in said(words):
        oracle.apply(*step)
    return oracle


# --- Setup and draft --------------------------------------------------------------------------------------------


@pytest.mark.skipif(not COMPILED, reason="runs nothing of the engine")
@pytest.mark.parametrize("expansion", [None, MASTER_CHOCOLATIER])
@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
def test_a_deal_and_a_game_of_the_oracle_alone(num_players: int, expansion: str | None) -> None:
    """SET-2, SET-3, SET-4, MC-1, MC-3, MC-5: what is dealt is what the rules deal, and no card is lost later."""
    cards = CARDS_SHIPPED[expansion]
    for seed in range(4):
        random = Random(seed)
        state = deal(cards, num_players, random, difficulty=seed if num_players == 1 else 0, expansion=expansion)
        check_setup(state, cards, "random")
        oracle = Oracle.from_dict(state, cards)
        while not oracle.over:
            oracle.apply(*random.choice(sorted(oracle.legal())))
            check_invariants(oracle.to_dict(), cards)
        assert oracle.day == 6
        assert oracle.legal() == set()
        assert sorted(oracle.ranking()) == list(range(num_players))


@pytest.mark.parametrize(("num_players", "packets"), [(2, [0, 0, 0, 1, 1]), (3, [0, 0, 1, 1, 2]), (4, [0, 0, 1, 2, 3])])
def test_packets(num_players: int, packets: list[int]) -> None:
    """PREP-2, PREP-3"""
    oracle = position("draft", num_players=num_players)
    assert oracle.display["part_packets"] == packets
    mixed = oracle.decks["mix"][0]
    assert [oracle.display["employee_packets"][store] for store in mixed] == packets


def test_the_draft_goes_forth_and_back() -> None:
    """DRAFT-1, DRAFT-2, DRAFT-3, DRAFT-4"""
    oracle = position("draft", num_players=3)
    oracle.start_player = 1
    assert oracle.draft_order() == [1, 2, 0, 0, 2, 1]
    assert arguments(oracle, "draft_part") == {0, 1, 2, 3, 4}
    assert arguments(oracle, "draft_employee") == {0, 1, 2, 3, 4}
    part = oracle.display["parts"][2]
    play(oracle, "draft_part 2")
    assert oracle.legal() == {("place_part", slot) for slot in range(8)}
    play(oracle, "place_part 0")  # the Roaster is covered
    assert oracle.players[1].factory == [part, "upgrader", "chute", None, None, None, None, None]
    assert oracle.display["parts"][2:4] == [None, None]
    assert None not in (*oracle.display["parts"][:2], oracle.display["parts"][4])
    assert oracle.current_player == 2
    oracle.apply("draft_employee", min(arguments(oracle, "draft_employee")))
    for step in ("draft_part 0", "place_part 7"):
        assert oracle.current_player == 0
        play(oracle, step)
    assert oracle.current_player == 0
    assert not arguments(oracle, "draft_part")
    oracle.apply("draft_employee", min(arguments(oracle, "draft_employee")))
    assert oracle.current_player == 2
    assert arguments(oracle, "draft_part") == {4}
    play(oracle, "draft_part 4, place_part 3")
    assert oracle.current_player == 1
    oracle.apply("draft_employee", min(arguments(oracle, "draft_employee")))
    assert (oracle.phase, oracle.current_player, oracle.shift) == ("run", 1, 1)


@pytest.mark.parametrize(("employee", "coal"), [("miner", 2), ("expert-miner", 4), ("salesman", 0)])
def test_a_gift_is_taken_at_once(employee: str, coal: int) -> None:
    """DRAFT-5, EMP-2, EMP-9"""
    oracle = position("draft", coal=3)
    store = CARDS.employees[employee].store
    oracle.display["employees"][store] = employee
    play(oracle, f"draft_employee {store}")
    assert oracle.players[0].coal == 3 + coal
    assert oracle.players[0].uses_left == 0


# --- Run factory ------------------------------------------------------------------------------------------------


def test_load_and_push() -> None:
    """RUN-2, RUN-3, EMP-13"""
    belt = {tile: Counter({kind: 1}) for tile, kind in enumerate(("bean", "cocoa", "nuts", "boxed"))}
    oracle = position(belt=belt, store_room=Counter(boxed=1), operated={0}, employee="supervisor")
    play(oracle, "end_shift")
    player = oracle.players[0]
    assert player.belt == [Counter(bean=2), Counter(bean=1), Counter(cocoa=1), Counter(nuts=1)]
    assert player.store_room == Counter(boxed=2)
    assert player.operated == set()


@pytest.mark.parametrize(("employee", "shifts"), [("salesman", 3), ("engineer", 4)])
def test_shifts_of_a_day(employee: str, shifts: int) -> None:
    """RUN-1, EMP-12"""
    oracle = position(employee=employee)
    for shift in range(1, shifts + 1):
        assert (oracle.current_player, oracle.shift) == (0, shift)
        play(oracle, "end_shift")
    assert (oracle.current_player, oracle.shift, oracle.phase) == (1, 1, "run")
    play(oracle, "end_shift, end_shift, end_shift")
    assert (oracle.current_player, oracle.shift, oracle.phase) == (0, 0, "fulfil")


@pytest.mark.parametrize(("day", "left"), [(5, 3), (6, 0)])
def test_the_engineers_shift_may_be_left_out(day: int, left: int) -> None:
    """DRAFT-5, RUN-1, RUN-9"""
    belt = {0: Counter(bean=1), 3: Counter(boxed=2)}
    oracle = position(day=day, belt=belt, employee="engineer")
    for _ in range(2):
        assert answer("stop") not in oracle.legal()
        play(oracle, "end_shift")
    oracle.players[0].belt = [Counter(bean=1), Counter(), Counter(), Counter(boxed=2)]
    oracle.players[0].store_room = Counter()
    assert {answer("stop"), answer("end_shift")} <= oracle.legal()
    play(oracle, "stop")
    assert (oracle.current_player, oracle.shift, oracle.phase) == (1, 1, "run")
    assert sum(tile.total() for tile in oracle.players[0].belt) == left
    assert oracle.players[0].store_room.total() == 3 - left
    oracle = position(employee="salesman")
    play(oracle, "end_shift, end_shift")
    assert answer("stop") not in oracle.legal()
    oracle = position(employee="engineer")
    play(oracle, "end_shift, end_shift, end_shift")
    assert answer("stop") not in oracle.legal()


@pytest.mark.parametrize(("day", "left"), [(5, 3), (6, 0)])
def test_the_belt_is_emptied_on_the_last_day(day: int, left: int) -> None:
    """RUN-9"""
    oracle = position(day=day)
    play(oracle, "end_shift, end_shift, end_shift")
    assert sum(tile.total() for tile in oracle.players[0].belt) == min(left, 2)
    assert oracle.players[0].store_room == (Counter() if left else Counter(bean=2))


def test_a_part_is_operated_once_a_shift_for_its_coal_on_its_own_tile() -> None:
    """RUN-4, RUN-5, PART-1, PART-7"""
    oracle = position(belt={0: Counter(bean=2), 1: Counter(chunks=1)}, coal=2)
    assert arguments(oracle, "operate") == {0, 1}
    assert ways(oracle, "operate 0") == {said("take bean, make cocoa")}
    assert ways(oracle, "operate 1") == {said("take chunks, make caramel"), said("take chunks, make nuts")}
    play(oracle, "operate 0, take bean, make cocoa")
    assert arguments(oracle, "operate") == {1}
    assert (oracle.players[0].coal, oracle.players[0].belt[0]) == (1, Counter(bean=1, cocoa=1))
    oracle.players[0].coal = 0
    assert arguments(oracle, "operate") == set()


def test_single_answers_are_played_by_themselves_if_so_asked() -> None:
    """PART-7: the Roaster leaves nothing to choose."""
    oracle = play(position(belt={0: Counter(bean=1)}, coal=1, play_forced=True), "operate 0")
    assert not oracle.in_a_move
    assert oracle.players[0].belt[0] == Counter(cocoa=1)


def test_one_of_two_options_and_both_pieces_at_the_same_time() -> None:
    """PART-3, PART-4, PART-8"""
    oracle = position(belt={3: Counter(bean=2)}, factory={7: "roast-or-mould"}, coal=1)
    assert ways(oracle, "operate 7") == {
        said("option 0, take bean, make cocoa"),
        said("option 1, take bean, take bean, make chunks, make fingers"),
    }
    oracle.players[0].belt[3] = Counter(bean=1, chunks=4)
    assert ways(oracle, "operate 7") == {said("option 0, take bean, make cocoa")}


def test_a_class_is_the_players_choice_piece_by_piece() -> None:
    """PART-2, PART-8"""
    oracle = position(belt={0: Counter(fingers=1)}, factory={4: "finger-wrapper"}, coal=2)
    assert ways(oracle, "operate 4") == {
        said("take fingers, make caramel, make caramel"),
        said("take fingers, make caramel, make nuts"),
        said("take fingers, make nuts, make nuts"),
    }
    oracle = position(belt={0: Counter(cocoa=1, chunks=1, boxed=2)}, factory={4: "assortment-maker"}, coal=4)
    everything = "make chunks, make fingers, make caramel, make nuts, make boxed"
    assert ways(oracle, "operate 4") == {
        said(f"take chunks, take boxed, {everything}"),
        said(f"take boxed, take boxed, {everything}"),
    }
    oracle = position(belt={0: Counter(bean=1)}, factory={4: "bean-magic"}, coal=4)
    assert len(ways(oracle, "operate 4")) == 7 + 7 * 6 // 2


def test_upgrade_points_are_spent_in_any_way() -> None:
    """PART-5"""
    oracle = position(belt={1: Counter(bean=1, nuts=1)}, factory={5: "a-upgrader"}, coal=1)
    assert ways(oracle, "operate 5") == {
        said("take bean, make cocoa, stop"),
        said("take nuts, make boxed, stop"),
        said("take bean, make cocoa, take cocoa, make chunks"),
        said("take bean, make cocoa, take cocoa, make fingers"),
        said("take bean, make cocoa, take nuts, make boxed"),
    }
    oracle = position(belt={1: Counter(bean=1)}, factory={5: "b-upgrader"}, coal=1)
    through = {way for way in ways(oracle, "operate 5") if answer("stop") not in way}
    assert through == {
        said(f"take bean, make cocoa, take cocoa, make {bar}, take {bar}, make {wrapped}")
        for bar in ("chunks", "fingers")
        for wrapped in ("caramel", "nuts")
    }
    assert ways(position(belt={1: Counter(boxed=3)}, coal=9), "operate 1") == set()


def test_when_no_point_can_be_spent_in_order_only_stop_is_left() -> None:
    """PART-5"""
    oracle = play(
        position(belt={1: Counter(bean=1, caramel=1)}, factory={5: "a-upgrader"}, coal=1),
        "operate 5, take caramel, make boxed",
    )
    assert oracle.legal() == {answer("stop")}


@pytest.mark.parametrize(("part", "pieces"), [("a-repeater", 2), ("b-repeater", 3)])
def test_repeaters_add_copies(part: str, pieces: int) -> None:
    """PART-6"""
    oracle = position(belt={2: Counter(bean=1, nuts=1)}, factory={6: part}, coal=9)
    assert ways(oracle, "operate 6") == {said("take bean"), said("take nuts")}
    play(oracle, "operate 6, take nuts")
    assert oracle.players[0].belt[2] == Counter(bean=1, nuts=pieces)


def test_the_chute_moves_pieces_until_it_is_covered() -> None:
    """RUN-6, RUN-7"""
    oracle = position(belt={2: Counter(bean=2, nuts=1), 1: Counter(boxed=1)}, coal=0)
    assert arguments(oracle, "chute") == {KINDS.index("bean"), KINDS.index("nuts")}
    play(oracle, "chute bean, chute bean, chute nuts")
    assert oracle.players[0].store_room == Counter(bean=2, nuts=1)
    oracle = position(belt={2: Counter(bean=2)}, factory={2: "bean-magic"})
    assert arguments(oracle, "chute") == set()


def test_pieces_are_traded_for_coal_while_running() -> None:
    """RUN-8"""
    oracle = position(store_room=Counter(bean=1, boxed=2), coal=0)
    play(oracle, "trade boxed, trade bean")
    assert arguments(oracle, "trade") == {KINDS.index("boxed")}
    assert oracle.players[0].coal == 2
    assert arguments(position("fulfil", store_room=Counter(bean=1)), "trade") == set()


# --- Employees --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("employee", "times"), [("operator", 1), ("expert-operator", 3)])
def test_operators_move_a_piece_to_any_other_tile(employee: str, times: int) -> None:
    """EMP-3, EMP-10, EMP-18"""
    oracle = position(belt={0: Counter(bean=5), 3: Counter(nuts=1)}, employee=employee)
    assert ways(oracle, "use_employee") == {
        *(said(f"tile 0, take bean, tile {other}") for other in (1, 2, 3)),
        *(said(f"tile 3, take nuts, tile {other}") for other in (0, 1, 2)),
    }
    for _ in range(times):
        play(oracle, "use_employee, tile 0, take bean, tile 2")
    assert oracle.players[0].belt[0] == Counter(bean=5 - times)
    assert oracle.players[0].belt[2] == Counter(bean=times)
    assert ways(oracle, "use_employee") == set()


def test_salesman() -> None:
    """EMP-4, FUL-3"""
    oracle = position("fulfil", employee="salesman", orders={2: ("steps", 0)}, store_room=Counter(chunks=2, fingers=3))
    assert arguments(oracle, "fulfil") == {2}
    play(oracle, "fulfil 2, fulfil 2")
    assert oracle.players[0].money == 4 + 1 + 7 + 1


def test_clerk_skips_a_stage_for_nothing() -> None:
    """EMP-5"""
    oracle = position("fulfil", employee="clerk", orders={0: ("pair", 0), 1: ("steps", 0)})
    assert ways(oracle, "use_employee") == {said("fulfil 0"), said("fulfil 1"), said("fulfil 2")}
    play(oracle, "use_employee, fulfil 0")
    player = oracle.players[0]
    assert (player.money, player.completed, player.to_replace, player.orders[0]) == (0, ["pair"], 1, None)
    assert ways(oracle, "use_employee") == set()


def test_decorator_upgrades_one_step() -> None:
    """EMP-6"""
    oracle = position(belt={1: Counter(cocoa=1, boxed=1), 2: Counter(boxed=1)}, employee="decorator")
    assert ways(oracle, "use_employee") == {
        said("tile 1, take cocoa, make chunks"),
        said("tile 1, take cocoa, make fingers"),
    }
    assert ways(position(belt={2: Counter(boxed=1)}, employee="decorator"), "use_employee") == set()


def test_mechanic_halves_rounded_up_all_day() -> None:
    """EMP-7, EMP-17"""
    oracle = position(
        belt={1: Counter(bean=1, wrapped=0, nuts=1)}, factory={5: "box-stretcher"}, coal=2, employee="mechanic"
    )
    assert CARDS.parts["box-stretcher"].cost == 3
    assert arguments(oracle, "assign") == {0, 1, 5}  # not the Chute
    assert 5 not in arguments(oracle, "operate")
    play(oracle, "assign 5")
    assert arguments(oracle, "assign") == set()
    play(oracle, "operate 5, take nuts, make boxed, make boxed")
    assert oracle.players[0].coal == 0
    play(oracle, "end_shift")
    assert oracle.players[0].assigned == 5


def test_corner_shop_agent_takes_any_refined_pieces() -> None:
    """EMP-8"""
    oracle = position(
        "fulfil",
        employee="corner-shop-agent",
        orders={0: ("one", 0), 1: ("steps", 1), 2: ("pair", 0)},
        store_room=Counter(bean=3, nuts=2),
    )
    assert ways(oracle, "use_employee") == {said("fulfil 0, take nuts"), said("fulfil 2, take nuts, take nuts")}
    play(oracle, "use_employee, fulfil 2, take nuts, take nuts")
    assert (oracle.players[0].money, oracle.players[0].store_room) == (7, Counter(bean=3))


def test_dealer_gives_one_piece_fewer() -> None:
    """EMP-11"""
    oracle = position(
        "fulfil",
        employee="dealer",
        orders={0: ("one", 0), 1: ("steps", 1), 2: ("pair", 0)},
        store_room=Counter(nuts=1, fingers=2),
    )
    assert ways(oracle, "use_employee") == {
        said("fulfil 0, take boxed"),
        said("fulfil 1, take fingers"),
        said("fulfil 2, take caramel"),
    }
    play(oracle, "use_employee, fulfil 1, take fingers")
    assert (oracle.players[0].money, oracle.players[0].store_room) == (7, Counter(nuts=1))


def test_department_store_agent_supplies_another_store_before_cleanup() -> None:
    """EMP-14, CLEAN-1, END-1"""
    for day, after in ((5, "cleanup"), (6, "over")):
        oracle = position("fulfil", day=day, store_room=Counter(caramel=3), employee="department-store-agent")
        play(oracle, "supply dunstan_gilberts, take caramel, take caramel, stop, finish_orders, finish_orders")
        assert (oracle.phase, oracle.current_player) == ("agents", 0)
        assert oracle.legal() == {answer("supply 0"), answer("supply 2"), answer("finish_orders")}
        play(oracle, "supply salters_emporium, take caramel, stop")
        assert oracle.phase == after
        assert oracle.players[0].tracks == dict(zip(STORES, (0, 0, 1, 0, 1), strict=True))


def test_packer_doubles_a_tile() -> None:
    """EMP-15"""
    oracle = position(belt={0: Counter(), 1: Counter(bean=1, nuts=2)}, employee="packer")
    play(oracle, "use_employee, tile 1")
    assert oracle.players[0].belt[1] == Counter(bean=2, nuts=4)
    assert oracle.players[0].uses_left == 0


def test_technician_reaches_the_next_tile_for_1_coal() -> None:
    """EMP-16"""
    belt = {tile: Counter(bean=1) for tile in range(4)}
    oracle = position(belt=belt, factory={5: "roaster"}, employee="technician", coal=2)
    assert arguments(oracle, "assign") == {0, 1, 2, 5}
    play(oracle, "assign 5")
    assert ways(oracle, "operate 5") == {said(f"tile {tile}, take bean, make cocoa") for tile in (0, 1, 2)}
    oracle.players[0].coal = 1
    assert ways(oracle, "operate 5") == {said("tile 1, take bean, make cocoa")}
    oracle.players[0].coal = 2
    play(oracle, "operate 5, tile 2, take bean, make cocoa")
    assert (oracle.players[0].coal, oracle.players[0].belt[2]) == (0, Counter(cocoa=1))


def test_technician_on_the_chute() -> None:
    """EMP-16, RUN-6"""
    oracle = position(
        belt={1: Counter(bean=1, nuts=1), 2: Counter(boxed=1)}, employee="technician", assigned=2, uses_left=0, coal=1
    )
    assert ways(oracle, "operate 2") == {
        said("tile 1, take bean, stop"),
        said("tile 1, take nuts, stop"),
        said("tile 1, take bean, take nuts, stop"),
    }
    play(oracle, "operate 2, tile 1, take nuts, stop, chute boxed")
    assert (oracle.players[0].coal, oracle.players[0].store_room) == (0, Counter(nuts=1, boxed=1))
    assert oracle.players[0].operated == set()


# --- Fulfil orders ----------------------------------------------------------------------------------------------


def test_stages_go_in_sequence_and_a_completed_order_is_set_aside() -> None:
    """FUL-1, FUL-2, FUL-3"""
    oracle = position(
        "fulfil",
        orders={0: ("steps", 0), 1: ("steps", 2), 2: ("one", 0)},
        store_room=Counter(fingers=3, boxed=1),
    )
    assert arguments(oracle, "fulfil") == {1, 2}
    play(oracle, "fulfil 1")
    player = oracle.players[0]
    assert (player.money, player.orders[1], player.completed, player.to_replace) == (9, None, ["steps"], 1)
    assert arguments(oracle, "fulfil") == set()


PALACE_B = ("c", "f", "w", "b", "cf", "cw", "cb", "fw", "fb", "wb", "cfw", "cfb", "cwb", "fwb", "cfwb")
PILE = Counter(bean=2, cocoa=2, chunks=3, fingers=1, caramel=2, boxed=2)


@pytest.mark.parametrize(
    ("store", "side", "accepted"),
    [
        pytest.param(
            "palace_boutique",
            "A",
            {"c": 1, "cc": 2, "ccc": 3, "f": 1, "w": 1, "ww": 2, "b": 1, "bb": 2},
            id="STORE-1 A",
        ),
        pytest.param(
            "palace_boutique",
            "B",
            {
                way: len(way)
                for way in ["c", "f", "w", "b", "cf", "cw", "cb", "fw", "fb", "wb", "cfw", "cfb", "cwb", "fwb", "cfwb"]
            },
            id="STORE-1 B",
        ),
        pytest.param("fresh_fancies", "A", {"c": 1, "cc": 2, "ccc": 3}, id="STORE-2 A"),
        pytest.param("fresh_fancies", "B", {"f": 1}, id="STORE-2 B"),
        pytest.param("salters_emporium", "A", {"w": 1, "ww": 2}, id="STORE-3 A"),
        pytest.param("salters_emporium", "B", {}, id="STORE-3 B"),
        pytest.param("house_of_luxury", "A", {"b": 1, "bb": 2}, id="STORE-4 A"),
        pytest.param("house_of_luxury", "B", {"cc": 1, "cf": 1, "cccf": 2}, id="STORE-4 B"),
        pytest.param("dunstan_gilberts", "A", {"ww": 1, "wb": 1, "bb": 1, "wwbb": 2}, id="STORE-5 A"),
        pytest.param("dunstan_gilberts", "B", {"cc": 2, "cf": 2, "ww": 3, "bb": 4}, id="STORE-5 B"),
    ],
)
def test_what_a_store_accepts(store: str, side: str, accepted: dict[str, int]) -> None:
    """STORE-6 and FUL-4: with 3 chunks, 1 fingers, 2 caramel (w) and 2 boxed."""
    letters = {"c": "chunks", "f": "fingers", "w": "caramel", "b": "boxed"}
    found = list(deliveries(store, side, PILE))
    assert dict(found) == {tuple(letters[letter] for letter in way): spaces for way, spaces in accepted.items()}
    assert len(dict(found)) == len(found)


def test_a_store_is_supplied_once_a_day_and_only_that_of_the_employee() -> None:
    """DRAFT-6, FUL-4, FUL-5, FUL-6"""
    oracle = position("fulfil", employee="decorator", store_room=Counter(chunks=5, nuts=5))
    oracle.players[0].tracks["fresh_fancies"] = 8
    oracle.players[1].arrivals["palace_boutique"] = 4
    assert arguments(oracle, "supply") == {STORES.index("fresh_fancies")}
    play(oracle, "supply fresh_fancies, take chunks, take chunks, take chunks, stop")
    player = oracle.players[0]
    assert (player.tracks["fresh_fancies"], player.arrivals["fresh_fancies"], player.store_room["chunks"]) == (9, 5, 2)
    assert arguments(oracle, "supply") == set()
    oracle.end_day()
    oracle.phase, player.employee = "fulfil", "decorator"
    oracle.start_player = 0
    assert arguments(oracle, "supply") == set()  # the track is full


def test_a_delivery_of_a_fixed_number_ends_by_itself() -> None:
    """STORE-5"""
    oracle = position("fulfil", sides="AAAAB", employee="packer", store_room=Counter(caramel=1, nuts=3, boxed=1))
    play(oracle, "supply dunstan_gilberts, take caramel, take nuts")
    assert not oracle.in_a_move
    assert oracle.players[0].tracks["dunstan_gilberts"] == 3


def test_odd_pieces_are_not_accepted() -> None:
    """STORE-6"""
    oracle = position("fulfil", employee="packer", store_room=Counter(caramel=3))
    play(oracle, "supply dunstan_gilberts, take caramel")
    assert oracle.legal() == {answer("take caramel")}
    play(oracle, "take caramel")
    assert oracle.legal() == {answer("stop")}


@pytest.mark.parametrize(("employee", "spaces"), [("director-fresh_fancies", 6), ("clerk", 3)])
def test_director_doubles(employee: str, spaces: int) -> None:
    """EMP-1"""
    oracle = position("fulfil", employee=employee, store_room=Counter(chunks=3))
    play(oracle, "supply fresh_fancies, take chunks, take chunks, take chunks, stop")
    assert oracle.players[0].tracks["fresh_fancies"] == spaces


# --- Cleanup ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("num_players", "kept"), [(1, 6), (2, 2)])
def test_pieces_kept_overnight(num_players: int, kept: int) -> None:
    """CLEAN-2, SOLO-6"""
    oracle = position("cleanup", num_players=num_players, store_room=Counter(bean=1, nuts=kept), coal=0)
    assert arguments(oracle, "finish_cleanup") == set()
    play(oracle, "trade nuts")
    assert arguments(oracle, "finish_cleanup") == {0}
    assert arguments(oracle, "trade") == {KINDS.index("bean"), KINDS.index("nuts")}  # more may be traded
    assert oracle.players[0].coal == 1


def test_completed_orders_are_replaced_one_by_one() -> None:
    """CLEAN-3, CLEAN-4"""
    oracle = position("cleanup", to_replace=2)
    player = oracle.players[0]
    player.orders[0] = player.orders[2] = None
    decks = oracle.decks["orders"]
    decks["large"] = []
    small, medium = decks["small"][:], decks["medium"][:]
    play(oracle, "finish_cleanup")
    assert (oracle.phase, oracle.offer) == ("replace", {"small": small[0], "medium": medium[0], "large": None})
    assert oracle.legal() == {answer("choose_order small"), answer("choose_order medium")}
    play(oracle, "choose_order medium")
    assert (player.orders[0].order, player.orders[2]) == (medium[0], None)  # type: ignore[union-attr]  # just chosen
    assert oracle.offer["small"] == small[1]
    assert decks["small"] == [*small[2:], small[0]]
    play(oracle, "choose_order small")
    assert player.orders[2].order == small[1]  # type: ignore[union-attr]  # just chosen
    assert decks["medium"] == [*medium[2:], medium[1]]
    assert (oracle.phase, oracle.current_player) == ("cleanup", 1)


def test_nothing_to_replace_from() -> None:
    """CLEAN-4"""
    oracle = position("cleanup", to_replace=1)
    oracle.players[0].orders[1] = None
    oracle.decks["orders"] = {size: [] for size in SIZES}
    play(oracle, "finish_cleanup")
    assert (oracle.phase, oracle.current_player, oracle.players[0].to_replace) == ("cleanup", 1, 0)


def test_the_next_day() -> None:
    """CLEAN-5, PREP-1"""
    oracle = position(
        "cleanup", employee="packer", coal=3, supplied={"fresh_fancies"}, part_drafted=True, money=9, earned_today=4
    )
    play(oracle, "finish_cleanup, finish_cleanup")
    player = oracle.players[0]
    assert (oracle.day, oracle.phase, oracle.start_player, oracle.current_player) == (2, "draft", 1, 1)
    assert (player.coal, player.employee, player.uses_left, player.part_drafted) == (3 + 6, None, 0, False)
    assert player.supplied == set()
    assert (player.money, player.earned_today) == (9, 0)
    assert len(oracle.decks["parts"]) == 20


# --- End of the game --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("markers", "paid"),
    [
        ([7, 6, 6, 2], [16, 8, 4, 0]),
        ([8, 5, 2], [16, 8, 0]),
        ([5, 3, 1], [16, 8, 0]),
        ([5, 2, 1], [16, 0, 0]),
        ([0, 9, 0], [0, 16, 0]),
        ([1, 3, 9], [0, 0, 16]),
        ([2, 3, 5], [4, 8, 16]),
        ([0, 0], [0, 0]),
        ([4, 4, 4, 4], [16, 8, 4, 0]),
    ],
)
def test_prizes_of_a_store(markers: list[int], paid: list[int]) -> None:
    """END-3: the worked examples, and more; whoever comes first here was first there."""
    assert store_prizes([(space, seat + 1 if space else 0) for seat, space in enumerate(markers)]) == paid


def test_on_a_tie_the_earlier_one_ranks_higher() -> None:
    """END-3, FUL-6"""
    assert store_prizes([(6, 9), (7, 1), (6, 3), (2, 2)]) == [4, 16, 8, 0]


def end(num_players: int = 3, **player: Any) -> Oracle:
    oracle = position("over", num_players=num_players, day=6, **player)
    for other in oracle.players:
        other.coal = 0
    return oracle


def test_most_orders_and_variety_and_leftovers() -> None:
    """END-2, END-4, END-5"""
    oracle = end(store_room=Counter(bean=2, boxed=1), tracks=dict.fromkeys(STORES, 0))
    assert [sheet["most_orders"] for sheet in oracle.score_sheets()] == [0, 0, 0]
    oracle.players[0].completed = ["a", "b"]
    oracle.players[1].completed = ["c"]
    oracle.players[2].completed = ["d", "e"]
    oracle.players[0].coal = 4
    sheets = oracle.score_sheets()
    assert [sheet["most_orders"] for sheet in sheets] == [12, 0, 12]
    assert [sheet["leftovers"] for sheet in sheets] == [7, 0, 0]
    for supplied, bonus in enumerate((0, 0, 0, 6, 12, 24)):
        oracle.players[1].tracks = {store: int(number < supplied) for number, store in enumerate(STORES)}
        assert oracle.score_sheets()[1]["variety"] == bonus
    assert oracle.scores() == [12 + 7, 5 * 16 + 24, 12]


def test_a_tie_goes_to_who_came_later_in_turn_order() -> None:
    """END-6"""
    oracle = end()
    oracle.start_player = 1
    for player in oracle.players:
        player.money = 10
    assert oracle.ranking() == [0, 2, 1]
    assert oracle.won() == [True, False, False]
    oracle.players[1].money = 11
    assert oracle.ranking() == [1, 0, 2]


# --- Solo -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("day", "gone"),
    [
        (1, "dunstan_gilberts"),
        (2, "house_of_luxury"),
        (3, "salters_emporium"),
        (4, "fresh_fancies"),
        (5, "palace_boutique"),
        (6, None),
    ],
)
def test_the_display_of_a_day_alone(day: int, gone: str | None) -> None:
    """SOLO-3, SOLO-4, SOLO-5"""
    oracle = position("cleanup", num_players=1)
    for _ in range(1, day):
        oracle.end_day()
    oracle.phase = "draft"
    if day > 1:
        assert [store for store in STORES if oracle.display["employees"][store] is None] == ([gone] if gone else [])
        assert oracle.display["parts"].count(None) == int(gone is not None)
        left = {0, 1, 2, 3, 4} - ({STORES.index(gone)} if gone else set())
        assert arguments(oracle, "draft_part") == arguments(oracle, "draft_employee") == left
    assert oracle.solo is not None
    assert oracle.solo["face_up"] == 1 + min(day, 5)


def manager_card(**values: Any) -> ManagerCard:
    nothing: Json = {"money": 0, "orders": {}, "steps": {}, "open_boxes": 0, "open_steps": 0}
    nothing |= {"chocolate_order": None, "special_orders": {}}
    given: Json = {name: Counter(v) if isinstance(v, dict) else v for name, v in (nothing | values).items()}
    return ManagerCard(**given)


@pytest.mark.parametrize(
    ("order", "store_room", "number"),
    [
        (ChocolateOrder("all_different", REFINED, 3, Counter()), Counter(chunks=2, fingers=1, nuts=1, boxed=1), 4),
        (ChocolateOrder("one_kind", REFINED, 4, Counter()), Counter(chunks=4, fingers=3, nuts=5, bean=4), 2),
        (ChocolateOrder("any_mix", ("chunks", "fingers"), 4, Counter()), Counter(chunks=3, fingers=2, nuts=9), 2),
        (ChocolateOrder("exact_mix", ("boxed",), 2, Counter(boxed=2)), Counter(boxed=5), 1),
        (ChocolateOrder("exact_mix", ("nuts", "boxed"), 3, Counter(nuts=1, boxed=2)), Counter(boxed=5), 0),
    ],
)
def test_chocolate_orders(order: ChocolateOrder, store_room: Counter[str], number: int) -> None:
    """SOLO-7"""
    oracle = position("fulfil", num_players=1, store_room=Counter(store_room))
    assert oracle.solo is not None
    (name, *_) = oracle.solo["demands"]
    oracle.cards = replace(oracle.cards, demands=oracle.cards.demands | {name: manager_card(chocolate_order=order)})
    assert len(ways(oracle, "deliver 1")) == number
    if number:
        oracle.apply("deliver", 1)
        while oracle.in_a_move:
            oracle.apply(*max(oracle.legal()))
        assert oracle.solo["delivered"] == [1]
        assert oracle.players[0].store_room.total() == store_room.total() - order.number
        assert 1 not in arguments(oracle, "deliver")


def test_a_face_down_demand_cannot_be_delivered_to() -> None:
    """SOLO-3, SOLO-7"""
    oracle = position("fulfil", num_players=1, store_room=Counter(dict.fromkeys(REFINED, 9)))
    assert oracle.solo is not None
    easy = manager_card(chocolate_order=ChocolateOrder("any_mix", REFINED, 1, Counter()))
    oracle.cards = replace(oracle.cards, demands=dict.fromkeys(oracle.cards.demands, easy))
    assert arguments(oracle, "deliver") - {0} == {1, 2}


def test_steps_are_taken_back_one_card_after_another() -> None:
    """SOLO-7, SOLO-8"""

    def tracks(*spaces: int) -> dict[str, int]:
        return dict(zip(STORES, spaces, strict=True))

    two_stores = manager_card(open_boxes=2, open_steps=2)
    one_store = manager_card(open_boxes=1, open_steps=3)
    all_stores = manager_card(open_boxes=5, open_steps=1)
    palace = manager_card(steps={"palace_boutique": 2})
    assert steps_suffice(tracks(2, 2, 0, 0, 0), [two_stores])
    assert not steps_suffice(tracks(4, 0, 0, 0, 0), [two_stores])  # different stores
    assert not steps_suffice(tracks(3, 2, 0, 0, 0), [two_stores, one_store])  # nothing counts twice
    assert steps_suffice(tracks(3, 2, 2, 0, 0), [one_store, two_stores])
    assert steps_suffice(tracks(5, 2, 0, 0, 0), [two_stores, one_store])
    assert not steps_suffice(tracks(4, 2, 0, 0, 0), [palace, one_store])
    assert steps_suffice(tracks(2, 3, 0, 0, 0), [palace, one_store])
    assert not steps_suffice(tracks(9, 9, 9, 9, 0), [all_stores])
    # The one store must be the one that the two stores can spare.
    assert steps_suffice(tracks(3, 2, 2, 0, 0), [two_stores, one_store])
    assert not steps_suffice(tracks(3, 3, 1, 0, 0), [two_stores, one_store])


def test_completed_orders_are_discarded_once() -> None:
    """SOLO-7, SOLO-8"""
    assert orders_suffice({"small": 2, "large": 1}, [{"small": 1}, {"any": 2}])
    assert not orders_suffice({"small": 1, "large": 1}, [{"small": 1}, {"any": 2}])
    assert not orders_suffice({"small": 3}, [{"large": 1}])


def solo_end(target: ManagerCard, demand: ManagerCard, **player: Any) -> bool:
    oracle = position("over", num_players=1, day=6, **player)
    assert oracle.solo is not None
    oracle.solo |= {"target": "t", "demands": ["d"], "face_up": 1}
    oracle.cards = replace(oracle.cards, targets={"t": target}, demands={"d": demand})
    (won,) = oracle.won()
    return won


def test_winning_alone() -> None:
    """SOLO-2, SOLO-7, SOLO-8, SOLO-9, SOLO-10"""
    money, more = manager_card(money=20), manager_card(money=5)
    assert solo_end(money, more, money=25, coal=0)
    assert not solo_end(money, more, money=24, coal=9)
    special = manager_card(special_orders={"large": 2})
    assert solo_end(special, manager_card(), special_completed=2)
    assert not solo_end(special, manager_card(), special_completed=1)
    chocolate = manager_card(chocolate_order=ChocolateOrder("any_mix", REFINED, 1, Counter()))
    assert not solo_end(chocolate, manager_card())


def test_special_orders_pay_and_are_not_replaced() -> None:
    """SOLO-2, SOLO-10"""
    oracle = position("fulfil", num_players=1, orders={3: ("one", 0)}, store_room=Counter(boxed=1))
    play(oracle, "fulfil 3")
    player = oracle.players[0]
    assert (player.money, player.special_completed, player.to_replace, player.special_orders[0]) == (5, 1, 0, None)
    assert player.completed_by_size.total() == 0


# --- Master Chocolatier -----------------------------------------------------------------------------------------


def chocolatier(phase: str = "run", **values: Any) -> Oracle:
    """A position with the expansion in play."""
    return position(phase, expansion=MASTER_CHOCOLATIER, **values)


EMPLOYEES = CARDS_SHIPPED[MASTER_CHOCOLATIER].employees


def new_parts() -> set[str]:
    return set(CARDS_SHIPPED[MASTER_CHOCOLATIER].parts) - set(CARDS_SHIPPED[None].parts)


def test_two_parts_of_each_deck_leave_before_the_first_day() -> None:
    """MC-1"""
    cards = CARDS_SHIPPED[MASTER_CHOCOLATIER]
    assert Counter(cards.parts[part].deck for part in new_parts()) == {"A": 2, "B": 2}
    left = set()
    for seed in range(40):
        state = deal(cards, 2, Random(seed), expansion=MASTER_CHOCOLATIER)
        removed = state["decks"]["removed_parts"]
        assert {deck: len(parts) for deck, parts in removed.items()} == {"A": 2, "B": 2}
        dealt = {*state["display"]["parts"], *state["decks"]["parts"]}
        assert len(dealt) == 30
        assert dealt.isdisjoint({*removed["A"], *removed["B"]})
        left |= {*removed["A"], *removed["B"]}
    assert left & new_parts()
    assert left - new_parts()  # any part may be one of the two
    assert position().decks["removed_parts"] == {"A": [], "B": []}


def test_a_part_that_carries_takes_a_piece_of_any_kind_to_any_other_tile() -> None:
    """MC-2, RUN-4"""
    belt = {0: Counter(cocoa=1), 1: Counter(bean=1, boxed=2), 3: Counter(nuts=1)}
    oracle = chocolatier(belt=belt, factory={5: "carrier"}, coal=3)
    assert ways(oracle, "operate 5") == {
        said(f"take {kind}, tile {tile}") for kind in ("bean", "boxed") for tile in (0, 2, 3)
    }
    play(oracle, "operate 5, take boxed, tile 3")
    player = oracle.players[0]
    assert (player.coal, player.belt[1], player.belt[3]) == (2, Counter(bean=1, boxed=1), Counter(nuts=1, boxed=1))
    assert 5 not in arguments(oracle, "operate")  # once a shift
    play(oracle, "end_shift")
    assert 5 in arguments(oracle, "operate")
    player.coal = 0
    assert 5 not in arguments(oracle, "operate")
    assert 5 not in arguments(chocolatier(belt={0: Counter(bean=1)}, factory={5: "carrier"}, coal=3), "operate")


def test_carrying_is_one_of_two_options() -> None:
    """MC-2, PART-3"""
    oracle = chocolatier(belt={0: Counter(cocoa=1, nuts=1)}, factory={4: "mould-or-carry"}, coal=1)
    carrying = {said(f"option 1, take {kind}, tile {tile}") for kind in ("cocoa", "nuts") for tile in (1, 2, 3)}
    assert ways(oracle, "operate 4") == carrying | {
        said("option 0, take cocoa, make chunks"),
        said("option 0, take cocoa, make fingers"),
    }
    play(oracle, "operate 4, option 1, take cocoa, tile 2")
    assert oracle.players[0].belt[2] == Counter(cocoa=1)
    assert 4 not in arguments(oracle, "operate")
    oracle = chocolatier(belt={0: Counter(nuts=1)}, factory={4: "wrap-or-carry"}, coal=1)
    assert ways(oracle, "operate 4") == {said(f"option 1, take nuts, tile {tile}") for tile in (1, 2, 3)}


def test_a_free_part_carries_without_coal_and_is_none_of_the_mechanics() -> None:
    """MC-2, EMP-7"""
    oracle = chocolatier(belt={3: Counter(bean=1)}, factory={3: "free-carrier"}, coal=0, employee="mechanic")
    assert 3 not in arguments(oracle, "assign")
    play(oracle, "operate 3, take bean, tile 0")
    assert (oracle.players[0].coal, oracle.players[0].belt[0]) == (0, Counter(bean=1))


def test_the_technicians_part_carries_from_a_tile_beside_its_own_to_any_other() -> None:
    """MC-2, EMP-16"""
    belt = {tile: Counter({kind: 1}) for tile, kind in enumerate(("bean", "cocoa", "nuts", "boxed"))}
    oracle = chocolatier(belt=belt, factory={4: "carrier"}, employee="technician", assigned=4, uses_left=0, coal=2)
    assert ways(oracle, "operate 4") == {
        *(said(f"tile 0, take bean, tile {tile}") for tile in (1, 2, 3)),
        *(said(f"tile 1, take cocoa, tile {tile}") for tile in (0, 2, 3)),
    }
    play(oracle, "operate 4, tile 1, take cocoa, tile 3")
    player = oracle.players[0]
    assert (player.coal, player.belt[1], player.belt[3]) == (0, Counter(), Counter(boxed=1, cocoa=1))
    player.operated, player.coal = set(), 1
    assert {way[0] for way in ways(oracle, "operate 4")} == {answer("tile 0")}


@pytest.mark.parametrize(("earned", "spaces"), [(0, 0), (8, 0), (9, 1), (17, 1), (25, 2), (27, 3), (200, 9)])
def test_a_side_c_counts_the_money_of_the_day(earned: int, spaces: int) -> None:
    """MC-3, STORE-6, FUL-5: £9 a space in fresh_fancies, rounded down, and no pieces"""
    assert CARDS_SHIPPED[MASTER_CHOCOLATIER].pounds["fresh_fancies"] == 9
    oracle = chocolatier(
        "fulfil", sides="ACAAA", employee="clerk", earned_today=earned, money=300, store_room=Counter(chunks=3)
    )
    assert ways(oracle, "supply fresh_fancies") == ({()} if spaces else set())
    if spaces:
        play(oracle, "supply fresh_fancies")
        player = oracle.players[0]
        assert not oracle.in_a_move
        assert (player.tracks["fresh_fancies"], player.arrivals["fresh_fancies"]) == (spaces, 1)
        assert (player.money, player.earned_today, player.store_room) == (300, earned, Counter(chunks=3))
        assert arguments(oracle, "supply") == set()


def test_a_director_doubles_a_side_c() -> None:
    """MC-3, EMP-1"""
    oracle = chocolatier("fulfil", sides="ACAAA", employee="director-fresh_fancies", earned_today=25)
    play(oracle, "supply fresh_fancies")
    assert oracle.players[0].tracks["fresh_fancies"] == 4


def test_what_is_paid_after_a_side_c_was_supplied_no_longer_counts() -> None:
    """MC-3"""
    oracle = chocolatier(
        "fulfil",
        sides="AACAA",
        employee="expert-miner",
        orders={0: ("pair", 0), 1: ("one", 0), 2: ("steps", 0)},
        store_room=Counter(caramel=1, nuts=1, boxed=1, chunks=2),
    )
    play(oracle, "fulfil 0")
    assert arguments(oracle, "supply") == set()  # £7 of 8
    play(oracle, "fulfil 1, supply salters_emporium, fulfil 2")
    player = oracle.players[0]
    assert (player.money, player.earned_today, player.tracks["salters_emporium"]) == (16, 16, 1)
    assert arguments(oracle, "supply") == set()


def test_a_new_day_counts_its_own_money() -> None:
    """MC-3"""
    oracle = chocolatier("cleanup", sides="ACAAA", earned_today=26, money=26)
    play(oracle, "finish_cleanup, finish_cleanup")
    player = oracle.players[0]
    assert (oracle.day, player.money, player.earned_today) == (2, 26, 0)
    oracle.phase, oracle.start_player, player.employee = "fulfil", 0, "clerk"
    assert arguments(oracle, "supply") == set()


def test_the_extra_pounds_of_employees_count_and_a_stage_passed_over_does_not() -> None:
    """MC-3, EMP-4, EMP-5"""
    oracle = chocolatier(
        "fulfil", sides="CAAAA", employee="salesman", orders={0: ("steps", 0)}, store_room=Counter(chunks=2, fingers=3)
    )
    play(oracle, "fulfil 0")
    assert (oracle.players[0].earned_today, arguments(oracle, "supply")) == (4 + 1, set())
    play(oracle, "fulfil 0, supply palace_boutique")
    assert (oracle.players[0].earned_today, oracle.players[0].tracks["palace_boutique"]) == (4 + 1 + 7 + 1, 1)
    oracle = chocolatier("fulfil", sides="ACAAA", employee="clerk", orders={0: ("steps", 2)})
    play(oracle, "use_employee, fulfil 0")
    assert (oracle.players[0].completed, oracle.players[0].earned_today) == (["steps"], 0)


def test_special_orders_count_for_a_side_c() -> None:
    """MC-3, SOLO-10"""
    oracle = chocolatier(
        "fulfil", num_players=1, sides="AAAAC", employee="packer", orders={3: ("one", 0), 0: ("pair", 0)}
    )
    oracle.players[0].store_room = Counter(caramel=1, nuts=1, boxed=1)
    play(oracle, "fulfil 3, fulfil 0, supply dunstan_gilberts")
    assert oracle.players[0].tracks["dunstan_gilberts"] == 2


def test_a_draw_has_a_new_side_and_no_more_than_two_sides_c() -> None:
    """MC-3, MC-7"""
    drawn = Counter[str]()
    for seed in range(200):
        sides = deal(CARDS_SHIPPED[MASTER_CHOCOLATIER], 2, Random(seed), expansion=MASTER_CHOCOLATIER)["sides"]
        drawn.update(sides.values())
        assert list(sides.values()).count("C") <= 2
        assert {"C", "D"} & set(sides.values())
    assert set(drawn) == set("ABCD")
    base = deal(CARDS_SHIPPED[None], 2, Random(1))["sides"]
    assert set(base.values()) <= set("AB")


@pytest.mark.parametrize(
    ("store", "store_room", "accepted"),
    [
        pytest.param("fresh_fancies", "", {}, id="1, 3, 5: nothing"),
        pytest.param("fresh_fancies", "cf", {"c": 1, "f": 1}, id="1, 3, 5: of two"),
        pytest.param(
            "fresh_fancies", "ccfb", {"c": 1, "f": 1, "b": 1, "ccf": 3, "ccb": 3, "cfb": 3}, id="1, 3, 5: of four"
        ),
        pytest.param("fresh_fancies", "wwwwww", {"w": 1, "www": 3, "wwwww": 5}, id="1, 3, 5: of six"),
        pytest.param("salters_emporium", "c", {}, id="in order: the first alone"),
        pytest.param("salters_emporium", "ccccc", {}, id="in order: the first again and again"),
        pytest.param("salters_emporium", "fwnb", {}, id="in order: without the first"),
        pytest.param("salters_emporium", "ccffnb", {"cf": 1}, id="in order: not beyond a gap"),
        pytest.param("salters_emporium", "cfwn", {"cf": 1, "cfw": 2, "cfwn": 4}, id="in order: four"),
        pytest.param("salters_emporium", "cfwnbb", {"cf": 1, "cfw": 2, "cfwn": 4, "cfwnb": 9}, id="in order: five"),
        pytest.param("house_of_luxury", "ccwwbb", {}, id="sets: none whole"),
        pytest.param("house_of_luxury", "cccff", {"cf": 1, "ccff": 2}, id="sets: of bars"),
        pytest.param("house_of_luxury", "wwnnn", {"wn": 2, "wwnn": 4}, id="sets: of wrapped"),
        pytest.param(
            "house_of_luxury",
            "ccffwnb",
            {"cf": 1, "ccff": 2, "wn": 2, "cfwn": 3, "ccffwn": 4},
            id="sets: mixtures",
        ),
        pytest.param("dunstan_gilberts", "cfwnb", {}, id="pairs: none"),
        pytest.param("dunstan_gilberts", "cccc", {"cc": 1}, id="pairs: of four equal ones one"),
        pytest.param(
            "dunstan_gilberts",
            "ccnnnbb",
            {"cc": 1, "nn": 1, "bb": 1, "ccnn": 2, "ccbb": 2, "nnbb": 2, "ccnnbb": 3},
            id="pairs: of three kinds",
        ),
    ],
)
def test_what_a_side_d_accepts(store: str, store_room: str, accepted: dict[str, int]) -> None:
    """MC-4: c chunks, f fingers, w caramel, n nuts, b boxed; beside them 5 beans and 5 cocoa."""
    letters = {"c": "chunks", "f": "fingers", "w": "caramel", "n": "nuts", "b": "boxed"}
    pile = Counter(letters[letter] for letter in store_room) + Counter(bean=5, cocoa=5)
    found = list(deliveries(store, "D", pile))
    assert dict(found) == {tuple(letters[letter] for letter in way): spaces for way, spaces in accepted.items()}
    assert len(dict(found)) == len(found)


def test_kinds_in_order_end_by_stop() -> None:
    """MC-4, FUL-5"""
    every = Counter(dict.fromkeys(REFINED, 2))
    oracle = chocolatier("fulfil", sides="AADAA", employee="expert-miner", store_room=every)
    play(oracle, "supply salters_emporium, take chunks")
    assert oracle.legal() == {answer("take fingers")}  # one kind alone is worth nothing
    play(oracle, "take fingers")
    assert oracle.legal() == {answer("take caramel"), answer("stop")}
    play(oracle, "take caramel, take nuts, take boxed")
    assert oracle.legal() == {answer("stop")}
    play(oracle, "stop")
    assert oracle.players[0].tracks["salters_emporium"] == 9
    assert oracle.players[0].store_room == Counter(dict.fromkeys(REFINED, 1))
    oracle = chocolatier("fulfil", sides="AADAA", employee="expert-miner", store_room=Counter(chunks=2, caramel=1))
    assert arguments(oracle, "supply") == set()


def test_1_3_or_5_pieces_end_by_stop() -> None:
    """MC-4"""
    oracle = chocolatier("fulfil", sides="ADAAA", employee="clerk", store_room=Counter(fingers=3, boxed=1, bean=3))
    play(oracle, "supply fresh_fancies, take fingers")
    assert oracle.legal() == {answer("take fingers"), answer("stop")}  # with the boxed one alone it would be two
    play(oracle, "take fingers")
    assert oracle.legal() == {answer("take fingers"), answer("take boxed")}
    play(oracle, "take boxed, stop")
    assert oracle.players[0].tracks["fresh_fancies"] == 3
    oracle = chocolatier("fulfil", sides="ADAAA", employee="clerk", store_room=Counter(nuts=6))
    play(oracle, "supply fresh_fancies" + ", take nuts" * 5)
    assert oracle.legal() == {answer("stop")}


def test_sets_and_pairs_are_whole() -> None:
    """MC-4, STORE-6"""
    oracle = chocolatier("fulfil", sides="AAADA", employee="engineer", store_room=Counter(chunks=2, fingers=1, nuts=1))
    play(oracle, "supply house_of_luxury, take chunks")
    assert oracle.legal() == {answer("take fingers")}
    play(oracle, "take fingers")
    assert oracle.legal() == {answer("stop")}
    oracle = chocolatier("fulfil", sides="AAAAD", employee="packer", store_room=Counter(nuts=4, boxed=2))
    play(oracle, "supply dunstan_gilberts, take nuts, take nuts")
    assert oracle.legal() == {answer("take boxed"), answer("stop")}
    play(oracle, "take boxed, take boxed, stop")
    assert oracle.players[0].tracks["dunstan_gilberts"] == 2


def test_palace_boutique_borrows_the_rule_of_another_store() -> None:
    """MC-4, FUL-4"""
    oracle = chocolatier("fulfil", sides="DABDB", employee="miner", store_room=Counter(fingers=2, nuts=1))
    assert ways(oracle, "supply palace_boutique") == {
        said("supply salters_emporium, take nuts, stop"),
        said("supply dunstan_gilberts, take fingers, take fingers"),  # a fixed number ends by itself
    }
    play(oracle, "supply palace_boutique, supply dunstan_gilberts, take fingers, take fingers")
    player = oracle.players[0]
    assert not oracle.in_a_move
    assert player.tracks == dict(zip(STORES, (2, 0, 0, 0, 0), strict=True))
    assert player.arrivals == dict(zip(STORES, (1, 0, 0, 0, 0), strict=True))
    assert player.supplied == {"palace_boutique"}
    assert arguments(oracle, "supply") == set()  # once a day


def test_palace_boutique_supplies_nothing_if_there_is_nothing_to_borrow() -> None:
    """MC-4, STORE-6, FUL-5"""
    oracle = chocolatier(
        "fulfil", sides="DCABA", employee="miner", store_room=Counter(chunks=1, nuts=1), earned_today=8
    )
    assert arguments(oracle, "supply") == set()
    oracle.players[0].earned_today = 9
    assert ways(oracle, "supply palace_boutique") == {said("supply fresh_fancies")}
    oracle.players[0].tracks["palace_boutique"] = 9  # its own track is full
    assert arguments(oracle, "supply") == set()


def test_palace_boutique_borrows_a_side_c() -> None:
    """MC-3, MC-4: with the number of the card that is borrowed; EMP-1"""
    for employee, spaces in (("miner", 2), ("director-palace_boutique", 4)):
        oracle = chocolatier("fulfil", sides="DCAAA", employee=employee, earned_today=25, play_forced=True)
        play(oracle, "supply palace_boutique")  # nothing else can be borrowed
        assert not oracle.in_a_move
        assert oracle.players[0].supplied == {"palace_boutique"}
        assert oracle.players[0].tracks["palace_boutique"] == spaces
        assert oracle.players[0].tracks["fresh_fancies"] == 0


def test_palace_boutique_borrows_from_a_store_at_the_end_of_its_track() -> None:
    """MC-4, EMP-1: the Director of palace_boutique doubles what is borrowed."""
    oracle = chocolatier("fulfil", sides="DADAA", employee="director-palace_boutique")
    player = oracle.players[0]
    player.tracks["salters_emporium"] = 9
    player.store_room = Counter(chunks=1, fingers=1, caramel=1, nuts=1)
    play(oracle, "supply palace_boutique, supply salters_emporium, take chunks, take fingers, take caramel, stop")
    assert player.tracks["palace_boutique"] == 2 * 2
    assert player.tracks["salters_emporium"] == 9
    assert player.arrivals["salters_emporium"] == 0


def test_a_department_store_agent_borrows_for_palace_boutique() -> None:
    """MC-4, EMP-14, CLEAN-1: even from the store that was supplied today"""
    oracle = chocolatier(
        "fulfil", sides="DAACD", employee="department-store-agent", store_room=Counter(boxed=5), earned_today=7
    )
    assert arguments(oracle, "supply") == {STORES.index("dunstan_gilberts")}
    play(oracle, "supply dunstan_gilberts, take boxed, take boxed, stop, finish_orders, finish_orders")
    assert (oracle.phase, oracle.current_player) == ("agents", 0)
    assert arguments(oracle, "supply") == {STORES.index("palace_boutique"), STORES.index("house_of_luxury")}
    assert ways(oracle, "supply palace_boutique") == {
        said("supply house_of_luxury"),
        said("supply dunstan_gilberts, take boxed, take boxed, stop"),
    }
    play(oracle, "supply palace_boutique, supply dunstan_gilberts, take boxed, take boxed, stop")
    player = oracle.players[0]
    assert oracle.phase == "cleanup"
    assert player.supplied == {"dunstan_gilberts", "palace_boutique"}
    assert player.tracks == dict(zip(STORES, (1, 0, 0, 0, 1), strict=True))
    assert (player.uses_left, player.store_room["boxed"]) == (0, 1)


def test_a_department_store_agent_supplies_a_side_c_with_the_money_of_the_day() -> None:
    """MC-3, EMP-14"""
    oracle = chocolatier("agents", sides="AAACA", employee="department-store-agent", earned_today=15)
    assert oracle.legal() == {answer("supply house_of_luxury"), answer("finish_orders")}
    play(oracle, "supply house_of_luxury")
    assert (oracle.phase, oracle.players[0].tracks["house_of_luxury"]) == ("cleanup", 2)


@pytest.mark.parametrize(
    ("num_players", "parts", "employees"),
    [
        (2, [0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1]),
        (3, [0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2]),
        (4, [0, 0, 1, 2, 3], [0, 0, 1, 1, 2, 3]),
    ],
)
def test_packets_of_six_employees(num_players: int, parts: list[int], employees: list[int]) -> None:
    """MC-5, PREP-2, PREP-3"""
    oracle = chocolatier("draft", num_players=num_players)
    assert oracle.display["part_packets"] == parts
    mixed = oracle.decks["mix"][0]
    assert sorted(mixed) == sorted([*STORES, "extra"])
    assert [oracle.display["employee_packets"][deck] for deck in mixed] == employees
    shown = oracle.display["employees"]["extra"]
    assert Counter([shown, *oracle.decks["employees"]["extra"]]) == {"owner": 2, "helpers": 2, "prodigy": 2}


def test_an_employee_without_a_store_is_drafted_with_a_packet() -> None:
    """MC-5, DRAFT-2"""
    oracle = chocolatier("draft")
    oracle.display["employees"]["extra"] = "prodigy"
    packets = oracle.display["employee_packets"]
    assert arguments(oracle, "draft_employee") == {0, 1, 2, 3, 4, 5}
    play(oracle, "draft_employee 5")
    assert (oracle.players[0].employee, oracle.players[0].uses_left) == ("prodigy", EMPLOYEES["prodigy"].uses)
    gone = {deck for deck, employee in oracle.display["employees"].items() if employee is None}
    assert gone == {deck for deck, packet in packets.items() if packet == packets["extra"]}
    assert len(gone) == 3


def test_an_employee_without_a_store_supplies_none() -> None:
    """MC-5, MC-6: the Owner brings pounds for a stage."""
    oracle = chocolatier(
        "fulfil",
        sides="AAAAC",
        employee="owner",
        orders={0: ("pair", 0)},
        store_room=Counter(caramel=1, nuts=1, chunks=4),
    )
    play(oracle, "fulfil 0")
    pay = 7 + EMPLOYEES["owner"].amount
    assert (oracle.players[0].money, oracle.players[0].earned_today) == (pay, pay)
    assert oracle.legal() == {answer("finish_orders")}
    play(oracle, "finish_orders, finish_orders")
    assert oracle.phase == "cleanup"


def test_helpers_and_prodigy() -> None:
    """MC-5, MC-6, EMP-6, EMP-13"""
    oracle = play(chocolatier(employee="helpers"), "end_shift")
    assert oracle.players[0].belt[0] == Counter(bean=1 + EMPLOYEES["helpers"].amount)
    uses = EMPLOYEES["prodigy"].uses
    oracle = chocolatier(employee="prodigy", belt={0: Counter(bean=uses + 1)})
    assert ways(oracle, "use_employee") == {said("tile 0, take bean, make cocoa")}
    for _ in range(uses):
        play(oracle, "use_employee, tile 0, take bean, make cocoa")
    assert oracle.players[0].belt[0] == Counter(bean=1, cocoa=uses)
    assert arguments(oracle, "use_employee") == set()


def test_the_sixth_employee_alone() -> None:
    """MC-5, SOLO-4, SOLO-5: to choose from every day, and with no part on it"""
    oracle = chocolatier("cleanup", num_players=1)
    for day in range(2, 7):
        oracle.end_day()
        gone = [deck for deck, employee in oracle.display["employees"].items() if employee is None]
        assert len(gone) == int(day < 6)
        assert "extra" not in gone
        assert len(oracle.display["parts"]) == 5
        assert oracle.display["employee_packets"] == {**dict(zip(STORES, range(5), strict=True)), "extra": 5}
        assert arguments(oracle, "draft_part") == {0, 1, 2, 3, 4} - {STORES.index(store) for store in gone}
        assert arguments(oracle, "draft_employee") == arguments(oracle, "draft_part") | {5}
    assert oracle.decks["employees"]["extra"] == []
    kept = dict(oracle.display["employees"])
    play(oracle, "draft_employee 5")
    assert oracle.display["employees"] == kept | {"extra": None}  # no packets
    play(oracle, "draft_part 0, place_part 7")
    assert oracle.phase == "run"


def test_without_the_expansion_there_is_no_sixth_employee() -> None:
    """MC-5"""
    oracle = position("draft")
    assert set(oracle.display["employees"]) == set(oracle.decks["employees"]) == set(STORES)
    assert arguments(oracle, "draft_employee") == {0, 1, 2, 3, 4}


# --- The engine -------------------------------------------------------------------------------------------------


def check_deals(num_players: int, sides: str | None, expansion: str | None) -> None:
    for seed in range(10 if COMPILED else 3):
        game = load(num_players, sides, seed % 4 if num_players == 1 else 0, True, expansion)
        state: Json = game.to_dict(game.new(seed))
        assert state["options"]["expansion"] == expansion
        check_setup(state, CARDS_SHIPPED[expansion], sides)
        check_invariants(state, CARDS_SHIPPED[expansion])


@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
@pytest.mark.parametrize("sides", [None, "A", "B", "random", "ABBAB"])
def test_the_engine_deals_as_the_rules_say(num_players: int, sides: str | None) -> None:
    """SET-1, SET-2, SET-3, SET-4, SET-5, SET-6, SET-7, SET-8, SET-9, PREP-1, PREP-2, PREP-3, SOLO-1, SOLO-2"""
    check_deals(num_players, sides, None)


@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
@pytest.mark.parametrize("sides", [None, "A", "C", "D", "random", "DCACD", "CCCBA"])
def test_the_engine_deals_the_expansion_as_the_rules_say(num_players: int, sides: str | None) -> None:
    """MC-1, MC-3, MC-5, MC-7: what leaves the part decks, six employees in packets, sides C and D"""
    check_deals(num_players, sides, MASTER_CHOCOLATIER)


@pytest.mark.slow
@pytest.mark.parametrize("play_forced", [True, False])
@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
@pytest.mark.long
def test_the_engine_follows_the_oracle(num_players: int, play_forced: bool) -> None:
    """Legal actions and states at every step, results at the end, and results of made-up ends."""
    seen: Counter[str] = Counter()
    for seed in range(FIRST_SEED, FIRST_SEED + max(1, GAMES // 8)):
        pair = Pair(seed, num_players, play_forced)
        pair.play()
        pair.play_ends(10)
        seen += pair.seen
    print(*(f"{number:6} {what}" for what, number in sorted(seen.items())), sep="\n")  # seen with `-rP`
