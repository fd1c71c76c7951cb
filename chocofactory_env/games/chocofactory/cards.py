"""Card tables: read and check `data/*.toml`, and lay it out as one record, which compiled rules take as an argument."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...core.cards.checks import Card
from ...core.cards.deck import CheckedDeck, Tables, about, check_ids, hash_of, read_files, replace_tables
from ...core.cards.generated import read_deck
from ...core.records import Array, Array2, Record, field
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
    Pattern,
    Side,
    Store,
)
from .deck_schema import (
    CHECKS,
    EMPLOYEES_PER_STORE,
    EXPANSION_CHECKS,
    PARTS_PER_DECK,
    check_coal,
    check_deck,
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
    tables, files = read_shipped(DATA, DATA_FILES)
    new: dict[str, Tables] = {}
    new_files: dict[str, dict[str, str]] = {}
    for name in EXPANSIONS:
        new[name], new_files[name] = read_shipped(DATA / name, EXPANSION_FILES, name)
    if path is not None:
        file, given = read_deck(path, GENERATOR)
        for name in EXPANSIONS:
            if name in given:
                replace_tables(new[name], new_files[name], given.pop(name), file, EXPANSION_CHECKS, name)
        replace_tables(tables, files, given, file, CHECKS)
    check_deck(tables, files)
    check_ids((tables, files, ""))
    for name in EXPANSIONS:
        check_expansion(new[name], new_files[name], name)
    if expansion is None:
        return build_cards(tables)
    check_ids((tables, files, ""), (new[expansion], new_files[expansion], expansion))
    together = combined(tables, new[expansion])
    check_coal(together, files["setup"], files["employees"], new_files[expansion]["employees"])
    return build_cards(together, expansion)


def read_shipped(folder: Path, names: Sequence[str], expansion: str = "") -> tuple[Tables, dict[str, str]]:
    """Read the tables of the files, and map each table to its file."""
    return read_files(folder, names, EXPANSION_CHECKS if expansion else CHECKS, expansion)


def build_cards(tables: Tables, expansion: str | None = None) -> Cards:
    """Lay out checked tables."""
    array = np.zeros(1, CardData.dtype)
    row = array[0]
    for name, fill in (
        ("parts", fill_part),
        ("orders", fill_order),
        ("employees", fill_employee),
        ("targets", fill_manager_card),
        ("demands", fill_manager_card),
    ):
        row[f"num_{name}"] = len(tables[name])
        for number, card in enumerate(tables[name]):
            fill(row[name][number], card)
    for store in tables["stores"]:
        fill_delivery(row["stores"][store["store"], store["side"]], store)
    fill_setup(row, tables["setup"][0])
    if expansion is not None:
        fill_expansion(row, tables["expansion"][0])
    array.flags.writeable = False
    by_side = {(store["store"], store["side"]): store["id"] for store in tables["stores"]}
    ids: dict[str, Any] = {name: tuple(card["id"] for card in tables[name]) for name in NUMBERED}
    return Cards(
        array=array,
        **ids,
        stores=tuple(tuple(by_side[store, side] for side in Side if (store, side) in by_side) for store in Store),
        **about(tables),
        hash=hash_of(in_order_of_sides(tables)),
    )


def in_order_of_sides(tables: Tables) -> Tables:
    """Sort the stores by side: their order in the file does not number them."""
    return {**tables, "stores": sorted(tables["stores"], key=lambda store: (store["store"], store["side"]))}


def fill_part(row: np.void, part: Card) -> None:
    for key in ("deck", "function", "cost", "amount"):
        row[key] = part.get(key, 0)
    options = part.get("options", ())
    row["num_options"] = len(options)
    for target, option in zip(row["options"], options, strict=False):
        for key in ("takes", "makes"):
            target[f"num_{key}"] = len(option[key])
            target[key][: len(option[key])] = option[key]


def fill_order(row: np.void, order: Card) -> None:
    row["deck"] = order["size"]  # as an attribute, `size` is NumPy's own
    row["num_stages"] = len(order["stages"])
    for target, stage in zip(row["stages"], order["stages"], strict=False):
        target["pieces"] = stage["pieces"]
        target["number"] = sum(stage["pieces"])
        target["pay"] = stage["pay"]


def fill_employee(row: np.void, employee: Card) -> None:
    for key in ("store", "effect", "amount", "uses", "count"):
        row[key] = employee.get(key, 0)


def fill_delivery(row: np.void, delivery: Card) -> None:
    """Fill in a store's rule, or a chocolate order, which moves no marker: `per` 1 and no spaces."""
    row["kinds"] = delivery.get("accepts", 0)
    row["pattern"] = delivery["pattern"]
    row["number"] = delivery.get("number", 0)
    row["per"] = delivery.get("per", 1)
    row["spaces"] = delivery.get("spaces", 0)
    row["first_of_set"] = NONE
    if delivery["pattern"] == Pattern.EXACT_MIX:
        fill_sets(row, [{"pieces": delivery["pieces"], "spaces": 0}], most=1)
    elif delivery["pattern"] == Pattern.SETS:
        fill_sets(row, delivery["sets"], delivery["most_of_a_set"])
    elif delivery["pattern"] == Pattern.DAY_MONEY:
        row["per"] = delivery["pounds"]
    by_number = delivery.get("spaces_by_number", ())
    row["most_pieces"] = len(by_number)
    row["by_number"][: len(by_number)] = by_number


def fill_sets(row: np.void, sets: Sequence[Card], most: int) -> None:
    row["most_of_a_set"] = most
    for one in sets:
        kinds = [kind for kind, number in enumerate(one["pieces"]) if number]
        for kind in kinds:
            row["kinds"] |= 1 << kind
            row["set_pieces"][kind] = one["pieces"][kind]
            row["spaces"][kind] = one["spaces"]
            row["first_of_set"][kind] = kinds[0]


def fill_manager_card(row: np.void, card: Card) -> None:
    row["money"] = card["money"]
    row["orders"] = card["orders"]
    row["steps"] = card["stores"]
    if card["any_stores"]:
        row["open_boxes"] = card["any_stores"]["number"]
        row["open_steps"] = card["any_stores"]["steps"]
    if card["chocolate_order"]:
        fill_delivery(row["order"], card["chocolate_order"])
    row["special"] = card.get("special_orders", 0)


def fill_setup(row: np.void, setup: Card) -> None:
    for key in ("coal", "store_prizes", "most_orders_prize", "variety_prizes"):
        row[key] = setup[key]
    for name in ("packets", "employee_packets"):  # PREP-3: the same sizes
        fill_packets(row[name], setup["packets"])
    row["kept_pieces"] = [setup["kept_pieces"]["several_players"], setup["kept_pieces"]["solo"]]
    row["part_deck_size"] = PARTS_PER_DECK
    row["employee_decks"] = NUM_STORES
    row["num_sides"] = BASE_SIDES
    row["most_money_sides"] = NUM_STORES


def fill_packets(row: np.ndarray, packets: Mapping[str, Sequence[int]]) -> None:
    """Write the sizes of packets by (players, packet)."""
    for players, sizes in packets.items():
        row[int(players)][: len(sizes)] = sizes


def fill_expansion(row: np.void, manifest: Card) -> None:
    row["expanded"] = 1
    row["part_deck_size"] = PARTS_PER_DECK + manifest["new_parts"]
    row["employee_decks"] = EMPLOYEE_DECKS
    fill_packets(row["employee_packets"], manifest["employee_packets"])
    row["num_sides"] = NUM_SIDES
    row["least_new_sides"] = LEAST_NEW_SIDES
    row["most_money_sides"] = manifest["most_money_sides"]
