"""The oracle's own reader of the card files, and the words of the game: kinds, classes, stores, sizes."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from repository import ROOT

DATA = ROOT / "chocofactory_env" / "games" / "chocofactory" / "data"

KINDS = ("bean", "cocoa", "chunks", "fingers", "caramel", "nuts", "boxed")
REFINED = KINDS[2:]
CLASSES = {"bar": ("chunks", "fingers"), "wrapped": ("caramel", "nuts"), "refined": REFINED, "any": KINDS}
# PART-5: what one upgrade point makes of a kind.
NEXT_STAGE: dict[str, tuple[str, ...]] = {
    "bean": ("cocoa",),
    "cocoa": ("chunks", "fingers"),
    "chunks": ("caramel", "nuts"),
    "fingers": ("caramel", "nuts"),
    "caramel": ("boxed",),
    "nuts": ("boxed",),
    "boxed": (),
}
STORES = ("palace_boutique", "fresh_fancies", "salters_emporium", "house_of_luxury", "dunstan_gilberts")
SIZES = ("small", "medium", "large")
PART_DECKS = ("printed", "A", "B")
MASTER_CHOCOLATIER = "master_chocolatier"  # the expansion's name, and that of its folder
EXTRA = "extra"  # MC-5: what stands for a store where employees without one lie


def kinds_of(symbol: str) -> tuple[str, ...]:
    """PART-2: the kinds that an icon stands for."""
    return CLASSES.get(symbol, (symbol,))


@dataclass(frozen=True)
class Option:
    takes: tuple[str, ...]
    makes: tuple[str, ...]
    moves: str | None = None  # MC-2: what it carries to another tile; such an option takes and makes nothing


@dataclass(frozen=True)
class Part:
    deck: str  # "printed", "A" or "B"
    function: str
    cost: int
    amount: int  # upgrade points, or copies
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Stage:
    pieces: Counter[str]
    pay: int


@dataclass(frozen=True)
class Order:
    size: str
    stages: tuple[Stage, ...]


@dataclass(frozen=True)
class Employee:
    store: str | None  # MC-5: some have none
    effect: str
    amount: int
    uses: int
    count: int


@dataclass(frozen=True)
class ChocolateOrder:
    pattern: str
    kinds: tuple[str, ...]
    number: int
    mix: Counter[str]  # of an exact mix


@dataclass(frozen=True)
class ManagerCard:
    money: int
    orders: Counter[str]  # by size, or "any"
    steps: Counter[str]  # of named stores
    open_boxes: int  # so many different stores of choice ...
    open_steps: int  # ... this many steps each
    chocolate_order: ChocolateOrder | None
    special_orders: Counter[str]


@dataclass(frozen=True)
class Cards:
    """All cards by id, in the order of their numbers: as in the files, base before new, and parts deck by deck."""

    parts: dict[str, Part]
    orders: dict[str, Order]
    employees: dict[str, Employee]
    targets: dict[str, ManagerCard]
    demands: dict[str, ManagerCard]
    pounds: dict[str, int]  # MC-3: the money that a space costs on the side C of a store
    coal: tuple[int, ...]  # PREP-1, by day


def read_cards(expansion: str | None = None, own: Mapping[str, list[dict[str, Any]]] | None = None) -> Cards:
    """The shipped cards; with the expansion its own come after those of the base game. `own` tables replace shipped."""

    def records(file: str, table: str, *folders: Path) -> list[dict[str, Any]]:
        found = [tomllib.loads((folder / f"{file}.toml").read_text(encoding="utf-8"))[table] for folder in folders]
        if own is not None and table in own:
            found[0] = own[table]
        return [record for table in found for record in table]

    both = (DATA,) if expansion is None else (DATA, DATA / expansion)
    parts = sorted(records("parts", "parts", *both), key=lambda record: PART_DECKS.index(record["deck"]))
    return Cards(
        parts={record["id"]: read_part(record) for record in parts},
        orders={record["id"]: read_order(record) for record in records("orders", "orders", DATA)},
        employees={record["id"]: read_employee(record) for record in records("employees", "employees", *both)},
        targets={record["id"]: read_manager_card(record) for record in records("manager", "targets", DATA)},
        demands={record["id"]: read_manager_card(record) for record in records("manager", "demands", DATA)},
        pounds={
            record["store"]: record["pounds"] for record in records("stores", "stores", *both) if record["side"] == "C"
        },
        coal=tuple(records("setup", "setup", DATA)[0]["coal"]),
    )


def read_part(record: dict[str, Any]) -> Part:
    return Part(
        deck=record["deck"],
        function=record["function"],
        cost=record.get("cost", 0),
        amount=record.get("amount", 0),
        options=tuple(
            Option(tuple(option.get("takes", ())), tuple(option.get("makes", ())), option.get("moves"))
            for option in record.get("options", ())
        ),
    )


def read_order(record: dict[str, Any]) -> Order:
    return Order(record["size"], tuple(Stage(Counter(stage["pieces"]), stage["pay"]) for stage in record["stages"]))


def read_employee(record: dict[str, Any]) -> Employee:
    return Employee(
        store=record.get("store"),
        effect=record["effect"],
        amount=record.get("amount", 0),
        uses=record.get("uses", 0),
        count=record["count"],
    )


def read_manager_card(record: dict[str, Any]) -> ManagerCard:
    boxes = record.get("any_stores", {"number": 0, "steps": 0})
    return ManagerCard(
        money=record.get("money", 0),
        orders=Counter(record.get("orders", {})),
        steps=Counter(record.get("stores", {})),
        open_boxes=boxes["number"],
        open_steps=boxes["steps"],
        chocolate_order=read_chocolate_order(record.get("chocolate_order")),
        special_orders=Counter(record.get("special_orders", {})),
    )


def read_chocolate_order(record: dict[str, Any] | None) -> ChocolateOrder | None:
    if record is None:
        return None
    mix = Counter(record.get("pieces", {}))
    accepted = record.get("accepts", list(mix))
    return ChocolateOrder(
        pattern=record["pattern"],
        kinds=tuple(kind for kind in KINDS if any(kind in kinds_of(symbol) for symbol in accepted)),
        number=record.get("number", mix.total()),
        mix=mix,
    )
