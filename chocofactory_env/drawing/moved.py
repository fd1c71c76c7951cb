"""Find what was moved last: things that are drawn differently in an earlier scene of the same viewer.

Two scenes are all it uses, so it reveals nothing that the viewer has not seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import Final

from .scene import Line, Panel, Part, Scene, Thing

MOST: Final = 8  # things of a panel; if more than these and more than half of it differ, it counts as another panel
Place = tuple[float, float, float, float]  # x, y, width, height
Corner = tuple[float, float, float]  # x, y, width of a panel, which may grow
Moved = frozenset[tuple[Corner, Place]]  # corners of panels, and places of things in them


def with_moved(scene: Scene, earlier: Iterable[Scene]) -> Scene:
    """The scene with `Thing.moved` where something was moved last.

    earlier: what the same viewer saw before, latest first; read until something differs.
    """
    for after, before in pairwise(chain([scene], earlier)):
        found = moved(before, after)
        if found:
            return marked(scene, found)
    return scene


def marked(scene: Scene, found: Moved) -> Scene:
    """The scene with these things marked."""
    panels = []
    for panel in scene.panels:
        where = corner_of(panel)
        things = tuple(replace(one, moved=True) if (where, place_of(one)) in found else one for one in panel.things)
        panels.append(replace(panel, things=things))
    return replace(scene, panels=tuple(panels))


def moved(before: Scene, after: Scene) -> Moved:
    """Differences in panels that were there before, without notes."""
    old = {corner_of(panel): panel for panel in before.panels}
    found: set[tuple[Corner, Place]] = set()
    for panel in after.panels:
        where = corner_of(panel)
        if where in old and not panel.note and old[where].things != panel.things:
            here = innermost(_moved_in(old[where].things, panel.things))
            if len(here) <= max(MOST, len(panel.things) / 2):
                found |= {(where, place) for place in here}
    return frozenset(found)


def innermost(things: Iterable[Thing]) -> set[Place]:
    """Places of the things that contain none of the others."""
    places = {place_of(thing) for thing in things}
    return {one for one in places if not any(other != one and _holds(one, other) for other in places)}


def corner_of(panel: Panel) -> Corner:
    return panel.x, panel.y, panel.width


def place_of(what: Thing) -> Place:
    return what.x, what.y, what.width, what.height


def _moved_in(before: Sequence[Thing], after: Sequence[Thing]) -> Iterator[Thing]:
    """Things with parts that were not drawn there before, and things from which something was taken."""
    was, now = {_drawn(thing) for thing in before}, {_drawn(thing) for thing in after}
    gone = [thing for thing in before if _drawn(thing) not in now]
    new = [thing for thing in after if _drawn(thing) not in was]
    parts_gone, parts_new = ({part for thing in things for part in _parts(thing)} for things in (gone, new))
    left, came = _shifted(gone, new)
    for thing in came:
        if not thing.note and any(part not in parts_gone for part in _parts(thing)):
            yield thing
    for thing in left:
        if not thing.note and any(part not in parts_new for part in _parts(thing)):
            shifted = [one for one in new if one not in came]
            around = [one for one in after if _holds(place_of(one), place_of(thing)) and one not in shifted]
            if around and not around[-1].note:
                yield around[-1]


def _shifted(gone: Sequence[Thing], new: Sequence[Thing]) -> tuple[list[Thing], list[Thing]]:
    """Both, without cards that only shifted in their row because others were taken."""
    was, now = ({(thing.name, thing.parts, thing.y) for thing in things} for things in (gone, new))
    return (
        [thing for thing in gone if (thing.name, thing.parts, thing.y) not in now],
        [thing for thing in new if (thing.name, thing.parts, thing.y) not in was],
    )


def _drawn(thing: Thing) -> tuple[Place, tuple[Part, ...]]:
    return place_of(thing), thing.parts


def _parts(thing: Thing) -> Iterator[Part]:
    """The thing's parts, with places in the panel."""
    for part in thing.parts:
        x, y = part.x + thing.x, part.y + thing.y
        if isinstance(part, Line):
            yield replace(part, x=x, y=y, to_x=part.to_x + thing.x, to_y=part.to_y + thing.y)
        else:
            yield replace(part, x=x, y=y)


def _holds(outer: Place, inner: Place) -> bool:
    x, y, width, height = outer
    left, top, across, down = inner
    return x <= left and y <= top and x + width >= left + across and y + height >= top + down
