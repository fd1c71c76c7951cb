"""Pictures for papers and notebooks: a scene, or one panel of it, with names and larger type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from . import frames, svg
from .names import seats_in, with_names
from .scene import Scene, check_scene
from .small import with_larger_type


def draw(
    scene: Scene,
    theme: str = "light",
    classes: bool = False,
    tall: bool = False,
    *,
    panel: str | None = None,
    names: Sequence[str] | None = None,
    type_scale: float = 1,
) -> str:
    """SVG of the picture, or of one panel of it.

    Args:
        scene: from `cf.scene_of`, or from `cf.panels_of` for narrow panels.
        theme: "light" or "dark".
        classes: write colours as classes (`theme.style_sheet`), and label things for pointers, keyboards and screen
            readers: `<g class="thing legal" data-action="12" aria-label="...">`.
        tall: panels one below another, `PANEL_WIDTH` and two margins wide.
        panel: the name of a panel, such as "Player 0", or a role that only one has, such as "own".
        names: of the players, by seat.
        type_scale: 1 to 3, the largest factor by which text grows where there is room.

    Raises:
        TypeError: `scene` is not a scene.
        ValueError: no such theme, panel or scale, or a player without a name.
    """
    scene = prepared(scene, panel, names, type_scale)
    if panel is not None:
        return svg.draw_panel(scene.panels[0], theme, classes)
    return svg.draw(scene, theme, classes, tall)


def frame(
    scene: Scene,
    size: tuple[int, int] = frames.SIZE,
    theme: str = "light",
    *,
    panel: str | None = None,
    names: Sequence[str] | None = None,
    type_scale: float = 1,
) -> np.ndarray:
    """The picture as pixels, (height, width, 3) uint8, a fresh array.

    Args:
        scene: the picture; it is scaled, and the rest of the frame is paper.
        size: (width, height) in pixels.
        theme: "light" or "dark".
        panel: as in `draw`.
        names: of the players, by seat.
        type_scale: 1 to 3.

    Raises:
        TypeError: `scene` is not a scene.
        ValueError: no such theme, panel or scale, or a player without a name.
        MissingExtraError: resvg-py or pillow is not installed.
    """
    return frames.frame(prepared(scene, panel, names, type_scale), size, theme)


def prepared(
    scene: Scene, panel: str | None = None, names: Sequence[str] | None = None, type_scale: float = 1
) -> Scene:
    """The scene, or its panel alone, with names and larger type."""
    check_scene(scene)
    if panel is not None:
        scene = only(scene, panel)
    if names is not None:
        if max(seats_in(scene), default=-1) >= len(names):
            raise ValueError(f"names: expected one for every player, got {len(names)}")
        scene = with_names(scene, names)
    return scene if type_scale == 1 else with_larger_type(scene, type_scale)


def only(scene: Scene, wanted: str) -> Scene:
    """A scene of only the panel with this name or role, without a title. ValueError unless there is exactly one."""
    found = [panel for panel in scene.panels if panel.name == wanted]
    found = found or [panel for panel in scene.panels if panel.role == wanted]
    if len(found) != 1:
        raise ValueError(
            f"panel: expected one of {', '.join(repr(panel.name) for panel in scene.panels)}, or a role that only one "
            f"of them has, got {wanted!r}"
        )
    [panel] = found
    return Scene("", (replace(panel, x=0, y=0),), panel.width, panel.height)
