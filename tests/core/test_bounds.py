"""Random play of generated decks indexes nothing outside its array: the libraries are built with bounds checked."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import random_play
from long_runs import AT_LENGTH
from repository import ROOT

from chocofactory_env.core.jit import COMPILED


@pytest.mark.long
@pytest.mark.programs
@pytest.mark.skipif(not (COMPILED and AT_LENGTH), reason="builds all libraries again, for minutes")
@pytest.mark.parametrize("name", random_play.VARIANTS)
def test_nothing_outside_an_array_is_read_or_written(name: str) -> None:
    amounts = ("--decks", "300", "--alone", "30", "--seed", "1")
    done = subprocess.run(
        [sys.executable, random_play.__file__, name, *amounts],
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1", "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    in_batches, alone = map(int, done.stdout.split())
    assert in_batches > 100_000
    assert alone > 1_000
