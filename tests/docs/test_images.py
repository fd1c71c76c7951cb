"""The pictures of the pages are fresh, and the code of docs/pictures.md runs."""

from __future__ import annotations

import re

import pytest
from repository import ROOT

from chocofactory_env.drawing.check import faults
from tools.picture import IMAGES, PICTURES, VIDEO, drawn
from tools.screenshots import SHOTS

PAGE = (ROOT / "docs" / "pictures.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_fresh_and_legible(name: str) -> None:
    assert (IMAGES / f"{name}.svg").read_text(encoding="utf-8") == drawn(name), "run `python -m tools.picture`"
    assert faults(PICTURES[name].scene()) == []


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_on_the_page(name: str) -> None:
    assert f"images/{name}.svg" in PAGE


@pytest.mark.parametrize("name", SHOTS)
def test_a_screenshot_of_the_table_is_there_and_on_the_page_of_the_table(name: str) -> None:
    assert (IMAGES / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    assert f"images/{name}.png" in (ROOT / "docs" / "play.md").read_text(encoding="utf-8")


def test_the_moving_picture_of_the_readme_is_small() -> None:
    film = (IMAGES / VIDEO).read_bytes()
    assert film.startswith(b"GIF89a")
    assert len(film) <= 1_500_000
    assert f"images/{VIDEO}" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_readme_and_the_rules_of_every_game_show_a_picture() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*/rules.md")]
    assert len(pages) > 3
    for page in pages:
        shown = re.findall(r"!\[([^]]{20,})\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
        assert shown, f"{page}: no picture with words for those who do not see it"
        assert all((page.parent / file).is_file() for _, file in shown)
