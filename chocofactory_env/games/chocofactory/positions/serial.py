"""Positions in the rulebook's words and back (`protocol.md`, "A state as data"), and actions in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ....core.positions import reading
from ....core.positions.reading import name_or_null, number_or_null
from ....core.text.words import words_of
from .. import kernel
from ..actions import ACTIONS
from ..cards import MAX_ORDERS, Cards
from ..constants import (
    DAILY_DEMANDS,
    DAYS_OF_A_DECK,
    DISPLAY,
    EMPLOYEE_DECKS,
    EXPANSION_DECK,
    MAX_DEMANDS,
    MAX_OPTIONS,
    MOST_MONEY,
    NONE,
    NUM_DAYS,
    NUM_SLOTS,
    NUM_TILES,
    ORDER_SLOTS,
    OWN_ORDERS,
    STORE_ROOM,
    TRACK_END,
    Kind,
    Phase,
    Side,
    Size,
    Store,
    Symbol,
    Task,
)
from ..state import EMPLOYEE_DECK_SIZES
from . import first_fault

if TYPE_CHECKING:
    from ..game import ChocolateFactory

__all__ = ["SCHEMA", "Reader", "describe", "first_fault", "read", "write"]  # see `core.positions.serial.Serial`

SCHEMA = 2  # 2 added the expansion


KINDS, STORES, SIZES, PHASES = words_of(Kind), words_of(Store), words_of(Size), words_of(Phase)
EMPLOYEE_DECK_NAMES = [*STORES, "extra"]  # by deck: the stores' decks, then the expansion's
SIDES = [side.name for side in Side]
SYMBOLS, TASKS = words_of(Symbol), words_of(Task)
_WITHOUT_ARGUMENT = {verb for verb, count in ACTIONS.verbs if count == 1}
_ARGUMENT_WORDS: dict[str, Sequence[str]] = {
    "draft_employee": EMPLOYEE_DECK_NAMES,
    "take": KINDS,
    "make": KINDS,
    "chute": KINDS,
    "trade": KINDS,
    "supply": STORES,
    "choose_order": SIZES,
}
_ARGUMENT_NOUNS = {"place_part": "slot", "operate": "slot", "assign": "slot", "fulfil": "order", "deliver": "card"}


def describe(action: int) -> str:
    """`operate slot 2`, `take caramel`, `end shift`."""
    verb, argument = ACTIONS.decode(action)
    text = verb.replace("_", " ")
    if verb in _WITHOUT_ARGUMENT:
        return text
    if verb in _ARGUMENT_WORDS:
        return f"{text} {_ARGUMENT_WORDS[verb][argument]}"
    noun = _ARGUMENT_NOUNS.get(verb)
    return f"{text} {noun} {argument}" if noun else f"{text} {argument}"


def most_difficulty(cards: Cards) -> int:
    """SOLO-1: the number of demands in the deck, less the first and the daily ones."""
    return min(len(cards.demands), MAX_DEMANDS) - 1 - DAILY_DEMANDS


# --- writing


def _cards(ids: Sequence[str], numbers: Iterable[int]) -> list[str | None]:
    return [name_or_null(ids, number) for number in numbers]


def _by(names: Sequence[str], values: Iterable[Any]) -> dict[str, Any]:
    return dict(zip(names, values, strict=False))


def _decks(cards: Cards) -> list[str]:
    """The employee decks in play."""
    return EMPLOYEE_DECK_NAMES[: cards.record.employee_decks]


def _part_decks(cards: Cards, days_dealt: int) -> tuple[list[int], list[int], list[int]]:
    """Places in `part_deck`: parts still to come, and parts that left the A deck and the B deck (MC-1)."""
    size = int(cards.record.part_deck_size)
    dealt = DAYS_OF_A_DECK * DISPLAY  # of each deck
    to_come = [*range(dealt), *range(size, size + dealt)][DISPLAY * days_dealt :]
    return to_come, list(range(dealt, size)), list(range(size + dealt, 2 * size))


def write(game: ChocolateFactory, state: np.void) -> dict[str, Any]:
    cards = game.cards
    decks = _decks(cards)
    day, phase = int(state["day"]), int(state["phase"])
    parts, removed_a, removed_b = (state["part_deck"][places].tolist() for places in _part_decks(cards, day + 1))
    return {
        "day": day + 1,
        "phase": PHASES[phase],
        "start_player": int(state["start_player"]),
        "turn": int(state["turn"]),
        "shift": int(state["shift"]),
        "current_player": number_or_null(int(state["current"])),
        "marker_moves": int(state["marker_moves"]),
        "sides": _by(STORES, (SIDES[side] for side in state["sides"])),
        "display": {
            "parts": _cards(cards.parts, state["display_parts"].tolist()),
            "employees": _by(decks, _cards(cards.employees, state["display_employees"].tolist())),
            "part_packets": [number_or_null(packet) for packet in state["part_packets"].tolist()],
            "employee_packets": _by(decks, (number_or_null(packet) for packet in state["employee_packets"].tolist())),
        },
        "decks": {
            "parts": _cards(cards.parts, parts),
            "removed_parts": {"A": _cards(cards.parts, removed_a), "B": _cards(cards.parts, removed_b)},
            "employees": _by(
                decks,
                (
                    _cards(cards.employees, deck[day + 1 : size].tolist())
                    for deck, size in zip(state["employee_decks"], EMPLOYEE_DECK_SIZES, strict=True)
                ),
            ),
            "mix": [_by_number(decks, order[: len(decks)]) for order in state["mix"].tolist()]
            if game.num_players > 1
            else [],
            "orders": _by(SIZES, (_order_deck(cards, deck) for deck in state["order_decks"])),
            "orders_seen": _by(SIZES, state["order_decks"]["returned"].tolist()),
        },
        "offer": _by(SIZES, _cards(cards.orders, state["offer"].tolist())),
        "players": [_player_to_dict(cards, player) for player in state["players"][: game.num_players]],
        "under_way": _task_to_dict(cards, state["task"]),
        **(_together_to_dict(game, state) if game.simultaneous else {}),
        "solo": _solo_to_dict(game, state) if game.num_players == 1 else None,
    }


def _by_number(names: Sequence[str], numbers: Iterable[int]) -> list[str]:
    return [names[number] for number in numbers]


def _order_deck(cards: Cards, deck: np.void) -> list[str]:
    places = (np.arange(deck["count"]) + deck["top"]) % MAX_ORDERS
    return _by_number(cards.orders, deck["cards"][places].tolist())


def _player_to_dict(cards: Cards, player: np.void) -> dict[str, Any]:
    orders = [
        None if order == NONE else {"order": cards.orders[order], "stage": stage}
        for order, stage in zip(player["orders"].tolist(), player["stage"].tolist(), strict=True)
    ]
    return {
        "coal": int(player["coal"]),
        "money": int(player["money"]),
        "earned_today": int(player["earned_today"]),
        "store_room": _by(KINDS, player["pieces"][STORE_ROOM].tolist()),
        "belt": [_by(KINDS, player["pieces"][tile].tolist()) for tile in range(NUM_TILES)],
        "factory": _cards(cards.parts, player["factory"].tolist()),
        "operated": np.flatnonzero(player["operated"]).tolist(),
        "assigned": number_or_null(int(player["assigned"])),
        "part_drafted": bool(player["part_drafted"]),
        "employee": name_or_null(cards.employees, int(player["employee"])),
        "uses_left": int(player["uses"]),
        "orders": orders[:OWN_ORDERS],
        "special_orders": orders[OWN_ORDERS:],
        "completed": [card for number, card in enumerate(cards.orders) if int(player["pile"]) >> number & 1],
        "special_completed": int(player["special_completed"]),
        "to_replace": int(player["to_replace"]),
        "tracks": _by(STORES, player["track"].tolist()),
        "arrivals": _by(STORES, player["arrival"].tolist()),
        "supplied": _by_number(STORES, np.flatnonzero(player["supplied"]).tolist()),
        "completed_by_size": _by(SIZES, player["completed"].tolist()),
    }


def _task_to_dict(cards: Cards, task: np.void) -> dict[str, Any] | None:
    kind = int(task["kind"])
    if kind == Task.NOTHING:
        return None
    return {
        "task": TASKS[kind],
        "part": name_or_null(cards.parts, int(task["card"])) if kind == Task.PLACE_PART else None,
        "card": number_or_null(int(task["card"])) if kind == Task.GIVE_CARD else None,
        **{name: number_or_null(int(task[name])) for name in ("slot", "tile", "option", "order")},
        "store": name_or_null(STORES, int(task["store"])),
        "rule_of": name_or_null(STORES, int(task["rule_of"])),
        "points": int(task["points"]),
        "last_take": name_or_null(KINDS, int(task["last_take"])),
        "last_make": name_or_null(KINDS, int(task["last_make"])),
        "left": int(task["left"]),
        "count": int(task["count"]),
        "open": _by(SYMBOLS, task["open"].tolist()),
        "given": _by(KINDS, task["given"].tolist()),
    }


def _together_to_dict(game: ChocolateFactory, state: np.void) -> dict[str, Any]:
    """SIM-1: which seats have ended the phase, and the tasks of the seats not being asked."""
    seats, finished = range(game.num_players), int(state["finished"])
    return {
        "together": {
            "finished": [seat for seat in seats if finished >> seat & 1],
            "shifts": state["shifts"][: game.num_players].tolist(),
            "under_way": [_task_to_dict(game.cards, task) for task in state["tasks"][: game.num_players]],
        }
    }


def _solo_to_dict(game: ChocolateFactory, state: np.void) -> dict[str, Any]:
    cards = game.cards
    return {
        "target": cards.targets[state["target"]],
        "demands": _by_number(cards.demands, state["demands"][: state["num_demands"]].tolist()),
        "face_up": int(state["face_up"]),
        "delivered": np.flatnonzero(state["delivered"]).tolist(),
        **({"paid": state["paid"].tolist()} if game.variant.only_completed else {}),
    }


# --- reading


class Reader(reading.Reader):
    # cards by number

    def part(self, cards: Cards) -> int:
        return self.index(cards.parts, "the id of a part")

    def employee(self, cards: Cards) -> int:
        return self.index(cards.employees, "the id of an employee")

    def order(self, cards: Cards) -> int:
        return self.index(cards.orders, "the id of an order")


_MOST = np.iinfo(np.int16).max
_MOST_OF_A_BYTE = np.iinfo(np.int8).max


def read(game: ChocolateFactory, read: Reader, states: np.ndarray) -> None:
    state, cards = states[0], game.cards
    _read_time(game, read, state)
    _read_display(cards, read["display"], state)
    _read_decks(cards, read["decks"], state)
    state["sides"] = [side.index(SIDES[: cards.record.num_sides]) for side in read["sides"].by(STORES)]
    state["offer"] = [order.optional(lambda r: r.order(cards)) for order in read["offer"].by(SIZES)]
    for player, row in zip(read["players"].items(game.num_players), state["players"], strict=False):
        _read_player(cards, player, row)
    _read_task(cards, read["under_way"], state["task"])
    if game.simultaneous:
        _read_together(game, read["together"], state)
    if game.num_players == 1:
        _read_solo(game, read["solo"], state)
        kernel.count_requirements(game.tables, states)


def _read_time(game: ChocolateFactory, read: Reader, state: np.void) -> None:
    seats = game.num_players - 1
    state["day"] = read["day"].integer(1, NUM_DAYS) - 1
    state["phase"] = read["phase"].index(PHASES)
    state["start_player"] = read["start_player"].integer(0, seats)
    state["turn"] = read["turn"].integer(0, 2 * game.num_players - 1)
    state["shift"] = read["shift"].integer(0, 9)
    state["current"] = read["current_player"].optional(lambda r: r.integer(0, seats))
    state["marker_moves"] = read["marker_moves"].integer(0, _MOST)
    current = read["current_player"]
    if (state["current"] == NONE) != (state["phase"] == Phase.OVER):
        raise current.error("a seat until the game is over, then null")


def _read_display(cards: Cards, read: Reader, state: np.void) -> None:
    state["display_parts"] = [part.optional(lambda r: r.part(cards)) for part in read["parts"].items(DISPLAY)]
    for place, packet in enumerate(read["part_packets"].items(DISPLAY)):
        state["part_packets"][place] = packet.optional(_packet)
    decks = _decks(cards)
    employees = zip(read["employees"].by(decks), read["employee_packets"].by(decks), strict=True)
    for deck, (employee, packet) in enumerate(employees):
        state["display_employees"][deck] = employee.optional(lambda r: r.employee(cards))
        state["employee_packets"][deck] = packet.optional(_extra_packet if deck == EXPANSION_DECK else _packet)


def _packet(read: Reader) -> int:
    return read.integer(0, DISPLAY - 1)


def _extra_packet(read: Reader) -> int:
    return read.integer(0, EXPANSION_DECK)


def _read_decks(cards: Cards, read: Reader, state: np.void) -> None:
    """Read the decks. Cards dealt earlier are not part of a position, so their places stay empty."""
    dealt = int(state["day"]) + 1
    removed = read["removed_parts"].by(("A", "B"))
    for pile, places in zip((read["parts"], *removed), _part_decks(cards, dealt), strict=True):
        state["part_deck"][places] = [part.part(cards) for part in pile.items(len(places))]
    decks = _decks(cards)
    for deck, row, size in zip(read["employees"].by(decks), state["employee_decks"], EMPLOYEE_DECK_SIZES, strict=False):
        row[dealt:size] = [employee.employee(cards) for employee in deck.items(size - dealt)]
    state["mix"] = range(EMPLOYEE_DECKS)
    for day, order in enumerate(read["mix"].items(NUM_DAYS if state["num_players"] > 1 else 0)):
        state["mix"][day, : len(decks)] = [deck.index(decks) for deck in order.items(len(decks))]
    for size, deck in enumerate(read["orders"].by(SIZES)):
        numbers = [order.order(cards) for order in deck.items(0, MAX_ORDERS)]
        row = state["order_decks"][size]
        row["cards"][: len(numbers)] = numbers
        row["count"] = len(numbers)
        row["returned"] = read["orders_seen"][SIZES[size]].integer(0, len(numbers))


def _read_player(cards: Cards, read: Reader, row: np.void) -> None:
    row["coal"] = read["coal"].integer(0, _MOST)
    row["money"] = read["money"].integer(0, _MOST)
    row["earned_today"] = read["earned_today"].integer(0, int(row["money"]))
    for place, pieces in enumerate([*read["belt"].items(NUM_TILES), read["store_room"]]):
        row["pieces"][place] = [number.integer(0, _MOST) for number in pieces.by(KINDS)]
    row["factory"] = [part.optional(lambda r: r.part(cards)) for part in read["factory"].items(NUM_SLOTS)]
    for slot in read["operated"].items(0, NUM_SLOTS):
        row["operated"][slot.integer(0, NUM_SLOTS - 1)] = 1
    row["assigned"] = read["assigned"].optional(lambda r: r.integer(0, NUM_SLOTS - 1))
    row["part_drafted"] = read["part_drafted"].value is True  # other values are refused later
    row["employee"] = read["employee"].optional(lambda r: r.employee(cards))
    row["uses"] = read["uses_left"].integer(0, 9)
    _read_orders(cards, read, row)
    row["track"] = [place.integer(0, TRACK_END) for place in read["tracks"].by(STORES)]
    row["arrival"] = [move.integer(0, _MOST) for move in read["arrivals"].by(STORES)]
    for store in read["supplied"].items(0, len(STORES)):
        row["supplied"][store.index(STORES)] = 1


def _read_orders(cards: Cards, read: Reader, row: np.void) -> None:
    places = [*read["orders"].items(OWN_ORDERS), *read["special_orders"].items(ORDER_SLOTS - OWN_ORDERS)]
    row["orders"] = NONE
    for place, order in enumerate(places):
        if order.value is not None:
            row["orders"][place] = order["order"].order(cards)
            stages = int(cards.array["orders"][0]["num_stages"][row["orders"][place]])
            row["stage"][place] = order["stage"].integer(0, stages - 1)
    pile = 0
    for order in read["completed"].items(0, MAX_ORDERS):
        pile |= 1 << order.order(cards)
    row["pile"] = pile
    row["completed"] = [number.integer(0, MAX_ORDERS) for number in read["completed_by_size"].by(SIZES)]
    row["special_completed"] = read["special_completed"].integer(0, ORDER_SLOTS - OWN_ORDERS)
    row["to_replace"] = read["to_replace"].integer(0, OWN_ORDERS)


def _read_task(cards: Cards, read: Reader, row: np.void) -> None:
    """Read `under_way`; `check_under_way` then checks which fields the move has, and their combination."""
    if read.value is None:
        return
    kind = read["task"].index(TASKS, "the name of a composite move")
    row["kind"] = kind
    for name, size in (("slot", NUM_SLOTS), ("tile", NUM_TILES), ("option", MAX_OPTIONS), ("order", ORDER_SLOTS)):
        row[name] = NONE if read[name].value is None else read[name].integer(0, size - 1)
    for name, tasks in (("store", (Task.GIVE_STORE, Task.BORROW)), ("rule_of", (Task.GIVE_STORE,))):
        if kind in tasks:
            row[name] = read[name].index(STORES)
        elif read[name].value is not None:
            raise read[name].error("null")
    if kind == Task.PLACE_PART:
        row["card"] = read["part"].part(cards)
    elif kind == Task.GIVE_CARD:
        row["card"] = read["card"].integer(0, MAX_DEMANDS)
    for name in ("last_take", "last_make"):
        row[name] = read[name].optional(lambda r: r.index(KINDS))
    for name in ("points", "left"):
        row[name] = read[name].integer(0, _MOST_OF_A_BYTE)
    row["count"] = read["count"].integer(0, _MOST)
    row["open"] = [number.integer(0, _MOST_OF_A_BYTE) for number in read["open"].by(SYMBOLS)]
    row["given"] = [number.integer(0, _MOST) for number in read["given"].by(KINDS)]


def _read_together(game: ChocolateFactory, read: Reader, state: np.void) -> None:
    players = game.num_players
    for seat in read["finished"].items(0, players):
        state["finished"] |= 1 << seat.integer(0, players - 1)
    state["shifts"][:players] = [shift.integer(0, 9) for shift in read["shifts"].items(players)]
    for task, row in zip(read["under_way"].items(players), state["tasks"], strict=False):
        _read_task(game.cards, task, row)


def _read_solo(game: ChocolateFactory, read: Reader, state: np.void) -> None:
    cards = game.cards
    number = 1 + game.variant.difficulty + DAILY_DEMANDS
    state["target"] = read["target"].index(cards.targets, "the id of a Weekly Target")
    state["num_demands"] = number
    state["demands"][:number] = [
        demand.index(cards.demands, "the id of a Demand") for demand in read["demands"].items(number)
    ]
    state["face_up"] = read["face_up"].integer(0, number)
    for card in read["delivered"].items(0, number + 1):
        state["delivered"][card.integer(0, number)] = 1
    if game.variant.only_completed:
        state["paid"] = [pounds.integer(0, MOST_MONEY) for pounds in read["paid"].items(ORDER_SLOTS)]
