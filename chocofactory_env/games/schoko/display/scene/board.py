"""Panels that all players share: the meeting, the markets, the events, the bank, the piles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from .....core.text.words import counted
from .....drawing.scene import Box, Line, Look, Mark, Panel, Part, Text, Thing
from .....drawing.text import line
from ...constants import NUM_CITIES, NUM_EVENTS
from ...deck_schema import MAX_BARS
from ...layout import BOX
from ..describe_cards import event_in_force, event_in_words, express_in_words
from ..render import PLURALS, event_known, events_left, face_down, number_held_back, seats_that_bid, taken
from .pieces import (
    EDGE,
    GAP,
    TOP,
    Place,
    grid,
    ground,
    lines,
    mark,
    note,
    seat_mark,
)
from .view import View, seat_name

OFFER: Final = 196  # width of the card on offer
NARROW_OFFER: Final = 92  # its height in a narrow panel
SEAT_COLUMN, NARROW_SEAT = 24, 20  # width of the column of seats, before the cities
EVENT_COLUMNS: Final = 4
NARROW_BOX: Final = 30
BOX_CELL: Final = 44  # height, at most
COLUMN_FROM: Final = 50  # height of a month from which its price is also drawn as a column
WITH_EFFECT: Final = 50  # height from which an express card says what it does


# --- the meeting


def meeting(view: View, x: float, y: float, height: float) -> Panel:
    """SALE-3 to SALE-7; in window C the contract just taken."""
    left = view.position["meetings_left"]
    heading = f"Sales meeting · {counted(left, 'meeting')} left" if left else "Sales meetings"
    seats = len(view.players)
    if view.narrow:  # players below the card
        left, top, room, each = EDGE, TOP + NARROW_OFFER + GAP, view.shared_inner, 24.0
        things = [offered(view, EDGE, TOP, view.shared_inner, NARROW_OFFER)]
    else:
        left, top, room = EDGE + OFFER + 8, TOP, view.shared_width - EDGE - (EDGE + OFFER + 8)
        each = (height - TOP - EDGE) / seats
        things = [offered(view, EDGE, TOP, OFFER, height - TOP - EDGE)]
    for seat in range(seats):
        things.append(attendance(view, seat, left, top + each * seat, room, min(24, each)))
    return Panel(heading, x, y, view.shared_width, height, tuple(things))


def offered(view: View, x: float, y: float, width: float, height: float) -> Thing:
    contract, price, just_taken = view.position["offer"], view.position["price"], taken(view.position)
    if just_taken:
        contract, price = just_taken[0]
    if contract is None:
        words = lines("no contract on offer", 8, 4, width - 16, height - 8, 11, "muted", anchor="middle")
        return Thing("no contract on offer", x, y, width, height, (ground(width, height, "empty", True), *words))
    card = view.contract(contract)
    bars, lowest, highest = int(card.bars), int(card.lowest), int(card.highest)
    parts: list[Part] = [ground(width, height), mark("contract", 15, 17, 16)]
    parts.append(line(view.name(contract), 30, 21, width - 38, 13, bold=True))
    parts += [mark("chocolate", 16 + 16 * number, 37, 13) for number in range(bars)]
    parts.append(line(counted(bars, "bar"), width - 8, 41, 60, 10.5, "muted", anchor="end"))
    parts += price_scale(lowest, highest, price, 14, width - 14, height - 16)
    action = view.action("accept")
    if action is None:
        action = view.action("attend")
    now = f", now {price}" if price else ""
    name = f"contract {view.name(contract)}: {counted(bars, 'bar')}, {lowest} to {highest}{now}"
    marked, piece = bool(just_taken), f"contract {contract}"
    return Thing(name, x, y, width, height, tuple(parts), None, action, marked, rule="SALE-6", piece=piece)


def price_scale(lowest: int, highest: int, price: int, left: float, right: float, y: float) -> Iterator[Part]:
    """A scale from the lowest to the highest price, with the present price, which may be below the lowest (XP-HALF)."""
    yield Line(left, y, right, y, "line", 3)
    yield Text(left, y + 12, str(lowest), 9.5, "muted")
    yield Text(right, y + 12, str(highest), 9.5, "muted", anchor="end")
    if price:
        share = (price - lowest) / (highest - lowest) if highest > lowest else 1.0
        at = left + min(1.0, max(0.0, share)) * (right - left)
        yield Mark(at, y, "circle", "accent", 9)
        yield Text(min(right - 14, max(left + 14, at)), y - 9, str(price), 14, "accent", True, "middle")


def attendance(view: View, seat: int, x: float, y: float, width: float, height: float) -> Thing:
    """SALE-4, SALE-6"""
    shown = view.position
    words = ""
    look: Look = "muted"
    if shown["taker"] == seat:
        words, look = "takes it", "good"
    elif seat in shown["refused"]:
        words = "refuses"
    elif seat in shown["present"]:
        words, look = "present", "ink"
    elif shown["offer"] and view.task != "attend":
        words = "not present"
    left = view.players[seat]["marker"]
    parts: list[Part] = [
        seat_mark(seat, 7, height / 2),
        line(seat_name(seat), 18, height / 2 + 4, width / 2 - 22, 11, bold=True),
    ]
    if words:
        parts.append(line(words, width / 2, height / 2 + 4, width / 2 - 34, 11, look))
    if left:
        parts.append(line(f"{left} left", width, height / 2 + 4, 32, 10, "muted", anchor="end"))
    name = f"{seat_name(seat)}: {words or 'not at a meeting'}, {counted(left, 'meeting')} left to attend"
    return Thing(name, x, y, width, height, tuple(parts), rule="SALE-4")


# --- the markets


def markets(view: View, x: float, y: float, height: float) -> Panel:
    """COCOA-2, COCOA-6, SEE-5: a column for each city, a row for each player's bid."""
    things = []
    rows = len(view.players)
    head = 36.0
    row = min(26.0, (height - TOP - EDGE - head) / rows)
    gap, left = (2, NARROW_SEAT) if view.narrow else (GAP, SEAT_COLUMN)
    columns = grid(NUM_CITIES, NUM_CITIES, view.shared_inner - left, head + rows * row, EDGE + left, TOP, gap)
    for seat in range(rows):
        top = TOP + head + row * seat
        mark_of_seat = seat_mark(seat, 10, row / 2)
        things.append(Thing(f"bids of {seat_name(seat)}", EDGE, top, left - 4, row, (mark_of_seat,)))
    done = seats_that_bid(view.position) if view.city is not None else []
    for city, place in enumerate(columns):
        things.append(market(view, city, place, head, row, done))
    heading = f"Cocoa markets · {'bids: bars at price' if view.city is None else 'sealed bids'}"
    return Panel(heading, x, y, view.shared_width, height, tuple(things))


def market(view: View, city: int, place: Place, head: float, row: float, done: list[int]) -> Thing:
    _, _, width, height = place
    bars, name = view.position["market"][city], view.cards.cities[city]
    under_way = city == view.city
    parts: list[Part] = [
        ground(width, height, "card" if bars else "empty"),
        line(name, width / 2, 12, width - (3 if view.narrow else 8), 10.5, bold=not view.narrow, anchor="middle"),
    ]
    said = [f"{name}: {counted(bars, 'bar')} of cocoa"]
    if bars:
        parts += [mark("cocoa", width / 2 - 12, 25, 13), Text(width / 2, 30, str(bars), 14, bold=True)]
    for seat, player in enumerate(view.players):
        bid = player["bid_bars"][city], player["bid_price"][city]
        words = bid_in_words(view, seat, bid, under_way, seat in done)
        if words:
            look: Look = "accent" if under_way else "ink"
            parts.append(
                line(words, width / 2, head + row * seat + row / 2 + 4, width - 8, 10.5, look, anchor="middle")
            )
            said.append(f"{seat_name(seat)} {words}")
    words = ", ".join(said)
    return Thing(words, *place, tuple(parts), None, None, under_way, rule="COCOA-5", piece="cocoa", many=bars)


def bid_in_words(view: View, seat: int, bid: tuple[int, int], under_way: bool, done: bool) -> str:
    """SEE-5: for the city under way, the own bid, and whether another seat has bid."""
    bars, price = bid
    if not under_way:
        return f"{bars} at {price}" if bars else ""
    if seat != view.viewer:
        return "bid made" if done else ""
    if done and not bars:
        return "no bid"
    if not bars:
        return ""
    return f"{bars} at {price or '?'}"


# --- events


def events(view: View, x: float, y: float, height: float) -> Panel:
    """EV-0, MON-3, SEE-2: events in force, turned up, or known to the viewer alone, and those to come as a set."""
    said = (
        ("In force", view.position["event_in_force"], event_in_force),
        ("This month", view.position["event_turned"], event_in_words),
        ("You know", known(view), event_in_words),
    )
    notes = [
        f"{title}: {in_words(view.cards, view.cards.events.index(event), view.position['options']['upset'])}"
        for title, event, in_words in said
        if event is not None
    ]
    columns, line_height = (3, 26) if view.narrow else (EVENT_COLUMNS, 14)
    low, rows = line_height * 2, -(-(NUM_EVENTS + 1) // columns)
    each = (height - TOP - EDGE - low - rows * GAP) / rows
    places = grid(NUM_EVENTS + 1, columns, view.shared_inner, each, EDGE, TOP)
    things = [event_pile(view, places[0])]
    things += [event_card(view, event, place) for event, place in zip(view.cards.events, places[1:], strict=True)]
    for number, words in enumerate(notes[:2]):
        top = height - EDGE - low + line_height * number
        things.append(note(words, EDGE, top, view.shared_inner, line_height - 1, "ink"))
    return Panel("Events", x, y, view.shared_width, height, tuple(things))


def known(view: View) -> str | None:
    return event_known(view.position, view.viewer)


def event_pile(view: View, place: Place) -> Thing:
    """LOOK-1: the card that will be turned up this month."""
    x, y, width, height = place
    if view.position["event_turned"] is not None:
        words = lines("turned up this month", 6, 2, width - 12, height - 4, 10, "muted", anchor="middle")
        return Thing(
            "this month's event is turned up", x, y, width, height, (ground(width, height, "empty", True), *words)
        )
    parts: tuple[Part, ...] = (
        ground(width, height, "hidden"),
        *lines("this month's event", 6, 2, width - 12, height - 4, 10, "on-colour", True, "middle"),
    )
    action = view.action("look")
    name = "this month's event, face down"
    if action is not None:
        name = f"look at this month's event for {view.cards.record.look}"
    return Thing(name, x, y, width, height, parts, action=action, rule="LOOK-1")


def event_card(view: View, event: str, place: Place) -> Thing:
    """An event card; dashed if it cannot come before the next shuffle."""
    x, y, width, height = place
    to_come = event in events_left(view.position, view.cards)
    states = [
        ("in force", event == view.position["event_in_force"]),
        ("this month", event == view.position["event_turned"]),
        ("you know", event == known(view)),
    ]
    state = " · ".join(words for words, holds in states if holds)
    ink: Look = "ink" if to_come or state else "muted"
    room = height - (14 if state else 4)
    parts: list[Part] = [ground(width, height, "card" if to_come else "empty", dashed=not to_come)]
    parts += lines(view.name(event), 5, 2, width - 10, room - 1, 10, ink, anchor="middle")
    if state:
        parts.append(line(state, width / 2, height - 5, width - 8, 9.5, "accent", True, "middle"))
    effect = event_in_words(view.cards, view.cards.events.index(event), view.position["options"]["upset"])
    when = state or ("to come" if to_come else "turned up before")
    name, rule = f"{view.name(event)} ({when}): {effect}", view.cards.clauses[event] or "EV-0"
    return Thing(name, x, y, width, height, tuple(parts), marked=bool(state), rule=rule)


# --- the bank and the piles


def bank(view: View, x: float, y: float, height: float) -> Panel:
    """SHARE-1: the price of a share by month. SET-9: the box."""
    low = NARROW_BOX if view.narrow else min(BOX_CELL, (height - TOP - EDGE - GAP) / 2)
    columns = 3 if view.narrow else len(BOX)
    high = height - TOP - EDGE - len(BOX) // columns * (GAP + low)
    prices = view.cards.record.share_price[: view.months].tolist()
    things = []
    for month, place in enumerate(grid(len(prices), len(prices), view.inner, high, EDGE, TOP, 2)):
        things.append(share_price(view, month + 1, prices[month], prices[month] / max(prices), place))
    for kind, place in zip(BOX, grid(len(BOX), columns, view.inner, low, EDGE, TOP + high + GAP), strict=True):
        things.append(in_box(view, kind, place))
    return Panel("Share price by month, and the box", x, y, view.width, height, tuple(things))


def share_price(view: View, month: int, price: int, share: float, place: Place) -> Thing:
    """A month's share price; if there is room, with a column of height `share` relative to the highest price."""
    x, y, width, height = place
    now = month == view.position["month"]
    look: Look = "ink" if month >= view.position["month"] else "muted"
    column = share * (height - COLUMN_FROM) if height > COLUMN_FROM else 0.0
    parts: list[Part] = [
        ground(width, height, "card" if now else "empty"),
        line(str(month), width / 2, 11, width - 4, 9, "muted", anchor="middle"),
        line(str(price), width / 2, height - 6 - column, width - 4, 13, look, now, "middle"),
    ]
    if column:
        fill: Look = "hue-9" if now else "hidden"
        parts.append(Box(4, height - 2 - column, width - 8, column, fill, None, 2))
    return Thing(
        f"share price of month {month}: {price}", x, y, width, height, tuple(parts), marked=now, rule="SHARE-1"
    )


def in_box(view: View, kind: str, place: Place) -> Thing:
    x, y, width, height = place
    number = view.position["box"][kind]
    action = {"loans": view.action("take_loan"), "shares": view.action("buy_shares")}.get(kind)
    parts = (
        ground(width, height),
        mark(kind, 15, height / 2, 16),
        Text(width - 10, height / 2 + 5, str(number), 14, bold=True, anchor="end"),
    )
    words = {"loans": "take a loan; ", "shares": "buy 1 share; "}[kind] if action is not None else ""
    name = f"{words}{number} {PLURALS.get(kind, kind)} in the box"
    return Thing(name, x, y, width, height, parts, action=action, rule="SET-9", piece=kind, many=number)


def piles(view: View, x: float, y: float, height: float) -> Panel:
    """SEE-3: the face-down contracts as a set, and the face-up express cards out of the game."""
    down, back = face_down(view.position), number_held_back(view.position, view.cards)
    numbers = Counter(int(view.contract(contract).bars) for contract in down)
    high = 28.0
    columns, of_contracts = (2, 4) if view.narrow else (4, MAX_BARS + 1)
    top = TOP + -(-(MAX_BARS + 1) // of_contracts) * (high + GAP)
    rows = -(-len(view.cards.express) // columns)
    low = (height - top - EDGE - (rows - 1) * GAP) / rows
    things = []
    places = grid(MAX_BARS + 1, of_contracts, view.inner, high, EDGE, TOP)
    for bars in range(1, MAX_BARS + 1):
        things.append(contracts_of_bars(bars, numbers[bars], places[bars - 1]))
    things.append(held_back(back, places[-1]))
    for card, place in zip(view.cards.express, grid(12, columns, view.inner, low, EDGE, top), strict=True):
        things.append(express_card(view, card, place))
    return Panel(f"{counted(len(down), 'contract')} face down, express cards", x, y, view.width, height, tuple(things))


def contracts_of_bars(bars: int, number: int, place: Place) -> Thing:
    x, y, width, height = place
    look: Look = "ink" if number else "muted"
    parts = (
        ground(width, height, "card" if number else "empty"),
        line(counted(bars, "bar"), width / 2, 11, width - 6, 9, "muted", anchor="middle"),
        Text(width / 2, height - 5, f"×{number}", 11, look, True, "middle"),
    )
    name = f"{number} of the contracts face down: {counted(bars, 'bar')}"
    return Thing(name, x, y, width, height, parts, rule="SET-4")


def held_back(number: int, place: Place) -> Thing:
    x, y, width, height = place
    parts = (
        ground(width, height, "empty"),
        line("held back", width / 2, 11, width - 4, 9, "muted", anchor="middle"),
        Text(width / 2, height - 5, str(number), 11, "ink", True, "middle"),
    )
    return Thing(f"{counted(number, 'contract')} held back", x, y, width, height, parts, rule="SALE-11")


def express_card(view: View, card: str, place: Place) -> Thing:
    """XP-5: an express card, face up if it was played or belonged to a bankrupt player."""
    x, y, width, height = place
    gone = view.position["express"][card] == "gone"
    parts: list[Part] = [Box(0.5, 0.5, width - 1, height - 1, "empty" if gone else "card", "line", 3, dashed=gone)]
    room = width - 10
    look: Look = "muted" if gone else "ink"
    effect = express_in_words(view.cards, view.cards.express.index(card))
    if height >= WITH_EFFECT:
        parts += lines(view.name(card), 5, 3, room, 14, 10.5, look, not gone, "middle")
        parts += lines(effect, 5, 18, room, height - 21, 9.5, "muted", anchor="middle")
    else:
        parts.append(line(view.name(card), width / 2, height / 2 + 3.5, room, 9.5, look, anchor="middle"))
    where = "face up, out of the game" if gone else "not yet played"
    name, rule = f"{view.name(card)} ({where}): {effect}", view.cards.clauses[card] or "XP-5"
    piece = f"express {card}" if gone else ""
    return Thing(name, x, y, width, height, tuple(parts), rule=rule, piece=piece)
