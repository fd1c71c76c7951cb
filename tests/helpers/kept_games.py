"""Random games that tests share: where play is slow, which is uncompiled, each is played once in a process."""

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
    """Decorate a generator of a game's steps (arrays and numbers). It yields copies of arrays, which may be changed."""
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
    """Random games in which `choose` picks the actions."""

    @kept_uncompiled
    def steps(game: Any, seed: int) -> Iterator[tuple[np.ndarray, int]]:
        """Yield every (state, action) of a random game, then (last state, -1). The state is reused."""
        rng = np.random.default_rng(seed)
        state = game.new(seed)
        while not game.is_over(state):
            action = choose(game, game.legal_mask(state), rng)
            yield state, action
            game.apply(state, action)
        yield state, -1

    return steps


def mostly_doing(ends: np.ndarray) -> Choose:
    """Choose a random action; nine times in ten none of `ends`, so that games become interesting."""

    def choose(game: Any, mask: np.ndarray, rng: np.random.Generator) -> int:
        legal = np.flatnonzero(mask)
        if rng.random() < 0.9:
            doing = legal[~ends[legal]]
            legal = doing if len(doing) else legal
        return int(legal[rng.integers(len(legal))])

    return choose
