"""Shared code knows no game: agents, arena and training speak of no game's things outside its own folder."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from repository import ROOT

WORDS = re.compile(
    r"money|chocofactory|pound|£|chocolate|FactoryManager|expansion|\bsolo\b|\bgreedy\b|\bplanner\b|\bcoal\b|\bbelt|\bday",
    re.IGNORECASE,
)
# Where such a word is right. Docstrings show commands, and names of agents in examples.
ALLOWED = {
    "arena/options.py": {"chocofactory", "expansion"},  # the default game, and the example of a shorthand
    "training/sb3.py": {"solo"},  # the environment for one player is called so for every game
}
SHARED = sorted(
    path for folder in ("agents", "agents/networks", "arena", "training") for path in (ROOT / folder).glob("*.py")
)


def code_of(text: str) -> str:
    """Without docstrings and comments, which may give examples."""
    return re.sub(r"#.*", "", re.sub(r'"""(.|\n)*?"""', "", text))


@pytest.mark.parametrize("path", SHARED, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_shared_code_has_no_word_of_a_game(path: Path) -> None:
    allowed = ALLOWED.get(path.relative_to(ROOT).as_posix(), set())
    text = re.sub(r"chocofactory[_-]env", "", code_of(path.read_text(encoding="utf-8")))  # the package's name
    assert sorted({word.lower() for word in WORDS.findall(text)} - allowed) == []
