"""Generated decks of Chocolate Factory: draw cards by the weights in `data/generated.toml`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice, product
from pathlib import Path
from typing import Any, Final

from ...core.cards.deck import ABOUT
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
STAGE_OF: Final = {kind: stage for stage, kinds in KINDS_OF.items() for kind in kinds}
REFINED: Final = ("chunks", "fingers", "caramel", "nuts", "boxed")
KINDS: Final = ("bean", "cocoa", *REFINED)
TWINS: Final = (("chunks", "fingers"), ("caramel", "nuts"))
CLASSES: Final = {**KINDS_OF, "refined": REFINED, "any": KINDS}
WORTH: Final = {"bean": 1, "cocoa": 2, "chunks": 4, "fingers": 4, "caramel": 7, "nuts": 7, "boxed": 10}  # half pounds

# PART-2: the kinds of a symbol, and its worth: the least if an option takes it, and the most if it makes it
MEMBERS: Final = {kind: (kind,) for kind in KINDS} | CLASSES
WORTH_OF: Final = {
    "takes": {symbol: -min(map(WORTH.__getitem__, kinds)) for symbol, kinds in MEMBERS.items()},
    "makes": {symbol: max(map(WORTH.__getitem__, kinds)) for symbol, kinds in MEMBERS.items()},
}
IN_ORDER: Final = {symbol: place for place, symbol in enumerate(dict.fromkeys([*CLASSES, *KINDS]))}

# --- Parts

Symbols = list[str]
# PART-2: (taken, made), if what is made can be what was taken; a symbol for any kind may return it
BACK: Final = {
    (taken, made) for taken in MEMBERS for made in MEMBERS if made != "any" and {*MEMBERS[taken]} <= {*MEMBERS[made]}
}


def best_gain(part: Raw) -> int:
    return max([gain([option["takes"], option["makes"]]) for option in part["options"]])


def converters_drawn(draws: Draws, shares: Shares) -> Iterator[Raw]:
    """Draw cost and options of converters whose gain per coal is within bounds.

    Pieces are stages or classes, or single kinds of a stage. Of two options one makes a piece, and the other two such
    pieces of what is worth no less: the shape of all parts with two options that sources show, but for PART-8.1.
    """
    raw, (low, high) = draws.raw, (shares["gain"]["low"], shares["gain"]["high"])
    option_numbers, class_or_kind, costs = shares["options"].numbers, shares["class"].words, shares["cost"].numbers
    sides = [(shares[f"{side}_number"].ranges, shares[side].words) for side in WORTH_OF]
    (_, taken), (_, made) = sides

    def symbol(words: Sequence[str]) -> str:
        word = words[raw() * len(words) >> 32]
        kinds = KINDS_OF.get(word, (word,))
        if class_or_kind[raw() * len(class_or_kind) >> 32] == "class" and len(kinds) > 1:
            return word
        return kinds[raw() * len(kinds) >> 32]

    while True:
        if option_numbers[raw() * len(option_numbers) >> 32] == MAX_OPTIONS:
            cheap, dear = sorted([symbol(taken), symbol(taken)], key=WORTH_OF["takes"].__getitem__, reverse=True)
            result = symbol(made)
            options = [[[dear], [result] * 2], [[cheap], [result]]]
        else:
            options = [[[symbol(words) for _ in draws.one_of(numbers)] for numbers, words in sides]]
        cost = costs[raw() * len(costs) >> 32]
        coal = cost or 1
        gains = list(map(gain, options))
        if low * coal <= max(gains) <= high * coal and min(gains) > 0 and not any(map(returns, options)):
            in_order = [{"takes": ordered(takes), "makes": ordered(makes)} for takes, makes in options]
            if differ(in_order):
                yield {"function": "converter", "cost": cost, "options": in_order}


def gain(option: Sequence[Symbols]) -> int:
    """What the option gains in half pounds, if it takes the cheapest pieces and makes the dearest."""
    return sum([worth[symbol] for worth, side in zip(WORTH_OF.values(), option, strict=True) for symbol in side])


def returns(option: Sequence[Symbols]) -> bool:
    """Whether the option can return what it takes."""
    takes, makes = option
    return not BACK.isdisjoint(product(takes, makes))


def ordered(drawn: Symbols) -> Symbols:
    return sorted(drawn, key=IN_ORDER.__getitem__)


def differ(options: Sequence[Raw]) -> bool:
    takes = [option["takes"] for option in options]
    return len(takes) < MAX_OPTIONS or (takes[0] != takes[1] and len(options[1]["makes"]) <= MAX_SECOND_MAKES)


def draw_parts(draws: Draws, shares: Shares, shipped: Sequence[Raw]) -> list[Raw]:
    """PART-5, PART-6: each deck has one upgrader, one repeater and 13 converters.

    A converter like another is the last one drawn: `fault_of_parts` rejects it, whatever else there is.
    """
    step = {"cost": shares["parts"]["published_cost"]}
    parts = [varied(draws, part, step) if part["deck"] != "printed" else part for part in shipped if is_published(part)]
    known = [part["options"] for part in converters_of(parts)]
    for deck in ("A", "B"):
        own = shares[deck]
        drawn = [
            {"function": function, **{key: draws.number(own[function][key]) for key in ("cost", "amount")}}
            for function in ("upgrader", "repeater")
        ]
        there = sum(part["deck"] == deck for part in parts)
        for converter in islice(converters_drawn(draws, own), own["converters"] - there):
            drawn.append(converter)
            if converter["options"] in known:
                return parts + [{**part, "deck": deck} for part in drawn]  # unnamed, as the deck is a fault
            known.append(converter["options"])
        parts += [new_card(f"Part {deck}", number, deck=deck, **part) for number, part in enumerate(drawn, start=1)]
    return parts


def converters_of(parts: Sequence[Raw]) -> list[Raw]:
    return [part for part in parts if part["function"] == "converter" and part["deck"] != "printed"]


def fault_of_parts(parts: Sequence[Raw], shares: Shares, shipped: Sequence[Raw]) -> str:
    limits, converters = shares["parts"], converters_of(parts)
    *known, last = [part["options"] for part in converters]
    if last in known:
        return "two converters are alike"
    users = {side: users_of(converters, side) for side in ("takes", "makes")}
    if min(users["takes"][kind] for kind in KINDS) < limits["least_taken"]:
        return "a kind that hardly any converter takes"
    if min(users["makes"][kind] for kind in REFINED) < limits["least_made"]:
        return "a refined kind that hardly any converter makes"
    if any(apart(number) > limits["most_apart"] for number in users.values()):
        return "twin kinds that converters treat differently"
    a, b = (sum([best_gain(part) for part in converters if part["deck"] == deck]) for deck in ("A", "B"))
    return "" if 100 * b >= limits["least_b"] * a else "B parts no better than A parts"


def users_of(converters: Sequence[Raw], side: str) -> Counter[str]:
    """Count the converters that take, or make, each kind."""
    kinds = [
        {kind for option in part["options"] for symbol in option[side] for kind in MEMBERS[symbol]}
        for part in converters
    ]
    return Counter(chain.from_iterable(kinds))


def apart(number: Mapping[str, int]) -> int:
    return max([abs(number[one] - number[other]) for one, other in TWINS])


# --- Orders


def stages_drawn(draws: Draws, shares: Shares, size: int) -> Iterator[list[Raw]]:
    """Draw the stages of orders of this size. Some ask for a single kind, and for no less of it from stage to stage."""
    numbers_of = [numbers.numbers for numbers in shares["pieces"][size]]
    while True:
        numbers = [draws.one_of(numbers) for numbers in numbers_of]
        if draws.number(shares["single"][size]):
            kind = draws.one_of(KINDS_OF[draws.word(shares["single_kind"])])
            kinds = [[kind] * number for number in sorted(numbers)]
        else:
            stages = zip(numbers, shares["stages"][size], strict=True)
            kinds = [[draws.one_of(KINDS_OF[draws.word(of)]) for _ in range(number)] for number, of in stages]
        yield paid(draws, shares, kinds)


def paid(draws: Draws, shares: Shares, stages: Sequence[Symbols]) -> list[Raw]:
    """FUL-2: the stages of these pieces, each of which pays more than the one before."""
    drawn, least = [], 1
    for place, kinds in enumerate(stages):
        quarters = shares["more_pay"][place] + sum([shares["piece_pay"][STAGE_OF[kind]] for kind in kinds])
        pay = max(quarters // 4 + draws.number(shares["pay_step"]), least)
        pay = min(pay, MAX_ORDER_PAY - MAX_STAGES + place)
        drawn.append({"pieces": {kind: kinds.count(kind) for kind in REFINED if kind in kinds}, "pay": pay})
        least = pay + 1
    return drawn


def draw_orders(draws: Draws, shares: Shares, shipped: Sequence[Raw]) -> list[Raw]:
    """SET-3"""
    own = shares["orders"]
    kept = [order for order in shipped if order["id"] in own["keep"]]
    numbers = Counter(draws.sample(own["sizes"], own["any_size"]))
    orders: list[Raw] = []
    for name, size in SIZES.items():
        orders += [order for order in kept if order["size"] == name]
        end = len(orders) + own["least_of_a_size"] + numbers[name] - sum(order["size"] == name for order in kept)
        there = [pieces_of(order["stages"]) for order in orders]
        drawn = stages_drawn(draws, own, size)
        while len(orders) < end:
            stages = next(drawn)
            pieces = pieces_of(stages)
            if pieces not in there:
                there.append(pieces)
                orders.append(new_card("Order", len(orders) + 1, size=name, stages=stages))
    return orders


def pieces_of(stages: Sequence[Raw]) -> list[Raw]:
    """The number of pieces of each kind, by stage."""
    return [stage["pieces"] for stage in stages]


def fault_of_orders(orders: Sequence[Raw], shares: Shares, shipped: Sequence[Raw]) -> str:
    own = shares["orders"]
    if max(Counter([order["size"] for order in orders]).values()) > own["most_of_a_size"]:
        return "too many orders of a size"
    stages = stages_of(orders)
    if apart({kind: sum([stage["pieces"].get(kind, 0) for stage in stages]) for kind in REFINED}) > own["most_apart"]:
        return "twin kinds that orders treat differently"
    pays, usual = (sum([stage["pay"] for stage in stages_of(cards)]) for cards in (orders, shipped))
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
    return {key: value for key, value in card.items() if key not in ("id", *ABOUT)}


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
