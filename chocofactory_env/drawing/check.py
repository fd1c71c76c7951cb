"""The box test: find parts of a scene that are cut off, hidden, too small, or over something else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from .scene import PANEL_WIDTH, Box, Line, Mark, Panel, Part, Scene, Text, Thing
from .svg import HEADING_HEIGHT, TITLE_HEIGHT, heading_of, title_of
from .text import LEAST, extent, known

SLACK: Final = 0.5  # pixels


class Area(NamedTuple):
    """A rectangle that something covers."""

    left: float
    top: float
    right: float
    bottom: float

    def moved(self, x: float, y: float) -> Area:
        return Area(self.left + x, self.top + y, self.right + x, self.bottom + y)

    def holds(self, other: Area) -> bool:
        return (
            other.left >= self.left - SLACK
            and other.top >= self.top - SLACK
            and other.right <= self.right + SLACK
            and other.bottom <= self.bottom + SLACK
        )


class _Placed(NamedTuple):
    """A part with its place in the panel."""

    area: Area
    part: Part
    what: str


def faults(scene: Scene) -> list[str]:
    """Faults that keep a reader from seeing or reading something; empty for a good scene.

    - parts outside their thing, things outside their panel, panels outside the picture or wider than `PANEL_WIDTH`;
    - panels and things over one another, unless a thing lies inside an earlier one;
    - a text over a text or a mark, unless its look is "on-colour" and it lies inside the mark;
    - a text or a mark under something drawn later;
    - text that is empty, ends in "…", is smaller than `text.LEAST`, or has characters that the font lacks.
    """
    picture = Area(0, TITLE_HEIGHT, scene.width, scene.height)
    found = _text_faults(title_of(scene), "the title", Area(0, 0, scene.width, TITLE_HEIGHT))
    areas = [(panel, Area(panel.x, panel.y, panel.x + panel.width, panel.y + panel.height)) for panel in scene.panels]
    for panel, area in areas:
        if not picture.holds(area):
            found.append(f"panel {panel.name!r} lies outside the picture or over its title")
        if panel.width > PANEL_WIDTH:
            found.append(f"panel {panel.name!r} is {panel.width:g} wide, more than {PANEL_WIDTH}")
        found += [f"panel {panel.name!r}: {fault}" for fault in _panel_faults(panel)]
    for one, other in _meeting([area for _, area in areas]):
        found.append(f"panels {areas[one][0].name!r} and {areas[other][0].name!r} overlap")
    return found


def _panel_faults(panel: Panel) -> Iterator[str]:
    heading = heading_of(panel)
    yield from _text_faults(heading, "the heading", Area(0, 0, panel.width, HEADING_HEIGHT))
    inside = Area(0, HEADING_HEIGHT, panel.width, panel.height)
    areas = [Area(thing.x, thing.y, thing.x + thing.width, thing.y + thing.height) for thing in panel.things]
    for thing, area in zip(panel.things, areas, strict=True):
        if not thing.name:
            yield f"a thing at ({thing.x:g}, {thing.y:g}) has no name"
        if not inside.holds(area):
            yield f"{thing.name!r} lies outside the panel or over its heading"
        yield from _thing_faults(thing)
    for one, other in _meeting(areas):
        if not areas[one].holds(areas[other]):
            yield f"{panel.things[one].name!r} and {panel.things[other].name!r} overlap"
    yield from _parts_over_parts([placed for thing in panel.things for placed in _placed(thing)])


def _thing_faults(thing: Thing) -> Iterator[str]:
    own = Area(0, 0, thing.width, thing.height)
    for part in thing.parts:
        if isinstance(part, Text):
            yield from _text_faults(part, repr(thing.name), own)
        elif not own.holds(area_of(part)):
            yield f"{_what(part)} lies outside {thing.name!r}"


def _text_faults(line: Text, where: str, inside: Area) -> list[str]:
    found = []
    if not line.words.strip():
        found.append(f"an empty text in {where}")
    if line.words.endswith("…"):
        found.append(f"{line.words!r} in {where} is cut")
    if known(line.words) != line.words:
        found.append(f"{line.words!r} in {where} has characters that the font lacks")
    if line.size < LEAST:
        found.append(f"{line.words!r} in {where} has size {line.size:g}, less than {LEAST}")
    if not inside.holds(area_of(line)):
        found.append(f"{line.words!r} lies outside {where}")
    return found


def area_of(part: Part) -> Area:
    if isinstance(part, Text):
        return Area(*extent(part))
    if isinstance(part, Mark):
        half = part.size / 2
        return Area(part.x - half, part.y - half, part.x + half, part.y + half)
    if isinstance(part, Box):
        return Area(part.x, part.y, part.x + part.width, part.y + part.height)
    return Area(min(part.x, part.to_x), min(part.y, part.to_y), max(part.x, part.to_x), max(part.y, part.to_y))


def _what(part: Part) -> str:
    if isinstance(part, Text):
        return repr(part.words)
    if isinstance(part, Mark):
        return f"a {part.shape} at ({part.x:g}, {part.y:g})"
    return f"a {type(part).__name__.lower()} at ({part.x:g}, {part.y:g})"


def _placed(thing: Thing) -> Iterator[_Placed]:
    for part in thing.parts:
        if not isinstance(part, Line):
            yield _Placed(area_of(part).moved(thing.x, thing.y), part, f"{_what(part)} of {thing.name!r}")


def _parts_over_parts(parts: Sequence[_Placed]) -> Iterator[str]:
    """Texts and marks that touch, or that something drawn later hides. `parts` are in drawing order."""
    for one, other in _meeting([placed.area for placed in parts]):
        below, above = parts[one], parts[other]
        if isinstance(below.part, Box) or (isinstance(above.part, Box) and above.part.fill is None):
            continue
        if not _carries(below, above):
            yield f"{above.what} lies over {below.what}"


def _carries(below: _Placed, above: _Placed) -> bool:
    """Whether `below` is a mark with the text `above` on it, such as a number on a coloured disc."""
    on_colour = isinstance(above.part, Text) and above.part.look == "on-colour"
    return on_colour and isinstance(below.part, Mark) and below.area.holds(above.area)


def _meeting(areas: Sequence[Area]) -> list[tuple[int, int]]:
    """Pairs (earlier, later) of areas that overlap."""
    left, top, right, bottom = np.array(areas).reshape(-1, 4).T
    wide = np.minimum.outer(right, right) - np.maximum.outer(left, left) > SLACK
    high = np.minimum.outer(bottom, bottom) - np.maximum.outer(top, top) > SLACK
    return [(one, other) for one, other in np.argwhere(np.triu(wide & high, 1)).tolist()]
