"""PettingZoo's module route: `from chocofactory_env import candyfactory_v0; candyfactory_v0.env(num_players=4)`."""

from __future__ import annotations

from typing import Any

from .envs.aec import AECGameEnv
from .envs.parallel import ParallelGameEnv

__all__ = ["env", "parallel_env", "raw_env"]


def raw_env(**options: Any) -> AECGameEnv:
    """The AEC environment of Manfredini's *Chocolate Factory*; options: those of `AECGameEnv` and `load`."""
    return AECGameEnv("candyfactory", **options)


def env(**options: Any) -> AECGameEnv:
    """The same as `raw_env`: it checks order, bounds and legality itself, so no wrapper is needed."""
    return raw_env(**options)


def parallel_env(**options: Any) -> ParallelGameEnv:
    """The parallel environment of Manfredini's *Chocolate Factory*; options: those of `ParallelGameEnv` and `load`."""
    return ParallelGameEnv("candyfactory", **options)
