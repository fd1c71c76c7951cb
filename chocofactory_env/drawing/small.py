"""A position in a small frame: one player's panel in two columns, the others and the last moves as lines.

In 640 × 400 pixels, the whole picture would have words of size 4.5. Here they are as large as in narrow panels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from ..core.game import Game, State
from . import text
from .check import Area, area_of, may_lie_over
from .plain import NARROW, panels_of, scene_of, with_log
from .scene import SEATS, Box, Line, Mark, Panel, Part, Scene, Text, Thing
from .svg import GAP, HEADING_HEIGHT, TITLE_HEIGHT

SMALL: Final = 0.75  # scale of the whole picture below which a frame counts as small
WIDTH: Final = 3 * GAP + 2 * NARROW
LINE: Final = 17  # height of a line at the bottom
LINES: Final = 3  # last moves shown
LARGER: Final = 1.3  # scale of type where there is room
SIZE: Final = 11


def seen_in(game: Game, state: State, player: int | None, size: tuple[int, int], lines: Sequence[str]) -> Scene:
    """The scene for a frame of `size` pixels. lines: the last moves, in words."""
    whole = scene_of(game, state, player)
    if min(size[0] / whole.width, size[1] / whole.height) < SMALL:
        small = _small(game, state, player, lines)
        if small is not None:
            return small
    return with_log(whole, lines)


def _small(game: Game, state: State, player: int | None, lines: Sequence[str]) -> Scene | None:
    """The scene for a small frame; None if no panel of the game belongs to a player."""
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
    """Cut a panel into two columns, as near the middle as possible without cutting a thing."""
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
    """lines: words, and the owner."""
    things = tuple(_line(words, owner, number) for number, (words, owner) in enumerate(lines))
    return Panel(name, GAP + column * (NARROW + GAP), y, NARROW, HEADING_HEIGHT + LINE * len(things) + 4, things)


def _line(words: str, owner: int | None, number: int) -> Thing:
    width = NARROW - 2 * GAP
    mark = () if owner is None else (Mark(8, LINE / 2, "circle", SEATS[owner], 9),)
    left = 18 if mark else 0
    drawn = Text(left, LINE - 5, text.shortened(words, width - left, SIZE), SIZE)
    return Thing(words, GAP, HEADING_HEIGHT + number * LINE, width, LINE, (*mark, drawn), owner)


# --- larger type


STEPS: Final = 8  # sizes that are tried, from the largest
EDGE: Final = 2  # pixels from the edge of a thing


def with_larger_type(scene: Scene, scale: float) -> Scene:
    """The scene with text up to `scale` times as large.

    ValueError unless the scale is 1 to 3.
    """
    if not 1 <= scale <= 3:
        raise ValueError(f"type_scale: expected 1 to 3, got {scale:g}")
    return replace(scene, panels=tuple(_panel(panel, scale) for panel in scene.panels))


@lru_cache(256)
def _panel(panel: Panel, scale: float) -> Panel:
    """Enlarge a panel's text. It compares all parts of the panel, because things can lie inside others."""
    placed = [(area_of(part).moved(thing.x, thing.y), part) for thing in panel.things for part in thing.parts]
    things, first = [], 0
    for thing in panel.things:
        parts: list[Part] = []
        for number, part in enumerate(thing.parts, first):
            grown = _grown(part, thing, placed, number, scale) if isinstance(part, Text) else part
            placed[number] = area_of(grown).moved(thing.x, thing.y), grown
            parts.append(grown)
        first += len(thing.parts)
        things.append(replace(thing, parts=tuple(parts)))
    return replace(panel, things=tuple(things))


def _grown(line: Text, thing: Thing, placed: Sequence[tuple[Area, Part]], own: int, scale: float) -> Text:
    inside = Area(EDGE, EDGE, thing.width - EDGE, thing.height - EDGE)
    before = placed[own][0]
    for step in range(STEPS, 0, -1):
        larger = replace(line, size=line.size * (1 + (scale - 1) * step / STEPS))
        area = area_of(larger)
        if not inside.holds(area):
            continue
        area = area.moved(thing.x, thing.y)
        if all(
            number == own or not area.meets(other) or before.meets(other) or _is_ground(part, other, area, larger)
            for number, (other, part) in enumerate(placed)
        ):
            return larger
    return line


def _is_ground(part: Part, area: Area, of_text: Area, line: Text) -> bool:
    """Whether the text may lie on the part: a box that holds all of it, a line, or the disc of a number."""
    if isinstance(part, Line):
        return True
    return area.holds(of_text) if isinstance(part, Box) else may_lie_over(part, area, line, of_text)
