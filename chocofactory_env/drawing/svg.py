"""A scene as SVG: the whole picture, stacked panels for a phone, or a single panel."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from html import escape
from typing import Final

from .scene import PANEL_WIDTH, SEATS, Box, Line, Look, Mark, Panel, Part, Scene, Text, Thing, check_scene
from .shapes import PATHS
from .text import FAMILY, known, width
from .theme import colours

TITLE_HEIGHT: Final = 32  # of a picture, above its panels
HEADING_HEIGHT: Final = 26  # of a panel, above its things
GAP: Final = 8  # between stacked panels, and at the edges
_TITLE: Final = (12, 22, 16)  # place and size of a picture's title
_HEADING: Final = (12, 19, 14)  # of a panel's


class Pen:
    """Draws parts, things and panels.

    colours: of every look; None: write class names, and labels of things.
    stretch: fix the length of every text, for readers that lack the font.
    """

    def __init__(self, colours: dict[Look, str] | None, stretch: bool = False) -> None:
        self.colours = colours
        self.stretch = stretch

    def fill(self, look: Look) -> str:
        return f'class="fill-{look}"' if self.colours is None else f'fill="{self.colours[look]}"'

    def box(self, box: Box) -> str:
        filled = f"<rect {_place(box)} {self.fill(box.fill)}/>" if box.fill else ""
        return filled + (self.border(box, box.line, 1, box.dashed) if box.line else "")

    def border(self, box: Box, look: Look, width: float, dashed: bool = False) -> str:
        """A line along the inner side of a box."""
        dashes = ' stroke-dasharray="4 3"' if dashed else ""
        return f'<rect {_place(box, width / 2)} stroke-width="{width:g}"{dashes} {self.stroke(look)}/>'

    def stroke(self, look: Look) -> str:
        return f'class="line-{look}"' if self.colours is None else f'fill="none" stroke="{self.colours[look]}"'

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
        if self.stretch and line.words:
            place += f' textLength="{width(line.words, line.size, line.bold):.1f}" lengthAdjust="spacingAndGlyphs"'
        return f"<text {place}{anchor}{weight} {self.fill(line.look)}>{_words(line.words)}</text>"

    def part(self, part: Part) -> str:
        return _DRAWN_BY[type(part)](self, part)

    def thing(self, thing: Thing, x: float, y: float) -> str:
        """A group with the thing's name, under the marks that it is a choice or under way."""
        parts = "".join([self.part(part) for part in thing.parts])
        all_of_it = Box(0, 0, thing.width, thing.height)
        veil = f'<rect {_place(all_of_it)} fill-opacity="0.16" {self.fill("accent")}/>' if thing.marked else ""
        border = self.border(all_of_it, "accent", 1.75) if thing.action is not None else ""
        return f"<g {self.pointing(thing, x, y)}>{parts}{veil}{border}</g>"

    def pointing(self, thing: Thing, x: float, y: float) -> str:
        """Attributes of a thing: its place and, for the browser, its name and action."""
        place = f'transform="translate({x:g} {y:g})"'
        if self.colours is not None:
            return place
        owner = "" if thing.owner is None else f' data-owner="{thing.owner}"'
        rule = f' data-rule="{thing.rule}"' if thing.rule else ""
        piece = f' data-piece="{_words(thing.piece)}"' if thing.piece else ""
        many = "" if thing.many is None else f' data-many="{thing.many}"'
        named = f'aria-label="{_words(thing.name)}"{owner}{rule}{piece}{many}'
        marked = " marked" if thing.marked else ""
        if thing.action is None:
            return f'{place} class="thing{marked}" role="img" {named}'
        return f'{place} class="thing legal{marked}" role="button" tabindex="0" data-action="{thing.action}" {named}'

    def ground(self, panel: Panel) -> str:
        """A panel's background: its box, its heading, and a band in its owner's colour."""
        ground = self.box(Box(0, 0, panel.width, panel.height, "panel", "line", 8))
        band = "" if panel.owner is None else self.box(Box(0, 6, 5, 18, SEATS[panel.owner], None, 2))
        return ground + band + self.text(heading_of(panel))

    def panel(self, panel: Panel, x: float, y: float) -> str:
        things = "".join([self.thing(thing, thing.x, thing.y) for thing in panel.things])
        label = f'class="panel" role="group" aria-label="{_words(panel.name)}" ' if self.colours is None else ""
        return f'<g {label}transform="translate({x:g} {y:g})">{self.ground(panel)}{things}</g>'


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
    x, y, size = _TITLE
    return Text(x, y, scene.title, size, bold=True)


def heading_of(panel: Panel) -> Text:
    """The line above a panel's things."""
    x, y, size = _HEADING
    return Text(x, y, panel.name, size, bold=True)


def _root(width: float, height: float, name: str, drawn: str, classes: bool) -> str:
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    named = f'role="{"group" if classes else "img"}" aria-label="{_words(name)}"'
    font = f'font-family="{FAMILY}, sans-serif"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {named} {font}>{drawn}</svg>'


def draw(scene: Scene, theme: str = "light", classes: bool = False, tall: bool = False) -> str:
    """SVG of the whole picture.

    Args:
        scene: the picture.
        theme: "light" or "dark".
        classes: write colours as classes (`theme.style_sheet`), and label things for pointers, keyboards and screen
            readers: `<g class="thing legal" data-action="12" aria-label="...">`.
        tall: panels one below another, `PANEL_WIDTH` and two margins wide.

    Raises:
        TypeError: `scene` is not a scene.
        ValueError: no such theme.
    """
    check_scene(scene)
    pen = Pen(None) if classes else Pen(colours(theme), stretch=True)
    width, height = scene.width, scene.height
    places = [(panel.x, panel.y) for panel in scene.panels]
    if tall:
        width, height = PANEL_WIDTH + 2 * GAP, TITLE_HEIGHT
        places = []
        for panel in scene.panels:
            places.append((GAP, height))
            height += panel.height + GAP
    ground = pen.box(Box(0, 0, width, height, "paper", corner=0)) + pen.text(title_of(scene))
    panels = [pen.panel(panel, *place) for panel, place in zip(scene.panels, places, strict=True)]
    return _root(width, height, scene.title, ground + "".join(panels), classes)


def draw_panel(panel: Panel, theme: str = "light", classes: bool = False) -> str:
    """SVG of a single panel, as `draw` draws it."""
    pen = Pen(None) if classes else Pen(colours(theme), stretch=True)
    return _root(panel.width, panel.height, panel.name, pen.panel(panel, 0, 0), classes)
