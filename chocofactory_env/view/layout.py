"""A tree as a picture: rows flow into panels of any width, and panels into columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import product
from math import ceil
from typing import Final, NamedTuple

import msgspec

from ..drawing import text
from ..drawing.scene import HEIGHT, Box, Mark, Panel, Part, Scene, Text, Thing
from ..drawing.svg import GAP, HEADING_HEIGHT, HEADING_SIZE, HEADING_X, TITLE_HEIGHT, TITLE_SIZE, TITLE_X, draw_things
from . import items as draw
from .items import Draw, Pen, Place
from .tree import Group, Item, Row, Sign, Tree

EDGE: Final = 8  # between a panel's border and its rows
BETWEEN: Final = 5  # rows, and items
LABEL: Final = 84  # width of the labels beside rows
NARROW_BELOW: Final = 360  # narrower panels have labels above rows
END: Final = 20  # width of the ends of a belt
RAIL: Final = 4  # height
DIE: Final = 40  # height
COLUMN: Final = 416  # of a wide picture
COLUMNS: Final = (8, 432, 856)
FREE: Final = {1: (1, 0, 1), 2: (1, 0), 3: (1, 1), 4: (1, 0)}  # columns with room for what all share, by players
LOG: Final = 118  # height that the last column leaves to the last moves, at least
NARROW: Final = 306  # width: on the 378 pixels of a phone, words of size 9 have 11 pixels
SCALES: Final = tuple(0.6 + 0.08 * step for step in range(22))  # of heights
NARROW_SCALE: Final = 1.2
CARD_SCALE: Final = 1.4  # of a card alone: all its words fit
FACTS: Final = 3  # of other players in a small frame
LINES: Final = 4  # of last moves in a small frame
WIDTHS: Final = range(480, 800, 20)  # of a small frame, from that with the largest type on

Rows = tuple[list[Thing], float]  # things from y = 0 on, and the height that they take
Wide = Callable[[Pen, Item], float]


# --- rows


def flow(pen: Pen, items: Sequence[Item], width: float, height: float, one: Draw, wide: Wide) -> Rows:
    """As many side by side as there is room for."""
    things: list[Thing] = []
    left = top = 0.0
    for item in items:
        across = min(width, wide(pen, item))
        if left and left + across > width:
            left, top = 0.0, top + height + BETWEEN
        things += one(pen, item, Place(left, top, across, height))
        left += across + BETWEEN
    return things, top + height


def grid(pen: Pen, items: Sequence[Item], width: float, height: float, one: Draw, columns: int) -> Rows:
    each, high = (width + BETWEEN) / columns, height + BETWEEN
    things: list[Thing] = []
    for place, item in enumerate(items):
        things += one(pen, item, Place(place % columns * each, place // columns * high, each - BETWEEN, height))
    return things, -(-len(items) // columns) * high - BETWEEN


def ring(pen: Pen, items: Sequence[Item], width: float) -> Rows:
    """Spaces above and below the die."""
    spaces = [item for item in items if item.kind != "die"]
    half = len(spaces) // 2
    above, tall = grid(pen, spaces[:half], width, 84 * pen.scale, draw.space, half)
    below, _ = grid(pen, spaces[half:], width, 84 * pen.scale, draw.space, half)
    dice = (each for item in items if item.kind == "die" for each in draw.die(pen, item, Place(0, 0, width, DIE)))
    middle = tall + BETWEEN
    things = [*above, *moved(dice, 0, middle), *moved(below, 0, middle + DIE + BETWEEN)]
    return things, 2 * tall + DIE + 2 * BETWEEN


def asked(pen: Pen, items: Sequence[Item], width: float) -> Rows:
    """The question, what is settled, and a hint; or a card that it is about."""
    things: list[Thing] = []
    top = 0.0
    for item in items:
        if item.kind == "card":
            things += draw.machine(pen, item, Place(0, top + 2, min(width, 150), 58))
            top += 62
            continue
        lines = text.wrap(text.known(item.words), width, 13.5, True, breaking=True)
        parts: list[Part] = [Text(0, 13 + 17 * at, words, 13.5, "ink", True) for at, words in enumerate(lines)]
        high = 17.0 * len(lines)
        for line in (each for face in item.face for each in draw.folded(pen, face, width, 12)):
            parts += pen.line(line, 0, high + 8, 12, "muted")
            high += 17
        hint = text.wrap(item.small, width, 11) if item.small else []
        parts += [Text(0, high + 11 + 14 * number, words, 11, "muted") for number, words in enumerate(hint)]
        high += 14 * len(hint) + 3
        things += [draw.thing(pen, item, Place(0, top, width, high), *parts)]
        top += high
    return things, top


def written(pen: Pen, items: Sequence[Item], width: float) -> Rows:
    """Lines of text, as a game writes them."""
    things: list[Thing] = []
    top = 0.0
    for item in items:
        lines = text.wrap(item.words, width, 12, breaking=True) or [""]
        parts = [Text(0, 11 + 15 * number, words, 12) for number, words in enumerate(lines) if words]
        things.append(draw.thing(pen, item, Place(0, top, width, 15 * len(lines)), *parts))
        top += 15 * len(lines)
    return things, top


def buttons(pen: Pen, items: Sequence[Item], width: float) -> Rows:
    return flow(pen, items, width, 38 if any(item.small for item in items) else 28, draw.button, draw.button_width)


def cards(pen: Pen, items: Sequence[Item], width: float) -> Rows:
    """Backs are narrow; cards face up share the rest."""
    high, up = 58 * max(0.9, pen.scale), [item for item in items if item.kind != "back"]
    back = min(0.66 * high, 44)
    each = (width - (len(items) - len(up)) * (back + BETWEEN)) / max(1, min(4, len(up))) - BETWEEN
    across = min(each, 1.6 * high, 118)
    return flow(pen, items, width, high, draw.card, lambda _, item: back if item.kind == "back" else across)


def packets(pen: Pen, items: Sequence[Item], width: float) -> Rows:
    """A tray for each packet, with its cards."""
    recruits = any(inner.kind == "employee" for item in items for inner in item.items)
    columns = (3 if width > NARROW_BELOW else 2) - recruits
    if all(len(item.items) == 1 for item in items):  # in the solo game there are no packets
        high = 52 * min(1.3, max(0.9, pen.scale)) if recruits else 58 * min(1.5, max(0.7, pen.scale))
        return grid(pen, [each for item in items for each in item.items], width, high, draw.on_display, columns)
    each = (width - 6 * columns) / columns - BETWEEN
    high = 55 * max(0.95, pen.scale) if recruits else 58 * max(0.85, pen.scale)
    things: list[Thing] = []
    left = top = tall = 0.0
    for item in items:
        number = len(item.items)
        rows = -(-number // columns) * (high + BETWEEN) + 2
        wide = min(number, columns) * (each + BETWEEN) + 2
        if left and left + wide > width:
            left, top, tall = 0.0, top + tall + BETWEEN, 0.0
        things.append(
            draw.thing(pen, item, Place(left, top, wide, rows), Box(0.5, 0.5, wide - 1, rows - 1, "empty", "line"))
        )
        for place, inner in enumerate(item.items):
            x, y = left + 3 + place % columns * (each + BETWEEN), top + 3 + place // columns * (high + BETWEEN)
            things += draw.on_display(pen, inner, Place(x, y, each, high))
        left, tall = left + wide + BETWEEN, max(tall, rows)
    return things, top + tall


def belt(pen: Pen, items: Sequence[Item], width: float) -> Rows:
    """Trays on a band, between a hopper and the edge over which pieces drop."""
    high, (load, *tiles, drop) = 52 * pen.scale, items
    rails = (Box(0, y, width, RAIL, "line", None, 2) for y in (0, high - RAIL))
    words = [[word] for line in load.face for word in line]
    brought = [
        part
        for place, word in enumerate(words)
        for part in pen.line(word, (END - pen.length(word, 10)) / 2, high / 2 + 13 * (place - (len(words) - 1) / 2), 10)
    ]
    hopper = Box(1, RAIL + 2, END - 2, high - 2 * RAIL - 4, "card", "line", 4)
    things = [
        draw.thing(pen, load, Place(0, 0, width, high), Box(0, 0, width, high, "hidden"), *rails, hopper, *brought)
    ]
    down = Box(2, RAIL + 2, END - 4, high - RAIL - 2, "card", "line", 4), Mark(END / 2, high / 2, "arrow", "muted", 11)
    things.append(draw.thing(pen, drop, Place(width - END, 0, END, high), *down))
    trays, _ = grid(pen, tiles, width - 2 * END, high - 2 * RAIL - 6, draw.tile, len(tiles))
    return [*things, *moved(trays, END, RAIL + 3)], high


def cities(pen: Pen, items: Sequence[Item], width: float) -> Rows:
    high = 44 + 16 * max(len(item.items) for item in items)
    return grid(pen, items, width, high, draw.city, len(items) if width > NARROW_BELOW else 3)


def log(pen: Pen, items: Sequence[Item], width: float) -> Rows:
    things = [each for at, item in enumerate(items) for each in draw.told(pen, item, Place(0, 17 * at, width, 16))]
    return things, 17 * len(items)


def machines(pen: Pen, items: Sequence[Item], width: float) -> Rows:
    high = 62 * max(0.95, pen.scale) if width > NARROW_BELOW else 74 * pen.scale
    return grid(pen, items, width, min(high, 124), draw.machine, 4)


def staff(pen: Pen, items: Sequence[Item], width: float) -> Rows:
    return grid(pen, items, width, 36 * min(1.3, max(1, pen.scale)) if width > NARROW_BELOW else 50, draw.staff_card, 1)


def tracks(pen: Pen, items: Sequence[Item], width: float) -> Rows:
    if width < NARROW_BELOW:
        return grid(pen, items, width, 58 * pen.scale, partial(draw.track, beside=False), 1)
    return grid(pen, items, width, 42 * min(1.3, max(0.8, pen.scale)), partial(draw.track, beside=True), 1)


ROWS: Final[dict[str, Callable[[Pen, Sequence[Item], float], Rows]]] = {
    "ask": asked, "belt": belt, "buttons": buttons, "cards": cards, "cities": cities, "log": log,
    "machines": machines, "packets": packets, "ring": ring, "staff": staff, "text": written, "track": tracks,
}  # fmt: skip
# kind -> how an item is drawn, the columns (0: one for each), the height of a row, and its least and most scale
GRIDS: Final[dict[str, tuple[Draw, int, float, float, float]]] = {
    "asked": (draw.staff_card, 1, 36, 0.95, 1.2),
    "bars": (draw.bars, 2, 44, 0.9, 1.5),
    "contracts": (draw.contract, 2, 24, 0.85, 1.3),
    "demands": (draw.demand, 1, 46, 0.8, 1.3),
    "events": (draw.titled, 4, 34, 1, 1.4),
    "holds": (draw.hold, 1, 38, 0.8, 2),
    "offer": (draw.listed, 1, 30, 0.9, 1.3),
    "orders": (draw.order, 3, 78, 0.8, 2),
    "piles": (draw.pile, 0, 40, 0.9, 1.3),
    "prices": (draw.pile, 0, 36, 1, 1.3),
    "recipes": (draw.listed, 1, 26, 0.9, 1.6),
    "result": (draw.score, 1, 28, 0.9, 1.3),
    "staff4": (draw.pile, 4, 40, 0.9, 1.5),
    "store": (draw.tile, 1, 28, 0.9, 1.5),
    "week": (draw.listed, 1, 22, 0.9, 1.3),
}
FLOWS: Final[dict[str, tuple[Draw, Wide, float]]] = {
    "facts": (partial(draw.chip, boxed=False), draw.chip_width, 24),
    "legend": (draw.legend_entry, draw.legend_width, 18),
    "present": (draw.chip, draw.chip_width, 24),
}
LEAST_ACROSS: Final = 66  # width of an item in a grid
MOST_ACROSS: Final = 8  # items in a row of a grid with a column for each
UNLABELLED: Final = ("legend", "packets")
BESIDE: Final = ("cards", "chips", "contracts")  # kinds of rows with labels beside them, if there is room


def row_of(pen: Pen, row: Row, width: float) -> Rows:
    if row.kind in ROWS:
        return ROWS[row.kind](pen, row.items, width)
    if row.kind in GRIDS:
        one, columns, height, least, most = GRIDS[row.kind]
        across = columns or min(len(row.items), MOST_ACROSS if width > NARROW_BELOW else MOST_ACROSS // 2)
        across = min(across, max(1, int(width // LEAST_ACROSS)))
        return grid(pen, row.items, width, height * min(most, max(least, pen.scale)), one, across)
    one, wide, height = FLOWS.get(row.kind, (draw.plain_chip, draw.plain_width, 24))
    return flow(pen, row.items, width, height, one, wide)


def moved(things: Sequence[Thing] | Iterator[Thing], x: float, y: float) -> list[Thing]:
    return [replace(each, x=each.x + x, y=each.y + y) for each in things]


def alone(signs: dict[str, Sign], row: Row, theme: str) -> str:
    """SVG of a row as it lies in a narrow panel."""
    things, _ = row_of(Pen(signs, CARD_SCALE), row, NARROW - 2 * EDGE)
    return draw_things(things, theme)


# --- panels


class Plan(NamedTuple):
    """A tree in parts that panels are cached by."""

    signs: bytes
    groups: list[Group]

    def panel(self, group: Group, width: float, scale: float, legend: bool = True) -> Panel:
        """A group, as high as its rows. legend: with the rows that explain signs."""
        legend = legend or not any(row.kind == "legend" for row in group.rows)  # without any, the panel is the same
        return panel(self.signs, msgspec.json.encode(group), width, scale, legend)


def plan(tree: Tree) -> Plan:
    return Plan(msgspec.json.encode(tree.signs), tree.groups)


@lru_cache(8)
def signs_in(encoded: bytes) -> dict[str, Sign]:
    return msgspec.json.decode(encoded, type=dict[str, Sign])


@lru_cache(1 << 10)
def panel(signs: bytes, encoded: bytes, width: float, scale: float, legend: bool) -> Panel:
    group = msgspec.json.decode(encoded, type=Group)
    seat = group.seat if is_seat(group) else None
    things: list[Thing] = []
    top = HEADING_HEIGHT + 2.0
    for row in group.rows:
        if row.kind == "legend" and not legend:
            continue
        labelled = bool(row.label) and row.kind not in UNLABELLED
        beside = labelled and row.kind in BESIDE and width >= NARROW_BELOW
        left = EDGE + (LABEL if beside else 0)
        if labelled and not beside:
            things.append(label(row.label, Place(EDGE, top, width - 2 * EDGE, 16)))
            top += 17
        drawn, high = kept_row(signs, msgspec.json.encode(row), seat, width - EDGE - left, scale)
        if beside:
            things.append(label(row.label, Place(EDGE, top, LABEL - 4, min(high, 26))))
        things += moved(drawn, left, top)
        top += high + BETWEEN * min(1.4, scale)
    heading = text.shortened(" · ".join((group.name, *group.notes)), width - HEADING_X - EDGE, HEADING_SIZE, True)
    return Panel(heading, 0, 0, width, ceil(top + 3), tuple(things), group.seat, group.role)


@lru_cache(1 << 11)
def kept_row(signs: bytes, encoded: bytes, seat: int | None, width: float, scale: float) -> Rows:
    """A row of a panel: most rows stay the same from one position to the next, and from one viewer to another."""
    return row_of(Pen(signs_in(signs), scale, seat), msgspec.json.decode(encoded, type=Row), width)


def is_seat(group: Group) -> bool:
    return group.role in ("own", "rival")


def label(words: str, at: Place) -> Thing:
    return Thing(words, *at, (text.line(words, 0, at.height / 2 + 4, at.width, 11.5, "muted", True),))


def titled(tree: Tree, panels: Iterable[Panel], width: float, height: float) -> Scene:
    room = width - TITLE_X - GAP
    words = " · ".join((tree.title, *tree.when))
    if text.width(words, TITLE_SIZE, True) > room:
        words = text.shortened(" · ".join(tree.when), room, TITLE_SIZE, True)
    return Scene(words, tuple(panels), width, height)


def narrow(tree: Tree) -> Scene:
    """Narrow panels side by side, those of players last and by seat."""
    groups = sorted(tree.groups, key=lambda group: (is_seat(group), group.seat or 0 if is_seat(group) else 0))
    drawn, step = plan(tree), NARROW + GAP
    panels = [drawn.panel(group, NARROW, NARROW_SCALE) for group in groups]
    placed = [replace(each, x=GAP + place * step, y=TITLE_HEIGHT) for place, each in enumerate(panels)]
    return titled(tree, placed, GAP + len(placed) * step, TITLE_HEIGHT + max(each.height for each in placed) + GAP)


# --- the wide picture


def wide(tree: Tree) -> Scene:
    """Players in two columns, all else in the third or where there is room, as large as it fits."""
    drawn = plan(tree)
    seats = [group for group in tree.groups if is_seat(group)]
    moves = [group for group in tree.groups if group.id == "moves"]
    shared = [group for group in tree.groups if not is_seat(group) and group not in moves]
    free = FREE[len(seats)][: max(0, len(shared) - 2)]
    ways = ((free[:number], legend) for number in range(len(free) + 1) for legend in (True, False))
    end = HEIGHT - GAP
    ends = (end, end, end - (LOG if moves else 0))
    tried = [(*arranged(drawn, seats, shared, places, legend, ends), legend) for places, legend in ways]
    columns, scales, legend = max(tried, key=lambda way: (min(1.0, *way[1]), way[2], min(way[1])))
    placed = {}
    for left, groups, scale, lowest in zip(COLUMNS, columns, scales, ends, strict=True):
        panels = [drawn.panel(group, COLUMN, max(scale, SCALES[0]), legend) for group in groups]
        more = 0.0 if lowest < end else max(0.0, lowest - bottom(panels)) // max(1, len(panels))
        top = float(TITLE_HEIGHT)
        for group, each in zip(groups, panels, strict=True):
            placed[group.id] = replace(each, x=left, y=top, height=each.height + more)
            top += each.height + more + GAP
    for group in moves:
        each = as_high_as(drawn, group, COLUMN, max(end - top, LOG - GAP))
        placed[group.id] = replace(each, x=COLUMNS[-1], y=top)
    height = max(HEIGHT, *(each.y + each.height + GAP for each in placed.values()))
    return titled(tree, [placed[group.id] for group in tree.groups], COLUMNS[-1] + COLUMN + GAP, height)


def as_high_as(drawn: Plan, moves: Group, width: float, height: float) -> Panel:
    """The last moves, as many as there is room for."""
    [row] = moves.rows
    for number in range(len(row.items), 0, -1):
        shown = msgspec.structs.replace(moves, rows=[Row(row.kind, row.items[:number])])
        found = drawn.panel(shown, width, 1)
        if found.height <= height:
            break
    return replace(found, height=max(found.height, height))


def arranged(
    drawn: Plan,
    seats: Sequence[Group],
    shared: Sequence[Group],
    free: Sequence[int],
    legend: bool,
    ends: Sequence[float],
) -> tuple[list[list[Group]], list[float]]:
    """The columns with their scales, if the last shared groups lie in the columns `free`."""
    columns = [[*seats[::2]], [*seats[1::2]], [*shared[: len(shared) - len(free)]]]
    for column, group in zip(free, reversed(shared), strict=False):
        columns[column].append(group)
    scales = [largest(drawn, column, end, legend) for column, end in zip(columns, ends, strict=True)]
    if len(seats) % 2 == 0:
        scales[:2] = [min(scales[:2])] * 2
    return columns, scales


def bottom(panels: Sequence[Panel]) -> float:
    return TITLE_HEIGHT + sum(each.height + GAP for each in panels) - GAP


def largest(drawn: Plan, groups: Sequence[Group], end: float, legend: bool) -> float:
    """The largest scale at which the panels fit above `end`; less than the least one if they do not fit at all."""
    least, most = 0, len(SCALES)
    while most - least > 1:
        middle = (least + most) // 2
        panels = [drawn.panel(group, COLUMN, SCALES[middle], legend) for group in groups]
        least, most = (middle, most) if bottom(panels) <= end else (least, middle)
    if least:
        return SCALES[least]
    needed = bottom([drawn.panel(group, COLUMN, SCALES[0], legend) for group in groups])
    return SCALES[0] * min(1.0, end / needed)


# --- a small frame


def small(tree: Tree, size: tuple[int, int]) -> Scene:
    """One player's board, the others in a line each, and the last moves, in two columns, in type as large as fits.

    In 640 × 400 pixels the whole picture would have words of size 4.5. Without boards it is the whole picture.
    """
    drawn, boards = plan(tree), [one for one in tree.groups if is_seat(one) and one.seat is not None]
    if not boards:
        return wide(tree)
    shown = next(
        (one for one in boards if one.role == "own" or (tree.viewer is None and "to move" in one.notes)), boards[0]
    )
    others = [in_brief(one) for one in boards if one is not shown]
    below = [Group("others", "The others", "shared", [Row("log", others)])] if others else []
    below += [
        msgspec.structs.replace(one, rows=[Row("log", one.rows[0].items[:LINES])])
        for one in tree.groups
        if one.id == "moves"
    ]
    for width, scale in product(WIDTHS, (1, 0.88)):
        columns = balanced(drawn, shown, below, (width - 3 * GAP) / 2, scale)
        height = max(map(bottom, columns)) + GAP
        if height <= width * size[1] / size[0]:
            break
    panels, left = [], float(GAP)
    for column in columns:
        top = float(TITLE_HEIGHT)
        for each in column:
            panels.append(replace(each, x=left, y=top))
            top += each.height + GAP
        left += (width - GAP) / 2
    return titled(tree, panels, width, max(height, width * size[1] / size[0]))


def balanced(drawn: Plan, board: Group, below: Sequence[Group], width: float, scale: float) -> list[list[Panel]]:
    """The first rows of a board on the left, its other rows above the rest on the right."""
    rest = [drawn.panel(group, width, 1) for group in below]
    ways = []
    for cut in range(1, len(board.rows) + 1):
        parts = [msgspec.structs.replace(board, rows=board.rows[:cut])]
        if cut < len(board.rows):
            parts.append(Group(board.id, "continued", board.role, board.rows[cut:]))
        left, *right = (drawn.panel(part, width, scale, legend=False) for part in parts)
        ways.append([[left], [*right, *rest]])
    return min(ways, key=lambda columns: max(map(bottom, columns)))


def in_brief(group: Group) -> Item:
    """A board in a line: its name, and a few facts."""
    words = " · ".join((group.name, *map(fact_in_brief, group.rows[0].items[:FACTS])))
    return Item(words, words, seat=group.seat)


def fact_in_brief(item: Item) -> str:
    if not item.words.isdigit():
        return item.words or item.name
    return f"{item.words} {item.small}" if item.small else item.name
