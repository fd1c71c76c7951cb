"""A tree as a picture: rows flow into panels of any width, and panels into the columns of a wide picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from math import ceil
from typing import Final

from ..drawing import text
from ..drawing.plain import NARROW, in_a_row
from ..drawing.scene import HEIGHT, Box, Panel, Scene, Text, Thing
from ..drawing.svg import GAP, HEADING_HEIGHT, TITLE_HEIGHT
from . import items as draw
from .items import Draw, Pen, Place
from .tree import Group, Item, Row, Sign, Tree

EDGE: Final = 8  # between a panel's border and its rows
BETWEEN: Final = 5  # rows, and items
LABEL: Final = 84  # width of the labels beside rows
NARROW_BELOW: Final = 360  # narrower panels have labels above rows
END: Final = 12  # width of the ends of a belt
DIE: Final = 40  # height
COLUMN: Final = 416  # of a wide picture
COLUMNS: Final = (8, 432, 856)
FREE: Final = {1: (1, 0, 1), 2: (1, 0), 3: (1, 1), 4: (1, 0)}  # columns with room for what all share, by players
LOG: Final = 152  # height that the last column leaves to the last moves
SCALES: Final = tuple(0.6 + 0.08 * step for step in range(14))  # of heights
NARROW_SCALE: Final = 1.2
SUMMARY: Final = 3  # facts

Rows = tuple[list[Thing], float]  # things from y = 0 on, and the height that they take
Wide = Callable[[Pen, Item], float]
Signs = tuple[tuple[str, Sign], ...]


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
    """Spaces around the die, clockwise."""
    spaces = [item for item in items if item.kind != "die"]
    half = len(spaces) // 2
    above, tall = grid(pen, spaces[:half], width, 84 * pen.scale, draw.space, half)
    below, _ = grid(pen, spaces[: half - 1 : -1], width, 84 * pen.scale, draw.space, half)
    dice = (each for item in items if item.kind == "die" for each in draw.die(pen, item, Place(0, 0, width, DIE)))
    middle = tall + BETWEEN
    things = [*above, *moved(dice, 0, middle), *moved(below, 0, middle + DIE + BETWEEN)]
    return things, 2 * tall + DIE + 2 * BETWEEN


def asked(pen: Pen, items: Sequence[Item], width: float) -> Rows:
    """The question in full, and a hint below it."""
    things: list[Thing] = []
    top = 0.0
    for item in items:
        lines = text.wrap(text.known(item.name), width, 13.5, True, breaking=True)
        hint = text.wrap(item.small, width, 11) if item.small else []
        below = 17 * len(lines)
        parts = [Text(0, 13 + 17 * number, words, 13.5, "ink", True) for number, words in enumerate(lines)]
        parts += [Text(0, below + 12 + 14 * number, words, 11, "muted") for number, words in enumerate(hint)]
        high = below + 14 * len(hint) + 3
        things.append(replace(draw.thing(pen, item, Place(0, top, width, high), *parts), note=True))
        top += high
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
    each = (width - 6 * columns) / columns - BETWEEN
    high = 46 * max(0.9, pen.scale) if recruits else 58 * max(0.85, pen.scale)
    things: list[Thing] = []
    left = top = tall = 0.0
    for item in items:
        number = len(item.items)
        rows = -(-number // columns) * (high + BETWEEN) + 14
        wide = min(number, columns) * (each + BETWEEN) + 1
        if left and left + wide > width:
            left, top, tall = 0.0, top + tall + BETWEEN, 0.0
        tray = Box(0.5, 0.5, wide - 1, rows - 1, "panel", "line")
        things.append(draw.thing(pen, item, Place(left, top, wide, rows), tray, Text(5, 11, item.name, 9, "muted")))
        for place, inner in enumerate(item.items):
            x, y = left + 3 + place % columns * (each + BETWEEN), top + 15 + place // columns * (high + BETWEEN)
            things += draw.on_display(pen, inner, Place(x, y, each, high))
        left, tall = left + wide + BETWEEN, max(tall, rows)
    return things, top + tall


def belt(pen: Pen, items: Sequence[Item], width: float) -> Rows:
    """Tiles between the two ends; pieces move to the right."""
    high, (load, *tiles, drop) = 46 * pen.scale, items
    things = []
    for end, left in ((load, 0.0), (drop, width - END)):
        band = Box(0, 6, END, high - 12, "line", None, 2)
        things.append(draw.thing(pen, end, Place(left, 0, END, high), band, *pen.line(("→",), 1, high / 2, 8)))
    drawn, _ = grid(pen, tiles, width - 2 * END - 4, high, draw.tile, len(tiles))
    return [*things, *moved(drawn, END + 2, 0)], high


def cities(pen: Pen, items: Sequence[Item], width: float) -> Rows:
    high = 44 + 16 * max(len(item.items) for item in items)
    return grid(pen, items, width, high, draw.city, len(items) if width > NARROW_BELOW else 3)


def tracks(pen: Pen, items: Sequence[Item], width: float) -> Rows:
    if width < NARROW_BELOW:
        return grid(pen, items, width, 58 * pen.scale, draw.track_below, 1)
    return grid(pen, items, width, 42 * min(1.3, max(0.8, pen.scale)), draw.track_beside, 1)


ROWS: Final[dict[str, Callable[[Pen, Sequence[Item], float], Rows]]] = {
    "ask": asked, "belt": belt, "buttons": buttons, "cards": cards, "cities": cities, "packets": packets,
    "ring": ring, "track": tracks,
}  # fmt: skip
# kind -> how an item is drawn, the columns (0: one for each), the height of a row, and its least and most scale
GRIDS: Final[dict[str, tuple[Draw, int, float, float, float]]] = {
    "asked": (draw.staff_card, 1, 36, 0.95, 1.2),
    "bars": (draw.bars, 2, 44, 0.9, 1.5),
    "display": (draw.machine, 3, 58, 0.7, 1.5),
    "recruits": (draw.staff_card, 2, 44, 0.9, 1.3),
    "contracts": (draw.contract, 2, 24, 0.85, 1.3),
    "effects": (draw.staff_card, 1, 44, 1, 1),
    "events": (draw.titled, 4, 32, 1, 1.4),
    "holds": (draw.hold, 1, 38, 0.8, 2),
    "machines": (draw.machine, 4, 62, 0.95, 2),
    "manager": (draw.staff_card, 1, 46, 0.8, 1.3),
    "offer": (draw.listed, 1, 30, 0.9, 1.3),
    "orders": (draw.order, 3, 78, 0.8, 1.4),
    "papers": (draw.pile, 0, 40, 0.9, 1.4),
    "piles": (draw.pile, 0, 40, 0.9, 1.3),
    "places": (draw.listed, 1, 26, 0.9, 1.3),
    "prices": (draw.pile, 0, 36, 1, 1.3),
    "recipes": (draw.listed, 1, 26, 0.9, 1.6),
    "staff": (draw.staff_card, 1, 36, 1, 1.3),
    "staff4": (draw.pile, 4, 40, 0.9, 1.5),
    "store": (draw.tile, 1, 28, 0.9, 1.5),
    "week": (draw.listed, 1, 22, 0.9, 1.3),
}
FLOWS: Final[dict[str, tuple[Draw, Wide, float]]] = {
    "facts": (draw.fact, draw.chip_width, 24),
    "legend": (draw.legend_entry, draw.legend_width, 18),
}
MOST_ACROSS: Final = 8  # items in a row of a grid with a column for each
UNLABELLED: Final = ("belt", "holds", "legend", "piles", "prices", "recipes", "staff4")  # labelled only in text
BESIDE: Final = ("cards", "chips", "settled")  # kinds of rows with labels beside them, if there is room


def row_of(pen: Pen, row: Row, width: float) -> Rows:
    if row.kind in ROWS:
        return ROWS[row.kind](pen, row.items, width)
    if row.kind in GRIDS:
        one, columns, height, least, most = GRIDS[row.kind]
        across = columns or min(len(row.items), MOST_ACROSS if width > NARROW_BELOW else MOST_ACROSS // 2)
        return grid(pen, row.items, width, height * min(most, max(least, pen.scale)), one, across)
    one, wide, height = FLOWS.get(row.kind, (draw.plain_chip, draw.plain_width, 24))
    return flow(pen, row.items, width, height, one, wide)


def moved(things: Sequence[Thing] | Iterator[Thing], x: float, y: float) -> list[Thing]:
    return [replace(each, x=each.x + x, y=each.y + y) for each in things]


# --- panels


@lru_cache(1 << 10)
def panel(signs: Signs, group: Group, width: float, scale: float, legend: bool = True) -> Panel:
    """A group, as high as its rows. legend: with the rows that explain signs."""
    pen = Pen(dict(signs), scale, group.seat if is_seat(group) else None)
    things: list[Thing] = []
    top = HEADING_HEIGHT + 2.0
    for row in group.rows:
        if not row.items or (row.kind == "legend" and not legend):
            continue
        labelled = bool(row.label) and row.kind not in UNLABELLED
        beside = labelled and row.kind in BESIDE and width >= NARROW_BELOW
        left = EDGE + (LABEL if beside else 0)
        if labelled and not beside:
            things.append(label(row.label, Place(EDGE, top, width - 2 * EDGE, 16)))
            top += 17
        drawn, high = row_of(pen, row, width - EDGE - left)
        if beside:
            things.append(label(row.label, Place(EDGE, top, LABEL - 4, min(high, 26))))
        things += moved(drawn, left, top)
        top += high + BETWEEN * min(1.4, scale)
    heading = " · ".join((group.name, *group.notes))
    summary = tuple(map(in_brief, group.rows[0].items[:SUMMARY])) if is_seat(group) else ()
    choosing = group.id == "choice"
    return Panel(heading, 0, 0, width, ceil(top + 3), tuple(things), group.seat, choosing, group.role, summary)


def is_seat(group: Group) -> bool:
    return group.role in ("own", "rival")


def in_brief(item: Item) -> str:
    """An item's words; its name, if they are but a number."""
    return item.name.partition(",")[0] if not item.words or item.words.isdigit() else item.words


def label(words: str, at: Place) -> Thing:
    return Thing(words, *at, (text.line(words, 0, at.height / 2 + 4, at.width, 11.5, "muted", True),), note=True)


def title(tree: Tree) -> str:
    return " · ".join((tree.title, *tree.when))


def narrow(tree: Tree) -> Scene:
    """Narrow panels side by side, those of players last and by seat; see `drawing.plain`."""
    signs, seats = tuple(tree.signs.items()), [group for group in tree.groups if is_seat(group)]
    groups = [group for group in tree.groups if not is_seat(group)]
    groups += sorted(seats, key=lambda group: group.seat or 0)
    return in_a_row(title(tree), [panel(signs, group, NARROW, NARROW_SCALE) for group in groups])


# --- the wide picture


def scene(tree: Tree) -> Scene:
    """Players in two columns, all else in the third or where there is room, as large as it fits."""
    signs = tuple(tree.signs.items())
    seats = [group for group in tree.groups if is_seat(group)]
    shared = [group for group in tree.groups if group not in seats]
    free = FREE[len(seats)][: max(0, len(shared) - 2)]
    ways = ((free[:number], legend) for number in range(len(free) + 1) for legend in (True, False))
    tried = [(*arranged(signs, seats, shared, places, legend), legend) for places, legend in ways]
    columns, scales, legend = max(tried, key=lambda way: (min(1.0, *way[1]), way[2], min(way[1])))
    placed = {}
    for column, (groups, scale) in enumerate(zip(columns, scales, strict=True)):
        panels = [panel(signs, group, COLUMN, max(scale, SCALES[0]), legend) for group in groups]
        more = max(0.0, lowest(column) - bottom(panels)) // max(1, len(panels))
        top = float(TITLE_HEIGHT)
        for group, each in zip(groups, panels, strict=True):
            placed[group.id] = replace(each, x=COLUMNS[column], y=top, height=each.height + more)
            top += each.height + more + GAP
    height = max(HEIGHT, *(each.y + each.height + GAP for each in placed.values()))
    return Scene(title(tree), tuple(placed[group.id] for group in tree.groups), height=height)


def arranged(
    signs: Signs, seats: Sequence[Group], shared: Sequence[Group], free: Sequence[int], legend: bool
) -> tuple[list[list[Group]], list[float]]:
    """The columns with their scales, if the last shared groups lie in the columns `free`."""
    columns = [[*seats[::2]], [*seats[1::2]], [*shared[: len(shared) - len(free)]]]
    for column, group in zip(free, reversed(shared), strict=False):
        columns[column].append(group)
    scales = [largest(signs, column, lowest(number), legend) for number, column in enumerate(columns)]
    if len(seats) % 2 == 0:
        scales[:2] = [min(scales[:2])] * 2
    return columns, scales


def lowest(column: int) -> float:
    return HEIGHT - GAP - (LOG if column == 2 else 0)


def bottom(panels: Sequence[Panel]) -> float:
    return TITLE_HEIGHT + sum(each.height + GAP for each in panels) - GAP


def largest(signs: Signs, groups: Sequence[Group], end: float, legend: bool) -> float:
    """The largest scale at which the panels fit above `end`; less than the least one if they do not fit at all."""
    least, most = 0, len(SCALES)
    while most - least > 1:
        middle = (least + most) // 2
        panels = [panel(signs, group, COLUMN, SCALES[middle], legend) for group in groups]
        least, most = (middle, most) if bottom(panels) <= end else (least, middle)
    if least:
        return SCALES[least]
    needed = bottom([panel(signs, group, COLUMN, SCALES[0], legend) for group in groups])
    return SCALES[0] * min(1.0, end / needed)
