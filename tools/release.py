"""Build the distributions of a release, and check them in clean environments: `python -m tools.release`.

CONTRIBUTING.md describes the steps. Nothing is uploaded or tagged.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path

from chocofactory_env.core.command import Command
from chocofactory_env.core.library import SUFFIX
from chocofactory_env.core.targets import here

from . import ROOT
from .tree import INSIDE
from .wheels import LIBRARIES, BuildError, build_platform_wheels, build_pure_wheel, build_source, install, run

FOLDER = ROOT / "build" / "release"
SECTION = r"^## \[{version}\] - (\d{{4}}-\d\d-\d\d)$"
PROVENANCE = "Some cards are reconstructed."  # required in the long description, which package indexes show
LARGEST_WHEEL, LARGEST_INSTALLED = 3e6, 20e6  # bytes
LARGEST_NETWORKS = 40e6  # bytes; each may take 10 MiB
APART = "/checkpoints/"  # folders of the networks, which have a wheel of their own
ALONE = {
    "mcp",
    "openenv",
    "textarena",
    "verifiers",
}  # extras that contradict constraints.txt; `make adapters` tests them
ADDRESSES = ("Repository", "Issues", "Documentation")  # in [project.urls], filled in by a person
PAGES = ("README.md", "docs/start.md", "docs/batches.md", "docs/agents.md")  # whose programs are run there


class ReleaseError(ValueError):
    """A reason why this cannot be released."""


def project() -> dict[str, object]:
    """The table [project] of `pyproject.toml`."""
    table: dict[str, object] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return table


def check_sources() -> str:
    """The version, on which pyproject.toml, CHANGELOG.md and CITATION.cff agree.

    Raises:
        ReleaseError: they disagree, or the long description does not mention reconstructed cards.
    """
    version = str(project()["version"])
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    section = re.search(SECTION.format(version=re.escape(version)), changes, re.MULTILINE)
    if section is None:
        raise ReleaseError(f"CHANGELOG.md: expected a section [{version}] with a date, got none")
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    for line in (f"version: {version}", f"date-released: {section[1]}"):
        if line not in citation.splitlines():
            raise ReleaseError(f"CITATION.cff: expected the line {line!r}")
    if PROVENANCE not in (ROOT / "README.md").read_text(encoding="utf-8"):
        raise ReleaseError(f"README.md: expected {PROVENANCE!r} in the long description")
    return version


def check_addresses(publish: bool) -> None:
    """Print the missing addresses; ReleaseError if the release is to be published."""
    urls = dict(project().get("urls", {}))  # type: ignore[call-overload]
    missing = [name for name in ADDRESSES if not str(urls.get(name, "")).startswith("https://")]
    if missing:
        problem = f"pyproject.toml, [project.urls]: expected https addresses of {', '.join(missing)}, got none"
        if publish:
            raise ReleaseError(problem)
        print(f"not to be published yet: {problem}")


def check_contents(source: Path, wheel: Path) -> None:
    """ReleaseError unless metadata render, and the wheel has exactly the tracked files of its folders."""
    run(sys.executable, "-m", "twine", "check", "--strict", source, wheel)
    # W002, duplicate files: the font's licence is both beside it and among the distribution's licences.
    check = Path(sys.executable).with_name("check-wheel-contents")
    run(check, "--toplevel", "chocofactory_env", "--ignore", "W002", wheel)
    listed = subprocess.run(
        ["git", "ls-files", "chocofactory_env", *INSIDE], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    listed = [name for name in listed if APART not in name]
    tracked = {f"chocofactory_env/{name}" if name.partition("/")[0] in INSIDE else name for name in listed}
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
        installed = sum(file.file_size for file in archive.infolist())
    size = wheel.stat().st_size
    if size > LARGEST_WHEEL or installed > LARGEST_INSTALLED:
        raise ReleaseError(f"{wheel.name}: {size:,} bytes, {installed:,} installed, are too many")
    libraries = {name for name in packed if name.startswith(LIBRARIES)}
    if bool(libraries) == wheel.stem.endswith("-none-any"):
        raise ReleaseError(f"{wheel.name}: its libraries and its name disagree: {sorted(libraries)}")
    packed -= libraries
    if packed != tracked:
        raise ReleaseError(f"{wheel.name}: differs from the tracked files: {sorted(packed ^ tracked)}")


PLAYS = """
import chocofactory_env as cf
game = cf.load("chocofactory", num_players=2)
state = game.new(seed=1)
for _ in range(20):
    game.apply(state, int(game.legal_mask(state).argmax()))
"""
# Unlike the other checks, it uses a game's search before its rules.
SEARCH = """
import chocofactory_env as cf
from chocofactory_env.agents.protocol import decide, make_agent
from chocofactory_env.registry import GAMES

for name in GAMES:
    game = cf.load(name)
    decide(game, make_agent("expert", game), game.new(seed=0))
"""


def check_installed(wheel: Path, folder: Path, extras: Sequence[str]) -> None:
    """Run `tools/installed.py` with only the wheel installed, from its libraries; BuildError if something fails."""
    place = folder / ("with-" + "-".join(extras) if extras else "hard-dependencies")
    python = install(wheel, place, extras)
    run_alone(place, python, "-m", "tools.installed", *extras)


def check_pages(wheel: Path, folder: Path) -> None:
    """Run the programs of pages from the wheel's libraries; BuildError if one fails."""
    place = folder / "pages"
    python = install(wheel, place, ["learned"], groups=["train"])  # a program of docs/batches.md trains
    run_alone(place, python, "-c", SEARCH)
    for page in PAGES:
        run_alone(place, python, "-m", "tools.programs", ROOT / page)


def check_pure(wheel: Path, folder: Path) -> None:
    """Play from the wheel without libraries, as plain Python and from a built one; BuildError if it cannot be done."""
    for extras in ([], ["compile"]):
        place = folder / "-".join(["pure", *extras])
        cache = place / "cache"
        run(install(wheel, place, extras), "-c", PLAYS, where=place, CHOCOFACTORY_CACHE_DIR=str(cache))
        if bool(extras) != any(cache.glob("chocofactory-*")):
            raise BuildError(f"{wheel.name}: expected a built library with the extra `compile` alone: see {cache}")


def run_alone(place: Path, *words: str | Path) -> None:
    """Run a command from the wheel's libraries; BuildError if it fails, or builds a library."""
    cache = place / "empty"
    run(*words, where=place, CHOCOFACTORY_CACHE_DIR=str(cache), OMP_NUM_THREADS="1")
    if any(cache.glob(f"*{SUFFIX}")):  # it may hold generated decks
        raise BuildError(f"{place.name}: expected the wheel's libraries to be used, got built ones in {cache}")


def release(*, no_install: bool = False, publish: bool = False) -> None:
    """Build the distributions of a release, and check them in clean environments.

    Args:
        no_install: only build and check the pure wheel, and install nothing.
        publish: first refuse a release with missing addresses.

    Raises:
        ReleaseError, BuildError: this cannot be released.
    """
    version = check_sources()
    check_addresses(publish)
    shutil.rmtree(FOLDER, ignore_errors=True)
    dist = FOLDER / "dist"
    source = build_source(FOLDER, dist)
    pure = build_pure_wheel(FOLDER, dist)
    wheels = {} if no_install else build_platform_wheels(pure, FOLDER, dist)
    for wheel in (pure, *wheels.values()):
        check_contents(source, wheel)
    if wheels:
        check_pure(pure, FOLDER)
        check_pages(wheels[here()], FOLDER)
        for extra in [[], *([extra] for extra in dict(project()["optional-dependencies"]) if extra not in ALONE)]:  # type: ignore[call-overload]
            check_installed(wheels[here()], FOLDER, extra)
    print(f"{version}: {', '.join(str(each.relative_to(ROOT)) for each in sorted(source.parent.iterdir()))}")


main = Command("python -m tools.release", release, ("--no-install",), failures=(ReleaseError, BuildError)).run

if __name__ == "__main__":
    main()
