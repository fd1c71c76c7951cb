"""Dealing and checking a first position, for the oracle.

SET-1 to SET-9, PREP-1 to PREP-3, SOLO-1 to SOLO-4; with the expansion MC-1, MC-3 and MC-5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from .cards import EXTRA, KINDS, SIZES, STORES, Cards
from .oracle import EMPLOYEES_PER_STORE, EXTRA_EMPLOYEES, NEW_PARTS, PACKETS, PACKETS_OF_SIX, SOLO_DISCARDS, Json

ORDERS_OF_A_SIZE = 18  # SET-3
PARTS_OF_A_DECK = 15  # SET-2; MC-1: those that stay
REMOVED_PARTS = 2  # MC-1: of each deck
MOST_SIDES_C = 2  # MC-3: of a draw
DAILY_DEMANDS = 5  # SOLO-1


def employee_decks(state: Mapping[str, Any]) -> dict[str, int]:
    """SET-4, MC-5: how many employees there are for each store, and for none."""
    of_stores = dict.fromkeys(STORES, EMPLOYEES_PER_STORE)
    return of_stores if state["options"]["expansion"] is None else of_stores | {EXTRA: EXTRA_EMPLOYEES}


def check_setup(state: Mapping[str, Any], cards: Cards, sides: str | None = None) -> None:
    """Assert that this is a first position as the rules deal it; `sides` is the option, or None: the default."""
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
    """SET-2: all of A before all of B; that each part is there once is an invariant."""
    for deck, parts in state["decks"]["removed_parts"].items():
        assert {cards.parts[part].deck for part in parts} <= {deck}, "MC-1"
    shown, to_come = state["display"]["parts"], state["decks"]["parts"]
    gone = int(len(state["players"]) == 1)  # SOLO-4: one part is discarded on day 1
    decks = [cards.parts[part].deck for part in [*shown, *to_come] if part is not None]
    assert decks == ["A"] * (PARTS_OF_A_DECK - gone) + ["B"] * PARTS_OF_A_DECK, "SET-2"
    assert shown.count(None) == gone


def check_employees_dealt(state: Mapping[str, Any], cards: Cards) -> None:
    decks = employee_decks(state)
    for deck, number in decks.items():
        of_deck = Counter({name: e.count for name, e in cards.employees.items() if (e.store or EXTRA) == deck})
        assert of_deck.total() == number, "SET-4, MC-5"
        shown = state["display"]["employees"][deck]
        dealt = Counter(state["decks"]["employees"][deck])
        assert dealt.total() == number - 1, "PREP-3"
        if shown is None:
            assert (len(state["players"]), deck) == (1, SOLO_DISCARDS[1]), "SOLO-4, MC-5"
            assert dealt <= of_deck, "SET-4"
        else:
            assert dealt + Counter([shown]) == of_deck, "SET-4, MC-5"
    for mixed in state["decks"]["mix"]:
        assert sorted(mixed) == sorted(decks), "PREP-3, MC-5"
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
    with_expansion = state["options"]["expansion"] is not None
    assert set(state["sides"].values()) <= set("ABCD" if with_expansion else "AB"), "SET-5, MC-3"
    if sides is None:  # the default
        sides = "random" if with_expansion else "A"
    if sides == "random":
        drawn = list(state["sides"].values())
        assert not with_expansion or ({"C", "D"} & set(drawn) and drawn.count("C") <= MOST_SIDES_C), "MC-3, MC-7"
    else:
        assert "".join(state["sides"].values()) == (sides * len(STORES) if len(sides) == 1 else sides), "SET-5"


def check_new_player(player: Mapping[str, Any], cards: Cards) -> None:
    assert player["coal"] == cards.coal[0], "PREP-1"
    assert player["money"] == player["earned_today"] == 0, "SET-6"
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
    with_expansion = state["options"]["expansion"] is not None
    of_parts = state["display"]["part_packets"]
    of_employees = [state["display"]["employee_packets"][deck] for deck in state["decks"]["mix"][0]]
    for packets, sizes in (
        (of_parts, PACKETS[len(state["players"])]),
        (of_employees, (PACKETS_OF_SIX if with_expansion else PACKETS)[len(state["players"])]),
    ):
        assert packets == sorted(packets), "PREP-2, PREP-3: in the order in which they are laid"
        assert tuple(Counter(packets)[packet] for packet in range(len(sizes))) == sizes, "PREP-2, PREP-3, MC-5"


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
    check_parts(state, cards)
    check_employees(state, cards)
    names = [order for deck in state["decks"]["orders"].values() for order in deck]
    names += [order for order in state["offer"].values() if order is not None]
    for player in state["players"]:
        names += [order["order"] for order in (*player["orders"], *player["special_orders"]) if order is not None]
        names += player["completed"]
        assert min(player["coal"], player["money"]) >= 0
        assert 0 <= player["earned_today"] <= player["money"], "MC-3"
        assert not player["earned_today"] or state["phase"] not in ("draft", "run"), "MC-3: a day starts at 0"
        assert min(player["store_room"].values()) >= 0
        assert all(min(tile.values()) >= 0 for tile in player["belt"])
        assert all(0 <= space <= 9 for space in player["tracks"].values()), "FUL-5"
        assert all((player["tracks"][store] > 0) == (player["arrivals"][store] > 0) for store in STORES), "FUL-6"
        assert len(player["supplied"]) <= 2, "FUL-4, EMP-14"
        assert player["orders"].count(None) >= player["to_replace"]  # more only after CLEAN-4
    assert len(names) == len(set(names)) == 3 * ORDERS_OF_A_SIZE, "SET-3: no order is lost or doubled"
    arrivals = [number for player in state["players"] for number in player["arrivals"].values() if number]
    assert len(set(arrivals)) == len(arrivals), "FUL-6: every move takes a fresh place"


def check_parts(state: Mapping[str, Any], cards: Cards) -> None:
    """DRAFT-4, MC-1: no part lies in two places, and what left during setup stays away."""
    removed = state["decks"]["removed_parts"]
    number = 0 if state["options"]["expansion"] is None else REMOVED_PARTS
    assert {deck: len(parts) for deck, parts in removed.items()} == {"A": number, "B": number}, "MC-1"
    names = [part for parts in (*removed.values(), state["decks"]["parts"]) for part in parts]
    names += [part for part in state["display"]["parts"] if part is not None]
    for player in state["players"]:
        names += [part for part in player["factory"] if part is not None and cards.parts[part].deck != "printed"]
    assert len(set(names)) == len(names), "DRAFT-4, MC-1"
    to_come = [cards.parts[part].deck for part in state["decks"]["parts"]]
    assert to_come == sorted(to_come), "SET-2: A before B"
    assert len(to_come) == 2 * PARTS_OF_A_DECK - NEW_PARTS * state["day"], "SET-2"


def check_employees(state: Mapping[str, Any], cards: Cards) -> None:
    """PREP-3, MC-5: one of each deck leaves it each day; who has no store supplies none."""
    decks = employee_decks(state)
    for laid_out in (state["display"]["employees"], state["display"]["employee_packets"], state["decks"]["employees"]):
        assert set(laid_out) == set(decks), "SET-4, MC-5"
    for deck, number in decks.items():
        assert len(state["decks"]["employees"][deck]) == number - state["day"], "PREP-3, MC-5"
        shown = state["display"]["employees"][deck]
        assert shown is None or (cards.employees[shown].store or EXTRA) == deck, "SET-4, MC-5"
    for player in state["players"]:
        if player["employee"] is not None and cards.employees[player["employee"]].store is None:
            assert player["supplied"] == [], "MC-5"
