"""Compiled code on disk: what it depends on, where it is kept, and who may write there.

A file holds one function compiled for one signature. A process can use it if these are the same: the function's digest
(`core.compiling.code_digest`), the versions of Python, NumPy, and Numba, the processor, and the settings of Numba. The
package's location does not matter. If several processes need a function, one compiles and the others wait (`alone`).

Numba's own cache is not used, because it
- names its files by the path of the source, so every checkout and every virtual environment compiles again;
- looks only at the file of the cached function, so it misses an edit in another module;
- silently falls back to `__pycache__` if its folder cannot be written;
- raises at a damaged file or a full disk, so no process can start.

Loading compiled code runs it, so the folder and its files must be safe from other users: see `who_can_change`.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cache, cached_property
from importlib.machinery import EXTENSION_SUFFIXES
from multiprocessing import parent_process
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from .. import cache_dir
from ..errors import CompileForbiddenError
from .code_digest import UnknownContentError, digest_of
from .compile_ahead import NEVER, setting
from .compile_ahead import VARIABLE as COMPILE_VARIABLE
from .linked_code import rebuilt_linked

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

VARIABLE = cache_dir.VARIABLE
DIGEST_SIZE = hashlib.sha256().digest_size
# Settings of Numba that change the machine code, except the processor, which is in the target's own description.
NUMBA_SETTINGS = (
    "BOUNDSCHECK",
    "DEBUGINFO_DEFAULT",
    "DISABLE_INTEL_SVML",
    "LLVM_REFPRUNE_FLAGS",
    "LLVM_REFPRUNE_PASS",
    "LOOP_VECTORIZE",
    "OPT",
    "SLP_VECTORIZE",
)
PATIENCE_S = 1.0  # a process that waits longer for another reports it
LONGEST_WAIT_S = 600.0  # then it also compiles: the other may be stopped in a debugger
POLL_S = 0.05
MARK_AFTER_S = 24 * 3_600.0  # a file in use is marked at most this often, because marking writes
LONGEST_UNUSED_S = 30 * 24 * 3_600.0
LARGEST_CACHE = 300_000_000  # bytes
NAME_OF_VERSIONS = re.compile("[0-9a-f]{16}")
AGAIN = "It is compiled again and replaced"


class CacheFolderError(RuntimeError):
    """Other users can write to the folder that `CHOCOFACTORY_CACHE_DIR` names, so its code is not trusted."""


# --- the folder


@cache
def cache_folder() -> Path | None:
    """The folder for these versions of Python, NumPy, and Numba, made and checked at the first call.

    None if there can be none; the reason is printed to stderr.

    Raises:
        CacheFolderError: other users can change the folder that the user has named.
    """
    versions = f"{EXTENSION_SUFFIXES[0]} {np.__version__} {numba.__version__}"  # Python's minor version and build
    name = hashlib.sha256(versions.encode()).hexdigest()[:16]
    named = os.environ.get(VARIABLE)
    remedy = f"Name a folder of your own by {VARIABLE}"
    root = cache_dir.cache_folder(
        lambda why: report(f"compiled code is not kept: {why}. {remedy}; until then every start compiles")
    )
    if root is None:
        return None
    folder = root / name
    try:
        danger = who_can_change(folder)
        if danger is None:
            _make(folder)
            danger = who_can_change(folder)  # somebody else may have made it meanwhile
    except OSError as error:
        reason = error.strerror or error
        report(f"compiled code cannot be kept in {folder}: {reason}. {remedy}; until then every start compiles")
        return None
    if danger is None:
        return folder
    if named:
        raise CacheFolderError(
            f"{VARIABLE}={named}: {danger}, so the compiled code in it cannot be trusted. "
            f"{remedy}, or remove the write permission of others: chmod go-w"
        )
    report(f"compiled code is not kept in {folder}: {danger}. {remedy}; until then every start compiles")
    return None


def _make(folder: Path) -> None:
    """Make the folder and its missing parents, readable only by this user."""
    for place in reversed([folder, *folder.parents]):
        place.mkdir(mode=0o700, exist_ok=True)


def who_can_change(folder: Path) -> str | None:
    """A user, other than this one and root, who can add files to a folder or replace it; None if nobody can.

    Checks owner and mode of the folder and its parents, both as named and with links resolved. Others may write into a
    parent only if it is sticky, such as /tmp, where users can replace only their own files.
    Folders that do not exist, and access control lists, are not checked. On Windows nothing is.
    """
    for end in (folder, Path(os.path.realpath(folder))):
        for place in (end, *end.parents):
            try:
                status = place.lstat()
            except FileNotFoundError:
                continue
            danger = _danger(place, status, only_to_replace=place != end)
            if danger:
                return danger
    return None


def _danger(place: Path, status: os.stat_result, only_to_replace: bool = False) -> str | None:
    """Like `who_can_change`, for one path. With `only_to_replace`, others may add files, as in a sticky folder."""
    if os.name != "posix":
        return None
    if status.st_uid not in (0, os.geteuid()):
        return f"{place} belongs to another user (uid {status.st_uid})"
    if stat.S_ISLNK(status.st_mode) or (only_to_replace and status.st_mode & stat.S_ISVTX):
        return None  # the mode of a link means nothing
    if status.st_mode & stat.S_IWOTH or (status.st_mode & stat.S_IWGRP and not _is_private_group(status)):
        return f"others can write to {place} (mode {stat.S_IMODE(status.st_mode):04o})"
    return None


def _is_private_group(status: os.stat_result) -> bool:
    """Whether the owner is the group's only member. Systems with a group per user open new folders to it."""
    import grp
    import pwd

    try:
        group, owner = grp.getgrgid(status.st_gid), pwd.getpwuid(status.st_uid)
    except KeyError:
        return False
    return group.gr_name == owner.pw_name and set(group.gr_mem) <= {owner.pw_name}


# --- the files


class CodeCache(_Cache):
    """The compiled code of one function, as Numba's dispatchers ask for it.

    A function is not kept if it uses something whose effect on the compiled code is unknown.
    """

    rebuild: Callable[..., Any] = CompileResult._rebuild  # rebuilds a compile result from its kept parts

    def __init__(self, function: Callable[..., Any], policy: Mapping[str, Any]) -> None:
        """`policy`: the settings with which Numba compiles the function."""
        self._function = function
        self._policy = repr(sorted(policy.items()))
        self.name = f"{function.__module__}.{function.__qualname__}"

    @cached_property
    def digest(self) -> str | None:
        """The function's digest, computed when it is first compiled, since by then everything it uses exists."""
        try:
            return digest_of(self._function)
        except UnknownContentError as error:
            report(f"compiled code of {self.name} is not kept: {error}")
            return None

    def folder(self) -> Path | None:
        """The folder of the function's code; None if it is not kept. Raises CacheFolderError; see `cache_folder`."""
        return None if self.digest is None else cache_folder()

    @property
    def cache_path(self) -> str | None:
        folder = self.folder()
        return None if folder is None else str(folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compile result for a signature, or None.

        Raises:
            CompileForbiddenError: there is none, and `CHOCOFACTORY_COMPILE=never` is set.
        """
        result = self.find(sig, target_context)
        if result is None and setting() == NEVER:
            function = f"{self.name}({words_of(sig)})"
            raise CompileForbiddenError(f"{COMPILE_VARIABLE}={NEVER}, and no compiled code was found of {function}")
        return result

    def find(self, sig: Any, target_context: Any) -> Any:
        """The kept compile result for a signature, or None."""
        target_context.refresh()
        file = self.file(sig, target_context.codegen())
        code = None if file is None else read(file)
        if file is None or code is None:
            return None
        mark_used(file)
        return self.rebuilt(target_context, code, file)

    def rebuilt(self, target_context: Any, code: bytes, file: Path | None, then: str = AGAIN) -> Any:
        """Load the compile result kept as `code`. If it cannot be loaded, returns None and prints the reason to stderr.

        then: the consequence, for the message.
        """
        try:
            return self.rebuild(target_context, *pickle.loads(code))
        except Exception as error:  # arbitrary kept code can raise any error
            report_once("unloadable", f"compiled code cannot be loaded from {file}: {error!r}. {then}")
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the compile result for a signature, if it can be kept."""
        file = self.file(sig, data.codegen)
        if file is not None and not data.library.has_dynamic_globals:
            write(file, dumps(data._reduce()))  # type: ignore[no-untyped-call]
            keep_small_once(file.parents[1])

    def alone(self, sig: Any, target_context: Any, waits: Callable[[], None]) -> AbstractContextManager[float]:
        """A context in which no other process compiles this signature, unless its code is already kept; see `alone`."""
        file = self.file(sig, target_context.codegen())
        return nullcontext(0.0) if file is None or file.exists() else alone(file, waits)

    def as_part(self) -> AbstractContextManager[None]:
        """A context in which the function is compiled as part of a caller."""
        return nullcontext()

    def enable(self) -> None:
        """Do nothing: Numba requires this method, but never calls it."""

    disable = enable

    def flush(self) -> None:
        """Forget the kept code of the function, for all signatures."""
        folder = self.folder()
        for file in [] if folder is None else folder.glob(f"{self._stem()}-*.nbc"):
            file.unlink(missing_ok=True)

    def file(self, sig: Any, codegen: Any) -> Path | None:
        """Where the code for a signature is kept, or would be; None if the function's code is not kept."""
        folder = self.folder()
        if folder is None:
            return None
        return folder / self._file_name(sig, codegen.magic_tuple())

    def _file_name(self, sig: Any, target: Any) -> str:
        key = (self.name, self.digest, self._policy, sig, target, [*settings().values()])
        return f"{self._stem()}-{hashlib.sha256(repr(key).encode()).hexdigest()[:32]}.nbc"

    def _stem(self) -> str:
        """The last words of the function's name, so that people recognise the file."""
        return "".join(c if c.isalnum() or c in "._" else "" for c in self.name)[-60:].lstrip(".")


class LinkedCodeCache(CodeCache):
    """Like `CodeCache`, for a function that only compiled code calls."""

    rebuild = staticmethod(rebuilt_linked)


def words_of(sig: Any) -> str:
    """Short names for the types of arguments; Numba's own names of records list every field."""
    return ", ".join(
        f"array of records of {kind.dtype.size} bytes"
        if isinstance(kind, numba.types.Array) and isinstance(kind.dtype, numba.types.Record)
        else str(kind)
        for kind in sig
    )


def settings() -> dict[str, str]:
    """The values of NUMBA_SETTINGS in this process, by the names of their environment variables."""
    return {f"NUMBA_{name}": str(getattr(numba.config, name)) for name in NUMBA_SETTINGS}


def read(file: Path, then: str = AGAIN) -> bytes | None:
    """Read code written by `write`. If the file is damaged or unsafe, returns None and prints the reason to stderr.

    then: the consequence of damaged or unsafe code, for the message.
    """
    try:
        with file.open("rb") as opened:
            danger = _danger(file, os.fstat(opened.fileno()))
            content = b"" if danger else opened.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        report_once("unreadable", f"compiled code cannot be read: {file}: {error.strerror or error}")
        return None
    if danger:
        report_once("unsafe", f"compiled code is not loaded: {danger}. {then}")
    elif content[:DIGEST_SIZE] != _digest(file, content[DIGEST_SIZE:]):
        report_once("damaged", f"compiled code is damaged: {file}. {then}")
    else:
        return content[DIGEST_SIZE:]
    return None


def write(file: Path, code: bytes) -> None:
    """Write the file whole or not at all, so that processes may read and write it at the same time."""
    try:
        _make(file.parent)
        handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=".")
        try:
            with os.fdopen(handle, "wb") as opened:
                opened.write(_digest(file, code) + code)
            Path(temporary).replace(file)
        finally:
            Path(temporary).unlink(missing_ok=True)
    except OSError as error:
        if os.name == "nt" and isinstance(error, PermissionError) and file.exists():
            return  # another process has just written it, and a third is reading it
        reason = error.strerror or error
        report_once("unwritable", f"compiled code cannot be kept: {file}: {reason}. The next start compiles again")


def mark_used(file: Path) -> None:
    """Mark the file as used, by its modification time; at most once in 24 hours, because that writes."""
    with suppress(OSError):  # another user's file, or a full or read-only disk
        if time.time() - file.stat().st_mtime > MARK_AFTER_S:
            os.utime(file)


@cache
def keep_small_once(root: Path) -> None:
    """Call `keep_small` the first time that this process keeps code in `root`."""
    keep_small(root)


def keep_small(root: Path) -> None:
    """Remove compiled code, of all versions, unused for a month; then, above the limit, the least recently used.

    Processes that use it lose nothing: they compile it again. Only folders of versions are searched, because the user
    may have named a folder with other files.
    """
    found: list[tuple[float, int, Path]] = []
    with suppress(OSError):
        for folder in filter(lambda place: NAME_OF_VERSIONS.fullmatch(place.name), root.iterdir()):
            for file in folder.iterdir():
                with suppress(FileNotFoundError):  # another process may have removed it
                    status = file.lstat()
                    found.append((status.st_mtime, status.st_size, file))
    total, now = 0, time.time()
    for used, size, file in sorted(found, reverse=True):
        total += size
        if now - used > LONGEST_UNUSED_S or (total > LARGEST_CACHE and file.suffix == ".nbc"):
            with suppress(OSError):  # on Windows, a process may have it open
                file.unlink()
    for folder in {file.parent for *_, file in found}:
        with suppress(OSError):  # most are not empty
            folder.rmdir()


@contextmanager
def alone(file: Path, waits: Callable[[], None]) -> Iterator[float]:
    """Make `file` while no other process does. Yields the seconds that this process waited.

    The lock is a file next to it. The system releases the lock when the holder ends, even if it is killed. A process
    holds one lock at a time; with two, processes could wait for each other. Without file locks, or after
    `LONGEST_WAIT_S`, the block runs without the lock.

    waits: called once if the wait takes longer than `PATIENCE_S`.
    """
    lock = file.with_suffix(".lock")
    try:
        handle = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:  # `write` reports it
        yield 0.0
        return
    try:
        yield _wait_for(handle, waits)
    finally:
        os.close(handle)  # first, because Windows does not remove open files
        with suppress(OSError):  # processes that wait have it open, and look for the code before they compile
            lock.unlink()


def _wait_for(handle: int, waits: Callable[[], None]) -> float:
    begun = time.perf_counter()
    waited, said = 0.0, False
    while waited < LONGEST_WAIT_S:
        try:
            _lock(handle)
            break
        except (BlockingIOError, PermissionError):  # another process has it
            if waited > PATIENCE_S and not said:
                waits()
                said = True
            time.sleep(POLL_S)
            waited = time.perf_counter() - begun
        except OSError:  # the file system has no locks
            break
    return waited


def _lock(handle: int) -> None:
    """Lock the file. BlockingIOError, or PermissionError on Windows, if another process has locked it."""
    if sys.platform == "win32":
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    else:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # unlike flock's, children do not inherit it


def _digest(file: Path, code: bytes) -> bytes:
    """A checksum of the code and the file's name: a file under another name is as wrong as a damaged one."""
    return hashlib.sha256(file.name.encode() + code).digest()


# --- the error stream


CLEARED = "\r\x1b[K"  # clears the terminal's line


def report(text: str) -> None:
    cleared = CLEARED if sys.stderr.isatty() else ""
    print(f"{cleared}chocofactory_env: {text}", file=sys.stderr, flush=True)


def shows() -> bool:
    """Whether this process shows progress: on a terminal, unless the process that started it does."""
    return sys.stderr.isatty() and parent_process() is None


def show(text: str) -> None:
    """Show a line on the terminal; the next one replaces it."""
    room = shutil.get_terminal_size().columns - 1
    print(f"{CLEARED}{f'chocofactory_env: {text}'[:room]}", end="", file=sys.stderr, flush=True)


_reported: set[str] = set()


def report_once(kind: str, text: str) -> None:
    """Print only the first warning of a kind in this process: hundreds of files may have the same problem."""
    if kind not in _reported:
        _reported.add(kind)
        report(f"{text} (further such files are not listed)")


def all_was_written() -> bool:
    """Whether every write of this process succeeded."""
    return "unwritable" not in _reported
