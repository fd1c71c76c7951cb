"""Generated decks of Chocolate Factory: draw cards by the weights in `data/generated.toml`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from ...core.cards.generated import (
    Draws,
    Generator,
    Raw,
    Section,
    Shares,
    as_generated,
    is_published,
    new_card,
    varied,
)
from .constants import MAX_OPTIONS, MAX_STAGES, Effect
from .deck_schema import AMOUNTS, EFFECTS, MAX_ORDER_PAY, MAX_SECOND_MAKES, SIZES, USES

KINDS_OF: Final = {"bar": ("chunks", "fingers"), "wrapped": ("caramel", "nuts"), "boxed": ("boxed",)}
REFINED: Final = ("chunks", "fingers", "caramel", "nuts", "boxed")
KINDS: Final = ("bean", "cocoa", *REFINED)
TWINS: Final = (("chunks", "fingers"), ("caramel", "nuts"))
CLASSES: Final = {**KINDS_OF, "refined": REFINED, "any": KINDS}
WORTH: Final = {"bean": 1, "cocoa": 2, "chunks": 4, "fingers": 4, "caramel": 7, "nuts": 7, "boxed": 10}  # half pounds

# PART-2: the kinds that a symbol stands for, and the least and most of their worth
MEMBERS: Final = {kind: (kind,) for kind in KINDS} | CLASSES
LEAST: Final = {symbol: min(map(WORTH.__getitem__, kinds)) for symbol, kinds in MEMBERS.items()}
MOST: Final = {symbol: max(map(WORTH.__getitem__, kinds)) for symbol, kinds in MEMBERS.items()}
IN_ORDER: Final = {symbol: place for place, symbol in enumerate(dict.fromkeys([*CLASSES, *KINDS]))}

# --- Parts


def gain(option: Raw) -> int:
    """The gain of a use in half pounds, if it takes the cheapest pieces and makes the dearest."""
    return sum([MOST[symbol] for symbol in option["makes"]]) - sum([LEAST[symbol] for symbol in option["takes"]])


def best_gain(part: Raw) -> int:
    return max(map(gain, part["options"]))


def symbols(draws: Draws, numbers: list[int], words: list[str], class_or_kind: list[str]) -> list[str]:
    """Draw `takes` or `makes` of an option: stages or classes, or single kinds of a stage.

    Nine of ten are thrown away, so `Draws.one_of` is written out.
    """
    result, raw = [], draws.raw
    for _ in range(numbers[raw() * len(numbers) >> 32]):
        symbol = words[raw() * len(words) >> 32]
        kinds = KINDS_OF.get(symbol)
        if kinds is None:
            raw()  # for one kind
        elif class_or_kind[raw() * len(class_or_kind) >> 32] == "kind" or len(kinds) == 1:
            symbol = kinds[raw() * len(kinds) >> 32]
        result.append(symbol)
    return sorted(result, key=IN_ORDER.__getitem__) if len(result) > 1 else result


def converter(draws: Draws, shares: Shares) -> Raw:
    """Draw cost and options until the gain per coal is within bounds."""
    low, high = shares["gain"]["low"], shares["gain"]["high"]
    takes, makes = (
        (shares[f"{side}_number"].numbers, shares[side].words, shares["class"].words) for side in ("takes", "makes")
    )
    while True:
        options = [
            {"takes": symbols(draws, *takes), "makes": symbols(draws, *makes)}
            for _ in range(draws.number(shares["options"]))
        ]
        cost = draws.number(shares["cost"])
        coal = cost or 1
        if low * coal <= max(map(gain, options)) <= high * coal:
            options.sort(key=lambda option: -len(option["makes"]))
            if all(map(makes_sense, options)) and differ(options):
                return {"function": "converter", "cost": cost, "options": options}


def makes_sense(option: Raw) -> bool:
    """Whether the option gains something and cannot return what it takes, except by a symbol for any kind."""
    back = (
        set(MEMBERS[taken]) <= set(MEMBERS[made])
        for taken in option["takes"]
        for made in option["makes"]
        if made != "any"
    )
    return gain(option) > 0 and not any(back)


def differ(options: Sequence[Raw]) -> bool:
    takes = [option["takes"] for option in options]
    return len(takes) < MAX_OPTIONS or (takes[0] != takes[1] and len(options[1]["makes"]) <= MAX_SECOND_MAKES)


def draw_parts(draws: Draws, shares: Shares, shipped: Sequence[Raw]) -> list[Raw]:
    """PART-5, PART-6: each deck has one upgrader, one repeater and 13 converters."""
    step = {"cost": shares["parts"]["published_cost"]}
    parts = [varied(draws, part, step) if part["deck"] != "printed" else part for part in shipped if is_published(part)]
    known = [part["options"] for part in parts if part["deck"] != "printed" and "options" in part]
    for deck in ("A", "B"):
        own = shares[deck]
        drawn = [
            {"function": function, **{key: draws.number(own[function][key]) for key in ("cost", "amount")}}
            for function in ("upgrader", "repeater")
        ]
        there = sum(part["deck"] == deck for part in parts)
        for _ in range(own["converters"] - there):
            drawn.append(converter(draws, own))
            known.append(drawn[-1]["options"])
            if known[-1] in known[:-1]:  # a fault, whatever the rest is
                break
        parts += [new_card(f"Part {deck}", number, deck=deck, **part) for number, part in enumerate(drawn, start=1)]
        if known[-1] in known[:-1]:
            break
    return parts


def fault_of_parts(parts: Sequence[Raw], shares: Shares, shipped: Sequence[Raw]) -> str:
    limits = shares["parts"]
    by_deck = {
        deck: [part for part in parts if part["deck"] == deck and part["function"] == "converter"]
        for deck in ("A", "B")
    }
    converters = [part for deck in by_deck.values() for part in deck]
    if len({str(part["options"]) for part in converters}) < len(converters):
        return "two converters are alike"
    users = {side: users_of(converters, side) for side in ("takes", "makes")}
    if min(users["takes"][kind] for kind in KINDS) < limits["least_taken"]:
        return "a kind that hardly any converter takes"
    if min(users["makes"][kind] for kind in REFINED) < limits["least_made"]:
        return "a refined kind that hardly any converter makes"
    if any(apart(number) > limits["most_apart"] for number in users.values()):
        return "twin kinds that converters treat differently"
    a, b = (
        sum(100 * best_gain(part) // max(part["cost"], 1) for part in deck) // len(deck) for deck in by_deck.values()
    )
    return "" if 100 * b >= limits["least_b"] * a else "B parts no better than A parts"


def users_of(converters: Sequence[Raw], side: str) -> Counter[str]:
    """Count the converters that take, or make, each kind."""
    return Counter(
        kind
        for part in converters
        for kind in {kind for option in part["options"] for symbol in option[side] for kind in MEMBERS[symbol]}
    )


def apart(number: Counter[str]) -> int:
    return max(abs(number[one] - number[other]) for one, other in TWINS)


# --- Orders


def stage(draws: Draws, shares: Shares, size: int, place: int, least: int) -> Raw:
    one_of, stages = draws.one_of, shares["stages"][size][place].words
    drawn = [one_of(KINDS_OF[one_of(stages)]) for _ in range(draws.number(shares["pieces"][size][place]))]
    worth = sum([WORTH[kind] for kind in drawn]) // 2
    pay = worth + shares["more_pay"][place] + draws.number(shares["pay_step"])
    pieces = {kind: drawn.count(kind) for kind in REFINED if kind in drawn}
    return {"pieces": pieces, "pay": min(max(pay, least), MAX_ORDER_PAY - MAX_STAGES + place)}


def draw_orders(draws: Draws, shares: Shares, shipped: Sequence[Raw]) -> list[Raw]:
    """SET-3"""
    own = shares["orders"]
    kept = [order for order in shipped if order["id"] in own["keep"]]
    numbers = Counter(draws.sample(own["sizes"], own["any_size"]))
    orders: list[Raw] = []
    for name, size in SIZES.items():
        orders += [order for order in kept if order["size"] == name]
        end = len(orders) + own["least_of_a_size"] + numbers[name] - sum(order["size"] == name for order in kept)
        there = {pieces_of(order["stages"]) for order in orders}
        while len(orders) < end:
            stages: list[Raw] = []
            for place in range(size + 1):
                stages.append(stage(draws, own, size, place, 1 + (stages[-1]["pay"] if stages else 0)))
            pieces = pieces_of(stages)
            if pieces not in there:
                there.add(pieces)
                orders.append(new_card("Order", len(orders) + 1, size=name, stages=stages))
    return orders


def pieces_of(stages: Sequence[Raw]) -> tuple[tuple[int, ...], ...]:
    """The number of pieces of each refined kind, by stage."""
    return tuple(tuple(stage["pieces"].get(kind, 0) for kind in REFINED) for stage in stages)


def fault_of_orders(orders: Sequence[Raw], shares: Shares, shipped: Sequence[Raw]) -> str:
    own = shares["orders"]
    if max(Counter(order["size"] for order in orders).values()) > own["most_of_a_size"]:
        return "too many orders of a size"
    asked: Counter[str] = Counter()
    for stage in stages_of(orders):
        asked.update(stage["pieces"])
    if apart(asked) > own["most_apart"]:
        return "twin kinds that orders treat differently"
    pays, usual = (sum(stage["pay"] for stage in stages_of(cards)) for cards in (orders, shipped))
    return "" if within(pays, usual, own["pay_within"]) else "orders that pay too much or too little"


def stages_of(orders: Sequence[Raw]) -> list[Raw]:
    return [stage for order in orders for stage in order["stages"]]


def within(number: int, usual: int, percent: int) -> bool:
    return abs(number - usual) * 100 <= usual * percent


# --- Employees and the bookkeeping board


def draw_employees(draws: Draws, shares: Shares, shipped: Sequence[Raw]) -> list[Raw]:
    """Vary each employee's numbers within the range of its effect."""
    employees = []
    for employee in shipped:
        numbers = {}
        for key, limits in (("amount", AMOUNTS), ("uses", USES)):
            if key in employee:
                low, high = limits[Effect(EFFECTS[employee["effect"]])]
                numbers[key] = min(max(employee[key] + draws.number(shares["employees"][key]), low), high)
        employees.append(as_generated(employee, **numbers))
    return employees


def draw_setup(draws: Draws, shares: Shares, shipped: Sequence[Raw]) -> list[Raw]:
    """PREP-1: no day gives less coal than the day before."""
    (setup,) = shipped
    coal = sorted(number + draws.number(shares["setup"]["coal"]) for number in setup["coal"])
    return [as_generated(setup, coal=coal)]


def fault_of_setup(setups: Sequence[Raw], shares: Shares, shipped: Sequence[Raw]) -> str:
    return "too much coal" if sum(setups[0]["coal"]) > shares["setup"]["most_coal"] else ""


# --- The solo game


def work(card: Raw, pounds: Shares) -> int:
    """Estimate what a player gives up for the card, in pounds."""
    orders = {**card.get("orders", {})}
    special = {key: number * pounds["special"] for key, number in card.get("special_orders", {}).items()}
    any_stores = card.get("any_stores", {"number": 0, "steps": 0})
    chocolate = card.get("chocolate_order", {})
    pieces = chocolate.get("number", sum(chocolate.get("pieces", {}).values()))
    steps = sum(card.get("stores", {}).values()) + any_stores["number"] * any_stores["steps"]
    return int(
        card.get("money", 0)
        + sum(pounds[size] * number for size, number in orders.items())
        + sum(special.values())
        + steps * pounds["step"]
        + pieces * pounds["piece"]
    )


def solo_cards(table: str, kind: str) -> Section:
    def draw(draws: Draws, shares: Shares, shipped: Sequence[Raw]) -> list[Raw]:
        step = {"money": shares["solo"]["money_step"]}
        cards = [varied(draws, card, step) for card in shipped if is_published(card)]
        asked = [objectives(card) for card in cards]
        while len(cards) < len(shipped):
            drawn = draws.filled(shares[table]["cards"])
            if drawn not in asked:
                asked.append(drawn)
                cards.append(new_card(kind, len(cards) + 1, **drawn))
        return cards

    def fault(cards: Sequence[Raw], shares: Shares, shipped: Sequence[Raw]) -> str:
        asked, usual = (sum(work(card, shares["solo"]["work"]) for card in them) for them in (cards, shipped))
        return "" if within(asked, usual, shares["solo"]["within"]) else f"{table} that ask for too much or too little"

    return Section(draw, fault, file="manager")


def objectives(card: Raw) -> dict[str, Any]:
    return {key: value for key, value in card.items() if key not in ("id", "name", "source", "clause", "note")}


GENERATOR: Final = Generator(
    "chocofactory",
    Path(__file__).with_name("data"),
    f"{__package__}.cards",
    {
        "parts": Section(draw_parts, fault_of_parts),
        "orders": Section(draw_orders, fault_of_orders),
        "employees": Section(draw_employees),
        "setup": Section(draw_setup, fault_of_setup),
        "targets": solo_cards("targets", "Target"),
        "demands": solo_cards("demands", "Demand"),
    },
    options=("expansion",),
)
