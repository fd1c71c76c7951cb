"""A release: `python -m tools.release` builds the distributions, and checks them where nothing else is installed.

CONTRIBUTING.md says what it does. Nothing is uploaded, and no tag is made.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build" / "release"
SECTION = r"^## \[{version}\] - (\d{{4}}-\d\d-\d\d)$"
PROVENANCE = "Some cards are reconstructed."  # in the long description, which package indexes show
SOURCES_OF_WHEEL = ("chocofactory_env", "agents")
MACHINE_CODE = "chocofactory_env/machine_code/"
LARGEST_WHEEL, LARGEST_INSTALLED = 10e6, 40e6  # bytes
TOOLS = ("__init__.py", "installed.py", "machine_code.py", "programs.py")  # that run where the wheel is installed
PAGES = ("README.md", "docs/start.md", "docs/batches.md", "docs/agents.md")  # whose programs run there


class ReleaseError(ValueError):
    """What keeps this from being a release."""


def project() -> dict[str, object]:
    """The table of the package in `pyproject.toml`."""
    table: dict[str, object] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return table


def check_sources() -> str:
    """The version, which pyproject.toml, CHANGELOG.md and CITATION.cff agree about.

    Raises:
        ReleaseError: they do not, or the long description does not tell of reconstructed cards.
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


def run(*words: str | Path, where: Path = ROOT, **environment: str) -> None:
    """Run a command to its end; ReleaseError if it fails. Nothing of the checkout is on Python's path."""
    print("$", *(str(word) for word in words), flush=True)
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run([*map(str, words)], cwd=where, env={**clean, **environment}, check=False)
    if done.returncode:
        raise ReleaseError(f"{' '.join(map(str, words))} failed (exit status {done.returncode}): see above")


def build(folder: Path) -> tuple[Path, Path]:
    """The source distribution, and the pure wheel that is built from it."""
    shutil.rmtree(folder, ignore_errors=True)
    dist, unpacked = folder / "dist", folder / "source"
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", dist)
    (source,) = dist.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        archive.extractall(unpacked, filter="data")
    return source, build_wheel(folder)


def build_wheel(folder: Path, machine_code: Path | None = None) -> Path:
    """A wheel from the unpacked source distribution; with compiled code, one for this Python and kind of machine."""
    (tree,) = (folder / "source").iterdir()
    fresh = folder / ("pure" if machine_code is None else "platform")
    with_code = {} if machine_code is None else {"CHOCOFACTORY_MACHINE_CODE": str(machine_code)}
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", fresh, where=tree, **with_code)
    (wheel,) = fresh.glob("*.whl")
    return Path(shutil.copy(wheel, folder / "dist"))


def check_contents(source: Path, wheel: Path) -> None:
    """ReleaseError unless metadata can be shown, and the wheel has the tracked files of its folders and no others."""
    run(sys.executable, "-m", "twine", "check", "--strict", source, wheel)
    # W002, duplicate files: the licence of the font lies beside it and among those of the distribution.
    check = Path(sys.executable).with_name("check-wheel-contents")
    run(check, "--toplevel", "chocofactory_env", "--ignore", "W002", wheel)
    listed = subprocess.run(
        ["git", "ls-files", *SOURCES_OF_WHEEL], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    tracked = {f"chocofactory_env/{name}" if name.startswith("agents/") else name for name in listed}
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
        installed = sum(file.file_size for file in archive.infolist())
    packed -= {name for name in packed if name.startswith(MACHINE_CODE) and not wheel.stem.endswith("-none-any")}
    if wheel.stat().st_size > LARGEST_WHEEL or installed > LARGEST_INSTALLED:
        raise ReleaseError(f"{wheel.name}: {wheel.stat().st_size:,} bytes, {installed:,} installed, are too many")
    if packed != tracked:
        raise ReleaseError(f"{wheel.name}: differs from the tracked files: {sorted(packed ^ tracked)}")


def install(wheel: Path, place: Path, extras: Sequence[str], groups: Sequence[str] = ()) -> Path:
    """Install the wheel, at the versions of constraints.txt, into an environment of its own; returns its Python.

    The tools that run there lie beside it. `groups` are the checkout's dependency groups to install as well.
    """
    # Upgraded: the pip that Python brings need not know dependency groups.
    venv.create(place / "environment", with_pip=True, clear=True, upgrade_deps=True)
    python = place / "environment" / ("Scripts" if os.name == "nt" else "bin") / "python"
    named = f"{wheel}[{','.join(extras)}]" if extras else str(wheel)
    pip: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    grouped = [f"--group={ROOT / 'pyproject.toml'}:{group}" for group in groups]
    run(*pip, "--constraint", ROOT / "constraints.txt", named, *grouped)
    run(python, "-m", "pip", "check")
    (place / "tools").mkdir(exist_ok=True)
    for name in TOOLS:
        shutil.copyfile(ROOT / "tools" / name, place / "tools" / name)
    return python


def check_installed(wheel: Path, folder: Path, extras: Sequence[str]) -> None:
    """Run `tools/installed.py` where nothing but the wheel is installed; ReleaseError if something fails."""
    place = folder / ("with-" + "-".join(extras) if extras else "hard-dependencies")
    python = install(wheel, place, extras)
    run(python, "-m", "tools.installed", *extras, where=place, OMP_NUM_THREADS="1")


def build_platform_wheel(pure: Path, folder: Path) -> Path:
    """Compile what the pure wheel holds, where it is installed, and build the wheel that brings the code along."""
    place, code = folder / "compiled", folder / "machine_code"
    python = install(pure, place, ["learned"])
    cache = {"CHOCOFACTORY_CACHE_DIR": str(place / "cache"), "OMP_NUM_THREADS": "1"}
    run(python, "-m", "tools.machine_code", code, where=place, **cache)
    return build_wheel(folder, code)


def check_compiled(wheel: Path, folder: Path) -> None:
    """Nothing is compiled where the wheel is installed; where its code does not fit, it is, and one line says so.

    Raises:
        ReleaseError: a program or a check failed.
    """
    place = folder / "platform-installed"
    python = install(wheel, place, ["learned"], groups=["train"])  # a program of docs/batches.md trains
    never = {"CHOCOFACTORY_NO_COMPILE": "1", "CHOCOFACTORY_CACHE_DIR": str(place / "empty"), "OMP_NUM_THREADS": "1"}
    run(python, "-m", "tools.programs", *(ROOT / page for page in PAGES), where=place, **never)
    run(python, "-m", "tools.installed", "learned", where=place, **never)
    run(python, "-m", "tools.programs", "--misfit", where=place, CHOCOFACTORY_CACHE_DIR=str(place / "cache"))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.release", description="Build a release and check it.")
    parser.add_argument(
        "--no-install", action="store_true", help="build and check the pure wheel alone, and install nothing"
    )
    parser.add_argument("--only-platform", action="store_true", help="install the wheel with compiled code alone")
    chosen = parser.parse_args(arguments)
    try:
        version = check_sources()
        source, wheel = build(FOLDER)
        check_contents(source, wheel)
        extras = list(dict(project()["optional-dependencies"]))  # type: ignore[call-overload]
        for some in [] if chosen.no_install or chosen.only_platform else [[], *([extra] for extra in extras)]:
            check_installed(wheel, FOLDER, some)
        if not chosen.no_install:
            compiled = build_platform_wheel(wheel, FOLDER)
            check_contents(source, compiled)
            check_compiled(compiled, FOLDER)
    except ReleaseError as error:
        sys.exit(f"no release: {error}")
    print(f"{version}: {', '.join(str(each.relative_to(ROOT)) for each in sorted(source.parent.iterdir()))}")


if __name__ == "__main__":
    main()
