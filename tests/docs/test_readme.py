"""The programs of the README run as they stand; those of the pages run in `test_blocks.py`."""

import re
from pathlib import Path

import pytest
from repository import ROOT

README = ROOT / "README.md"


def programs_of(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("program", programs_of(README), ids=["aec", "solo", "batch"])
def test_a_program_of_the_readme_runs(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(program, str(README), "exec"), {})
    assert capsys.readouterr().out


def test_the_readme_is_short() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 120


def test_the_readme_says_as_many_published_parts_as_there_are() -> None:
    from chocofactory_env.games.chocofactory.cards import load_cards

    cards = load_cards()
    reconstructed = sum(cards.sources[part] == "reconstructed" for part in cards.parts)
    assert f"({reconstructed} of {len(cards.parts)})" in README.read_text(encoding="utf-8")
