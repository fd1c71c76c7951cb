"""The programs of the README and of the page on batches run as they stand."""

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


BATCHES = ROOT / "docs" / "batches.md"
NEEDS_SB3 = {"memory": "torch", "sb3": "sb3_contrib"}


@pytest.mark.parametrize(
    ("name", "program"),
    list(zip(["self-play", "memory", "joint", "versus", "sb3", "search"], programs_of(BATCHES), strict=True)),
)
def test_a_program_of_the_page_on_batches_runs(name: str, program: str) -> None:
    if name in NEEDS_SB3:
        pytest.importorskip(NEEDS_SB3[name])
    exec(compile(program, str(BATCHES), "exec"), {})


@pytest.mark.parametrize("program", programs_of(ROOT / "docs" / "rewards.md"), ids=["own"])
def test_a_program_of_the_page_on_rewards_runs(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(program, "docs/rewards.md", "exec"), {})
    assert capsys.readouterr().out


def test_the_readme_says_as_many_published_parts_as_there_are() -> None:
    from chocofactory_env.games.chocofactory.tables import load_cards

    cards = load_cards()
    reconstructed = sum(cards.sources[part] == "reconstructed" for part in cards.parts)
    assert f"({reconstructed} of {len(cards.parts)})" in README.read_text(encoding="utf-8")
