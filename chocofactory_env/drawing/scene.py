"""What is seen of a position, as plain data: panels of things, each with a name, a place, an owner and an action.

Units are pixels of a picture of `WIDTH` × `HEIGHT`. A part's place is relative to its thing, a thing's to its panel, a
panel's to the picture; y grows downwards. Colours are named by what they say (`Look`); `theme` knows their values.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Final, Literal

WIDTH: Final = 1280
HEIGHT: Final = 800
PANEL_WIDTH: Final = 420  # at most, so that panels are legible on a telephone, one below another

Shape = Literal[
    "circle", "ring", "square", "diamond", "triangle", "wedge", "hexagon", "pentagon", "star", "cross", "drop", "bar",
    "house", "person", "arrow",
]  # fmt: skip
Look = Literal[
    "paper",  # the ground of the picture
    "panel",  # the ground of a panel
    "card",  # a card or a place that holds something
    "empty",  # a place that holds nothing
    "hidden",  # the back of a card; words on it are "on-colour"
    "ink",  # words
    "muted",  # words of less weight
    "line",  # borders
    "accent",  # what is under way
    "good",
    "bad",
    "seat-0", "seat-1", "seat-2", "seat-3",
    "hue-0", "hue-1", "hue-2", "hue-3", "hue-4", "hue-5", "hue-6", "hue-7", "hue-8", "hue-9",  # kinds of things
    "on-colour",  # words on a seat's colour, a hue, "accent" or "hidden"
]  # fmt: skip
SEATS: Final[tuple[Look, ...]] = ("seat-0", "seat-1", "seat-2", "seat-3")  # colours of the players
Anchor = Literal["start", "middle", "end"]  # where a line of words lies from its x
Role = Literal[
    "choose",  # what is asked, and what can be taken
    "own",  # what the viewer has
    "rival",  # what another player has
    "shared",  # what lies on the table for all
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
    """What can be pointed at.

    name: what it is, in the rulebook's words, for tooltips and screen readers: "slot 2: Melter, 1 coal, used".
    owner: a seat.
    action: the legal action that pointing at it takes; None where it takes none, or where the viewer does not move.
    marked: it is under way or chosen.
    note: it says whose turn it is, or what can be done: `moved` never marks it.
    moved: something was moved here last; `moved.with_moved` finds it.
    rule: the clause of the game's rules that says what it is for, as "RUN-2".
    piece: what lies here and can be moved, by a name that it has wherever it lies; "" for a place. Pages show it move.
    many: how many of the piece lie here; the thing's first mark shows one. None: the thing itself is the piece. Without
        a piece it is an amount, as of money: pages show by how much it changes.
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
    note: bool = False
    moved: bool = False
    rule: str = ""
    piece: str = ""
    many: int | None = None


@dataclass(frozen=True, slots=True)
class Panel:
    """Things that belong together, under a heading; (x, y) is its place in the wide picture. Panels do not overlap.

    Things come in reading order. A thing overlaps another only if it lies inside it and comes later.
    note: it says what is asked, or sums up what lies elsewhere: `moved` marks nothing in it.
    role: where the page puts it. summary: of a player, a few facts for a strip, as ("£12", "3 coal").
    """

    name: str
    x: float
    y: float
    width: float
    height: float
    things: tuple[Thing, ...]
    owner: int | None = None
    note: bool = False
    role: Role = "shared"
    summary: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """All that a viewer may know of a position. Panels come in the order in which they stand on a telephone."""

    title: str
    panels: tuple[Panel, ...]
    width: float = WIDTH
    height: float = HEIGHT

    def _repr_svg_(self) -> str:
        """What notebooks show."""
        drawn: str = import_module(".svg", __package__).draw(self)  # by name: `svg` imports this module
        return drawn

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """The same, with a title for readers of text: all parts of the scene would fill pages."""
        return {"image/svg+xml": self._repr_svg_(), "text/plain": f"Scene({self.title!r})"}


def check_scene(scene: object) -> None:
    """TypeError for what is no scene."""
    if not isinstance(scene, Scene):
        raise TypeError(f"scene: expected what cf.scene_of(game, state, player) makes, got {scene!r:.60}")
