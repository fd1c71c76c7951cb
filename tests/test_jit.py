"""The compile policy, seen from outside: what a first use says, and that a second one says nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from chocofactory_env.core.jit import COMPILED

PROGRAM = """
import numpy as np
from chocofactory_env.core.rng import next_word, seed_generator
rng = np.zeros(4, np.uint32)
seed_generator(rng, 7)
print(next_word(rng))
"""


@pytest.mark.skipif(not COMPILED, reason="without the compiler there is nothing to announce")
def test_the_first_use_says_what_happens_and_the_second_is_silent(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parent.parent
    environment = {**os.environ, "PYTHONPATH": str(root), "CHOCOFACTORY_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", PROGRAM]
    first, second = (
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True) for _ in range(2)
    )
    assert first.stdout == second.stdout
    assert first.stderr.count("\n") == 1
    assert "compiling" in first.stderr
    assert "once" in first.stderr
    assert str(tmp_path) in first.stderr
    assert second.stderr == ""
