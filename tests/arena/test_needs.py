"""Commands without the packages they need end in a message that names what to install."""

from __future__ import annotations

from pathlib import Path

import pytest
from processes import run


@pytest.mark.parametrize(
    ("command", "missing", "install"),
    [
        ("chocofactory_env.arena.match", "tqdm", "-e . --group arena"),
        ("chocofactory_env.arena.tournament", "scipy", "-e . --group arena"),
        ("chocofactory_env.training.ppo", "torch", '-e ".[train]"'),
        ("chocofactory_env.training.dataset", "pyarrow", '-e ".[data]"'),
    ],
)
def test_a_missing_package_is_named_with_its_group(command: str, missing: str, install: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(f"import sys; sys.modules[{missing!r}] = None\n")
    done = run("-m", command, "--help", path=[tmp_path])
    assert done.returncode == 1
    said = f"python -m {command} needs {missing}, not installed here: pip install {install} (in the checkout"
    assert done.stderr.startswith(said)
    assert "Traceback" not in done.stderr
