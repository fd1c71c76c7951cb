"""The shared board: the department stores, the day's display, and orders on offer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

from .....drawing import text
from .....drawing.scene import SEATS, Box, Panel, Part, Text, Thing
from .....drawing.text import block_or_line, line
from ...cards import Cards
from ...constants import TRACK_END, Kind, Side, Symbol
from ...words import EMPLOYEE_DECK_NAMES, SIZES, STORES
from ..describe_cards import STORE_NAMES, effect_in_words, rule_in_words
from . import pictures
from .factory import part_face, part_name, part_rule
from .orders import order_face, order_name
from .pictures import COAL, sentence
from .view import HEADING, LEFT, Json, View

KEY_HEIGHT: Final = 30
DECKS_WIDTH: Final = 150
CELL: Final = 20  # width of a space of a track
TRACK_HEIGHT: Final = 23  # if the track lies below the rule of its store
NARROW_PANEL: Final = 360  # narrower panels have tracks below rules
NARROW_KEY: Final = 61
NARROW_PART, NARROW_EMPLOYEE = 80, 66  # heights of rows of the display


# --- the department stores and their tracks


def stores_panel(view: View, x: float, y: float, width: float, height: float) -> Panel:
    inner = width - 2 * LEFT
    low = NARROW_KEY if width < NARROW_PANEL else KEY_HEIGHT
    each = (height - HEADING - low - 4) / len(STORES)
    things = [store_row(view, number, LEFT, HEADING + number * each, inner, each - 2) for number in range(len(STORES))]
    things.append(key(LEFT, height - low - 2, inner, 3 if width < NARROW_PANEL else 2))
    things.append(decks_thing(view, LEFT + inner - DECKS_WIDTH, height - 17, DECKS_WIDTH))
    return Panel("Department stores", x, y, width, height, tuple(things))


def store_row(view: View, number: int, x: float, y: float, width: float, height: float) -> Thing:
    """A store: its name, rule, and track with all markers. The store being supplied is marked."""
    store = STORES[number]
    side = Side[view.position["sides"][store]]
    action = view.action("supply", number)
    marked = store in (view.under_way("store"), view.under_way("rule_of"))
    markers = markers_of(view.position["players"], store)
    parts = store_face(view.cards, number, side, width, height)
    if width < NARROW_PANEL:
        parts = (*parts, *track_below(markers, width, height))
    else:
        parts = (*parts, *marker_parts(markers, width - (TRACK_END + 1) * CELL, height))
    words = f"{store_name(view.cards, number, side)}. {markers_in_words(markers)}"
    rule = view.cards.clauses[view.cards.stores[number][side]] or "FUL-4"
    return Thing(words, x, y, width, height, parts, None, action, marked, rule=rule)


@lru_cache(1 << 8)
def store_name(cards: Cards, number: int, side: int) -> str:
    return f"{cards.names[cards.stores[number][side]]}: {rule_in_words(cards.record.stores[number, side])}"


@lru_cache(1 << 8)
def store_face(cards: Cards, number: int, side: int, width: float, height: float) -> tuple[Part, ...]:
    if width < NARROW_PANEL:
        return narrow_store_face(cards, number, side, width, height)
    room = width - (TRACK_END + 1) * CELL - 10
    high = height > 60
    top = 24 if high else 14
    name = line(cards.names[cards.stores[number][side]], 6, 17 if high else 11.5, room, 14 if high else 12, bold=True)
    rule = sentence(
        pictures.rule_words(cards.record.stores[number, side]),
        6,
        top,
        room,
        23 if high else height - top - 1,
        13 if high else 11.5,
    )
    if high:
        rule = (
            *rule,
            *block_or_line(rule_in_words(cards.record.stores[number, side]), 6, 48, room, height - 50, 10.5, "muted"),
        )
    spaces: list[Part] = []
    left = width - (TRACK_END + 1) * CELL
    for space in range(TRACK_END + 1):
        spaces.append(Box(left + space * CELL, 1, CELL - 1, height - 2, "empty", "line", 3))
        spaces.append(Text(left + (space + 0.5) * CELL - 0.5, 10.5, str(space), 9, "muted", anchor="middle"))
    return Box(0, 0, width, height, "card", "line"), name, *rule, *spaces


def narrow_store_face(cards: Cards, number: int, side: int, width: float, height: float) -> tuple[Part, ...]:
    """The name, with the rule beside it, above the track."""
    left = 0.44 * width
    name = line(cards.names[cards.stores[number][side]], 5, 15, left - 8, 11, bold=True)
    rule = sentence(
        pictures.rule_words(cards.record.stores[number, side]), left, 4, width - left - 4, height - TRACK_HEIGHT - 4, 11
    )
    return Box(0, 0, width, height, "card", "line"), name, *rule


def track_below(markers: Sequence[tuple[int, int, bool]], width: float, height: float) -> Iterator[Part]:
    """Numbered spaces, with markers placed as by `marker_parts`."""
    cell, top, on_space = width / (TRACK_END + 1), height - TRACK_HEIGHT, [0] * (TRACK_END + 1)
    for space in range(TRACK_END + 1):
        yield Box(space * cell + 1, top, cell - 2, TRACK_HEIGHT - 1, "empty", "line", 3)
        if not any(on == space for _, on, _ in markers):
            yield Text((space + 0.5) * cell, top + 15, str(space), 10, "muted", anchor="middle")
    wide, high = (cell - 4) / 2, (TRACK_HEIGHT - 3) / 2
    for seat, space, supplied in markers:
        place = on_space[space]
        on_space[space] += 1
        x, y = space * cell + 2 + place % 2 * wide, top + 1 + place // 2 * high
        yield Box(x, y, wide - 0.5, high - 0.5, SEATS[seat], "accent" if supplied else None, 2)
        yield Text(x + wide / 2, y + 8, str(seat), 9, "on-colour", True, "middle")


def markers_of(players: Sequence[Json], store: str) -> list[tuple[int, int, bool]]:
    """(seat, space, supplied today), in the order of arrival (FUL-6)."""
    seats = sorted(range(len(players)), key=lambda seat: players[seat]["arrival"][store])
    return [(seat, players[seat]["track"][store], players[seat]["supplied"][store]) for seat in seats]


def marker_parts(markers: Sequence[tuple[int, int, bool]], left: float, height: float) -> Iterator[Part]:
    """Markers on a space in the order of arrival, left to right, then below. A frame marks who supplied today."""
    size, high = 9.0, min((height - 14) / 2, 18)
    on_space = [0] * (TRACK_END + 1)
    for seat, space, supplied in markers:
        place = on_space[space]
        on_space[space] += 1
        x = left + space * CELL + 0.5 + place % 2 * size
        y = 12.5 + place // 2 * high
        yield Box(x, y, size - 0.5, high - 0.5, SEATS[seat], "accent" if supplied else None, 2)
        yield Text(x + (size - 0.5) / 2, y + high / 2 + 2.3, str(seat), 9, "on-colour", True, "middle")


def markers_in_words(markers: Sequence[tuple[int, int, bool]]) -> str:
    words = [
        f"player {seat} on {space}{' (supplied today)' if supplied else ''}"
        for seat, space, supplied in sorted(markers)
    ]
    return ", ".join(words)


@lru_cache(4)
def key(x: float, y: float, width: float, number_of_rows: int = 2) -> Thing:
    """The legend of the pictograms."""
    names = [(int(kind), kind.name.lower()) for kind in Kind]
    classes = [
        (int(symbol), symbol.name.lower()) for symbol in (Symbol.BAR, Symbol.WRAPPED, Symbol.REFINED, Symbol.ANY)
    ]
    rows = [names, [*classes, (COAL, "coal")]]
    if number_of_rows == 3:
        rows = [names[:4], [*names[4:], *classes[:2]], [*classes[2:], (COAL, "coal")]]
    parts: list[Part] = []
    for row, entries in enumerate(rows):
        used = sum(14 + text.width(word, 9.5) for _, word in entries)
        gap = min((width - used - 6) / (len(entries) - 1), 14)
        left, middle = 3.0, 8 + row * 15
        for number, word in entries:
            parts += pictures.pictogram(number, left + 5.5, middle, 9.5)
            parts.append(Text(left + 14, middle + 3.2, word, 9.5, "muted"))
            left += 14 + text.width(word, 9.5) + gap
    words = "key: " + ", ".join(word for row in rows for _, word in row)
    return Thing(words, x, y, width, number_of_rows * KEY_HEIGHT / 2, tuple(parts))


# --- the day's display


def display_panel(view: View, x: float, y: float, width: float, height: float) -> Panel:
    """Parts and employees to draft, packet by packet. Every card keeps its place until the draft is over."""
    shown = view.position
    columns = 3
    pitch, inner = (width - 2 * LEFT + 4) / columns, height - HEADING - 4
    part_height = inner * (0.205 if inner < 250 else 0.22)
    employee_height = inner / 2 - part_height
    things: list[Thing] = []
    for number, place in enumerate(in_packets(shown["part_packets"])):
        left, top = LEFT + number % columns * pitch, HEADING + number // columns * part_height
        if shown["display_parts"][place]:
            things.append(part_on_display(view, place, left, top, pitch - 4, part_height - 3))
    decks = list(shown["display_employees"])
    below = HEADING + 2 * part_height
    for number, place in enumerate(in_packets(list(shown["employee_packets"].values()))):
        left, top = LEFT + number % columns * pitch, below + number // columns * employee_height
        if shown["display_employees"][decks[place]]:
            things.append(employee_on_display(view, decks[place], left, top, pitch - 4, employee_height - 3))
    words = "Today's display" if view.is_solo else "Today's display, with packet numbers"
    return Panel(words, x, y, width, height, tuple(things))


def narrow_display_panel(view: View, width: float) -> Panel:
    """Parts in rows of three, employees in rows of two, without empty rows."""
    shown, decks = view.position, list(view.position["display_employees"])
    parts = [place if shown["display_parts"][place] else None for place in in_packets(shown["part_packets"])]
    employees = [
        decks[place] if shown["display_employees"][decks[place]] else None
        for place in in_packets(list(shown["employee_packets"].values()))
    ]
    things: list[Thing] = []
    top = float(HEADING)
    for row in rows_left(parts, 3):
        for place, x, width_of_card in across(row, width):
            things.append(part_on_display(view, place, x, top, width_of_card, NARROW_PART - 4))
        top += NARROW_PART
    for row in rows_left(employees, 2):
        for deck, x, width_of_card in across(row, width):
            things.append(employee_on_display(view, deck, x, top, width_of_card, NARROW_EMPLOYEE - 4))
        top += NARROW_EMPLOYEE
    words = "Today's display" if view.is_solo else "Today's display, with packet numbers"
    return Panel(words, 0, 0, width, top + 2, tuple(things))


def across(row: Sequence[Any], width: float) -> Iterator[tuple[Any, float, float]]:
    """The things in a row, each with its left edge and width."""
    pitch = (width - 2 * LEFT + 4) / len(row)
    for column, one in enumerate(row):
        if one is not None:
            yield one, LEFT + column * pitch, pitch - 4


def rows_left(places: Sequence[Any], columns: int) -> list[Sequence[Any]]:
    """Rows of `columns` places, without empty rows."""
    places = [*places, *[None] * (-len(places) % columns)]
    rows = [places[start : start + columns] for start in range(0, len(places), columns)]
    return [row for row in rows if any(one is not None for one in row)]


def in_packets(packets: Sequence[int | None]) -> list[int]:
    """The places on the display, packet by packet."""
    return sorted(range(len(packets)), key=lambda place: (-1 if packets[place] is None else packets[place], place))


def packet_name(view: View, packet: int | None) -> str:
    """PREP-2: the solo game has no packets."""
    return "" if view.is_solo or packet is None else f"packet {packet}"


def part_on_display(view: View, place: int, x: float, y: float, width: float, height: float) -> Thing:
    shown = view.position
    part, packet = shown["display_parts"][place], packet_name(view, shown["part_packets"][place])
    words = f"{packet}{', ' if packet else ''}part {part_name(view.cards, part)}"
    parts = with_packet(part_face(view.cards, part, width, height, 10.5, bool(packet)), packet, width, height)
    rule = part_rule(view.cards, part)
    return Thing(
        words, x, y, width, height, parts, None, view.action("draft_part", place), rule=rule, piece=f"part {part}"
    )


def with_packet(face: tuple[Part, ...], packet: str, width: float, height: float) -> tuple[Part, ...]:
    if not packet:
        return face
    return *face, *packet_chip(packet, width, height - 14)


def packet_chip(packet: str, width: float, y: float) -> tuple[Part, ...]:
    """The packet's number, at the right edge of a card."""
    return Box(width - 14, y, 12, 12, "muted", None, 3), Text(
        width - 8, y + 9.3, packet[-1], 9, "on-colour", True, "middle"
    )


def employee_on_display(view: View, deck: str, x: float, y: float, width: float, height: float) -> Thing:
    shown = view.position
    card, packet = shown["display_employees"][deck], packet_name(view, shown["employee_packets"][deck])
    row = view.cards.record.employees[view.cards.employees.index(card)]
    store = STORE_NAMES.get(deck, "no store")
    words = f"{packet}{', ' if packet else ''}employee {view.cards.names[card]}, {store}: {effect_in_words(row)}"
    number = EMPLOYEE_DECK_NAMES.index(deck)
    face = employee_face(view.cards, card, store, width, height, packet)
    rule = view.cards.clauses[card] or "DRAFT-5"
    action = view.action("draft_employee", number)
    return Thing(words, x, y, width, height, face, None, action, rule=rule, piece=f"employee {card}")


@lru_cache(1 << 10)
def employee_face(cards: Cards, card: str, store: str, width: float, height: float, packet: str) -> tuple[Part, ...]:
    """An employee as a card: name, store, effect."""
    row = cards.record.employees[cards.employees.index(card)]
    ground = Box(0, 0, width, height, "card", "line")
    name = line(cards.names[card].removesuffix(f", {store}"), 5, 11.5, width - 18, 10.5, bold=True)
    sort, effect = effect_in_words(row).split(": ", 1)
    where = line(f"{store} · {sort}", 5, 22, width - 8, 9.5, "muted")
    number = packet_chip(packet, width, 2) if packet else ()
    words = block_or_line(effect, 5, 25, width - 8, height - 25, 11 if height < 60 else 12.5)
    return ground, name, where, *number, *words


# --- orders on offer


def offer_panel(view: View, x: float, y: float, width: float, height: float) -> Panel:
    """CLEAN-3: one order of each size; one replaces a completed order."""
    pitch, high = (width - 2 * LEFT + 4) / len(SIZES), min(height - HEADING - 8, 150)
    things = []
    for number, size in enumerate(SIZES):
        card, left = view.position["offer"][size], LEFT + number * pitch
        if card:
            face = order_face(view.cards, card, -1, pitch - 4, high, 10.5)
            name = f"on offer: {order_name(view.cards, card, 0)}"
            action = view.action("choose_order", number)
            place = left, HEADING, pitch - 4, high
            things.append(Thing(name, *place, face, None, action, rule="CLEAN-3", piece=f"order {card}"))
    return Panel("Orders on offer", x, y, width, height, tuple(things))


def decks_thing(view: View, x: float, y: float, width: float) -> Thing:
    decks = {size: deck["count"] for size, deck in view.position["order_decks"].items()}
    words = "order decks  " + " · ".join(f"{decks[size]} {size[0].upper()}" for size in SIZES)
    name = "order decks: " + ", ".join(f"{decks[size]} {size}" for size in SIZES)
    return Thing(name, x, y, width, 15, (line(words, width - 3, 11, width - 6, 9.5, "muted", anchor="end"),))
