"""The accounts: the score sheets of all players."""

from __future__ import annotations

from typing import Final

from .....drawing.scene import SEATS, Box, Mark, Panel, Part, Thing
from .....drawing.text import line
from .view import HEADING, LEFT, View

PLACE_WORDS: Final = ("1st", "2nd", "3rd", "4th")
NARROW_ROW: Final = 42
SHORT: Final = ("orders", "most", "stores", "variety", "left")  # sources of money
COLUMNS: Final = ("place", "player", "orders", "most orders", "stores", "variety", "left over", "£")


def accounts_panel(view: View, x: float, y: float, width: float, height: float) -> Panel:
    """The score sheets, final or as if the game ended now (END-2 to END-6)."""
    inner, high = width - 2 * LEFT, min((height - HEADING - 8) / (len(view.accounts.sheets) + 1), 44)
    things = [account_heads(inner, high)]
    seats = range(len(view.accounts.sheets))
    if view.phase == "over":
        seats = sorted(seats, key=lambda seat: view.accounts.ranking[seat])  # type: ignore[assignment]
    for row, seat in enumerate(seats):
        things.append(account_row(view, seat, HEADING + (row + 1) * high, inner, high - 3))
    return Panel(heading_of(view), x, y, width, height, tuple(things))


def narrow_accounts_panel(view: View, width: float) -> Panel:
    """Like `accounts_panel`, with the sources of money in words below each player."""
    seats = sorted(range(len(view.accounts.sheets)), key=lambda seat: place_of(view, seat))
    things = [
        narrow_account_row(view, seat, HEADING + row * NARROW_ROW, width - 2 * LEFT) for row, seat in enumerate(seats)
    ]
    return Panel(heading_of(view), 0, 0, width, HEADING + len(seats) * NARROW_ROW + 4, tuple(things))


def narrow_account_row(view: View, seat: int, y: float, width: float) -> Thing:
    sheet, winner = view.accounts.sheets[seat], view.accounts.won[seat]
    height, place = NARROW_ROW - 4, PLACE_WORDS[place_of(view, seat)]
    sources = " · ".join(f"{word} {money}" for word, money in zip(SHORT, sheet, strict=True))
    parts = (
        Box(0, 0, width, height, "card", "good" if winner else "line"),
        Mark(12, 12, "circle", SEATS[seat], 11),
        line(f"Player {seat}", 22, 16, 150, 12.5, "ink", True),
        line(place, width - 70, 16, 40, 11, "good" if winner else "muted", winner, "end"),
        line(f"£{sum(sheet)}", width - 6, 16, 56, 13, "ink", True, "end"),
        line(sources, 7, height - 6, width - 12, 10, "muted"),
    )
    return Thing(name_of_row(view, seat, sources), LEFT, y, width, height, parts, seat, rule="END-6")


def heading_of(view: View) -> str:
    return "End of the game" if view.phase == "over" else "If the game ended now"


def name_of_row(view: View, seat: int, sources: str) -> str:
    """sources: the seat's money by source, in words."""
    place, money = PLACE_WORDS[place_of(view, seat)], sum(view.accounts.sheets[seat])
    return f"player {seat}: {place}, £{money} ({sources}){', won' if view.accounts.won[seat] else ''}"


def columns(width: float) -> list[float]:
    """The right edges of the columns; the first two are left-aligned."""
    return [6, 46, *(width * end for end in (0.31, 0.475, 0.585, 0.71, 0.86, 0.985))]


def account_heads(width: float, height: float) -> Thing:
    ends = columns(width)
    parts = [
        line(word, ends[number], height - 5, 60, 10.5, "muted", anchor="start" if number < 2 else "end")
        for number, word in enumerate(COLUMNS)
    ]
    return Thing("money by source", LEFT, HEADING, width, height, tuple(parts))


def place_of(view: View, seat: int) -> int:
    """END-6; before the end, players with equal money share a place."""
    if view.phase == "over":
        return view.accounts.ranking[seat]
    totals = [sum(sheet) for sheet in view.accounts.sheets]
    return sum(total > totals[seat] for total in totals)


def account_row(view: View, seat: int, y: float, width: float, height: float) -> Thing:
    sheet, place = view.accounts.sheets[seat], PLACE_WORDS[place_of(view, seat)]
    ends, base = columns(width), height / 2 + 4.5
    winner = view.accounts.won[seat]
    parts: list[Part] = [Box(0, 0, width, height, "card", "good" if winner else "line")]
    parts.append(line(place, ends[0], base, 34, 12.5, "good" if winner else "ink", winner))
    parts.append(Mark(ends[1] + 6, height / 2, "circle", SEATS[seat], 11))
    parts.append(line(f"{seat}", ends[1] + 16, base, 60, 12.5, "ink", True))
    for number, money in enumerate([*sheet, sum(sheet)], 2):
        total = number == len(COLUMNS) - 1
        parts.append(line(str(money), ends[number], base, 44, 13 if total else 12.5, "ink", total, "end"))
    sources = ", ".join(f"{word} {money}" for word, money in zip(COLUMNS[2:-1], sheet, strict=True))
    return Thing(name_of_row(view, seat, sources), LEFT, y, width, height, tuple(parts), seat)
