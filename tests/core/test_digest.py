"""What a library is named by: all that a function is made of counts, wherever it is written, and nothing else."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chocofactory_env.core.binding import bind
from chocofactory_env.core.digest import UnknownContentError, digest_of
from chocofactory_env.core.jit import jit
from toyrace.game import RECORDS, RULES

PACKAGE = {
    "__init__.py": "NEW = 0",
    "constants.py": "from enum import IntEnum\nNUMBER = 40\nUNUSED = 0\nclass Kind(IntEnum):\n LOW = 1\n HIGH = 2\n",
    "far.py": """
import numpy as np
from chocofactory_env.core.jit import jit
from .constants import NUMBER, Kind
TABLE = np.array([1, 2, 3])
PAIR = (4, 5)

@jit
def far(row):
    '''Two modules away.'''
    # a remark
    return NUMBER + Kind.HIGH + TABLE[2] + PAIR[1] + row.size

@jit
def unused(row): return 1
""",
    "near.py": """
from chocofactory_env.core.jit import jit
from . import far as away

def made(number):
    @jit
    def closed(): return number
    return closed

closed = made(5)

@jit
def near(row, factor=1): return factor * away.far(row) + closed()
""",
    "entry.py": "from .near import near\ndef entry(row): return near(row)\n",
}


@pytest.mark.parametrize(
    ("file", "old", "new", "counts"),
    [
        ("entry.py", "near(row)\n", "near(row) + 0\n", True),
        ("near.py", "factor=1", "factor=2", True),
        ("near.py", "made(5)", "made(6)", True),
        ("near.py", "away.far(row)", "away.unused(row)", True),
        ("far.py", "NUMBER + Kind", "NUMBER - Kind", True),
        ("far.py", "[1, 2, 3]", "[1, 2, 3], np.int8", True),
        ("far.py", "(4, 5)", "(4, 6)", True),
        ("far.py", "row.size", "row.ndim", True),
        ("constants.py", "NUMBER = 40", "NUMBER = 40.0", True),
        ("constants.py", "HIGH = 2", "HIGH = 3", True),
        ("entry.py", "def entry(row)", "def entry(row: 'str') -> 'int'", False),
        ("near.py", "closed = made(5)", "\n\n\nclosed = made(5)", False),
        ("far.py", "Two modules away", "Far away", False),
        ("far.py", "# a remark", "# another, which is longer", False),
        ("far.py", "return 1", "return 2", False),
        ("__init__.py", "NEW = 0", "NEW = 1", False),
    ],
)
def test_an_edit_counts_if_it_is_of_anything_that_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, old: str, new: str, counts: bool
) -> None:
    digests = set()
    for where, edited in (("before", {}), ("after", {file: PACKAGE[file].replace(old, new)})):
        folder = tmp_path / where / "digested"
        folder.mkdir(parents=True)
        for name, source in (PACKAGE | edited).items():
            (folder / name).write_text(source)
        for name in [name for name in sys.modules if name.partition(".")[0] == "digested"]:
            del sys.modules[name]
        importlib.invalidate_caches()
        with monkeypatch.context() as patched:
            patched.syspath_prepend(folder.parent)
            digests.add(digest_of(importlib.import_module("digested.entry").entry))
    assert old in PACKAGE[file]
    assert (len(digests) == 2) == counts


@pytest.mark.parametrize("inner", ["", "'Words.'\n ", "'Words.'\n def g():\n  'More.'\n  return 7.5\n "])
def test_docstrings_do_not_count_even_if_python_drops_them(inner: str) -> None:
    many = ", ".join(map(str, range(300)))  # more constants than the argument of one instruction can number
    for body in ("return n + 1", "return 7.5 if n else None", "return n == 'Words.'", f"return [{many}, n]"):
        found = set()
        for level in range(3):  # python, python -O, python -OO
            space: dict[str, Any] = {}
            exec(compile(f"def f(n):\n {inner}{body}", "source", "exec", optimize=level), space)
            found.add(digest_of(space["f"]))
        assert len(found) == 1, body


def there_and_back(number: int) -> tuple[Callable[[int], int], Callable[[int], int]]:
    def there(n: int) -> int:
        return number if n == 0 else back(n - 1)

    def back(n: int) -> int:
        return there(n)

    return there, back


def test_of_functions_that_call_each_other_all_counts_whichever_is_asked_for_first() -> None:
    forth, back, other = there_and_back(1), there_and_back(1), there_and_back(2)
    digests = [digest_of(function) for function in forth]
    assert digests == [digest_of(function) for function in reversed(back)][::-1]
    assert len({*digests, *(digest_of(function) for function in other)}) == 4


def of(value: Any) -> Callable[[], Any]:
    return lambda: value


def test_what_cannot_be_known_is_named_and_values_of_different_types_differ() -> None:
    unknown: tuple[Any, ...] = (type("Thing", (), {"__module__": "toy"})(), {}, [])
    for value in unknown:
        with pytest.raises(UnknownContentError, match=r"test_digest\.of.*lambda.* uses value, "):
            digest_of(of(value))
    with pytest.raises(UnknownContentError, match="expected a Python function, got"):
        digest_of(len)
    values = [1, 1.0, True, "1", b"1", None, (1,), ((1,),), np.int8(1), np.float64(1), frozenset({1}), np.ones(1)]
    assert len({digest_of(of(value)) for value in values}) == len(values)


@jit
def write_nothing(cards: Any, state: Any, seat: int, out: np.ndarray) -> None:
    out[:] = 0


def test_adding_a_game_and_changing_a_rule_change_what_uses_them_alone() -> None:
    def digests(**changes: Callable[..., Any]) -> dict[str, str]:
        kernel = bind("digested", {**RULES, **changes}, module=__name__, records=RECORDS)
        functions = {name: function for name, function in vars(kernel).items() if callable(function)}
        return {name: digest_of(getattr(function, "plain", function)) for name, function in functions.items()}

    before = digests()
    bind("another", {**RULES, "write_observation": write_nothing}, module=__name__, records=RECORDS)
    assert digests() == before
    after = digests(write_observation=write_nothing)
    changed = {name for name in before if before[name] != after[name]}
    assert {"observe", "observe_scaled", "step_rows", "observe_movers"} <= changed
    assert changed.isdisjoint({"new_game", "step", "legal_mask", "random_playouts", "grow", "redeal", "outcome"})
