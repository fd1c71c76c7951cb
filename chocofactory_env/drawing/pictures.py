"""Pictures for papers and notebooks: a scene, or one panel of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from . import frames, svg
from .scene import Scene, check_scene


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
    if panel is None:
        return svg.draw(scene, theme, tall)
    return svg.draw_panel(only(scene, panel).panels[0], theme)


def frame(
    scene: Scene, size: tuple[int, int] = frames.SIZE, theme: str = "light", *, panel: str | None = None
) -> np.ndarray:
    """The picture as pixels, (height, width, 3) uint8, a fresh array.

    Args:
        scene: the picture; it is scaled, and the rest of the frame is paper.
        size: (width, height) in pixels.
        theme: "light" or "dark".
        panel: as in `draw`.

    Raises:
        TypeError: `scene` is not a scene.
        ValueError: no such theme or panel.
        MissingExtraError: resvg-py or pillow is not installed.
    """
    return frames.frame(scene if panel is None else only(scene, panel), size, theme)


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
