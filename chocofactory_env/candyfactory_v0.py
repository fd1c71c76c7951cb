"""PettingZoo's module route: `from chocofactory_env import candyfactory_v0; candyfactory_v0.env(num_players=4)`."""

from __future__ import annotations

from typing import Any

from .envs.aec import AECGameEnv
from .envs.loading import Games
from .envs.parallel import ParallelGameEnv

__all__ = ["env", "parallel_env", "raw_env"]


def raw_env(games: Games = "candyfactory", **options: Any) -> AECGameEnv:
    """The AEC environment of Manfredini's game; options as in `AECGameEnv` and `chocofactory_env.games`."""
    return AECGameEnv(games, **options)


env = raw_env  # it checks order, bounds and legality itself, so no wrapper is needed


def parallel_env(games: Games = "candyfactory", **options: Any) -> ParallelGameEnv:
    """The parallel environment of Manfredini's game; options as in `ParallelGameEnv` and `chocofactory_env.games`."""
    return ParallelGameEnv(games, **options)
