"""The games that the tests of `core/` and `envs/` are run with: the toy in plain NumPy, and the real one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import chocofactory_env as cf
from toyrace.game import ToyRace

GameMaker = Callable[..., Any]


def toy(**options: Any) -> Any:
    return ToyRace(**options)


def chocofactory(**options: Any) -> Any:
    return cf.load("chocofactory", **options)


def expanded(**options: Any) -> Any:
    return cf.load("chocofactory", expansion="master_chocolatier", sides="random", **options)


GAMES = [pytest.param(toy, id="toy"), pytest.param(chocofactory, id="chocofactory")]


GAMES_AND_EXPANSION = [*GAMES, pytest.param(expanded, id="expansion")]


def pick(mask: np.ndarray, rng: np.random.Generator) -> int:
    """Any legal action."""
    return int(rng.choice(np.flatnonzero(mask)))
