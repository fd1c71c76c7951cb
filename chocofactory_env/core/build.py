"""Build libraries of the rules, in processes of their own, and keep them in the user's cache.

A part that is asked for is built at once, and what is asked for with it on another core. `chocofactory build` makes
whole games. A library's name holds a digest of all functions that it was made of, so an edit of the rules builds anew.
"""

from __future__ import annotations

import os
import pkgutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from time import perf_counter
from typing import Final

from .digest import digest_of
from .errors import CompileError
from .jit import ALL_GAMES, BUILDING, PACKAGE, VARIABLE
from .library import SHIPPED, SUFFIX, declaration, entries_of, parts_of, symbol_of
from .safe_folder import is_safe, library_folder, mark_used, remove_unused, report
from .signature import signature_of
from .targets import TARGETS, here, known

NEEDED: Final = ("numba", "ziglang", "filelock")  # the extra `compile`
FIRST: Final = ("rules", "views")  # parts that a game of one environment needs
MAKERS: Final = ("compiler.py", "intrinsics.py", "lowering.py", "targets.py")  # they decide what is made
FAILED: Final = 3  # exit status of a compiler that has explained itself
# Text for any processor; `targets.TARGETS` names the oldest one that runs the library.
SETTINGS: Final = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_OPT": "1", VARIABLE: BUILDING}

_digesting = Lock()  # `digest_of` keeps what is under way, for one thread at a time
_waited: list[float] = []


def built(game: str, part: str) -> Path | None:
    """The library of a part of a game, or of the whole: built before, or now. None if it cannot be built here.

    Raises:
        CompileError: a function of the rules does not compile.
        CacheFolderError: see `safe_folder.library_folder`.
    """
    folder = library_folder()
    know(game)
    path = None if folder is None else _kept(game, part, folder)
    if path is not None:
        mark_used(path)
        return path
    absent = missing()
    if absent or any(entry.module == "__main__" for entry in entries_of(game)):
        why = f"{' and '.join(absent)} would build a library: pip install 'chocofactory-env[compile]'"
        _say_plain(game, why if absent else "rules in `__main__` cannot be built: put them into a module")
        return None
    if folder is None:
        folder = Path(tempfile.mkdtemp(prefix="chocofactory_env-"))
    begun = perf_counter()
    needed = FIRST if part in FIRST else (part,)
    parts = [each for each in needed if each in parts_of(game) and not _kept(game, each, folder)]
    named = f"the {' and the '.join(parts)} of {game}"
    report(f"building {named}, which can take a minute; it happens once: they are kept in {folder}")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        running = {each: pool.submit(build, game, each, folder) for each in parts}
        if game != ALL_GAMES:
            pool.submit(_build_shared, folder)
        path = running[part].result()
    seconds = perf_counter() - begun
    _waited.append(seconds)
    report(f"built {named} in {seconds:.0f} s")
    return path


def _build_shared(folder: Path) -> None:
    know(ALL_GAMES)
    if not _kept(ALL_GAMES, FIRST[0], folder):
        build(ALL_GAMES, FIRST[0], folder)


def _kept(game: str, part: str, folder: Path) -> Path | None:
    """The library with a part of a game that has been built before."""
    paths = [folder / name_of(game, known) for known in (None, part)]
    return next((path for path in paths if is_safe(path)), None)


def seconds_building() -> float:
    """Seconds that this process has waited for libraries to be built; timings of calls subtract it."""
    return sum(_waited)


def missing() -> list[str]:
    """The packages of NEEDED that are not installed."""
    return [name for name in NEEDED if find_spec(name) is None]


@cache
def _say_plain(game: str, why: str) -> None:
    report(f"the rules of {game} run as plain Python, hundreds of times slower than in a library; {why}")


def build(game: str, part: str | None, folder: Path) -> Path:
    """Build the library of a game, or of one part of it, unless it is there. Other processes wait for it.

    Raises:
        CompileError: a function of the rules does not compile.
    """
    from filelock import FileLock

    path = folder / name_of(game, part)
    with FileLock(path.with_suffix(".lock")):
        if not is_safe(path):
            _compile(game, part, ["--out", str(path)])
    path.with_suffix(".lock").unlink(missing_ok=True)
    remove_unused(folder)
    return path


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
    folder = library_folder() or Path(tempfile.mkdtemp(prefix="chocofactory_env-"))
    paths = {target: folder / name_of(game, None, known(target)) for target in targets}
    absent = {target: path for target, path in paths.items() if not is_safe(path)}
    if absent:
        report(f"building the library of {game} for {', '.join(absent)}, which can take a minute")
        build_for(game, absent)
    for path in paths.values():
        mark_used(path)
    return paths


def _compile(game: str, part: str | None, words: Sequence[str]) -> None:
    modules = {entry.module for entry in entries_of(game, part)}
    command = [sys.executable, "-m", f"{__package__}.compiler", game, *words, "--modules", *sorted(modules)]
    paths = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
    environment = {**os.environ, **SETTINGS, "PYTHONPATH": paths}
    command += [] if part is None else ["--part", part]
    # What others could write would not be loaded (`safe_folder.is_safe`).
    done = subprocess.run(command, check=False, env=environment, capture_output=True, text=True, umask=0o077)
    if done.returncode == FAILED:
        raise CompileError(done.stderr.strip().splitlines()[-1])
    if done.returncode:
        raise RuntimeError(f"the library of {game} could not be built:\n{done.stderr}")


def name_of(game: str, part: str | None, target: str | None = None) -> str:
    """The file name of a library, with a digest of all that it is made of; `target`: another platform."""
    kind, suffix = (part or "all", SUFFIX) if target in (None, here()) else (target, TARGETS[target].suffix)
    return f"{game}-{kind}-{_digest_of(game, part)}{suffix}"


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
    """

    def timed(game: str) -> float:
        begun = perf_counter()
        build(game, None, folder)
        return perf_counter() - begun

    with ThreadPoolExecutor(processes) as pool:
        running = {pool.submit(timed, game): game for game in games}
        for done in as_completed(running):
            yield running[done], done.result()
