"""What compiled code is known by: all that a function is made of counts, wherever it is written, and nothing else."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from plain_races import bind_plain

from chocofactory_env.core.digest import UnknownContentError, digest_of
from chocofactory_env.core.jit import jit
from toyrace.game import RULES

PACKAGE = {
    "__init__.py": "NEW = 0",
    "constants.py": """
from enum import IntEnum
NUMBER = 40
UNUSED = 0
class Kind(IntEnum):
    LOW = 1
    HIGH = 2
""",
    "far.py": """
import numpy as np
from chocofactory_env.core.jit import jit
from .constants import NUMBER, Kind
TABLE = np.array([1, 2, 3])
PAIR = (4, 5)

@jit
def far(row):
    \"\"\"Two modules away.\"\"\"
    # a remark
    return NUMBER + Kind.HIGH + TABLE[2] + PAIR[1] + row.size

@jit
def unused(row):
    return 1
""",
    "near.py": """
from chocofactory_env.core.jit import jit
from . import far as away

def made(number):
    @jit
    def closed():
        return number
    return closed

closed = made(5)

@jit
def near(row, factor=1):
    return factor * away.far(row) + closed()
""",
    "entry.py": """
from chocofactory_env.core.jit import jit
from .near import near

@jit
def entry(row):
    return near(row)
""",
}


def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """Of a compiled function the one that is compiled."""
    return getattr(function, "py_func", getattr(function, "__wrapped__", function))


@pytest.fixture
def digest_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """The digest of `entry` in a new process, after an edit: file, old text, new text."""
    folders = iter(range(100))

    def digest(*edit: str) -> str:
        folder = tmp_path / str(next(folders))
        for name, source in PACKAGE.items():
            file = folder / "digested" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            old, new = edit[1:] if edit and edit[0] == name else ("", "")
            assert old in source
            file.write_text(source.replace(old, new))
        for name in [name for name in sys.modules if name.partition(".")[0] == "digested"]:
            del sys.modules[name]
        importlib.invalidate_caches()
        with monkeypatch.context() as patched:
            patched.syspath_prepend(folder)
            return digest_of(plain(importlib.import_module("digested.entry").entry))

    return digest


@pytest.mark.parametrize(
    "edit",
    [
        ("entry.py", "near(row)", "near(row) + 0"),
        ("near.py", "factor *", "-factor *"),
        ("near.py", "factor=1", "factor=2"),
        ("near.py", "made(5)", "made(6)"),
        ("near.py", "away.far(row)", "away.unused(row)"),
        ("far.py", "NUMBER + Kind", "NUMBER - Kind"),
        ("far.py", "[1, 2, 3]", "[1, 2, 4]"),
        ("far.py", "np.array([1, 2, 3])", "np.array([1, 2, 3], np.int8)"),
        ("far.py", "(4, 5)", "(4, 6)"),
        ("far.py", "row.size", "row.ndim"),
        ("far.py", "Kind.HIGH", "Kind.LOW"),
        ("constants.py", "NUMBER = 40", "NUMBER = 41"),
        ("constants.py", "NUMBER = 40", "NUMBER = 40.0"),
        ("constants.py", "HIGH = 2", "HIGH = 3"),
    ],
    ids=" ".join,
)
def test_an_edit_of_anything_that_is_used_counts(digest_with: Callable[..., str], edit: tuple[str, ...]) -> None:
    assert digest_with(*edit) != digest_with()


@pytest.mark.parametrize(
    "edit",
    [
        ("entry.py", "def entry(row)", "def entry(row: 'str') -> 'int'"),
        ("near.py", "closed = made(5)", "\n\n\nclosed = made(5)"),
        ("far.py", "Two modules away", "Far away"),
        ("far.py", "# a remark", "# another, which is longer"),
        ("far.py", "return 1", "return 2"),
        ("constants.py", "UNUSED = 0", "UNUSED = 1"),
        ("__init__.py", "NEW = 0", "NEW = 1"),
    ],
    ids=" ".join,
)
def test_an_edit_of_words_or_elsewhere_does_not_count(digest_with: Callable[..., str], edit: tuple[str, ...]) -> None:
    assert digest_with(*edit) == digest_with()


NUMBERS = ", ".join(map(str, range(300)))  # more constants than the argument of one instruction can number
SOURCES = {
    "plain": "def f(n):\n  return n + 1",
    "docstring": "def f(n):\n  'Words.'\n  return n + 1",
    "docstring, and None": "def f(n):\n  'Words.'\n  if n:\n    return 7.5\n  return None",
    "docstring inside": "def f(n):\n  'Words.'\n  def g():\n    'More words.'\n    return 7.5\n  return g()",
    "constant like it": "def f(n):\n  'Words.'\n  return n == 'Words.'",
    "many": f"def f(n):\n  'Words.'\n  for i in [{NUMBERS}, n]:\n    n += i\n  return n",
}
ASSERTING = "def f(n):\n  'Words.'\n  assert n > 0\n  return n + 1"


def digest_at(source: str, level: int) -> str:
    """With `python`, `python -O` or `python -OO`."""
    space: dict[str, Any] = {}
    exec(compile(source, "source", "exec", optimize=level), space)
    return digest_of(space["f"])


def test_without_docstrings_a_function_is_the_same() -> None:
    for name, source in SOURCES.items():
        assert len({digest_at(source, level) for level in range(3)}) == 1, name
    assert digest_at(SOURCES["plain"], 0) == digest_at(SOURCES["docstring"], 0)
    different = {name: digest_at(source, 0) for name, source in SOURCES.items() if name != "plain"}
    assert len(set(different.values())) == len(different)


def test_without_its_assertions_a_function_is_another_one() -> None:
    with_them, *without = (digest_at(ASSERTING, level) for level in range(3))
    assert without == [digest_at(SOURCES["plain"], 0)] * 2
    assert with_them not in without


def there_and_back(number: int) -> tuple[Callable[[int], int], Callable[[int], int]]:
    def there(n: int) -> int:
        return number if n == 0 else back(n - 1)

    def back(n: int) -> int:
        return there(n)

    return there, back


def test_of_functions_that_call_each_other_all_counts_whichever_is_asked_for_first() -> None:
    one, same, other = there_and_back(1), there_and_back(1), there_and_back(2)
    for functions in (one, same, other):
        digest_of(functions[0])
    assert digest_of(one[1]) == digest_of(same[1])
    assert digest_of(one[1]) != digest_of(other[1])
    assert len({digest_of(function) for function in one}) == 2


def test_functions_that_call_each_other_have_the_same_digest_whichever_is_asked_for_first() -> None:
    forth, back = there_and_back(1), there_and_back(1)
    assert [digest_of(function) for function in forth] == [digest_of(function) for function in reversed(back)][::-1]


class Thing:
    pass


def of(value: Any) -> Callable[[], Any]:
    def function() -> Any:
        return value

    return function


def test_what_cannot_be_known_is_named() -> None:
    unknown: tuple[Any, ...] = (Thing(), Thing, {}, [])
    for value in unknown:
        with pytest.raises(UnknownContentError, match=r"test_code_digest\.of.*function uses value, "):
            digest_of(of(value))
    with pytest.raises(UnknownContentError, match="expected a Python function, got"):
        digest_of(len)


def test_values_of_different_types_differ() -> None:
    values = [1, 1.0, True, "1", b"1", None, (1,), ((1,),), np.int8(1), np.float64(1), frozenset({1}), np.ones(1)]
    assert len({digest_of(of(value)) for value in values}) == len(values)


# --- games


@jit
def write_nothing(cards: Any, state: Any, seat: int, out: np.ndarray) -> None:
    out[:] = 0


def test_adding_a_game_and_changing_a_rule_change_what_uses_them_alone() -> None:
    def digests(**changes: Callable[..., Any]) -> dict[str, str]:
        kernel = bind_plain("digested", {**RULES, **changes})
        return {name: digest_of(plain(function)) for name, function in vars(kernel).items()}

    before = digests()
    bind_plain("another", {**RULES, "write_observation": write_nothing})
    assert digests() == before
    after = digests(write_observation=write_nothing)
    changed = {name for name in before if before[name] != after[name]}
    assert {"observe", "observe_scaled", "step_rows", "observe_movers"} <= changed
    assert changed.isdisjoint({"new_game", "step", "legal_mask", "random_playouts", "grow", "redeal", "outcome"})
