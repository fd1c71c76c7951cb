"""Colours: legible, and told apart by readers who do not see all of them."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Final, get_args

import numpy as np
import pytest

from chocofactory_env.drawing import theme
from chocofactory_env.drawing.scene import Look

# What readers without red, green or blue cones see, in linear RGB (Machado, Oliveira and Fernandes 2009).
SEEN_BY: Final = {
    "all": np.eye(3),
    "no red": np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]),
    "no green": np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]),
    "no blue": np.array([[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]]),
}
# Oklab, in which distances are differences as people see them (Ottosson 2020).
CONES: Final = np.array([[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]])
OKLAB: Final = np.array([[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]])
THEMES: Final = get_args(theme.Theme)


def linear(colour: str) -> np.ndarray:
    """(3,) linear RGB of "#rrggbb"."""
    parts = np.frombuffer(bytes.fromhex(colour[1:]), np.uint8) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """As WCAG 2 defines it, 1 to 21."""
    dark, light = sorted(float(linear(colour) @ (0.2126, 0.7152, 0.0722)) for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)


def difference(one: str, other: str, seen: np.ndarray) -> float:
    places = [OKLAB @ np.cbrt(CONES @ np.clip(seen @ linear(colour), 0, 1)) for colour in (one, other)]
    return float(np.linalg.norm(places[0] - places[1]))


def looks(prefix: str) -> list[Look]:
    return [look for look in get_args(Look) if look.startswith(prefix)]


@pytest.mark.parametrize("name", THEMES)
def test_every_look_has_a_colour(name: str) -> None:
    colours = theme.colours(name)
    assert set(colours) == set(get_args(Look))
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in colours.values())


@pytest.mark.parametrize("name", THEMES)
def test_words_and_marks_stand_out(name: str) -> None:
    colours = theme.colours(name)
    for words in ("ink", "muted", "accent", "good", "bad"):
        for ground in ("panel", "card", "empty"):
            assert contrast(colours[words], colours[ground]) >= 4.5, (words, ground)
    assert contrast(colours["on-colour"], colours["hidden"]) >= 4.5
    assert contrast(colours["ink"], colours["paper"]) >= 4.5
    for look in (*looks("hue-"), *looks("seat-"), "accent"):
        assert contrast(colours["on-colour"], colours[look]) >= 4.5, look
        for ground in ("panel", "card", "empty"):
            assert contrast(colours[look], colours[ground]) >= 3, (look, ground)  # type: ignore[index]  # a colour's name


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("reader", SEEN_BY)
@pytest.mark.parametrize(("group", "least"), [("hue-", 0.06), ("seat-", 0.12)])
def test_hues_and_seats_differ_for_every_reader(name: str, reader: str, group: str, least: float) -> None:
    colours = theme.colours(name)
    for one, other in combinations(looks(group), 2):
        assert difference(colours[one], colours[other], SEEN_BY[reader]) >= least, (one, other)


def test_the_style_sheet_has_every_look_in_both_themes() -> None:
    css = theme.style_sheet()
    for look in get_args(Look):
        for name in THEMES:
            assert f"--{look}:{theme.colours(name)[look]};" in css
        assert f".fill-{look}{{fill:var(--{look})}}" in css


def test_another_theme_is_refused() -> None:
    with pytest.raises(ValueError, match="theme: expected one of light, dark, got 'blue'"):
        theme.colours("blue")
    with pytest.raises(ValueError, match=r"theme: expected one of light, dark, got array"):
        theme.colours(np.zeros(1000))
