"""Building libraries: what a name stands for, once for all processes, whole or not at all, and from safe folders."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import Final

import pytest
from repository import ROOT

from chocofactory_env.core import build
from chocofactory_env.core.jit import COMPILED

in_library = pytest.mark.skipif(not COMPILED, reason="plain Python builds nothing")
posix = pytest.mark.skipif(os.name != "posix", reason="signals, owners and modes are those of POSIX")

# A game of one function, whose builds are counted in a file.
TINY: Final = '''
import os
from typing import Annotated
import numpy as np
from chocofactory_env.core.jit import RULES, jit, jit_entry
from chocofactory_env.core.signature import I8, ArrayOf, OutI8

PAIR = np.dtype([("left", "i4"), ("right", "i8")])
NUMBER = 3
if RULES == "building":
    with open(os.environ["BUILDS"], "a") as file:
        file.write("built\\n")

@jit
def inner(pair):
    return pair.left + NUMBER

@jit_entry("rules")
def outer(pairs: Annotated[np.ndarray, ArrayOf(PAIR)], out: OutI8) -> int:
    """Some words."""
    out[0] = inner(pairs[0])  # a remark
    return int(out[0])
'''
CALL: Final = "import numpy as np, tiny; print(tiny.outer(np.array([(4, 5)], tiny.PAIR), np.zeros(1, np.int64)))"


class Tiny:
    """The tiny game in a folder, and processes that play it with a cache of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.cache, self.builds = folder, folder / "cache", folder / "builds"
        self.edit("", "")

    def edit(self, old: str, new: str) -> None:
        assert old in TINY
        (self.folder / "tiny.py").write_text(TINY.replace(old, new) if old else TINY)

    def start(self, program: str = CALL) -> subprocess.Popen[str]:
        variables = {"CHOCOFACTORY_CACHE_DIR": str(self.cache), "BUILDS": str(self.builds)}
        path = os.pathsep.join((str(ROOT), str(self.folder)))
        return subprocess.Popen(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONPATH": path, **variables},
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, program: str = CALL) -> tuple[str, list[str]]:
        """What a process prints, and the lines on its error stream."""
        out, err = self.start(program).communicate()
        return out.strip(), err.splitlines()

    def number_of_builds(self) -> int:
        return len(self.builds.read_text().splitlines()) if self.builds.exists() else 0

    def kept(self) -> list[str]:
        return sorted(file.name for file in self.cache.iterdir() if file.suffix != ".lock")


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    return Tiny(tmp_path)


# --- names


@pytest.mark.parametrize(
    ("old", "new", "counts"),
    [
        ("return pair.left", "return pair.right", True),
        ("NUMBER = 3", "NUMBER = 4", True),
        ('("right", "i8")', '("right", "i4")', True),
        ('("right", "i8")', '("wrong", "i8")', True),
        ("out: OutI8", "out: I8", True),
        ("-> int", "-> float", True),
        ("# a remark", "# another one", False),
        ('"""Some words."""', '"""Others."""', False),
        ("@jit\ndef inner", "UNUSED = 5\n\n\n@jit\ndef inner", False),
    ],
)
def test_the_name_of_a_library_changes_with_what_it_is_made_of(
    tiny: Tiny, old: str, new: str, counts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tiny.folder)
    names = []
    for edit in (("", ""), (old, new)):
        tiny.edit(*edit)
        sys.modules.pop("tiny", None)
        invalidate_caches()
        build._digest_of.cache_clear()
        import_module("tiny")
        names.append(build.name_of("tiny", None))
    assert (names[0] != names[1]) == counts


# --- once, whole or not at all


@pytest.mark.programs
@in_library
def test_processes_that_start_together_build_once_and_the_next_one_is_silent(tiny: Tiny) -> None:
    before = os.umask(0)
    try:
        processes = [tiny.start() for _ in range(3)]
    finally:
        os.umask(before)
    outputs = [process.communicate() for process in processes]
    assert [out for out, _ in outputs] == ["7\n"] * 3
    assert tiny.number_of_builds() == 1
    for _, err in outputs:
        begun, ended = err.splitlines()
        assert begun.startswith("chocofactory_env: building the rules of tiny, which can take a minute")
        assert str(tiny.cache) in begun
        assert ended.startswith("chocofactory_env: built the rules of tiny in ")
    (library,) = tiny.kept()
    assert stat.S_IMODE((tiny.cache / library).stat().st_mode) & 0o077 == 0 or os.name != "posix"
    assert tiny.run() == ("7", [])
    (tiny.cache / library).write_text("damaged")
    *_, line = tiny.run()[1]
    assert line.startswith("OSError: the library of tiny cannot be loaded: ")
    assert line.endswith(f"if {tiny.cache / library} is removed, it is built again")


@pytest.mark.programs
@posix
@in_library
def test_after_ctrl_c_nothing_half_is_left_and_the_next_process_builds(tiny: Tiny) -> None:
    process = tiny.start()
    while tiny.number_of_builds() == 0:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does, to all that it runs
    out, err = process.communicate()
    assert (out, err.splitlines()[-1]) == ("", "KeyboardInterrupt")
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
    assert tiny.kept() == []
    assert tiny.run()[0] == "7"
    assert len(tiny.kept()) == 1


@pytest.mark.programs
@in_library
def test_what_does_not_compile_is_told_in_a_line_and_leaves_nothing(tiny: Tiny) -> None:
    tiny.edit("pair.left + NUMBER", "pair.lefd + NUMBER")
    *_, line = tiny.run()[1]
    assert line.startswith("chocofactory_env.core.errors.CompileError: tiny.py:")
    assert ": inner does not compile: pair has no field 'lefd', called by outer (tiny.py:" in line
    assert tiny.kept() == []
