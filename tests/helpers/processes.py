"""Run Python in a process of its own, with this checkout on its path."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from repository import ROOT


def run(
    *words: object, where: Path = ROOT, path: Sequence[str | Path] = (), **variables: str
) -> subprocess.CompletedProcess[str]:
    """How `python WORDS` ends in the folder `where`. path: more folders with modules."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, *path))), **variables}
    command = [sys.executable, *map(str, words)]
    return subprocess.run(command, cwd=where, env=environment, capture_output=True, text=True, check=False)


def output(*words: object, where: Path = ROOT, path: Sequence[str | Path] = (), **variables: str) -> str:
    """What `python WORDS` prints; it must not fail."""
    done = run(*words, where=where, path=path, **variables)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
