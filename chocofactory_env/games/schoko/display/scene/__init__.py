"""A position as a scene for `drawing`.

It holds nothing that the viewer may not know (SEE-2 to SEE-5).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from .....drawing.plain import fitting, in_a_row
from .....drawing.scene import Panel, Scene
from . import board
from .firms import firm, narrow_firm
from .moves import under_way
from .view import View

__all__ = ["View", "panels", "scene"]

COLUMNS: Final = (8, 430, 852)
TOP: Final = 32
LOWEST: Final = 792
BETWEEN: Final = 8  # gap between panels
SHARED: Final = (166.0, 130.0, 134.0, 158.0)  # heights in the right column; the last moves have room below it
HIGHEST, MOVE_HEIGHT, EVENTS_HEIGHT, BANK_HEIGHT, PILES_HEIGHT = 260, 150, 216, 166, 448  # narrow
PILES: Final = {2: 244, 3: 130, 4: 130}  # height of bank and piles, by the number of players


def scene(view: View) -> Scene:
    """Panels in the order of a phone: the question and the sale, the own firm, events, the other firms, the bank."""
    shared = []
    y = float(TOP)
    for draw, height in zip((under_way, board.meeting, board.markets, board.events), SHARED, strict=True):
        shared.append(draw(view, COLUMNS[2], y, height))
        y += height + BETWEEN
    firms, piles = players_and_piles(view)
    first = view.viewer or 0
    firms = firms[first:] + firms[:first]
    return Scene(title(view), (*shared[:3], firms[0], *shared[3:], *firms[1:], *piles))


def panels(view: View) -> Scene:
    """Narrow panels, see `drawing.plain`."""
    seats = len(view.players)
    meeting, markets = board.meeting(view, 0, 0, 138 + 24 * seats), board.markets(view, 0, 0, 76 + 24 * seats)
    asked = {"cocoa": markets, "sale": meeting}.get(view.stage)
    found = [
        fitting(replace(under_way(view, 0, 0, HIGHEST), role="choose"), MOVE_HEIGHT),
        *(replace(panel, role="choose") if panel is asked else panel for panel in (meeting, markets)),
        board.events(view, 0, 0, EVENTS_HEIGHT),
        board.bank(view, 0, 0, BANK_HEIGHT),
        board.piles(view, 0, 0, PILES_HEIGHT),
        *(narrow_firm(view, seat) for seat in range(seats)),
    ]
    return in_a_row(title(view), found)


def players_and_piles(view: View) -> tuple[list[Panel], list[Panel]]:
    """The left two columns. Bank and piles lie below two or four players, or in the fourth place beside three."""
    seats = len(view.players)
    rows = 1 if seats == 2 else 2
    piles = PILES[seats]
    below = 0 if seats == 3 else piles + BETWEEN
    height = (LOWEST - TOP - below - (rows - 1) * BETWEEN) / rows
    firms = [firm(view, seat, COLUMNS[seat % 2], TOP + seat // 2 * (height + BETWEEN), height) for seat in range(seats)]
    if seats == 3:
        top = TOP + height + BETWEEN
        low = top + piles + BETWEEN
        return firms, [board.bank(view, COLUMNS[1], top, piles), board.piles(view, COLUMNS[1], low, LOWEST - low)]
    top = LOWEST - piles
    return firms, [board.bank(view, COLUMNS[0], top, piles), board.piles(view, COLUMNS[1], top, piles)]


def title(view: View) -> str:
    """A title no wider than a phone's picture."""
    return f"Schoko & Co. · month {view.position['month']} of {view.months} · {view.moment}"
