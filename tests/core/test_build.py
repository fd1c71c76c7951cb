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
from filelock import FileLock
from repository import ROOT

from chocofactory_env.core import build, jit
from chocofactory_env.core.jit import COMPILED
from chocofactory_env.core.seal import is_whole

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
        file.write(f"{os.getpid()}\\n")

@jit
def inner(pair):
    return pair.left + NUMBER

@jit_entry("rules")
def outer(pairs: Annotated[np.ndarray, ArrayOf(PAIR)], out: OutI8) -> int:
    """Some words."""
    out[0] = inner(pairs[0])  # a remark
    return int(out[0])
'''
# Entries and parameters that are named as what surrounds them in generated code may be.
NAMES: Final = """
from chocofactory_env.core.jit import jit_entry
from chocofactory_env.core.signature import OutI8

@jit_entry("rules")
def entry(carray: OutI8, entry: int) -> int:
    carray[0] = entry
    return entry

@jit_entry("rules")
def carray(x: OutI8, x_0: int) -> int:
    x[0] = x_0
    return x_0

@jit_entry("rules")
def address(checked: OutI8, call_c: int) -> int:
    checked[0] = call_c
    return call_c

@jit_entry("rules")
def given_0(given_1: int, made: OutI8) -> int:
    made[0] = 4
    return given_1

def play(x):
    return entry(x, 1), carray(x, 2), address(x, 3), given_0(5, x)
"""
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
        """Names of what is kept for the game; with it, what is no game's may be built."""
        return sorted(file.name for file in self.cache.iterdir() if "tiny" in file.name and file.suffix != ".lock")


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    return Tiny(tmp_path)


# --- names


@pytest.mark.parametrize(
    ("old", "new", "counts"),
    [
        ("return pair.left", "return pair.right", True),
        ('("right", "i8")', '("right", "i4")', True),
        ('("right", "i8")', '("wrong", "i8")', True),
        ("out: OutI8", "out: I8", True),
        ("-> int", "-> float", True),
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


def test_machines_that_share_a_home_do_not_share_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    names = set()
    for machine in ("x86_64", "aarch64"):
        monkeypatch.setattr("platform.machine", lambda machine=machine: machine)
        names.add(build.name_of(jit.ALL_GAMES, "rules"))
    assert len(names) == 2


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


@pytest.mark.programs
@in_library
def test_a_damaged_library_is_built_again_after_a_line(tiny: Tiny) -> None:
    tiny.run()
    (library,) = [tiny.cache / name for name in tiny.kept()]
    whole = library.read_bytes()
    turned = bytearray(whole)
    turned[len(whole) // 2] ^= 1
    for damaged in (whole[: len(whole) // 2], bytes(turned)):
        library.write_bytes(damaged)
        out, (line, *others) = tiny.run()
        assert out == "7"
        assert line == f"chocofactory_env: a library is damaged: {library}. It is built again and replaced"
        assert len(others) == 2  # of a build
        assert is_whole(library)


@pytest.mark.programs
@in_library
def test_a_folder_that_cannot_be_written_is_read_and_what_it_lacks_is_built_for_the_process(tiny: Tiny) -> None:
    tiny.run()
    tiny.cache.chmod(0o500)
    assert tiny.run() == ("7", [])
    tiny.cache.chmod(0o700)
    if os.name != "posix" or os.geteuid() == 0:  # who can write everywhere, but there
        tiny.cache = Path("/proc")
        if not tiny.cache.exists():
            pytest.skip("every folder can be written")
    else:
        (tiny.cache / tiny.kept()[0]).unlink()
        tiny.cache.chmod(0o500)
    out, (line, begun, ended) = tiny.run()
    assert out == "7"
    assert line.startswith(f"chocofactory_env: libraries cannot be kept in {tiny.cache}: ")
    assert begun.endswith("building the rules of tiny, which can take a minute")
    assert ended.startswith("chocofactory_env: built the rules of tiny in ")


@pytest.mark.programs
@posix
@in_library
@pytest.mark.parametrize("to_all", [True, False], ids=["terminal", "parent"])
def test_after_ctrl_c_nothing_half_is_left_and_the_next_process_builds(tiny: Tiny, to_all: bool) -> None:
    tiny.edit("import os\n", "import os, time\n")
    source = tiny.folder / "tiny.py"
    source.write_text(source.read_text().replace("PAIR =", 'if RULES == "building": time.sleep(20)\nPAIR =', 1))
    process = tiny.start()
    while tiny.number_of_builds() == 0:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    (os.killpg if to_all else os.kill)(process.pid, signal.SIGINT)
    begun = time.monotonic()
    out, err = process.communicate()
    assert (out, err.splitlines()[-1]) == ("", "KeyboardInterrupt")
    assert time.monotonic() - begun < 10
    with pytest.raises(ProcessLookupError):
        os.kill(int(tiny.builds.read_text()), 0)
    assert tiny.kept() == []
    tiny.edit("", "")
    assert tiny.run()[0] == "7"
    assert len(tiny.kept()) == 1


@pytest.mark.programs
@posix
@in_library
def test_ctrl_c_ends_the_wait_for_another_process(tiny: Tiny) -> None:
    tiny.cache.mkdir(mode=0o700)
    program = "from chocofactory_env.core import build; import tiny; print(build.name_of('tiny', 'rules'))"
    with FileLock((tiny.cache / tiny.run(program)[0]).with_suffix(".lock")):
        process = tiny.start()
        assert process.stderr is not None
        assert "building the rules of tiny" in process.stderr.readline()
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=10)[1].splitlines()[-1] == "KeyboardInterrupt"
    assert tiny.number_of_builds() == 0


@pytest.mark.programs
@in_library
@pytest.mark.parametrize(
    "line",
    [
        "return np.zeros(3, np.int64)[pair.left]",
        "return sorted([pair.left, NUMBER])[0]",
        "return len(str(pair.left))",
    ],
)
def test_rules_that_allocate_do_not_compile(tiny: Tiny, line: str) -> None:
    tiny.edit("return pair.left + NUMBER", line)
    *_, said = tiny.run()[1]
    assert said.startswith("chocofactory_env.core.errors.CompileError: tiny.py:")
    assert ": inner makes an array, list, set, dictionary or text: " in said
    assert tiny.kept() == []


@pytest.mark.programs
@in_library
def test_names_of_entries_and_parameters_are_free(tiny: Tiny) -> None:
    (tiny.folder / "tiny.py").write_text(NAMES)
    program = "import numpy as np, tiny; x = np.zeros(1, np.int64); print(*tiny.play(x), x[0])"
    assert tiny.run(program)[0] == "1 2 3 5 4"


@pytest.mark.programs
@posix
@in_library
def test_with_bounds_checked_an_index_outside_ends_the_process(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    process = tiny.start()
    assert process.communicate()[0] == "7\n"
    tiny.edit("out[0] = inner", "out[len(pairs)] = inner")
    process = tiny.start()
    process.communicate()
    assert process.returncode in (-signal.SIGILL, -signal.SIGTRAP)


def test_a_name_that_another_module_has_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when a game is imported from its package and from its folder."""
    monkeypatch.setattr(jit, "entries", {})
    for _ in range(2):  # as `importlib.reload` does
        jit.entry(test_a_name_that_another_module_has_is_refused, "tiny", "rules", "outer", "a.tiny")
    with pytest.raises(ValueError, match=r"^outer of tiny: expected one module that has it, got a\.tiny and tiny; "):
        jit.entry(test_a_name_that_another_module_has_is_refused, "tiny", "rules", "outer", "tiny")
