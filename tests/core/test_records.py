"""Types reach the rules: the type checker finds a wrong field or argument, and the compiler says in one line where."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from processes import run
from repository import ROOT

from chocofactory_env.core.build import FAILED, SETTINGS
from chocofactory_env.core.records import Array, Array2, Record, field


class Pair(Record):
    left: int = field("i4")
    right: Array[float] = field("f8", 2)


class Named(Record):
    number: int = field("i1")


class Both(Named, Pair):
    """Fields of the bases come first."""

    pairs: Array2[Pair] = field(Pair, 2, 3)
    last: int = field(np.dtype("u2"))


def test_a_class_gives_the_dtype_with_the_fields_of_its_bases_first() -> None:
    pair = np.dtype([("left", "i4"), ("right", "f8", 2)])
    assert Pair.dtype == pair
    assert Both.dtype == np.dtype([("number", "i1"), *pair.descr, ("pairs", pair, (2, 3)), ("last", "u2")])


WRONG = """
from __future__ import annotations
from typing import Annotated
import numpy as np
from chocofactory_env.core.jit import jit, jit_entry
from chocofactory_env.core.records import Array, Record, field
from chocofactory_env.core.signature import ArrayOf

class Pair(Record):
    left: int = field("i4")
    right: Array[float] = field("f8", 2)

@jit
def one_number(pair, number):
    return int(pair.left + number)

@jit
def wrong(pair):
    {line}

@jit_entry("rules")
def call(pairs: Annotated[np.ndarray, ArrayOf(Pair.dtype)]) -> None:
    wrong(pairs[0])
"""


@pytest.mark.programs
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("return int(pair.lefd)", "wrong does not compile: pair has no field 'lefd', called by"),
        ("pair.lefd = 1", "wrong does not compile: pair has no field 'lefd', called by"),
        ("return one_number(pair)", "missing a required argument: 'number'"),
        ("return one_number(pair.right, 1)", "one_number does not compile: Unknown attribute 'left' of type nestedarr"),
        (
            "return int(pair)",
            "wrong does not compile: No implementation of function .*'int'.*: int\\(Record\\)",
        ),
    ],
)
def test_a_compile_error_is_one_line(line: str, words: str, tmp_path: Path) -> None:
    """With the place of the error and of all calls that led there."""
    source = WRONG.format(line=line)
    (tmp_path / "wrong_rules.py").write_text(source, encoding="utf-8")
    asked = ("-m", "chocofactory_env.core.compiler", "wrong_rules", "--modules", "wrong_rules", "--out", "library")
    path = os.pathsep.join([str(tmp_path), *sys.path])
    done = run(*asked, where=tmp_path, PYTHONPATH=path, **SETTINGS)
    said = done.stderr.strip()
    assert done.returncode == FAILED, said
    assert "\n" not in said
    assert len(said) < 1000
    place = re.match(r"\S*wrong_rules\.py:(\d+): ", said)
    assert place is not None, said
    assert source.splitlines()[int(place[1]) - 1].strip() in (line, "return int(pair.left + number)"), said
    assert re.search(words, said)
    assert "called by call (" in said
    assert not (tmp_path / "library").exists()


GAMES = "chocofactory_env/games"
# Errors in the rules of games: a file, a piece of it, what stands there instead, and what the type checker says.
PLANTS = [
    (
        f"{GAMES}/chocofactory/rules/parts.py",
        "    if option.num_takes == 1:",
        "    if option.num_take == 1:",
        '"Option" has no attribute "num_take"',
    ),
    (
        f"{GAMES}/candyfactory/rules/hands.py",
        "        add_to_deck(seat, card, cards.numbers[card])",
        "        add_to_deck(cards, card, cards.numbers[card])",
        'Argument 1 to "add_to_deck" has incompatible type "Tables"; expected "Seat"',
    ),
    (
        f"{GAMES}/schoko/rules/sale.py",
        "    state.contracts_left -= 1",
        "    state.contracts_lef -= 1",
        '"State" has no attribute "contracts_lef"',
    ),
]


@pytest.mark.programs
def test_the_type_checker_finds_wrong_fields_and_arguments(tmp_path: Path) -> None:
    """In a copy of the package it finds these, and nothing else in their files."""
    package = tmp_path / "chocofactory_env"
    shutil.copytree(ROOT / "chocofactory_env", package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for file, before, after, _ in PLANTS:
        text = (tmp_path / file).read_text(encoding="utf-8")
        assert text.count(before) == 1
        (tmp_path / file).write_text(text.replace(before, after), encoding="utf-8")
    words = ("-m", "mypy", "--no-error-summary", "--cache-dir", tmp_path / "cache", *(file for file, *_ in PLANTS))
    done = run(*words, where=tmp_path, PYTHONPATH=str(tmp_path), MYPYPATH="")
    found = sorted(re.sub(r":\d+: error: (.*?)(; maybe .*)?  \[.*", r": \1", line) for line in done.stdout.splitlines())
    assert found == sorted(f"{file}: {said}" for file, _, _, said in PLANTS), done.stdout + done.stderr
