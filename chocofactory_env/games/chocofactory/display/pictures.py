"""Cards in words and pictograms of pieces, classes and coal, as faces of items (`chocofactory_env.view.tree`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ....core.text.words import counted
from ....drawing.scene import Look, Shape
from ....view.tree import Face, Sign, signs_of
from ..cards import Delivery, Option
from ..cards import Part as FactoryPart
from ..constants import Function, Kind, Pattern, Symbol
from ..part_functions import BY_OPTIONS, PART_FUNCTIONS
from ..words import SYMBOLS
from .describe_cards import spaces_by_stage, times, widest_classes, with_amount

MARKS: Final[dict[str, tuple[Shape, Look]]] = {
    "bean": ("drop", "hue-0"),
    "cocoa": ("circle", "hue-1"),
    "chunks": ("square", "hue-2"),
    "fingers": ("bar", "hue-3"),
    "caramel": ("diamond", "hue-6"),
    "nuts": ("triangle", "hue-8"),
    "boxed": ("hexagon", "hue-5"),
    "coal": ("pentagon", "hue-7"),
    "person": ("person", "muted"),
    "store room": ("house", "hue-0"),
}
SIGNS: Final = {
    **signs_of(MARKS),
    "bar": Sign("bar", of=["chunks", "fingers"]),
    "wrapped": Sign("wrapped", of=["caramel", "nuts"]),
    "refined": Sign("refined", letter="R", hue="hue-4"),
    "any": Sign("any", letter="?", hue="hue-9"),
}
ARROW: Final = "→"
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


def sign(symbol: int) -> str:
    """The sign of a kind or a Symbol."""
    return f":{SYMBOLS[symbol]}"


def in_words(face: Face) -> str:
    return " ".join(word.removeprefix(":") for word in face)


def pieces(numbers: Sequence[int], room: int = 9) -> Face:
    """A sign for every piece; if there are more than `room`, numbers and signs."""
    if sum(numbers) <= room:
        return [sign(kind) for kind, number in enumerate(numbers) for _ in range(number)]
    words = []
    for kind, number in enumerate(numbers):
        words += [sign(kind)] if number == 1 else [str(number), sign(kind)] if number else []
    return words


def option_words(option: Option) -> Face:
    takes, makes = option.takes[: option.num_takes].tolist(), option.makes[: option.num_makes].tolist()
    return [*map(sign, takes), ARROW, *(map(sign, makes) if makes else ["tile"])]


def part_words(part: FactoryPart) -> list[Face]:
    """A line for every option of the part, or one line that says what it does."""
    function = PART_FUNCTIONS[Function(part.function)]
    if function.words == BY_OPTIONS:
        return [option_words(option) for option in part.options[: part.num_options]]
    return [[sign(word) if isinstance(word, Symbol) else with_amount(word, part) for word in function.picture]]


def accepted(kinds: int) -> Face:
    """The widest classes that make up the kinds."""
    return [sign(symbol) for symbol in sorted(widest_classes(kinds))]


def rule_words(rule: Delivery) -> Face:
    """What a store accepts, and how far its marker moves."""
    pattern, kinds = Pattern(rule.pattern), accepted(int(rule.kinds))
    if pattern == Pattern.OTHER_STORE:
        return ["as another store of choice"]
    if pattern == Pattern.DAY_MONEY:
        return [f"every £{rule.per} earned today: 1 space"]
    if pattern == Pattern.SETS:
        return set_words(rule)
    how = [f"{HOW[pattern]}:"] if HOW[pattern] else []
    if rule.most_pieces:
        by_number = rule.by_number[: rule.most_pieces].tolist()
        many = [f"{number} = {moved}" for number, moved in enumerate(by_number, 1) if moved]
        if pattern == Pattern.IN_ORDER:
            return [*(sign(kind) for kind in Kind if int(rule.kinds) >> kind & 1), "the first", ", ".join(many)]
        return [*kinds, *how, ", ".join(many)]
    number = f"exactly {rule.number}" if rule.number else ""
    if pattern == Pattern.ONE_STAGE:
        return [number or f"{rule.per}", *stage_words(rule)]
    each = "each" if rule.per == 1 else f"every {rule.per}"
    moved = f"{each} = {counted(int(rule.spaces[Kind.CHUNKS]), 'space')}"
    return [*([number] if number else []), *kinds, *how, moved]


def stage_words(rule: Delivery) -> Face:
    """Spaces by stage of refinement."""
    words = [word for symbol, spaces in spaces_by_stage(rule) for word in (sign(symbol), f"= {spaces}")]
    return [*words, ONE_STAGE]


def set_words(rule: Delivery) -> Face:
    words = []
    firsts = rule.first_of_set.tolist()
    for first in sorted({first for first in firsts if first >= 0}):
        words += [sign(kind) for kind, of in enumerate(firsts) if of == first for _ in range(rule.set_pieces[kind])]
        words.append(f"= {rule.spaces[first]}")
    most = int(rule.most_of_a_set)
    return [*words, f"{times(most)} each" if most else "any number"]


def order_of_card_words(order: Delivery) -> Face:
    """A chocolate order of the solo game."""
    if order.pattern == Pattern.EXACT_MIX:
        return ["deliver", *pieces(order.set_pieces.tolist())]
    words = ONE_STAGE if order.pattern == Pattern.ONE_STAGE else HOW[Pattern(order.pattern)]
    return [f"deliver {order.number}", *accepted(int(order.kinds)), *([words] if words else [])]
