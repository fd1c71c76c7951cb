"""Random games that many tests look at: played once in a process where playing is slow, which is uncompiled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

from chocofactory_env.core.jit import COMPILED

MOST_GAMES = 100  # kept at once; a game has some hundred positions of a few kB
Arguments = ParamSpec("Arguments")
Step = TypeVar("Step", bound=tuple[Any, ...])


def kept_uncompiled(play: Callable[Arguments, Iterator[Step]]) -> Callable[Arguments, Iterator[Step]]:
    """For generators of a game's steps, made of arrays and numbers. Arrays are copies, and may be changed freely."""
    if COMPILED:
        return play

    def played(*arguments: Arguments.args, **options: Arguments.kwargs) -> list[Step]:
        return [copied(step) for step in play(*arguments, **options)]

    kept: Any = lru_cache(MOST_GAMES)(played)

    @wraps(play)
    def steps(*arguments: Arguments.args, **options: Arguments.kwargs) -> Iterator[Step]:
        for step in kept(*arguments, **options):
            yield copied(step)

    return steps


def copied(step: Any) -> Any:
    return tuple(part.copy() if isinstance(part, np.ndarray) else part for part in step)


Choose = Callable[[Any, np.ndarray, np.random.Generator], int]


def random_games(choose: Choose) -> Callable[[Any, int], Iterator[tuple[np.ndarray, int]]]:
    """Games in which such a function chooses the actions."""

    @kept_uncompiled
    def steps(game: Any, seed: int) -> Iterator[tuple[np.ndarray, int]]:
        """Every (state, action) of a random game before it is played, then (last state, -1). The state is reused."""
        rng = np.random.default_rng(seed)
        state = game.new(seed)
        while not game.is_over(state):
            action = choose(game, game.legal_mask(state), rng)
            yield state, action
            game.apply(state, action)
        yield state, -1

    return steps


def mostly_doing(ends: np.ndarray) -> Choose:
    """A random action; nine times in ten none of `ends`, so that games become interesting."""

    def choose(game: Any, mask: np.ndarray, rng: np.random.Generator) -> int:
        legal = np.flatnonzero(mask)
        if rng.random() < 0.9:
            doing = legal[~ends[legal]]
            legal = doing if len(doing) else legal
        return int(legal[rng.integers(len(legal))])

    return choose
