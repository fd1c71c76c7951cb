"""How an item of each kind is drawn in a given place, with what lies on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from msgspec.structs import replace as with_fields

from ..drawing import text
from ..drawing.scene import SEATS, Box, Line, Look, Mark, Part, Shape, Text, Thing
from ..drawing.shapes import PATHS
from .tree import Face, Item, Sign

ASCENT: Final = (text.ABOVE - text.BELOW) / 2  # from the middle of a line to its base line
ARROW: Final = "→"
SHAPES: Final[dict[str, Shape]] = {path: shape for shape, path in PATHS.items()}
NAME_OF_HOLD: Final = 96  # width
NAME_OF_PLACE: Final = 74
CELL: Final = 19  # least width of a kind of piece
MOST_SHOWN: Final = 1000  # greater numbers are shown by thousands; names have them in full
LEAST_SIGN: Final = 5.5  # signs are legible at smaller sizes than words
NARROW: Final = 90  # width of a card below which its cost lies below its name
BADGE: Final = 18.0  # size of the sign of an assigned employee
SEAT: Final = 18.0  # width of the disc of a seat
LOW: Final = 34  # a lower item has one line


class Place(NamedTuple):
    """A rectangle of a panel."""

    x: float
    y: float
    width: float
    height: float

    def inside(self, x: float, y: float, width: float, height: float) -> Place:
        return Place(self.x + x, self.y + y, width, height)


@dataclass(frozen=True)
class Pen:
    """What items of a panel are drawn with. seat: the panel's player. faded: all signs have this look."""

    signs: dict[str, Sign]
    scale: float = 1.0  # of heights
    seat: int | None = None
    faded: Look | None = None

    def sign(self, word: str) -> Sign | None:
        found = self.signs.get(word[1:]) if word.startswith(":") else None
        return with_fields(found, hue=self.faded) if found and self.faded else found

    def placed(self, words: Sequence[str], size: float, bold: bool = False) -> Iterator[tuple[float, float, str]]:
        """Left edge and width of every word and sign of a line; signs lie closer together than words."""
        left, before = 0.0, True
        for place, word in enumerate(words):
            sign = self.sign(word)
            left += 0 if place == 0 else size * (0.18 if before and sign else 0.3)
            if sign is not None:
                wide = size * (1 if sign.path else 1.2)
            else:
                wide = size if word == ARROW else text.width(word, max(size, text.LEAST), bold)
            yield left, wide, word
            left, before = left + wide, sign is not None

    def length(self, words: Sequence[str], size: float, bold: bool = False) -> float:
        return max((left + wide for left, wide, _ in self.placed(words, size, bold)), default=0.0)

    def fitting(self, words: Sequence[str], width: float, size: float) -> float:
        """The largest size, at most `size`, at which signs and words fit; at the least they may be too long."""
        while size > LEAST_SIGN and self.length(words, size) > width:
            size -= 0.5
        return size

    def line(
        self, words: Sequence[str], x: float, y: float, size: float, look: Look = "ink", bold: bool = False
    ) -> Iterator[Part]:
        """Words and signs from x on, around the height y."""
        for left, wide, word in self.placed(words, size, bold):
            sign = self.sign(word)
            if word == ARROW:
                yield Mark(x + left + wide / 2, y, "arrow", "muted", size * 0.9)
            elif sign:
                yield from self.drawn(sign, x + left + wide / 2, y, size)
            else:
                large = max(size, text.LEAST)
                yield Text(x + left, y + ASCENT * large, text.known(word), large, look, bold)

    def drawn(self, sign: Sign, x: float, y: float, size: float) -> Iterator[Part]:
        """A sign around (x, y)."""
        if sign.path:
            yield Mark(x, y, SHAPES[sign.path], sign.hue or "ink", size)
        elif sign.letter:
            letters = max(text.LEAST, size * 0.8)
            yield Box(x - 0.6 * size, y - 0.6 * size, 1.2 * size, 1.2 * size, sign.hue or "ink", None, 3)
            yield Text(x, y + ASCENT * letters, sign.letter, letters, "on-colour", True, "middle")
        else:
            yield Box(x - 0.6 * size, y - 0.6 * size, 1.2 * size, 1.2 * size, "panel", "muted", 3)
            for place, inner in zip((-0.27, 0.27), sign.of, strict=True):
                yield from self.drawn(self.signs[inner], x + place * size, y + place * size, size * 0.5)


Draw = Callable[[Pen, Item, Place], Iterator[Thing]]


def thing(pen: Pen, item: Item, at: Place, *parts: Part, marked: bool | None = None) -> Thing:
    """The item as a thing. marked: False if its parts show that it is under way."""
    owner = pen.seat if item.seat is None else item.seat
    shown = item.state == "now" if marked is None else marked
    return Thing(item.name, *at, parts, owner=owner, action=item.action, marked=shown, rule=item.rule)


def ground(item: Item, at: Place) -> Box:
    fill: Look = "empty" if item.state in ("empty", "used") else "hidden" if item.kind == "back" else "card"
    edge: Look = "good" if item.state == "done" else "line"
    return Box(0.5, 0.5, at.width - 1, at.height - 1, fill, edge, dashed=item.state == "empty")


def ink(item: Item) -> Look:
    if item.state in ("used", "empty", "done"):
        return "muted"
    return "on-colour" if item.kind == "back" else "ink"


def first(item: Item) -> Face:
    return item.face[0] if item.face else []


def words_of(item: Item) -> str:
    return item.words or ("" if item.face else item.name)


def placeholder(pen: Pen, item: Item, at: Place) -> Thing:
    said = item.words or item.name.partition(":")[0]
    words = text.line(said, at.width / 2, at.height / 2 + 4, at.width - 8, 11, "muted", anchor="middle")
    return thing(pen, item, at, ground(item, at), words)


# --- on one line


def seat_width(pen: Pen, item: Item) -> float:
    """Of the disc that says whose it is, if it is not the panel's player's."""
    return 0.0 if item.seat in (None, pen.seat) else SEAT


def seat_disc(pen: Pen, item: Item, left: float, middle: float) -> Iterator[Part]:
    if seat_width(pen, item):
        yield Mark(left + 6.5, middle, "circle", SEATS[item.seat or 0], 13)
        yield Text(left + 6.5, middle + ASCENT * 9, str(item.seat), 9, "on-colour", True, "middle")


def chip_width(pen: Pen, item: Item) -> float:
    face, words = first(item), words_of(item)
    beside = 6 + text.width(item.small, 10) if item.small else 0
    return (
        seat_width(pen, item)
        + pen.length(face, 14)
        + (6 if face and words else 0)
        + text.width(words, 12, True)
        + beside
        + 15
    )


def chip(pen: Pen, item: Item, at: Place, boxed: bool = True) -> Iterator[Thing]:
    """Signs, words, and smaller ones."""
    parts: list[Part] = [ground(item, at)] if boxed else []
    left, middle = 7.0 if boxed else 2.0, at.height / 2
    parts += seat_disc(pen, item, left, middle)
    left += seat_width(pen, item)
    if face := first(item):
        parts += pen.line(face, left, middle, 14)
        left += pen.length(face, 14) + 6
    if words := words_of(item):
        parts.append(text.line(words, left, middle + 4.3, at.width - left - 3, 12, ink(item), True))
        left += text.width(words, 12, True) + 6
    if item.small and left + text.width(item.small, 10) <= at.width:
        parts.append(Text(left, middle + 3.8, item.small, 10, "muted"))
    yield thing(pen, item, at, *parts)


def plain_chip(pen: Pen, item: Item, at: Place) -> Iterator[Thing]:
    return chip(pen, with_fields(item, small=""), at)


def plain_width(pen: Pen, item: Item) -> float:
    return chip_width(pen, with_fields(item, small=""))


def legend_entry(pen: Pen, item: Item, at: Place) -> Iterator[Thing]:
    left = pen.length(first(item), 11) + 5
    words = text.line(item.words, left, at.height / 2 + 3.5, at.width - left, 10, "muted")
    yield thing(pen, item, at, *pen.line(first(item), 1, at.height / 2, 11), words)


def legend_width(pen: Pen, item: Item) -> float:
    return pen.length(first(item), 11) + 12 + text.width(item.words, 10)


def beside(pen: Pen, words: Sequence[str], size: float) -> float:
    """Width of signs with a gap to the words beside them."""
    return pen.length(words, size) + 6 if words else 0.0


def button_width(pen: Pen, item: Item) -> float:
    around = beside(pen, first(item), 14) + beside(pen, item.tail, 12)
    return max(30, around + text.width(words_of(item), 12, True) + 18, text.width(item.small, 10) + 14)


def button(pen: Pen, item: Item, at: Place) -> Iterator[Thing]:
    face, words = first(item), words_of(item)
    wide, tail = beside(pen, face, 14), beside(pen, item.tail, 12)
    words, size = text.fitted(words, at.width - 12 - wide - tail, 12, True)
    left = max(6.0, (at.width - text.width(words, size, True) - wide - tail) / 2)
    middle = at.height / 2 - (6 if item.small else 0)
    parts: list[Part] = [ground(item, at), *pen.line(face, left, middle, 14)]
    if words:
        parts.append(Text(left + wide, middle + 4.3, words, size, "ink", True))
    parts += pen.line(item.tail, left + wide + text.width(words, size, True) + 6, middle, 12, "muted")
    if item.small:
        parts.append(text.line(item.small, at.width / 2, at.height - 7, at.width - 8, 10, "muted", anchor="middle"))
    yield thing(pen, item, at, *parts)


def listed(pen: Pen, item: Item, at: Place) -> Iterator[Thing]:
    """Words at the left, signs in the middle, the tail and smaller words at the right."""
    middle, right = at.height / 2, at.width - 8
    parts: list[Part] = [ground(item, at)]
    name, words = min(0.36 * at.width, 150.0), words_of(item)
    parts += seat_disc(pen, item, 6, middle)
    left = 8 + seat_width(pen, item)
    if item.small:
        taken = left + text.width(words, 12, True) + 20 + 38 * len(item.tail)
        room = right - taken if not item.face else 0.25 * at.width
        parts.append(text.line(item.small, right, middle + 3.8, room, 10.5, "muted", anchor="end"))
        right -= min(room, text.width(item.small, 10.5)) + 12
    for word in reversed(item.tail):
        parts += pen.line((word,), right - pen.length((word,), 12, True), middle, 12, bold=True)
        right -= 38 if len(item.tail) > 1 else 24
    if face := first(item):
        size = pen.fitting(face, right - name - 12, 14)
        parts += pen.line(face, name + 12, middle, size)
        right = name + 12
    parts.append(text.line(words, left, middle + 4.3, right - left - 6, 12, bold=True))
    yield thing(pen, item, at, *parts)


def contract(pen: Pen, item: Item, at: Place) -> Iterator[Thing]:
    """Signs, a name, and at the right what it pays."""
    tail = pen.length(item.tail, 12, True)
    name = text.line(item.words, 24, at.height / 2 + 4, at.width - 34 - tail, 11, bold=True)
    sign = pen.line(first(item)[:1], 6, at.height / 2, 12)
    pay = pen.line(item.tail, at.width - tail - 6, at.height / 2, 12, bold=True)
    yield thing(pen, item, at, ground(item, at), *sign, name, *pay)


# --- cards


def whole(words: str, at: Place, size: float) -> tuple[Text, ...]:
    """Smaller words, or none if they do not fit: the name of the thing, or a legend, has them."""
    try:
        return text.block(text.known(words), *at, size, look="muted")
    except ValueError:
        return ()


def card(pen: Pen, item: Item, at: Place) -> Iterator[Thing]:
    """A large number, or a sign above a name, or a name above what it does."""
    parts: list[Part] = [ground(item, at)]
    across, down, look = at.width / 2, at.height / 2, ink(item)
    size = 20 if at.height < 70 else 26
    if item.kind == "express":
        parts += text.block_or_line(item.words, 5, 4, at.width - 10, 28, 11.5, bold=True)
        if at.height > 60:
            parts += whole(item.small, Place(5, 32, at.width - 10, at.height - 34), 10)
    elif item.face:
        shown = replace(pen, faded="on-colour") if item.kind == "back" else pen
        below = size * 1.5 + 12
        high = size * 0.85 if item.words else down
        parts += shown.line(first(item), across - pen.length(first(item), size) / 2, high, size)
        if item.words:
            parts.append(text.line(item.words, across, below, at.width - 6, 12, bold=True, anchor="middle"))
        if item.words and item.small and at.height - below > 30:
            room = at.height - below - 8
            parts += whole(item.small, Place(5, below + 5, at.width - 10, room), 10.5)
    elif item.words:
        figure = size if not item.small else 18
        parts.append(Text(across, down + (9 if not item.small else 4), item.words, figure, look, True, "middle"))
        if item.small:
            parts.append(Text(across, down + 18, item.small, 10, look, anchor="middle"))
    yield thing(pen, item, at, *parts)


def staff_card(pen: Pen, item: Item, at: Place) -> Iterator[Thing]:
    """A sign, a name, and beside or below it what it does."""
    parts: list[Part] = [ground(item, at)]
    left = 8.0
    if (face := first(item)) and at.width >= 1.5 * NARROW:
        size = min(18.0, at.height * 0.6)
        parts += pen.line(face, left, min(at.height / 2, 16), size)
        left += pen.length(face, size) + 8
    after = item.tail or ([item.status] if item.status else [])
    room, tail = at.width - left - 6, pen.length(after, 10.5)
    base = 15.0 if item.small and at.height >= LOW else at.height / 2 + 4
    parts += pen.line(after, at.width - tail - 6, base - 4, 10.5, "muted")
    parts.append(text.line(item.words, left, base, room - tail - 6, 12, ink(item), True))
    if item.small and at.height >= LOW:
        parts += text.block_or_line(item.small, left, 19, room, at.height - 20, 10.5, "muted")
    yield thing(pen, item, at, *parts)


def machine(pen: Pen, item: Item, at: Place) -> Iterator[Thing]:
    """A part as a card: its name, its cost, and what it does; what can be chosen of it lies on it."""
    if item.state == "empty":
        yield placeholder(pen, item, at)
        return
    look, size, cost = ink(item), 10.5 if at.height < 70 else 12.0, pen.length(item.tail, 11, True)
    name = min(max(0.46 * at.height, 21.5), 2.6 * size)
    narrow = at.width < NARROW
    badge = 15.0 if narrow else BADGE
    room = at.width - 8 - (badge + 2 if item.assigned and not narrow else 0)
    parts: list[Part] = [ground(item, at)]
    beside, below = (0.0, 14.0) if narrow else (cost + 2, 2.0)  # the cost
    parts += text.block_or_line(item.words, 5, 3, at.width - 10 - beside, name, size, look, True)
    left, middle = (4.0, at.height - 9) if narrow else (at.width - 5 - cost, 10.0)
    parts += pen.line(item.tail, left, middle, 11, look, True)
    inner_height = at.height - name - 4 - below
    parts += in_lines(pen, item.face, Place(4, name + 3, room, inner_height), 15, look)
    if item.assigned:
        parts.append(Mark(at.width - badge / 2 - 2, at.height - badge / 2 - 2, "person", "accent", badge - 4))
    yield thing(pen, item, at, *parts)
    each = inner_height / max(1, len(item.items))
    for place, inner in enumerate(item.items):  # its options
        here = at.inside(2, name + 3 + place * each, room + 4, each)
        yield thing(pen, inner, here, Box(1, 1, here.width - 2, each - 2, None, "accent"))


def in_lines(pen: Pen, lines: Sequence[Face], at: Place, size: float, look: Look = "ink") -> Iterator[Part]:
    """Lines of words and signs in a box, as large as they fit; long ones are broken, and at last cut."""
    if not lines:
        return
    size = min(size, at.height / len(lines) * 0.8)
    has_words = any(word != ARROW and not pen.sign(word) for line in lines for word in line)
    least = text.LEAST if has_words else LEAST_SIGN
    while True:
        broken = [part for line in lines for part in folded(pen, line, at.width, size)]
        fits = len(broken) * size * 1.25 <= at.height and all(pen.length(each, size) <= at.width for each in broken)
        if fits or size <= least:
            break
        size = max(least, size - 0.5)
    room = max(1, int(at.height // (size * 1.15)))
    step = min(at.height / min(room, len(broken)), size * 1.35)
    top = at.y + max(0.0, (at.height - step * min(room, len(broken))) / 2)
    for number, line in enumerate(broken[:room]):
        smaller = pen.fitting(line, at.width, size)
        yield from pen.line(line, at.x, top + (number + 0.5) * step, smaller, look)


def folded(pen: Pen, line: Face, width: float, size: float) -> list[Face]:
    """Words and signs in as many lines as they need."""
    lines: list[Face] = [[]]
    for word in (part for whole in line for part in (whole.split(" ") if pen.sign(whole) is None else [whole])):
        if lines[-1] and pen.length([*lines[-1], word], size) > width:
            lines.append([])
        lines[-1].append(word if pen.sign(word) else text.shortened(word, width, max(size, text.LEAST)))
    return lines


def order(pen: Pen, item: Item, at: Place) -> Iterator[Thing]:
    """A name, and a row for each stage: an arrow before the next one, a line through those that are done."""
    if item.state == "empty":
        yield placeholder(pen, item, at)
        return
    if at.width < 1.1 * NARROW:
        name = text.block_or_line(item.words, 5, 3, at.width - 10, 25, 11, bold=True)
    else:
        name = (text.line(item.words, 6, 15, at.width - 12, 11.5, bold=True),)
    yield thing(pen, item, at, ground(item, at), *name)
    top = 28 if at.width < 1.1 * NARROW else 20
    each = min(26.0, (at.height - top - 2) / max(3, len(item.items)))
    for place, inner in enumerate(item.items):
        look, middle, pay = ink(inner), each / 2, pen.length(inner.tail, 11, True)
        size = pen.fitting(first(inner), at.width - pay - 28, min(13.0, each * 0.8))
        parts: list[Part] = [Mark(6, middle, "arrow", "accent", 8)] if inner.state == "now" else []
        parts += pen.line(first(inner), 13, middle, size, look)
        parts += pen.line(inner.tail, at.width - pay - 9, middle, 11, look, True)
        if inner.state == "done":
            parts.append(Line(4, middle, at.width - 8, middle, "muted", 1.5))
        here = at.inside(2, top + place * each, at.width - 4, each)
        yield thing(pen, inner, here, *parts, marked=False)


# --- places that hold things


def hold(pen: Pen, item: Item, at: Place) -> Iterator[Thing]:
    """A name, and beside it a square for everything inside."""
    own = item.kind == "truck" and not item.small and pen.seat is not None
    line: Look = SEATS[pen.seat or 0] if own else "line"
    parts: list[Part] = [Box(0.5, 0.5, at.width - 1, at.height - 1, "panel", line)]
    room = at.height - (19 if item.small else 4)
    parts += text.block_or_line(item.words, 7, 2, NAME_OF_HOLD - 12, room, 11.5, bold=True, centred=True)
    if item.small:
        parts.append(Text(7, at.height - 6, item.small, 10, "muted"))
    yield thing(pen, item, at, *parts)
    size = min(at.height - 6, (at.width - NAME_OF_HOLD - 4) / max(1, len(item.items)) - 3)
    for place, inner in enumerate(item.items):
        yield square(pen, inner, at.inside(NAME_OF_HOLD + place * (size + 3), (at.height - size) / 2, size, size))


def square(pen: Pen, item: Item, at: Place) -> Thing:
    parts: list[Part] = [ground(item, at)]
    twice = item.many == 2 and at.height > 26
    if face := first(item):
        size = min(at.width * 0.55, (at.width - 6) / len(face) * 0.85)
        shown = replace(pen, faded="line") if item.state == "empty" else pen
        middle = at.height / 2 - (5 if twice else 0)
        parts += shown.line(face, (at.width - pen.length(face, size)) / 2, middle, size)
    if twice:
        parts.append(Text(at.width / 2, at.height - 4, "×2", 9, "ink", True, "middle"))
    return thing(pen, item, at, *parts)


def space(pen: Pen, item: Item, at: Place) -> Iterator[Thing]:
    """A number, signs in the middle, words below, and what stands there in the corner."""
    parts: list[Part] = [ground(item, at), Text(7, 17, item.words, 14, "muted", True)]
    size = pen.fitting(first(item), at.width - 8, min(16, at.height / 4))
    parts += pen.line(first(item), (at.width - pen.length(first(item), size)) / 2, at.height / 2 + 3, size)
    parts.append(text.line(item.small, at.width / 2, at.height - 6, at.width - 6, 10.5, anchor="middle"))
    parts += pen.line(item.tail, at.width - 24, 13, 18)
    yield thing(pen, item, at, *parts)


def die(pen: Pen, item: Item, at: Place) -> Iterator[Thing]:
    size = min(at.height, 34)
    words = Text(size / 2, size / 2 + 6, item.words, 17, "ink", True, "middle")
    here = at.inside((at.width - size) / 2, (at.height - size) / 2, size, size)
    yield thing(pen, item, here, Box(0, 0, size, size, "panel", "ink", 7), words)


def pile(pen: Pen, item: Item, at: Place) -> Iterator[Thing]:
    """A sign and a number above a caption."""
    middle, face = at.height / 2 - (6 if item.small else 0), first(item)
    words, size = text.fitted(item.words, at.width - pen.length(face, 16) - 8, 15, True)
    beside = pen.length(face, 16) + 5 if face else 0.0
    left = (at.width - text.width(words, size, True) - beside) / 2
    parts: list[Part] = [ground(item, at), *pen.line(face, left, middle, 16)]
    parts.append(Text(left + beside, middle + 5.2, words, size, ink(item), True))
    if item.small:
        parts.append(text.line(item.small, at.width / 2, at.height - 6, at.width - 4, 10, "muted", anchor="middle"))
    yield thing(pen, item, at, *parts)


def tile(pen: Pen, item: Item, at: Place) -> Iterator[Thing]:
    """A place with pieces: a sign and a number for each kind."""
    label = NAME_OF_PLACE if item.words else 0
    name = (Text(7, at.height / 2 + 4, item.words, 11, "muted", True),) if label else ()
    fill: Look = "empty" if label else "panel"
    yield thing(pen, item, at, Box(0.5, 0.5, at.width - 1, at.height - 1, fill, "line"), *name)
    room, number = at.width - label - 6, len(item.items)
    columns = max(1, number) if label else 4 if number > 2 and room > 4 * CELL else 2
    rows = max(1, -(-number // columns))
    wide, high = min(room / columns, 3.4 * CELL), min((at.height - 4) / rows, 32.0)
    left = label + 3 if label else (at.width - min(number, columns) * wide) / 2
    top = (at.height - rows * high) / 2
    for place, inner in enumerate(item.items):
        here = at.inside(left + place % columns * wide, top + place // columns * high, wide - 1, high)
        size = min(17.0, high * 0.66, wide * (0.36 if wide > 30 else 0.27))
        beyond = (4 if wide > 30 else 2) + pen.length(first(inner), size)
        many = inner.many or 0
        words = str(many) if many < MOST_SHOWN else f"{many // 1000}k"
        number_size = max(text.LEAST, min(13, high * 0.6))
        figure = text.line(words, beyond, high / 2 + ASCENT * number_size, here.width - beyond, number_size, bold=True)
        yield thing(pen, inner, here, *pen.line(first(inner), 1.5, high / 2, size), figure)


def track(pen: Pen, item: Item, at: Place, beside: bool) -> Iterator[Thing]:
    """A store: its name and rule, and beside or below them the spaces of its track with all markers."""
    cells = at.width * 0.49 if beside else at.width
    room = at.width - cells - 10 if beside else at.width - 12
    top = 1.0 if beside else at.height - 24
    rule = in_lines(pen, item.face, Place(6, 16, room, (at.height if beside else top) - 18), 12.5)
    yield thing(pen, item, at, ground(item, at), text.line(item.words, 6, 13, room, 11.5, bold=True), *rule)
    each, high = cells / len(item.items), at.height - top - 1
    for place, inner in enumerate(item.items):
        here = at.inside(at.width - cells + place * each, top, each, high)
        below = 12.0 if high > 24 else 1.0
        base = 10.0 if inner.items else high / 2 + 4
        number = (
            [Text(each / 2, base, inner.words, 9, "muted", anchor="middle")] if below > 1 or not inner.items else []
        )
        yield thing(pen, inner, here, Box(0.5, 0, each - 1, high, "empty", "line", 3), *number)
        many = len(inner.items)
        wide, tall = (each - 3) / min(2, max(1, many)), (high - below - 1) / (2 if many > 2 else 1)
        for number_, marker in enumerate(inner.items):
            seat = SEATS[marker.seat or 0]
            edge: Look | None = "accent" if marker.state == "today" else None
            words = Text(wide / 2, tall / 2 + 2.5, marker.words, 9, "on-colour", True, "middle")
            spot = here.inside(1.5 + number_ % 2 * wide, below + number_ // 2 * tall, wide, tall)
            disc = Box(0.25, 0.25, wide - 0.5, tall - 0.5, seat, edge, 2)
            yield thing(pen, marker, spot, disc, words)


def bars(pen: Pen, item: Item, at: Place) -> Iterator[Thing]:
    """A name above a place for every bar."""
    parts: list[Part] = [ground(item, at), Text(6, 14, item.words, 11, "ink", True)]
    room = at.width - text.width(item.words, 11, True) - 14
    if item.small and text.width(item.small, text.LEAST) <= room:  # the name has it, too
        parts.append(text.line(item.small, at.width - 6, 14, room, 10, "muted", anchor="end"))
    yield thing(pen, item, at, *parts)
    each, high = (at.width - 6) / max(1, len(item.items)), at.height - 22
    for place, inner in enumerate(item.items):
        sign = pen.sign(first(inner)[0]) if inner.face else None
        fill: Look = (sign.hue or "ink") if sign else "empty"
        here = at.inside(3 + place * each, 19, each, high)
        yield thing(pen, inner, here, Box(0.5, 0, each - 1, high, fill, "line", 2))


def city(pen: Pen, item: Item, at: Place) -> Iterator[Thing]:
    """A name, signs, and a line for each inner item, marked with its seat."""
    name = text.line(item.words, at.width / 2, 14, at.width - 6, 11, bold=True, anchor="middle")
    left = (at.width - pen.length(first(item), 14, True)) / 2
    yield thing(pen, item, at, ground(item, at), name, *pen.line(first(item), left, 29, 14, bold=True))
    for place, inner in enumerate(item.items):
        words = text.line(inner.words, 14, 12, at.width - 20, 10.5)
        here = at.inside(2, 40 + place * 16, at.width - 4, 16)
        yield thing(pen, inner, here, Mark(7, 8, "circle", SEATS[inner.seat or 0], 8), words)


def on_display(pen: Pen, item: Item, at: Place) -> Iterator[Thing]:
    return (staff_card if item.kind == "employee" else machine)(pen, item, at)


def titled(pen: Pen, item: Item, at: Place) -> Iterator[Thing]:
    """A name in the middle of a card, and when it counts below it."""
    room = at.height - (13 if item.small else 4)
    name = text.block_or_line(item.words, 4, 2, at.width - 8, room, 11, ink(item), not item.state, True)
    small = text.line(item.small, at.width / 2, at.height - 4, at.width - 6, 9, "accent", anchor="middle")
    yield thing(pen, item, at, ground(item, at), *name, *[small] * bool(item.small))


def demand(pen: Pen, item: Item, at: Place) -> Iterator[Thing]:
    """A card of the goal: its name, and what it asks for."""
    if item.kind == "back":
        yield placeholder(pen, item, at)
        return
    small = text.width(item.small, 10)
    name = text.line(item.words, 8, 15, at.width - small - 26, 12, ink(item), True)
    sort = Text(at.width - 8, 15, item.small, 10, "muted", anchor="end")
    asked = in_lines(pen, item.face, Place(8, 20, at.width - 16, at.height - 23), 11, ink(item))
    yield thing(pen, item, at, ground(item, at), name, sort, *asked)


def told(pen: Pen, item: Item, at: Place) -> Iterator[Thing]:
    """A line of words, such as of the last moves."""
    wide = seat_width(pen, item)
    words = text.line(words_of(item), wide, at.height / 2 + 4, at.width - wide, 11.5)
    yield thing(pen, item, at, *seat_disc(pen, item, 0, at.height / 2), words)


def score(pen: Pen, item: Item, at: Place) -> Iterator[Thing]:
    """A player's place and score, and what it is made of: parts as long as their numbers, hollow below 0."""
    left = 0.45 * at.width if item.items else at.width
    yield from listed(pen, item, at._replace(width=left))
    each = (at.width - left) / max(1, sum(abs(int(inner.words)) for inner in item.items))
    for inner in item.items:
        wide, below = each * abs(int(inner.words)), inner.state == "used"
        hue = pen.signs[first(inner)[0][1:]].hue or "ink"
        parts: list[Part] = [Box(0, 4, wide, at.height - 8, "empty" if below else hue, hue, 0)]
        if text.width(inner.words, text.LEAST) < wide:
            look: Look = "ink" if below else "on-colour"
            parts.append(Text(wide / 2, at.height / 2 + 4, inner.words, text.LEAST, look, anchor="middle"))
        yield thing(pen, inner, at.inside(left, 0, wide, at.height), *parts)
        left += wide
