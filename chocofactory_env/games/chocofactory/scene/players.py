"""A player's panel: money, coal, today's employee, the factory with its belt, the store room, and the orders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from ....drawing.scene import Box, Line, Look, Mark, Panel, Part, Text, Thing
from ..constants import NUM_SLOTS, NUM_TILES, OWN_ORDERS, Function
from ..describe_cards import effect_in_words, part_in_words, pieces_in_words
from ..serial import KINDS, SIZES
from ..tables import Cards
from . import pictures
from .pictures import COAL, PERSON, block, line, mark, number_words, sentence
from .view import STORE_NAMES, Json, View

LEFT: Final = 5  # from the edge of a panel to its things
GAP: Final = 4
BADGE: Final = 17  # of the button that gives a part to the Mechanic or Technician
COST: Final = 25  # room for a part's cost, beside its name


@dataclass(frozen=True)
class Heights:
    """Of the rows of a panel, in pixels."""

    facts: float
    employee: float
    slot: float
    tile: float
    store_room: float
    orders: float
    gap: float
    size: float  # of words


LOW: Final = Heights(facts=19, employee=30, slot=60, tile=50, store_room=27, orders=74, gap=4, size=10.5)
HIGH: Final = Heights(facts=28, employee=48, slot=118, tile=98, store_room=50, orders=150, gap=9, size=13)
HIGH_WITH_TWO_ROWS: Final = Heights(facts=26, employee=44, slot=104, tile=86, store_room=46, orders=118, gap=7, size=13)


def player_panel(view: View, seat: int, x: float, y: float, width: float, height: float) -> Panel:
    player = view.position["players"][seat]
    rows = LOW if height < 500 else HIGH_WITH_TWO_ROWS if any(player["special_orders"]) else HIGH
    inner = width - 2 * LEFT
    things: list[Thing] = []
    top = 26.0
    things += facts(view, seat, player, top, inner, rows)
    top += rows.facts + rows.gap
    things.append(employee_row(view, seat, player, top, inner, rows))
    top += rows.employee + rows.gap
    things += factory(view, seat, player, top, inner, rows)
    top += 2 * (rows.slot + GAP) + rows.tile + rows.gap
    things += store_room(view, seat, player, top, inner, rows)
    top += rows.store_room + rows.gap
    things += order_cards(view, seat, player["orders"], 0, top, inner, rows)
    if any(player["special_orders"]):
        top += rows.orders + rows.gap
        things += order_cards(view, seat, player["special_orders"], OWN_ORDERS, top, inner, rows)
    words = "Factory Manager" if view.is_solo else f"Player {seat}"
    words += " · to move" if view.mover == seat else ""
    return Panel(words, x, y, width, height, tuple(things), seat)


# --- money, coal, completed orders


def facts(view: View, seat: int, player: Json, top: float, width: float, rows: Heights) -> Iterator[Thing]:
    """A row of four: money, coal, completed orders, and the player's place in today's turn order."""
    y, size = rows.facts / 2 + 0.27 * rows.size, rows.size
    today = player["earned_today"]
    money = [Text(4, y, f"£{player['money']}", size + 1.5, bold=True)]
    if today:
        money.append(line(f"+{today} today", width * 0.27 - 3, y, width * 0.16, size - 1, "muted", anchor="end"))
    yield Thing(
        f"money £{player['money']}, of it £{today} today", LEFT, top, width * 0.28, rows.facts, tuple(money), seat
    )
    coal = (mark(COAL, 10, rows.facts / 2, size), Text(19, y, str(player["coal"]), size + 1.5, bold=True))
    yield Thing(f"coal {player['coal']}", LEFT + width * 0.28, top, width * 0.14, rows.facts, coal, seat)
    done = ", ".join(f"{number} {size}" for size, number in player["completed_by_size"].items())
    words = "done  " + "  ".join(f"{name[0].upper()} {n}" for name, n in player["completed_by_size"].items())
    if player["special_completed"]:
        words += f"  special {player['special_completed']}"
        done += f", {player['special_completed']} Special Orders"
    parts = (line(words, 2, y, width * 0.34, size - 0.5, "ink"),)
    yield Thing(f"completed orders: {done}", LEFT + width * 0.42, top, width * 0.36, rows.facts, parts, seat)
    if not view.is_solo:
        turn = (seat - view.position["start_player"]) % len(view.position["players"])
        words = "starts" if turn == 0 else f"{('2nd', '3rd', '4th')[turn - 1]} in turn"
        parts = (line(words, width * 0.21, y, width * 0.2, size - 0.5, "ink" if turn == 0 else "muted", anchor="end"),)
        yield Thing(f"turn order: {words}", LEFT + width * 0.78, top, width * 0.22, rows.facts, parts, seat)


# --- today's employee


def employee_row(view: View, seat: int, player: Json, top: float, width: float, rows: Heights) -> Thing:
    """Name, store, effect, and the uses that are left; in the draft, what is still to be drafted."""
    size, middle = rows.size, rows.employee / 2
    status = employee_status(view, player)
    card = player["employee"]
    parts: list[Part] = [Box(0, 0, width, rows.employee, "card" if card else "empty", "line")]
    parts.append(mark(PERSON, 14, middle, size + 5))
    top_line, room = middle - 0.18 * size - 1, width * 0.3 if status else 4
    if status:
        parts.append(line(status, width - 6, top_line, room - 12, size - 1, "muted", anchor="end"))
    left = 28
    if card is None:
        parts.append(line("no employee today", left, middle + 0.3 * size, width - left - room, size, "muted"))
        return Thing(f"employee: none{', ' if status else ''}{status}", LEFT, top, width, rows.employee, tuple(parts), seat)
    row = view.cards.record.employees[view.cards.employees.index(card)]
    name, effect = view.cards.names[card], effect_in_words(row)
    parts.append(line(title_of_employee(name, int(row.store)), left, top_line, width - left - room, size, bold=True))
    parts.append(line(effect, left, middle + 0.95 * size, width - left - 6, size - 0.75, "muted"))
    supplied = ", ".join(STORE_NAMES[store] for store in player["supplied"])
    words = f"employee: {name}, {effect}{', ' if status else ''}{status}"
    words += f", supplied today: {supplied}" if supplied else ""
    acting = view.mover == seat and view.phase in ("run", "fulfil", "agents") and uses_employee(view)
    action = view.action("use_employee", seat=seat)
    return Thing(words, LEFT, top, width, rows.employee, tuple(parts), seat, action, acting)


def title_of_employee(name: str, store: int) -> str:
    """The card's name, and its store unless that is in the name."""
    if store < 0:
        return f"{name} · no store"
    place = list(STORE_NAMES.values())[store]
    return name if place in name else f"{name} · {place}"


def uses_employee(view: View) -> bool:
    """Whether what is under way is the employee's action."""
    task = view.task
    if task is None:
        return False
    by_employee = ("move_from", "move_take", "decorate_tile", "double_tile", "employee_order", "leave_out", "give_stage")
    return task["task"] in by_employee or (task["slot"] is None and task["task"] in ("move_to", "upgrade_take", "upgrade_make"))


def employee_status(view: View, player: Json) -> str:
    words = []
    if view.phase == "draft":
        words.append("part drafted" if player["part_drafted"] else "part to draft")
    if player["uses_left"]:
        words.append(f"{player['uses_left']} use{'s' if player['uses_left'] > 1 else ''} left")
    if player["supplied"]:
        words.append("supplied" if len(player["supplied"]) == 1 else "supplied twice")
    return ", ".join(words)


# --- the factory


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
    """A slot with its part; inside it the part's options while one is chosen, and the assignment of an employee."""
    part, height = player["factory"][slot], rows.slot
    operated = slot in player["operated"] and view.mover == seat and view.phase == "run"
    marked = view.under_way("slot", seat) == slot
    action = view.action("operate", slot, seat)
    if action is None:
        action = view.action("place_part", slot, seat)
    if part is None:
        empty = (Box(0, 0, width, height, "empty", "line", dashed=True), slot_number(slot, width, height))
        yield Thing(f"slot {slot}: empty", x, y, width, height, empty, seat, action, marked)
        return
    assigned = player["assigned"] == slot
    assign = view.action("assign", slot, seat)
    badge = assigned or assign is not None
    words = f"slot {slot}: {part_name(view.cards, part)}"
    words += ", used this shift" if operated else ""
    words += f", {assigned_to(view, player)}'s" if assigned else ""
    parts = part_face(view.cards, part, width, height, rows.size, badge, operated)
    if assigned:
        parts = (*parts, Mark(width - BADGE / 2 - 2, height - BADGE / 2 - 2, "person", "accent", BADGE - 4))
    yield Thing(words, x, y, width, height, parts, seat, action, marked)
    if marked and view.under_way("task") == "option":
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


def part_name(cards: Cards, part: str) -> str:
    row = cards.record.parts[cards.parts.index(part)]
    return f"{cards.names[part]}, {row.cost} coal: {part_in_words(row)}"


@lru_cache(1 << 12)
def part_face(
    cards: Cards, part: str, width: float, height: float, size: float, badge: bool = False, used: bool = False
) -> tuple[Part, ...]:
    """A part as a card: its name, its coal, and what it does."""
    row = cards.record.parts[cards.parts.index(part)]
    look: Look = "muted" if used else "ink"
    ground = Box(0, 0, width, height, "empty" if used else "card", "line")
    top = name_height(height)
    name = block(cards.names[part], 5, 4, width - 7 - COST, top - 4, size - 0.5, look, True)
    cost: tuple[Part, ...] = (
        Text(width - 16, 5 + 0.77 * size, str(row.cost), size, look, True, "end"), mark(COAL, width - 9, 5 + size * 0.5, 10)
    )  # fmt: skip
    if used:
        cost = (*cost, Text(width - 4, 5 + 1.95 * size, "used", 9, "muted", anchor="end"))
    parts: list[Part] = [ground, *name, *cost]
    for place, words in zip(option_places(row, width, height, badge), pictures.part_words(row), strict=True):
        parts += sentence(words, *place, min(size + 1.5, 13), look, True)
    return tuple(parts)


def name_height(height: float) -> float:
    """Of a part's card: room for two lines of its name, three on a high one."""
    return 27 if height < 80 else height * 0.42


def option_places(row: Any, width: float, height: float, badge: bool) -> list[tuple[float, float, float, float]]:
    """(x, y, width, height) for every option of a part, or for the words of a part without options."""
    number = max(int(row.num_options), 1)
    top = name_height(height)
    each = (height - top - 3) / number
    room = width - 8 - (BADGE if badge else 0)
    return [(4, top + each * place, room, each) for place in range(number)]


def option_things(
    view: View, seat: int, part: str, x: float, y: float, width: float, rows: Heights, badge: bool
) -> Iterator[Thing]:
    row = view.cards.record.parts[view.cards.parts.index(part)]
    for number, (left, top, room, height) in enumerate(option_places(row, width, rows.slot, badge)):
        action = view.action("option", number, seat)
        if action is not None:
            yield Thing(f"option {number}", x + left - 2, y + top, room + 2, height, (), seat, action)


# --- pieces


def tile_things(
    view: View, seat: int, player: Json, tile: int, x: float, y: float, width: float, rows: Heights
) -> Iterator[Thing]:
    """A tile, and on it the pieces of each kind, always at the same place."""
    there = player["belt"][tile]
    marked = view.under_way("tile", seat) == tile
    words = pieces_in_words([there[kind] for kind in KINDS]) or "empty"
    ground = (Box(0, 0, width, rows.tile, "empty", "line"),)
    yield Thing(f"tile {tile}: {words}", x, y, width, rows.tile, ground, seat, view.action("tile", tile, seat), marked)
    across = 4
    cell, high = (width - 2) / across, (rows.tile - 2) / 2
    for kind, name in enumerate(KINDS):
        if there[name]:
            left, top = x + 1 + kind % across * cell, y + 1 + kind // across * high
            words = f"tile {tile}: {there[name]} {name}"
            action = piece_action(view, seat, kind, tile)
            yield Thing(words, left, top, cell, high, piece_face(kind, there[name], cell, high), seat, action)


@lru_cache(1 << 12)
def piece_face(kind: int, number: int, width: float, height: float) -> tuple[Part, ...]:
    """A mark and how many, beside it or, where there is more height, below it."""
    words = number_words(number)
    if height > width * 1.3:
        size = min(width - 6, 15.0)
        return mark(kind, width / 2, height * 0.3, size), line(words, width / 2, height * 0.84, width - 2, 12, bold=True, anchor="middle")
    size = 9 if width < 30 else min(height * 0.5, 15)
    figure = line(words, size + 4, height / 2 + 0.36 * min(height * 0.45, 13), width - size - 4, min(height * 0.45, 13), bold=True)
    return mark(kind, 2.5 + size / 2, height / 2, size), figure


def piece_action(view: View, seat: int, kind: int, tile: int | None) -> int | None:
    """What pointing at pieces does; `tile` None: in the store room."""
    task = view.under_way("task", seat)
    if task is None:
        return view.action("trade" if tile is None else "chute", kind, seat) if tile is None or is_chute(view, seat, tile) else None
    from_store_room = task in ("give_stage", "give_store", "give_card")
    if task == "leave_out" or from_store_room != (tile is None) or (tile is not None and view.under_way("tile") != tile):
        return None
    return view.action("take", kind, seat)


def is_chute(view: View, seat: int, tile: int) -> bool:
    """Whether the part above or below the tile is the Chute."""
    cards, built = view.cards, view.position["players"][seat]["factory"]
    parts = [built[slot] for slot in (tile, tile + NUM_TILES) if built[slot]]
    return any(cards.record.parts[cards.parts.index(part)].function == Function.CHUTE for part in parts)


def store_room(view: View, seat: int, player: Json, top: float, width: float, rows: Heights) -> Iterator[Thing]:
    held = player["store_room"]
    label = 58.0
    parts = (Box(0, 0, width, rows.store_room, "empty", "line"), Text(6, rows.store_room / 2 + 3.5, "store room", 9.5, "muted"))
    words = pieces_in_words([held[kind] for kind in KINDS]) or "empty"
    yield Thing(f"store room: {words}", LEFT, top, width, rows.store_room, parts, seat)
    cell = (width - label) / len(KINDS)
    for kind, name in enumerate(KINDS):
        if held[name]:
            face = piece_face(kind, held[name], cell - 2, rows.store_room - 2)
            x = LEFT + label + kind * cell
            action = piece_action(view, seat, kind, None)
            yield Thing(f"store room: {held[name]} {name}", x, top + 1, cell - 2, rows.store_room - 2, face, seat, action)


# --- orders


def order_cards(
    view: View, seat: int, orders: list[Json | None], first: int, top: float, width: float, rows: Heights
) -> Iterator[Thing]:
    pitch = (width + GAP) / OWN_ORDERS
    for place, held in enumerate(orders):
        x, wide, number = LEFT + place * pitch, pitch - GAP, first + place
        title = "Special Order" if first else "order"
        if held is None:
            if not first:
                empty = (Box(0, 0, wide, rows.orders, "empty", "line", dashed=True), *completed_words(view, wide, rows))
                yield Thing(f"{title} {place}: none", x, top, wide, rows.orders, empty, seat)
            continue
        card, stage = held["order"], held["stage"]
        face = order_face(view.cards, card, stage, wide, rows.orders, rows.size)
        marked = view.under_way("order", seat) == number
        action = view.action("fulfil", number, seat)
        name = f"{title} {place}: {order_name(view.cards, card, stage)}"
        yield Thing(name, x, top, wide, rows.orders, face, seat, action, marked)


def completed_words(view: View, width: float, rows: Heights) -> tuple[Part, ...]:
    return (Text(width / 2, rows.orders / 2 + 4, "no order", rows.size - 0.5, "muted", anchor="middle"),)


def order_name(cards: Cards, order: str, done: int) -> str:
    row = cards.record.orders[cards.orders.index(order)]
    stages = [
        f"{pieces_in_words(stage.pieces.tolist())} for £{stage.pay}{' (done)' if number < done else ''}"
        for number, stage in enumerate(row.stages[: row.num_stages])
    ]
    return f"{cards.names[order]}, {SIZES[int(row.deck)]}: {', then '.join(stages)}"


@lru_cache(1 << 12)
def order_face(cards: Cards, order: str, done: int, width: float, height: float, size: float) -> tuple[Part, ...]:
    """An order as a card: its name, and a row for every stage; an arrow at the next one, a line through those done."""
    row = cards.record.orders[cards.orders.index(order)]
    parts: list[Part] = [Box(0, 0, width, height, "card", "line")]
    parts.append(line(cards.names[order], 5, 4 + 0.9 * size, width - 10, size, bold=True))
    for number in range(row.num_stages):
        stage = row.stages[number]
        x, y, wide, high = stage_place(number, width, height, size)
        look: Look = "muted" if number < done else "ink"
        asked = stage.pieces.tolist()
        parts += sentence(pictures.pieces(asked, room=6), x, y, wide, high, min(size + 2, high * 0.8), look, True)
        parts.append(line(f"£{stage.pay}", width - 5, y + high / 2 + 0.36 * size, 30, size, look, number == done, "end"))
        if number < done:
            parts.append(Line(4, y + high / 2, width - 4, y + high / 2, "muted", 1.5))
        elif number == done:
            parts.append(Mark(8, y + high / 2, "arrow", "accent", min(size - 1, 10)))
    return tuple(parts)


def stage_place(number: int, width: float, height: float, size: float) -> tuple[float, float, float, float]:
    """(x, y, width, height) for the pieces of a stage."""
    top = 8 + 1.1 * size
    each = (height - top - 2) / 3
    return 16, top + number * each, width - 16 - 32, each

