"""A scene as SVG: the whole picture, stacked panels for a phone, or a single panel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from html import escape
from typing import Final

from .scene import PANEL_WIDTH, SEATS, Box, Line, Look, Mark, Panel, Part, Scene, Text, Thing, check_scene, only
from .shapes import PATHS
from .text import FAMILY, known, width
from .theme import colours

TITLE_HEIGHT: Final = 32  # of a picture, above its panels
TITLE_X: Final = 12
TITLE_SIZE: Final = 16
HEADING_HEIGHT: Final = 26  # of a panel, above its things
HEADING_X: Final = 12
HEADING_SIZE: Final = 14
GAP: Final = 8  # between stacked panels, and at the edges


class Pen:
    """Draws parts, things and panels. The length of every text is fixed, for readers that lack the font."""

    def __init__(self, colours: dict[Look, str]) -> None:
        self.colours = colours

    def fill(self, look: Look) -> str:
        return f'fill="{self.colours[look]}"'

    def box(self, box: Box) -> str:
        filled = f"<rect {_place(box)} {self.fill(box.fill)}/>" if box.fill else ""
        return filled + (self.border(box, box.line, 1, box.dashed) if box.line else "")

    def border(self, box: Box, look: Look, width: float, dashed: bool = False) -> str:
        """A line along the inner side of a box."""
        dashes = ' stroke-dasharray="4 3"' if dashed else ""
        return f'<rect {_place(box, width / 2)} stroke-width="{width:g}"{dashes} {self.stroke(look)}/>'

    def stroke(self, look: Look) -> str:
        return f'fill="none" stroke="{self.colours[look]}"'

    def line(self, line: Line) -> str:
        ends = f'x1="{line.x:g}" y1="{line.y:g}" x2="{line.to_x:g}" y2="{line.to_y:g}"'
        return f'<line {ends} stroke-width="{line.width:g}" {self.stroke(line.look)}/>'

    def mark(self, mark: Mark) -> str:
        place = f"translate({mark.x:g} {mark.y:g}) scale({mark.size:g})"
        return f'<path transform="{place}" d="{PATHS[mark.shape]}" {self.fill(mark.look)}/>'

    def text(self, line: Text) -> str:
        anchor = "" if line.anchor == "start" else f' text-anchor="{line.anchor}"'
        weight = ' font-weight="700"' if line.bold else ""
        place = f'x="{line.x:g}" y="{line.y:g}" font-size="{line.size:g}"'
        if line.words:
            place += f' textLength="{width(line.words, line.size, line.bold):.1f}" lengthAdjust="spacingAndGlyphs"'
        return f"<text {place}{anchor}{weight} {self.fill(line.look)}>{_words(line.words)}</text>"

    def part(self, part: Part) -> str:
        return _DRAWN_BY[type(part)](self, part)

    def thing(self, thing: Thing, x: float, y: float) -> str:
        """Its parts, under the marks that it is a choice or under way."""
        parts = "".join([self.part(part) for part in thing.parts])
        all_of_it = Box(0, 0, thing.width, thing.height)
        veil = f'<rect {_place(all_of_it)} fill-opacity="0.16" {self.fill("accent")}/>' if thing.marked else ""
        border = self.border(all_of_it, "accent", 1.75) if thing.action is not None else ""
        return f'<g transform="translate({x:g} {y:g})">{parts}{veil}{border}</g>'

    def ground(self, panel: Panel) -> str:
        """A panel's background: its box, its heading, and a band in its owner's colour."""
        ground = self.box(Box(0, 0, panel.width, panel.height, "panel", "line", 8))
        band = "" if panel.owner is None else self.box(Box(0, 6, 5, 18, SEATS[panel.owner], None, 2))
        return ground + band + self.text(heading_of(panel))

    def panel(self, panel: Panel, x: float, y: float) -> str:
        things = "".join([self.thing(thing, thing.x, thing.y) for thing in panel.things])
        return f'<g transform="translate({x:g} {y:g})">{self.ground(panel)}{things}</g>'


_DRAWN_BY: Final[dict[type, Callable[..., str]]] = {Box: Pen.box, Text: Pen.text, Mark: Pen.mark, Line: Pen.line}


def _place(box: Box, inset: float = 0) -> str:
    width, height, corner = box.width - 2 * inset, box.height - 2 * inset, max(0, box.corner - inset)
    return f'x="{box.x + inset:g}" y="{box.y + inset:g}" width="{width:g}" height="{height:g}" rx="{corner:g}"'


@lru_cache(1 << 14)
def _words(words: str) -> str:
    """Words as text or as an attribute, with "?" for what the font lacks."""
    return escape(known(words))


def title_of(scene: Scene) -> Text:
    """The line above the panels."""
    return Text(TITLE_X, 22, scene.title, TITLE_SIZE, bold=True)


def heading_of(panel: Panel) -> Text:
    """The line above a panel's things."""
    return Text(HEADING_X, 19, panel.name, HEADING_SIZE, bold=True)


def _root(width: float, height: float, name: str, drawn: str) -> str:
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    font = f'font-family="{FAMILY}, sans-serif"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{_words(name)}" {font}>{drawn}</svg>'


def draw(scene: Scene, theme: str = "light", tall: bool = False, *, panel: str | None = None) -> str:
    """SVG of the picture, or of one panel of it.

    Args:
        scene: from `cf.scene_of`, or from `cf.panels_of` for narrow panels.
        theme: "light" or "dark".
        tall: panels one below another, `PANEL_WIDTH` and two margins wide.
        panel: the name of a panel, such as "Player 0", or a role that only one has, such as "own".

    Raises:
        TypeError: `scene` is not a scene.
        ValueError: no such theme or panel.
    """
    if panel is not None:
        return draw_panel(only(scene, panel).panels[0], theme)
    check_scene(scene)
    pen = Pen(colours(theme))
    width, height = scene.width, scene.height
    places = [(panel.x, panel.y) for panel in scene.panels]
    if tall:
        width, height = PANEL_WIDTH + 2 * GAP, TITLE_HEIGHT
        places = []
        for each in scene.panels:
            places.append((GAP, height))
            height += each.height + GAP
    ground = pen.box(Box(0, 0, width, height, "paper", corner=0)) + pen.text(title_of(scene))
    panels = [pen.panel(each, *place) for each, place in zip(scene.panels, places, strict=True)]
    return _root(width, height, scene.title, ground + "".join(panels))


def draw_things(things: Sequence[Thing], theme: str = "light") -> str:
    """SVG of things alone; the first one names them."""
    pen = Pen(colours(theme))
    size = (max(each.x + each.width for each in things), max(each.y + each.height for each in things))
    return _root(*size, things[0].name, "".join([pen.thing(each, each.x, each.y) for each in things]))


def draw_panel(panel: Panel, theme: str = "light") -> str:
    """SVG of a single panel, as `draw` draws it."""
    return _root(panel.width, panel.height, panel.name, Pen(colours(theme)).panel(panel, 0, 0))
