"""Names of people and agents in place of "Player 0": in words, and in a scene."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from .scene import Panel, Part, Scene, Text, Thing
from .svg import heading_of, title_of
from .text import extent, shortened

SEAT: Final = re.compile(r"\b[Pp]layer (\d)\b")  # as games word a seat
ROOM: Final = 84  # pixels for a name within drawn words, which leave room for "Player 0" and little more


def named(words: str, names: Sequence[str]) -> str:
    """The words with names for the seats; names: of all seats, in their order."""
    return SEAT.sub(lambda found: names[int(found[1])], words)


def with_names(scene: Scene, names: Sequence[str]) -> Scene:
    """The scene with names for the seats. Drawn names are shortened to the room that there is; labels are not."""
    title = title_of(scene)
    panels = tuple(_panel(panel, names) for panel in scene.panels)
    return replace(scene, title=_fitting(title, names, scene.width - title.x), panels=panels)


def _panel(panel: Panel, names: Sequence[str]) -> Panel:
    heading = heading_of(panel)
    things = tuple(_thing(thing, names) for thing in panel.things)
    return replace(panel, name=_fitting(heading, names, panel.width - heading.x), things=things)


def _thing(thing: Thing, names: Sequence[str]) -> Thing:
    parts = tuple(_part(part, names, thing.width) for part in thing.parts)
    name = named(thing.name, names)
    return thing if name == thing.name and parts == thing.parts else replace(thing, name=name, parts=parts)


def _part(part: Part, names: Sequence[str], width: float) -> Part:
    if not isinstance(part, Text) or not SEAT.search(part.words):
        return part
    short = [shortened(name, ROOM, part.size, part.bold) for name in names]
    left, _, right, _ = extent(part)
    room = {"start": width - part.x, "middle": right - left + 2 * min(left, width - right), "end": part.x}[part.anchor]
    return replace(part, words=_fitting(part, short, room))


def _fitting(line: Text, names: Sequence[str], room: float) -> str:
    return shortened(named(line.words, names), room, line.size, line.bold) if SEAT.search(line.words) else line.words
