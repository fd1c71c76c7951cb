"""Card tables: `data/*.toml` read, checked, and laid out as one record that the compiled rules take as an argument."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from .constants import (
    MAX_MAKES,
    MAX_OPTIONS,
    MAX_PLAYERS,
    MAX_STAGES,
    MAX_TAKES,
    NUM_DAYS,
    NUM_KINDS,
    NUM_SIZES,
    NUM_STORES,
    Side,
    Store,
)
from .deck_check import DeckError, Place, Record
from .deck_schema import ABOUT, Tables, check_deck, check_tables

__all__ = ["CARDS", "Cards", "DeckError", "load_cards"]

DATA = Path(__file__).with_name("data")
DATA_FILES = ("parts.toml", "orders.toml", "employees.toml", "stores.toml", "manager.toml", "setup.toml")
NUMBERED = ("parts", "orders", "employees", "targets", "demands")

PRINTED_PARTS = 3  # part numbers 0-2: the printed Roaster, Upgrader and Chute (SET-7), in the order of their slots
MAX_PARTS = 40
MAX_ORDERS = 60
MAX_EMPLOYEES = 40
MAX_MANAGER_CARDS = 26

OPTION = np.dtype(
    [
        ("num_takes", "i1"),
        ("takes", "i1", MAX_TAKES),  # Symbols, ascending
        ("num_makes", "i1"),
        ("makes", "i1", MAX_MAKES),  # Symbols, ascending
    ]
)
PART = np.dtype(
    [
        ("deck", "i1"),  # Deck
        ("function", "i1"),  # Function
        ("cost", "i1"),  # coal
        ("amount", "i1"),  # upgrade points, or copies
        ("num_options", "i1"),
        ("options", OPTION, MAX_OPTIONS),
    ]
)
STAGE = np.dtype([("pieces", "i1", NUM_KINDS), ("number", "i1"), ("pay", "i2")])
ORDER = np.dtype([("deck", "i1"), ("num_stages", "i1"), ("stages", STAGE, MAX_STAGES)])
EMPLOYEE = np.dtype([("store", "i1"), ("effect", "i1"), ("amount", "i1"), ("uses", "i1"), ("count", "i1")])
DELIVERY = np.dtype(
    [
        ("kinds", "i2"),  # bit mask of the kinds that are accepted
        ("pattern", "i1"),  # Pattern
        ("number", "i1"),  # exactly so many pieces; 0: any number
        ("per", "i1"),  # pieces for one step of `spaces`
        ("spaces", "i1", NUM_KINDS),  # spaces for `per` pieces of a kind (the same for all kinds but under ONE_STAGE)
        ("mix", "i1", NUM_KINDS),  # EXACT_MIX
    ]
)
MANAGER_CARD = np.dtype(
    [
        ("money", "i2"),  # pounds that it asks for, or adds to the target
        ("orders", "i1", NUM_SIZES + 1),  # completed orders of each size, and of any size
        ("steps", "i1", NUM_STORES),  # steps of named stores
        ("open_boxes", "i1"),  # so many different stores of choice ...
        ("open_steps", "i1"),  # ... this many steps each
        ("order", DELIVERY),  # chocolate order; number 0: none
        ("special", "i1", NUM_SIZES),  # Special Orders of each size (SOLO-2)
    ]
)
CARDS = np.dtype(
    [
        ("num_parts", "i2"),
        ("parts", PART, MAX_PARTS),
        ("num_orders", "i2"),
        ("orders", ORDER, MAX_ORDERS),
        ("num_employees", "i2"),
        ("employees", EMPLOYEE, MAX_EMPLOYEES),
        ("stores", DELIVERY, (NUM_STORES, 2)),  # by side
        ("num_targets", "i2"),
        ("targets", MANAGER_CARD, MAX_MANAGER_CARDS),
        ("num_demands", "i2"),
        ("demands", MANAGER_CARD, MAX_MANAGER_CARDS),
        ("coal", "i1", NUM_DAYS),  # PREP-1
        ("packets", "i1", (MAX_PLAYERS + 1, MAX_PLAYERS)),  # PREP-2, by number of players
        ("store_prizes", "i1", 3),  # END-3
        ("most_orders_prize", "i1"),  # END-2
        ("variety_prizes", "i1", NUM_STORES + 1),  # END-4, by number of stores supplied
        ("kept_pieces", "i1", 2),  # CLEAN-2: in the game for several, in the solo game
    ]
)


@dataclass(frozen=True, eq=False)
class Cards:
    """A checked deck. Card numbers are places in the id lists; ids are unique over the whole deck.

    `hash` is the SHA-256 of everything that influences play: the contents and ids of all cards, in the order of their
    numbers (a deal from a seed depends on it). Names, provenance, notes, and how the files are written do not count.
    """

    array: np.ndarray  # (1,) CARDS, read-only: what compiled functions take
    parts: tuple[str, ...]  # ids by number: printed, A, B, each in the file's order
    orders: tuple[str, ...]  # small, medium, large, each in the file's order
    employees: tuple[str, ...]
    stores: tuple[tuple[str, ...], ...]  # by store, then side
    targets: tuple[str, ...]
    demands: tuple[str, ...]
    names: Mapping[str, str]  # id -> name
    sources: Mapping[str, str]  # id -> "rulebook" or "reconstructed"
    clauses: Mapping[str, str]  # id -> clause of the rules, or ""
    notes: Mapping[str, str]  # id -> note, or ""
    hash: str

    @cached_property
    def record(self) -> Any:
        """The tables as one record with attributes, uncompiled and compiled: `cards.record.parts[3].cost`."""
        return self.array.view(np.recarray)[0]


def load_cards(path: str | Path | None = None) -> Cards:
    """The shipped deck, or the TOML file at `path`, whose tables replace the shipped ones. Raises `DeckError`."""
    tables: Tables = {}
    files: dict[str, str] = {}
    sources = [DATA / name for name in DATA_FILES] + ([] if path is None else [Path(path)])
    for source in sources:
        content = check_tables(read_toml(source), source.name if source.parent == DATA else str(source))
        tables.update(content)
        files.update(dict.fromkeys(content, str(source)))
    check_deck(tables, files)
    return build_cards(tables)


def read_toml(path: Path) -> dict[str, Any]:
    place = Place(str(path))
    try:
        content = path.read_bytes()
    except OSError as error:
        raise place.error("a file that can be read", said=error.strerror or str(error)) from error
    except ValueError as error:  # a name that no file can have
        raise place.error("a file that can be read", said=str(error)) from error
    try:
        return tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise place.error("text in UTF-8", said=f"another byte at {error.start}") from error
    except (ValueError, RecursionError) as error:  # what tomllib raises for syntax, long numbers, deep nesting
        raise place.error("TOML", said=str(error)) from error


def build_cards(tables: Tables) -> Cards:
    """Lay out checked tables."""
    array = np.zeros(1, CARDS)
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
    array.flags.writeable = False
    cards = [card for table in tables.values() for card in table]
    about = {key: {card["id"]: card[key] for card in cards} for key in ABOUT}
    by_side = {(store["store"], store["side"]): store["id"] for store in tables["stores"]}
    return Cards(
        array=array,
        **{name: tuple(card["id"] for card in tables[name]) for name in NUMBERED},
        stores=tuple(tuple(by_side[store, side] for side in Side) for store in Store),
        names=about["name"],
        sources=about["source"],
        clauses=about["clause"],
        notes=about["note"],
        hash=hash_of(tables),
    )


def hash_of(tables: Tables) -> str:
    playing = {
        name: [{key: value for key, value in card.items() if key not in ABOUT} for card in table]
        for name, table in tables.items()
    }
    playing["stores"].sort(key=lambda store: (store["store"], store["side"]))  # not numbered by the file's order
    return hashlib.sha256(json.dumps(playing, sort_keys=True).encode()).hexdigest()


def fill_part(row: np.void, part: Record) -> None:
    for key in ("deck", "function", "cost", "amount"):
        row[key] = part.get(key, 0)
    options = part.get("options", ())
    row["num_options"] = len(options)
    for target, option in zip(row["options"], options, strict=False):
        for key in ("takes", "makes"):
            target[f"num_{key}"] = len(option[key])
            target[key][: len(option[key])] = option[key]


def fill_order(row: np.void, order: Record) -> None:
    row["deck"] = order["size"]  # NumPy has an attribute `size` of its own
    row["num_stages"] = len(order["stages"])
    for target, stage in zip(row["stages"], order["stages"], strict=False):
        target["pieces"] = stage["pieces"]
        target["number"] = sum(stage["pieces"])
        target["pay"] = stage["pay"]


def fill_employee(row: np.void, employee: Record) -> None:
    for key in ("store", "effect", "amount", "uses", "count"):
        row[key] = employee.get(key, 0)


def fill_delivery(row: np.void, delivery: Record) -> None:
    """A store's rule, or a chocolate order, which moves no marker: `per` 1 and no spaces."""
    row["kinds"] = delivery["accepts"]
    row["pattern"] = delivery["pattern"]
    row["number"] = delivery["number"]
    row["per"] = delivery.get("per", 1)
    row["spaces"] = delivery.get("spaces", 0)
    row["mix"] = delivery.get("pieces", 0)


def fill_manager_card(row: np.void, card: Record) -> None:
    row["money"] = card["money"]
    row["orders"] = card["orders"]
    row["steps"] = card["stores"]
    if card["any_stores"]:
        row["open_boxes"] = card["any_stores"]["number"]
        row["open_steps"] = card["any_stores"]["steps"]
    if card["chocolate_order"]:
        fill_delivery(row["order"], card["chocolate_order"])
    row["special"] = card.get("special_orders", 0)


def fill_setup(row: np.void, setup: Record) -> None:
    for key in ("coal", "store_prizes", "most_orders_prize", "variety_prizes"):
        row[key] = setup[key]
    for players, sizes in setup["packets"].items():
        row["packets"][int(players)][: len(sizes)] = sizes
    row["kept_pieces"] = [setup["kept_pieces"]["several_players"], setup["kept_pieces"]["solo"]]
