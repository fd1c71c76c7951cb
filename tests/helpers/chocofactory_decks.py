"""Decks of `chocofactory` as parsed TOML: the shipped one, random ones within the schema, and edited ones."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from damaged_decks import Tables, tables_in, write

from chocofactory_env.games.chocofactory.cards import DATA, DATA_FILES, EXPANSION_FILES
from chocofactory_env.games.chocofactory.constants import MOST_COAL, NUM_DAYS, TRACK_END, Effect
from chocofactory_env.games.chocofactory.deck_schema import (
    AMOUNTS,
    EFFECTS,
    EFFECTS_AT_STORES,
    EMPLOYEES_PER_STORE,
    MANAGER_CARDS,
    MIN_DEMANDS,
    ORDER_SIZES,
    ORDERS,
    ORDERS_PER_SIZE,
    PARTS_PER_DECK,
    REFINED,
    SIZES,
    STORES,
    SYMBOLS,
    USES,
)

EXPANSION = "master_chocolatier"
SHIPPED: Final = tables_in(DATA, DATA_FILES)
EXPANDED: Final[Tables] = {**SHIPPED, EXPANSION: tables_in(DATA / EXPANSION, EXPANSION_FILES)}
CLASSES = {"bar": ("chunks", "fingers"), "wrapped": ("caramel", "nuts"), "refined": tuple(REFINED)}
PATTERNS = ("any_mix", "one_kind", "all_different", "one_stage")
NEW_PATTERNS = (*PATTERNS, "by_number", "in_order", "sets", "day_money", "other_store")


def chance_of(rng: random.Random, chance: float) -> bool:
    return rng.random() < chance


def parts_of_sum(rng: random.Random, total: int, parts: int) -> list[int]:
    """`parts` numbers of at least 1 that add up to `total`."""
    cuts = sorted(rng.sample(range(1, total), parts - 1))
    return [end - begin for begin, end in zip([0, *cuts], [*cuts, total], strict=True)]


def card(identifier: str, **fields: Any) -> dict[str, Any]:
    return {"id": identifier, "name": identifier, "source": "reconstructed", **fields}


def any_deck(rng: random.Random) -> Tables:
    """A random deck within the schema; few such decks exceed a high of the observation."""
    setup = card(
        "setup",
        packets={str(n): parts_of_sum(rng, 5, n) for n in (2, 3, 4)},
        store_prizes=[rng.randint(0, 99) for _ in range(3)],
        most_orders_prize=rng.randint(0, 99),
        variety_prizes=[rng.randint(0, 99) for _ in range(6)],
        kept_pieces={"several_players": rng.randint(0, 20), "solo": rng.randint(0, 20)},
    )
    tables = {
        "parts": [
            card("printed-0", deck="printed", **converter(rng)),
            card("printed-1", deck="printed", function="upgrader", cost=rng.randint(0, 9), amount=rng.randint(1, 5)),
            card("printed-2", deck="printed", function="chute"),
            *parts(rng, "A", PARTS_PER_DECK),
            *parts(rng, "B", PARTS_PER_DECK),
        ],
        "orders": orders(rng),
        "employees": [
            {**one, "store": store}
            for store in STORES
            for one in employees(rng, store, EMPLOYEES_PER_STORE, [*EFFECTS])
        ],
        "stores": [store_rule(rng, store, side, PATTERNS) for store in STORES for side in "AB"],
        **manager_cards(rng),
        "setup": [setup],
        EXPANSION: expansion(rng),
    }
    gifts = [
        one["amount"]
        for one in tables["employees"] + tables[EXPANSION]["employees"]
        if one["effect"] == "coal"
        for _ in range(one["count"])
    ]
    left = MOST_COAL - sum(sorted(gifts)[-NUM_DAYS:]) + (rng.randint(-2, 2) if chance_of(rng, 0.1) else 0)
    setup["coal"] = [part - 1 for part in parts_of_sum(rng, max(left, 0) + NUM_DAYS, NUM_DAYS)]
    return tables


def parts(rng: random.Random, name: str, number: int) -> list[dict[str, Any]]:
    return [card(f"part-{name.lower()}-{n}", deck=name, **part(rng)) for n in range(number)]


def part(rng: random.Random) -> dict[str, Any]:
    function = rng.choices(("converter", "upgrader", "repeater"), (8, 1, 1))[0]
    if function == "converter":
        return converter(rng)
    most = 5 if function == "upgrader" else 3
    return {"function": function, "cost": rng.choice((0, 0, 1, 9)), "amount": rng.randint(1, most)}


def converter(rng: random.Random) -> dict[str, Any]:
    options = [option(rng, 5)] + ([option(rng, 2)] if chance_of(rng, 0.5) else [])
    return {"function": "converter", "cost": rng.choice((0, 0, 1, 2, 9)), "options": options}


def option(rng: random.Random, most: int) -> dict[str, Any]:
    if chance_of(rng, 0.2):
        return {"moves": rng.choice([*SYMBOLS])}
    takes, makes = rng.randint(1, 2), rng.randint(1, most)
    return {"takes": rng.choices([*SYMBOLS], k=takes), "makes": rng.choices([*SYMBOLS], k=makes)}


def orders(rng: random.Random) -> list[dict[str, Any]]:
    sizes = [size for size in SIZES for _ in range(ORDERS_PER_SIZE)]
    sizes += rng.choices([*SIZES], k=ORDERS - len(sizes))
    return [card(f"order-{n}", size=size, stages=stages(rng, SIZES[size] + 1)) for n, size in enumerate(sizes)]


def stages(rng: random.Random, number: int) -> list[dict[str, Any]]:
    most = rng.choice((1, 3, 9))
    pays = sorted(rng.sample(range(1, 31), number))
    return [{"pieces": pieces(rng, rng.randint(1, most)), "pay": pay} for pay in pays]


def pieces(rng: random.Random, number: int) -> dict[str, int]:
    kinds = rng.choices([*REFINED], k=number)
    return {kind: kinds.count(kind) for kind in kinds}


def employees(rng: random.Random, deck_name: str, number: int, effects: list[str]) -> list[dict[str, Any]]:
    result = []
    while number:
        count = rng.randint(1, number)
        effect = rng.choice(effects)
        fields = {
            key: rng.randint(*limits[Effect(EFFECTS[effect])])
            for key, limits in (("amount", AMOUNTS), ("uses", USES))
            if EFFECTS[effect] in limits
        }
        result.append(card(f"employee-{deck_name}-{number}", effect=effect, count=count, **fields))
        number -= count
    return result


def accepted(rng: random.Random) -> list[str]:
    return rng.sample([*REFINED, *CLASSES], rng.randint(1, 3))


def kinds_of(symbols: list[str]) -> set[str]:
    return {kind for symbol in symbols for kind in CLASSES.get(symbol, (symbol,))}


def store_rule(rng: random.Random, store: str, side: str, patterns: tuple[str, ...]) -> dict[str, Any]:
    pattern = rng.choice(patterns)
    common = card(f"{store}-{side.lower()}", store=store, side=side, pattern=pattern)
    if pattern == "other_store":
        return common
    if pattern == "day_money":
        return {**common, "pounds": rng.randint(1, 30)}
    if pattern == "sets":
        groups = parts_of_sum(rng, len(REFINED), rng.randint(1, len(REFINED)))
        shuffled = iter(rng.sample([*REFINED], len(REFINED)))
        sets = [
            {"pieces": {next(shuffled): rng.randint(1, 3) for _ in range(group)}, "spaces": rng.randint(1, TRACK_END)}
            for group in groups
        ]
        return {**common, "sets": sets} | ({"most_of_a_set": rng.randint(1, 9)} if chance_of(rng, 0.5) else {})
    common["accepts"] = accepted(rng)
    kinds = kinds_of(common["accepts"])
    if pattern in ("by_number", "in_order"):
        numbers = [rng.randint(0, TRACK_END) for _ in range(rng.randint(1, len(kinds)))]
        return {**common, "spaces_by_number": [*numbers[:-1], rng.randint(1, TRACK_END)]}
    most = len(kinds) if pattern == "all_different" else 9
    per = rng.randint(1, min(most, 3))
    if chance_of(rng, 0.5):
        common["number"] = per * rng.randint(1, most // per)
    spaces = rng.randint(1, TRACK_END)
    return {
        **common,
        "per": per,
        "spaces": {"bar": spaces, "wrapped": 1, "boxed": 9} if pattern == "one_stage" else spaces,
    }


def manager_cards(rng: random.Random) -> Tables:
    targets = rng.randint(1, MANAGER_CARDS - MIN_DEMANDS)
    cards = [card(f"manager-{n}", **objectives(rng)) for n in range(MANAGER_CARDS)]
    for target in cards[:targets]:
        if chance_of(rng, 0.4):
            target["special_orders"] = dict.fromkeys(rng.sample([*SIZES], rng.randint(1, 3)), 1)
    return {"targets": cards[:targets], "demands": cards[targets:]}


def objectives(rng: random.Random) -> dict[str, Any]:
    asked: dict[str, Any] = {}
    which = rng.sample(("money", "orders", "stores", "any_stores", "chocolate_order"), rng.randint(1, 3))
    if "money" in which:
        asked["money"] = rng.randint(1, 20)
    if "orders" in which:
        asked["orders"] = dict.fromkeys(rng.sample([*ORDER_SIZES], rng.randint(1, 4)), 1)
    if "stores" in which:
        asked["stores"] = dict.fromkeys(rng.sample([*STORES], rng.randint(1, 5)), 1)
    elif "any_stores" in which:
        asked["any_stores"] = {"number": rng.randint(1, 5), "steps": rng.choice((1, 1, 2, 9))}
    if "chocolate_order" in which or not asked:
        pattern = rng.choice((*PATTERNS, "exact_mix"))
        asked["chocolate_order"] = {"pattern": pattern}
        if pattern == "exact_mix":
            asked["chocolate_order"]["pieces"] = pieces(rng, rng.randint(1, 9))
        else:
            symbols = accepted(rng)
            most = len(kinds_of(symbols)) if pattern == "all_different" else 9
            asked["chocolate_order"].update(accepts=symbols, number=rng.randint(1, most))
    return asked


def expansion(rng: random.Random) -> Tables:
    new_parts = rng.randint(0, 2)
    manifest = card(
        EXPANSION,
        new_parts=new_parts,
        employees=NUM_DAYS,
        sides=["C", "D"],
        most_money_sides=rng.randint(0, 5),
        employee_packets={str(n): parts_of_sum(rng, 6, n) for n in (2, 3, 4)},
    )
    effects = [effect for effect, number in EFFECTS.items() if number not in EFFECTS_AT_STORES]
    return {
        "expansion": [manifest],
        "parts": [{**one, "id": f"new-{one['id']}"} for name in "AB" for one in parts(rng, name, new_parts)],
        "employees": employees(rng, "new", NUM_DAYS, effects),
        "stores": [store_rule(rng, store, side, NEW_PATTERNS) for store in STORES for side in "CD"],
    }


# --- edited decks: the shipped one with other orders or manager cards

Stage = tuple[dict[str, int], int]


def order(identifier: str, *stages: Stage) -> dict[str, Any]:
    sizes = ("small", "medium", "large")
    return card(
        identifier, size=sizes[len(stages) - 1], stages=[{"pieces": pieces, "pay": pay} for pieces, pay in stages]
    )


def filler_orders(own: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """These orders, filled up to 18 of each size."""
    orders = list(own)
    for size, name in enumerate(("small", "medium", "large")):
        for number in range(18 - sum(order["size"] == name for order in own)):
            kinds = [[*REFINED][(number + stage) % 5] for stage in range(size + 1)]
            orders.append(order(f"filler-{name}-{number}", *((({kind: 1}), 3 + 2 * s) for s, kind in enumerate(kinds))))
    return orders


def repeated(name: str, cards: list[dict[str, Any]], number: int) -> list[dict[str, Any]]:
    return [{**cards[n % len(cards)], "id": f"{name}-{n}", "name": f"{name}-{n}"} for n in range(number)]


def write_deck(path: Path, **content: list[dict[str, Any]]) -> Path:
    """Write a deck file with these tables: `orders` filled up, `targets` and `demands` repeated up to 8 and 18."""
    fill: dict[str, Callable[[list[dict[str, Any]]], list[dict[str, Any]]]] = {
        "orders": filler_orders,
        "targets": lambda cards: repeated("target", cards, 8),
        "demands": lambda cards: repeated("demand", cards, 18),
    }
    return write(path, {name: fill[name](cards) for name, cards in content.items()})
