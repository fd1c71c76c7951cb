"""Card tables: read and check `data/*.toml`, and lay it out as one record, which compiled rules take as an argument."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from msgspec.structs import asdict, astuple

from ...core.cards.deck import CheckedDeck, about, and_of, check_ids, shipped
from ...core.cards.generated import read_deck
from ...core.records import Array, Array2, Record, field
from . import deck_schema
from .constants import (
    BASE_SIDES,
    EMPLOYEE_DECKS,
    LEAST_NEW_SIDES,
    MAX_BY_NUMBER,
    MAX_MAKES,
    MAX_OPTIONS,
    MAX_PLAYERS,
    MAX_STAGES,
    MAX_TAKES,
    NONE,
    NUM_DAYS,
    NUM_KINDS,
    NUM_SIDES,
    NUM_SIZES,
    NUM_STORES,
)
from .deck_schema import (
    EMPLOYEES_PER_STORE,
    PARTS_PER_DECK,
    BaseDeck,
    ByNumber,
    ChocolateOrder,
    DayMoney,
    Demand,
    ExpandedDeck,
    Expansion,
    Manifest,
    Packets,
    SetOfPieces,
    Sets,
    Setup,
    StoreRule,
    Target,
    check,
    check_coal,
    check_expansion,
    combined,
)
from .generated import GENERATOR

DATA = Path(__file__).with_name("data")
DATA_FILES = ("parts.toml", "orders.toml", "employees.toml", "stores.toml", "manager.toml", "setup.toml")
EXPANSION_FILES = ("manifest.toml", "parts.toml", "employees.toml", "stores.toml")  # in the expansion's folder
EXPANSIONS = tuple(sorted(path.parent.name for path in DATA.glob(f"*/{EXPANSION_FILES[0]}")))
NUMBERED = ("parts", "orders", "employees", "targets", "demands")

PRINTED_PARTS = 3  # parts 0-2 are the printed Roaster, Upgrader, and Chute (SET-7), in the order of their slots
MAX_PARTS = 40
MAX_ORDERS = 60
MAX_EMPLOYEES = NUM_STORES * EMPLOYEES_PER_STORE + NUM_DAYS  # SET-4, MC-5: if all differ
MAX_MANAGER_CARDS = 26


class Option(Record):
    num_takes: int = field("i1")
    takes: Array[int] = field("i1", MAX_TAKES)  # Symbols, ascending
    num_makes: int = field("i1")  # 0: the piece moves to another tile (MC-2)
    makes: Array[int] = field("i1", MAX_MAKES)  # Symbols, ascending


class Part(Record):
    deck: int = field("i1")  # Deck
    function: int = field("i1")  # Function
    cost: int = field("i1")  # coal
    amount: int = field("i1")  # upgrade points, or copies
    num_options: int = field("i1")
    options: Array[Option] = field(Option, MAX_OPTIONS)


class Stage(Record):
    pieces: Array[int] = field("i1", NUM_KINDS)
    number: int = field("i1")
    pay: int = field("i2")


class Order(Record):
    deck: int = field("i1")
    num_stages: int = field("i1")
    stages: Array[Stage] = field(Stage, MAX_STAGES)


class Employee(Record):
    """`store` is NONE in the expansion's deck (MC-5)."""

    store: int = field("i1")
    effect: int = field("i1")
    amount: int = field("i1")
    uses: int = field("i1")
    count: int = field("i1")


class Delivery(Record):
    kinds: int = field("i2")  # bit mask of the accepted kinds
    pattern: int = field("i1")  # Pattern
    number: int = field("i1")  # the exact number of pieces; 0: any number
    per: int = field("i1")  # pieces for one step of `spaces`; DAY_MONEY: pounds per space
    spaces: Array[int] = field("i1", NUM_KINDS)  # spaces for `per` pieces of a kind, or for a kind's set
    set_pieces: Array[int] = field("i1", NUM_KINDS)  # EXACT_MIX; SETS: pieces of a kind in its set
    first_of_set: Array[int] = field("i1", NUM_KINDS)  # the first kind of the same set; NONE: not accepted
    most_of_a_set: int = field("i1")  # 0: any number
    most_pieces: int = field("i1")  # above 0: the most pieces, and spaces depend on their number ...
    by_number: Array[int] = field("i1", MAX_BY_NUMBER)  # ... these, for 1, 2, 3 … pieces


class ManagerCard(Record):
    money: int = field("i2")  # pounds required, or added to the target
    orders: Array[int] = field("i1", NUM_SIZES + 1)  # completed orders of each size, and of any size
    steps: Array[int] = field("i1", NUM_STORES)  # steps at named stores
    open_boxes: int = field("i1")  # number of different stores of choice ...
    open_steps: int = field("i1")  # ... and steps at each
    order: Delivery = field(Delivery)  # chocolate order; none if its `number` is 0
    special: Array[int] = field("i1", NUM_SIZES)  # Special Orders of each size (SOLO-2)


class CardData(Record):
    employees: Array[Employee] = field(Employee, MAX_EMPLOYEES)
    parts: Array[Part] = field(Part, MAX_PARTS)
    stores: Array2[Delivery] = field(Delivery, NUM_STORES, NUM_SIDES)
    orders: Array[Order] = field(Order, MAX_ORDERS)
    coal: Array[int] = field("i1", NUM_DAYS)  # PREP-1
    packets: Array2[int] = field("i1", MAX_PLAYERS + 1, MAX_PLAYERS)  # PREP-2, by number of players
    store_prizes: Array[int] = field("i2", 3)  # END-3; score sheets show their sum
    most_orders_prize: int = field("i2")  # END-2
    variety_prizes: Array[int] = field("i2", NUM_STORES + 1)  # END-4, by number of stores supplied
    kept_pieces: Array[int] = field("i1", 2)  # CLEAN-2: with several players, and in the solo game
    # what an expansion changes
    expanded: int = field("i1")  # whether an expansion is in play, so that observations show its blocks
    part_deck_size: int = field("i1")  # of each deck; all but PARTS_PER_DECK of the cards leave the game (MC-1)
    employee_decks: int = field("i1")
    employee_packets: Array2[int] = field("i1", MAX_PLAYERS + 1, MAX_PLAYERS)  # PREP-3, MC-5
    num_sides: int = field("i1")
    least_new_sides: int = field("i1")  # drawn sides C and D (MC-7) ...
    most_money_sides: int = field("i1")  # ... and drawn sides that count the day's money (MC-3)
    targets: Array[ManagerCard] = field(ManagerCard, MAX_MANAGER_CARDS)
    demands: Array[ManagerCard] = field(ManagerCard, MAX_MANAGER_CARDS)
    num_parts: int = field("i2")
    num_orders: int = field("i2")
    num_employees: int = field("i2")
    num_targets: int = field("i2")
    num_demands: int = field("i2")


T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Cards(CheckedDeck):
    """A checked deck. Card numbers are indices of the id lists."""

    parts: tuple[str, ...]  # ids by number: printed, A, B, each in the file's order
    orders: tuple[str, ...]  # small, medium, large, each in the file's order
    employees: tuple[str, ...]
    stores: tuple[tuple[str, ...], ...]  # by store, then side; four sides with an expansion, else two
    targets: tuple[str, ...]
    demands: tuple[str, ...]


def load_cards(path: str | os.PathLike[str] | None = None, expansion: str | None = None) -> Cards:
    """Load the shipped deck, with tables replaced by the TOML file at `path` or by the generated deck of that name.

    expansion: one of EXPANSIONS, or None. Tables of the file under its name replace the expansion's; without the
        expansion they are checked on their own and not in play.

    Raises:
        DeckError: the file cannot be read, or the deck cannot be played.
        TypeError: `path` is not a path.
    """
    return GENERATOR.cards(Cards, CardData.dtype, read_cards, path, expansion)


def read_cards(path: str | os.PathLike[str] | None, expansion: str | None) -> Cards:
    """`load_cards`, reading files or drawing the deck anew."""
    base = shipped(BaseDeck, DATA, DATA_FILES)
    new = {name: shipped(Expansion, DATA / name, EXPANSION_FILES, name) for name in EXPANSIONS}
    if path is not None:
        given, file = read_deck(path, GENERATOR)
        for name in EXPANSIONS:
            if name in given:
                new[name] = new[name].replaced(given.pop(name), file)
        base = base.replaced(given, file)
    deck = base.checked(check)
    check_ids(base)
    expansions = {name: new[name].checked(partial(check_expansion, name)) for name in EXPANSIONS}
    if expansion is None:
        return build_cards(deck)
    check_ids(base, new[expansion])
    together = combined(deck, expansions[expansion])
    employees = and_of(source.files["employees"] for source in (base, new[expansion]))
    with replace(base, files={**base.files, "employees": employees}).placed():
        check_coal(together)
    return build_cards(together)


def build_cards(deck: BaseDeck) -> Cards:
    """Lay out a checked deck."""
    array = np.zeros(1, CardData.dtype)
    row, tables = array[0], asdict(deck)
    for name, values in (("parts", part_values), ("orders", order_values), ("employees", employee_values)):
        row[name][: len(tables[name])] = [values(card) for card in tables[name]]
    for name in ("targets", "demands"):
        for target, card in zip(row[name], tables[name], strict=False):
            fill_manager_card(target, card)
    for name in NUMBERED:
        row[f"num_{name}"] = len(tables[name])
    for rule in deck.stores:
        fill_delivery(row["stores"][rule.store, rule.side], rule)
    fill_setup(row, deck.setup[0])
    if isinstance(deck, ExpandedDeck):
        fill_expansion(row, deck.expansion[0])
    array.flags.writeable = False
    tables["stores"] = sorted(deck.stores, key=attrgetter("store", "side"))  # their order in the file numbers nothing
    ids: dict[str, Any] = {name: tuple(card.id for card in tables[name]) for name in NUMBERED}
    by_store = groupby(tables["stores"], key=attrgetter("store"))
    stores = tuple(tuple(rule.id for rule in rules) for _, rules in by_store)
    return Cards(array=array, **ids, stores=stores, **about(tables))


def part_values(part: deck_schema.Part) -> tuple[Any, ...]:
    """The fields of `Part`."""
    options = [
        (len(takes), padded(takes, MAX_TAKES, 0), len(makes), padded(makes, MAX_MAKES, 0))
        for takes, makes in ((option.takes or (), option.makes or ()) for option in part.options or ())
    ]
    no_option = (0, [0] * MAX_TAKES, 0, [0] * MAX_MAKES)
    rows = padded(options, MAX_OPTIONS, no_option)
    return part.deck, part.function, part.cost or 0, part.amount or 0, len(options), rows


def order_values(order: deck_schema.Order) -> tuple[Any, ...]:
    """The fields of `Order`."""
    stages = [(stage.pieces, sum(stage.pieces), stage.pay) for stage in order.stages]
    return order.size, len(stages), padded(stages, MAX_STAGES, ([0] * NUM_KINDS, 0, 0))


def employee_values(employee: deck_schema.Employee) -> tuple[int, ...]:
    """The fields of `Employee`."""
    return employee.store, employee.effect, employee.amount or 0, employee.uses or 0, employee.count


def padded(values: Sequence[T], most: int, empty: T) -> list[T]:
    return [*values, *[empty] * (most - len(values))]


def fill_delivery(row: np.void, delivery: StoreRule | ChocolateOrder) -> None:
    """Fill in a store's rule, or a chocolate order, which moves no marker: `per` 1 and no spaces."""
    row["pattern"] = delivery.pattern
    row["kinds"] = getattr(delivery, "accepts", 0)
    row["number"] = getattr(delivery, "number", 0)
    row["per"] = getattr(delivery, "per", 1)
    row["spaces"] = getattr(delivery, "spaces", 0)
    row["first_of_set"] = NONE
    if isinstance(delivery, ChocolateOrder) and delivery.pieces:
        fill_sets(row, [SetOfPieces(delivery.pieces, 0)], most=1)
    elif isinstance(delivery, Sets):
        fill_sets(row, delivery.sets, delivery.most_of_a_set)
    elif isinstance(delivery, DayMoney):
        row["per"] = delivery.pounds
    elif isinstance(delivery, ByNumber):
        spaces = delivery.spaces_by_number
        row["most_pieces"] = len(spaces)
        row["by_number"][: len(spaces)] = spaces


def fill_sets(row: np.void, sets: Sequence[SetOfPieces], most: int) -> None:
    row["most_of_a_set"] = most
    for one in sets:
        kinds = [kind for kind, number in enumerate(one.pieces) if number]
        for kind in kinds:
            row["kinds"] |= 1 << kind
            row["set_pieces"][kind] = one.pieces[kind]
            row["spaces"][kind] = one.spaces
            row["first_of_set"][kind] = kinds[0]


def fill_manager_card(row: np.void, card: Demand) -> None:
    row["money"] = card.money
    row["orders"] = card.orders
    row["steps"] = card.stores
    if card.any_stores:
        row["open_boxes"], row["open_steps"] = astuple(card.any_stores)
    if card.chocolate_order:
        fill_delivery(row["order"], card.chocolate_order)
    if isinstance(card, Target):
        row["special"] = card.special_orders


def fill_setup(row: np.void, setup: Setup) -> None:
    for key in ("coal", "store_prizes", "most_orders_prize", "variety_prizes"):
        row[key] = getattr(setup, key)
    for name in ("packets", "employee_packets"):  # PREP-3: the same sizes
        fill_packets(row[name], setup.packets)
    row["kept_pieces"] = astuple(setup.kept_pieces)
    row["part_deck_size"] = PARTS_PER_DECK
    row["employee_decks"] = NUM_STORES
    row["num_sides"] = BASE_SIDES
    row["most_money_sides"] = NUM_STORES


def fill_packets(row: np.ndarray, packets: Packets) -> None:
    """Write the sizes of packets by (players, packet)."""
    for sizes in astuple(packets):
        row[len(sizes)][: len(sizes)] = sizes


def fill_expansion(row: np.void, manifest: Manifest) -> None:
    row["expanded"] = 1
    row["part_deck_size"] = PARTS_PER_DECK + manifest.new_parts
    row["employee_decks"] = EMPLOYEE_DECKS
    fill_packets(row["employee_packets"], manifest.employee_packets)
    row["num_sides"] = NUM_SIDES
    row["least_new_sides"] = LEAST_NEW_SIDES
    row["most_money_sides"] = manifest.most_money_sides
