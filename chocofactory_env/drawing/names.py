"""Names of people and agents in place of "Player 0": in words, and in a scene."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from .scene import Panel, Part, Scene, Text, Thing
from .svg import heading_of, title_of
from .text import extent, shortened

SEAT: Final = re.compile(r"\b[Pp]layer ([0-9])\b")  # a seat in the words of games
GAP: Final = 4  # pixels between adjacent words


def named(words: str, names: Sequence[str]) -> str:
    """The words with names instead of seats. names: of all seats, in order."""
    by_seat = {str(seat): name for seat, name in enumerate(names)}
    return SEAT.sub(lambda found: by_seat.get(found[1], found[0]), words)  # a card may be named after another seat


def seats_in(scene: Scene) -> set[int]:
    """The seats that the words of a scene name."""
    things = [thing for panel in scene.panels for thing in panel.things]
    texts = [part.words for thing in things for part in thing.parts if isinstance(part, Text)]
    words = [scene.title, *(panel.name for panel in scene.panels), *(thing.name for thing in things), *texts]
    return {int(seat) for each in words for seat in SEAT.findall(each)}


def with_names(scene: Scene, names: Sequence[str]) -> Scene:
    """The scene with names instead of seats. Drawn names are shortened to fit; labels are not."""
    title = title_of(scene)
    panels = tuple(_panel(panel, names) for panel in scene.panels)
    return replace(scene, title=_fitting(title, names, scene.width - title.x), panels=panels)


def _panel(panel: Panel, names: Sequence[str]) -> Panel:
    heading = heading_of(panel)
    things = tuple(_thing(thing, names) for thing in panel.things)
    return replace(panel, name=_fitting(heading, names, panel.width - heading.x), things=things)


def _thing(thing: Thing, names: Sequence[str]) -> Thing:
    parts = tuple(_part(part, names, thing) for part in thing.parts)
    name = named(thing.name, names)
    return thing if name == thing.name and parts == thing.parts else replace(thing, name=name, parts=parts)


def _part(part: Part, names: Sequence[str], thing: Thing) -> Part:
    if not isinstance(part, Text) or not SEAT.search(part.words):
        return part
    left, _, right, _ = extent(part)
    room = {
        "start": _beside(part, thing) - part.x,
        "middle": right - left + 2 * min(left, thing.width - right),
        "end": part.x,
    }
    return replace(part, words=_fitting(part, names, room[part.anchor]))


def _beside(part: Text, thing: Thing) -> float:
    """x of the next words on the line, or of the thing's end."""
    lines = [extent(other) for other in thing.parts if isinstance(other, Text) and abs(other.y - part.y) < part.size]
    return min([left - GAP for left, *_ in lines if left > part.x] + [thing.width])


def _fitting(line: Text, names: Sequence[str], room: float) -> str:
    return shortened(named(line.words, names), room, line.size, line.bold) if SEAT.search(line.words) else line.words
