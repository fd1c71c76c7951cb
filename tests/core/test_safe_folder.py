"""The folder of libraries: where it is, or why there is none, and who may write there, since loading one runs code."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from processes import run

from chocofactory_env.core import safe_folder
from chocofactory_env.core.safe_folder import LONGEST_UNUSED_S, MARK_AFTER_S, CacheFolderError, who_can_change

posix = pytest.mark.skipif(os.name != "posix", reason="owners and modes are those of POSIX")


# As for a user whom the system does not know, with a home that is not named.
WITHOUT_HOME = """
import os, pwd
for name in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
    os.environ.pop(name, None)
def unknown(who): raise KeyError(who)
pwd.getpwuid = pwd.getpwnam = unknown
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(safe_folder, "library_folder", safe_folder.library_folder.__wrapped__)
    monkeypatch.setenv("CHOCOFACTORY_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@posix
@pytest.mark.parametrize(("named", "expected"), [("~/x", "home/x"), ("~", "home"), ("x", "work/x"), ("", "home")])
def test_a_home_is_expanded_and_a_relative_name_starts_here(
    folder: Path, monkeypatch: pytest.MonkeyPatch, named: str, expected: str
) -> None:
    (folder.parent / "work").mkdir()
    monkeypatch.chdir(folder.parent / "work")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(folder.parent / "home"))
    monkeypatch.setenv("CHOCOFACTORY_CACHE_DIR", named)
    found = safe_folder.library_folder()
    assert found is not None
    assert found == folder.parent / expected if named else found.is_relative_to(folder.parent / expected)


@posix
@pytest.mark.parametrize("named", ["", "~/x", "~nobody-of-this-name/x"])
def test_without_a_home_there_is_none_and_the_reason_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], named: str
) -> None:
    def unknown(who: object) -> None:
        raise KeyError(who)

    for variable in ("HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr("pwd.getpwuid", unknown)
    monkeypatch.setenv("CHOCOFACTORY_CACHE_DIR", named)
    assert safe_folder.library_folder() is None
    [reason] = capsys.readouterr().err.splitlines()
    assert "home" in reason
    assert named in reason


def test_a_home_that_stays_unexpanded_is_none(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As some versions of platformdirs return it."""
    monkeypatch.delenv("CHOCOFACTORY_CACHE_DIR")
    monkeypatch.setattr(safe_folder, "user_cache_path", lambda name: Path("~/.cache") / name)
    assert safe_folder.library_folder() is None
    assert "no home" in capsys.readouterr().err


@posix
def test_a_working_directory_that_is_gone_is_a_reason(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder.parent / "gone").mkdir()
    monkeypatch.chdir(folder.parent / "gone")
    (folder.parent / "gone").rmdir()
    monkeypatch.setenv("CHOCOFACTORY_CACHE_DIR", "x")
    assert safe_folder.library_folder() is None
    assert "CHOCOFACTORY_CACHE_DIR=x" in capsys.readouterr().err


@posix
def test_a_game_without_a_home_compiles_and_says_why_nothing_is_kept(tmp_path: Path) -> None:
    program = "from chocofactory_env.core.kernel.rng import seed_generator as f, np; f(np.zeros(4, np.uint32), 1)"
    done = run("-c", WITHOUT_HOME + program, where=tmp_path, CHOCOFACTORY_CACHE_DIR="~/x")
    assert done.returncode == 0, done.stderr
    assert "libraries cannot be kept" in done.stderr
    assert "home" in done.stderr
    assert "Name a folder of your own by CHOCOFACTORY_CACHE_DIR" in done.stderr
    assert list(tmp_path.iterdir()) == []


@posix
def test_the_table_without_a_home_asks_for_a_folder(tmp_path: Path) -> None:
    program = "from chocofactory_env.play.__main__ import main; main(['--no-browser', '--port', '0'])"
    done = run("-c", WITHOUT_HOME + program, where=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "--folder" in done.stderr
    assert list(tmp_path.iterdir()) == []


@posix
def test_a_named_folder_is_made_for_this_user_alone_and_refused_if_others_can_write(folder: Path) -> None:
    before = os.umask(0)
    try:
        assert safe_folder.library_folder() == folder
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for place in (folder, folder.parent):
        mode = stat.S_IMODE(place.stat().st_mode)
        place.chmod(0o777)
        with pytest.raises(CacheFolderError) as refused:
            safe_folder.library_folder()
        for words in (f"CHOCOFACTORY_CACHE_DIR={folder}", f"others can write to {place} (mode 0777)", "chmod go-w"):
            assert words in str(refused.value)
        place.chmod(mode)


@posix
def test_the_default_folder_is_not_used_if_others_can_write_and_a_line_says_so(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("CHOCOFACTORY_CACHE_DIR")
    monkeypatch.setattr(safe_folder, "user_cache_path", lambda name: folder.parent / name)
    folder.parent.chmod(0o777)
    assert safe_folder.library_folder() is None
    folder.parent.chmod(0o700)
    (folder.parent / "chocofactory_env").write_text("")
    assert safe_folder.library_folder() is None
    open_to_others, no_folder = capsys.readouterr().err.splitlines()
    assert f"others can write to {folder.parent} (mode 0777). Name a folder of your own by " in open_to_others
    assert "libraries cannot be kept in " in no_folder


@posix
@pytest.mark.parametrize("place", ["cache", "link", "library"])
def test_what_belongs_to_another_user_is_not_loaded(
    folder: Path, place: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    folder.mkdir(mode=0o700)
    places = {"cache": folder, "link": folder.parent / "link", "library": folder / "tiny-all-0123456789abcdef.so"}
    places["link"].symlink_to(folder)
    places["library"].write_text("")
    monkeypatch.setenv("CHOCOFACTORY_CACHE_DIR", str(places["link"]))
    os.chown(places[place], 12345, 12345, follow_symlinks=False)
    if place == "library":
        assert not safe_folder.is_safe(places[place])
        assert f"{places[place]} belongs to another user (uid 12345). It is built again" in capsys.readouterr().err
    else:
        with pytest.raises(CacheFolderError, match=r"belongs to another user \(uid 12345\)"):
            safe_folder.library_folder()


@posix
def test_who_can_change_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    above, inner = tmp_path / "above", tmp_path / "above" / "inner"
    inner.mkdir(parents=True)
    for place, mode, danger in (
        (inner, 0o755, False),
        (above, 0o777, True),
        (above, 0o1777, False),  # in a sticky folder, as /tmp is, nobody can replace what is not his own
        (inner, 0o1777, True),  # but anybody can add files to it
        (inner, 0o770, True),
    ):
        place.chmod(mode)
        monkeypatch.setattr(safe_folder, "_is_private_group", lambda status: False)
        expected = f"others can write to {place} (mode {mode:04o})" if danger else None
        assert who_can_change(inner) == expected
        if not danger:
            assert who_can_change(inner / "still" / "to be made") is None
    monkeypatch.setattr(safe_folder, "_is_private_group", lambda status: True)
    assert who_can_change(inner) is None
    library = inner / "library"
    library.write_text("")
    library.chmod(0o666)
    assert not safe_folder.is_safe(library)
    library.chmod(0o600)
    assert safe_folder.is_safe(library)


@posix
@pytest.mark.parametrize(
    ("name", "members", "private"),
    [("ann", [], True), ("ann", ["ann"], True), ("ann", ["ann", "bob"], False), ("staff", [], False)],
)
def test_a_group_is_private_by_its_name_and_members(
    name: str, members: list[str], private: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("pwd.getpwuid", lambda uid: SimpleNamespace(pw_name="ann"))
    monkeypatch.setattr("grp.getgrgid", lambda gid: SimpleNamespace(gr_name=name, gr_mem=members))
    assert safe_folder._is_private_group(tmp_path.stat()) is private


def test_libraries_unused_for_a_month_are_removed_and_nothing_else(tmp_path: Path) -> None:
    def kept(name: str, seconds: float) -> Path:
        file = tmp_path / name
        file.write_text("")
        os.utime(file, (time.time() - seconds,) * 2)
        return file

    unused, used, other = (
        kept("tiny-all-0123456789abcdef.so", LONGEST_UNUSED_S + 60),
        kept("tiny-rules-0123456789abcdef.so", LONGEST_UNUSED_S - 60),
        kept("thesis.so", 10 * LONGEST_UNUSED_S),
    )
    safe_folder.remove_unused(tmp_path)
    assert [file.exists() for file in (unused, used, other)] == [False, True, True]
    today, before = kept("today", MARK_AFTER_S - 60).stat().st_mtime, used.stat().st_mtime
    for file in (tmp_path / "today", used, unused):
        safe_folder.mark_used(file)
    assert (tmp_path / "today").stat().st_mtime == today
    assert used.stat().st_mtime > before
