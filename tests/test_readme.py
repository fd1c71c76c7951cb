"""The programs of the README run as they stand."""

import re
from pathlib import Path

import pytest

README = Path(__file__).resolve().parent.parent / "README.md"
PROGRAMS = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("program", PROGRAMS, ids=["aec", "solo", "search"])
def test_a_program_of_the_readme_runs(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(program, str(README), "exec"), {})
    assert capsys.readouterr().out


def test_the_readme_says_as_many_published_parts_as_there_are() -> None:
    from chocofactory_env.games.chocofactory.tables import load_cards

    cards = load_cards()
    reconstructed = sum(cards.sources[part] == "reconstructed" for part in cards.parts)
    assert f"({reconstructed} of {len(cards.parts)})" in README.read_text(encoding="utf-8")
