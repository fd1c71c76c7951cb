"""The colours of a picture: what each `Look` is on light and on dark ground."""

from __future__ import annotations

from typing import Final, Literal, get_args

from .scene import Look

Theme = Literal["light", "dark"]

LIGHT: Final[dict[Look, str]] = {
    "paper": "#efe8dc",
    "panel": "#fffdf9",
    "card": "#f6f0e5",
    "empty": "#fbf8f2",
    "hidden": "#b9a48d",
    "ink": "#2a1f19",
    "muted": "#6b5d52",
    "line": "#d8cbb9",
    "accent": "#c2410c",
    "good": "#1f7a4d",
    "bad": "#b3261e",
    "seat-0": "#1f5fa8",
    "seat-1": "#a34a00",
    "seat-2": "#1d7a5f",
    "seat-3": "#7a3b92",
    "hue-0": "#5b3a22",
    "hue-1": "#b35900",
    "hue-2": "#1769aa",
    "hue-3": "#00796b",
    "hue-4": "#b0306a",
    "hue-5": "#6b5bc2",
    "hue-6": "#7d6a00",
    "hue-7": "#3f5560",
    "hue-8": "#c0392b",
    "hue-9": "#4d7c0f",
    "on-colour": "#ffffff",
}
DARK: Final[dict[Look, str]] = {
    "paper": "#17130f",
    "panel": "#221c17",
    "card": "#2e2720",
    "empty": "#261f1a",
    "hidden": "#6b5847",
    "ink": "#f4ece1",
    "muted": "#b8a999",
    "line": "#4a3f35",
    "accent": "#ff9f5a",
    "good": "#6fd39b",
    "bad": "#ff8a80",
    "seat-0": "#7fb8f5",
    "seat-1": "#f0a35e",
    "seat-2": "#6fd0b0",
    "seat-3": "#d09ae6",
    "hue-0": "#c9a184",
    "hue-1": "#f2a65a",
    "hue-2": "#6cb6f0",
    "hue-3": "#5cc8b8",
    "hue-4": "#f08ab8",
    "hue-5": "#b3a7f5",
    "hue-6": "#d9c34a",
    "hue-7": "#a9bcc6",
    "hue-8": "#ff8f80",
    "hue-9": "#a3d65c",
    "on-colour": "#17130f",
}
THEMES: Final[dict[Theme, dict[Look, str]]] = {"light": LIGHT, "dark": DARK}


def colours(theme: str) -> dict[Look, str]:
    """The colour of every look. ValueError for a theme that there is not."""
    if theme not in THEMES:
        raise ValueError(f"theme: expected one of {', '.join(THEMES)}, got {theme!r}")
    return THEMES[theme]


def _variables(theme: Theme) -> str:
    return "".join(f"--{look}:{colour};" for look, colour in THEMES[theme].items())


def style_sheet() -> str:
    """CSS for `svg.draw(..., classes=True)`: light or dark as the reader's device, or as `data-theme` of the page says.

    `fill-LOOK` and `line-LOOK` colour what is filled and what is drawn with a line.
    """
    looks = get_args(Look)
    return "\n".join(
        (
            f":root{{{_variables('light')}color-scheme:light dark}}",
            f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{_variables('dark')}}}}}",
            f":root[data-theme=dark]{{{_variables('dark')}}}",
            *(f".fill-{look}{{fill:var(--{look})}}" for look in looks),
            *(f".line-{look}{{fill:none;stroke:var(--{look})}}" for look in looks),
        )
    )
