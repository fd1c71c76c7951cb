"""A picture of a position as plain data: panels of things, each with a name, a place, an owner and an action.

Units are pixels of a picture of `WIDTH` × `HEIGHT`. A part's place is relative to its thing, a thing's to its panel, a
panel's to the picture; y grows downwards. Colours are named by what they say (`Look`); `theme` knows their values.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import import_module
from typing import Final, Literal

WIDTH: Final = 1280
HEIGHT: Final = 800
PANEL_WIDTH: Final = 420  # at most, so that stacked panels are legible on a phone

Shape = Literal[
    "circle", "ring", "square", "diamond", "triangle", "wedge", "hexagon", "pentagon", "star", "cross", "drop", "bar",
    "house", "person", "arrow",
]  # fmt: skip
Look = Literal[
    "paper",  # background of the picture
    "panel",  # background of a panel
    "card",  # a card or a place that holds something
    "empty",  # a place that holds nothing
    "hidden",  # the back of a card; words on it are "on-colour"
    "ink",  # words
    "muted",  # less important words
    "line",  # borders
    "accent",  # things under way
    "good",
    "bad",
    "seat-0", "seat-1", "seat-2", "seat-3",
    "hue-0", "hue-1", "hue-2", "hue-3", "hue-4", "hue-5", "hue-6", "hue-7", "hue-8", "hue-9",  # kinds of things
    "on-colour",  # words on a seat's colour, a hue, "accent" or "hidden"
]  # fmt: skip
SEATS: Final[tuple[Look, ...]] = ("seat-0", "seat-1", "seat-2", "seat-3")  # colours of the players
Anchor = Literal["start", "middle", "end"]  # alignment of a line of words at its x
Role = Literal[
    "choose",  # the question, the choices, and the result
    "own",  # the viewer's things
    "rival",  # another player's things
    "goal",  # what a game alone asks for
    "shared",  # things on the table for all
]


@dataclass(frozen=True, slots=True)
class Box:
    x: float
    y: float
    width: float
    height: float
    fill: Look | None = "card"
    line: Look | None = None
    corner: float = 5
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """One line; (x, y) is the start, middle or end of its base line."""

    x: float
    y: float
    words: str
    size: float = 12
    look: Look = "ink"
    bold: bool = False
    anchor: Anchor = "start"


@dataclass(frozen=True, slots=True)
class Mark:
    """A pictogram: (x, y) is its middle, `size` its width and height."""

    x: float
    y: float
    shape: Shape
    look: Look = "ink"
    size: float = 12


@dataclass(frozen=True, slots=True)
class Line:
    x: float
    y: float
    to_x: float
    to_y: float
    look: Look = "line"
    width: float = 1


Part = Box | Text | Mark | Line


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that can be pointed at.

    name: what it is, in the rulebook's words, for tooltips and screen readers: "slot 2: Melter, 1 coal, used".
    owner: a seat.
    action: the legal action that a click takes; None if there is none, or if the viewer is not to move.
    marked: it is under way or chosen.
    rule: the clause of the game's rules that explains it, such as "RUN-2".
    """

    name: str
    x: float
    y: float
    width: float
    height: float
    parts: tuple[Part, ...] = ()
    owner: int | None = None
    action: int | None = None
    marked: bool = False
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """Related things under a heading; (x, y) is its place in the wide picture. Panels do not overlap.

    Things come in reading order. A thing overlaps another only if it lies inside it and comes later.
    """

    name: str
    x: float
    y: float
    width: float
    height: float
    things: tuple[Thing, ...]
    owner: int | None = None
    role: Role = "shared"


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything a viewer may know of a position. Panels come in their order on a phone."""

    title: str
    panels: tuple[Panel, ...]
    width: float = WIDTH
    height: float = HEIGHT

    def _repr_svg_(self) -> str:
        """The picture in notebooks."""
        drawn: str = import_module(".svg", __package__).draw(self)  # by name: `svg` imports this module
        return drawn

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """The picture, with the title as its text: the scene's repr would fill pages."""
        return {"image/svg+xml": self._repr_svg_(), "text/plain": f"Scene({self.title!r})"}


def check_scene(scene: object) -> None:
    """Raise TypeError unless `scene` is a scene."""
    if not isinstance(scene, Scene):
        raise TypeError(f"scene: expected what cf.scene_of(game, state, player) makes, got {scene!r:.60}")


def only(scene: Scene, wanted: str) -> Scene:
    """A scene of only the panel with this name or role, without a title. ValueError unless there is exactly one."""
    check_scene(scene)
    found = [panel for panel in scene.panels if panel.name.partition(" · ")[0] == wanted]
    found = found or [panel for panel in scene.panels if panel.role == wanted]
    if len(found) != 1:
        raise ValueError(
            f"panel: expected one of {', '.join(repr(panel.name) for panel in scene.panels)}, or a role that only one "
            f"of them has, got {wanted!r}"
        )
    [panel] = found
    return Scene("", (replace(panel, x=0, y=0),), panel.width, panel.height)
