"""A position in a small frame: one player's panel in two columns, the others and the last moves as lines.

In 640 × 400 pixels the whole picture would have words of 4.5. Here they are as large as in narrow panels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ..core.game import Game, State
from . import text
from .larger import with_larger_type
from .narrow import NARROW
from .plain import panels_of, scene_of, with_log
from .scene import SEATS, Mark, Panel, Scene, Text, Thing
from .svg import GAP, HEADING_HEIGHT, TITLE_HEIGHT

SMALL: Final = 0.75  # a frame that shows the whole picture smaller than this is a small one
WIDTH: Final = 3 * GAP + 2 * NARROW
LINE: Final = 17  # height of a line at the bottom
LINES: Final = 3  # of the last moves
LARGER: Final = 1.3  # type, where there is room
SIZE: Final = 11


def seen_in(game: Game, state: State, player: int | None, size: tuple[int, int], lines: Sequence[str]) -> Scene:
    """The scene for a frame of this size in pixels; lines: the last moves, in words."""
    whole = scene_of(game, state, player)
    if min(size[0] / whole.width, size[1] / whole.height) < SMALL:
        small = _small(game, state, player, lines)
        if small is not None:
            return small
    return with_log(whole, lines)


def _small(game: Game, state: State, player: int | None, lines: Sequence[str]) -> Scene | None:
    """None of a game whose panels belong to nobody."""
    narrow = panels_of(game, state, player)
    of_seats = {panel.owner: panel for panel in narrow.panels if panel.role in ("own", "rival")}
    if not of_seats:
        return None
    seat = player if player is not None else max(game.current_player(state), 0)
    upper = halves(of_seats.pop(seat))
    others = [(_in_brief(panel), panel.owner) for panel in of_seats.values()]
    said = [(line, None) for line in lines[-LINES:]]
    below = [(name, of_panel) for name, of_panel in (("The others", others), ("Last moves", said)) if of_panel]
    lower = [
        _panel_of_lines(name, column, above.y + above.height + GAP, of_panel)
        for column, (above, (name, of_panel)) in enumerate(zip(upper, below, strict=False))
    ]
    height = max(panel.y + panel.height for panel in (*upper, *lower)) + GAP
    return with_larger_type(Scene(narrow.title, (*upper, *lower), WIDTH, height), LARGER)


def _in_brief(panel: Panel) -> str:
    return " · ".join((panel.name.partition(" · ")[0], *panel.summary))


def halves(panel: Panel) -> tuple[Panel, Panel]:
    """A panel as two, beside each other: cut where no thing is cut, as near to the middle as can be."""
    tops = sorted({thing.y for thing in panel.things})
    cuts = [
        y for y in tops[1:] if not any(thing.y < y - 1 and thing.y + thing.height > y + 1 for thing in panel.things)
    ] or [panel.height]
    cut = min(cuts, key=lambda y: max(y, panel.height - y + HEADING_HEIGHT))
    above = tuple(thing for thing in panel.things if thing.y < cut)
    lower = tuple(replace(thing, y=thing.y - cut + HEADING_HEIGHT) for thing in panel.things if thing.y >= cut)
    left = replace(panel, x=GAP, y=TITLE_HEIGHT, height=cut, things=above)
    height = max([HEADING_HEIGHT, *(thing.y + thing.height for thing in lower)]) + GAP
    right = replace(left, name="continued", owner=None, x=2 * GAP + NARROW, height=height, things=lower)
    return left, right


def _panel_of_lines(name: str, column: int, y: float, lines: Sequence[tuple[str, int | None]]) -> Panel:
    """lines: words, and whose they are."""
    things = tuple(_line(words, owner, number) for number, (words, owner) in enumerate(lines))
    return Panel(name, GAP + column * (NARROW + GAP), y, NARROW, HEADING_HEIGHT + LINE * len(things) + 4, things)


def _line(words: str, owner: int | None, number: int) -> Thing:
    width = NARROW - 2 * GAP
    mark = () if owner is None else (Mark(8, LINE / 2, "circle", SEATS[owner], 9),)
    left = 18 if mark else 0
    drawn = Text(left, LINE - 5, text.shortened(words, width - left, SIZE), SIZE)
    return Thing(words, GAP, HEADING_HEIGHT + number * LINE, width, LINE, (*mark, drawn), owner)
