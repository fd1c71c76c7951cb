"""What lies on the table for all: the stores, the day's display, orders on offer, the solo game's cards, the accounts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

from ....drawing import text
from ....drawing.scene import Box, Look, Mark, Panel, Part, Text, Thing
from ..constants import TRACK_END, Kind, Side, Symbol
from ..describe_cards import effect_in_words, objectives_in_words, rule_in_words, sizes_in_words
from ..serial import EMPLOYEE_DECK_NAMES, SIZES, STORES
from ..tables import Cards
from . import pictures
from .pictures import COAL, block, line, sentence
from .players import order_face, order_name, part_face, part_name
from .view import SEAT_LOOKS, STORE_NAMES, Json, View

LEFT: Final = 5
HEADING: Final = 26
KEY_HEIGHT: Final = 30
CELL: Final = 20  # a space of a track
PLACE_WORDS: Final = ("1st", "2nd", "3rd", "4th")


# --- the department stores and their tracks


def stores_panel(view: View, x: float, y: float, width: float, height: float) -> Panel:
    inner = width - 2 * LEFT
    each = (height - HEADING - KEY_HEIGHT - 4) / len(STORES)
    things = [
        store_row(view, number, LEFT, HEADING + number * each, inner, each - 2) for number in range(len(STORES))
    ]
    things.append(key(LEFT, height - KEY_HEIGHT - 2, inner))
    return Panel("Department stores", x, y, width, height, tuple(things))


def store_row(view: View, number: int, x: float, y: float, width: float, height: float) -> Thing:
    """A store: its name and rule, and its track with every marker; the store that is supplied is marked."""
    store = STORES[number]
    side = Side[view.position["sides"][store]]
    action = view.action("supply", number)
    marked = store in (view.under_way("store"), view.under_way("rule_of"))
    markers = markers_of(view.position["players"], store)
    track = width - (TRACK_END + 1) * CELL
    parts = (*store_face(view.cards, number, side, width, height), *marker_parts(markers, track, height))
    rule = rule_in_words(view.cards.record.stores[number, side])
    words = f"{view.cards.names[view.cards.stores[number][side]]}: {rule}. {markers_in_words(markers)}"
    return Thing(words, x, y, width, height, parts, None, action, marked)


@lru_cache(1 << 8)
def store_face(cards: Cards, number: int, side: int, width: float, height: float) -> tuple[Part, ...]:
    room = width - (TRACK_END + 1) * CELL - 10
    top = 15 if height < 50 else 22
    name = line(cards.names[cards.stores[number][side]], 6, top - 3, room, 12 if height < 50 else 14, bold=True)
    rule = sentence(pictures.rule_words(cards.record.stores[number, side]), 6, top, room, height - top - 1, 11.5)
    spaces: list[Part] = []
    left = width - (TRACK_END + 1) * CELL
    for space in range(TRACK_END + 1):
        spaces.append(Box(left + space * CELL, 1, CELL - 1, height - 2, "empty", "line", 3))
        spaces.append(Text(left + (space + 0.5) * CELL - 0.5, 10.5, str(space), 9, "muted", anchor="middle"))
    return Box(0, 0, width, height, "card", "line"), name, *rule, *spaces


def markers_of(players: Sequence[Json], store: str) -> list[tuple[int, int, bool]]:
    """(seat, space, supplied today), in the order in which they came to their spaces (FUL-6)."""
    seats = sorted(range(len(players)), key=lambda seat: players[seat]["arrivals"][store])
    return [(seat, players[seat]["tracks"][store], store in players[seat]["supplied"]) for seat in seats]


def marker_parts(markers: Sequence[tuple[int, int, bool]], left: float, height: float) -> Iterator[Part]:
    """On a space the first to come stands first, from left to right, then below; who supplied today has a frame."""
    size, high = 9.0, min((height - 14) / 2, 14)
    on_space = [0] * (TRACK_END + 1)
    for seat, space, supplied in markers:
        place = on_space[space]
        on_space[space] += 1
        x = left + space * CELL + 0.5 + place % 2 * size
        y = 12.5 + place // 2 * high
        yield Box(x, y, size - 0.5, high - 0.5, SEAT_LOOKS[seat], "accent" if supplied else None, 2)
        yield Text(x + (size - 0.5) / 2, y + high / 2 + 2.3, str(seat), 9, "on-colour", True, "middle")


def markers_in_words(markers: Sequence[tuple[int, int, bool]]) -> str:
    words = [
        f"player {seat} on {space}{' (supplied today)' if supplied else ''}" for seat, space, supplied in sorted(markers)
    ]
    return ", ".join(words)


@lru_cache(4)
def key(x: float, y: float, width: float) -> Thing:
    """What the pictograms mean."""
    names = [(int(kind), kind.name.lower()) for kind in Kind]
    classes = [(int(symbol), symbol.name.lower()) for symbol in (Symbol.BAR, Symbol.WRAPPED, Symbol.REFINED, Symbol.ANY)]
    rows = (names, [*classes, (COAL, "coal")])
    parts: list[Part] = []
    for row, entries in enumerate(rows):
        used = sum(14 + text.width(word, 9.5) for _, word in entries)
        gap = min((width - used - 6) / (len(entries) - 1), 14)
        left, middle = 3.0, 8 + row * 15
        for number, word in entries:
            parts += pictures.pictogram(number, left + 5.5, middle, 9.5)
            parts.append(Text(left + 14, middle + 3.2, word, 9.5, "muted"))
            left += 14 + text.width(word, 9.5) + gap
    return Thing("key: " + ", ".join(word for row in rows for _, word in row), x, y, width, KEY_HEIGHT, tuple(parts))


# --- the day's display


def display_panel(view: View, x: float, y: float, width: float, height: float) -> Panel:
    """Parts and employees that can be drafted, packet by packet; every card keeps its place until the draft is over."""
    shown = view.position["display"]
    columns = 3
    pitch, inner = (width - 2 * LEFT + 4) / columns, height - HEADING - 4
    part_height = inner * 0.22
    employee_height = inner * 0.28
    things: list[Thing] = []
    for number, place in enumerate(in_packets(shown["part_packets"])):
        left, top = LEFT + number % columns * pitch, HEADING + number // columns * part_height
        if shown["parts"][place]:
            things.append(part_on_display(view, place, left, top, pitch - 4, part_height - 3))
    decks = list(shown["employees"])
    below = HEADING + 2 * part_height
    for number, place in enumerate(in_packets(list(shown["employee_packets"].values()))):
        left, top = LEFT + number % columns * pitch, below + number // columns * employee_height
        if shown["employees"][decks[place]]:
            things.append(employee_on_display(view, decks[place], left, top, pitch - 4, employee_height - 3))
    return Panel("Expand and recruit: today's display", x, y, width, height, tuple(things))


def in_packets(packets: Sequence[int | None]) -> list[int]:
    """Places on the display, packet by packet."""
    return sorted(range(len(packets)), key=lambda place: (-1 if packets[place] is None else packets[place], place))  # type: ignore[return-value]


def packet_name(view: View, packet: int | None) -> str:
    """PREP-2: the solo game has no packets."""
    return "" if view.is_solo or packet is None else f"packet {packet}"


def part_on_display(view: View, place: int, x: float, y: float, width: float, height: float) -> Thing:
    shown = view.position["display"]
    part, packet = shown["parts"][place], packet_name(view, shown["part_packets"][place])
    words = f"{packet}{', ' if packet else ''}part {part_name(view.cards, part)}"
    parts = with_packet(part_face(view.cards, part, width, height, 10.5, bool(packet)), packet, width, height)
    return Thing(words, x, y, width, height, parts, None, view.action("draft_part", place))


def with_packet(face: tuple[Part, ...], packet: str, width: float, height: float) -> tuple[Part, ...]:
    if not packet:
        return face
    return *face, Text(width - 4, height - 4, packet[-1], 9, "muted", anchor="end")


def employee_on_display(view: View, deck: str, x: float, y: float, width: float, height: float) -> Thing:
    shown = view.position["display"]
    card, packet = shown["employees"][deck], packet_name(view, shown["employee_packets"][deck])
    row = view.cards.record.employees[view.cards.employees.index(card)]
    store = STORE_NAMES.get(deck, "no store")
    words = f"{packet}{', ' if packet else ''}employee {view.cards.names[card]}, {store}: {effect_in_words(row)}"
    number = EMPLOYEE_DECK_NAMES.index(deck)
    face = employee_face(view.cards, card, store, width, height, packet)
    return Thing(words, x, y, width, height, face, None, view.action("draft_employee", number))


@lru_cache(1 << 10)
def employee_face(cards: Cards, card: str, store: str, width: float, height: float, packet: str) -> tuple[Part, ...]:
    """An employee as a card: name, store, effect."""
    row = cards.record.employees[cards.employees.index(card)]
    ground = Box(0, 0, width, height, "card", "line")
    name = line(cards.names[card], 5, 11.5, width - 10, 10.5, bold=True)
    where = line(store, 5, 22, width - 18, 9.5, "muted")
    number = (Text(width - 4, 22, packet[-1], 9, "muted", anchor="end"),) if packet else ()
    effect = block(effect_in_words(row), 5, 25.5, width - 8, height - 26, 10)
    return ground, name, where, *number, *effect


# --- orders on offer


def offer_panel(view: View, x: float, y: float, width: float, height: float) -> Panel:
    """CLEAN-3: one order of each size, one of which replaces a completed one."""
    pitch, high = (width - 2 * LEFT + 4) / len(SIZES), min(height - HEADING - 34, 120)
    things = []
    for number, size in enumerate(SIZES):
        card, left = view.position["offer"][size], LEFT + number * pitch
        if card:
            face = order_face(view.cards, card, -1, pitch - 4, high, 10.5)
            name = f"on offer: {order_name(view.cards, card, 0)}"
            things.append(
                Thing(name, left, HEADING, pitch - 4, high, face, None, view.action("choose_order", number))
            )
    things.append(decks_thing(view, LEFT, HEADING + high + 6, width - 2 * LEFT))
    return Panel("Orders on offer", x, y, width, height, tuple(things))


def decks_thing(view: View, x: float, y: float, width: float) -> Thing:
    decks = view.position["decks"]["orders"]
    words = "order decks: " + ", ".join(f"{len(decks[size])} {size}" for size in SIZES)
    return Thing(words, x, y, width, 18, (line(words, 3, 12.5, width - 6, 10.5, "muted"),))


# --- the accounts


COLUMNS: Final = ("place", "player", "orders", "most", "stores", "variety", "left over", "£")


def accounts_panel(view: View, x: float, y: float, width: float, height: float) -> Panel:
    """The score sheets as if the game ended now or, at its end, as they are (END-2 to END-6)."""
    inner, high = width - 2 * LEFT, min((height - HEADING - 30) / (len(view.accounts.sheets) + 1), 34)
    things = [account_heads(inner, high)]
    seats = range(len(view.accounts.sheets))
    if view.phase == "over":
        seats = sorted(seats, key=lambda seat: view.accounts.ranking[seat])  # type: ignore[assignment]
    for row, seat in enumerate(seats):
        things.append(account_row(view, seat, HEADING + (row + 1) * high, inner, high - 3))
    things.append(decks_thing(view, LEFT, height - 22, inner))
    words = "End of the game" if view.phase == "over" else "If the game ended now"
    return Panel(words, x, y, width, height, tuple(things))


def columns(width: float) -> list[float]:
    """Where the columns of the accounts end; the first two begin at the left."""
    return [6, 46, *(width * end for end in (0.38, 0.49, 0.61, 0.74, 0.9, 0.985))]


def account_heads(width: float, height: float) -> Thing:
    ends = columns(width)
    parts = [
        line(word, ends[number], height - 5, 60, 10.5, "muted", anchor="start" if number < 2 else "end")
        for number, word in enumerate(COLUMNS)
    ]
    return Thing("money by source", LEFT, HEADING, width, height, tuple(parts))


def account_row(view: View, seat: int, y: float, width: float, height: float) -> Thing:
    sheet, place = view.accounts.sheets[seat], PLACE_WORDS[view.accounts.ranking[seat]]
    ends, base = columns(width), height / 2 + 4.5
    winner = view.accounts.won[seat]
    parts: list[Part] = [Box(0, 0, width, height, "card", "good" if winner else "line")]
    parts.append(line(place, ends[0], base, 34, 12.5, "good" if winner else "ink", winner))
    parts.append(Mark(ends[1] + 6, height / 2, "circle", SEAT_LOOKS[seat], 11))
    parts.append(line(f"{seat}", ends[1] + 16, base, 60, 12.5, "ink", True))
    for number, money in enumerate([*sheet, sum(sheet)], 2):
        total = number == len(COLUMNS) - 1
        parts.append(line(str(money), ends[number], base, 44, 13 if total else 12.5, "ink", total, "end"))
    sources = ", ".join(f"{word} {money}" for word, money in zip(COLUMNS[2:-1], sheet, strict=True))
    words = f"player {seat}: {place}, £{sum(sheet)} ({sources}){', won' if winner else ''}"
    return Thing(words, LEFT, y, width, height, tuple(parts), seat)


# --- the solo game


def manager_panel(view: View, x: float, y: float, width: float, height: float) -> Panel:
    """SOLO-1, SOLO-3: the target, the demands face up, and how many lie face down."""
    solo, inner = view.position["solo"], width - 2 * LEFT
    number = 1 + len(solo["demands"])
    each = min((height - HEADING - 4) / number, 52)
    things = [
        manager_card(view, card, HEADING + card * each, inner, each - 3) for card in range(1 + solo["face_up"])
    ]
    for card in range(1 + solo["face_up"], number):
        back = (Box(0, 0, inner, each - 3, "hidden", "line"),)
        things.append(Thing(f"demand {card}: face down", LEFT, HEADING + card * each, inner, each - 3, back))
    return Panel("Target and demands", x, y, width, height, tuple(things))


def manager_card(view: View, card: int, y: float, width: float, height: float) -> Thing:
    solo = view.position["solo"]
    name = solo["target"] if card == 0 else solo["demands"][card - 1]
    delivered = card in solo["delivered"]
    title, asked = ("Target", "earn £{}") if card == 0 else ("Demand", "£{} more")
    words = objectives(manager_row(view.cards, card, name), asked)
    marked = view.under_way("card") == card
    face = manager_face(view.cards, card == 0, name, width, height, delivered)
    said = f"{title} {view.cards.names[name]}: {words}{', delivered' if delivered else ''}"
    return Thing(said, LEFT, y, width, height, face, None, view.action("deliver", card), marked)


def manager_row(cards: Cards, card: int, name: str) -> Any:
    return cards.record.targets[cards.targets.index(name)] if card == 0 else cards.record.demands[cards.demands.index(name)]


def objectives(row: Any, money: str) -> str:
    words = objectives_in_words(row, money)
    for store, name in STORE_NAMES.items():
        words = words.replace(store, name)
    return words


@lru_cache(1 << 8)
def manager_face(cards: Cards, target: bool, name: str, width: float, height: float, done: bool) -> tuple[Part, ...]:
    row = manager_row(cards, 0 if target else 1, name)
    parts: list[Part] = [Box(0, 0, width, height, "card", "accent" if target else "line")]
    low = height < 32
    left, room = (6, 130) if low else (8, width - 90)
    base = height / 2 + 4 if low else 15
    parts.append(line(cards.names[name], left, base, room - 6, 12 if height > 26 else 10.5, bold=True))
    if done:
        parts.append(line("delivered", width - 6, base, 60, 10.5, "good", True, "end"))
    words = manager_words(row, "earn £{}" if target else "£{} more")
    beside = (136, 1, width - 200, height - 2) if low else (8, 20, width - 14, height - 22)
    parts += sentence(words, *beside, 12, "ink", True)
    return tuple(parts)


def manager_words(row: Any, money: str) -> tuple[pictures.Word, ...]:
    """What the card asks for, a chocolate order in pictograms."""
    if row.order.number:
        words = pictures.order_of_card_words(row.order)
        rest = "; ".join(objectives(row, money).split("; ")[:-1])
        return (*words, f"; {rest}") if rest else words
    return (objectives(row, money),)


# What the face-up cards ask for, in the order of the observation's block `satisfied`.
ASKED: Final = ("money", "Special Orders", "chocolate orders", "completed orders", "steps on tracks")


def asked_panel(view: View, x: float, y: float, width: float, height: float) -> Panel:
    """SOLO-8: what all face-up cards ask for together, and what of it is satisfied."""
    inner, each = width - 2 * LEFT, min((height - HEADING - 30) / len(ASKED), 34)
    wanted = asked_in_words(view)
    things = []
    for number, (name, words, satisfied) in enumerate(zip(ASKED, wanted, view.satisfied, strict=True)):
        look: Look = "good" if satisfied else "muted"
        base = each / 2 + 2.5
        parts: list[Part] = [Box(0, 0, inner, each - 3, "card", "good" if satisfied else "line")]
        parts.append(line("✓" if satisfied else "–", 8, base, 14, 12.5, look, True))
        parts.append(line(name, 26, base, 110, 11.5, bold=True))
        parts += block(words or "none asked", 142, (each - 3) / 2 - (7 if len(words) < 52 else 13), inner - 146, each - 4, 11, "muted")
        said = f"{name}: {words or 'none asked'}, {'satisfied' if satisfied else 'not satisfied'}"
        things.append(Thing(said, LEFT, HEADING + number * each, inner, each - 3, tuple(parts)))
    things.append(decks_thing(view, LEFT, height - 22, inner))
    return Panel(solo_title(view), x, y, width, height, tuple(things))


def solo_title(view: View) -> str:
    if view.phase != "over":
        return "Asked so far"
    return "End of the game: won" if view.accounts.won[0] else "End of the game: not all is satisfied"


def asked_in_words(view: View) -> list[str]:
    """What is asked and what there is, by ASKED."""
    cards, solo, player = view.cards, view.position["solo"], view.position["players"][0]
    rows = [manager_row(cards, 0, solo["target"])]
    rows += [manager_row(cards, 1, demand) for demand in solo["demands"][: solo["face_up"]]]
    money = sum(int(row.money) for row in rows)
    special = sum(rows[0].special.tolist())
    chocolate = [card for card, row in enumerate(rows) if row.order.number]
    delivered = sum(card in solo["delivered"] for card in chocolate)
    orders = [sum(numbers) for numbers in zip(*(row.orders.tolist() for row in rows), strict=True)]
    steps = [sum(numbers) for numbers in zip(*(row.steps.tolist() for row in rows), strict=True)]
    tracks = [f"{STORE_NAMES[STORES[store]]} {number}" for store, number in enumerate(steps) if number]
    tracks += [f"{row.open_boxes} of choice {row.open_steps}" for row in rows if row.open_boxes]
    return [
        f"£{player['money']} of £{money}" if money else "",
        f"{player['special_completed']} of {special}" if special else "",
        f"{delivered} of {len(chocolate)} delivered" if chocolate else "",
        sizes_in_words(orders),
        ", ".join(tracks),
    ]
