"""Frames: what resvg draws of the whole picture, put together from tiles."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from PIL import Image
from resvg_py import svg_to_bytes
from scenes import example

from chocofactory_env.drawing import frames, svg, text, theme
from chocofactory_env.drawing.scene import Scene


def whole(scene: Scene, size: tuple[int, int], name: str) -> np.ndarray:
    """The SVG as resvg draws it in one piece."""
    fonts = [str(path) for path in text.FONTS]
    drawn = svg.draw(scene, name)
    picture = svg_to_bytes(svg_string=drawn, skip_system_fonts=True, font_files=fonts, width=size[0], height=size[1])
    return np.asarray(Image.open(BytesIO(picture)).convert("RGB"))


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("size", [(1280, 800), (640, 400), (800, 500), (1920, 1200)])
def test_a_frame_is_the_picture(size: tuple[int, int], name: str) -> None:
    frame = frames.frame(example(), size, name)
    assert frame.shape == (size[1], size[0], 3)
    assert frame.dtype == np.uint8
    assert frame.flags.writeable
    off = np.abs(frame.astype(int) - whole(example(), size, name)).max(axis=2)
    assert np.mean(off > 40) < 0.001  # pixels at edges that lie between pixels
    assert off.mean() < 0.5


@pytest.mark.parametrize("size", [(0, 100), (100, 5000), (100.0, 100), (100,), 100, "100", None], ids=str)
def test_a_size_that_is_no_pair_of_pixels_is_refused(size: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=r"^size(\[[01]\])?: expected "):
        frames.frame(example(), size)


@pytest.mark.parametrize("size", [(400, 800), (900, 300), (333, 222)])
def test_other_shapes_have_paper_around_the_picture(size: tuple[int, int]) -> None:
    frame = frames.frame(example(), size)
    assert frame.shape == (size[1], size[0], 3)
    paper = np.frombuffer(bytes.fromhex(theme.LIGHT["paper"][1:]), np.uint8)
    scale = min(size[0] / 1280, size[1] / 800)
    wide, high = round(1280 * scale), round(800 * scale)
    x, y = (size[0] - wide) // 2, (size[1] - high) // 2
    around = np.ones(frame.shape[:2], bool)
    around[y : y + high + 1, x : x + wide + 1] = False
    assert around.any()
    assert (frame[around] == paper).all()
    assert (frame != paper).any()


def test_what_looks_the_same_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = example()
    frames.frame(scene)
    first = frames._tile.cache_info()
    again = frames.frame(scene)
    assert frames._tile.cache_info().misses == first.misses
    things = scene.panels[0].things
    changed = (*things[:3], replace(things[3], marked=False))
    frame = frames.frame(replace(scene, panels=(replace(scene.panels[0], things=changed), *scene.panels[1:])))
    assert frames._tile.cache_info().misses == first.misses + 1
    differs = np.argwhere((frame != again).any(axis=2))
    assert differs.min(axis=0).tolist() == [140, 852 + 130]
    assert differs.max(axis=0).tolist() == [219, 852 + 229]


def test_frames_do_not_share_memory() -> None:
    frame = frames.frame(example())
    before = frame.copy()
    frame[:] = 0
    assert np.array_equal(frames.frame(example()), before)
