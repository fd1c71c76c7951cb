"""The programs of the README run as they stand; those of the pages run in `test_blocks.py`."""

import re
from importlib import import_module
from pathlib import Path

import pytest
from repository import ROOT

from tools.clauses import shipped_games

README = ROOT / "README.md"


def programs_of(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("program", programs_of(README), ids=["aec", "solo", "evaluate"])
def test_a_program_of_the_readme_runs(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(program, str(README), "exec"), {})
    assert capsys.readouterr().out


def test_the_readme_is_short() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 145


def test_the_readme_says_as_many_published_parts_as_there_are() -> None:
    from chocofactory_env.games.chocofactory.cards import load_cards

    cards = load_cards()
    reconstructed = sum(cards.sources[part] == "reconstructed" for part in cards.parts)
    assert f"({reconstructed} of {len(cards.parts)})" in README.read_text(encoding="utf-8")


@pytest.mark.parametrize("game", shipped_games())
def test_the_page_of_provenance_counts_what_the_card_list_counts(game: str) -> None:
    """Of every kind of card, how many are published, published in part, and reconstructed."""
    page = (ROOT / "docs" / "provenance.md").read_text(encoding="utf-8")
    [row] = re.findall(rf"^\| `{game}` \|(.*)\|$", page, re.MULTILINE)
    listed = "\n".join(import_module(f"chocofactory_env.games.{game}.display.pages").PAGES["card-list"]())
    table, *_ = re.findall(r"^\| cards \|.*\n\|[-| :]+\|\n((?:\|.*\n)+)", listed, re.MULTILINE)
    counts = [[int(cell) for cell in line.strip("| ").split("|")[2:]] for line in table.splitlines()]
    for cell, column in zip(row.split("|"), zip(*counts, strict=True), strict=True):
        said = sorted(int(number) for number in re.findall(r"\b\d+\b", cell))
        assert [number for number in said if number > 1] == sorted(number for number in column if number > 1)
