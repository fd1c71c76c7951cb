"""The panel of a player: money and papers, staff, stores, express cards, contracts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from .....core.text.words import counted
from .....drawing.scene import Box, Look, Mark, Panel, Part, Role, Text, Thing
from .....drawing.text import line
from ...layout import CATEGORIES
from ..describe_cards import express_in_words
from ..render import PLURALS, category_under_way, contracts_held, counted_staff, event_known, in_hand
from .pieces import (
    EDGE,
    GAP,
    MARKS,
    TOP,
    Place,
    amount,
    chip,
    grid,
    ground,
    joined,
    lines,
    mark,
    note,
)
from .view import Player, View, seat_name

PLACES: Final = ("1st", "2nd", "3rd", "4th")
HAND_CARD: Final = 84  # width
STATUS: Final = 18  # height of the strip for this month, below a wide hand
CASH: Final = 80
LARGEST: Final = 20  # size of a number of staff, so that two digits fit
TWO_LINES: Final = 28  # height of a contract from which it has two lines
ONE_LINE: Final = 16
BARE: Final = 8  # contracts in a row without room for names
BARE_WIDTH: Final = 60
CONTRACT_COLUMNS: Final = 2  # of a narrow panel
Row = tuple[str, int, str, str | None, int | None, str]  # label, number, words, kind of piece, action, rule


class Rows(NamedTuple):
    """Heights in a player's panel."""

    papers: float
    staff: float
    stores: float
    hand: float
    contract: float  # at most
    effects: bool  # whether the hand has the panel's width, with room for effects of cards


NARROW_ROWS: Final = Rows(84, 92, 88, 148, 30, True)  # the first three have two lines each


def rows_of(height: float) -> Rows:
    """Rows by the height of the panel, which differs for two, three and four players."""
    if height >= 500:
        return Rows(44, 62, 50, 104, 40, True)
    return Rows(40, 52, 40, 64, 34, False) if height >= 350 else Rows(38, 48, 38, 50, 34, False)


def firm(view: View, seat: int, x: float, y: float, height: float) -> Panel:
    rows = rows_of(height)
    things = [*turn_of(view, seat), *rows_of_things(view, seat, rows, height)]
    return Panel(heading(view, seat), x, y, view.width, height, tuple(things), owner=seat)


def narrow_firm(view: View, seat: int) -> Panel:
    """A narrow panel as high as its contents."""
    player = view.players[seat]
    held = len(contracts_held(player))
    lines_of_contracts = max(1, -(-held // CONTRACT_COLUMNS))
    below = STATUS + lines_of_contracts * (NARROW_ROWS.contract + GAP)
    height = TOP + sum(NARROW_ROWS[:4]) + 4 * GAP + below + EDGE
    things = [*turn_of(view, seat), *rows_of_things(view, seat, NARROW_ROWS, height)]
    role: Role = "own" if seat == view.viewer else "rival"
    facts = f"cash {player['cash']}", f"cocoa {player['cocoa']}", counted(held, "contract")
    return Panel(heading(view, seat), 0, 0, view.width, height, tuple(things), seat, role=role, summary=facts)


def rows_of_things(view: View, seat: int, rows: Rows, height: float) -> Iterator[Thing]:
    top = float(TOP)
    for row, high in ((papers_of, rows.papers), (staff_of, rows.staff), (stores_of, rows.stores)):
        yield from row(view, seat, top, high)
        top += high + GAP
    yield from (wide_cards_of if rows.effects else cards_of)(view, seat, top, rows.hand)
    top += rows.hand + GAP
    yield from contracts_of(view, seat, top, height - top - EDGE, rows.contract)


def turn_of(view: View, seat: int) -> Iterator[Thing]:
    """A strip below the heading of the seat to move."""
    if seat == view.mover:
        strip = (Box(0, 0, view.inner, 2, "accent", corner=1),)
        yield Thing(f"{seat_name(seat)} is to move", EDGE, TOP - 4, view.inner, 2, strip)


def heading(view: View, seat: int) -> str:
    player = view.players[seat]
    words = [seat_name(seat)]
    if seat == view.viewer:
        words.append("you")
    if view.task == "over":
        words.append(f"{PLACES[view.ranking[seat]]} with {amount(view.money[seat])}")
    else:
        words.append("leads" if seat == view.position["leader"] else "")
        words.append("chairman" if seat == view.chairman else "")
        words.append("to move" if seat == view.mover else "")
    if player["out"]:
        words.append("bankrupt")
    return joined(words)


def papers_of(view: View, seat: int, top: float, height: float) -> Iterator[Thing]:
    """SEE-1: money and papers, and the month's gains."""
    player, who = view.players[seat], seat_name(seat)
    places = [(EDGE, top, CASH, height), *grid(5, 5, view.inner - CASH - GAP, height, EDGE + CASH + GAP, top)]
    if view.narrow:
        places = grid(6, 3, view.inner, (height - GAP) / 2, EDGE, top)
    target = view.target(seat)
    cash = f"{who}: cash {player['cash']}"
    if target is not None:
        cash = f"play {view.name(view.position['card'])} on {who}; cash {player['cash']}"
    money = player["cash"]
    yield chip("cash", str(money), places[0], cash, None, "ink", seat == view.mover, target, 16, "PAY-1", money)
    new = " +1" if player["loan_this_month"] else ""
    own = seat == view.viewer
    loans = counted(player["loans"], "loan") + (", one taken this month" if new else "")
    shares = counted(player["shares"], "share")
    repay, sell = (view.action(verb) if own else None for verb in ("repay", "sell_shares"))
    rows: tuple[Row, ...] = (
        (f"loans{new}", player["loans"], loans, "loans", repay, "LOAN-1"),
        ("shares", player["shares"], shares, "shares", sell, "SHARE-1"),
        *salaries_and_meetings(view, seat),
        ("gained", player["gained"], f"contracts gained this month: {player['gained']}", None, None, "SALE-9"),
    )
    for place, (label, number, words, kind, action, rule) in zip(places[1:], rows, strict=True):
        many = None if kind is None else number
        yield chip(label, str(number), place, f"{who}: {words}", kind, action=action, rule=rule, many=many)


def salaries_and_meetings(view: View, seat: int) -> tuple[Row, ...]:
    """STAFF-5, STAFF-6: until salaries are paid, what is due. SEE-1: decisions on staff lie open."""
    player, due = view.players[seat], bill(view, seat)
    if due is not None:
        left = player["cash"] - due
        return (
            ("to pay", due, f"to pay so far in salaries and severance: {due}", None, None, "STAFF-5"),
            ("left", left, f"cash left after salaries and severance: {left}", None, None, "STAFF-6"),
        )
    return (
        ("salaries", player["salaries"], f"salaries paid: {player['salaries']}", None, None, "STAFF-5"),
        ("meetings", player["marker"], f"meetings to attend: {player['marker']}", None, None, "SALE-2"),
    )


def bill(view: View, seat: int) -> int | None:
    """STAFF-5: salaries and severance for the categories decided so far; None if the seat has decided none."""
    player, position = view.players[seat], view.position
    if view.task not in ("staff", "trim") or player["out"]:
        return None
    decided = len(CATEGORIES)
    if view.task == "staff":
        behind = (seat - position["leader"]) % len(view.players) - position["turn"]  # places behind the mover
        if behind >= 0:
            decided = CATEGORIES.index(position["category"]) if behind == 0 else 0
    if decided == 0:
        return None
    due = 0
    for category, salary in zip(CATEGORIES[:decided], view.cards.record.salaries.tolist(), strict=False):
        now, before = player["staff"][category], player["staff_before"][category]
        due += now * salary + max(0, before - now) * (salary // 2)
    return due


def staff_of(view: View, seat: int, top: float, height: float) -> Iterator[Thing]:
    """STAFF-2: staff now and at the end of last month, and who is absent."""
    player = view.players[seat]
    under_way = category_under_way(view.position) if seat == view.mover else None
    columns, high = (2, (height - GAP) / 2) if view.narrow else (4, height)
    for category, place in zip(CATEGORIES, grid(4, columns, view.inner, high, EDGE, top), strict=True):
        yield staff_cell(view, seat, player, category, place, category == under_way)


def staff_cell(view: View, seat: int, player: Player, category: str, place: Place, marked: bool) -> Thing:
    _, _, width, height = place
    number, before, absent = (player[key][category] for key in ("staff", "staff_before", "absent"))
    title, size = PLURALS[category], min(LARGEST, height * 0.37)
    left = 11 + size
    parts: list[Part] = [
        ground(width, height),
        mark(category, 5 + size / 2, height / 2, size),
        line(title, left, 12, width - left - 4, 9.5, "muted"),
        Text(left, height / 2 + 0.55 * size, str(number), size, bold=True),
        Text(width - 5, height - 19, f"was {before}", 9, "muted", anchor="end"),
    ]
    if absent:
        parts.append(Text(width - 5, height - 7, f"{absent} absent", 9, "bad", True, "end"))
    name = f"{seat_name(seat)}: {counted_staff(number, category)}, {before} last month"
    name += f", {absent} absent" if absent else ""
    action = view.category(category) if seat == view.viewer else None
    return Thing(name, *place, tuple(parts), None, action, marked, rule="STAFF-1", piece=category, many=number)


# --- stores


def stores_of(view: View, seat: int, top: float, height: float) -> Iterator[Thing]:
    """SET-8, COCOA-1: bars in their places, and free places to click when bars are announced, bid for or made."""
    player = view.players[seat]
    own = seat == view.viewer
    columns, high = (1, (height - GAP) / 2) if view.narrow else (2, height)
    for kind, place in zip(("cocoa", "chocolate"), grid(2, columns, view.inner, high, EDGE, top), strict=True):
        yield store(view, seat, player, kind, place)
        if own:
            yield from places_to_point_at(view, player, kind, place)


def store(view: View, seat: int, player: Player, kind: str, place: Place) -> Thing:
    x, y, width, height = place
    size, bars = int(view.cards.record[f"{kind}_store"]), player[kind]
    announced = player["announced"] if kind == "cocoa" else 0
    parts: list[Part] = [
        ground(width, height),
        mark(kind, 11, 9, 11),
        line(f"{kind} {bars} of {size}", 20, 13, 100, 10.5),
    ]
    if announced:
        parts.append(line(f"announced {announced}", width - 5, 13, 72, 9.5, "muted", anchor="end"))
    for number in range(size):
        left, wide = place_of_bar(view, number)
        fill = MARKS[kind][1] if number < bars else "empty"
        parts.append(Box(left, 18, wide, height - 22, fill, "line", 2))
    name = f"{seat_name(seat)}: {counted(bars, 'bar')} of {kind} of {size}"
    if announced:
        name += f", {announced} announced"
    return Thing(name, x, y, width, height, tuple(parts), rule="SET-8", piece=kind, many=bars)


def place_of_bar(view: View, number: int) -> tuple[float, float]:
    """Left edge and width of a place in a store."""
    pitch = 17.5 if view.narrow else 12.0
    return 4 + pitch * number, pitch - 1


def places_to_point_at(view: View, player: Player, kind: str, place: Place) -> Iterator[Thing]:
    """Places to click for `bars n`: the n-th free place, or the last n bars, which leave the store."""
    task, bars = view.task, player[kind]
    filling = {"cocoa": ("announce", "bid_bars"), "chocolate": ("make",)}[kind]
    if task not in filling and not (kind == "chocolate" and task == "bank_sale"):
        return
    for number in view.numbers("bars"):
        index = bars + number - 1 if task in filling else bars - number
        if number:
            left, wide = place_of_bar(view, index)
            words = f"{counted(number, 'bar')} of {kind}"
            action = view.action("bars", number)
            yield Thing(words, place[0] + left, place[1] + 18, wide, place[3] - 22, action=action)


# --- express cards


def cards_of(view: View, seat: int, top: float, height: float) -> Iterator[Thing]:
    """The hand, and beside it this month's marks."""
    yield from hand_of(view, seat, top, HAND_CARD, height)
    left = EDGE + int(view.cards.record.hand) * (HAND_CARD + GAP)
    places = [(left, top + half * height / 2, view.width - EDGE - left, height / 2) for half in range(2)]
    yield from this_month(view, seat, places)


def wide_cards_of(view: View, seat: int, top: float, height: float) -> Iterator[Thing]:
    """The hand with the effects of its cards, and below it this month's marks."""
    columns, below = (1, 2 * STATUS + GAP) if view.narrow else (2, STATUS)
    yield from hand_of(view, seat, top, (view.inner - 2 * GAP) / 3, height - below - GAP)
    yield from this_month(view, seat, grid(2, columns, view.inner, STATUS, EDGE, top + height - below))


def hand_of(view: View, seat: int, top: float, width: float, height: float) -> Iterator[Thing]:
    """SEE-2: backs of cards, or the own cards face up."""
    held = view.hand(seat)
    for slot in range(int(view.cards.record.hand)):
        place = (EDGE + slot * (width + GAP), top, width, height)
        if slot < len(held):
            yield face_up(view, held[slot], place)
        else:
            yield face_down(seat, slot < len(in_hand(view.position, seat)), place)


def this_month(view: View, seat: int, places: Sequence[Place]) -> Iterator[Thing]:
    """LOOK-1, LOOK-2, XP-2, XP-3"""
    player = view.players[seat]
    known = event_known(view.position, seat) if seat == view.viewer else None
    looked = "looked at the event" if known is None else f"knows: {view.name(known)}"
    done = (looked if player["looked"] else "", "played a card" if player["has_played"] else "")
    if any(done):
        yield note(joined(done), *places[0], size=9.5)
    struck = player["struck_by"]
    if struck:
        x, y, width, height = places[1]
        effect = express_in_words(view.cards, view.cards.express.index(struck))
        words = lines(f"struck: {view.name(struck)}", 0, 0, width, height, 9.5, "bad", bold=True)
        name = f"{seat_name(seat)}: struck by {view.name(struck)}: {effect}"
        yield Thing(name, x, y, width, height, words)


def face_up(view: View, card: str, place: Place) -> Thing:
    x, y, width, height = place
    effect = express_in_words(view.cards, view.cards.express.index(card))
    parts: list[Part] = [ground(width, height)]
    if width > HAND_CARD:
        parts += lines(view.name(card), 6, 4, width - 12, 28, 12, bold=True)
        parts += lines(effect, 6, 34, width - 12, height - 38, 10.5, "muted")
    else:
        parts += lines(view.name(card), 5, 2, width - 10, height - 4, 10, bold=True)
    name, rule = f"own card {view.name(card)}: {effect}", view.cards.clauses[card] or "XP-5"
    piece = f"express {card}"
    return Thing(name, x, y, width, height, tuple(parts), action=view.play(card), rule=rule, piece=piece)


def face_down(seat: int, there: bool, place: Place) -> Thing:
    x, y, width, height = place
    if not there:
        return Thing(f"{seat_name(seat)}: no card", x, y, width, height, (ground(width, height, "empty", dashed=True),))
    parts = (ground(width, height, "hidden"), Mark(width / 2, height / 2, "star", "on-colour", 16))
    return Thing(f"{seat_name(seat)}: a card in hand", x, y, width, height, parts, rule="SEE-2")


# --- contracts


def contracts_of(view: View, seat: int, top: float, height: float, most: float) -> Iterator[Thing]:
    """OFFICE-1: contracts, oldest first; those at the bookkeepers come before the open ones."""
    player = view.players[seat]
    held, booked = contracts_held(player), player["num_booked"]
    words = f"contracts: {booked} at the bookkeepers, {len(held) - booked} open" if held else "no contracts"
    yield note(words, EDGE, top, view.inner, 13, size=9.5)
    if not held:
        return
    area, columns = height - 15, CONTRACT_COLUMNS if view.narrow else 3
    rows = -(-len(held) // columns)
    if (area + GAP) / rows - GAP < ONE_LINE:
        columns = BARE
        rows = -(-len(held) // columns)
    each = min(most, (area + GAP) / rows - GAP)
    taken = view.position["taker"] == seat
    for number, place in enumerate(grid(len(held), columns, view.inner, each, EDGE, top + 15)):
        yield contract(view, seat, held[number], number < booked, place, taken and number == len(held) - 1)


def contract(view: View, seat: int, held: tuple[str, int], booked: bool, place: Place, marked: bool) -> Thing:
    """A contract with the money in its band."""
    x, y, width, height = place
    card, price = held
    title, bars = view.name(card), int(view.contract(card).bars)
    fill: Look = "card" if booked else "empty"
    kind = "bookkeeper" if booked else "contract"
    parts: list[Part] = [ground(width, height, fill)]
    money = Text(width - 5, height / 2 + 4.5, str(price), 12, bold=True, anchor="end")
    room = width - 20 - 30
    if width < BARE_WIDTH:
        parts += [
            mark(kind, 8, height / 2, 9),
            Text(14, height / 2 + 4, str(bars), 9, "muted"),
            Text(width - 4, height / 2 + 4, str(price), 11, bold=True, anchor="end"),
        ]
    elif height < TWO_LINES:
        parts += [
            mark(kind, 9, height / 2, 10),
            Text(16, height / 2 + 3.5, str(bars), 9, "muted"),
            line(title, 23, height / 2 + 3.5, width - 23 - 28, 10),
            Text(width - 5, height / 2 + 4, str(price), 11, bold=True, anchor="end"),
        ]
    else:
        parts += [
            mark(kind, 11, height / 2),
            line(title, 20, height / 2 - 2, room, 10.5),
            line(counted(bars, "bar"), 20, height / 2 + 9, room, 9, "muted"),
            money,
        ]
    where = "at the bookkeepers" if booked else "open"
    name = f"{seat_name(seat)}: contract {title}, {counted(bars, 'bar')}, {price}, {where}"
    piece = f"contract {card}"
    return Thing(name, x, y, width, height, tuple(parts), seat, marked=marked, rule="OFFICE-1", piece=piece)
