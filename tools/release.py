"""Build the distributions of a release, and check them in clean environments: `python -m tools.release`.

CONTRIBUTING.md describes the steps. Nothing is uploaded or tagged.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path

from . import ROOT
from .wheels import BuildError, build_platform_wheel, build_pure_wheel, build_source, install, run

FOLDER = ROOT / "build" / "release"
SECTION = r"^## \[{version}\] - (\d{{4}}-\d\d-\d\d)$"
PROVENANCE = "Some cards are reconstructed."  # required in the long description, which package indexes show
INSIDE = ("agents/", "arena/")  # top-level folders that move into the package
SOURCES_OF_WHEEL = ("chocofactory_env", *INSIDE)
MACHINE_CODE = "chocofactory_env/machine_code/"
LARGEST_WHEEL, LARGEST_INSTALLED = 40e6, 60e6  # bytes; networks may take 10 MiB each
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
        ["git", "ls-files", *SOURCES_OF_WHEEL], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    tracked = {f"chocofactory_env/{name}" if name.startswith(INSIDE) else name for name in listed}
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
        installed = sum(file.file_size for file in archive.infolist())
    packed -= {name for name in packed if name.startswith(MACHINE_CODE) and not wheel.stem.endswith("-none-any")}
    if wheel.stat().st_size > LARGEST_WHEEL or installed > LARGEST_INSTALLED:
        raise ReleaseError(f"{wheel.name}: {wheel.stat().st_size:,} bytes, {installed:,} installed, are too many")
    if packed != tracked:
        raise ReleaseError(f"{wheel.name}: differs from the tracked files: {sorted(packed ^ tracked)}")


# Unlike the other checks, it uses a game's compiled search before the compiled rules.
SEARCH = """
import chocofactory_env as cf
from chocofactory_env.agents.protocol import decide, make_agent
from chocofactory_env.registry import GAMES

for name in GAMES:
    game = cf.load(name)
    decide(game, make_agent("expert", game), game.new(seed=0))
"""


def check_installed(wheel: Path, folder: Path, extras: Sequence[str]) -> None:
    """Run `tools/installed.py` with only the wheel installed; BuildError if something fails."""
    place = folder / ("with-" + "-".join(extras) if extras else "hard-dependencies")
    python = install(wheel, place, extras)
    run(python, "-m", "tools.installed", *extras, where=place, OMP_NUM_THREADS="1")


def check_compiled(wheel: Path, folder: Path) -> None:
    """Check that the installed wheel compiles nothing, unless its code does not fit, which it reports in one line.

    Raises:
        BuildError: a program or a check failed.
    """
    place = folder / "platform-installed"
    python = install(wheel, place, ["learned"], groups=["train"])  # a program of docs/batches.md trains
    never = {"CHOCOFACTORY_COMPILE": "never", "CHOCOFACTORY_CACHE_DIR": str(place / "empty"), "OMP_NUM_THREADS": "1"}
    run(python, "-m", "tools.programs", *(ROOT / page for page in PAGES), where=place, **never)
    run(python, "-m", "tools.installed", "learned", where=place, **never)
    run(python, "-c", SEARCH, where=place, **never)
    run(python, "-m", "tools.programs", "--misfit", where=place, CHOCOFACTORY_CACHE_DIR=str(place / "cache"))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.release", description="Build a release and check it.")
    parser.add_argument(
        "--no-install", action="store_true", help="only build and check the pure wheel, and install nothing"
    )
    parser.add_argument("--only-platform", action="store_true", help="install only the wheel with compiled code")
    parser.add_argument("--publish", action="store_true", help="first refuse a release with missing addresses")
    chosen = parser.parse_args(arguments)
    try:
        version = check_sources()
        check_addresses(chosen.publish)
        shutil.rmtree(FOLDER, ignore_errors=True)
        source = build_source(FOLDER, FOLDER / "dist")
        wheel = build_pure_wheel(FOLDER, FOLDER / "dist")
        check_contents(source, wheel)
        extras = [extra for extra in dict(project()["optional-dependencies"]) if extra not in ALONE]  # type: ignore[call-overload]
        for some in [] if chosen.no_install or chosen.only_platform else [[], *([extra] for extra in extras)]:
            check_installed(wheel, FOLDER, some)
        if not chosen.no_install:
            compiled = build_platform_wheel(wheel, FOLDER, FOLDER / "dist")
            check_contents(source, compiled)
            check_compiled(compiled, FOLDER)
    except (ReleaseError, BuildError) as error:
        sys.exit(f"no release: {error}")
    print(f"{version}: {', '.join(str(each.relative_to(ROOT)) for each in sorted(source.parent.iterdir()))}")


if __name__ == "__main__":
    main()
