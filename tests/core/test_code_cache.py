"""The cache of compiled code stays small, and keeps what is used."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from chocofactory_env.core.compiling import code_cache
from chocofactory_env.core.compiling.code_cache import MARK_AFTER_S, keep_small, mark_used

OURS, GONE = "0123456789abcdef", "fedcba9876543210"  # folders of two sets of versions


def kept(folder: Path, name: str, days: float = 0, size: int = 10) -> Path:
    """A file that was last used so many days ago."""
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(bytes(size))
    used = time.time() - days * MARK_AFTER_S
    os.utime(file, (used, used))
    return file


def test_what_was_not_used_for_a_month_is_removed_with_its_folder(tmp_path: Path) -> None:
    used, unused = kept(tmp_path, f"{OURS}/used.nbc", 29), kept(tmp_path, f"{OURS}/unused.nbc", 31)
    kept(tmp_path, f"{GONE}/old.nbc", 31)
    kept(tmp_path, f"{GONE}/old.lock", 31)
    keep_small(tmp_path)
    assert used.exists()
    assert not unused.exists()
    assert not (tmp_path / GONE).exists()


def test_beyond_the_limit_what_is_unused_longest_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [kept(tmp_path, f"{folder}/{day}.nbc", day) for day, folder in enumerate((OURS, GONE, OURS, GONE))]
    lock = kept(tmp_path, f"{OURS}/held.lock", 5)
    monkeypatch.setattr(code_cache, "LARGEST_CACHE", 25)
    keep_small(tmp_path)
    assert [file.exists() for file in files] == [True, True, False, False]
    assert lock.exists(), "a process may hold it"


def test_other_files_of_a_named_folder_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    others = [kept(tmp_path, "thesis.nbc", 400), kept(tmp_path, "photos/1.nbc", 400)]
    monkeypatch.setattr(code_cache, "LARGEST_CACHE", 0)
    keep_small(tmp_path)
    assert all(file.exists() for file in others)
    keep_small(tmp_path / "nothing there")


def test_use_is_marked_once_a_day(tmp_path: Path) -> None:
    new, old = kept(tmp_path, "new.nbc", 0.5), kept(tmp_path, "old.nbc", 2)
    before = new.stat().st_mtime
    for file in (new, old, tmp_path / "nothing there"):
        mark_used(file)
    assert new.stat().st_mtime == before
    assert time.time() - old.stat().st_mtime < MARK_AFTER_S


def test_a_patch_release_of_python_finds_the_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHOCOFACTORY_CACHE_DIR", str(tmp_path))
    before = code_cache.cache_folder.__wrapped__()
    monkeypatch.setattr(sys, "version", "3.99.1 (another build)")
    assert code_cache.cache_folder.__wrapped__() == before
    monkeypatch.setattr(code_cache, "EXTENSION_SUFFIXES", [".cpython-399-x86_64-linux-gnu.so"])
    assert code_cache.cache_folder.__wrapped__() != before
