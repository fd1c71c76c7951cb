"""Larger type in the same picture: every text grows as far as there is room around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from .check import Area, area_of, may_lie_over
from .scene import Box, Line, Panel, Part, Scene, Text, Thing

STEPS: Final = 8  # sizes that are tried, from the largest
EDGE: Final = 2  # from the edge of a thing


def with_larger_type(scene: Scene, scale: float) -> Scene:
    """The scene with text up to `scale` times as large.

    ValueError unless the scale is 1 to 3.
    """
    if not 1 <= scale <= 3:
        raise ValueError(f"type_scale: expected 1 to 3, got {scale:g}")
    return replace(scene, panels=tuple(_panel(panel, scale) for panel in scene.panels))


@lru_cache(256)
def _panel(panel: Panel, scale: float) -> Panel:
    """What lies inside a thing may be drawn after it, so all parts of the panel are looked at together."""
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
    """Whether the text may be drawn on the part: a box that holds all of it, a line, the disc of a number."""
    if isinstance(part, Line):
        return True
    return area.holds(of_text) if isinstance(part, Box) else may_lie_over(part, area, line, of_text)
