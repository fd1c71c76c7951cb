"""Pictograms of pieces, classes and coal, and cards in words and pictograms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ....core.text.words import counted
from ....drawing.scene import Look, Shape
from ..cards import Delivery, Option
from ..cards import Part as FactoryPart
from ..constants import SYMBOL_KINDS, Function, Kind, Pattern, Symbol
from ..part_functions import BY_OPTIONS, PART_FUNCTIONS
from .describe_cards import times, with_amount

Word = str | int  # words, or the number of a pictogram

# What a pattern requires of pieces besides their classes; "" if other words say it, or it requires nothing.
HOW: Final[dict[Pattern, str]] = {
    Pattern.ANY_MIX: "",
    Pattern.ONE_KIND: "of one kind",
    Pattern.ALL_DIFFERENT: "all different",
    Pattern.ONE_STAGE: "",
    Pattern.EXACT_MIX: "",
    Pattern.DAY_MONEY: "",
    Pattern.OTHER_STORE: "",
    Pattern.SETS: "",
    Pattern.IN_ORDER: "",
}
ONE_STAGE: Final = "of one stage"

KIND_MARKS: Final[tuple[tuple[Shape, Look], ...]] = (
    ("drop", "hue-0"),  # bean
    ("circle", "hue-1"),  # cocoa
    ("square", "hue-2"),  # chunks
    ("bar", "hue-3"),  # fingers
    ("diamond", "hue-6"),  # caramel
    ("triangle", "hue-8"),  # nuts
    ("hexagon", "hue-5"),  # boxed
)
CLASS_KINDS: Final = {Symbol.BAR: (Kind.CHUNKS, Kind.FINGERS), Symbol.WRAPPED: (Kind.CARAMEL, Kind.NUTS)}
CLASS_LETTERS: Final[dict[int, tuple[str, Look]]] = {Symbol.REFINED: ("R", "hue-4"), Symbol.ANY: ("?", "hue-9")}
# Further pictograms, numbered after the Symbols.
COAL, ARROW, PERSON = 11, 12, 13
OTHER_MARKS: Final[dict[int, tuple[Shape, Look]]] = {
    COAL: ("pentagon", "hue-7"),
    ARROW: ("arrow", "muted"),
    PERSON: ("person", "muted"),
}


def pieces(numbers: Sequence[int], room: int = 9) -> tuple[Word, ...]:
    """A mark for every piece; if there are more than `room`, numbers and marks."""
    if sum(numbers) <= room:
        return tuple(kind for kind, number in enumerate(numbers) for _ in range(number))
    words: list[Word] = []
    for kind, number in enumerate(numbers):
        words += [kind] if number == 1 else [str(number), kind] if number else []
    return tuple(words)


def option_words(option: Option) -> tuple[Word, ...]:
    takes = option.takes[: option.num_takes].tolist()
    makes = option.makes[: option.num_makes].tolist() or ["tile"]
    return *takes, ARROW, *makes


def part_words(part: FactoryPart) -> tuple[tuple[Word, ...], ...]:
    """A line for every option of the part, or one line that says what it does."""
    function = PART_FUNCTIONS[Function(part.function)]
    if function.words == BY_OPTIONS:
        return tuple(option_words(option) for option in part.options[: part.num_options])
    return (tuple(word_of(word, part) for word in function.picture),)


def word_of(word: str | Symbol, part: FactoryPart) -> Word:
    if isinstance(word, Symbol):
        return word
    return ARROW if word == "→" else with_amount(word, part)


def accepted(kinds: int) -> tuple[Word, ...]:
    """The widest classes that make up the kinds."""
    found: list[int] = []
    for symbol in reversed(Symbol):
        members = int(SYMBOL_KINDS[symbol])
        if members & kinds == members:
            found.append(int(symbol))
            kinds &= ~members
    return tuple(sorted(found))


def rule_words(rule: Delivery) -> tuple[Word, ...]:
    """What a store accepts, and how far its marker moves."""
    pattern, kinds = Pattern(rule.pattern), accepted(int(rule.kinds))
    if pattern == Pattern.OTHER_STORE:
        return ("as another store of choice",)
    if pattern == Pattern.DAY_MONEY:
        return (f"every £{rule.per} earned today: 1 space",)
    if pattern == Pattern.SETS:
        return set_words(rule)
    how = [f"{HOW[pattern]}:"] if HOW[pattern] else []
    if rule.most_pieces:
        by_number = rule.by_number[: rule.most_pieces].tolist()
        many = [f"{number} = {moved}" for number, moved in enumerate(by_number, 1) if moved]
        if pattern == Pattern.IN_ORDER:
            return *(int(kind) for kind in Kind if int(rule.kinds) >> kind & 1), "the first", ", ".join(many)
        return *kinds, *how, ", ".join(many)
    number = f"exactly {rule.number}" if rule.number else ""
    if pattern == Pattern.ONE_STAGE:
        return number or f"{rule.per}", *stage_words(rule)
    each = "each" if rule.per == 1 else f"every {rule.per}"
    moved = f"{each} = {counted(int(rule.spaces[Kind.CHUNKS]), 'space')}"
    return *([number] if number else []), *kinds, *how, moved


def stage_words(rule: Delivery) -> tuple[Word, ...]:
    """Spaces by stage of refinement."""
    words: list[Word] = []
    for symbol, kind in ((Symbol.BAR, Kind.CHUNKS), (Symbol.WRAPPED, Kind.CARAMEL), (Symbol.BOXED, Kind.BOXED)):
        if int(rule.kinds) & int(SYMBOL_KINDS[symbol]):
            words += [int(symbol), f"= {rule.spaces[kind]}"]
    return *words, ONE_STAGE


def set_words(rule: Delivery) -> tuple[Word, ...]:
    words: list[Word] = []
    firsts = rule.first_of_set.tolist()
    for first in sorted({first for first in firsts if first >= 0}):
        words += [kind for kind, of in enumerate(firsts) if of == first for _ in range(rule.set_pieces[kind])]
        words.append(f"= {rule.spaces[first]}")
    most = int(rule.most_of_a_set)
    return *words, f"{times(most)} each" if most else "any number"


def order_of_card_words(order: Delivery) -> tuple[Word, ...]:
    """A chocolate order of the solo game."""
    if order.pattern == Pattern.EXACT_MIX:
        return "deliver", *pieces(order.set_pieces.tolist())
    words = ONE_STAGE if order.pattern == Pattern.ONE_STAGE else HOW[Pattern(order.pattern)]
    return f"deliver {order.number}", *accepted(int(order.kinds)), *([words] if words else [])
