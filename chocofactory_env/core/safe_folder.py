"""The folder in which built libraries are kept, and who may write there.

Loading a library runs its code, so the folder and its files must be safe from other users: see `who_can_change`.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path

VARIABLE: Final = "CHOCOFACTORY_CACHE_DIR"  # names the folder, where `~` is a home; else it is the user's own
MARK_AFTER_S: Final = 24 * 3_600.0  # a file in use is marked at most this often, because marking writes
LONGEST_UNUSED_S: Final = 30 * 24 * 3_600.0


class CacheFolderError(RuntimeError):
    """Other users can write to the folder that `CHOCOFACTORY_CACHE_DIR` names, so its code is not trusted."""


def report(text: str) -> None:
    """Write a line on stderr."""
    print(f"chocofactory_env: {text}", file=sys.stderr, flush=True)


@cache
def library_folder() -> Path | None:
    """The folder for built libraries, made and checked at the first call.

    None if there can be none; the reason is printed to stderr.

    Raises:
        CacheFolderError: other users can change the folder that the user has named.
    """
    remedy = f"Name a folder of your own by {VARIABLE}"
    named = os.environ.get(VARIABLE)
    try:
        folder = Path(named).expanduser().absolute() if named else user_cache_path("chocofactory_env")
    except (OSError, RuntimeError) as error:  # no working directory, or no home
        reason = f"{VARIABLE}={named}: {error}" if named else str(error)
        report(f"libraries cannot be kept: {reason}. {remedy}")
        return None
    if not folder.is_absolute():  # some versions of platformdirs return `~/.cache` where there is no home
        report(f"libraries cannot be kept: no home directory was found for {folder}. {remedy}")
        return None
    try:
        danger = who_can_change(folder)
        if danger is None:
            _make(folder)
            danger = who_can_change(folder)  # somebody else may have made it meanwhile
    except OSError as error:
        report(f"libraries cannot be kept in {folder}: {error.strerror or error}. {remedy}")
        return None
    if danger is None:
        return folder
    if named:
        raise CacheFolderError(
            f"{VARIABLE}={named}: {danger}, so a library in it cannot be trusted. "
            f"{remedy}, or remove the write permission of others: chmod go-w"
        )
    report(f"libraries are not kept in {folder}: {danger}. {remedy}")
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


def is_safe(library: Path) -> bool:
    """Whether a library is there that only this user and root can have written; a line on stderr says why not."""
    try:
        danger = _danger(library, library.lstat())
    except OSError:
        return False
    if danger:
        report(f"a library is not loaded: {danger}. It is built again and replaced")
    return danger is None


def mark_used(library: Path) -> None:
    """Mark the library as used, by its modification time; at most once in 24 hours, because that writes."""
    with suppress(OSError):  # another user's file, or a full or read-only disk
        if time.time() - library.stat().st_mtime > MARK_AFTER_S:
            os.utime(library)


def remove_unused(folder: Path) -> None:
    """Remove libraries unused for a month. Who uses one loses nothing: it is built again."""
    with suppress(OSError):
        for library in folder.glob("*-????????????????.*"):
            with suppress(OSError):  # another process may have removed it, or have it open
                if time.time() - library.lstat().st_mtime > LONGEST_UNUSED_S:
                    library.unlink()
