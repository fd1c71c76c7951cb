"""Pictograms of pieces, classes, and coal; typesetting of words and pictograms in a box."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from .....core.text.words import counted
from .....drawing import text
from .....drawing.scene import Box, Look, Mark, Part, Shape, Text
from ...cards import Delivery, Option
from ...cards import Part as FactoryPart
from ...constants import SYMBOL_KINDS, Function, Kind, Pattern, Symbol
from ...part_functions import BY_OPTIONS, PART_FUNCTIONS
from ..describe_cards import times, with_amount

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
CHIP: Final = 1.2  # width of a class's pictogram, relative to the size of the words beside it
ASCENT: Final = (text.ABOVE - text.BELOW) / 2  # from the middle of a line to its base line
SMALLER: Final = 0.7  # words shrink to this fraction rather than break into two lines
LEAST_MARK: Final = 5.5  # pictograms are legible at smaller sizes than words
MOST_SHOWN: Final = 999


def number_words(number: int) -> str:
    """A number in at most three characters, for any number in play; the name of the thing has it in full."""
    return str(number) if number <= MOST_SHOWN else f"{number // 1000}k"


# --- pictograms


def mark(number: int, x: float, y: float, size: float) -> Mark:
    """The mark of a kind, of coal, and the like."""
    shape, look = KIND_MARKS[number] if number < len(KIND_MARKS) else OTHER_MARKS[number]
    return Mark(x, y, shape, look, size)


def pictogram(number: int, x: float, y: float, size: float) -> tuple[Part, ...]:
    """A pictogram around (x, y): a kind's mark, both marks of a class of two in a frame, or a wider class's letter."""
    if number in CLASS_KINDS:
        first, second = CLASS_KINDS[Symbol(number)]
        width, quarter = size * CHIP, size * 0.27
        frame = Box(x - width / 2, y - width / 2, width, width, "panel", "muted", 3)
        return (
            frame,
            mark(first, x - quarter, y - quarter, size * 0.5),
            mark(second, x + quarter, y + quarter, size * 0.5),
        )
    if number in CLASS_LETTERS:
        letter, look = CLASS_LETTERS[number]
        width, letters = size * CHIP, max(size * 0.85, text.LEAST)
        frame = Box(x - width / 2, y - width / 2, width, width, look, None, 3)
        return frame, Text(x, y + ASCENT * letters, letter, letters, "on-colour", True, "middle")
    return (mark(number, x, y, size),)


def pictogram_width(number: int, size: float) -> float:
    return size * CHIP if number in CLASS_KINDS or number in CLASS_LETTERS else size


# --- words and pictograms in a box


def single_words(sentence: Iterable[Word]) -> list[Word]:
    """Split into single words, so that lines can break between them."""
    found: list[Word] = []
    for word in sentence:
        found += text.known(word).split(" ") if isinstance(word, str) else [word]
    return found


def width_of(word: Word, size: float) -> float:
    return text.width(word, size) if isinstance(word, str) else pictogram_width(word, size)


def in_lines(words: Sequence[Word], width: float, size: float) -> list[list[tuple[float, Word]]]:
    """Lines of (x, word). A word wider than a line has a line of its own."""
    lines: list[list[tuple[float, Word]]] = []
    end, last = 0.0, words[0]
    for word in words:
        wide = width_of(word, size)
        gap = size * (0.3 if isinstance(word, str) or isinstance(last, str) or ARROW in (word, last) else 0.18)
        if lines and end + gap + wide <= width:
            lines[-1].append((end + gap, word))
            end += gap + wide
        else:
            lines.append([(0.0, word)])
            end = wide
        last = word
    return lines


def fits(lines: Sequence[Sequence[tuple[float, Word]]], width: float, height: float, size: float) -> bool:
    """Whether the lines fit into the box."""
    widest = max(x + width_of(word, size) for x, word in (line[-1] for line in lines))
    return widest <= width and ((len(lines) - 1) * text.LINE + CHIP) * size <= height


def size_of_one_line(words: Sequence[Word], width: float, height: float, size: float, least: float) -> float:
    """The largest size from `size` down to `least` at which the words fit on one line; `size` if none does."""
    smaller = size
    while smaller >= least:
        lines = in_lines(words, width, smaller)
        if len(lines) == 1 and fits(lines, width, height, smaller):
            return smaller
        smaller -= text.STEP * 2
    return size


@lru_cache(1 << 12)
def sentence(
    words: tuple[Word, ...],
    x: float,
    y: float,
    width: float,
    height: float,
    size: float = 12,
    look: Look = "ink",
    centred: bool = False,
) -> tuple[Part, ...]:
    """Words and pictograms in the box with the corner (x, y), on one line if that is not much smaller, else on several.

    centred: vertically centred instead of at the top. What does not fit at the smallest size shrinks further if it has
    no words; otherwise the last words are replaced by a sign that there are more.
    """
    single = single_words(words)
    if not single:
        return ()
    size = size_of_one_line(single, width, height, size, max(text.LEAST, SMALLER * size))
    lines = in_lines(single, width, size)
    while not fits(lines, width, height, size) and size > text.LEAST:
        size = max(size - text.STEP * 2, text.LEAST)
        lines = in_lines(single, width, size)
    if not fits(lines, width, height, size) and not any(isinstance(word, str) for word in single):
        size = size_of_one_line(single, width, height, size, LEAST_MARK)
        lines = in_lines(single, width, size)
    while not fits(lines, width, height, size) and len(single) > 1:
        single = [*single[: -2 if single[-1] == "…" else -1], "…"]
        lines = in_lines(single, width, size)
    used = ((len(lines) - 1) * text.LINE + CHIP) * size
    middle = y + CHIP * size / 2 + ((height - used) / 2 if centred else 0)
    parts: list[Part] = []
    for number, placed in enumerate(lines):
        at = middle + number * text.LINE * size
        for left, word in placed:
            if isinstance(word, str):
                parts.append(Text(x + left, at + ASCENT * size, word, size, look))
            else:
                parts += pictogram(word, x + left + pictogram_width(word, size) / 2, at, size)
    return tuple(parts)


# --- cards in words and pictograms


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
    makes = option.makes[: option.num_makes].tolist() or ["other\xa0tile"]
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
