"""Places of panels in the picture: two columns for the players, one for the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from .....drawing.scene import Panel, Thing


class Place(NamedTuple):
    x: float
    y: float
    width: float
    height: float

    def panel(self, name: str, things: list[Thing], owner: int | None = None) -> Panel:
        return Panel(name, *self, things=tuple(things), owner=owner)


Layout = Mapping[str, Place]  # names: turn, board, supply, recipes, specialists, and "0" to "3" for players

COLUMNS: Final = (8, 430)
SIDE: Final = 414  # width of a player's panel
HALF_HEIGHT: Final = 376
TALL: Final = 560  # height of a player's panel with a panel below it
UPPER, LOWER = 32, 416
BELOW: Final = 600  # y of the panels below tall ones
BELOW_HEIGHT: Final = 192

_QUARTERS = {str(seat): Place(COLUMNS[seat % 2], (UPPER, LOWER)[seat // 2], SIDE, HALF_HEIGHT) for seat in range(4)}
_TWO = {str(seat): Place(x, UPPER, SIDE, TALL) for seat, x in enumerate(COLUMNS)}
_THREE = {seat: _QUARTERS[seat] for seat in ("0", "1", "2")}
_RIGHT = {
    "turn": Place(852, 32, 420, 184),
    "board": Place(852, 224, 420, 324),
    "supply": Place(852, 556, 420, 88),
}
_RIGHT_WITH_RECIPES = {
    "turn": Place(852, 32, 420, 164),
    "board": Place(852, 204, 420, 202),
    "supply": Place(852, 414, 420, 64),
    "recipes": Place(852, 486, 420, 158),
}
_BELOW_LEFT, _BELOW_MIDDLE = (Place(x, BELOW, SIDE, BELOW_HEIGHT) for x in COLUMNS)

# By number of players.
LAYOUTS: Final[Mapping[int, Layout]] = {
    2: {**_RIGHT, **_TWO, "recipes": _BELOW_LEFT, "specialists": _BELOW_MIDDLE},
    3: {**_RIGHT, **_THREE, "recipes": Place(430, LOWER, SIDE, 176), "specialists": _BELOW_MIDDLE},
    4: {**_RIGHT_WITH_RECIPES, **_QUARTERS},
}
