"""Releases: the version is said in one way, and what is checked where the package is installed covers all of it."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest
from repository import ROOT

from chocofactory_env.agents.protocol import agents_of
from tools import installed, release, wheels
from tools.clauses import shipped_games

SAYING = ("pyproject.toml", "CHANGELOG.md", "CITATION.cff", "README.md")


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files that say which version this is, in a folder of their own."""
    for name in SAYING:
        (tmp_path / name).write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(release, "ROOT", tmp_path)
    return tmp_path


def test_changelog_and_citation_are_of_the_declared_version() -> None:
    assert release.check_sources() == release.project()["version"]


@pytest.mark.parametrize(
    ("file", "said", "instead", "match"),
    [
        ("pyproject.toml", 'version = "0.1.0"', 'version = "0.1.1"', r"CHANGELOG.md: expected a section \[0.1.1\]"),
        ("CHANGELOG.md", "## [0.1.0] - 20", "## [0.1.0] 20", r"CHANGELOG.md: expected a section \[0.1.0\]"),
        ("CITATION.cff", "\nversion: 0.1.0", "\nversion: 0.0.9", "CITATION.cff: expected the line 'version: 0.1.0'"),
        ("CITATION.cff", "date-released: 20", "date-released: 19", "CITATION.cff: expected the line 'date-released"),
        ("README.md", "reconstructed", "invented", "README.md: expected"),
    ],
)
def test_files_that_disagree_make_no_release(copy: Path, file: str, said: str, instead: str, match: str) -> None:
    text = (copy / file).read_text(encoding="utf-8")
    assert said in text
    (copy / file).write_text(text.replace(said, instead), encoding="utf-8")
    with pytest.raises(release.ReleaseError, match=match):
        release.check_sources()


def test_a_release_is_published_only_with_the_addresses_that_a_person_fills_in(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = r"pyproject.toml, \[project.urls\]: expected https addresses of Repository, Issues, Documentation, got none"
    with pytest.raises(release.ReleaseError, match=said):
        release.release(publish=True)
    release.check_addresses(publish=False)
    assert re.match(f"not to be published yet: {said}", capsys.readouterr().out)
    text = (copy / "pyproject.toml").read_text(encoding="utf-8")
    for name in release.ADDRESSES:
        text = text.replace(f'# {name} = "https://...', f'{name} = "https://example.org')
    (copy / "pyproject.toml").write_text(text, encoding="utf-8")
    release.check_addresses(publish=True)
    assert release.check_sources()


def test_a_command_that_fails_is_named(tmp_path: Path) -> None:
    with pytest.raises(wheels.BuildError, match="nothing_there failed"):
        wheels.run("python3", "-m", "nothing_there", where=tmp_path)


def test_every_game_and_agent_is_checked_where_it_is_installed() -> None:
    assert installed.VARIANTS.keys() == set(shipped_games())
    assert set(installed.QUICK) <= {agent for game in shipped_games() for agent in agents_of(game)}


def test_the_checks_refuse_a_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["installed.py"])
    with pytest.raises(SystemExit, match="expected the installed package"):
        installed.main()


def test_the_tools_that_run_where_the_wheel_is_installed_and_their_pages_exist() -> None:
    assert [name for name in wheels.TOOLS if not (ROOT / "tools" / name).is_file()] == []
    assert [page for page in release.PAGES if not (ROOT / page).is_file()] == []


def test_the_shipped_networks_leave_room_in_their_wheel() -> None:
    networks = sum(file.stat().st_size for file in (ROOT / "agents").glob("*/checkpoints/*.safetensors"))
    assert networks < 0.8 * release.LARGEST_NETWORKS


@pytest.mark.parametrize("limit", ["LARGEST_WHEEL", "LARGEST_INSTALLED"])
def test_a_wheel_that_is_too_large_is_no_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    wheel = tmp_path / "a-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("chocofactory_env/large", bytes(1000))
    monkeypatch.setattr(release, "run", lambda *words, **how: None)
    monkeypatch.setattr(release, limit, 100)
    with pytest.raises(release.ReleaseError, match="are too many"):
        release.check_contents(tmp_path / "source", wheel)


@pytest.mark.parametrize(("name", "library"), [("py3-none-any", "game.so"), ("py3-none-win_amd64", None)])
def test_the_pure_wheel_alone_has_no_libraries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, library: str | None
) -> None:
    wheel = tmp_path / f"a-1-{name}.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(f"{wheels.LIBRARIES}{library}" if library else "chocofactory_env/a.py", "")
    monkeypatch.setattr(release, "run", lambda *words, **how: None)
    with pytest.raises(release.ReleaseError, match="its libraries and its name disagree"):
        release.check_contents(tmp_path / "source", wheel)
