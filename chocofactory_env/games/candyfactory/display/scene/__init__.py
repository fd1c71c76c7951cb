"""A position as a scene for `drawing`: the table with its cards and goods, and the turn under way."""

from __future__ import annotations

from dataclasses import replace

from .....drawing.plain import NARROW, fitting, in_a_row
from .....drawing.scene import Panel, Scene
from ...constants import Half, Step, Variety
from .board import board, recipes, specialists, supply
from .layout import LAYOUTS, Place
from .log import move_in_words
from .players import narrow_player_panel, player_panel
from .seen import Seen, see
from .under_way import under_way

__all__ = ["move_in_words", "panels", "scene", "see"]

HIGHEST, MOVE_HEIGHT = 260, 150  # of narrow panels
BOARD_HEIGHT, RECIPES_HEIGHT, SUPPLY_HEIGHT, SPECIALISTS_HEIGHT = 250, 130, 102, 250


def scene(seen: Seen) -> Scene:
    """The picture of a position."""
    places = LAYOUTS[len(seen.players)]
    first = seen.viewer or 0
    seats = [*seen.players[first:], *seen.players[:first]]
    panels: list[Panel] = [
        under_way(seen, places["turn"]),
        board(seen, places["board"]),
        supply(seen, places["supply"]),
        recipes(seen, places["recipes"]),
        *(player_panel(seen, player, places[str(player.seat)]) for player in seats),
    ]
    if "specialists" in places:
        panels.append(specialists(seen, places["specialists"]))
    return Scene(title(seen), tuple(panels))


def panels(seen: Seen) -> Scene:
    """Narrow panels, see `drawing.plain`."""

    def place(height: float) -> Place:
        return Place(0, 0, NARROW, height)

    short = seen.variety == Variety.PLANTATION
    found = [
        fitting(replace(under_way(seen, place(HIGHEST)), role="choose"), MOVE_HEIGHT),
        replace(board(seen, place(BOARD_HEIGHT)), role="choose"),
        recipes(seen, place(RECIPES_HEIGHT if short else 46 + 36 * len(seen.recipes))),
        supply(seen, place(SUPPLY_HEIGHT)),
        specialists(seen, place(SPECIALISTS_HEIGHT)),
        *(narrow_player_panel(seen, player, NARROW) for player in seen.players),
    ]
    return in_a_row(title(seen), found)


def title(seen: Seen) -> str:
    half = "Plantation" if seen.half == Half.PLANTATION else "Candy Factory"
    words = ["Chocolate Factory (Manfredini)", half if seen.variety == Variety.FULL else f"{half} alone"]
    if seen.step == Step.OVER:
        words.append("end of the game")
    else:
        words.append(f"player {seen.current} to move")
    return " · ".join(words)
