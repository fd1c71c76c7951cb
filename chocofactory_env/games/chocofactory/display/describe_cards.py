"""The cards as a page of Markdown: `python -m chocofactory_env.games.chocofactory.display.describe_cards [deck.toml]`.

The page is made from the record that the rules use, so it cannot differ from play. `make site` writes it for the
shipped deck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from ....core.cards.deck_pages import head, notes, summary, table
from ....core.command import Command
from ....core.errors import DeckError
from ....core.text import words as text_words
from ..cards import EXPANSIONS, Cards, Delivery, Employee, ManagerCard, Option, Order, Part, load_cards
from ..constants import NONE, SYMBOL_KINDS, Deck, Effect, Function, Kind, Pattern, Side, Size, Store, Symbol
from ..deck_schema import PARTS_PER_DECK
from ..part_functions import BY_OPTIONS, PART_FUNCTIONS

Item = TypeVar("Item")

STORE_NAMES: Final = {
    "palace_boutique": "Palace Boutique",
    "fresh_fancies": "Fresh Fancies",
    "salters_emporium": "Salter's Emporium",
    "house_of_luxury": "House of Luxury",
    "dunstan_gilberts": "Dunstan & Gilbert's",
}
EFFECT_WORDS = {
    Effect.DOUBLE_SUPPLY: "benefit: spaces from supplying this store count {amount} times",
    Effect.COAL: "gift: {amount} coal",
    Effect.MOVE_PIECE: "action: move a piece to another tile, {uses}",
    Effect.STAGE_PAY: "benefit: every stage pays £{amount} more",
    Effect.SKIP_STAGE: "action: skip a stage without pay, {uses}",
    Effect.UPGRADE_PIECE: "action: upgrade points on one tile: {amount}, {uses}",
    Effect.HALF_COST: "benefit: one part costs half its coal, rounded up",
    Effect.ANY_PIECES: "action: a stage with any refined pieces, {uses}",
    Effect.FEWER_PIECES: "action: a stage with one piece fewer, {uses}",
    Effect.MORE_SHIFTS: "benefit: more shifts, if wanted: {amount}",
    Effect.MORE_BEANS: "benefit: more beans with every load: {amount}",
    Effect.OTHER_STORE: "action: supply another store at the start of Cleanup",
    Effect.DOUBLE_TILE: "action: double the pieces on one tile",
    Effect.REACH: "benefit: one part may work on a neighbouring tile at {amount} more coal",
}
PATTERN_WORDS = {
    Pattern.ANY_MIX: "any mix",
    Pattern.ONE_KIND: "all of one kind",
    Pattern.ALL_DIFFERENT: "all of different kinds",
    Pattern.ONE_STAGE: "all bars, all wrapped or all boxed",
    Pattern.IN_ORDER: "one each of the first kinds",
}
WITH_PLURAL = ("bean", "bar", "chunk", "finger", "nut", "step", "upgrade step")  # other words do not change


def name_of(member: Any) -> str:
    return str(member.name).lower()


def counted(number: int, word: str) -> str:
    """`1 chunk`, `2 chunks`, `2 caramel`; `word` is a singular or the name of a kind."""
    one = word.removesuffix("s")
    return text_words.counted(number, one) if one in WITH_PLURAL else f"{number} {word}"


def times(number: int) -> str:
    return ("never", "once", "twice")[number] if number < 3 else f"{number} times"


def symbols_in_words(symbols: Iterable[int]) -> str:
    return " + ".join(counted(number, name_of(Symbol(symbol))) for symbol, number in Counter(symbols).items())


def pieces_in_words(pieces: Sequence[int]) -> str:
    return " + ".join(counted(number, name_of(Kind(kind))) for kind, number in enumerate(pieces) if number)


def widest_classes(kinds: int) -> list[int]:
    """The Symbols of the widest classes that make up the kinds, from wide to narrow."""
    found = []
    for symbol in reversed(Symbol):
        members = int(SYMBOL_KINDS[symbol])
        if members & kinds == members:
            found.append(int(symbol))
            kinds &= ~members
    return found


def kinds_in_words(kinds: int) -> str:
    classes = sorted(widest_classes(kinds), key=SYMBOL_KINDS.__getitem__)
    return " or ".join(name_of(Symbol(symbol)) for symbol in classes)


def option_in_words(option: Option) -> str:
    takes = symbols_in_words(option.takes[: option.num_takes].tolist())
    if option.num_makes == 0:
        return f"{takes} → another tile"
    makes = symbols_in_words(option.makes[: option.num_makes].tolist())
    return f"{takes} → {makes}"


def part_in_words(part: Part) -> str:
    function = PART_FUNCTIONS[Function(part.function)]
    if function.words == BY_OPTIONS:
        return ", or ".join(option_in_words(option) for option in part.options[: part.num_options])
    return with_amount(function.words, part)


def with_amount(words: str, part: Part) -> str:
    """Fill the part's amount into words from `part_functions`."""
    amount = int(part.amount)
    return words.format(steps=counted(amount, "upgrade step"), times=times(amount))


def stages_in_words(order: Order) -> str:
    stages = order.stages[: order.num_stages]
    return "; ".join(f"{pieces_in_words(stage.pieces.tolist())}: £{stage.pay}" for stage in stages)


def effect_in_words(employee: Employee) -> str:
    return EFFECT_WORDS[Effect(employee.effect)].format(amount=employee.amount, uses=f"{times(employee.uses)} a day")


def spaces_by_stage(rule: Delivery) -> Iterator[tuple[Symbol, int]]:
    """The spaces for a piece of each stage of refinement that the store accepts."""
    for symbol, kind in ((Symbol.BAR, Kind.CHUNKS), (Symbol.WRAPPED, Kind.CARAMEL), (Symbol.BOXED, Kind.BOXED)):
        if int(rule.kinds) & int(SYMBOL_KINDS[symbol]):
            yield symbol, int(rule.spaces[kind])


def spaces_in_words(rule: Delivery) -> str:
    if rule.pattern != Pattern.ONE_STAGE:
        return str(rule.spaces[Kind.CHUNKS])
    return ", ".join(f"{name_of(symbol)} {spaces}" for symbol, spaces in spaces_by_stage(rule))


def rule_in_words(rule: Delivery) -> str:
    if rule.pattern == Pattern.OTHER_STORE:
        return "as any other store accepts it, chosen at each delivery"
    if rule.pattern == Pattern.DAY_MONEY:
        return f"no pieces; 1 space for every £{rule.per} that the day's orders have paid"
    if rule.pattern == Pattern.SETS:
        return sets_in_words(rule)
    number = f"exactly {rule.number}, " if rule.number else ""
    per = "a piece" if rule.per == 1 else f"{rule.per} pieces"
    kinds = kinds_in_words(int(rule.kinds))
    if rule.most_pieces:
        numbers = " / ".join(str(spaces) if spaces else "–" for spaces in rule.by_number[: rule.most_pieces])
        return f"{kinds}, {PATTERN_WORDS[Pattern(rule.pattern)]}; spaces for 1 to {rule.most_pieces} pieces: {numbers}"
    return f"{number}{kinds}, {PATTERN_WORDS[Pattern(rule.pattern)]}; spaces for {per}: {spaces_in_words(rule)}"


def sets_in_words(rule: Delivery) -> str:
    sets = []
    for first in sorted({first for first in rule.first_of_set.tolist() if first != NONE}):
        pieces = [int(number) if rule.first_of_set[kind] == first else 0 for kind, number in enumerate(rule.set_pieces)]
        sets.append(f"{pieces_in_words(pieces)} = {rule.spaces[first]}")
    most = f", {times(rule.most_of_a_set)} each" if rule.most_of_a_set else ", any number of each"
    return f"sets{most}; spaces for a set: {', '.join(sets)}"


def chocolate_order_in_words(order: Delivery) -> str:
    if order.pattern == Pattern.EXACT_MIX:
        return f"deliver {pieces_in_words(order.set_pieces.tolist())}"
    pieces = counted(order.number, kinds_in_words(int(order.kinds)))
    return f"deliver {pieces}, {PATTERN_WORDS[Pattern(order.pattern)]}"


def sizes_in_words(numbers: Sequence[int]) -> str:
    sizes = [*(name_of(size) for size in Size), "of any size"]
    return " + ".join(f"{number} {size}" for number, size in zip(numbers, sizes, strict=False) if number)


def objectives_in_words(card: ManagerCard, money: str) -> str:
    words = []
    if any(card.special):
        words.append(f"Special Orders: {sizes_in_words(card.special.tolist())}")
    if card.money:
        words.append(money.format(card.money))
    if any(card.orders):
        words.append(f"completed orders: {sizes_in_words(card.orders.tolist())}")
    for store, steps in enumerate(card.steps.tolist()):
        if steps:
            words.append(f"{STORE_NAMES[name_of(Store(store))]}: {counted(steps, 'step')}")
    if card.open_boxes:
        stores = "one store" if card.open_boxes == 1 else f"{card.open_boxes} different stores"
        words.append(f"{stores} of choice: {counted(card.open_steps, 'step')} each")
    if card.order.number:
        words.append(chocolate_order_in_words(card.order))
    return "; ".join(words)


def numbered(identifiers: Sequence[str], rows: Sequence[Item]) -> Iterator[tuple[str, Item]]:
    """Pairs of an id and its row; unused rows are dropped."""
    return zip(identifiers, rows, strict=False)


def summary_of(cards: Cards, known: Collection[str] = ()) -> Iterator[str]:
    """How many cards are published, in part or in full, and how many are reconstructed."""
    tables = {
        "factory parts": cards.parts,
        "corner-shop orders": cards.orders,
        "kinds of employees": cards.employees,
        "sides of department stores": [side for sides in cards.stores for side in sides],
        "weekly targets": cards.targets,
        "demands": cards.demands,
    }
    return summary(cards, tables, known)


def parts_of_decks(cards: Cards, known: Collection[str] = ()) -> Iterator[str]:
    parts = [(i, part, str(part.cost), part_in_words(part)) for i, part in numbered(cards.parts, cards.record.parts)]
    for deck, title in ((Deck.PRINTED, "Printed parts"), (Deck.A, "Parts of deck A"), (Deck.B, "Parts of deck B")):
        rows = ((i, *words) for i, part, *words in parts if part.deck == deck)
        yield from table(cards, title, "coal | function", rows, known)


def orders_of_sizes(cards: Cards) -> Iterator[str]:
    orders = [(i, order, stages_in_words(order)) for i, order in numbered(cards.orders, cards.record.orders)]
    # By key, because as an attribute `size` is NumPy's own.
    for size in Size:
        title = f"{name_of(size).capitalize()} orders"
        yield from table(cards, title, "stages", ((i, *words) for i, order, *words in orders if order["deck"] == size))


def employees_and_stores(cards: Cards, known: Collection[str] = ()) -> Iterator[str]:
    employees = numbered(cards.employees, cards.record.employees)
    staff = ((i, store_of(e), str(e.count), effect_in_words(e)) for i, e in employees)
    yield from table(cards, "Employees", "store | cards | effect", staff, known)
    rules = cards.record.stores
    sides = (
        (identifier, Side(side).name, rule_in_words(rules[store, side]))
        for store in Store
        for side, identifier in enumerate(cards.stores[store])
    )
    yield from table(cards, "Department stores", "side | a delivery", sides, known)


def store_of(employee: Employee) -> str:
    return "–" if employee.store == NONE else name_of(Store(employee.store))


def manager_cards(cards: Cards) -> Iterator[str]:
    targets = numbered(cards.targets, cards.record.targets)
    rows = ((i, objectives_in_words(card, "£{} from orders")) for i, card in targets)
    yield from table(cards, "Weekly Targets", "asks for", rows)
    demands = numbered(cards.demands, cards.record.demands)
    rows = ((i, objectives_in_words(card, "£{} more from orders")) for i, card in demands)
    yield from table(cards, "Demands", "asks for", rows)


def setup_numbers(cards: Cards) -> Iterator[str]:
    record = cards.record
    yield "## Numbers that are on no card"
    yield ""
    yield f"- coal by day: {', '.join(map(str, record.coal))}"
    for players in range(2, len(record.packets)):
        yield f"- packets of {players} players: {' / '.join(str(size) for size in record.packets[players] if size)}"
    yield f"- prizes of a store: {' / '.join(f'£{prize}' for prize in record.store_prizes)}"
    yield f"- most completed orders: £{record.most_orders_prize}"
    yield f"- markers above 0 at 0 to 5 stores: {' / '.join(f'£{prize}' for prize in record.variety_prizes)}"
    yield f"- pieces kept overnight: {record.kept_pieces[0]}, in the solo game {record.kept_pieces[1]}"


def expansion_numbers(cards: Cards) -> Iterator[str]:
    record = cards.record
    yield "## What else it changes"
    yield ""
    size = record.part_deck_size
    yield f"- parts of each deck: {size}, of which {size - PARTS_PER_DECK}, drawn at random, leave it"
    for players in range(2, len(record.employee_packets)):
        sizes = " / ".join(str(size) for size in record.employee_packets[players] if size)
        yield f"- employee packets of {players} players: {sizes}"
    yield f"- sides C and D, when sides are drawn: at least {record.least_new_sides}"
    yield f"- sides that go by the day's money, when sides are drawn: at most {record.most_money_sides}"


def numbers_in_brief(cards: Cards, only_completed: bool) -> Mapping[str, object]:
    """The deck's numbers in the rules in brief, by their names in `data/brief.md`."""
    record = cards.record
    first, second, third = record.store_prizes.tolist()
    variety = {stores: prize for stores, prize in enumerate(record.variety_prizes.tolist()) if prize} or {5: 0}
    return {
        "most_orders": record.most_orders_prize,
        "store_prizes": f"{first}, {second} and {third}",
        "variety_prizes": text_words.either([str(prize) for prize in variety.values()]),
        "variety_stores": text_words.either([text_words.in_words(stores) for stores in variety]),
        "money_alone": "money of completed orders" if only_completed else "money",
        "kept": record.kept_pieces[0],
        "kept_alone": record.kept_pieces[1],
    }


def sections(cards: Cards, expanded: Mapping[str, Cards | DeckError]) -> Iterator[str]:
    """The page, line by line. `expanded`: by expansion, the deck with it, or the reason why they do not combine."""
    yield from head("The cards", "chocofactory")
    yield from summary_of(cards)
    yield from parts_of_decks(cards)
    yield from orders_of_sizes(cards)
    yield from employees_and_stores(cards)
    yield from manager_cards(cards)
    yield from setup_numbers(cards)
    yield from notes(cards)
    for expansion, more in expanded.items():
        known = cards.names.keys()
        yield ""
        if isinstance(more, DeckError):
            yield f"With the expansion `{expansion}` this deck cannot be played: {more}"
            continue
        yield f"# The expansion {more.names[expansion]}"
        yield ""
        yield f'What `expansion="{expansion}"` adds to the cards above.'
        yield ""
        yield from summary_of(more, known)
        yield from parts_of_decks(more, known)
        yield from employees_and_stores(more, known)
        yield from expansion_numbers(more)
        yield from notes(more, known)


def describe(path: str | None = None) -> str:
    """The cards of the shipped deck, or of your own, in words; DeckError if there is no such deck.

    Args:
        path: TOML file of your own deck.
    """
    return "\n".join(sections(load_cards(path), {name: expanded_or_why_not(path, name) for name in EXPANSIONS})) + "\n"


def expanded_or_why_not(path: str | None, expansion: str) -> Cards | DeckError:
    try:
        return load_cards(path, expansion)
    except DeckError as error:
        return error


COMMAND = Command(
    "python -m chocofactory_env.games.chocofactory.display.describe_cards",
    describe,
    ("my_deck.toml",),
    positional=("path",),
)
main = COMMAND.run

if __name__ == "__main__":
    main()
