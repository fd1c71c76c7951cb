"""Types reach the rules: the type checker finds a wrong field or argument, and the compiler says in one line where."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from subprocess import CompletedProcess
from typing import NamedTuple

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


def compiled(game: str, module: str, folder: Path) -> CompletedProcess[str]:
    """What the compiler says of the entries of a module, which belong to `game`."""
    words = ("-m", "chocofactory_env.core.compiler", game, "--modules", module, "--out", "library")
    return run(*words, where=folder, PYTHONPATH=os.pathsep.join([str(folder), *sys.path]), **SETTINGS)


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
    (tmp_path / "wrong_rules.py").write_text(WRONG.format(line=line), encoding="utf-8")
    done = compiled("wrong_rules", "wrong_rules", tmp_path)
    said = done.stderr.strip()
    assert done.returncode == FAILED, said
    assert "\n" not in said
    assert len(said) < 1000
    assert re.match(r"\S*wrong_rules\.py:\d+: ", said)
    assert re.search(words, said)
    assert "called by call (" in said
    assert not (tmp_path / "library").exists()


class Plant(NamedTuple):
    """An error in the rules of a game, what the type checker says, and the compiler, when `call` is compiled."""

    file: str
    before: str
    after: str
    checked: str
    call: str
    compiled: str


PLANTS = [
    Plant(
        "chocofactory/rules/parts.py",
        "    if option.num_takes == 1:",
        "    if option.num_take == 1:",
        '"Option" has no attribute "num_take"',
        "can_operate(tables[0], states[0].players[0], 0)",
        "can_convert does not compile: option has no field 'num_take', called by can_work_on (",
    ),
    Plant(
        "candyfactory/rules/hands.py",
        "        add_to_deck(seat, card, cards.numbers[card])",
        "        add_to_deck(cards, card, cards.numbers[card])",
        'Argument 1 to "add_to_deck" has incompatible type "Tables"; expected "Seat"',
        "add_workers(tables[0], states[0].seats[0])",
        "add_to_deck does not compile: seat has no field 'deck_size', called by add_workers (",
    ),
    Plant(
        "schoko/rules/sale.py",
        "    state.contracts_left -= 1",
        "    state.contracts_lef -= 1",
        '"State" has no attribute "contracts_lef"',
        "open_meeting(tables[0], states[0])",
        "draw_contract does not compile: state has no field 'contracts_lef', called by open_m",
    ),
]
GAMES = "chocofactory_env/games"
ENTRY = """
from __future__ import annotations
from typing import Annotated
import numpy as np
from chocofactory_env.core.jit import jit_entry
from chocofactory_env.core.signature import ArrayOf
from {rules} import *
from {package}.layout import Tables
from {package}.state import State

@jit_entry("rules")
def asked(
    tables: Annotated[np.ndarray, ArrayOf(Tables.dtype)], states: Annotated[np.ndarray, ArrayOf(State.dtype)]
) -> None:
    {call}
"""


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with all the errors."""
    copy = tmp_path_factory.mktemp("planted")
    shutil.copytree(ROOT / "chocofactory_env", copy / "chocofactory_env", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    for plant in PLANTS:
        file = copy / GAMES / plant.file
        text = file.read_text(encoding="utf-8")
        assert text.count(plant.before) == 1
        file.write_text(text.replace(plant.before, plant.after), encoding="utf-8")
    return copy


@pytest.mark.programs
def test_the_type_checker_finds_wrong_fields_and_arguments(planted: Path) -> None:
    """It finds these, and nothing else in their files."""
    files = sorted({f"{GAMES}/{plant.file}" for plant in PLANTS})
    words = ("-m", "mypy", "--no-error-summary", "--cache-dir", planted / "cache", *files)
    done = run(*words, where=planted, PYTHONPATH=str(planted), MYPYPATH="")
    found = sorted(re.sub(r":\d+: error: (.*?)(; maybe .*)?  \[.*", r": \1", line) for line in done.stdout.splitlines())
    assert found == sorted(f"{GAMES}/{plant.file}: {plant.checked}" for plant in PLANTS), done.stdout + done.stderr


@pytest.mark.programs
@pytest.mark.parametrize("plant", [pytest.param(plant, id=plant.checked) for plant in PLANTS])
def test_the_compiler_names_file_and_function(planted: Path, plant: Plant) -> None:
    package = f"{GAMES}/{plant.file.partition('/')[0]}".replace("/", ".")
    rules = f"{GAMES}/{plant.file}".removesuffix(".py").replace("/", ".")
    module = ENTRY.format(rules=rules, package=package, call=plant.call)
    (planted / "planted_entry.py").write_text(module, encoding="utf-8")
    done = compiled("planted_entry", "planted_entry", planted)
    line = done.stderr.strip()
    file, _, rest = line.partition(":")
    number, _, words = rest.partition(": ")
    assert "\n" not in line
    assert words.startswith(plant.compiled), done.stdout + done.stderr
    source = (planted / file).read_text(encoding="utf-8").splitlines()[int(number) - 1]
    field = re.search(r"no field '(\w+)'", words)
    assert field is not None
    assert f".{field[1]}" in source
    assert f"{GAMES}/{plant.file}:" in line  # where it fails, or where it was called
