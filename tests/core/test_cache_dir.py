"""The folder of compiled code: named by a variable, or the user's own; or none, for a stated reason."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from processes import run

from chocofactory_env.core.cache_dir import cache_folder

posix = pytest.mark.skipif(os.name != "posix", reason="the homes of POSIX systems")
VARIABLES = ("CHOCOFACTORY_CACHE_DIR", "XDG_CACHE_HOME")
# As for a user whom the system does not know, with a home that is not named.
WITHOUT_HOME = """
import os, pwd
for name in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
    os.environ.pop(name, None)
def unknown(who): raise KeyError(who)
pwd.getpwuid = pwd.getpwnam = unknown
"""


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)


def folder_and_reasons() -> tuple[Path | None, list[str]]:
    reasons: list[str] = []
    return cache_folder(reasons.append), reasons


@posix
@pytest.mark.parametrize(
    ("named", "expected"), [("~/x", "home/x"), ("~", "home"), ("x", "work/x"), ("", "home/.cache")]
)
def test_a_home_is_expanded_and_a_relative_name_starts_here(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, named: str, expected: str
) -> None:
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("CHOCOFACTORY_CACHE_DIR", named)
    folder, reasons = folder_and_reasons()
    assert reasons == []
    if named:
        assert folder == tmp_path / expected
    else:
        assert folder is not None
        assert folder.is_relative_to(tmp_path / "home")


@posix
@pytest.mark.parametrize("named", ["", "~/x", "~nobody-of-this-name/x"])
def test_without_a_home_there_is_none_and_the_reason_is_told(monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    def unknown(who: object) -> None:
        raise KeyError(who)

    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr("pwd.getpwuid", unknown)
    monkeypatch.setenv("CHOCOFACTORY_CACHE_DIR", named)
    folder, reasons = folder_and_reasons()
    assert folder is None
    assert len(reasons) == 1
    assert "home" in reasons[0]
    assert named in reasons[0]


def test_a_home_that_stays_unexpanded_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """As some versions of platformdirs return it."""
    monkeypatch.setattr("chocofactory_env.core.cache_dir.user_cache_path", lambda name: Path("~/.cache") / name)
    folder, reasons = folder_and_reasons()
    assert folder is None
    assert "no home" in reasons[0]


@posix
def test_a_working_directory_that_is_gone_is_a_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    monkeypatch.setenv("CHOCOFACTORY_CACHE_DIR", "x")
    folder, reasons = folder_and_reasons()
    assert folder is None
    assert "CHOCOFACTORY_CACHE_DIR=x" in reasons[0]


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
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "--folder" in done.stderr
    assert list(tmp_path.iterdir()) == []
