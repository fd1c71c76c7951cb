"""The box test finds every kind of fault."""

from __future__ import annotations

from typing import Any

import pytest
from scenes import example

from chocofactory_env.drawing.check import faults
from chocofactory_env.drawing.scene import Box, Line, Mark, Panel, Part, Scene, Text, Thing


def of_parts(*parts: Part) -> Scene:
    """One thing of 100 × 50 with these parts."""
    return Scene("title", (Panel("panel", 8, 40, 400, 300, (Thing("thing", 10, 40, 100, 50, parts),)),))


def of_things(*things: Thing) -> Scene:
    return Scene("title", (Panel("panel", 8, 40, 400, 300, things),))


def test_a_good_scene_has_none() -> None:
    assert faults(example()) == []


BOX = Box(0, 0, 100, 50)
HERE = Text(10, 20, "here", 12)
FAULTY: list[tuple[Scene, str]] = [
    (of_parts(Text(90, 20, "here")), "'here' lies outside 'thing'"),
    (of_parts(Text(10, 5, "here")), "'here' lies outside 'thing'"),
    (of_parts(Text(10, 48, "here")), "'here' lies outside 'thing'"),
    (of_parts(Text(10, 20, "here", anchor="middle")), "'here' lies outside 'thing'"),
    (of_parts(Mark(5, 5, "star", size=12)), "a star at (5, 5) lies outside 'thing'"),
    (of_parts(Box(50, 0, 60, 10)), "a box at (50, 0) lies outside 'thing'"),
    (of_parts(Line(0, 0, 101, 0)), "a line at (0, 0) lies outside 'thing'"),
    (of_parts(HERE, Text(20, 25, "there")), "'there' of 'thing' lies over 'here' of 'thing'"),
    (of_parts(Mark(20, 18, "star"), HERE), "'here' of 'thing' lies over a star at (20, 18) of 'thing'"),
    (of_parts(HERE, Mark(20, 18, "star")), "a star at (20, 18) of 'thing' lies over 'here' of 'thing'"),
    (of_parts(HERE, BOX), "a box at (0, 0) of 'thing' lies over 'here' of 'thing'"),
    (of_parts(Mark(50, 25, "circle", size=20), Text(50, 29, "1234", look="on-colour", anchor="middle")), "lies over"),
    (of_parts(Text(10, 20, "here", 8.5)), "'here' in 'thing' has size 8.5, less than 9"),
    (of_parts(Text(10, 20, " ")), "an empty text in 'thing'"),
    (of_parts(Text(10, 20, "Smal…")), "'Smal…' in 'thing' is cut"),
    (of_parts(Text(10, 20, "漢")), "'漢' in 'thing' has characters that the font lacks"),
    (of_things(Thing("a", 10, 10, 50, 50)), "'a' lies outside the panel or over its heading"),
    (of_things(Thing("a", 380, 40, 50, 50)), "'a' lies outside the panel or over its heading"),
    (of_things(Thing("", 10, 40, 50, 50)), "a thing at (10, 40) has no name"),
    (of_things(Thing("a", 10, 40, 50, 50), Thing("b", 40, 60, 50, 50)), "'a' and 'b' overlap"),
    (of_things(Thing("a", 20, 50, 10, 10), Thing("b", 10, 40, 50, 50)), "'a' and 'b' overlap"),
    (
        of_things(Thing("a", 10, 40, 100, 50, (HERE,)), Thing("b", 15, 45, 50, 30, (Box(0, 0, 50, 30),))),
        "a box at (0, 0) of 'b' lies over 'here' of 'a'",
    ),
    (Scene("title", (Panel("a", 0, 40, 430, 100, ()),)), "panel 'a' is 430 wide, more than 420"),
    (Scene("title", (Panel("a", 0, 20, 400, 100, ()),)), "panel 'a' lies outside the picture or over its title"),
    (Scene("title", (Panel("a", 900, 40, 400, 100, ()),)), "panel 'a' lies outside the picture or over its title"),
    (Scene("title", (Panel("a", 0, 40, 40, 100, ()), Panel("b", 20, 60, 40, 100, ()))), "panels 'a' and 'b' overlap"),
    (Scene("title", (Panel("heading", 0, 40, 40, 100, ()),)), "'heading' lies outside the heading"),
    (Scene("title " * 60, ()), "lies outside the title"),
]


@pytest.mark.parametrize(("scene", "expected"), FAULTY)
def test_every_fault_is_found(scene: Scene, expected: str) -> None:
    assert any(expected in fault for fault in faults(scene)), faults(scene)


GOOD: list[Any] = [
    (BOX, HERE, Text(60, 20, "there")),
    (Mark(50, 25, "circle", size=24), Text(50, 29, "12", look="on-colour", anchor="middle")),
    (HERE, Box(0, 0, 100, 50, None, "line")),
    (Mark(7, 7, "star"), Mark(20, 7, "star")),
]


@pytest.mark.parametrize("parts", GOOD)
def test_what_is_legible_is_no_fault(parts: tuple[Part, ...]) -> None:
    assert faults(of_parts(*parts)) == []


def test_a_thing_may_lie_inside_an_earlier_one() -> None:
    assert faults(of_things(Thing("a", 10, 40, 100, 50), Thing("b", 20, 50, 10, 10))) == []
