"""A position drawn as a `drawing.scene.Scene`, without anything face down, so all seats see the same.

A scene for a seat also has the actions that the seat may take.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from .....drawing.plain import NARROW, in_a_row
from .....drawing.scene import PANEL_WIDTH, Panel, Scene, Thing
from ...words import describe
from ..render import PHASES, in_title, seats_acting
from .accounts import accounts_panel, narrow_accounts_panel
from .board import display_panel, narrow_display_panel, offer_panel, stores_panel
from .move import move_panel
from .players import narrow_player_panel, player_panel
from .solo import asked_panel, manager_panel, week_panel
from .view import Accounts, View

__all__ = ["Accounts", "View", "panels", "scene"]

COLUMNS: Final = (8, 432, 852)
WIDTH: Final = 416  # of the first two columns
TOP: Final = 34
BOTTOM: Final = 792
GAP: Final = 8
LOG_TOP: Final = 652  # below it, the last column is for the last moves
HALF: Final = (BOTTOM - TOP - GAP) / 2
MOVE_HEIGHT: Final = 104
STORES_HEIGHT: Final = 258
NARROW_MOVE, NARROW_STORES, NARROW_OFFER, NARROW_WEEK, NARROW_ASKED = 128, 366, 140, 160, 230  # heights
CHANGING_HEIGHT: Final = 250  # in the solo game
# Number of players -> (column, top, height) of each player's panel.
PLACES: Final[dict[int, tuple[tuple[int, float, float], ...]]] = {
    1: ((0, TOP, BOTTOM - TOP),),
    2: ((0, TOP, BOTTOM - TOP), (1, TOP, BOTTOM - TOP)),
    3: ((0, TOP, HALF), (0, TOP + HALF + GAP, HALF), (1, TOP, HALF)),
    4: ((0, TOP, HALF), (1, TOP, HALF), (0, TOP + HALF + GAP, HALF), (1, TOP + HALF + GAP, HALF)),
}


def scene(view: View) -> Scene:
    """The whole table. On a phone, the move and what it chooses from come first, then the viewer's own panel."""
    places = PLACES[len(view.position["players"])]
    players = [
        player_panel(view, seat, COLUMNS[column], top, WIDTH, height)
        for seat, (column, top, height) in enumerate(places)
    ]
    own = [] if view.viewer is None else [players.pop(view.viewer)]
    move = move_panel(view, COLUMNS[2], TOP, PANEL_WIDTH, MOVE_HEIGHT)
    changing, *shared = shared_panels(view, len(places))
    first = [changing, *own] if view.phase in ("draft", "replace", "over") else [*own, changing]
    panels = (move, *first, *shared, *players)
    return Scene(title(view), tuple(with_actions_named(panel) for panel in panels) if view.legal else panels)


def panels(view: View) -> Scene:
    """The table as narrow panels; see `drawing.plain`."""
    shared = [stores_panel(view, 0, 0, NARROW, NARROW_STORES)]
    if view.phase == "draft":
        changing = narrow_display_panel(view, NARROW)
    elif view.phase == "replace":
        changing = offer_panel(view, 0, 0, NARROW, NARROW_OFFER)
    else:
        changing = week_panel(view, 0, 0, NARROW, NARROW_WEEK) if view.is_solo else narrow_accounts_panel(view, NARROW)
    if view.phase in ("draft", "replace") and view.task is None:  # a part is placed on the player's own panel
        changing = replace(changing, role="choose")
    if view.is_solo:
        cards = 1 + view.position["num_demands"]
        shared = [
            manager_panel(view, 0, 0, NARROW, 30 + 52 * cards),
            asked_panel(view, 0, 0, NARROW, NARROW_ASKED),
            *shared,
        ]
    players = [narrow_player_panel(view, seat, NARROW) for seat in range(len(view.position["players"]))]
    move = replace(move_panel(view, 0, 0, NARROW, NARROW_MOVE), role="choose")
    found = [move, changing, *shared, *players]
    return in_a_row(title(view), [with_actions_named(panel) for panel in found] if view.legal else found)


def with_actions_named(panel: Panel) -> Panel:
    """Add to the names of things the action of pointing at them: "slot 0: Roaster, ... (operate slot 0)"."""
    return replace(panel, things=tuple(with_action_named(thing) for thing in panel.things))


def with_action_named(thing: Thing) -> Thing:
    return thing if thing.action is None else replace(thing, name=f"{thing.name} ({describe(thing.action)})")


def shared_panels(view: View, number: int) -> tuple[Panel, ...]:
    """The panels for all players, beginning with the one that changes with the phase.

    They fill the last column and, with one or three players, the free space in the others.
    """
    middle, end = TOP + MOVE_HEIGHT + GAP, LOG_TOP - GAP
    if number == 3:
        stores = stores_panel(view, COLUMNS[2], middle, PANEL_WIDTH, end - middle)
        return changing_panel(view, COLUMNS[1], TOP + HALF + GAP, WIDTH, HALF), stores
    between = end - STORES_HEIGHT - GAP - middle
    stores = stores_panel(view, COLUMNS[2], end - STORES_HEIGHT, PANEL_WIDTH, STORES_HEIGHT)
    if number > 1:
        return changing_panel(view, COLUMNS[2], middle, PANEL_WIDTH, between), stores
    return (
        changing_panel(view, COLUMNS[1], BOTTOM - CHANGING_HEIGHT, WIDTH, CHANGING_HEIGHT),
        manager_panel(view, COLUMNS[1], TOP, WIDTH, BOTTOM - CHANGING_HEIGHT - GAP - TOP),
        asked_panel(view, COLUMNS[2], middle, PANEL_WIDTH, between),
        stores,
    )


def title(view: View) -> str:
    position = view.position
    words = ["Chocolate Factory"]
    if position["options"]["expansion"]:
        words[0] += f" with {in_title(position['options']['expansion'])}"
    words += [f"day {position['day']} of 6", PHASES[position["phase"]]]
    if position["shift"] and len(seats_acting(position)) < 2:
        words.append(f"shift {position['shift']}")
    return " · ".join(words)


def changing_panel(view: View, x: float, y: float, width: float, height: float) -> Panel:
    """The day's display, orders on offer, or the accounts; in the solo game, the week."""
    if view.phase == "draft":
        return display_panel(view, x, y, width, height)
    if view.phase == "replace":
        return offer_panel(view, x, y, width, height)
    return (week_panel if view.is_solo else accounts_panel)(view, x, y, width, height)
