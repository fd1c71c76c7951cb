"""Thousands of damaged checkpoints and folders: each is refused by an error that names the file, or works.

`CF_MUTANTS` says how many of each kind (default 20).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from long_runs import AT_LENGTH, amount
from repository import HELPERS, ROOT

KINDS = ("checkpoints", "runs", "journals", "entries", "datasets", "others")
MUTANTS = amount("CF_MUTANTS", 20, 1_000)  # so many that of every kind one is accepted


# A sample takes less time than a process that loads torch, so one process takes all kinds.
@pytest.mark.parametrize("kinds", [(kind,) for kind in KINDS] if AT_LENGTH else [KINDS], ids=", ".join)
@pytest.mark.long
@pytest.mark.programs
def test_what_is_damaged_is_refused_clearly_or_works(kinds: tuple[str, ...]) -> None:
    """In a process of its own, whose memory is bounded; a mutant that hangs in a library hangs the process."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "examples", HELPERS)))}
    done = subprocess.run(
        [sys.executable, str(HELPERS / "damaged_files.py"), ",".join(kinds), str(MUTANTS)],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        env=environment,
        timeout=300 + MUTANTS * len(kinds),
    )
    assert done.returncode == 0, "see what is printed above"
    outcomes = dict(zip(kinds, map(json.loads, done.stdout.splitlines()[-len(kinds) :]), strict=True))
    for kind, found in outcomes.items():
        assert sum(found.values()) == MUTANTS, kind
        refused = sum(number for outcome, number in found.items() if outcome.startswith("refused"))
        assert refused > MUTANTS / 2, kind
        assert found["accepted"] > 0, kind
