"""Every position of play is accepted and comes back; one that is tampered with is refused or can be played to its end.

`CF_MUTANTS` says how many positions are tampered with (default 300).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from schoko_games import VARIANTS, steps, variant_name

from chocofactory_env.core.jit import COMPILED
from chocofactory_env.games.schoko.game import Schoko

EVERY = pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
GAMES = 3 if COMPILED else 1


@EVERY
def test_nobody_ever_has_less_than_nothing(options: dict[str, Any]) -> None:
    """PAY-1, PAY-2, STAFF-8: a player whose shares and loan do not cover half the salaries is bankrupt."""
    for seed in range(GAMES + 1):
        for state, _ in steps(Schoko(**options), seed, wild=0.05):
            assert (state["players"]["cash"] >= 0).all(), f"seed {seed}"
