"""The programs of docs/libraries/ run as they stand, each where the library that it shows is installed."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec

import pytest
from repository import ROOT

PROGRAMS = ROOT / "docs" / "libraries"
# Which modules each one needs, and the dependency group that brings them.
NEEDS = {
    "sb3_maskable_ppo.py": (("torch", "stable_baselines3", "sb3_contrib"), "train"),
    "tianshou_pettingzoo.py": (("torch", "tianshou"), "libraries"),
    "torchrl_mappo.py": (("torch", "torchrl"), "libraries"),
    "torchrl_pettingzoo.py": (("torch", "torchrl"), "libraries"),
    "torchrl_solo.py": (("torch", "torchrl"), "libraries"),
    "torchrl_vector.py": (("torch", "torchrl"), "libraries"),
}


def test_every_program_is_run_and_linked() -> None:
    programs = {path.name for path in PROGRAMS.glob("*.py")}
    assert programs == set(NEEDS)
    page = (ROOT / "docs" / "libraries.md").read_text(encoding="utf-8")
    assert all(f"(libraries/{name})" in page for name in programs)


@pytest.mark.programs
@pytest.mark.parametrize("name", NEEDS)
def test_a_program_of_the_page_runs(name: str) -> None:
    modules, group = NEEDS[name]
    # Not `importorskip`: importing TorchRL changes how this process would start others.
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}: pip install --group {group}")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, str(PROGRAMS / name)],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,  # seconds when compiled; the first run on a machine compiles
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
