"""Build the wheels for the running Python: `python -m tools.wheels --out DIR`.

One is pure. The other includes compiled code for this Python and this kind of machine. Both are built with hatchling
from the source distribution. The code is compiled in a separate environment.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path

from . import ROOT

TOOLS = ("__init__.py", "installed.py", "machine_code.py", "programs.py")  # run where the wheel is installed


class BuildError(ValueError):
    """A command failed."""


def run(*words: str | Path, where: Path = ROOT, **environment: str) -> None:
    """Run a command to its end, without the checkout on Python's path; BuildError if it fails."""
    print("$", *(str(word) for word in words), flush=True)
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run([*map(str, words)], cwd=where, env={**clean, **environment}, check=False)
    if done.returncode:
        raise BuildError(f"{' '.join(map(str, words))} failed (exit status {done.returncode}): see above")


def build_source(work: Path, out: Path) -> Path:
    """Build the source distribution in `out`, and unpack it in `work` for further builds."""
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", out)
    (source,) = out.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        archive.extractall(work / "source", filter="data")
    return source


def build_pure_wheel(work: Path, out: Path) -> Path:
    """Build the wheel for all machines from the unpacked source distribution."""
    return _build_wheel(work, work / "pure", out)


def build_platform_wheel(pure: Path, work: Path, out: Path) -> Path:
    """Install the pure wheel, compile its code, and build the wheel that includes it."""
    place, code = work / "compiled", work / "machine_code"
    python = install(pure, place, ["learned"])
    cache = {"CHOCOFACTORY_CACHE_DIR": str(place / "cache"), "OMP_NUM_THREADS": "1"}
    run(python, "-m", "tools.machine_code", code, where=place, **cache)
    return _build_wheel(work, work / "platform", out, CHOCOFACTORY_MACHINE_CODE=str(code))


def _build_wheel(work: Path, fresh: Path, out: Path, **environment: str) -> Path:
    (tree,) = (work / "source").iterdir()
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", fresh, where=tree, **environment)
    (wheel,) = fresh.glob("*.whl")
    return Path(shutil.copy(wheel, out))


def install(wheel: Path, place: Path, extras: Sequence[str], groups: Sequence[str] = ()) -> Path:
    """Install the wheel with the versions of constraints.txt into a new environment, and return its Python.

    The tools that run there are copied beside it. groups: dependency groups of the checkout to install as well.
    """
    # Upgraded, since the bundled pip may not know dependency groups.
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


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.wheels", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="output folder")
    out = parser.parse_args(arguments).out.absolute()
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        try:
            build_source(work, work)
            pure = build_pure_wheel(work, out)
            compiled = build_platform_wheel(pure, work, out)
        except BuildError as error:
            sys.exit(str(error))
    for wheel in (pure, compiled):
        print(f"{wheel}: {wheel.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
