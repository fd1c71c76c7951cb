"""Dealing and checking a first position, for the oracle: SET-1 to SET-9, PREP-1 to PREP-3, SOLO-1 to SOLO-4."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

from oracle import COAL_OF_DAY, EMPLOYEES_PER_STORE, NEW_PARTS, PACKETS, SOLO_DISCARDS, Json, Oracle
from oracle_cards import KINDS, SIZES, STORES, Cards

ORDERS_OF_A_SIZE = 18  # SET-3
PARTS_OF_A_DECK = 15  # SET-2
DAILY_DEMANDS = 5  # SOLO-1


# --- Dealing ----------------------------------------------------------------------------------------------------


def shuffled(random: Random, things: list[str]) -> list[str]:
    return random.sample(things, len(things))


def deal(cards: Cards, num_players: int, random: Random, *, difficulty: int = 0, play_forced: bool = True) -> Json:
    """A first position, dealt without the engine."""
    orders = {size: shuffled(random, [name for name, o in cards.orders.items() if o.size == size]) for size in SIZES}
    state: Json = {
        "options": {"play_forced": play_forced, "difficulty": difficulty},
        "day": 1,
        "phase": "draft",
        "start_player": random.randrange(num_players),
        "turn": 0,
        "shift": 0,
        "sides": {store: random.choice("AB") for store in STORES},
        "display": {"parts": [None] * NEW_PARTS, "employees": dict.fromkeys(STORES)},
        "decks": {
            "parts": [
                part
                for deck in ("A", "B")
                for part in shuffled(random, [name for name, p in cards.parts.items() if p.deck == deck])
            ],
            "employees": {
                store: shuffled(
                    random, [name for name, e in cards.employees.items() if e.store == store for _ in range(e.count)]
                )
                for store in STORES
            },
            "mix": [shuffled(random, list(STORES)) for _ in range(6)] if num_players > 1 else [],
            "orders": orders,
        },
        "offer": dict.fromkeys(SIZES),
        "players": [new_player(cards, [orders[size].pop(0) for size in SIZES]) for _ in range(num_players)],
        "under_way": None,
        "solo": None,
    }
    if num_players == 1:
        state["solo"] = {
            "target": random.choice(list(cards.targets)),
            "demands": random.sample(list(cards.demands), 1 + difficulty + DAILY_DEMANDS),
            "face_up": 1 + difficulty,
            "delivered": [],
        }
        special = cards.targets[state["solo"]["target"]].special_orders
        names = [orders[size].pop(0) for size in SIZES for _ in range(special[size])]
        state["players"][0]["special_orders"] = [
            {"order": names[place], "stage": 0} if place < len(names) else None for place in range(3)
        ]
    oracle = Oracle.from_dict(state, cards)
    oracle.prepare()
    return oracle.to_dict() | {"under_way": None}


def new_player(cards: Cards, orders: list[str]) -> Json:
    """SET-6, SET-7."""
    return {
        "coal": 0,
        "money": 0,
        "store_room": dict.fromkeys(KINDS, 0),
        "belt": [dict.fromkeys(KINDS, 0) for _ in range(4)],
        "factory": [*(name for name, part in cards.parts.items() if part.deck == "printed"), *[None] * 5],
        "operated": [],
        "assigned": None,
        "part_drafted": False,
        "employee": None,
        "uses_left": 0,
        "orders": [{"order": order, "stage": 0} for order in orders],
        "special_orders": [None] * 3,
        "completed": [],
        "completed_by_size": dict.fromkeys(SIZES, 0),
        "to_replace": 0,
        "tracks": dict.fromkeys(STORES, 0),
        "arrivals": dict.fromkeys(STORES, 0),
        "supplied": [],
        "special_completed": 0,
    }


# --- Checking ---------------------------------------------------------------------------------------------------


def check_setup(state: Mapping[str, Any], cards: Cards, sides: str | None = None) -> None:
    """Assert that this is a first position as the rules deal it; `sides` is the option if it fixes them."""
    num_players = len(state["players"])
    assert 1 <= num_players <= 4, "SET-1"
    assert (state["solo"] is not None) == (num_players == 1), "SET-1"
    assert (state["day"], state["phase"], state["turn"], state["shift"]) == (1, "draft", 0, 0)
    assert state.get("under_way") is None
    assert 0 <= state["start_player"] < num_players, "SET-8"
    assert state["current_player"] == state["start_player"], "DRAFT-1"
    check_parts_dealt(state, cards)
    check_employees_dealt(state, cards)
    check_orders_dealt(state, cards)
    check_sides(state, sides)
    for player in state["players"]:
        check_new_player(player, cards)
    if num_players == 1:
        check_solo_dealt(state, cards)
    else:
        check_packets(state)


def check_parts_dealt(state: Mapping[str, Any], cards: Cards) -> None:
    assert Counter(part.deck for part in cards.parts.values() if part.deck != "printed") == {
        "A": PARTS_OF_A_DECK,
        "B": PARTS_OF_A_DECK,
    }, "SET-2"
    shown, to_come = state["display"]["parts"], state["decks"]["parts"]
    assert (len(shown), len(to_come)) == (NEW_PARTS, 2 * PARTS_OF_A_DECK - NEW_PARTS), "SET-2"
    gone = int(len(state["players"]) == 1)  # SOLO-4: one part is discarded on day 1
    dealt = [part for part in [*shown, *to_come] if part is not None]
    assert len(set(dealt)) == len(dealt) == 2 * PARTS_OF_A_DECK - gone, "SET-2: each part once"
    assert shown.count(None) == gone
    decks = [cards.parts[part].deck for part in dealt]
    assert decks == ["A"] * (PARTS_OF_A_DECK - gone) + ["B"] * PARTS_OF_A_DECK, "SET-2: A before B"


def check_employees_dealt(state: Mapping[str, Any], cards: Cards) -> None:
    for store in STORES:
        of_store = Counter({name: e.count for name, e in cards.employees.items() if e.store == store})
        assert of_store.total() == EMPLOYEES_PER_STORE, "SET-4"
        shown = state["display"]["employees"][store]
        dealt = Counter(state["decks"]["employees"][store])
        assert dealt.total() == EMPLOYEES_PER_STORE - 1, "PREP-3"
        if shown is None:
            assert (len(state["players"]), store) == (1, SOLO_DISCARDS[1]), "SOLO-4"
            assert dealt <= of_store, "SET-4"
        else:
            assert dealt + Counter([shown]) == of_store, "SET-4"
    for mixed in state["decks"]["mix"]:
        assert sorted(mixed) == sorted(STORES), "PREP-3"
    assert len(state["decks"]["mix"]) == (6 if len(state["players"]) > 1 else 0), "PREP-3"


def check_orders_dealt(state: Mapping[str, Any], cards: Cards) -> None:
    for number, size in enumerate(SIZES, 1):
        names = {name for name, order in cards.orders.items() if order.size == size}
        assert len(names) == ORDERS_OF_A_SIZE, "SET-3"
        assert all(len(cards.orders[name].stages) == number for name in names), "SET-3, FUL-2"
        in_hand = [
            order["order"]
            for player in state["players"]
            for order in (*player["orders"], *player["special_orders"])
            if order is not None and cards.orders[order["order"]].size == size
        ]
        assert sorted([*in_hand, *state["decks"]["orders"][size]]) == sorted(names), "SET-3: each order once"
    assert all(order is None for order in state["offer"].values())


def check_sides(state: Mapping[str, Any], sides: str | None) -> None:
    assert list(state["sides"]) == list(STORES), "SET-5"
    assert set(state["sides"].values()) <= {"A", "B"}, "SET-5"
    if sides is not None and sides != "random":
        assert "".join(state["sides"].values()) == (sides * len(STORES) if len(sides) == 1 else sides), "SET-5"


def check_new_player(player: Mapping[str, Any], cards: Cards) -> None:
    assert player["coal"] == COAL_OF_DAY[1] == 5, "PREP-1"
    assert player["money"] == 0, "SET-6"
    assert player["store_room"] == dict.fromkeys(KINDS, 0), "SET-6"
    assert player["belt"] == [dict.fromkeys(KINDS, 0)] * 4, "SET-6"
    assert player["tracks"] == player["arrivals"] == dict.fromkeys(STORES, 0), "SET-6"
    assert [order["stage"] for order in player["orders"]] == [0, 0, 0], "SET-6"
    assert {cards.orders[order["order"]].size for order in player["orders"]} == set(SIZES), "SET-6"
    printed = [cards.parts[part] for part in player["factory"][:3]]
    assert [part.function for part in printed] == ["converter", "upgrader", "chute"], "SET-7"
    assert [part.cost for part in printed] == [1, 1, 0], "PART-7, RUN-6"
    assert [(option.takes, option.makes) for option in printed[0].options] == [(("bean",), ("cocoa",))], "PART-7"
    assert printed[1].amount == 1, "PART-7"
    assert player["factory"][3:] == [None] * 5, "SET-7"
    nothing_yet: Json = {"operated": [], "assigned": None, "part_drafted": False, "employee": None, "uses_left": 0}
    nothing_yet |= {
        "completed_by_size": dict.fromkeys(SIZES, 0),
        "completed": [],
        "to_replace": 0,
        "supplied": [],
        "special_completed": 0,
    }
    assert {name: player[name] for name in nothing_yet} == nothing_yet


def check_packets(state: Mapping[str, Any]) -> None:
    sizes = PACKETS[len(state["players"])]
    parts = state["display"]["part_packets"]
    assert parts == sorted(parts), "PREP-2: in the order in which they are laid"
    assert tuple(Counter(parts)[packet] for packet in range(len(sizes))) == sizes, "PREP-2"
    employees = state["display"]["employee_packets"]
    assert [employees[store] for store in state["decks"]["mix"][0]] == parts, "PREP-3"


def check_solo_dealt(state: Mapping[str, Any], cards: Cards) -> None:
    solo = state["solo"]
    difficulty = state["options"].get("difficulty", 0)
    assert len(cards.targets) + len(cards.demands) == 26, "SOLO-1"
    assert solo["target"] in cards.targets, "SOLO-1"
    assert set(solo["demands"]) <= set(cards.demands), "SOLO-1"
    assert len(set(solo["demands"])) == len(solo["demands"]) == 1 + difficulty + DAILY_DEMANDS, "SOLO-1"
    assert solo["face_up"] == 1 + difficulty + 1, "SOLO-1, SOLO-3"
    assert solo["delivered"] == []
    special = [order for order in state["players"][0]["special_orders"] if order is not None]
    assert all(order["stage"] == 0 for order in special), "SOLO-2"
    sizes = Counter(cards.orders[order["order"]].size for order in special)
    assert sizes == +Counter(cards.targets[solo["target"]].special_orders), "SOLO-2"
    assert state["display"]["parts"][STORES.index(SOLO_DISCARDS[1])] is None, "SOLO-4"


def check_invariants(state: Mapping[str, Any], cards: Cards) -> None:
    """What holds in every position."""
    names = [order for deck in state["decks"]["orders"].values() for order in deck]
    names += [order for order in state["offer"].values() if order is not None]
    for player in state["players"]:
        names += [order["order"] for order in (*player["orders"], *player["special_orders"]) if order is not None]
        names += player["completed"]
        assert min(player["coal"], player["money"]) >= 0
        assert min(player["store_room"].values()) >= 0
        assert all(min(tile.values()) >= 0 for tile in player["belt"])
        assert all(0 <= space <= 9 for space in player["tracks"].values()), "FUL-5"
        assert all((player["tracks"][store] > 0) == (player["arrivals"][store] > 0) for store in STORES), "FUL-6"
        assert len(player["supplied"]) <= 2, "FUL-4, EMP-14"
        assert player["orders"].count(None) >= player["to_replace"]  # more only after CLEAN-4
    assert len(names) == len(set(names)) == 3 * ORDERS_OF_A_SIZE, "SET-3: no order is lost or doubled"
    arrivals = [number for player in state["players"] for number in player["arrivals"].values() if number]
    assert len(set(arrivals)) == len(arrivals), "FUL-6: every move takes a fresh place"
