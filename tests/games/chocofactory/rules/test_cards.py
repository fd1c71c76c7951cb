"""The shipped deck: what is published is in it as published. Every other number is pinned by the deck's hash."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from chocofactory_env.games.chocofactory.cards import load_cards
from chocofactory_env.games.chocofactory.constants import NONE, Deck, Effect, Function, Kind, Pattern, Store, Symbol
from chocofactory_env.games.chocofactory.display import describe_cards
from chocofactory_env.games.chocofactory.state import State

CARDS = load_cards()
RECORD = CARDS.record

Option = tuple[tuple[str, ...], tuple[str, ...]]


def words(symbols: Any) -> tuple[str, ...]:
    return tuple(Symbol(symbol).name.lower() for symbol in symbols)


def options_of(part: Any) -> tuple[Option, ...]:
    return tuple(
        (words(option.takes[: option.num_takes]), words(option.makes[: option.num_makes]))
        for option in part.options[: part.num_options]
    )


def parts_of(deck: Deck) -> list[Any]:
    return [part for part in RECORD.parts[: RECORD.num_parts] if part.deck == deck]


def stages_of(order: Any) -> list[Any]:
    return list(order.stages[: order.num_stages])


def pieces(**numbers: int) -> list[int]:
    return [numbers.get(kind.name.lower(), 0) for kind in Kind]


# --- parts


PUBLISHED_PARTS = [
    (Deck.A, 1, [("bean", "cocoa"), ("bean bean", "chunks fingers")]),
    (Deck.A, 1, [("fingers", "nuts"), ("chunks", "nuts nuts")]),
    (Deck.A, 2, [("cocoa", "boxed")]),
    (Deck.A, 2, [("fingers", "wrapped wrapped")]),
    (Deck.B, 2, [("bar", "boxed boxed")]),
    (Deck.B, 3, [("refined", "any any")]),
    (Deck.B, 4, [("bean", "any any")]),
    (Deck.B, 4, [("refined refined", "chunks fingers caramel nuts boxed")]),
]


@pytest.mark.parametrize("number", range(1, 9))
def test_the_deck_holds_the_published_converter(number: int) -> None:
    """PART-8"""
    deck, cost, published = PUBLISHED_PARTS[number - 1]
    options = tuple((tuple(takes.split()), tuple(makes.split())) for takes, makes in published)
    found = [
        (identifier, row)
        for identifier, row in zip(CARDS.parts, RECORD.parts, strict=False)
        if row.deck == deck and row.cost == cost and options_of(row) == options
    ]
    assert len(found) == 1
    identifier = found[0][0]
    assert CARDS.sources[identifier] == "rulebook"
    reported = identifier in ("bean-magic", "free-exchange")
    assert (CARDS.reported, CARDS.reconstructed)[not reported][identifier] == ["deck"], "the letter is not in the text"
    assert bool(CARDS.addresses[identifier]) == reported
    assert CARDS.clauses[identifier] == f"PART-8.{number}"


def test_only_published_parts_are_marked_as_from_the_rulebook() -> None:
    """PART-7, PART-8"""
    published = [identifier for identifier in CARDS.parts if CARDS.sources[identifier] == "rulebook"]
    assert len(published) == 3 + len(PUBLISHED_PARTS)
    whole = [part for part in published if not CARDS.reconstructed[part] and not CARDS.reported[part]]
    assert whole == ["roaster", "upgrader", "chute"]


REPORTED_PARTS = {
    "twin-mould": (2, [], [("cocoa", "bar bar")]),
    "caramel-boxer": (None, ["cost"], [("nuts", "boxed"), ("caramel", "boxed boxed")]),
    "chunk-mould": (None, ["cost"], [("bean", "chunks"), ("cocoa", "chunks chunks")]),
}


def test_the_deck_holds_the_reported_converters() -> None:
    """PART-3: all in deck A; the coal of two of them is not told."""
    assert [part for part in CARDS.parts if CARDS.sources[part] == "report"] == sorted(
        REPORTED_PARTS, key=CARDS.parts.index
    )
    for identifier, (cost, ours, options) in REPORTED_PARTS.items():
        part = RECORD.parts[CARDS.parts.index(identifier)]
        assert options_of(part) == tuple((tuple(takes.split()), tuple(makes.split())) for takes, makes in options)
        assert part.deck == Deck.A
        assert cost in (None, part.cost)
        assert CARDS.reconstructed[identifier] == ours
        assert CARDS.addresses[identifier]


@pytest.mark.parametrize("identifier", ["a-upgrader", "a-repeater", "b-upgrader", "b-repeater"])
def test_points_and_copies_by_deck_are_marked_as_reconstructed(identifier: str) -> None:
    """PART-5, PART-6: that each deck has one of each is in the text, and nothing more about them by deck."""
    assert CARDS.sources[identifier] == "reconstructed"
    words = "Which is which" if "repeater" in identifier else "How many this one has"
    assert f"{words}, and the cost, are reconstructed" in CARDS.notes[identifier]


def test_an_upgrader_has_the_points_of_the_published_example() -> None:
    """PART-5: the example upgrades one chocolate twice, and another with a remaining action."""
    upgraders = [part for part in RECORD.parts if part.function == Function.UPGRADER]
    assert max(part.amount for part in upgraders) >= 3
    assert all("which so has at least 3" in CARDS.notes[identifier] for identifier in ("a-upgrader", "b-upgrader"))


@pytest.mark.parametrize(("deck", "points", "copies"), [(Deck.A, 2, 1), (Deck.B, 3, 2)])
def test_each_deck_has_one_upgrader_one_repeater_and_13_converters(deck: Deck, points: int, copies: int) -> None:
    """PART-5, PART-6"""
    assert Counter(Function(part.function) for part in parts_of(deck)) == {
        Function.UPGRADER: 1,
        Function.REPEATER: 1,
        Function.CONVERTER: 13,
    }
    amounts = {Function(part.function): part.amount for part in parts_of(deck)}
    assert (amounts[Function.UPGRADER], amounts[Function.REPEATER]) == (points, copies)


# --- orders


def kinds_of(order: Any) -> set[Kind]:
    return {kind for stage in stages_of(order) for kind in Kind if stage.pieces[kind]}


def test_the_deck_holds_the_reported_orders() -> None:
    """FUL-2: three chunks; two nuts, then three; fingers alone; what they pay is not told. One pays 34 in all."""
    told = {"bakery": ["pay"], "south-gate-candy": ["pay"], "lakeside-tea-house": ["numbers", "pay"]}
    reported = [order for order in CARDS.orders if CARDS.sources[order] == "report"]
    assert {order: CARDS.reconstructed[order] for order in reported} == told
    orders = {order: RECORD.orders[CARDS.orders.index(order)] for order in reported}
    assert [[list(s.pieces) for s in stages_of(orders[o])] for o in ("bakery", "south-gate-candy")] == [
        [pieces(chunks=3)],
        [pieces(nuts=2), pieces(nuts=3)],
    ]
    assert kinds_of(orders["lakeside-tea-house"]) == {Kind.FINGERS}
    in_all = RECORD.orders[CARDS.orders.index("royal-arcade")]
    assert sum(stage.pay for stage in stages_of(in_all)) == 34
    assert "Reported" in CARDS.notes["royal-arcade"]


def test_the_published_pair_of_orders_pays_14_together() -> None:
    """FUL-3: the example of the rulebook, one caramel and one nuts, and three fingers in a second and final stage."""
    pair, fingers = (RECORD.orders[CARDS.orders.index(order)] for order in ("tea-room", "harbour-store"))
    assert list(pair.stages[0].pieces) == pieces(caramel=1, nuts=1)
    assert list(fingers.stages[1].pieces) == pieces(fingers=3)
    assert pair.stages[0].pay + fingers.stages[1].pay == 14
    assert "Published" in CARDS.notes["tea-room"]
    assert "Published" in CARDS.notes["harbour-store"]


# --- employees


EMPLOYEES = [
    # clause, id, store, effect, amount, uses
    *[("EMP-1", f"director-{store.name.lower()}", store, Effect.DOUBLE_SUPPLY, 2, 0) for store in Store],
    ("EMP-2", "miner", Store.PALACE_BOUTIQUE, Effect.COAL, 2, 0),
    ("EMP-3", "operator", Store.PALACE_BOUTIQUE, Effect.MOVE_PIECE, 0, 1),
    ("EMP-4", "salesman", Store.PALACE_BOUTIQUE, Effect.STAGE_PAY, 1, 0),
    ("EMP-5", "clerk", Store.FRESH_FANCIES, Effect.SKIP_STAGE, 0, 1),
    ("EMP-6", "decorator", Store.FRESH_FANCIES, Effect.UPGRADE_PIECE, 1, 1),
    ("EMP-7", "mechanic", Store.FRESH_FANCIES, Effect.HALF_COST, 0, 1),
    ("EMP-8", "corner-shop-agent", Store.SALTERS_EMPORIUM, Effect.ANY_PIECES, 0, 1),
    ("EMP-9", "expert-miner", Store.SALTERS_EMPORIUM, Effect.COAL, 4, 0),
    ("EMP-10", "expert-operator", Store.SALTERS_EMPORIUM, Effect.MOVE_PIECE, 0, 3),
    ("EMP-11", "dealer", Store.HOUSE_OF_LUXURY, Effect.FEWER_PIECES, 0, 1),
    ("EMP-12", "engineer", Store.HOUSE_OF_LUXURY, Effect.MORE_SHIFTS, 1, 0),
    ("EMP-13", "supervisor", Store.HOUSE_OF_LUXURY, Effect.MORE_BEANS, 1, 0),
    ("EMP-14", "department-store-agent", Store.DUNSTAN_GILBERTS, Effect.OTHER_STORE, 0, 1),
    ("EMP-15", "packer", Store.DUNSTAN_GILBERTS, Effect.DOUBLE_TILE, 0, 1),
    ("EMP-16", "technician", Store.DUNSTAN_GILBERTS, Effect.REACH, 1, 1),
]


@pytest.mark.parametrize(("clause", "identifier", "store", "effect", "amount", "uses"), EMPLOYEES)
def test_the_employee_is_as_published(
    clause: str, identifier: str, store: Store, effect: Effect, amount: int, uses: int
) -> None:
    """EMP-1, EMP-2, EMP-3, EMP-4, EMP-5, EMP-6, EMP-7, EMP-8, EMP-9, EMP-10, EMP-11, EMP-12, EMP-13, EMP-14,
    EMP-15, EMP-16, SET-4
    """
    employee = RECORD.employees[CARDS.employees.index(identifier)]
    assert (employee.store, employee.effect, employee.amount, employee.uses) == (store, effect, amount, uses)
    assert employee.count == (1 if clause == "EMP-1" else 2)
    assert (CARDS.sources[identifier], CARDS.clauses[identifier]) == ("help", clause)


def test_there_are_35_employees_of_20_kinds() -> None:
    """SET-4; what they do is not in the rulebook but in the online help."""
    assert {CARDS.sources[identifier] for identifier in CARDS.employees} == {"help"}
    assert len(EMPLOYEES) == len(CARDS.employees) == RECORD.num_employees == 20
    assert sum(employee.count for employee in RECORD.employees[:20]) == 35


# --- stores

REFINED_MASK = 124


# --- Factory Manager


def demands_with(**fields: Any) -> list[str]:
    """Ids of the demands that ask for exactly this."""
    blank = np.zeros(1, RECORD.demands.dtype)
    for name, value in fields.items():
        if name == "order":
            for key, entry in value.items():
                blank["order"][key] = entry
        else:
            blank[name] = value
    rows = zip(CARDS.demands, RECORD.demands, strict=False)
    return [identifier for identifier, demand in rows if demand.tobytes() == blank.tobytes()]


PUBLISHED_DEMANDS = [
    {"steps": [0, 0, 0, 0, 2]},
    {"order": {"kinds": REFINED_MASK, "pattern": Pattern.ALL_DIFFERENT, "number": 3, "per": 1, "first_of_set": NONE}},
    {"order": {"kinds": REFINED_MASK, "pattern": Pattern.ONE_KIND, "number": 4, "per": 1, "first_of_set": NONE}},
    {"money": 5},
]
PUBLISHED_WITHOUT_KIND = [{"open_boxes": 2, "open_steps": 2}, {"open_boxes": 1, "open_steps": 3}]


@pytest.mark.parametrize("fields", PUBLISHED_DEMANDS)
def test_the_deck_holds_the_published_demand(fields: dict[str, Any]) -> None:
    """SOLO-11"""
    found = demands_with(**fields)
    assert len(found) == 1
    assert (CARDS.sources[found[0]], CARDS.clauses[found[0]]) == ("rulebook", "SOLO-11")
    assert not CARDS.reconstructed[found[0]]


@pytest.mark.parametrize("fields", PUBLISHED_WITHOUT_KIND)
def test_the_deck_holds_as_a_demand_what_is_published_without_its_kind(fields: dict[str, Any]) -> None:
    """SOLO-11"""
    found = demands_with(**fields)
    assert len(found) == 1
    assert_published_but_for_the_kind(found[0])


def assert_published_but_for_the_kind(identifier: str) -> None:
    assert (CARDS.sources[identifier], CARDS.clauses[identifier]) == ("rulebook", "SOLO-11")
    assert CARDS.reconstructed[identifier] == ["kind"]
    assert "Whether it is a Weekly Target or a Demand is reconstructed" in CARDS.notes[identifier]


def test_the_deck_holds_as_a_target_what_is_published_without_its_kind() -> None:
    """SOLO-11"""
    target = RECORD.targets[CARDS.targets.index("grand-tour")]
    assert (target.open_boxes, target.open_steps, target.money) == (5, 1, 0)
    assert not any(target.special)
    assert [i for i in CARDS.targets if CARDS.sources[i] == "rulebook"] == ["grand-tour"]
    assert_published_but_for_the_kind("grand-tour")


@pytest.mark.parametrize("store", Store)
def test_a_demand_asks_for_two_steps_at_each_store(store: Store) -> None:
    """SOLO-7, SOLO-11"""
    assert len(demands_with(steps=[2 * (other == store) for other in Store])) == 1


# --- numbers on no card


# --- the record


def test_the_page_of_cards_says_which_fields_are_reconstructed() -> None:
    rows = {line.split("`")[1]: line for line in describe_cards.describe().splitlines() if line.startswith("| `")}
    assert rows["bean-magic"].endswith("| rulebook PART-8.7; report: deck |")
    assert rows["chunk-mould"].endswith("| report; reconstructed: cost |")
    assert rows["roaster"].endswith("| rulebook PART-7 |")
    assert rows["miner"].endswith("| online help EMP-2 |")
    assert rows["b-upgrader"].endswith("| reconstructed |")
    assert "| factory parts | 33 | 3 | 8 | 3 | 19 |" in describe_cards.describe()


def test_the_record_is_packed_and_read_only() -> None:
    assert not CARDS.array.flags.writeable
    assert CARDS.array.dtype.isalignedstruct is False
    with pytest.raises(ValueError, match="read-only"):
        RECORD.parts[0].cost = 3


def fields_of(dtype: np.dtype[Any]) -> set[str]:
    """Names of the fields of a record, those of records in it included."""
    names = set(dtype.base.names or ())
    return names.union(*(fields_of(dtype.base[name]) for name in names))


def test_no_field_of_the_record_has_the_name_of_an_attribute_of_numpy() -> None:
    """Uncompiled, NumPy's own attribute would be read instead of the field, and no error would say so."""
    for layout in (CARDS.array.dtype, State.dtype):
        assert fields_of(layout) & {*dir(np.record), *dir(np.recarray)} == set()
