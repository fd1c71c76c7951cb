"""Thousands of damaged checkpoints and folders: each is refused by an error that names the file, or works.

`CF_MUTANTS` says how many of each kind (default 50).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from long_runs import amount
from repository import HELPERS, ROOT

KINDS = ("checkpoints", "runs", "journals", "entries", "datasets", "others")
MUTANTS = amount("CF_MUTANTS", 50, 1_000)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.long
def test_what_is_damaged_is_refused_clearly_or_works(kind: str) -> None:
    """In a process of its own, whose memory is bounded; a mutant that hangs in a library hangs the process."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "examples", HELPERS))),
        "OMP_NUM_THREADS": "1",
    }
    done = subprocess.run(
        [sys.executable, str(HELPERS / "damaged_files.py"), kind, str(MUTANTS)],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        env=environment,
        timeout=300 + MUTANTS,
    )
    assert done.returncode == 0, "see what is printed above"
    found = json.loads(done.stdout.splitlines()[-1])
    assert sum(found.values()) == MUTANTS
    refused = sum(number for outcome, number in found.items() if outcome.startswith("refused"))
    assert refused > MUTANTS / 2
    assert found["accepted"] > 0
