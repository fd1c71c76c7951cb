"""The types of a deck's tables, and what the rules fix about the deck as a whole.

Words are used as the numbers of `constants.py`, absent fields have their defaults, and lists without a meaningful order
are sorted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Self

from msgspec import UNSET, Meta, Struct, UnsetType, field
from msgspec.structs import asdict

from ...core.cards.deck import Card, Table, need_field
from ...core.reading import Form, Numbers, Word, between, entries, need, numbers_of, one_of
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
from .part_functions import BY_OPTIONS, PART_FUNCTIONS

PRINTED_FUNCTIONS = ("converter", "upgrader", "chute")  # SET-7, by slot
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
OBJECTIVES = ("money", "orders", "stores", "any_stores", "chocolate_order", "special_orders")
ORDER_PATTERNS = ("any_mix", "one_kind", "all_different", "one_stage", "exact_mix")  # of chocolate orders
REFINED_STAGES = {"bar": 2, "wrapped": 3, "boxed": 4}  # as in `STAGE_OF_REFINEMENT`


class SymbolWord(Word, words=SYMBOLS): ...


class StoreWord(Word, words=STORES): ...


class SizeWord(Word, words=SIZES): ...


class DeckWord(Word, words=DECKS): ...


class SideWord(Word, words=SIDES | EXPANSION_SIDES): ...


# --- Parts ---

Cost = Annotated[int, between(0, MAX_COST)]


class Option(Table):
    """An option that moves a piece to another tile (MC-2) takes it and makes nothing."""

    takes: Annotated[list[SymbolWord], entries(1, MAX_TAKES)] | UnsetType = UNSET
    makes: Annotated[list[SymbolWord], entries(1, MAX_MAKES)] | UnsetType = UNSET
    moves: SymbolWord | UnsetType = UNSET

    def __post_init__(self) -> None:
        by_moves = self.moves is not UNSET
        for key in ("takes", "makes"):
            need_field(self, key, not by_moves, f"an option that {'moves' if by_moves else 'converts'}")
        if self.moves is not UNSET:
            self.takes, self.makes, self.moves = [self.moves], [], UNSET
        self.takes, self.makes = sorted(self.takes or ()), sorted(self.makes or ())


class FunctionWord(Word, words=FUNCTIONS): ...


class Part(Card):
    sorted_by: ClassVar[str] = "deck"

    deck: DeckWord
    function: FunctionWord
    cost: Cost | UnsetType = UNSET
    options: list[Option] | UnsetType = UNSET
    amount: int | UnsetType = UNSET

    def check(self) -> None:
        function, of = PART_FUNCTIONS[Function(self.function)], f"the function {self.function.word!r}"
        need_field(self, "cost", function.costs, of)
        need_field(self, "options", function.words == BY_OPTIONS, of)
        number = 1 if self.options is UNSET else len(self.options)
        need(1 <= number <= MAX_OPTIONS, f"1 to {MAX_OPTIONS} options", number, "options")
        need_field(self, "amount", bool(function.most) and (1, function.most), of)
        expected = f"at most {MAX_SECOND_MAKES} pieces of a second option (the one that makes more comes first)"
        for index, option in enumerate(self.options or ()):
            made = len(option.makes or ())
            need(index == 0 or made <= MAX_SECOND_MAKES, expected, made, "options", index, "makes")


# --- Orders ---


class Pieces(Numbers, words=REFINED, most=MAX_STAGE_PIECES): ...


class Stage(Table):
    pieces: Pieces
    pay: Annotated[int, between(1, MAX_ORDER_PAY)]

    def __post_init__(self) -> None:
        number = sum(self.pieces)
        need(number <= MAX_STAGE_PIECES, f"at most {MAX_STAGE_PIECES} pieces in all", number, "pieces")


class Order(Card):
    sorted_by: ClassVar[str] = "size"
    beside: ClassVar[tuple[str, ...]] = ("numbers", "pay")  # FUL-2: of its stages

    size: SizeWord
    stages: Annotated[list[Stage], entries(1, MAX_STAGES)]

    def check(self) -> None:
        """SET-3, FUL-2: the size gives the number of stages; each is worth more than the one before."""
        need(
            len(self.stages) == self.size + 1,
            f"{self.size + 1} for a {self.size.word} order",
            len(self.stages),
            "stages",
        )
        for index, (one, other) in enumerate(pairwise(self.stages), start=1):
            expected = f"more than the {one.pay} of the stage before"
            need(other.pay > one.pay, expected, other.pay, "stages", index, "pay")


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


EFFECTS_AT_STORES = (Effect.DOUBLE_SUPPLY, Effect.OTHER_STORE)  # not for employees without a store (MC-5)


class EffectWord(Word, words=EFFECTS): ...


class NewEffectWord(
    Word, words={key: effect for key, effect in EFFECTS.items() if effect not in EFFECTS_AT_STORES}
): ...


class AnyEmployee(Card, kw_only=True):
    effect: Word
    amount: int | UnsetType = UNSET
    uses: int | UnsetType = UNSET

    def check(self) -> None:
        for key, limits in (("amount", AMOUNTS), ("uses", USES)):
            need_field(self, key, limits.get(Effect(self.effect), False), f"the effect {self.effect.word!r}")


class Employee(AnyEmployee):
    store: StoreWord
    effect: EffectWord
    count: Annotated[int, between(1, EMPLOYEES_PER_STORE)]


class NewEmployee(AnyEmployee):
    effect: NewEffectWord
    count: Annotated[int, between(1, NUM_DAYS)]


# --- Deliveries: rules of stores, and chocolate orders ---

OneToNine = Annotated[int, between(1, MAX_DELIVERY)]


class RefinedWord(Word, words=REFINED_SYMBOLS): ...


class Accepts(int, Form):
    """A list of symbols, used as a bit mask of their kinds."""

    written = Annotated[list[RefinedWord], entries(1, len(REFINED_SYMBOLS))]

    @classmethod
    def of(cls, value: Iterable[int]) -> Self:
        kinds = 0
        for symbol in value:
            kinds |= int(SYMBOL_KINDS[symbol])
        return cls(kinds)

    def kinds(self) -> list[int]:
        return [kind for kind in Kind if self >> kind & 1]


class Spaces(list[int], Form):
    """Spaces for any pieces, used as a list by kind."""

    written = Annotated[int, between(1, MAX_SPACES)]

    @classmethod
    def of(cls, value: int) -> Self:
        return cls([value] * len(Kind))


class StageSpaces(Numbers, words=REFINED_STAGES, most=MAX_SPACES):
    """Spaces by stage of refinement, used as a list by kind."""

    @classmethod
    def of(cls, value: Struct) -> Self:
        stages = super().of(value)
        return cls(stages[stage] for stage in STAGE_OF_REFINEMENT)


class StoreRule(Card, tag_field="pattern", kw_only=True):
    """The rule of a store on one of its sides."""

    store: StoreWord
    side: SideWord

    @property
    def pattern(self) -> int:
        """In `by_number`, an any-mix, spaces depend on the number of pieces."""
        return {**PATTERNS, "by_number": int(Pattern.ANY_MIX)}[str(self.__struct_config__.tag)]


class PerPieces(StoreRule, kw_only=True):
    accepts: Accepts
    number: OneToNine = 0
    per: OneToNine = 1
    spaces: Spaces | StageSpaces

    def check(self) -> None:
        need_kinds(self, "number", "per")
        need(self.number % self.per == 0, f"a multiple of `per`, which is {self.per}", self.number, "number")
        for kind in self.accepts.kinds():
            expected = f"an entry for {Kind(kind).name.lower()}, which is accepted"
            need(self.spaces[kind] > 0, expected, None, "spaces", found="none")


class AnyMix(PerPieces, tag="any_mix"):
    spaces: Spaces


class OneKind(PerPieces, tag="one_kind"):
    spaces: Spaces


class AllDifferent(PerPieces, tag="all_different"):
    spaces: Spaces


class OneStage(PerPieces, tag="one_stage"):
    spaces: StageSpaces


class ByNumber(StoreRule, tag="by_number"):
    accepts: Accepts
    # for a delivery of 1, 2, 3 … pieces; 0 for a number that is no delivery
    spaces_by_number: Annotated[list[Annotated[int, between(0, MAX_SPACES)]], entries(1, MAX_BY_NUMBER)]

    def check(self) -> None:
        last = len(self.spaces_by_number) - 1
        need(self.spaces_by_number[-1] > 0, "the last number to move the marker", 0, "spaces_by_number", last)
        kinds = len(self.accepts.kinds())
        expected = f"at most {kinds} entries, one for each kind accepted"
        fits = self.pattern != Pattern.IN_ORDER or last < kinds
        need(fits, expected, self.spaces_by_number, "spaces_by_number")


class InOrder(ByNumber, tag="in_order"): ...


class SetOfPieces(Table):
    pieces: Pieces
    spaces: Annotated[int, between(1, MAX_SPACES)]


class Sets(StoreRule, tag="sets"):
    sets: Annotated[list[SetOfPieces], entries(1, len(REFINED))]
    most_of_a_set: OneToNine = 0

    def check(self) -> None:
        """Sets share no kind, so that a piece identifies its set."""
        seen: set[int] = set()
        for index, one in enumerate(self.sets):
            kinds = {kind for kind, number in enumerate(one.pieces) if number}
            shared = ", ".join(Kind(kind).name.lower() for kind in sorted(kinds & seen))
            need(not shared, "kinds that are in no earlier set", None, "sets", index, "pieces", found=shared)
            seen |= kinds


class DayMoney(StoreRule, tag="day_money"):
    pounds: Annotated[int, between(1, MAX_POUNDS)]


class OtherStore(StoreRule, tag="other_store"): ...


Rule = AnyMix | OneKind | AllDifferent | OneStage
# Base sides cannot have the others: only observations with the expansion show them.
NewRule = AnyMix | OneKind | AllDifferent | OneStage | ByNumber | InOrder | Sets | DayMoney | OtherStore


class PatternWord(Word, words={key: number for key, number in PATTERNS.items() if key in ORDER_PATTERNS}): ...


class ChocolateOrder(Table):
    """Of an exact mix, the pieces give the number and what is accepted."""

    pattern: PatternWord
    accepts: Accepts | UnsetType = UNSET
    number: OneToNine | UnsetType = UNSET
    pieces: Pieces | UnsetType = UNSET

    def __post_init__(self) -> None:
        exact = self.pattern.word == "exact_mix"
        for key, there in (("accepts", not exact), ("number", not exact), ("pieces", exact)):
            need_field(self, key, there, f"the pattern {self.pattern.word!r}")
        if exact:
            pieces = self.pieces or ()
            self.number = sum(pieces)
            self.accepts = Accepts(sum(1 << kind for kind, number in enumerate(pieces) if number))
            need(self.number <= MAX_DELIVERY, f"at most {MAX_DELIVERY} pieces in all", self.number, "pieces")
        need_kinds(self, "number")


def need_kinds(delivery: Any, *fields: str) -> None:
    """A delivery of different kinds is of no more pieces than there are kinds."""
    if delivery.pattern == Pattern.ALL_DIFFERENT:
        kinds = len(delivery.accepts.kinds())
        for name in fields:
            pieces = getattr(delivery, name)
            need(pieces <= kinds, f"at most the {kinds} different kinds accepted", pieces, name)


# --- Factory Manager ---


class OrdersAsked(Numbers, words=ORDER_SIZES, most=9): ...


class StoresAsked(Numbers, words=STORES, most=TRACK_END): ...


class SpecialOrders(Numbers, words=SIZES, most=SPECIAL_ORDERS): ...


class AnyStores(Table):
    number: Annotated[int, between(1, NUM_STORES)]
    steps: Annotated[int, between(1, TRACK_END)]


class Demand(Card):
    beside: ClassVar[tuple[str, ...]] = ("kind",)  # SOLO-11: a source may not say if it is a Weekly Target or a Demand

    money: Annotated[int, between(1, MOST_MONEY)] = 0
    orders: OrdersAsked = field(default_factory=OrdersAsked.none)
    stores: StoresAsked = field(default_factory=StoresAsked.none)
    any_stores: AnyStores | None = None
    chocolate_order: ChocolateOrder | None = None

    def check(self) -> None:
        """SOLO-7. No card has both named stores and stores of choice: they would have to differ, which the exact check
        of a won game does not consider.
        """
        asked = {key: getattr(self, key) for key in self.__struct_fields__ if key in OBJECTIVES}
        there = any(any(value) if isinstance(value, list) else value for value in asked.values())
        need(there, f"at least one of {', '.join(asked)}", None, found="none")
        both = any(self.stores) and self.any_stores
        need(not both, "no stores of choice beside named ones on one card", None, "any_stores", found="both")


class Target(Demand):
    special_orders: SpecialOrders = field(default_factory=SpecialOrders.none)

    def check(self) -> None:
        super().check()
        number = sum(self.special_orders)
        need(number <= SPECIAL_ORDERS, f"at most {SPECIAL_ORDERS} in all", number, "special_orders")


# --- Setup ---


PacketSize = Annotated[int, Meta(ge=1)]


class Packets(Table, rename={"two": "2", "three": "3", "four": "4"}):
    """PREP-2: sizes of packets by number of players: one packet each, with all cards of the display among them."""

    cards: ClassVar[int] = DISPLAY

    two: Annotated[list[PacketSize], entries(2)]
    three: Annotated[list[PacketSize], entries(3)]
    four: Annotated[list[PacketSize], entries(4)]

    def __post_init__(self) -> None:
        for sizes in (self.two, self.three, self.four):
            need(sum(sizes) == self.cards, f"sizes that add up to {self.cards}", sizes, str(len(sizes)))


class EmployeePackets(Packets):
    cards: ClassVar[int] = EMPLOYEE_DECKS


class KeptPieces(Table):
    several_players: Annotated[int, between(0, MOST_PIECES)]
    solo: Annotated[int, between(0, MOST_PIECES)]


Prize = Annotated[int, between(0, MAX_PRIZE)]


class Setup(Card):
    coal: Annotated[list[Annotated[int, between(0, MOST_COAL)]], entries(NUM_DAYS)]
    packets: Packets
    store_prizes: Annotated[list[Prize], entries(3)]
    most_orders_prize: Prize
    variety_prizes: Annotated[list[Prize], entries(NUM_STORES + 1)]
    kept_pieces: KeptPieces


# --- The deck as a whole ---


class BaseDeck(Table):
    parts: list[Part]
    orders: Annotated[list[Order], entries(ORDERS, of="orders")]  # SET-3
    employees: list[Employee]
    stores: list[Rule]
    targets: Annotated[list[Target], Meta(min_length=1, description="at least 1 target")]
    demands: Annotated[
        list[Demand], Meta(min_length=MIN_DEMANDS, description=f"at least {MIN_DEMANDS} demands")
    ]  # SOLO-1
    setup: Annotated[list[Setup], entries(1, of="table")]


def check(deck: BaseDeck) -> None:
    """What holds between cards."""
    check_parts(deck.parts)
    sizes = Counter(order.size.word for order in deck.orders)
    for size in SIZES:  # SET-3: as many orders of each size as players can have in hand
        need(sizes[size] >= ORDERS_PER_SIZE, f"at least {ORDERS_PER_SIZE} {size} orders", sizes[size], "orders")
    employees = Counter(card.store.word for card in deck.employees for _ in range(card.count))  # SET-4
    check_counts(employees, dict.fromkeys(STORES, EMPLOYEES_PER_STORE), "employees of the store", "employees")
    check_sides(deck.stores, SIDES)
    cards = len(deck.targets) + len(deck.demands)  # SOLO-1
    need(cards == MANAGER_CARDS, f"{MANAGER_CARDS} cards together", cards, ("targets", "demands"))
    check_coal(deck)
    check_requirements(deck)


def check_counts(got: Mapping[str, int], expected: Mapping[str, int], what: str, *path: Any) -> None:
    for key, number in expected.items():
        need(got.get(key, 0) == number, f"{number} {what} of {key!r}", got.get(key, 0), *path)


def check_parts(parts: Sequence[Part]) -> None:
    """SET-2, SET-7"""
    decks = Counter(part.deck.word for part in parts)
    expected = {"printed": len(PRINTED_FUNCTIONS), "A": PARTS_PER_DECK, "B": PARTS_PER_DECK}
    check_counts(decks, expected, "parts of the deck", "parts")
    printed = [part.function.word for part in parts if part.deck.word == "printed"]
    by_slot = f"the printed parts to be {', '.join(PRINTED_FUNCTIONS)}, by slot"
    need(printed == [*PRINTED_FUNCTIONS], by_slot, None, "parts", found=", ".join(printed))
    check_no_chute(parts)


def check_no_chute(parts: Sequence[Part]) -> None:
    """RUN-6"""
    for part in parts:
        fits = part.function.word != "chute" or part.deck.word == "printed"
        need(fits, "no chute but the printed one", part.function.word, "parts", part, "function")


def check_sides(rules: Sequence[StoreRule], letters: Iterable[str]) -> None:
    """SET-5, MC-3: the rule of each side once."""
    for rule in rules:
        need(rule.side.word in letters, one_of(letters), rule.side.word, "stores", rule, "side")
    there = Counter((rule.store.word, rule.side.word) for rule in rules)
    for store in STORES:
        for side in letters:
            times = there[store, side]
            need(times == 1, f"side {side} of {store} once", None, "stores", found=f"it {times} times")


def check_coal(deck: BaseDeck) -> None:
    """PREP-1, DRAFT-5: observations can show all the coal that a player can receive."""
    givers = [card for card in deck.employees if card.effect.word == "coal"]
    gifts = [card.amount or 0 for card in givers for _ in range(card.count)]
    days, given = sum(deck.setup[0].coal), sum(nlargest(NUM_DAYS, gifts))
    expected = f"at most {MOST_COAL} on {NUM_DAYS} days, the largest gifts included"
    need(days + given <= MOST_COAL, expected, None, ("setup", "employees"), "coal", found=f"{days} + {given}")


def check_requirements(deck: BaseDeck) -> None:
    """SOLO-1, SOLO-8: observations can show the most that a target and its demands can require together."""
    fields = [("money",), *(("orders", size) for size in ORDER_SIZES), *(("stores", store) for store in STORES)]
    highs = [MOST_MONEY, *[MOST_ORDERS] * len(ORDER_SIZES), *[MOST_STEPS] * len(STORES)]
    targets, demands = (
        zip(*([card.money, *card.orders, *card.stores] for card in cards), strict=True)
        for cards in (deck.targets, deck.demands)
    )
    for path, high, by_target, by_demand in zip(fields, highs, targets, demands, strict=True):
        asked = max(by_target) + sum(nlargest(MAX_DEMANDS, by_demand))
        expected = f"at most {high} on a target and {MAX_DEMANDS} demands together"
        need(asked <= high, expected, asked, ("targets", "demands"), *path)


# --- An expansion ---


class Manifest(Card):
    new_parts: Annotated[int, between(0, MAX_NEW_PARTS)]  # per deck; as many leave it (MC-1)
    employees: Annotated[int, between(NUM_DAYS, NUM_DAYS)]  # one per day (MC-5)
    sides: list[SideWord]
    most_money_sides: Annotated[int, between(0, NUM_STORES)]  # among drawn sides (MC-3)
    employee_packets: EmployeePackets

    def check(self) -> None:
        sides = [side.word for side in self.sides]
        need(sides == list(EXPANSION_SIDES), f"{list(EXPANSION_SIDES)}", sides, "sides")


class Expansion(Table):
    expansion: Annotated[list[Manifest], entries(1, of="table")]
    parts: list[Part]
    employees: list[NewEmployee]
    stores: list[NewRule]


class ExpandedDeck(BaseDeck):
    expansion: list[Manifest]


def check_expansion(name: str, new: Expansion) -> None:
    """The tables of the expansion of this name hold what its manifest announces."""
    check_sides(new.stores, EXPANSION_SIDES)
    manifest = new.expansion[0]
    need(manifest.id == name, repr(name), manifest.id, "expansion", manifest, "id")
    for part in new.parts:
        need(part.deck.word != "printed", "'A' or 'B'", part.deck.word, "parts", part, "deck")
    check_no_chute(new.parts)
    decks = Counter(part.deck.word for part in new.parts)
    announced = dict.fromkeys(("A", "B"), manifest.new_parts)
    check_counts(decks, announced, "parts of the deck", ("expansion", "parts"))
    employees = sum(employee.count for employee in new.employees)
    need(employees == manifest.employees, f"{manifest.employees} employees", employees, ("expansion", "employees"))
    check_draw(manifest, new.stores)


def check_draw(manifest: Manifest, new_rules: Sequence[StoreRule]) -> None:
    """MC-3, MC-7: some draw of sides with one of the expansion's is allowed."""
    by_money = all(rule.pattern == Pattern.DAY_MONEY for rule in new_rules)
    most, least = manifest.most_money_sides, LEAST_NEW_SIDES if by_money else 0
    expected = f"at least {least}, because all new sides go by the day's money and a draw has one of them"
    need(most >= least, expected, most, ("expansion", "stores"), manifest, "most_money_sides")


def combined(base: BaseDeck, new: Expansion) -> ExpandedDeck:
    """MC-1, MC-3, MC-5: append the expansion's cards to the base game's. Its employees have no store."""
    tables = asdict(base)
    tables["parts"] = sorted(base.parts + new.parts, key=lambda part: part.deck)
    tables["employees"] = base.employees + [Employee(**asdict(card), store=StoreWord(NONE)) for card in new.employees]
    tables["stores"] = [*base.stores, *new.stores]
    return ExpandedDeck(**tables, expansion=new.expansion)
