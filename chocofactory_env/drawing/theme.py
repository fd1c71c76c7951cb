"""The colours of each `Look`, on light and on dark background.

Words have a contrast of 4.5 to their background (WCAG 2), marks of 3. No two hues, and no two seats, look alike to
readers who see no red, no green or no blue; tests/drawing/test_theme.py measures this.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

from .scene import Look

Theme = Literal["light", "dark"]

LIGHT: Final[dict[Look, str]] = {
    "paper": "#efe8dc",
    "panel": "#fffdf9",
    "card": "#f6f0e5",
    "empty": "#fbf8f2",
    "hidden": "#866b53",
    "ink": "#2a1f19",
    "muted": "#6b5d52",
    "line": "#d8cbb9",
    "accent": "#c2410c",
    "good": "#1f7a4d",
    "bad": "#b3261e",
    "seat-0": "#38489f",
    "seat-1": "#a54c03",
    "seat-2": "#02837b",
    "seat-3": "#4b0461",
    "hue-0": "#4e2d16",
    "hue-1": "#a56200",
    "hue-2": "#004887",
    "hue-3": "#006c57",
    "hue-4": "#c4427d",
    "hue-5": "#6c5cc3",
    "hue-6": "#4c5703",
    "hue-7": "#2b404b",
    "hue-8": "#b30109",
    "hue-9": "#1d8545",
    "on-colour": "#ffffff",
}
DARK: Final[dict[Look, str]] = {
    "paper": "#17130f",
    "panel": "#221c17",
    "card": "#2e2720",
    "empty": "#261f1a",
    "hidden": "#9b8570",
    "ink": "#f4ece1",
    "muted": "#b8a999",
    "line": "#4a3f35",
    "accent": "#ff9f5a",
    "good": "#6fd39b",
    "bad": "#ff8a80",
    "seat-0": "#80b9f6",
    "seat-1": "#eb9e5a",
    "seat-2": "#93f4d2",
    "seat-3": "#a470ba",
    "hue-0": "#c8a183",
    "hue-1": "#eea052",
    "hue-2": "#559ad2",
    "hue-3": "#4fbfaf",
    "hue-4": "#c3638f",
    "hue-5": "#b1a4f4",
    "hue-6": "#e0c93c",
    "hue-7": "#b0c9d3",
    "hue-8": "#df6f60",
    "hue-9": "#bdf076",
    "on-colour": "#17130f",
}
THEMES: Final[dict[Theme, dict[Look, str]]] = {"light": LIGHT, "dark": DARK}


def colours(theme: object) -> dict[Look, str]:
    """The colour of every look. ValueError for an unknown theme."""
    if not isinstance(theme, str) or theme not in THEMES:
        raise ValueError(f"theme: expected one of {', '.join(THEMES)}, got {theme!r:.60}")
    return THEMES[theme]


def _variables(theme: Theme) -> str:
    return "".join(f"--{look}:{colour};" for look, colour in THEMES[theme].items())


def style_sheet() -> str:
    """CSS with a variable for each look, light or dark by the reader's device or by `data-theme` of the page.

    `fill-LOOK` colours shapes.
    """
    return "\n".join(
        (
            f":root{{{_variables('light')}color-scheme:light dark}}",
            f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{_variables('dark')}}}}}",
            f":root[data-theme=dark]{{{_variables('dark')}}}",
            *(f".fill-{look}{{fill:var(--{look})}}" for look in get_args(Look)),
        )
    )
