"""Pictograms: the outline of every `Shape` in a square from -0.5 to 0.5, as an SVG path."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

from .scene import Shape


def _polygon(*points: tuple[float, float]) -> str:
    return "M" + "L".join(f"{x:.4g} {y:.4g}" for x, y in points) + "Z"


def _regular(corners: int, radius: float = 0.5, inner: float | None = None) -> str:
    """A regular polygon; with `inner`, a star that alternates between the two radii."""
    radii = [radius] if inner is None else [radius, inner]
    count = corners * len(radii)
    angles = [-pi / 2 + 2 * pi * number / count for number in range(count)]
    return _polygon(*((radii[i % len(radii)] * cos(a), radii[i % len(radii)] * sin(a)) for i, a in enumerate(angles)))


def _circle(radius: float, y: float = 0, sweep: int = 1) -> str:
    top, r = y - radius, f"{radius:.4g}"
    return f"M0 {top:.4g}A{r} {r} 0 1 {sweep} 0 {y + radius:.4g}A{r} {r} 0 1 {sweep} 0 {top:.4g}Z"


PATHS: Final[dict[Shape, str]] = {
    "circle": _circle(0.5),
    "ring": _circle(0.5) + _circle(0.28, sweep=0),
    "square": _polygon((-0.44, -0.44), (0.44, -0.44), (0.44, 0.44), (-0.44, 0.44)),
    "diamond": _polygon((0, -0.5), (0.5, 0), (0, 0.5), (-0.5, 0)),
    "triangle": _polygon((0, -0.48), (0.5, 0.42), (-0.5, 0.42)),
    "wedge": "M-0.5 0.3A0.5 0.6 0 0 1 0.5 0.3Z",
    "hexagon": _regular(6),
    "pentagon": _regular(5),
    "star": _regular(5, 0.5, 0.22),
    "cross": _polygon(
        (-0.17, -0.5), (0.17, -0.5), (0.17, -0.17), (0.5, -0.17), (0.5, 0.17), (0.17, 0.17),
        (0.17, 0.5), (-0.17, 0.5), (-0.17, 0.17), (-0.5, 0.17), (-0.5, -0.17), (-0.17, -0.17),
    ),
    "drop": "M0 -0.5C0.14 -0.24 0.38 0 0.38 0.14A0.38 0.36 0 0 1 -0.38 0.14C-0.38 0 -0.14 -0.24 0 -0.5Z",
    "bar": _polygon((-0.5, -0.24), (0.5, -0.24), (0.5, 0.24), (-0.5, 0.24)),
    "house": "M0 -0.5L0.5 -0.04L0.36 -0.04L0.36 0.48L-0.36 0.48L-0.36 -0.04L-0.5 -0.04Z",
    "person": _circle(0.21, y=-0.28) + "M-0.38 0.5C-0.38 0.12 -0.24 0 0 0C0.24 0 0.38 0.12 0.38 0.5Z",
    "arrow": _polygon((-0.5, -0.16), (0.04, -0.16), (0.04, -0.44), (0.5, 0), (0.04, 0.44), (0.04, 0.16), (-0.5, 0.16)),
}  # fmt: skip
