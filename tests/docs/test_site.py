"""The site: all its pages are made, each has a place in the navigation, and their links lead somewhere."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from links import lost_links
from repository import ROOT

from tools import clauses, data, pages


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All pages of the site."""
    folder = tmp_path_factory.mktemp("pages")
    pages.write(folder)
    return folder


def named_in(entries: list[Any]) -> list[str]:
    found: list[str] = []
    for entry in entries:
        for value in entry.values() if isinstance(entry, dict) else [entry]:
            found += named_in(value) if isinstance(value, list) else [value]
    return found


@pytest.mark.programs
def test_every_page_is_in_the_navigation_once(made: Path) -> None:
    named = named_in(tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]["nav"])
    there = [*made.glob("*.md"), *(made / "docs").rglob("*.md")]
    assert sorted(named) == sorted(page.relative_to(made).as_posix() for page in there)


@pytest.mark.programs
def test_the_links_of_generated_pages_lead_somewhere(made: Path) -> None:
    tracked = set(pages.tracked())
    generated = [page for page in made.rglob("*.md") if page.relative_to(made).as_posix() not in tracked]
    assert len(generated) == 14
    assert {page.name: lost for page in generated if (lost := lost_links(page))} == {}


@pytest.mark.programs
def test_the_lists_of_cards_show_the_cards(made: Path) -> None:
    for game in clauses.shipped_games():
        page = made / "docs" / game / "card-list.md"
        drawn = {file.relative_to(page.parent).as_posix() for file in (page.parent / "cards").iterdir()}
        shown = re.findall(r"!\[\]\((.+?)#only-(?:light|dark)\)", page.read_text(encoding="utf-8"))
        assert len(drawn) > 30
        assert sorted(shown) == sorted(drawn)


def test_the_pictures_stand_before_the_names_of_those_cards_that_are_drawn() -> None:
    before, drawn, after = ["| id | name |"], "| `a` | Alpha | 1 |", ["| `b` | Beta | 2 |", "- `a`: a note"]
    shown = "| `a` | ![](cards/a-light.svg#only-light)![](cards/a-dark.svg#only-dark)<br>Alpha | 1 |"
    assert pages.with_pictures([*before, drawn, *after], {"a"}).splitlines() == [*before, shown, *after]


def test_the_data_that_follow_from_other_files_are_fresh() -> None:
    assert [file for file, text in data.files() if file.read_text(encoding="utf-8") != text] == [], "run `make data`"
