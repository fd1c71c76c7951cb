"""A player's factory: parts on their slots, pieces on the belt and in the store room."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from .....drawing import text
from .....drawing.scene import Box, Look, Mark, Part, Text, Thing
from .....drawing.text import block_or_line, line
from ...cards import Cards
from ...constants import NUM_SLOTS, NUM_TILES, STORE_ROOM, Function
from ...words import KINDS, PLACES
from ..describe_cards import counted, option_in_words, part_in_words
from ..render import held, seats_acting
from . import pictures
from .pictures import COAL, LEAST_MARK, mark, number_words, sentence
from .view import GAP, LEFT, LOW, NARROW_BELOW, Heights, Json, View

BADGE: Final = 27  # size of the button that assigns a Mechanic or Technician; 24 pixels on a phone
LOW_CARD: Final = 80  # lower cards have no such button
COST: Final = 25  # room for a part's cost, beside its name
CLAUSES: Final = {  # of parts without one of their own
    Function.CONVERTER: "PART-1",
    Function.UPGRADER: "PART-5",
    Function.REPEATER: "PART-6",
    Function.CHUTE: "RUN-6",
}


def factory(view: View, seat: int, player: Json, top: float, width: float, rows: Heights) -> Iterator[Thing]:
    """The upper slots, the belt, the lower slots."""
    pitch = (width + GAP) / NUM_TILES
    belt = top + rows.slot + GAP
    for slot in range(NUM_TILES):
        yield from slot_things(view, seat, player, slot, LEFT + slot * pitch, top, pitch - GAP, rows)
    band = Box(0, 6, width, rows.tile - 12, "line", None, 2)
    yield Thing("belt, moving to the right", LEFT, belt, width, rows.tile, (band,), seat)
    for tile in range(NUM_TILES):
        yield from tile_things(view, seat, player, tile, LEFT + tile * pitch, belt, pitch - GAP, rows)
    below = belt + rows.tile + GAP
    for slot in range(NUM_TILES, NUM_SLOTS):
        x = LEFT + (slot - NUM_TILES) * pitch
        yield from slot_things(view, seat, player, slot, x, below, pitch - GAP, rows)


def slot_things(
    view: View, seat: int, player: Json, slot: int, x: float, y: float, width: float, rows: Heights
) -> Iterator[Thing]:
    """A slot and its part, with the buttons that choose one of its options or assign an employee to it."""
    part, height = player["factory"][slot], rows.slot
    operated = player["operated"][slot] and view.phase == "run" and seat in seats_acting(view.position)
    marked = view.under_way("slot", seat) == slot
    action = view.action("operate", slot, seat)
    if action is None:
        action = view.action("place_part", slot, seat)
    if part is None:
        empty = (Box(0, 0, width, height, "empty", "line", dashed=True), slot_number(slot, width, height))
        yield Thing(f"slot {slot}: empty", x, y, width, height, empty, seat, action, marked, rule="DRAFT-4")
        return
    assigned = player["assigned"] == slot
    assign = view.action("assign", slot, seat)
    badge = assigned or assign is not None
    words = f"slot {slot}: {part_name(view.cards, part)}"
    words += ", in use" if marked else ", used this shift" if operated else ""
    words += f", {assigned_to(view, player)}'s" if assigned else ""
    parts = part_face(view.cards, part, width, height, rows.size, badge, operated and not marked)
    if assigned:
        parts = (*parts, Mark(width - BADGE / 2 - 2, height - BADGE / 2 - 2, "person", "accent", BADGE - 4))
    rule = part_rule(view.cards, part)
    yield Thing(words, x, y, width, height, parts, seat, action, marked, rule=rule, piece=f"part {part}")
    if marked and view.under_way("kind") == "option":
        yield from option_things(view, seat, part, x, y, width, rows, badge)
    if assign is not None:
        inside = (Box(0, 0, BADGE, BADGE, "panel", None, 4), Mark(BADGE / 2, BADGE / 2, "person", "muted", BADGE - 6))
        name = f"assign the {assigned_to(view, player)} to slot {slot}"
        yield Thing(name, x + width - BADGE - 2, y + height - BADGE - 2, BADGE, BADGE, inside, seat, assign)


def slot_number(slot: int, width: float, height: float) -> Text:
    return Text(width / 2, height / 2 + 4, str(slot), 11, "muted", anchor="middle")


def assigned_to(view: View, player: Json) -> str:
    name: str = view.cards.names[player["employee"]] if player["employee"] else "employee"
    return name


def part_rule(cards: Cards, part: str) -> str:
    """The clause that says what the part does."""
    return cards.clauses[part] or CLAUSES[Function(cards.record.parts[cards.parts.index(part)].function)]


@lru_cache(1 << 10)
def part_name(cards: Cards, part: str) -> str:
    row = cards.record.parts[cards.parts.index(part)]
    return f"{cards.names[part]}, {row.cost} coal: {part_in_words(row)}"


@lru_cache(1 << 12)
def part_face(
    cards: Cards, part: str, width: float, height: float, size: float, badge: bool = False, used: bool = False
) -> tuple[Part, ...]:
    """A part as a card: its name, cost, and function."""
    row = cards.record.parts[cards.parts.index(part)]
    look: Look = "muted" if used else "ink"
    ground = Box(0, 0, width, height, "empty" if used else "card", "line")
    top = name_height(width, height)
    narrow = width < NARROW_BELOW
    name = block_or_line(cards.names[part], 4, 3, width - (6 if narrow else 7 + COST), top - 4, size - 0.5, look, True)
    cost: tuple[Part, ...] = ()
    if narrow and row.function != Function.CHUTE:
        base = height - (4 if height < LOW_CARD else 16)
        cost = Text(4, base, str(row.cost), size, look, True), mark(COAL, 10 + 0.62 * size, base - 4, 10)
    elif row.function != Function.CHUTE:
        edge = 3 if height < 50 else 4
        figure = Text(width - 16, edge + 0.87 * size, str(row.cost), size, look, True, "end")
        cost = (figure, mark(COAL, width - 9, edge + 0.5 * size, 10))
    if used:
        below, beside = Text(4, height - 4, "used", 9, "muted"), 5 + 1.95 * size
        cost = (*cost, below if narrow else Text(width - 4, beside, "used", 9, "muted", anchor="end"))
    parts: list[Part] = [ground, *name, *cost]
    for place, words in zip(option_places(row, width, height, badge), pictures.part_words(row), strict=True):
        parts += sentence(words, *place, 12 if height < 80 else 15, look, True)
    return tuple(parts)


def name_height(width: float, height: float) -> float:
    """The height of the name on a part's card: one line if the card is low, two in a factory, three if it is high."""
    if width < NARROW_BELOW:
        return 29
    return 14.5 if height < 50 else 27 if height < 80 else height * 0.42


def option_places(row: Any, width: float, height: float, badge: bool) -> list[tuple[float, float, float, float]]:
    """(x, y, width, height) for every option of a part, or for the words of a part without options."""
    number = max(int(row.num_options), 1)
    top = name_height(width, height)
    narrow = width < NARROW_BELOW  # cost and assignment stand below
    below = 2 if not narrow else 16 if height < LOW_CARD else BADGE + 2
    each = (height - top - below) / number
    room = width - 8 - (BADGE if badge and not narrow else 0)
    return [(4, top + each * place, room, each) for place in range(number)]


def option_things(
    view: View, seat: int, part: str, x: float, y: float, width: float, rows: Heights, badge: bool
) -> Iterator[Thing]:
    row = view.cards.record.parts[view.cards.parts.index(part)]
    for number, (left, top, room, height) in enumerate(option_places(row, width, rows.slot, badge)):
        action = view.action("option", number, seat)
        if action is not None:
            yield Thing(option_in_words(row.options[number]), x + left - 2, y + top, room + 2, height, (), seat, action)


# --- pieces


def tile_things(
    view: View, seat: int, player: Json, tile: int, x: float, y: float, width: float, rows: Heights
) -> Iterator[Thing]:
    """A tile and its pieces, each kind at a fixed place."""
    there = player["pieces"][PLACES[tile]]
    marked = view.under_way("tile", seat) == tile
    words = held(there)
    ground = (Box(0, 0, width, rows.tile, "empty", "line"),)
    yield Thing(
        f"tile {tile}: {words}",
        x,
        y,
        width,
        rows.tile,
        ground,
        seat,
        view.action("tile", tile, seat),
        marked,
        rule="RUN-5",
    )
    across, down = (4, 2) if rows is LOW else (2, 4)
    cell, high = (width - 2) / across, (rows.tile - 2) / down
    for kind, name in enumerate(KINDS):
        if there[name]:
            left, top = x + 1 + kind % across * cell, y + 1 + kind // across * high
            words = f"tile {tile}: {counted(there[name], name)}"
            action = piece_action(view, seat, kind, tile)
            face = piece_face(kind, there[name], cell, high)
            yield Thing(words, left, top, cell, high, face, seat, action, rule="RUN-5", piece=name, many=there[name])


@lru_cache(1 << 12)
def piece_face(kind: int, number: int, width: float, height: float) -> tuple[Part, ...]:
    """A mark with a number beside it."""
    words = number_words(number)
    figures = min(0.5 * height, 14) if width > 40 else 10.0
    size = min(width - 7.5 - text.width(words, figures, True), 0.62 * height, 17)
    if size < LEAST_MARK:
        size, figures = LEAST_MARK, text.LEAST
    left = max((width - size - 3 - text.width(words, figures, True)) / 2, 2)
    figure = line(words, left + size + 2, height / 2 + 0.36 * figures, width - left - size - 2, figures, bold=True)
    return mark(kind, left + size / 2, height / 2, size), figure


def piece_action(view: View, seat: int, kind: int, tile: int | None) -> int | None:
    """The action of pointing at pieces on a tile or, if `tile` is None, in the store room."""
    task = view.under_way("kind", seat)
    if task is None:
        return (
            view.action("trade" if tile is None else "chute", kind, seat)
            if tile is None or is_chute(view, seat, tile)
            else None
        )
    from_store_room = task in ("give_stage", "give_store", "give_card")
    if (
        task == "leave_out"
        or from_store_room != (tile is None)
        or (tile is not None and view.under_way("tile") != tile)
    ):
        return None
    return view.action("take", kind, seat)


def is_chute(view: View, seat: int, tile: int) -> bool:
    """Whether the part above or below the tile is the Chute."""
    cards, built = view.cards, view.position["players"][seat]["factory"]
    parts = [built[slot] for slot in (tile, tile + NUM_TILES) if built[slot]]
    return any(cards.record.parts[cards.parts.index(part)].function == Function.CHUTE for part in parts)


def store_room(view: View, seat: int, player: Json, top: float, width: float, rows: Heights) -> Iterator[Thing]:
    there = player["pieces"][PLACES[STORE_ROOM]]
    label = 62.0
    parts = (
        Box(0, 0, width, rows.store_room, "empty", "line"),
        Text(6, rows.store_room / 2 + 3.5, "store room", 9.5, "muted"),
    )
    yield Thing(f"store room: {held(there)}", LEFT, top, width, rows.store_room, parts, seat, rule="RUN-7")
    cell = (width - label) / len(KINDS)
    for kind, name in enumerate(KINDS):
        if there[name]:
            face = piece_face(kind, there[name], cell - 2, rows.store_room - 2)
            x = LEFT + label + kind * cell
            action = piece_action(view, seat, kind, None)
            words, high = f"store room: {counted(there[name], name)}", rows.store_room - 2
            yield Thing(
                words, x, top + 1, cell - 2, high, face, seat, action, rule="RUN-7", piece=name, many=there[name]
            )
