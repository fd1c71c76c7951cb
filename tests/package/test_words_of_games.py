"""Shared code knows no game: what serves every game speaks of no game's things outside the folders of that game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from repository import ROOT

WORDS = re.compile(
    r"money|chocofactory|pound|£|chocolate|FactoryManager|expansion|\bsolo\b|\bgreedy\b|\bplanner\b|\bcoal\b|\bbelt|\bday",
    re.IGNORECASE,
)
# What is called after the package: itself, its commands, its variables, and the namespace of its environments.
OF_THE_PACKAGE = re.compile(
    r"chocofactory[_-]env|chocofactory (?:build|train)|\"chocofactory(?: [a-z0-9-]+)+\""
    r"|CHOCOFACTORY_[A-Z]+(?:_[A-Z]+)*|ChocoFactory(?=[/\"])"
)
# Where such a word is right.
ALLOWED = {
    "arena/__main__.py": {"chocofactory"},  # the command
    "arena/benchmark.py": {"greedy"},  # an example of the command
    "arena/options.py": {"chocofactory"},  # the default game
    "arena/tasks.py": {"solo"},  # the environment for one player is called so for every game
    "chocofactory_env/registry.py": {"solo"},  # the same
    "chocofactory_env/core/cards/deck.py": {"expansion"},  # any game's: more cards in a file of their own
    "chocofactory_env/core/text/printing.py": {"£"},  # one of the characters with a stand-in
    "chocofactory_env/record.py": {"chocofactory"},  # the example of a record
    "training/cards.py": {"chocofactory"},  # the command
    "training/runs.py": {"solo"},  # the environment for one player is called so for every game
    "training/dataset.py": {"greedy", "planner", "solo"},  # examples of the command
}
# Their docstrings show commands, and names of agents in examples.
WITH_EXAMPLES = sorted(
    path for folder in ("agents", "agents/networks", "arena", "training") for path in (ROOT / folder).glob("*.py")
)
PACKAGE = ROOT / "chocofactory_env"
SHARED = [
    *sorted(path for folder in ("core", "envs") for path in (PACKAGE / folder).rglob("*.py")),
    *(PACKAGE / f"{name}.py" for name in ("record", "registry", "testing", "build")),
    ROOT / "benchmarks" / "peers" / "measure.py",
]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def words_in(text: str) -> set[str]:
    return {word.lower() for word in WORDS.findall(OF_THE_PACKAGE.sub("", text))}


def without_comments(text: str) -> str:
    """Without docstrings and comments."""
    return re.sub(r"#.*", "", re.sub(r'"""(.|\n)*?"""', "", text))


def without_table(text: str) -> str:
    """The registry without its table of games."""
    return re.sub(r"^GAMES: .*?^}$", "", text, flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=name_of)
def test_shared_code_has_no_word_of_a_game(path: Path) -> None:
    text = without_comments(path.read_text(encoding="utf-8"))
    assert words_in(text) - ALLOWED.get(name_of(path), set()) == set()


@pytest.mark.parametrize("path", SHARED, ids=name_of)
def test_shared_code_and_its_docstrings_have_no_word_of_a_game(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if path.name == "registry.py":
        text = without_table(text)
    assert words_in(text) - ALLOWED.get(name_of(path), set()) == set()


@pytest.mark.parametrize("name", ALLOWED)
def test_no_exception_is_needless(name: str) -> None:
    assert words_in((ROOT / name).read_text(encoding="utf-8")) >= ALLOWED[name]
