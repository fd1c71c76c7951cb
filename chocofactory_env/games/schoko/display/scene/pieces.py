"""Building blocks of all panels: pictograms, cells with a label, buttons, words that fit."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from .....drawing import text
from .....drawing.scene import SEATS, Anchor, Box, Look, Mark, Part, Shape, Text, Thing
from .....drawing.text import line

WIDTH: Final = 414  # of a panel in the left two columns
SHARED_WIDTH: Final = 420  # in the right column
EDGE: Final = 8  # between a panel's border and its things
TOP: Final = 30  # y of a panel's first things, below its heading
GAP: Final = 4  # between things

# Shape and hue of every kind of piece
MARKS: Final[dict[str, tuple[Shape, Look]]] = {
    "worker": ("person", "hue-2"),
    "salesman": ("arrow", "hue-4"),
    "secretary": ("pentagon", "hue-3"),
    "bookkeeper": ("hexagon", "hue-5"),
    "cocoa": ("drop", "hue-1"),
    "chocolate": ("bar", "hue-0"),
    "contract": ("house", "hue-7"),
    "loans": ("triangle", "hue-8"),
    "shares": ("diamond", "hue-9"),
    "express": ("star", "hue-6"),
}
Place = tuple[float, float, float, float]  # x, y, width, height


def mark(kind: str, x: float, y: float, size: float = 12) -> Mark:
    shape, look = MARKS[kind]
    return Mark(x, y, shape, look, size)


def seat_mark(seat: int, x: float, y: float, size: float = 10) -> Mark:
    return Mark(x, y, "circle", SEATS[seat], size)


def lines(
    words: str,
    x: float,
    y: float,
    width: float,
    height: float,
    size: float = 11,
    look: Look = "ink",
    bold: bool = False,
    anchor: Anchor = "start",
) -> tuple[Text, ...]:
    """Words in a box, vertically centred."""
    return text.block(
        shortened(words, width, height, size, bold), x, y, width, height, size,
        look=look, bold=bold, anchor=anchor, centred=True,
    )  # fmt: skip


@lru_cache(1 << 12)
def shortened(words: str, width: float, height: float, size: float, bold: bool) -> str:
    """As many of the words as fit in the box."""
    try:
        text.block(words, 0, 0, width, height, size, bold=bold)
    except ValueError:
        shorter = words.rstrip(text.ELLIPSIS)[:-1].rstrip() + text.ELLIPSIS
        return shortened(shorter, width, height, size, bold)
    return words


def ground(width: float, height: float, fill: Look = "card", dashed: bool = False) -> Box:
    return Box(0.5, 0.5, width - 1, height - 1, fill, "line", dashed=dashed)


def button(
    words: str, x: float, y: float, width: float, height: float, action: int | None, name: str = "", mark: str = ""
) -> Thing:
    """A button. `mark`: a kind of piece, drawn before the words."""
    left = 22 if mark else 4
    parts: list[Part] = [ground(width, height)]
    if mark:
        shape, look = MARKS[mark]
        parts.append(Mark(14, height / 2, shape, look, 12))
    parts += lines(words, left, 2, width - left - 4, height - 4, 12, bold=True, anchor="middle")
    return Thing(name or words, x, y, width, height, tuple(parts), action=action)


def chip(
    label: str,
    value: str,
    place: Place,
    name: str,
    kind: str | None = None,
    look: Look = "ink",
    marked: bool = False,
    action: int | None = None,
    size: float = 13,
    rule: str = "",
    many: int | None = None,
) -> Thing:
    """A small label above a number of `size`. `many`: the number of pieces of the kind, or an amount."""
    _, _, width, height = place
    parts: list[Part] = [ground(width, height), line(label, 5, 12, width - 10, 9.5, "muted")]
    left = 5.0
    if kind is not None:
        parts.append(mark(kind, 11, height - 10, 11))
        left = 20
    parts.append(line(value, left, height - 5.5, width - left - 3, size, look, bold=True))
    piece = "" if many is None or kind is None else kind
    return Thing(name, *place, tuple(parts), marked=marked, action=action, rule=rule, piece=piece, many=many)


def note(words: str, x: float, y: float, width: float, height: float, look: Look = "muted", size: float = 10) -> Thing:
    """Words without a background."""
    return Thing(words, x, y, width, height, lines(words, 0, 0, width, height, size, look))


def grid(number: int, columns: int, width: float, height: float, x: float, y: float, gap: float = GAP) -> list[Place]:
    """Places of `number` cells, row by row, in `width`. `height` is that of a cell."""
    each = (width - (columns - 1) * gap) / columns
    return [
        (x + place % columns * (each + gap), y + place // columns * (height + gap), each, height)
        for place in range(number)
    ]


def amount(money: int) -> str:
    return str(money).replace("-", "\N{MINUS SIGN}")


def joined(words: Iterable[str]) -> str:
    return " · ".join(word for word in words if word)
