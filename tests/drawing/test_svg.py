"""SVG of scenes: well formed, wide and tall, by values and by classes."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from IPython.core.formatters import DisplayFormatter
from scenes import example

import chocofactory_env as cf
from chocofactory_env.drawing import svg, theme
from chocofactory_env.drawing.scene import PANEL_WIDTH
from chocofactory_env.drawing.text import width
from toyrace.game import ToyRace

SPACE = "{http://www.w3.org/2000/svg}"


def view(root: ET.Element) -> tuple[float, ...]:
    return tuple(map(float, root.attrib["viewBox"].split()))


def words(root: ET.Element) -> Counter[str]:
    return Counter(element.text or "" for element in root.iter(f"{SPACE}text"))


@pytest.mark.parametrize("name", ["light", "dark"])
def test_colours_are_values_for_readers_without_a_style_sheet(name: str) -> None:
    drawn = svg.draw(example(), name)
    root = ET.fromstring(drawn)
    assert root.attrib["aria-label"] == "An example"
    assert "class=" not in drawn
    assert set(re.findall('"(#[^"]*)"', drawn)) <= set(theme.colours(name).values())
    for element in root.iter(f"{SPACE}text"):
        expected = width(
            element.text or "", float(element.attrib["font-size"]), element.attrib.get("font-weight") == "700"
        )
        assert float(element.attrib["textLength"]) == pytest.approx(expected, abs=0.06)


def test_tall_pictures_have_the_same_panels_one_below_another() -> None:
    scene = example()
    wide = ET.fromstring(svg.draw(scene))
    tall = ET.fromstring(svg.draw(scene, tall=True))
    assert view(wide) == (0, 0, 1280, 800)
    height = svg.TITLE_HEIGHT + sum(panel.height + svg.GAP for panel in scene.panels)
    assert view(tall) == (0, 0, PANEL_WIDTH + 2 * svg.GAP, height)
    assert words(wide) == words(tall)
    places = [element.attrib["transform"] for element in tall if element.tag == f"{SPACE}g"]
    assert places == [f"translate({svg.GAP} {svg.TITLE_HEIGHT + number * 208})" for number in range(3)]


def test_a_panel_alone_is_drawn_as_in_the_picture() -> None:
    panel = example().panels[1]
    alone = ET.fromstring(svg.draw_panel(panel))
    assert view(alone) == (0, 0, 420, 200)
    inside = svg.draw(example())
    start = inside.index('<g transform="translate(8 40)">') + len('<g transform="translate(8 40)">')
    assert svg.draw_panel(panel)[svg.draw_panel(panel).index("<g transform") :].startswith(
        '<g transform="translate(0 0)">' + inside[start : start + 500]
    )


def test_what_words_contain_is_escaped_and_what_the_font_lacks_is_a_question_mark() -> None:
    root = ET.fromstring(svg.draw(example()))
    assert words(root)["<Manager> & Co."] == 3
    scene = example()
    odd = svg.draw(type(scene)('"漢" <b>', scene.panels))
    assert ET.fromstring(odd).attrib["aria-label"] == '"?" <b>'


def test_a_scene_shows_itself_in_notebooks() -> None:
    assert example()._repr_svg_() == cf.draw(example()) == svg.draw(example())
    shown, _ = DisplayFormatter().format(example())  # type: ignore[no-untyped-call]  # IPython's
    assert shown == {"image/svg+xml": svg.draw(example()), "text/plain": "Scene('An example')"}


@pytest.mark.parametrize("make", [cf.draw, cf.frame])
def test_what_is_no_scene_is_not_drawn(make: Any) -> None:
    game = ToyRace()
    with pytest.raises(TypeError, match=r"^scene: expected what cf\.scene_of\(.*\) makes, got ToyRace\("):
        make(game, game.new(1))
