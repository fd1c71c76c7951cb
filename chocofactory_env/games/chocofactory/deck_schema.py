"""The schema of a deck: the fields of every table, and what the rules fix about the deck as a whole.

`check_tables` turns parsed TOML into dictionaries of numbers, one list per table in the order of card numbers. Words
become the numbers of `constants.py`, absent fields get their defaults, and lists without a meaningful order are
sorted. `check_deck` then checks the tables against each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from heapq import nlargest
from typing import Any

from ...core.cards.checks import (
    Card,
    Check,
    Field,
    Fields,
    Place,
    ascending,
    integer,
    numbers,
    numbers_of,
    optional,
    sequence,
    table,
    tagged,
    word,
)
from ...core.cards.deck import (
    COMMON,
    TableCheck,
    TableChecks,
    Tables,
    and_of,
    check_complete,
    check_provenance,
    check_single,
    full_name,
)
from .constants import (
    BASE_SIDES,
    DAILY_DEMANDS,
    DISPLAY,
    EMPLOYEE_DECKS,
    LEAST_NEW_SIDES,
    MAX_BY_NUMBER,
    MAX_DEMANDS,
    MAX_MAKES,
    MAX_OPTIONS,
    MAX_PLAYERS,
    MAX_STAGES,
    MAX_TAKES,
    MOST_COAL,
    MOST_MONEY,
    MOST_ORDERS,
    MOST_PIECES,
    MOST_STEPS,
    NONE,
    NUM_DAYS,
    NUM_STORES,
    OWN_ORDERS,
    REFINED_KINDS,
    SPECIAL_ORDERS,
    STAGE_OF_REFINEMENT,
    SYMBOL_KINDS,
    TRACK_END,
    Deck,
    Effect,
    Function,
    Kind,
    Pattern,
    Side,
    Size,
    Store,
    Symbol,
)
from .part_functions import BY_OPTIONS, PART_FUNCTIONS, PartFunction

PRINTED_FUNCTIONS = (Function.CONVERTER, Function.UPGRADER, Function.CHUTE)  # SET-7, by slot
PARTS_PER_DECK = NUM_DAYS // 2 * DISPLAY  # SET-2
ORDERS = 54  # SET-3
ORDERS_PER_SIZE = MAX_PLAYERS * OWN_ORDERS  # players can hold this many orders of one size
EMPLOYEES_PER_STORE = 7  # SET-4
MANAGER_CARDS = 26  # SOLO-1
MIN_DEMANDS = 1 + DAILY_DEMANDS  # SOLO-1
MAX_NEW_PARTS = 2  # MC-1

# The largest values in a deck. Record widths and observation blocks depend on them.
MAX_COST = 9
MAX_SECOND_MAKES = 2  # observations show this many products of a second option
MAX_AMOUNT = 9
MAX_USES = 9
MAX_STAGE_PIECES = 9
MAX_ORDER_PAY = 30
MAX_SPACES = TRACK_END
MAX_DELIVERY = 9  # pieces of a chocolate order, or of a delivery with a fixed number
MAX_POUNDS = 30  # per space
MAX_PRIZE = 99

KINDS = numbers_of(Kind)
SYMBOLS = numbers_of(Symbol)
STORES = numbers_of(Store)
SIZES = numbers_of(Size)
ORDER_SIZES = {**SIZES, "any": len(SIZES)}  # of an order target
EFFECTS = numbers_of(Effect)
PATTERNS = numbers_of(Pattern)
FUNCTIONS = {key: number for key, number in numbers_of(Function).items() if number != Function.NOTHING}
DECKS = {"printed": int(Deck.PRINTED), "A": int(Deck.A), "B": int(Deck.B)}
SIDES = {side.name: int(side) for side in Side if side < BASE_SIDES}
EXPANSION_SIDES = {side.name: int(side) for side in Side if side >= BASE_SIDES}
REFINED = {key: kind for key, kind in KINDS.items() if REFINED_KINDS >> kind & 1}
REFINED_SYMBOLS = {key: symbol for key, symbol in SYMBOLS.items() if SYMBOL_KINDS[symbol] & ~REFINED_KINDS == 0}
REFINED_STAGES = {"bar": 2, "wrapped": 3, "boxed": 4}  # as in `STAGE_OF_REFINEMENT`
# --- Parts ---

CONVERTS = table(
    {
        "takes": Field(ascending(sequence(word(SYMBOLS), 1, MAX_TAKES))),
        "makes": Field(ascending(sequence(word(SYMBOLS), 1, MAX_MAKES))),
    }
)
MOVES = table({"moves": Field(word(SYMBOLS))})
COST = Field(integer(0, MAX_COST))


def option_of_part(value: Any, place: Place) -> Card:
    """An option that moves a piece to another tile (MC-2) takes it and makes nothing."""
    if isinstance(value, dict) and "moves" in value:
        return {"takes": [MOVES(value, place)["moves"]], "makes": []}
    converts: Card = CONVERTS(value, place)
    return converts


def options_of_part(value: Any, place: Place) -> list[Card]:
    options: list[Card] = sequence(option_of_part, 1, MAX_OPTIONS)(value, place)
    for index, option in enumerate(options[1:], start=1):
        if len(option["makes"]) > MAX_SECOND_MAKES:
            expected = f"at most {MAX_SECOND_MAKES} pieces of a second option (the one that makes more comes first)"
            raise place.at(index).at("makes").error(expected, len(option["makes"]))
    return options


def fields_of_function(function: PartFunction) -> Fields:
    fields = {"cost": COST} if function.costs else {}
    if function.words == BY_OPTIONS:
        fields["options"] = Field(options_of_part)
    if function.most:
        fields["amount"] = Field(integer(1, function.most))
    return fields


PART = tagged(
    "function",
    FUNCTIONS,
    {**COMMON, "deck": Field(word(DECKS))},
    {key: fields_of_function(PART_FUNCTIONS[Function(function)]) for key, function in FUNCTIONS.items()},
    check_provenance,
)

# --- Orders ---


def check_pieces(stage: Card, place: Place) -> None:
    if sum(stage["pieces"]) > MAX_STAGE_PIECES:
        raise place.at("pieces").error(f"at most {MAX_STAGE_PIECES} pieces in all", sum(stage["pieces"]))


def check_stages(order: Card, place: Place) -> None:
    """SET-3, FUL-2: the size gives the number of stages; each is worth more than the one before."""
    stages = order["stages"]
    if len(stages) != order["size"] + 1:
        size = Size(order["size"]).name.lower()
        raise place.at("stages").error(f"{order['size'] + 1} for a {size} order", len(stages))
    for index in range(1, len(stages)):
        before = stages[index - 1]["pay"]
        if stages[index]["pay"] <= before:
            where = place.at("stages").at(index).at("pay")
            raise where.error(f"more than the {before} of the stage before", stages[index]["pay"])


STAGE = table(
    {"pieces": Field(numbers(REFINED, 1, MAX_STAGE_PIECES)), "pay": Field(integer(1, MAX_ORDER_PAY))}, check_pieces
)
ORDER = table(
    {**COMMON, "size": Field(word(SIZES)), "stages": Field(sequence(STAGE, 1, MAX_STAGES))},
    check_provenance,
    check_stages,
)

# --- Employees ---

# Ranges of `amount` and `uses`, for the effects that have them. One extra shift at most: positions name four.
AMOUNTS = {
    Effect.DOUBLE_SUPPLY: (2, 3),
    Effect.COAL: (1, MAX_AMOUNT),
    Effect.STAGE_PAY: (1, MAX_AMOUNT),
    Effect.UPGRADE_PIECE: (1, 1),
    Effect.MORE_SHIFTS: (1, 1),
    Effect.MORE_BEANS: (1, 4),
    Effect.REACH: (1, MAX_COST),
}
USES = {
    Effect.MOVE_PIECE: (1, MAX_USES),
    Effect.SKIP_STAGE: (1, MAX_USES),
    Effect.UPGRADE_PIECE: (1, MAX_USES),
    Effect.HALF_COST: (1, 1),  # DRAFT-5, EMP-17: assigned once
    Effect.ANY_PIECES: (1, MAX_USES),
    Effect.FEWER_PIECES: (1, MAX_USES),
    Effect.OTHER_STORE: (1, 1),
    Effect.DOUBLE_TILE: (1, 1),  # sixteen bits hold one doubling of a tile per day
    Effect.REACH: (1, 1),
}


def fields_of_effect(effect: int) -> Fields:
    fields = {}
    for key, limits in (("amount", AMOUNTS), ("uses", USES)):
        if effect in limits:
            fields[key] = Field(integer(*limits[Effect(effect)]))
    return fields


BY_EFFECT = {key: fields_of_effect(effect) for key, effect in EFFECTS.items()}
EMPLOYEE = tagged(
    "effect",
    EFFECTS,
    {**COMMON, "store": Field(word(STORES)), "count": Field(integer(1, EMPLOYEES_PER_STORE))},
    BY_EFFECT,
    check_provenance,
)
EFFECTS_AT_STORES = (Effect.DOUBLE_SUPPLY, Effect.OTHER_STORE)  # not for employees without a store (MC-5)
NEW_EMPLOYEE = tagged(
    "effect",
    EFFECTS,
    {**COMMON, "count": Field(integer(1, NUM_DAYS))},
    {key: fields for key, fields in BY_EFFECT.items() if EFFECTS[key] not in EFFECTS_AT_STORES},
    check_provenance,
)

# --- Deliveries: rules of stores, and chocolate orders ---


def accepted(symbols: Check) -> Check:
    """A list of symbols, returned as a bit mask of their kinds."""

    def check(value: Any, place: Place) -> int:
        kinds = 0
        for symbol in symbols(value, place):
            kinds |= int(SYMBOL_KINDS[symbol])
        return kinds

    return check


def spaces_by_stage(value: Any, place: Place) -> list[int]:
    """Spaces by stage of refinement, returned as spaces by kind."""
    stages = numbers(REFINED_STAGES, 1, MAX_SPACES)(value, place)
    return [stages[stage] for stage in STAGE_OF_REFINEMENT]


def spaces_for_all(value: Any, place: Place) -> list[int]:
    return [integer(1, MAX_SPACES)(value, place)] * len(Kind)


def kinds_in(mask: int) -> list[int]:
    return [kind for kind in Kind if mask >> kind & 1]


def spaces_by_number(value: Any, place: Place) -> list[int]:
    """Spaces for a delivery of 1, 2, 3 … pieces; 0 for a number that is no delivery."""
    spaces: list[int] = sequence(integer(0, MAX_SPACES), 1, MAX_BY_NUMBER)(value, place)
    if spaces[-1] == 0:
        raise place.at(len(spaces) - 1).error("the last number to move the marker", 0)
    return spaces


SET = table({"pieces": Field(numbers(REFINED, 1, MAX_DELIVERY)), "spaces": Field(integer(1, MAX_SPACES))})


def sets_of_kinds(value: Any, place: Place) -> list[Card]:
    """Sets that share no kind, so that a piece identifies its set."""
    sets: list[Card] = sequence(SET, 1, len(REFINED))(value, place)
    seen: set[int] = set()
    for index, one in enumerate(sets):
        kinds = {kind for kind, number in enumerate(one["pieces"]) if number}
        if kinds & seen:
            shared = ", ".join(Kind(kind).name.lower() for kind in sorted(kinds & seen))
            raise place.at(index).at("pieces").error("kinds that are in no earlier set", found=shared)
        seen |= kinds
    return sets


def check_delivery(delivery: Card, place: Place) -> None:
    """Some delivery fits, and every accepted piece can be used."""
    if delivery["pattern"] in (Pattern.ALL_DIFFERENT, Pattern.IN_ORDER):
        kinds = len(kinds_in(delivery["accepts"]))
        for key in ("number", "per"):
            if delivery.get(key, 0) > kinds:
                raise place.at(key).error(f"at most the {kinds} different kinds accepted", delivery[key])
        if len(delivery.get("spaces_by_number", [])) > kinds:
            where = place.at("spaces_by_number")
            raise where.error(f"at most {kinds} entries, one for each kind accepted", delivery["spaces_by_number"])


def check_store(store: Card, place: Place) -> None:
    check_delivery(store, place)
    if "spaces" not in store:
        return
    if store["number"] % store["per"]:
        raise place.at("number").error(f"a multiple of `per`, which is {store['per']}", store["number"])
    for kind in kinds_in(store["accepts"]):
        if store["spaces"][kind] == 0:
            raise place.at("spaces").error(f"an entry for {Kind(kind).name.lower()}, which is accepted", found="none")


def check_chocolate_order(order: Card, place: Place) -> None:
    check_delivery(order, place)
    if order["pattern"] == Pattern.EXACT_MIX:
        order["number"] = sum(order["pieces"])
        order["accepts"] = sum(1 << kind for kind, number in enumerate(order["pieces"]) if number)
        if order["number"] > MAX_DELIVERY:
            raise place.at("pieces").error(f"at most {MAX_DELIVERY} pieces in all", order["number"])


ACCEPTS = Field(accepted(sequence(word(REFINED_SYMBOLS), 1, len(REFINED_SYMBOLS))))
NUMBER = Field(integer(1, MAX_DELIVERY))
OF_ACCEPTED = ("any_mix", "one_kind", "all_different", "one_stage")
PER_PIECES: Fields = {
    "accepts": ACCEPTS,
    "number": optional(NUMBER.check, 0),
    "per": optional(integer(1, MAX_DELIVERY), 1),
    "spaces": Field(spaces_for_all),
}
BY_NUMBER: Fields = {"accepts": ACCEPTS, "spaces_by_number": Field(spaces_by_number)}
BASE_PATTERNS: Mapping[str, Fields] = {
    **dict.fromkeys(OF_ACCEPTED, PER_PIECES),
    "one_stage": {**PER_PIECES, "spaces": Field(spaces_by_stage)},
}
# Base sides cannot have these: only observations with the expansion show them.
NEW_PATTERNS: Mapping[str, Fields] = {
    "by_number": BY_NUMBER,
    "in_order": BY_NUMBER,
    "sets": {"sets": Field(sets_of_kinds), "most_of_a_set": optional(integer(1, MAX_DELIVERY), 0)},
    "day_money": {"pounds": Field(integer(1, MAX_POUNDS))},
    "other_store": {},
}


def store_with(sides: Mapping[str, int], by_pattern: Mapping[str, Fields]) -> Check:
    """The rule of a store on one of these sides. In `by_number`, an any-mix, spaces depend on the number of pieces."""
    return tagged(
        "pattern",
        {**PATTERNS, "by_number": Pattern.ANY_MIX},
        {**COMMON, "store": Field(word(STORES)), "side": Field(word(sides))},
        by_pattern,
        check_provenance,
        check_store,
    )


STORE = store_with(SIDES, BASE_PATTERNS)
NEW_STORE = store_with(EXPANSION_SIDES, {**BASE_PATTERNS, **NEW_PATTERNS})
CHOCOLATE_ORDER = tagged(
    "pattern",
    PATTERNS,
    {},
    {
        **{key: {"accepts": ACCEPTS, "number": NUMBER} for key in OF_ACCEPTED},
        "exact_mix": {"pieces": Field(numbers(REFINED, 1, MAX_DELIVERY))},
    },
    check_chocolate_order,
)

# --- Factory Manager ---

OBJECTIVES = ("money", "orders", "stores", "any_stores", "chocolate_order")


def check_objectives(card: Card, place: Place) -> None:
    """SOLO-7. No card has both named stores and stores of choice: they would have to differ, which the exact check of
    a won game does not consider.
    """
    asked = [card[key] for key in OBJECTIVES] + [card.get("special_orders", [])]
    if not any(any(what) if isinstance(what, list) else what for what in asked):
        raise place.error(f"at least one of {', '.join(OBJECTIVES)}", found="none")
    if any(card["stores"]) and card["any_stores"]:
        raise place.at("any_stores").error("no stores of choice beside named ones on one card", found="both")


def check_manager_provenance(card: Card, place: Place) -> None:
    """SOLO-11: a source may show what a card asks for, but not its kind: Weekly Target or Demand."""
    check_provenance(card, place, beside=("kind",))


def check_special_orders(card: Card, place: Place) -> None:
    if sum(card["special_orders"]) > SPECIAL_ORDERS:
        raise place.at("special_orders").error(f"at most {SPECIAL_ORDERS} in all", sum(card["special_orders"]))


DEMAND_FIELDS: Fields = {
    **COMMON,
    "money": optional(integer(1, MOST_MONEY), 0),
    "orders": optional(numbers(ORDER_SIZES, 1, 9), [0] * len(ORDER_SIZES)),
    "stores": optional(numbers(STORES, 1, TRACK_END), [0] * NUM_STORES),
    "any_stores": optional(
        table({"number": Field(integer(1, NUM_STORES)), "steps": Field(integer(1, TRACK_END))}), None
    ),
    "chocolate_order": optional(CHOCOLATE_ORDER, None),
}
DEMAND = table(DEMAND_FIELDS, check_manager_provenance, check_objectives)
TARGET = table(
    {**DEMAND_FIELDS, "special_orders": optional(numbers(SIZES, 1, SPECIAL_ORDERS), [0] * len(SIZES))},
    check_manager_provenance,
    check_objectives,
    check_special_orders,
)

# --- Setup ---


def packets_of(cards: int) -> Field:
    """PREP-2: sizes of packets by number of players: one packet each, with all cards of the display among them."""
    return Field(table({str(n): Field(packet_sizes(n, cards)) for n in range(2, MAX_PLAYERS + 1)}))


def packet_sizes(players: int, cards: int) -> Check:
    sizes = sequence(integer(1, cards), players, players)

    def check(value: Any, place: Place) -> list[int]:
        result: list[int] = sizes(value, place)
        if sum(result) != cards:
            raise place.error(f"sizes that add up to {cards}", value)
        return result

    return check


PRIZE = integer(0, MAX_PRIZE)
SETUP = table(
    {
        **COMMON,
        "coal": Field(sequence(integer(0, MOST_COAL), NUM_DAYS, NUM_DAYS)),
        "packets": packets_of(DISPLAY),
        "store_prizes": Field(sequence(PRIZE, 3, 3)),
        "most_orders_prize": Field(PRIZE),
        "variety_prizes": Field(sequence(PRIZE, NUM_STORES + 1, NUM_STORES + 1)),
        "kept_pieces": Field(
            table({"several_players": Field(integer(0, MOST_PIECES)), "solo": Field(integer(0, MOST_PIECES))})
        ),
    },
    check_provenance,
)

# --- An expansion ---


def check_sides(manifest: Card, place: Place) -> None:
    if manifest["sides"] != list(EXPANSION_SIDES.values()):
        raise place.at("sides").error(f"{list(EXPANSION_SIDES)}", found="others")


EXPANSION = table(
    {
        **COMMON,
        "new_parts": Field(integer(0, MAX_NEW_PARTS)),  # per deck; as many leave it (MC-1)
        "employees": Field(integer(NUM_DAYS, NUM_DAYS)),  # one per day (MC-5)
        "sides": Field(sequence(word(EXPANSION_SIDES), len(EXPANSION_SIDES), len(EXPANSION_SIDES))),
        "most_money_sides": Field(integer(0, NUM_STORES)),  # among drawn sides (MC-3)
        "employee_packets": packets_of(EMPLOYEE_DECKS),
    },
    check_provenance,
    check_sides,
)

# --- The deck as a whole ---


def check_counts(got: Mapping[str, int], expected: Mapping[str, int], what: str, place: Place) -> None:
    for key, number in expected.items():
        if got.get(key, 0) != number:
            raise place.error(f"{number} {what} of {key!r}", got.get(key, 0))


def names_of(words: Mapping[str, int], values: list[int]) -> Counter[str]:
    names = {number: key for key, number in words.items()}
    return Counter(names[value] for value in values)


def check_parts(parts: list[Card], place: Place) -> None:
    """SET-2, SET-7"""
    decks = names_of(DECKS, [part["deck"] for part in parts])
    expected = {"printed": len(PRINTED_FUNCTIONS), "A": PARTS_PER_DECK, "B": PARTS_PER_DECK}
    check_counts(decks, expected, "parts of the deck", place)
    functions = tuple(part["function"] for part in parts if part["deck"] == Deck.PRINTED)
    if functions != PRINTED_FUNCTIONS:
        printed = ", ".join(Function(function).name.lower() for function in functions)
        raise place.error("the printed parts to be converter, upgrader, chute, by slot", found=printed)
    for part in parts:
        check_no_chute(part, place)


def check_orders(orders: list[Card], place: Place) -> None:
    """SET-3; a deck must hold as many orders of each size as players can have in hand."""
    if len(orders) != ORDERS:
        raise place.error(f"{ORDERS} orders in all", len(orders))
    sizes = names_of(SIZES, [order["size"] for order in orders])
    for size in SIZES:
        if sizes[size] < ORDERS_PER_SIZE:
            raise place.error(f"at least {ORDERS_PER_SIZE} {size} orders", sizes[size])


def check_employees(employees: list[Card], place: Place) -> None:
    """SET-4"""
    cards = names_of(STORES, [employee["store"] for employee in employees for _ in range(employee["count"])])
    check_counts(cards, dict.fromkeys(STORES, EMPLOYEES_PER_STORE), "employees of the store", place)


def check_no_chute(part: Card, place: Place) -> None:
    if part["function"] == Function.CHUTE and part["deck"] != Deck.PRINTED:  # RUN-6
        raise place.error("no chute but the printed one", part["id"])


def each_side_once(letters: Mapping[str, int]) -> Callable[[list[Card], Place], None]:
    def check(stores: list[Card], place: Place) -> None:
        """SET-5, MC-3"""
        sides = Counter((store["store"], store["side"]) for store in stores)
        for name, store in STORES.items():
            for letter, side in letters.items():
                if sides[store, side] != 1:
                    raise place.error(f"side {letter} of {name} once", found=f"it {sides[store, side]} times")

    return check


def check_targets(targets: list[Card], place: Place) -> None:
    if not targets:
        raise place.error("at least 1 card", 0)


def check_demands(demands: list[Card], place: Place) -> None:
    """SOLO-1: one Initial and five Daily Demands."""
    if len(demands) < MIN_DEMANDS:
        raise place.error(f"at least {MIN_DEMANDS} cards", len(demands))


def check_new_parts(parts: list[Card], place: Place) -> None:
    for part in parts:
        if part["deck"] == Deck.PRINTED:
            raise place.item(0, part).at("deck").error("'A' or 'B'", "printed")
        check_no_chute(part, place)


CHECKS: TableChecks = {
    "parts": TableCheck(PART, check_parts, sorted_by="deck"),
    "orders": TableCheck(ORDER, check_orders, sorted_by="size"),
    "employees": TableCheck(EMPLOYEE, check_employees),
    "stores": TableCheck(STORE, each_side_once(SIDES)),
    "targets": TableCheck(TARGET, check_targets),
    "demands": TableCheck(DEMAND, check_demands),
    "setup": TableCheck(SETUP, check_single),
}
EXPANSION_CHECKS: TableChecks = {
    "expansion": TableCheck(EXPANSION, check_single),
    "parts": TableCheck(PART, check_new_parts),
    "employees": TableCheck(NEW_EMPLOYEE, lambda employees, place: None),
    "stores": TableCheck(NEW_STORE, each_side_once(EXPANSION_SIDES)),
}


def check_deck(tables: Tables, files: Mapping[str, str]) -> None:
    """Check the base game's tables against each other."""
    check_complete(tables, files, CHECKS)
    cards = len(tables["targets"]) + len(tables["demands"])
    if cards != MANAGER_CARDS:  # SOLO-1
        place = Place(and_of((files["targets"], files["demands"])), "targets and demands")
        raise place.error(f"{MANAGER_CARDS} cards together", cards)
    check_coal(tables, files["setup"], files["employees"])
    check_requirements(tables, files["targets"], files["demands"])


def check_coal(tables: Tables, *files: str) -> None:
    """PREP-1, DRAFT-5: observations can show all the coal that a player can receive."""
    gifts = [
        employee["amount"]
        for employee in tables["employees"]
        if employee["effect"] == Effect.COAL
        for _ in range(employee["count"])
    ]
    given = sum(nlargest(NUM_DAYS, gifts))
    days = sum(tables["setup"][0]["coal"])
    if days + given > MOST_COAL:
        place = Place(and_of(files), "setup and employees").at("coal")
        raise place.error(
            f"at most {MOST_COAL} on {NUM_DAYS} days, the largest gifts included", found=f"{days} + {given}"
        )


def check_requirements(tables: Tables, *files: str) -> None:
    """SOLO-1, SOLO-8: observations can show the most that a target and its demands can require together."""
    fields = ["money", *(f"orders.{size}" for size in ORDER_SIZES), *(f"stores.{store}" for store in STORES)]
    highs = [MOST_MONEY, *[MOST_ORDERS] * len(ORDER_SIZES), *[MOST_STEPS] * len(STORES)]
    targets, demands = (
        [[card["money"], *card["orders"], *card["stores"]] for card in tables[name]] for name in ("targets", "demands")
    )
    for field, high, by_target, by_demand in zip(
        fields, highs, zip(*targets, strict=True), zip(*demands, strict=True), strict=True
    ):
        asked = max(by_target) + sum(nlargest(MAX_DEMANDS, by_demand))
        if asked > high:
            place = Place(and_of(files), "targets and demands", field=field)
            raise place.error(f"at most {high} on a target and {MAX_DEMANDS} demands together", asked)


def check_expansion(tables: Tables, files: Mapping[str, str], expansion: str) -> None:
    """Check that an expansion's tables hold what its manifest announces."""
    check_complete(tables, files, EXPANSION_CHECKS)

    def place(name: str) -> Place:
        return Place(and_of((files["expansion"], files[name])), full_name(name, expansion))

    manifest = tables["expansion"][0]
    if manifest["id"] != expansion:
        raise place("expansion").at("id").error(repr(expansion), manifest["id"])
    decks = names_of(DECKS, [part["deck"] for part in tables["parts"]])
    new_parts = {deck: int(manifest["new_parts"]) for deck in ("A", "B")}
    check_counts(decks, new_parts, "parts of the deck", place("parts"))
    employees = sum(employee["count"] for employee in tables["employees"])
    if employees != manifest["employees"]:
        raise place("employees").error(f"{manifest['employees']} employees", employees)
    check_draw(manifest, tables["stores"], place("expansion").item(0, manifest))


def check_draw(manifest: Card, new_stores: list[Card], place: Place) -> None:
    """MC-3, MC-7: some draw of sides with one of the expansion's is allowed."""
    by_money = all(store["pattern"] == Pattern.DAY_MONEY for store in new_stores)
    if by_money and manifest["most_money_sides"] < LEAST_NEW_SIDES:
        expected = f"at least {LEAST_NEW_SIDES}, because all new sides go by the day's money and a draw has one of them"
        raise place.at("most_money_sides").error(expected, manifest["most_money_sides"])


def combined(base: Tables, expansion: Tables) -> Tables:
    """MC-1, MC-3, MC-5: append the expansion's cards to the base game's. Its employees have no store."""
    parts = sorted(base["parts"] + expansion["parts"], key=lambda part: part["deck"])
    return {
        **base,
        "parts": parts,
        "employees": base["employees"] + [{**employee, "store": NONE} for employee in expansion["employees"]],
        "stores": base["stores"] + expansion["stores"],
        "expansion": expansion["expansion"],
    }
