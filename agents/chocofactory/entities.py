"""What the kind of network `sets` makes of an observation of Chocolate Factory: its entities and their columns."""

from __future__ import annotations

from typing import Final

import numpy as np

from chocofactory_env import Game
from chocofactory_env.games.chocofactory.vocabulary import (
    CHOCOLATE_ORDER_ENTRIES,
    EMPLOYEE_ENTRIES,
    MAX_STAGES,
    PART_ENTRIES,
    RULE_ENTRIES,
    Effect,
    Store,
    words_of,
)

from ..networks.entities import Entities, Sort
from ..networks.inputs import Columns, Reader, blank, joined, one_each, stacked
from .network import (
    BY_CARD,
    ENTITIES_OF_PLAYERS,
    FUNCTIONS,
    GROWS_WITH_PLAYERS,
    OTHER_ENTITIES,
    PATTERNS,
    PER_PLAYER,
    SPEAKS_OF,
    STAGES,
    SYMBOLS,
    functions_read_by,
)
from .worth import blocks_of, worth_of

FIRST_STORE: Final = EMPLOYEE_ENTRIES.index(words_of(Store)[0])


def entities_of(game: Game) -> Entities:
    layout = game.observation_layout
    computed = blocks_of(layout)
    read = Reader(layout, computed)
    sorts = {
        "slots": slots(read),
        "display": display(read),
        "task_part": task_part(read),
        "orders": orders(read),
        "stores": stores(read),
        "kinds": kinds(read),
        "tiles": tiles(read),
        "offers": offers(read),
    }
    if "chocolate_orders" in read:
        sorts["chocolate_orders"] = chocolate_orders(read)
        sorts["open_boxes"] = Sort(read.numbers("open_boxes"), "open_boxes")
    sorts["players"] = players(read)
    speaks_of = SPEAKS_OF | {verb: "stores" for verb, sort in SPEAKS_OF.items() if sort == "employees"}
    rest = [block.name for block in layout.blocks if block.name not in (*PER_PLAYER, *OTHER_ENTITIES)]
    alone = [read.numbers(read.places(name).ravel()) for name in rest]
    return Entities(
        sorts,
        [*alone, read.numbers(read.places("store_rooms")[0])],
        speaks_of,
        computed,
        worth_of(game),
        codes={"functions": functions_read_by("encoders.parts.0.weight")},
        free_axes=(*PER_PLAYER, *BY_CARD),
        free_highs=(GROWS_WITH_PLAYERS,),
    )


def part(read: Reader, at: np.ndarray) -> Columns:
    """Of places (..., F): cost and amount, its function, and of each option how many of each symbol."""
    names = list(PART_ENTRIES)
    cost, function, amount = (names.index(name) for name in ("cost", "function", "amount"))
    groups: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        if name.startswith("option"):
            groups.setdefault(name.rpartition(" ")[0], []).append(place)
    return joined(
        [
            read.numbers(at[..., [cost, amount]]),
            read.one_of(at[..., function], range(FUNCTIONS)),
            *(read.counts(at[..., places], range(1, SYMBOLS + 1), 0.5) for places in groups.values()),
        ]
    )


# The encoder of parts reads: the part, what lies on its tile, three flags, its packet, which slot it is, its worth in a
# slot and on display.


def slots(read: Reader) -> Sort:
    at = read.places("factories")  # (P, 8, F)
    count, tiles_there = at.shape[1], read.places("belts").shape[1]
    belts = np.tile(read.places("belts"), (1, count // tiles_there, 1))
    flags = np.stack([read.places(name) for name in ("operated", "assigned", "task_slot")], -1)
    worth, on_display = read.of_each("worth_of_slots"), size_of(read, "worth_of_display")
    own = joined([read.numbers(flags), blank(count, 1), one_each(count), worth, blank(count, on_display)])
    columns = joined([part(read, at), read.numbers(belts), own.of_own(len(at))])
    return Sort(columns, "parts", by_player=True, focus=read.places("task_slot"))


def display(read: Reader) -> Sort:
    packets = read.numbers(read.places("part_packets")[:, None])
    return Sort(loose_parts(read, "display_parts", packets, read.of_each("worth_of_display")), "parts")


def task_part(read: Reader) -> Sort:
    return Sort(loose_parts(read, "task_part", blank(1, 1), blank(1, size_of(read, "worth_of_display"))), "parts")


def loose_parts(read: Reader, name: str, packets: Columns, worth: Columns) -> Columns:
    """Of parts that are in no factory."""
    at = np.atleast_2d(read.places(name))
    count, slots_there = len(at), read.places("operated").size
    before, after = read.places("belts").shape[-1] + 3, slots_there + size_of(read, "worth_of_slots")
    return joined([part(read, at), blank(count, before), packets, blank(count, after), worth])


def size_of(read: Reader, name: str) -> int:
    """How many numbers a block has of each entity."""
    return int(read.places(name)[0].size)


def orders(read: Reader) -> Sort:
    at = read.places("orders")
    players, count = at.shape[:2]
    rooms = np.repeat(read.places("store_rooms")[:, None], count, 1)
    task = read.places("task_order")[:count]
    own = joined([read.numbers(task[:, None]), read.numbers("order_needs"), read.numbers("order_worth")])
    columns = [
        read.numbers(at.reshape(players, count, -1)),
        read.numbers("order_pay"),
        read.one_of(read.places("order_stage"), range(STAGES)),
        read.numbers(rooms),
        own.of_own(players),
    ]
    return Sort(joined(columns), "orders", by_player=True, focus=task)


def stores(read: Reader) -> Sort:
    rules = read.places("store_rules")
    count = len(rules)
    room = np.tile(read.places("store_rooms")[0], (count, 1))
    tracks = read.places("tracks")
    own = [tracks[0], read.places("arrivals")[0], read.places("supplied")[0], read.places("task_store")]
    employee = read.places("employees")[0]
    own += [employee[FIRST_STORE : FIRST_STORE + count], np.full(count, employee[int(Effect.DOUBLE_SUPPLY)])]
    if "steps_needed" in read:
        own.append(read.places("steps_needed"))
    packets = read.places("employee_packets")[:, None]
    employees = read.places("display_employees")
    of_store = [read.numbers(rules), read.one_of(rules[:, RULE_ENTRIES.index("pattern + 1")], range(PATTERNS))]
    if "new_rules" in read:
        of_store.append(read.numbers("new_rules"))
    of_store += [read.numbers(np.stack(own, -1)), one_each(count), read.numbers(room)]
    sort = joined([read.numbers(employees), read.numbers(packets), *of_store])
    if "extra_employee" in read:
        places = [read.places(f"extra_{name}").ravel() for name in ("employee", "packet")]
        extra = read.numbers(np.concatenate(places)[None])
        sort = stacked([sort, joined([extra, blank(1, sort.at.shape[1] - extra.at.shape[1])])])
    return Sort(sort, "stores", focus=read.places("task_store"))


def kinds(read: Reader) -> Sort:
    room = read.places("store_rooms")[0]
    count = len(room)
    given = read.places("task_given")
    belts = read.places("belts")[0].T  # (K, tiles)
    columns = [
        one_each(count),
        read.numbers(np.tile(room, (count, 1))),
        read.numbers(np.stack([room, given], -1)),
        read.numbers(belts),
        read.numbers("demand"),
        read.of_each("worth_of_kinds"),
    ]
    return Sort(joined(columns), "kinds")


def tiles(read: Reader) -> Sort:
    belt, task = read.places("belts")[0], read.places("task_tile")
    columns = [read.numbers(belt), read.numbers(task[:, None]), one_each(len(belt)), read.of_each("worth_of_tiles")]
    return Sort(joined(columns), "tiles", focus=task)


def offers(read: Reader) -> Sort:
    """Small, medium and large; their stages stand one after the other."""
    stages = np.concatenate([read.places("offer"), read.places("offer_pay")[:, None]], 1)
    rows = []
    for count in range(1, MAX_STAGES + 1):
        first = count * (count - 1) // 2
        own = read.numbers(stages[first : first + count].reshape(1, -1))
        rows.append(joined([own, blank(1, MAX_STAGES * stages.shape[1] - own.at.shape[1])]))
    return Sort(stacked(rows), "offers")


def players(read: Reader) -> Sort:
    names = [name for name in PER_PLAYER if name in read and name not in ENTITIES_OF_PLAYERS]
    return Sort(joined([read.of_each(name) for name in names]), "players")


def chocolate_orders(read: Reader) -> Sort:
    at = read.places("chocolate_orders")
    room = np.tile(read.places("store_rooms")[0], (len(at), 1))
    pattern = read.one_of(at[:, CHOCOLATE_ORDER_ENTRIES.index("pattern + 1")], range(PATTERNS))
    return Sort(joined([read.numbers(at), pattern, read.numbers(room)]), "chocolate_orders")
