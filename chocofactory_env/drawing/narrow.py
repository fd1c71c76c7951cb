"""Narrow panels, for pages that put them where there is room: beside each other on a desk, below each other on a phone.

A game with a method `panels` says what is in them; their roles say what they are for. All are `NARROW` wide, so that
their smallest words are legible in the width of a telephone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from .scene import Panel, Scene
from .svg import GAP, TITLE_HEIGHT

NARROW: Final = 306  # wide: in 378 pixels of a telephone, words of size 9 have 11 pixels


def in_a_row(title: str, panels: Iterable[Panel]) -> Scene:
    """A scene of narrow panels. A panel is known again by its place in the row, whatever its role and height."""
    step = NARROW + GAP
    placed = tuple(replace(panel, x=GAP + place * step, y=TITLE_HEIGHT) for place, panel in enumerate(panels))
    height = TITLE_HEIGHT + max(panel.height for panel in placed) + GAP
    return Scene(title, placed, width=GAP + len(placed) * step, height=height)


def fitting(panel: Panel, least: float) -> Panel:
    """The panel as high as its things need, and as `least`."""
    bottom = max(thing.y + thing.height for thing in panel.things)
    return replace(panel, height=max(least, bottom + GAP))
