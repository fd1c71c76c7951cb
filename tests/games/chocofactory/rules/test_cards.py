"""The shipped deck: what is published is in it as published, and what is reconstructed keeps to its guidelines."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from chocofactory_env.games.chocofactory.cards import load_cards
from chocofactory_env.games.chocofactory.constants import (
    NONE,
    NUM_DAYS,
    SYMBOL_KINDS,
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
from chocofactory_env.games.chocofactory.display import describe_cards
from chocofactory_env.games.chocofactory.state import State

CARDS = load_cards()
RECORD = CARDS.record
# What a piece is worth, to compare parts: about what a stage pays for it.
VALUE = {
    Symbol.BEAN: 0.5, Symbol.COCOA: 1, Symbol.CHUNKS: 2, Symbol.FINGERS: 2, Symbol.CARAMEL: 3.5, Symbol.NUTS: 3.5,
    Symbol.BOXED: 5, Symbol.BAR: 2, Symbol.WRAPPED: 3.5,
}  # fmt: skip
REFINED_KINDS = (Kind.CHUNKS, Kind.FINGERS, Kind.CARAMEL, Kind.NUTS, Kind.BOXED)
MIRROR = {
    Kind.CHUNKS: Kind.FINGERS, Kind.FINGERS: Kind.CHUNKS, Kind.CARAMEL: Kind.NUTS, Kind.NUTS: Kind.CARAMEL,
}  # fmt: skip

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


def converters(deck: Deck) -> list[Any]:
    return [part for part in parts_of(deck) if part.function == Function.CONVERTER]


def all_converters() -> list[Any]:
    return converters(Deck.A) + converters(Deck.B)


def orders_of(size: Size) -> list[Any]:
    return [order for order in RECORD.orders[: RECORD.num_orders] if order["deck"] == size]


def stages_of(order: Any) -> list[Any]:
    return list(order.stages[: order.num_stages])


def all_stages() -> list[Any]:
    return [stage for order in RECORD.orders[: RECORD.num_orders] for stage in stages_of(order)]


def pieces(**numbers: int) -> list[int]:
    return [numbers.get(kind.name.lower(), 0) for kind in Kind]


def employees_of(store: Store) -> dict[str, Any]:
    rows = zip(CARDS.employees, RECORD.employees, strict=False)
    return {identifier: employee for identifier, employee in rows if employee.store == store}


def manager_cards() -> list[Any]:
    return [*RECORD.targets[: RECORD.num_targets], *RECORD.demands[: RECORD.num_demands]]


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


def test_of_two_options_one_makes_a_piece_and_the_other_two_such_pieces() -> None:
    """PART-3: so do all that sources show, but for PART-8.1."""
    twofold = {i: options_of(p) for i, p in zip(CARDS.parts, RECORD.parts, strict=False) if p.num_options == 2}
    assert len(twofold) == 9
    del twofold["roast-or-mould"]
    for (one, made), (other, twice) in twofold.values():
        assert (len(one), len(other), made * 2) == (1, 1, twice)


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


def test_parts_of_the_decks_cost_1_to_4_coal() -> None:
    """PART-8"""
    assert {int(part.cost) for part in parts_of(Deck.A) + parts_of(Deck.B)} == {1, 2, 3, 4}


def gain(option: Any) -> float:
    """What a use of the option adds, with every class at its dearest kind made and its cheapest taken."""
    cheapest = {**VALUE, Symbol.REFINED: 2, Symbol.ANY: 0.5}
    dearest = {**VALUE, Symbol.REFINED: 5, Symbol.ANY: 5}
    taken = sum(cheapest[Symbol(symbol)] for symbol in option.takes[: option.num_takes])
    made = sum(dearest[Symbol(symbol)] for symbol in option.makes[: option.num_makes])
    return made - taken


def best_gain(part: Any) -> float:
    return max(gain(option) for option in part.options[: part.num_options])


def test_b_parts_gain_more_in_a_use_than_a_parts() -> None:
    """The help calls A weaker and B stronger. What a report has in B gains 8 and 9.5, and in A 3, without more for a
    coal.
    """
    a, b = (np.array([best_gain(part) for part in converters(deck)]) for deck in (Deck.A, Deck.B))
    assert b.mean() > 1.25 * a.mean()
    assert np.median(b) > np.median(a)
    assert all(best_gain(part) / part.cost >= 1 for part in all_converters())
    for repeated in (Function.UPGRADER, Function.REPEATER):
        a_part, b_part = (next(p for p in parts_of(d) if p.function == repeated) for d in (Deck.A, Deck.B))
        assert b_part.amount / b_part.cost > a_part.amount / a_part.cost


def kinds_named(symbols: Any) -> set[Kind]:
    """Kinds that a list of symbols names, a class counting for each kind in it."""
    return {kind for symbol in symbols for kind in Kind if SYMBOL_KINDS[symbol] >> kind & 1}


def test_every_kind_but_boxed_is_taken_by_at_least_three_converters() -> None:
    """PART-1, PART-2: boxed pieces are taken as refined ones alone, as in all that sources show."""
    takers = Counter(
        kind
        for part in all_converters()
        for kind in kinds_named(
            [s for option in part.options[: part.num_options] for s in option.takes[: option.num_takes]]
        )
    )
    assert all(takers[kind] >= 3 for kind in Kind if kind != Kind.BOXED), takers
    assert takers[Kind.BOXED] == 2


def test_every_refined_kind_is_made_by_at_least_four_converters() -> None:
    """PART-1, PART-2"""
    makers = Counter(
        kind
        for part in all_converters()
        for kind in kinds_named(
            [s for option in part.options[: part.num_options] for s in option.makes[: option.num_makes]]
        )
    )
    assert all(makers[kind] >= 4 for kind in REFINED_KINDS), makers


def mirrored_part(part: Any) -> tuple[Any, ...]:
    mirror = {kind.name.lower(): MIRROR.get(kind, kind).name.lower() for kind in Kind}
    options = (
        tuple(tuple(sorted(mirror.get(word, word) for word in side)) for side in option) for option in options_of(part)
    )
    return (int(part.deck), int(part.cost), *sorted(options))


def as_it_is(part: Any) -> tuple[Any, ...]:
    options = (tuple(tuple(sorted(side)) for side in option) for option in options_of(part))
    return (int(part.deck), int(part.cost), *sorted(options))


def test_chunks_and_fingers_and_caramel_and_nuts_are_alike_in_the_parts() -> None:
    """PART-8: a published converter that favours a kind has a reconstructed mirror."""
    assert Counter(map(mirrored_part, all_converters())) == Counter(map(as_it_is, all_converters()))


def test_no_two_parts_are_the_same() -> None:
    """SET-2"""
    assert len(set(map(as_it_is, all_converters()))) == 26


@pytest.mark.parametrize("deck", [Deck.A, Deck.B])
def test_both_decks_have_parts_with_two_options_two_pieces_and_free_choice(deck: Deck) -> None:
    """PART-2, PART-3, PART-4"""
    options = [option for part in converters(deck) for option in part.options[: part.num_options]]
    assert sum(part.num_options == 2 for part in converters(deck)) >= 2
    assert sum(option.num_takes == 2 for option in options) >= 2
    assert sum(max(option.makes[: option.num_makes]) >= Symbol.BAR for option in options) >= 2


# --- orders


def test_a_stage_asks_for_one_to_five_refined_pieces() -> None:
    """FUL-2"""
    for stage in all_stages():
        assert 1 <= stage.number == sum(stage.pieces) <= 5
        assert stage.pieces[Kind.BEAN] == stage.pieces[Kind.COCOA] == 0


def test_every_stage_is_worth_more_than_the_one_before() -> None:
    """FUL-2"""
    for order in RECORD.orders[:54]:
        pay = [int(stage.pay) for stage in stages_of(order)]
        assert all(first < second for first, second in pairwise(pay))


def asks_no_less(stage: Any, other: Any) -> bool:
    """Whether every piece of the other stage has a match in this one that is refined as far or further."""
    steps = [[sum(s.pieces[kind:]) for kind in (Kind.CHUNKS, Kind.CARAMEL, Kind.BOXED)] for s in (stage, other)]
    return all(mine >= others for mine, others in zip(*steps, strict=True))


def test_more_and_further_refined_pieces_pay_no_less() -> None:
    """FUL-2"""
    for place in range(3):
        stages = [order.stages[place] for order in RECORD.orders[:54] if order.num_stages > place]
        for stage in stages:
            for other in stages:
                if asks_no_less(stage, other):
                    assert stage.pay >= other.pay


def test_later_stages_pay_more_for_the_same_pieces() -> None:
    """FUL-2"""
    stages = [(place, stage) for order in RECORD.orders[:54] for place, stage in enumerate(stages_of(order))]
    for place, stage in stages:
        for later, other in stages:
            if later > place and list(stage.pieces) == list(other.pieces):
                assert other.pay > stage.pay


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


@pytest.mark.parametrize(("size", "number"), [(Size.MEDIUM, 9), (Size.LARGE, 6)])
def test_half_of_the_medium_and_a_third_of_the_large_orders_ask_for_a_single_kind(size: Size, number: int) -> None:
    """FUL-2: both that the report tells do."""
    assert sum(len(kinds_of(order)) == 1 for order in orders_of(size)) == number


def test_the_published_pair_of_orders_pays_14_together() -> None:
    """FUL-3: the example of the rulebook, one caramel and one nuts, and three fingers in a second and final stage."""
    small = [o for o in orders_of(Size.SMALL) if list(o.stages[0].pieces) == pieces(caramel=1, nuts=1)]
    medium = [o for o in orders_of(Size.MEDIUM) if list(o.stages[1].pieces) == pieces(fingers=3)]
    assert len(small) == len(medium) == 1
    assert small[0].stages[0].pay + medium[0].stages[1].pay == 14
    assert "Published" in CARDS.notes["tea-room"]
    assert "Published" in CARDS.notes["harbour-store"]


def order_key(order: Any, mirror: bool = False) -> tuple[Any, ...]:
    def of(stage: Any) -> tuple[int, ...]:
        return tuple(int(stage.pieces[MIRROR.get(kind, kind) if mirror else kind]) for kind in Kind)

    return tuple((of(stage), int(stage.pay)) for stage in stages_of(order))


def test_no_two_orders_are_the_same() -> None:
    """SET-3"""
    assert len({tuple(pieces for pieces, _ in order_key(order)) for order in RECORD.orders[:54]}) == 54


def test_chunks_and_fingers_and_caramel_and_nuts_are_alike_in_the_orders() -> None:
    """SET-3"""
    assert {order_key(order) for order in RECORD.orders[:54]} == {order_key(o, mirror=True) for o in RECORD.orders[:54]}
    asked = sum(stage.pieces.astype(int) for stage in all_stages())
    assert asked[Kind.CHUNKS] == asked[Kind.FINGERS]
    assert asked[Kind.CARAMEL] == asked[Kind.NUTS]


# --- employees


@pytest.mark.parametrize("store", Store)
def test_every_store_has_seven_employees_the_director_once_and_three_others_twice(store: Store) -> None:
    """SET-4, EMP-1"""
    employees = employees_of(store)
    director = f"director-{store.name.lower()}"
    assert {i: int(e.count) for i, e in employees.items() if i == director} == {director: 1}
    assert [int(e.count) for i, e in employees.items() if i != director] == [2, 2, 2]
    assert sum(e.count for e in employees.values()) == 7


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
    EMP-15, EMP-16
    """
    employee = RECORD.employees[CARDS.employees.index(identifier)]
    assert (employee.store, employee.effect, employee.amount, employee.uses) == (store, effect, amount, uses)
    assert (CARDS.sources[identifier], CARDS.clauses[identifier]) == ("help", clause)


def test_there_are_35_employees_of_20_kinds() -> None:
    """SET-4; what they do is not in the rulebook but in the online help."""
    assert {CARDS.sources[identifier] for identifier in CARDS.employees} == {"help"}
    assert len(EMPLOYEES) == len(CARDS.employees) == RECORD.num_employees == 20
    assert sum(employee.count for employee in RECORD.employees[:20]) == 35


# --- stores

REFINED_MASK = 124
STORES = [
    # clause, store, side, kinds, pattern, number, per, spaces of (bars, wrapped, boxed)
    ("STORE-1", Store.PALACE_BOUTIQUE, Side.A, REFINED_MASK, Pattern.ONE_KIND, 0, 1, (1, 1, 1)),
    ("STORE-1", Store.PALACE_BOUTIQUE, Side.B, REFINED_MASK, Pattern.ALL_DIFFERENT, 0, 1, (1, 1, 1)),
    ("STORE-2", Store.FRESH_FANCIES, Side.A, 1 << Kind.CHUNKS, Pattern.ANY_MIX, 0, 1, (1, 1, 1)),
    ("STORE-2", Store.FRESH_FANCIES, Side.B, 1 << Kind.FINGERS, Pattern.ANY_MIX, 0, 1, (1, 1, 1)),
    ("STORE-3", Store.SALTERS_EMPORIUM, Side.A, 1 << Kind.CARAMEL, Pattern.ANY_MIX, 0, 1, (1, 1, 1)),
    ("STORE-3", Store.SALTERS_EMPORIUM, Side.B, 1 << Kind.NUTS, Pattern.ANY_MIX, 0, 1, (1, 1, 1)),
    ("STORE-4", Store.HOUSE_OF_LUXURY, Side.A, 1 << Kind.BOXED, Pattern.ANY_MIX, 0, 1, (1, 1, 1)),
    ("STORE-4", Store.HOUSE_OF_LUXURY, Side.B, 0b1100, Pattern.ANY_MIX, 0, 2, (1, 1, 1)),
    ("STORE-5", Store.DUNSTAN_GILBERTS, Side.A, 0b1110000, Pattern.ANY_MIX, 0, 2, (1, 1, 1)),
    ("STORE-5", Store.DUNSTAN_GILBERTS, Side.B, REFINED_MASK, Pattern.ONE_STAGE, 2, 2, (2, 3, 4)),
]


@pytest.mark.parametrize(("clause", "store", "side", "kinds", "pattern", "number", "per", "spaces"), STORES)
def test_the_side_of_the_store_is_as_published(
    clause: str,
    store: Store,
    side: Side,
    kinds: int,
    pattern: Pattern,
    number: int,
    per: int,
    spaces: tuple[int, int, int],
) -> None:
    """STORE-1, STORE-2, STORE-3, STORE-4, STORE-5"""
    rule = RECORD.stores[store, side]
    assert (rule.kinds, rule.pattern, rule.number, rule.per) == (kinds, pattern, number, per)
    bars, wrapped, boxed = spaces
    assert list(rule.spaces[2:]) == [bars, bars, wrapped, wrapped, boxed]
    identifier = CARDS.stores[store][side]
    assert (CARDS.sources[identifier], CARDS.clauses[identifier]) == ("rulebook", clause)


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


def test_targets_and_demands_use_all_kinds_of_objectives() -> None:
    """SOLO-7"""
    for cards in (RECORD.targets[: RECORD.num_targets], RECORD.demands[: RECORD.num_demands]):
        assert any(card.money > 0 for card in cards)
        assert any(card.orders.any() for card in cards)
        assert any(card.open_boxes > 0 for card in cards)
        assert any(card.order.number > 0 for card in cards)
    patterns = {Pattern(card.order.pattern) for card in manager_cards() if card.order.number}
    assert patterns >= {Pattern.ANY_MIX, Pattern.ONE_KIND, Pattern.ALL_DIFFERENT, Pattern.EXACT_MIX}


def test_some_targets_carry_up_to_three_special_orders_and_no_demand_does() -> None:
    """SOLO-2"""
    special = [int(target.special.sum()) for target in RECORD.targets[: RECORD.num_targets]]
    assert 2 <= sum(number > 0 for number in special) < len(special)
    assert max(special) == 3
    assert not any(demand.special.any() for demand in RECORD.demands)


def test_a_card_asks_for_named_stores_or_for_stores_of_choice_never_both() -> None:
    """SOLO-8"""
    assert not any(card.steps.any() and card.open_boxes for card in manager_cards())


def test_no_two_factory_manager_cards_are_the_same() -> None:
    """SOLO-1"""
    assert len({card.tobytes() for card in manager_cards()}) == 26


# --- numbers on no card


def test_coal_of_the_day_is_5_to_10() -> None:
    """PREP-1"""
    assert list(RECORD.coal) == [5, 6, 7, 8, 9, 10]
    assert len(RECORD.coal) == NUM_DAYS


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
