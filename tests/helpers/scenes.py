"""A small scene, and readers of scenes."""

from __future__ import annotations

from typing import get_args

from chocofactory_env.drawing import text
from chocofactory_env.drawing.scene import Box, Line, Look, Mark, Panel, Scene, Shape, Text, Thing

SHAPES: tuple[Shape, ...] = get_args(Shape)
HUES: tuple[Look, ...] = tuple(look for look in get_args(Look) if look.startswith("hue-"))


def example() -> Scene:
    """A scene with every shape, every kind of part, nested, legal and marked things, and two owners."""
    marks = [Mark(14 + 24 * number, 16, shape, HUES[number % len(HUES)], 18) for number, shape in enumerate(SHAPES)]
    shelf = Thing("shelf", 12, 30, 396, 60, (Box(0, 0, 396, 60), *marks, Line(0, 30, 396, 30)))
    number = (Mark(20, 65, "circle", "hue-1", 22), Text(20, 69, "3", 11, "on-colour", True, "middle"))
    card_words = text.block("Manufacturing <Manager> & Co.", 5, 5, 100, 40, 13, bold=True)
    card = Thing("card <1>", 12, 100, 110, 80, (Box(0, 0, 110, 80, "card", "line"), *card_words, *number), 1, 7)
    inside = Thing("price", 100, 160, 20, 18, (Text(10, 13, "£5", 11, anchor="middle"),), action=8)
    empty = Thing("place", 130, 100, 100, 80, (Box(0, 0, 100, 80, "empty", "line", dashed=True),), marked=True)
    things = (shelf, card, inside, empty)
    panels = (
        Panel("Your move", 852, 40, 420, 200, things),
        Panel("Player 0", 8, 40, 420, 200, things, owner=0),
        Panel("Player 1", 430, 40, 420, 200, things, owner=1),
    )
    return Scene("An example", panels)


def things(scene: Scene, panel: str = "") -> list[Thing]:
    """Those of the panels whose names begin so."""
    return [thing for each in scene.panels if each.name.startswith(panel) for thing in each.things]


def names(scene: Scene, panel: str = "") -> list[str]:
    return [thing.name for thing in things(scene, panel)]


def words_of(scene: Scene) -> list[str]:
    """All that can be read."""
    texts = [part.words for thing in things(scene) for part in thing.parts if isinstance(part, Text)]
    return [scene.title, *(panel.name for panel in scene.panels), *texts]


def actions(scene: Scene) -> set[int]:
    return {thing.action for panel in scene.panels for thing in panel.things if thing.action is not None}
