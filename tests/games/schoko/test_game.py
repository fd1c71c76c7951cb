"""`check_game` on every variant, and how long games are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from schoko_games import VARIANTS, variant_name

import chocofactory_env as cf
from chocofactory_env.testing import check_game

BOUND = 12_000  # steps of a game of random actions


@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
def test_schoko_conforms(options: dict[str, Any]) -> None:
    check_game(cf.load("schoko", **options), seeds=range(2))


@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
def test_random_games_end(options: dict[str, Any]) -> None:
    game = cf.load("schoko", **options)
    results = game.random_playouts(game.new(seed=1), np.arange(300), player=0)
    assert results.decisions.max() <= BOUND
    assert (results.ranking == 0).sum(axis=1).tolist() == [1] * 300
