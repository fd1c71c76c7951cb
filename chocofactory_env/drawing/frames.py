"""Frames of scenes, by resvg: arrays of a fixed size, for videos, windows and notebooks.

A frame is put together from cached tiles: the background of every panel, and every thing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from io import BytesIO
from math import ceil, floor
from typing import Any, Final, NamedTuple

import numpy as np

from ..core.checks import as_integer
from ..core.messages import shown
from .scene import HEIGHT, WIDTH, Box, Look, Panel, Scene, Thing, check_scene, only
from .svg import TITLE_HEIGHT, Pen, title_of
from .text import FAMILY, FONTS
from .theme import colours

SIZE: Final = (WIDTH, HEIGHT)
SIZES: Final = (64, 4096)  # least and most pixels of a side
NEEDS: Final = 'pip install "chocofactory-env[render]"'


class MissingExtraError(ImportError):
    """A package of the extra `render` is not installed."""


def as_size(name: str, value: Any) -> tuple[int, int]:
    """(width, height) in pixels. Raises TypeError or ValueError unless it is such a pair within `SIZES`."""
    if not isinstance(value, Sequence | np.ndarray) or isinstance(value, str) or len(value) != 2:
        raise TypeError(f"{name}: expected (width, height) in pixels, got {shown(value)}")
    width, height = value
    return as_integer(f"{name}[0]", width, *SIZES), as_integer(f"{name}[1]", height, *SIZES)


def missing(what: str, package: str) -> MissingExtraError:
    """The error that `what` needs a package."""
    return MissingExtraError(f"{what} needs {package}, which is not installed: {NEEDS}")


@cache
def _rasteriser() -> Callable[[str], np.ndarray]:
    """A function from SVG to its pixels, (H, W, 3) uint8. MissingExtraError without its packages."""
    try:
        from PIL import Image
        from resvg_py import svg_to_bytes
    except ImportError as error:
        raise missing(
            "a picture", {"PIL": "pillow", "resvg_py": "resvg-py"}[(error.name or "").partition(".")[0]]
        ) from error
    fonts = [str(path) for path in FONTS]

    def pixels(svg: str) -> np.ndarray:
        picture = svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=fonts)
        return np.asarray(Image.open(BytesIO(picture)).convert("RGB"))

    return pixels


def check() -> None:
    """Raise MissingExtraError unless frames can be made."""
    _rasteriser()


def _pixels(svg: str) -> np.ndarray:
    pixels = _rasteriser()(svg)
    pixels.flags.writeable = False
    return pixels


_tile = lru_cache(2048)(_pixels)  # for things
_ground = lru_cache(96)(_pixels)  # for panels, which are larger


class _Area(NamedTuple):
    """A rectangle of whole pixels."""

    left: int
    top: int
    right: int
    bottom: int


class _Canvas:
    """A frame in the making. `scale` is in pixels per unit of the scene; (left, top) is the scene's corner."""

    def __init__(self, scene: Scene, size: tuple[int, int], theme: str) -> None:
        self.looks = colours(theme)
        self.pen = Pen(self.looks)
        self.scale = min(size[0] / scene.width, size[1] / scene.height)
        self.left = round((size[0] - scene.width * self.scale) / 2)
        self.top = round((size[1] - scene.height * self.scale) / 2)
        paper = bytes.fromhex(self.looks["paper"][1:])
        self.frame = np.empty((size[1], size[0], 3), np.uint8)
        self.frame[:] = np.frombuffer(paper, np.uint8)

    def area(self, x: float, y: float, width: float, height: float) -> _Area:
        """The whole pixels that a rectangle of the scene touches."""
        return _Area(
            max(0, floor(self.left + x * self.scale + 0.01)),
            max(0, floor(self.top + y * self.scale + 0.01)),
            min(self.frame.shape[1], ceil(self.left + (x + width) * self.scale - 0.01)),
            min(self.frame.shape[0], ceil(self.top + (y + height) * self.scale - 0.01)),
        )

    def paste(self, area: _Area, x: float, y: float, drawn: str, raster: Callable[[str], np.ndarray]) -> None:
        """Draw into an area; `drawn` has its origin at (x, y) of the scene."""
        wide, high = area.right - area.left, area.bottom - area.top
        if wide <= 0 or high <= 0:
            return
        left = (area.left - self.left) / self.scale - x
        top = (area.top - self.top) / self.scale - y
        view = f"{left:.4g} {top:.4g} {wide / self.scale:.7g} {high / self.scale:.7g}"
        self.frame[area.top : area.bottom, area.left : area.right] = raster(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" width="{wide}" height="{high}" '
            f'font-family="{FAMILY}">{drawn}</svg>'
        )

    def under(self, width: float, height: float, look: Look) -> str:
        """The background of a tile. It extends beyond the edges, which may lie between pixels."""
        more = 2 / self.scale
        return self.pen.box(Box(-more, -more, width + 2 * more, height + 2 * more, look, corner=0))

    def title(self, scene: Scene) -> None:
        area = self.area(0, 0, scene.width, TITLE_HEIGHT)
        paper = self.under(scene.width, TITLE_HEIGHT, "paper")
        self.paste(area, 0, 0, paper + self.pen.text(title_of(scene)), _ground)

    def panel(self, panel: Panel) -> None:
        paper = self.under(panel.width, panel.height, "paper")
        area = self.area(panel.x, panel.y, panel.width, panel.height)
        self.paste(area, panel.x, panel.y, paper + self.pen.ground(panel), _ground)
        groups = list(_groups(panel))
        areas = [self.area(panel.x + one[0].x, panel.y + one[0].y, one[0].width, one[0].height) for one in groups]
        for group, area in zip(groups, areas, strict=True):
            first = group[0]
            ground = self.under(first.width, first.height, "panel")
            things = [self.pen.thing(thing, thing.x - first.x, thing.y - first.y) for thing in group]
            self.paste(area, panel.x + first.x, panel.y + first.y, ground + "".join(things), _tile)


def _groups(panel: Panel) -> Iterator[list[Thing]]:
    """Yield the panel's things, each with those inside it."""
    groups: list[list[Thing]] = []
    for thing in panel.things:
        for group in reversed(groups):
            outer = group[0]
            if (
                outer.x <= thing.x
                and outer.y <= thing.y
                and thing.x + thing.width <= outer.x + outer.width
                and thing.y + thing.height <= outer.y + outer.height
            ):
                group.append(thing)
                break
        else:
            groups.append([thing])
    yield from groups


def frame(scene: Scene, size: tuple[int, int] = SIZE, theme: str = "light", *, panel: str | None = None) -> np.ndarray:
    """The picture as pixels, (height, width, 3) uint8, a fresh array.

    Args:
        scene: the picture; it is scaled, and the rest of the frame is paper.
        size: (width, height) in pixels.
        theme: "light" or "dark".
        panel: as in `draw`.

    Raises:
        TypeError: `scene` is not a scene, or `size` no pair of whole numbers.
        ValueError: no such theme or panel, or a side is not within `SIZES`.
        MissingExtraError: resvg-py or pillow is not installed.
    """
    if panel is not None:
        scene = only(scene, panel)
    check_scene(scene)
    size = as_size("size", size)
    canvas = _Canvas(scene, size, theme)
    canvas.title(scene)
    for each in scene.panels:
        canvas.panel(each)
    return canvas.frame
