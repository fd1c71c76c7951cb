"""Build libraries of the rules, in processes of their own, and keep them in the user's cache.

A part that is asked for is built at once, and what is asked for with it on another core. `chocofactory build` makes
whole games. A library's name holds a digest of all functions that it was made of, so an edit of the rules builds anew.
"""

from __future__ import annotations

import atexit
import os
import pkgutil
import signal
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from shutil import rmtree
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired
from threading import Event, Lock
from time import perf_counter
from typing import Final

from .digest import digest_of
from .errors import CompileError
from .files import check_writable
from .jit import ALL_GAMES, BUILDING, PACKAGE, VARIABLE
from .library import SHIPPED, SUFFIX, declaration, entries_of, parts_of, symbol_of
from .safe_folder import is_safe, library_folder, mark_used, remove_unused, report
from .seal import is_whole
from .signature import signature_of
from .targets import TARGETS, here, known

NEEDED: Final = ("numba", "ziglang", "filelock")  # the extra `compile`
FIRST: Final = ("rules", "views")  # parts that a game of one environment needs
MAKERS: Final = ("compiler.py", "intrinsics.py", "lowering.py", "targets.py")  # they decide what is made
FAILED: Final = 3  # exit status of a compiler that has explained itself
# Text for any processor; `targets.TARGETS` names the oldest one that runs the library.
SETTINGS: Final = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_OPT": "1", VARIABLE: BUILDING}

LOOKS_EVERY_S: Final = 0.1  # how often what waits looks whether it is stopped
GOES_ON: Final = Event()  # never set: nobody stops the build

_digesting = Lock()  # `digest_of` keeps what is under way, for one thread at a time
_waited: list[float] = []
_temporary: list[Path] = []  # the folder of this process, if the user's cannot be written


def built(game: str, part: str) -> Path | None:
    """The library of a part of a game, or of the whole: built before, or now. None if it cannot be built here.

    Raises:
        CompileError: a function of the rules does not compile.
        CacheFolderError: see `safe_folder.library_folder`.
    """
    know(game)
    path = _kept(game, part)
    if path is not None:
        mark_used(path)
        return path
    absent = missing()
    if absent or any(entry.module == "__main__" for entry in entries_of(game)):
        why = f"{' and '.join(absent)} would build a library: pip install 'chocofactory-env[compile]'"
        _say_plain(game, why if absent else "rules in `__main__` cannot be built: put them into a module")
        return None
    folder = _folder_to_write()
    begun = perf_counter()
    needed = FIRST if part in FIRST else (part,)
    parts = [each for each in needed if each in parts_of(game) and not _kept(game, each)]
    named = f"the {' and the '.join(parts)} of {game}"
    once = f"; it happens once: they are kept in {folder}" if folder == library_folder() else ""
    report(f"building {named}, which can take a minute{once}")
    with _side_by_side(os.cpu_count()) as (pool, stopped):
        running = {each: pool.submit(build, game, each, folder, stopped) for each in parts}
        if game != ALL_GAMES:
            pool.submit(_build_shared, folder, stopped)
        path = running[part].result()
    seconds = perf_counter() - begun
    _waited.append(seconds)
    report(f"built {named} in {seconds:.0f} s")
    return path


@contextmanager
def _side_by_side(processes: int | None) -> Iterator[tuple[ThreadPoolExecutor, Event]]:
    """Threads that wait for compilers, and the event that stops these, as an error or Ctrl-C does."""
    stopped = Event()
    with ThreadPoolExecutor(processes) as pool:
        try:
            yield pool, stopped
        except BaseException:
            stopped.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _build_shared(folder: Path, stopped: Event) -> None:
    know(ALL_GAMES)
    if not _kept(ALL_GAMES, FIRST[0]):
        build(ALL_GAMES, FIRST[0], folder, stopped)


@cache
def _folder_to_write() -> Path:
    """The user's folder; if it cannot be written, one for this process, and a line on stderr says why."""
    folder = library_folder()
    if folder is not None:
        try:
            check_writable(folder / "library")
            return folder
        except OSError as error:
            report(f"libraries cannot be kept in {folder}: {error.strerror}. They are built for this process alone")
    folder = Path(tempfile.mkdtemp(prefix="chocofactory_env-"))
    atexit.register(rmtree, folder, ignore_errors=True)
    _temporary.append(folder)
    return folder


def _kept(game: str, part: str) -> Path | None:
    """The library with a part of a game that has been built before."""
    folders = [each for each in (library_folder(), *_temporary) if each is not None]
    paths = [folder / name_of(game, known) for folder in folders for known in (None, part)]
    return next((path for path in paths if _can_be_opened(path)), None)


def _can_be_opened(library: Path) -> bool:
    """Whether a library is there, safe, and whole; a line on stderr says what is wrong with it."""
    if not is_safe(library):
        return False
    whole = is_whole(library)
    if not whole:
        _say_damaged(library)
    return whole


@cache
def _say_damaged(library: Path) -> None:
    report(f"a library is damaged: {library}. It is built again and replaced")


def seconds_building() -> float:
    """Seconds that this process has waited for libraries to be built; timings of calls subtract it."""
    return sum(_waited)


def missing() -> list[str]:
    """The packages of NEEDED that are not installed."""
    return [name for name in NEEDED if find_spec(name) is None]


@cache
def _say_plain(game: str, why: str) -> None:
    if game != ALL_GAMES:  # called beside a game, which says so
        report(f"the rules of {game} run as plain Python, hundreds of times slower than in a library; {why}")


def build(game: str, part: str | None, folder: Path, stopped: Event = GOES_ON) -> Path:
    """Build the library of a game, or of one part of it, unless it is there. Other processes wait for it.

    stopped: set by another thread to end the compiler. Nothing is left of what it made.

    Raises:
        CompileError: a function of the rules does not compile.
        OSError: the folder cannot be written.
    """
    path = folder / name_of(game, part)
    made = folder / f".{path.stem}" / path.name
    with _alone(path.with_suffix(".lock"), stopped):
        if not _can_be_opened(path):
            rmtree(made.parent, ignore_errors=True)  # of a process that was killed
            made.parent.mkdir(mode=0o700)
            try:
                _compile(game, part, ["--out", str(made)], stopped)
                made.replace(path)
            finally:
                rmtree(made.parent, ignore_errors=True)
    path.with_suffix(".lock").unlink(missing_ok=True)
    remove_unused(folder)
    return path


@contextmanager
def _alone(file: Path, stopped: Event) -> Iterator[None]:
    """Hold the lock `file`, for which other processes wait."""
    from filelock import FileLock, Timeout

    lock = FileLock(file)
    while not lock.is_locked:
        if stopped.is_set():
            raise CancelledError
        with suppress(Timeout):
            lock.acquire(timeout=LOOKS_EVERY_S)
    try:
        yield
    finally:
        lock.release()


def build_for(game: str, out: Mapping[str, Path]) -> None:
    """Build the library of a game for several platforms, named as in `targets.TARGETS`; writes each into its file.

    Raises:
        CompileError: a function of the rules does not compile.
    """
    know(game)
    _compile(game, None, [word for target, path in out.items() for word in ("--target", target, "--out", str(path))])


def built_for(game: str, targets: Sequence[str]) -> dict[str, Path]:
    """The whole library of a game for each of these platforms: shipped, built before, or now.

    Raises:
        CacheFolderError: see `safe_folder.library_folder`.
        CompileError: a function of the rules does not compile, or a platform's library cannot be built here.
    """
    shipped = SHIPPED / f"{game}{SUFFIX}"
    if shipped.exists() and set(targets) == {here()}:
        return {here(): shipped}
    if missing():
        raise CompileError(f"{' and '.join(missing())} must be installed: pip install 'chocofactory-env[compile]'")
    know(game)
    folder = _folder_to_write()
    paths = {target: folder / name_of(game, None, known(target)) for target in targets}
    absent = {target: path for target, path in paths.items() if not _can_be_opened(path)}
    if absent:
        report(f"building the library of {game} for {', '.join(absent)}, which can take a minute")
        build_for(game, absent)
    for path in paths.values():
        mark_used(path)
    return paths


def _compile(game: str, part: str | None, words: Sequence[str], stopped: Event = GOES_ON) -> None:
    modules = {entry.module for entry in entries_of(game, part)}
    command = [sys.executable, "-m", f"{__package__}.compiler", game, *words, "--modules", *sorted(modules)]
    paths = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
    environment = {**os.environ, **SETTINGS, "PYTHONPATH": paths}
    command += [] if part is None else ["--part", part]
    with Popen(
        command,
        env=environment,
        stdin=DEVNULL,
        stdout=DEVNULL,
        stderr=PIPE,
        text=True,
        umask=0o077,  # what others could write would not be loaded (`safe_folder.is_safe`)
        process_group=0 if os.name == "posix" else None,  # to stop it with its linker
    ) as process:
        said = _heard(process, stopped)
    if process.returncode == FAILED:
        raise CompileError(said.strip().splitlines()[-1])
    if process.returncode:
        raise RuntimeError(f"the library of {game} could not be built:\n{said}")


def _heard(process: Popen[str], stopped: Event) -> str:
    """What a compiler says until it ends. It is killed if this is interrupted, or stopped."""
    try:
        while True:
            with suppress(TimeoutExpired):
                return process.communicate(timeout=LOOKS_EVERY_S)[1]
            if stopped.is_set():
                raise CancelledError
    except BaseException:
        with suppress(ProcessLookupError):  # it has just ended
            if os.name == "posix":
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        raise


def name_of(game: str, part: str | None, target: str | None = None) -> str:
    """The file name of a library, with its platform (None: this machine's), and a digest of all that it is made of."""
    platform = target or here()  # machines of several kinds may share a home
    suffix = SUFFIX if platform == here() else TARGETS[platform].suffix
    return f"{game}-{platform}-{part or 'all'}-{_digest_of(game, part)}{suffix}"


@cache
def _digest_of(game: str, part: str | None) -> str:
    digest = sha256(_makers() + repr(SETTINGS).encode())
    for entry in entries_of(game, part):
        signature = signature_of(entry.plain, game)
        kinds = [repr(parameter.kind) for parameter in signature.parameters]
        with _digesting:
            rules = digest_of(entry.plain)
        digest.update(repr((symbol_of(entry), declaration(entry, signature), kinds, rules)).encode())
    digest.update(os.environ.get("NUMBA_BOUNDSCHECK", "").encode())
    return digest.hexdigest()[:16]


@cache
def _makers() -> bytes:
    return b"".join(Path(__file__).with_name(name).read_bytes() for name in MAKERS)


@cache
def know(game: str) -> None:
    """Import all modules that have entries of a game: those where it is bound, and its searches."""
    if game == ALL_GAMES:
        import_module(f"{__package__}.binding").declare()
    search = f"{PACKAGE}.games.{game}.search"
    if find_spec(f"{PACKAGE}.games.{game}") is not None and find_spec(search) is not None:
        for module in pkgutil.iter_modules(import_module(search).__path__, f"{search}."):
            import_module(module.name)


def build_games(games: Iterable[str], folder: Path, processes: int) -> Iterator[tuple[str, float]]:
    """Build whole games side by side; yields each one's name and seconds as it is done.

    Raises:
        CompileError: a function of the rules does not compile.
        OSError: the folder cannot be written.
    """

    def timed(game: str, stopped: Event) -> float:
        begun = perf_counter()
        build(game, None, folder, stopped)
        return perf_counter() - begun

    with _side_by_side(processes) as (pool, stopped):
        running = {pool.submit(timed, game, stopped): game for game in games}
        for done in as_completed(running):
            yield running[done], done.result()
