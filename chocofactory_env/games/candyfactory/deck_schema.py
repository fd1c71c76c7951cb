"""The schema of a deck: the fields of every table, and what the rules fix about the deck as a whole.

With it, `core.cards.deck.check_tables` turns parsed TOML into plain dictionaries of numbers: it replaces words by the
numbers of `constants.py` and fills in defaults. `check_deck` then checks the tables against each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from ...core.cards.checks import (
    Card,
    Field,
    Fields,
    Place,
    ascending,
    flag,
    integer,
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
)
from .constants import (
    MAX_OPEN_RECIPES,
    MAX_PLAYERS,
    MIN_PLAYERS,
    MOST_BERTHS,
    MOST_COINS,
    MOST_HAND,
    MOST_LIFT,
    MOST_LOOK,
    MOST_OF_A_CARD,
    MOST_OF_RECIPE,
    MOST_PLACES,
    MOST_RAW,
    MOST_SHORT_SPECIALISTS,
    MOST_TURN,
    MOST_WORKERS,
    NUM_RECIPES,
    NUM_SPACES,
    NUM_TRUCKS,
    SPECIALIST_DECK,
    WORKER_CARDS,
    Ability,
    Half,
    Specialist,
)

MOST_COST: Final = 7  # goods for one use; a warehouse holds no more (ROOM-1)
MOST_USES: Final = 3  # CANDY-3
MOST_CANDIES: Final = 3  # CANDY-2
MOST_LOAD: Final = 7  # SHORT-5: of a kind
MOST_PAID: Final = 9  # coins for one good, and points for one (SHORT-1)

HALVES = numbers_of(Half)
ABILITIES = numbers_of(Ability)
# ABIL-6 to ABIL-11: the abilities that spaces of each half may have.
ABILITIES_OF_HALF: Final[Mapping[str, tuple[str, ...]]] = {
    "plantation": ("mixer", "break_room", "outlet"),
    "candy": ("machine", "decorator", "outlet"),
}
# SPEC-2 to SPEC-8: the words for the cards' effects.
EFFECTS: Final[Mapping[str, int]] = {
    "none": Specialist.TEMP,
    "capacity": Specialist.LIFT_OPERATOR,
    "counter_clockwise": Specialist.SORTER,
    "turn_die": Specialist.RUNNER,
    "all_trucks": Specialist.TRUCKER,
    "machine": Specialist.MACHINIST,
    "stack": Specialist.PACKER,
}

# --- Boards


def spaces_of(half: str) -> Fields:
    abilities = {name: ABILITIES[name] for name in ABILITIES_OF_HALF[half]}
    return {"spaces": Field(sequence(word(abilities), NUM_SPACES, NUM_SPACES))}


BOARD = tagged(
    "half",
    HALVES,
    {**COMMON, "outlet_coins": Field(integer(1, MOST_PAID))},
    {half: spaces_of(half) for half in HALVES},
    check_provenance,
)


def check_boards(boards: list[Card], place: Place) -> None:
    """A deck has one board for each half."""
    sides = Counter(board["half"] for board in boards)
    for name, half in HALVES.items():
        if sides[half] != 1:
            raise place.error(f"1 board of the half {name!r}", sides[half])


# --- Trucks


def check_berths(truck: Card, place: Place) -> None:
    if truck["berths"] > truck["places"]:
        raise place.at("berths").error(f"at most the {truck['places']} places", truck["berths"])


TRUCK = table(
    {
        **COMMON,
        "places": Field(integer(1, MOST_PLACES)),
        "berths": Field(integer(0, MOST_BERTHS)),
        "own": Field(flag),
    },
    check_provenance,
    check_berths,
)


def check_trucks(trucks: list[Card], place: Place) -> None:
    """ROOM-2, TRANS-2: berths for at most as many specialists as the records hold."""
    if len(trucks) != NUM_TRUCKS:
        raise place.error(f"{NUM_TRUCKS} trucks", len(trucks))
    berths = sum(truck["berths"] for truck in trucks)
    if berths > MOST_BERTHS:
        raise place.error(f"at most {MOST_BERTHS} berths in all", berths)


# --- Recipes


def check_cost(recipe: Card, place: Place) -> None:
    """CANDY-2: a use costs at least one good, and no more than a warehouse holds."""
    goods = recipe["sugar"] + recipe["chocolate"]
    if not 1 <= goods <= MOST_COST:
        raise place.error(f"a cost of 1 to {MOST_COST} goods, sugar and chocolate together", goods)


RECIPE = table(
    {
        **COMMON,
        "sugar": Field(integer(0, MOST_COST)),
        "chocolate": Field(integer(0, MOST_COST)),
        "uses": Field(integer(1, MOST_USES)),
        "candies": Field(integer(1, MOST_CANDIES)),
        "points": Field(integer(0, MOST_OF_RECIPE)),
        "tokens": Field(integer(1, MOST_OF_RECIPE)),
    },
    check_provenance,
    check_cost,
)


def check_recipes(recipes: list[Card], place: Place) -> None:
    """START-2"""
    if len(recipes) != NUM_RECIPES:
        raise place.error(f"{NUM_RECIPES} recipes", len(recipes))


# --- Cards


NO_AMOUNT: Fields = {"amount": optional(integer(0, 0), 0)}
SPECIALIST = tagged(
    "effect",
    EFFECTS,
    {**COMMON, "count": Field(integer(0, MOST_OF_A_CARD)), "each": Field(integer(0, 1))},
    {
        **dict.fromkeys(EFFECTS, NO_AMOUNT),
        "capacity": {"amount": Field(integer(1, MOST_LIFT))},
        "turn_die": {"amount": Field(integer(1, MOST_TURN))},
    },
    check_provenance,
)


def check_specialists(specialists: list[Card], place: Place) -> None:
    """START-2, START-5: one card for every effect, 18 in the deck together; only the temp is dealt."""
    cards = Counter(card["effect"] for card in specialists)
    for name, effect in EFFECTS.items():
        if cards[effect] != 1:
            raise place.error(f"1 card with the effect {name!r}", cards[effect])
    for index, card in enumerate(specialists):
        where, is_temp = place.item(index, card), card["effect"] == Specialist.TEMP
        if card["each"] != is_temp:
            raise where.at("each").error("1 for the effect 'none' and 0 for every other", card["each"])
        if is_temp and card["count"]:
            raise where.at("count").error("0 for the effect 'none'", card["count"])
    in_all = sum(card["count"] for card in specialists)
    if in_all != SPECIALIST_DECK:
        raise place.error(f"{SPECIALIST_DECK} cards in all", in_all)


def check_numbers(workers: Card, place: Place) -> None:
    numbers: list[int] = workers["numbers"]
    number, often = Counter(numbers).most_common(1)[0]
    if often > MOST_OF_A_CARD:
        raise place.at("numbers").error(f"every number {MOST_OF_A_CARD} times at most", found=f"{number} {often} times")


WORKERS = table(
    {**COMMON, "numbers": Field(ascending(sequence(integer(1, NUM_SPACES), WORKER_CARDS, WORKER_CARDS)))},
    check_provenance,
    check_numbers,
)

# --- Setup

RAW = integer(0, MOST_RAW)
COINS = integer(0, MOST_COINS)
LOADED = Field(integer(1, MOST_LOAD))
SHORT_POINTS = Field(integer(0, MOST_PAID))
SETUP = table(
    {
        **COMMON,
        "sugar": Field(RAW),
        "cacao": Field(RAW),
        "coins": Field(COINS),
        "pawns": Field(integer(1, MOST_WORKERS)),
        "warehouse": Field(integer(1, MOST_PLACES)),
        "hand": Field(integer(1, MOST_HAND)),
        "look": Field(integer(1, MOST_LOOK)),
        "recipes": Field(
            table({str(n): Field(integer(1, MAX_OPEN_RECIPES)) for n in range(MIN_PLAYERS, MAX_PLAYERS + 1)})
        ),
        "start": Field(table({"sugar": Field(RAW), "cacao": Field(RAW), "coins": Field(COINS)})),
        "short_load": Field(table({"sugar": LOADED, "chocolate": LOADED})),
        "short_specialists": Field(integer(0, MOST_SHORT_SPECIALISTS)),
        "short_points": Field(table({"sugar": SHORT_POINTS, "chocolate": SHORT_POINTS})),
    },
    check_provenance,
)

# --- The deck as a whole

CHECKS: Final[TableChecks] = {
    "boards": TableCheck(BOARD, check_boards, sorted_by="half"),
    "trucks": TableCheck(TRUCK, check_trucks),
    "recipes": TableCheck(RECIPE, check_recipes),
    "specialists": TableCheck(SPECIALIST, check_specialists, sorted_by="effect"),
    "workers": TableCheck(WORKERS, check_single),
    "setup": TableCheck(SETUP, check_single),
}


def check_deck(tables: Tables, files: Mapping[str, str]) -> None:
    """Check the tables against each other: the supply and the places must hold what the setup hands out."""
    check_complete(tables, files, CHECKS)
    setup = tables["setup"][0]
    place = Place(files["setup"], "setup").item(0, setup)
    start, load = setup["start"], setup["short_load"]
    for kind in ("sugar", "cacao", "coins"):  # START-4, SHORT-5
        loaded = load["sugar"] if kind == "sugar" else load["chocolate"] if kind == "cacao" else 0
        least = MAX_PLAYERS * max(start[kind], loaded)
        if setup[kind] < least:
            raise place.at(kind).error(f"at least the {least} that {MAX_PLAYERS} players begin with", setup[kind])
    goods = start["sugar"] + start["cacao"]
    if goods > setup["warehouse"]:
        raise place.at("start").error(f"at most {setup['warehouse']} goods, one for each place of a warehouse", goods)
    places = sum(truck["places"] for truck in tables["trucks"])
    goods = load["sugar"] + load["chocolate"]
    if goods > places:  # SHORT-5
        place = Place(and_of((files["setup"], files["trucks"])), "setup and trucks").at("short_load")
        raise place.error(f"at most {places} goods, one for each place of the trucks", goods)
