"""The compile policy, seen from outside: what is compiled when, what is reported, and whose code is never loaded."""

from __future__ import annotations

import errno
import hashlib
import os
import pickle
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from numba.core.errors import UnsupportedError
from repository import ROOT

from chocofactory_env.core import cache_dir
from chocofactory_env.core import jit as jit_module
from chocofactory_env.core.compiling import code_cache
from chocofactory_env.core.compiling.code_cache import CacheFolderError, read, who_can_change, write
from chocofactory_env.core.compiling.compile_errors import CompileError
from chocofactory_env.core.jit import COMPILED, jit, jit_entry, part_of, seconds_compiled

pytestmark = [
    pytest.mark.programs,  # what is kept is seen by the next process
    pytest.mark.skipif(not COMPILED, reason="without the compiler there is nothing to keep"),
]
posix = pytest.mark.skipif(os.name != "posix", reason="owners and modes are those of POSIX")

PROGRAM = """
import numpy as np
from chocofactory_env.core.kernel.rng import seed_generator
rng = np.zeros(4, np.uint32)
seed_generator(rng, 7)
print(rng[0])
"""
ANSWER = "3991190901\n"


def run(
    cache: Path | None, program: str = PROGRAM, root: Path = ROOT, **variables: str
) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(root), "CHOCOFACTORY_CACHE_DIR": "" if cache is None else str(cache)}
    command = [sys.executable, "-c", program]
    environment |= variables
    return subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True, check=False)


def answers(cache: Path | None, *args: Any, **variables: Any) -> str:
    """Runs the program, which has to give its answer; returns what is on the error stream."""
    done = run(cache, *args, **variables)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ANSWER
    return done.stderr


def copied_package(place: Path) -> Path:
    shutil.copytree(ROOT / "chocofactory_env", place / "chocofactory_env", ignore=shutil.ignore_patterns("__pycache__"))
    return place


def kept(cache: Path) -> list[Path]:
    return sorted(file for file in cache.rglob("*") if file.is_file())


# --- messages


def test_the_first_use_names_part_and_time_and_the_second_is_silent(tmp_path: Path) -> None:
    first, second = answers(tmp_path), answers(tmp_path)
    begun, *compiled = first.splitlines()
    assert "compiling the code that all games share" in begun
    assert "once" in begun
    assert str(tmp_path) in begun
    assert [line.split(": ")[2].split()[0] for line in compiled] == ["seed_generator"]
    assert compiled[0].endswith(" s")
    assert second == ""


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_how_much_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    @jit
    def first(number: int) -> int:
        return number + 1

    @jit
    def second(number: int) -> int:
        return number + 2

    @jit_entry
    def outer(number: int) -> int:
        return first(number) + second(number)

    monkeypatch.setattr(code_cache, "cache_folder", code_cache.cache_folder.__wrapped__)
    monkeypatch.setenv("CHOCOFACTORY_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(jit_module, "entries", {outer})
    monkeypatch.setattr(jit_module, "SHOWN_EVERY_S", 0)
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    assert outer(1) == 5
    shown = re.findall(r"\r\x1b\[Kchocofactory_env: compiling test_jit \((.*?)\): outer", terminal.getvalue())
    assert shown == ["0 of 2 functions", "0 of 2 functions", "1 of 2 functions"]
    assert terminal.getvalue().rpartition("\r\x1b[K")[2].startswith("chocofactory_env: compiled test_jit: outer in ")


@pytest.mark.parametrize(
    ("module", "name", "part"),
    [
        ("chocofactory_env.core.kernel.rng", "below", "the code that all games share"),
        ("chocofactory_env.core.kernel.rules", "chess.step", "the rules of chess"),
        ("chocofactory_env.core.kernel.stepping", "chess.step_rows", "the batches of chess"),
        ("chocofactory_env.core.search.playouts", "chess.random_playout", "the playouts of chess"),
        ("chocofactory_env.core.search.tree", "chess.grow", "the search of chess"),
        ("chocofactory_env.games.chess.kernel", "score_sheets", "the rules of chess"),
        ("chocofactory_env.games.chess.rules.castling", "castle", "the rules of chess"),
        ("chocofactory_env.games.chess.search.plan", "plan", "the search of chess"),
        ("toyrace.rules", "advance", "toyrace.rules"),
    ],
)
def test_parts_are_named_by_module_and_game(module: str, name: str, part: str) -> None:
    def function() -> None: ...

    function.__module__, function.__qualname__ = module, name
    assert part_of(function) == part


# --- who may call what


@jit
def inner(number: int) -> int:
    return number + 1


@jit_entry
def entry(number: int) -> int:
    return 2 * inner(number)


def test_python_calls_entries_and_is_told_of_what_it_cannot_call() -> None:
    assert entry(20) == 42
    with pytest.raises(TypeError, match=r"only compiled code can call .*test_jit\.inner; decorate it with jit_entry"):
        inner(20)
    assert inner.py_func(20) == 21  # type: ignore[attr-defined]  # Numba's


# --- compiled once for an installation, and anew after an edit of what it is made of (test_code_digest.py)


LINKED = """
import numpy as np
from chocofactory_env.core.jit import jit, jit_entry

NAMES = ("coal", "sugar")

@jit
def named(numbers, at):  # printing and raising need the function's own environment
    if at > 1:
        raise ValueError("no such number", at)
    print(NAMES[at], numbers[at])
    return numbers[at]

@jit_entry
def twice(numbers, at):
    return 2.0 * named(numbers, at)

print(twice(np.array([3.5, 4.5]), 1))
try:
    twice(np.array([3.5, 4.5]), 2)
except ValueError as error:
    print(error)
"""
LINKED_ANSWER = "sugar 4.5\n9.0\n('no such number', 2)\n"


def test_what_compiled_code_calls_is_kept_without_machine_code_and_linked_again(tmp_path: Path) -> None:
    for _ in range(2):
        assert run(tmp_path, LINKED).stdout == LINKED_ANSWER
    (entry,), (part,) = tmp_path.glob("*/*twice*.nbc"), tmp_path.glob("*/*named*.nbc")
    kinds = [pickle.loads(read(file) or b"")[0][1] for file in (entry, part)]
    assert kinds == ["object", "bitcode"]
    entry.unlink()
    kept = part.stat().st_mtime_ns
    assert run(tmp_path, LINKED).stdout == LINKED_ANSWER  # the entry is compiled anew around what is kept
    assert entry.exists()
    assert part.stat().st_mtime_ns == kept


def test_a_function_that_calls_itself_with_other_types_is_refused() -> None:
    """A process that loads such code crashes."""

    @jit
    def factorial(number: int) -> int:
        if number < 2:
            return 1
        return number * factorial(number - 1)

    @jit_entry
    def of_four(_: int) -> int:
        return factorial(4)  # the type of a constant is its value

    with pytest.raises(CompileError, match=r"factorial calls itself with arguments of other types") as refused:
        of_four(0)
    assert isinstance(refused.value.__cause__, UnsupportedError)


def test_the_same_sources_at_another_path_are_not_compiled_again(tmp_path: Path) -> None:
    other = copied_package(tmp_path / "other")
    where = "import chocofactory_env, pathlib; assert pathlib.Path(chocofactory_env.__file__).is_relative_to({!r})"
    assert "compiling" in answers(tmp_path / "cache", PYTHONHASHSEED="1")
    assert answers(tmp_path / "cache", where.format(str(other)) + PROGRAM, other, PYTHONHASHSEED="2") == ""


def test_an_edit_of_what_is_used_compiles_anew_and_one_elsewhere_does_not(tmp_path: Path) -> None:
    root, cache = copied_package(tmp_path / "other"), tmp_path / "cache"
    answers(cache, PROGRAM, root)
    used = root / "chocofactory_env" / "core" / "kernel" / "rng.py"
    elsewhere = root / "chocofactory_env" / "core" / "kernel" / "stepping.py"
    used.write_text("# edited\n" + used.read_text().replace("The next 32 random bits", "Edited"))
    elsewhere.write_text(elsewhere.read_text().replace("info.seed = -1", "info.seed = -2"))
    assert answers(cache, PROGRAM, root) == ""
    used.write_text(used.read_text().replace("_WARM_UP = 15", "_WARM_UP = 14"))
    edited = run(cache, PROGRAM, root)
    assert edited.stdout not in ("", ANSWER)
    assert "compiling" in edited.stderr


def test_what_is_edited_while_a_process_runs_is_kept_as_what_was_imported(tmp_path: Path) -> None:
    root, cache = copied_package(tmp_path / "other"), tmp_path / "cache"
    edit = """
import pathlib, chocofactory_env.core.kernel.rng
file = pathlib.Path("chocofactory_env/core/kernel/rng.py")
file.write_text(file.read_text().replace("_WARM_UP = 15", "_WARM_UP = 14"))
"""
    answers(cache, edit + PROGRAM, root)
    edited = run(cache, PROGRAM, root)
    assert edited.stdout not in ("", ANSWER)
    assert "compiling" in edited.stderr
    assert answers(cache) == ""


TOY = {
    "toy/__init__.py": "",
    "toy/numbers.py": "from chocofactory_env.core.jit import jit, jit_entry\nNUMBER = 3991190901\n",
    "toy/one.py": "from .numbers import *\n\n@jit\ndef n(): return NUMBER\n\n@jit_entry\ndef f(): return n()\n",
    "toy/two.py": "from .numbers import *\n\n@jit_entry\ndef f(): return -1\n",
}
PLAY_TOY = "import toy.one, toy.two; toy.two.f(); print(toy.one.f())"


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    for name, source in TOY.items():
        file = tmp_path / "toys" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source)
    return tmp_path / "toys"


def play_toy(cache: Path, toy: Path, program: str = PLAY_TOY) -> subprocess.CompletedProcess[str]:
    return run(cache, program, PYTHONPATH=os.pathsep.join([str(ROOT), str(toy)]))


def test_functions_of_one_name_in_different_modules_or_closures_stay_apart(tmp_path: Path, toy: Path) -> None:
    (toy / "toy" / "closure.py").write_text(
        "from chocofactory_env.core.jit import jit_entry\ndef make(n):\n @jit_entry\n def f(): return n\n return f\n"
    )
    program = PLAY_TOY + "; from toy.closure import make; make(1)(), print(make(2)())"
    first, second = (play_toy(tmp_path / "cache", toy, program) for _ in range(2))
    assert first.stdout == second.stdout == ANSWER + "2\n"
    assert second.stderr == ""


def test_code_from_outside_the_package_is_never_stale(tmp_path: Path, toy: Path) -> None:
    play_toy(tmp_path / "cache", toy)
    numbers, two = toy / "toy" / "numbers.py", toy / "toy" / "two.py"
    two.write_text(two.read_text().replace("-1", "-2"))
    elsewhere = play_toy(tmp_path / "cache", toy)
    assert elsewhere.stdout == ANSWER
    assert "compiled toy.two: f" in elsewhere.stderr
    assert "toy.one" not in elsewhere.stderr
    numbers.write_text(numbers.read_text().replace("3991190901", "5"))
    assert play_toy(tmp_path / "cache", toy).stdout == "5\n"


def test_a_function_that_is_in_no_file_is_kept_by_its_content(tmp_path: Path) -> None:
    program = "from chocofactory_env.core.jit import jit_entry\n@jit_entry\ndef f(): return {}\nprint(f())"
    assert "compiling" in answers(tmp_path, program.format(3991190901))
    assert answers(tmp_path, program.format(3991190901)) == ""
    assert run(tmp_path, program.format(5)).stdout == "5\n"


def test_a_function_whose_content_cannot_be_known_is_not_kept_and_says_so(tmp_path: Path, toy: Path) -> None:
    (toy / "toy" / "foreign.py").write_text(
        "from numba import cfunc\nfrom .numbers import *\n"
        "@cfunc('int64(int64)')\ndef foreign(n): return n + 1\n"
        "@jit_entry\ndef f(): return foreign(NUMBER - 1)\n"
    )
    for _ in range(2):
        done = play_toy(tmp_path / "cache", toy, "from toy.foreign import f; print(f())")
        assert done.stdout == ANSWER
        assert "compiled code of toy.foreign.f is not kept: toy.foreign.f uses foreign, of type numba." in done.stderr
        assert "compiled toy.foreign: f" in done.stderr
    assert kept(tmp_path / "cache") == []


def test_settings_of_numba_that_change_the_code_count(tmp_path: Path, toy: Path) -> None:
    """Code that does not look at bounds is not loaded where it has to."""
    (toy / "toy" / "fourth.py").write_text("from .numbers import *\n\n@jit_entry\ndef fourth(row): return row[3]\n")
    program = "import numpy; from toy.fourth import fourth; print(fourth(numpy.arange(4)[:3]))"
    path = os.pathsep.join([str(ROOT), str(toy)])
    unchecked, checked = (run(tmp_path, program, PYTHONPATH=path, NUMBA_BOUNDSCHECK=setting) for setting in "01")
    assert unchecked.stdout == "3\n"
    assert "IndexError" in checked.stderr


# --- processes that start at once: one compiles, the others wait and load


def begun(cache: Path, program: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "CHOCOFACTORY_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", program]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_of_processes_that_start_at_once_one_compiles_and_the_others_load(tmp_path: Path) -> None:
    cache, ready = tmp_path / "cache", tmp_path / "ready"
    ready.mkdir()
    together = f"""
import os, pathlib, time
import chocofactory_env.core.kernel.rng
ready = pathlib.Path({str(ready)!r})
(ready / str(os.getpid())).touch()
while len(list(ready.iterdir())) < 3:
    time.sleep(0.01)
"""
    processes = [begun(cache, together + PROGRAM) for _ in range(3)]
    outputs = [process.communicate() for process in processes]
    assert [answer for answer, _ in outputs] == [ANSWER] * 3
    assert sum(messages.count(": compiled ") for _, messages in outputs) == 1
    assert answers(cache) == ""
    assert all(file.suffix == ".nbc" for file in kept(cache))


def test_who_waits_says_so_and_compiles_when_the_other_is_killed(tmp_path: Path) -> None:
    answers(tmp_path)
    [code] = tmp_path.rglob("*.seed_generator-*")
    code.unlink()
    hold = f"""
import pathlib, time
from chocofactory_env.core.compiling.code_cache import alone
with alone(pathlib.Path({str(code)!r}), lambda: None):
    print("held", flush=True)
    time.sleep(600)
"""
    with begun(tmp_path, hold) as holder:
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "held\n"
            waiting = begun(tmp_path, PROGRAM)
            assert waiting.stderr is not None
            line = waiting.stderr.readline()
        finally:
            holder.kill()
    assert line.endswith("waiting for another process, which compiles the code that all games share\n")
    answer, messages = waiting.communicate()
    assert answer == ANSWER
    assert ": compiled " in messages
    assert code in kept(tmp_path)
    assert all(file.suffix == ".nbc" for file in kept(tmp_path))


INTERRUPT = """
from numba.core.event import Listener, register

class CtrlC(Listener):
    def on_start(self, event): ...
    def on_end(self, event): raise KeyboardInterrupt

register("numba:compile", CtrlC())
"""


def test_after_an_interruption_the_next_process_compiles_what_was_left(tmp_path: Path) -> None:
    stopped = run(tmp_path, INTERRUPT + PROGRAM)
    assert stopped.returncode != 0
    assert "KeyboardInterrupt" in stopped.stderr
    assert ": compiled " not in stopped.stderr
    assert ": compiled " in answers(tmp_path)
    assert answers(tmp_path) == ""
    assert all(file.suffix == ".nbc" for file in kept(tmp_path))


# --- damage, and folders that cannot be written: compiled all the same, with a message


def answer(number: int) -> int:
    return number * 2


class Anew:
    """The compiled `answer` as a new process has it: it looks into the folder again, and has reported nothing yet."""

    def __init__(self, cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys
        monkeypatch.setattr(code_cache, "cache_folder", code_cache.cache_folder.__wrapped__)
        monkeypatch.setenv("CHOCOFACTORY_CACHE_DIR", str(cache))

    def __call__(self) -> str:
        """What a first call has on the error stream: nothing if it loads, else what it says besides compiling."""
        self._monkeypatch.setattr(code_cache, "_reported", set())
        self._capsys.readouterr()
        assert jit_entry(answer)(21) == 42
        return self._capsys.readouterr().err


@pytest.fixture
def call_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Anew:
    """With an empty folder, `tmp_path / "cache"`."""
    return Anew(tmp_path / "cache", monkeypatch, capsys)


@pytest.fixture
def code(call_anew: Anew, tmp_path: Path) -> Path:
    """The file in which the code is."""
    assert "compiled" in call_anew()
    assert call_anew() == ""
    (file,) = kept(tmp_path)
    return file


def test_the_time_of_compiling_is_counted_and_that_of_loading_is_not(call_anew: Anew) -> None:
    begun = perf_counter()
    before = seconds_compiled()
    call_anew()
    compiled = seconds_compiled()
    assert 0 < compiled - before < perf_counter() - begun
    call_anew()
    assert seconds_compiled() == compiled


def test_without_locks_it_compiles_at_once(tmp_path: Path, call_anew: Anew, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on some network file systems."""

    def refuse(handle: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(code_cache, "_lock", refuse)
    messages = call_anew()
    assert "compiled" in messages
    assert "waiting" not in messages
    assert call_anew() == ""
    assert [file.suffix for file in kept(tmp_path)] == [".nbc"]


def test_a_wait_is_announced_once_counted_and_has_an_end(call_anew: Anew, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(handle: int) -> None:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr(code_cache, "_lock", refuse)
    monkeypatch.setattr(code_cache, "PATIENCE_S", 0.01)
    monkeypatch.setattr(code_cache, "LONGEST_WAIT_S", 0.5)
    waited: list[str] = []
    monkeypatch.setattr(jit_module._announcer, "waits_for", waited.append)
    before = seconds_compiled()
    messages = call_anew()
    assert waited == [__name__]
    assert "compiled" in messages
    assert seconds_compiled() - before > 0.5


def test_a_process_holds_one_lock_at_a_time_and_none_after_an_error(
    tmp_path: Path, call_anew: Anew, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With two, processes could wait for each other."""

    @jit_entry
    def called(number: int) -> int:
        return inner(inner(number))

    @jit_entry
    def outer(number: int) -> int:
        return called(number)

    @jit_entry
    def wrong(number: int) -> int:
        return number.nothing  # type: ignore[attr-defined,no-any-return]  # the error

    locked: list[Path] = []

    def alone(file: Path, waits: Callable[[], None]) -> Any:
        locked.append(file)
        return code_cache_alone(file, waits)

    code_cache_alone = code_cache.alone
    monkeypatch.setattr(code_cache, "alone", alone)
    for _ in range(2):
        with pytest.raises(CompileError, match="wrong does not compile"):
            wrong(1)
    assert kept(tmp_path) == []
    assert outer(1) == 3
    assert [file.name.partition("-")[0].rpartition(".")[2] for file in locked] == ["wrong", "wrong", "outer"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[: len(content) // 2],
        lambda content: content[:-100] + bytes([content[-100] ^ 1]) + content[-99:],
        lambda content: b"nonsense" * 100,
    ],
    ids=["emptied", "cut short", "a bit flipped", "something else"],
)
def test_a_damaged_file_is_compiled_again_and_replaced(
    call_anew: Anew, code: Path, damage: Callable[[bytes], bytes]
) -> None:
    code.write_bytes(damage(code.read_bytes()))
    messages = call_anew()
    assert f"damaged: {code}" in messages
    assert "compiled" in messages
    assert call_anew() == ""


def test_a_file_under_the_name_of_another_is_not_loaded(tmp_path: Path) -> None:
    one, other = tmp_path / "one.nbc", tmp_path / "other.nbc"
    write(one, b"code")
    assert read(one) == b"code"
    one.rename(other)
    assert read(other) is None


def test_code_that_cannot_be_rebuilt_is_compiled_again_and_replaced(call_anew: Anew, code: Path) -> None:
    write(code, pickle.dumps(("not", "a", "compile", "result")))
    assert f"cannot be loaded from {code}" in call_anew()
    assert call_anew() == ""


def test_of_many_damaged_files_the_first_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(code_cache, "_reported", set())
    for number in range(3):
        (tmp_path / f"{number}.nbc").write_bytes(b"nonsense")
        assert read(tmp_path / f"{number}.nbc") is None
    (line,) = capsys.readouterr().err.splitlines()
    assert str(tmp_path / "0.nbc") in line


def test_a_file_that_cannot_be_read_is_named(call_anew: Anew, code: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may read everything, so the refusal is simulated."""

    opened = Path.open

    def refuse(file: Path, *mode: Any, **how: Any) -> Any:
        if file == code:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(file))
        return opened(file, *mode, **how)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "open", refuse)
        messages = call_anew()
    assert f"cannot be read: {code}: Permission denied" in messages
    assert call_anew() == ""


@pytest.mark.parametrize("variable", ["CHOCOFACTORY_CACHE_DIR", pytest.param("XDG_CACHE_HOME", marks=posix)])
def test_where_there_can_be_no_folder_it_compiles_and_says_so(tmp_path: Path, variable: str) -> None:
    (tmp_path / "file").write_text("")
    folder = str(tmp_path / "file" / "cache")
    root = copied_package(tmp_path / "other")
    messages = answers(None, PROGRAM, root, **{variable: folder})
    assert "cannot be kept" in messages.splitlines()[0]
    assert folder in messages
    assert "Not a directory" in messages or os.name == "nt"
    assert "once" not in messages
    assert [file for file in root.rglob("*") if file.suffix in {".nbi", ".nbc"}] == []


@pytest.mark.parametrize("reason", [errno.ENOSPC, errno.EROFS, errno.EDQUOT])
def test_where_nothing_can_be_written_it_compiles_and_says_so(
    tmp_path: Path, call_anew: Anew, monkeypatch: pytest.MonkeyPatch, reason: int
) -> None:
    def refuse(**where: Any) -> Any:
        raise OSError(reason, os.strerror(reason))

    with monkeypatch.context() as patched:
        patched.setattr("tempfile.mkstemp", refuse)
        messages = call_anew()
    assert "cannot be kept" in messages
    assert str(tmp_path) in messages
    assert os.strerror(reason) in messages
    assert "compiled" in call_anew(), "nothing was kept"


@posix
def test_a_file_that_cannot_be_written_to_its_end_leaves_nothing(tmp_path: Path, call_anew: Anew) -> None:
    """As on a disk that gets full."""
    import resource

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        messages = call_anew()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "File too large" in messages
    assert kept(tmp_path) == []


def test_a_folder_that_is_removed_meanwhile_is_made_again(tmp_path: Path, call_anew: Anew, code: Path) -> None:
    shutil.rmtree(tmp_path / "cache")
    write(code, b"code")
    assert read(code) == b"code"


# --- code of others

PLANTED = "planted code ran"


class Planted:
    """Pickled, it prints when it is loaded."""

    def __reduce__(self) -> tuple[Any, ...]:
        return print, (PLANTED,)


@pytest.fixture
def planted(code: Path) -> Path:
    """Code of a stranger in a whole file under the name that is looked for."""
    content = pickle.dumps(Planted())
    code.write_bytes(hashlib.sha256(code.name.encode() + content).digest() + content)
    return code


def ran(capsys: pytest.CaptureFixture[str]) -> bool:
    return PLANTED in capsys.readouterr().out


def test_planted_code_runs_where_it_is_loaded(planted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The risk of which the documentation warns; the tests below would see it."""
    assert jit_entry(answer)(21) == 42
    assert ran(capsys)


@posix
@pytest.mark.parametrize("opened", ["folder", "root", "above"])
def test_a_named_folder_that_others_can_write_is_refused(
    tmp_path: Path, planted: Path, opened: str, capsys: pytest.CaptureFixture[str]
) -> None:
    place = {"folder": planted.parent, "root": tmp_path / "cache", "above": tmp_path}[opened]
    place.chmod(0o777)
    with pytest.raises(CacheFolderError) as refusal:
        jit_entry(answer)(21)
    messages = str(refusal.value)
    for part in (f"CHOCOFACTORY_CACHE_DIR={tmp_path / 'cache'}", f"others can write to {place} (mode 0777)", "go-w"):
        assert part in messages
    assert not ran(capsys)


@posix
def test_a_refused_folder_ends_a_program_and_is_left_as_it_was(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    done = run(tmp_path)
    assert done.returncode != 0
    assert done.stdout == ""
    assert "CacheFolderError: CHOCOFACTORY_CACHE_DIR=" in done.stderr.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []


@posix
def test_the_default_folder_is_not_used_where_others_can_write(
    tmp_path: Path, call_anew: Anew, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CHOCOFACTORY_CACHE_DIR")
    monkeypatch.setattr(cache_dir, "user_cache_path", lambda name: tmp_path / name)
    tmp_path.chmod(0o777)
    for _ in range(2):
        messages = call_anew()
        assert f"others can write to {tmp_path} (mode 0777)" in messages
        assert "CHOCOFACTORY_CACHE_DIR" in messages
        assert "compiled" in messages
    assert kept(tmp_path) == []


@posix
def test_a_file_that_others_can_write_is_replaced(
    call_anew: Anew, planted: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    planted.chmod(0o666)
    assert f"others can write to {planted}" in call_anew()
    assert not ran(capsys)
    assert stat.S_IMODE(planted.stat().st_mode) == 0o600
    assert call_anew() == ""


def give_away(place: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    os.chown(place, 12345, 12345, follow_symlinks=False)


@posix
@pytest.mark.parametrize("what", ["folder", "root", "link"])
def test_a_folder_that_belongs_to_another_user_is_refused(
    tmp_path: Path,
    planted: Path,
    what: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "cache")
    monkeypatch.setenv("CHOCOFACTORY_CACHE_DIR", str(link))
    place = {"folder": planted.parent, "root": tmp_path / "cache", "link": link}[what]
    give_away(place)
    with pytest.raises(CacheFolderError, match=r"belongs to another user \(uid 12345\)"):
        jit_entry(answer)(21)
    assert not ran(capsys)


@posix
def test_a_file_that_belongs_to_another_user_is_replaced(
    call_anew: Anew, planted: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    give_away(planted)
    assert f"{planted} belongs to another user (uid 12345)" in call_anew()
    assert not ran(capsys)
    assert call_anew() == ""


@posix
def test_who_can_change_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    above, folder = tmp_path / "above", tmp_path / "above" / "folder"
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    assert who_can_change(folder) is None
    assert who_can_change(folder / "still" / "to be made") is None
    above.chmod(0o777)
    assert who_can_change(folder) == f"others can write to {above} (mode 0777)"
    above.chmod(0o1777)
    assert who_can_change(folder) is None, "in a sticky folder, as /tmp is, nobody can replace what is not his own"
    folder.chmod(0o1777)
    assert who_can_change(folder) == f"others can write to {folder} (mode 1777)", "but anybody can add files to it"
    folder.chmod(0o770)
    monkeypatch.setattr(code_cache, "_is_private_group", lambda status: False)
    assert who_can_change(folder) == f"others can write to {folder} (mode 0770)"
    monkeypatch.setattr(code_cache, "_is_private_group", lambda status: True)
    assert who_can_change(folder) is None


@posix
def test_a_group_is_private_by_its_name_and_members(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import grp
    import pwd
    from types import SimpleNamespace

    monkeypatch.setattr(pwd, "getpwuid", lambda uid: SimpleNamespace(pw_name="ann"))
    for name, members, private in (
        ("ann", [], True),
        ("ann", ["ann"], True),
        ("ann", ["ann", "bob"], False),
        ("staff", [], False),
    ):
        group = SimpleNamespace(gr_name=name, gr_mem=members)
        monkeypatch.setattr(grp, "getgrgid", lambda gid, group=group: group)
        assert code_cache._is_private_group(tmp_path.stat()) is private


@posix
def test_folders_and_files_are_made_for_this_user_alone(tmp_path: Path, call_anew: Anew) -> None:
    previous = os.umask(0)
    try:
        call_anew()
    finally:
        os.umask(previous)
    (file,) = kept(tmp_path)
    modes = [stat.S_IMODE(place.stat().st_mode) for place in (file, file.parent, file.parent.parent)]
    assert modes == [0o600, 0o700, 0o700]
