"""Run a program where `agents`, `arena` and `training` lie inside the package: `python -m tools.tree mypy`.

Types, import contracts and the reference are read from files, without running `chocofactory_env/__init__.py`, by which
Python finds these folders beside the package. So they are read from `build/tree`, a copy of the code, laid out as the
wheel is.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from . import ROOT

INSIDE = ("agents", "arena", "training")
BESIDE = ("benchmarks", "examples", "tests", "tools")
TREE = ROOT / "build" / "tree"


def lay_out(tree: Path = TREE) -> None:
    """Copy the code into the folder `tree`, and delete what was there."""
    shutil.rmtree(tree, ignore_errors=True)
    places = {name: name for name in ("chocofactory_env", *BESIDE)}
    places |= {name: f"chocofactory_env/{name}" for name in INSIDE}
    for source, target in places.items():
        shutil.copytree(ROOT / source, tree / target, ignore=_no_code)
    shutil.copy2(ROOT / "pyproject.toml", tree)


def _no_code(folder: str, names: list[str]) -> list[str]:
    return [
        name for name in names if not (name.endswith(".py") or Path(folder, name).is_dir()) or name == "__pycache__"
    ]


def main() -> None:
    """Lay out the tree, and run the program, if one is named, in it."""
    lay_out()
    if words := sys.argv[1:]:
        program = Path(sys.executable).with_name(words[0])
        environment = {**os.environ, "MYPY_CACHE_DIR": str(ROOT / ".mypy_cache")}
        sys.exit(subprocess.run([program, *words[1:]], cwd=TREE, env=environment, check=False).returncode)


if __name__ == "__main__":
    main()
