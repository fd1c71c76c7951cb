"""Games for the tests of `core/` and `envs/`: the toy in plain NumPy, and those of the package."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import pytest

import chocofactory_env as cf
from chocofactory_env.core.binding import bind
from toyrace.game import RECORDS, RULES, ToyRace

GameMaker = Callable[..., Any]


def toy(**options: Any) -> Any:
    return ToyRace(**options)


def race_with(name: str, **rules: Callable[..., Any]) -> Any:
    """The kernel of a race with other rules, as plain Python: building a library of each would take minutes."""
    return bind(name, {**RULES, **rules}, module="__main__", records=RECORDS)


def chocofactory(**options: Any) -> Any:
    return cf.load("chocofactory", **options)


def candyfactory(**options: Any) -> Any:
    return cf.load("candyfactory", **options)


def schoko(**options: Any) -> Any:
    return cf.load("schoko", **options)


def expanded(**options: Any) -> Any:
    return cf.load("chocofactory", expansion="master_chocolatier", sides="random", **options)


WITH_SOLO_GAME = [pytest.param(game, id=game.__name__) for game in (toy, chocofactory)]
GAMES = [pytest.param(game, id=game.__name__) for game in (toy, chocofactory, candyfactory, schoko)]

GAMES_AND_EXPANSION = [*GAMES, pytest.param(expanded, id="expansion")]


def with_players(games: Iterable[Any], numbers: Iterable[int]) -> list[Any]:
    """Parameters (game, number of players) of all games, with those of `numbers` that they allow."""
    alone = {param.values[0] for param in WITH_SOLO_GAME} | {expanded}
    pairs = [(game, number) for game in games for number in numbers if number > 1 or game.values[0] in alone]
    return [pytest.param(game.values[0], number, id=f"{game.id}-{number}") for game, number in pairs]


def positions(game: Any, seeds: Iterable[int], every: int = 1) -> Iterator[np.ndarray]:
    """Each `every`-th position of random games, and the last one. The position changes."""
    for seed in seeds:
        state, rng, number = game.new(seed), np.random.default_rng(seed), 0
        while not game.is_over(state):
            if number % every == 0:
                yield state
            game.apply(state, pick(game.legal_mask(state), rng))
            number += 1
        yield state


def pick(mask: np.ndarray, rng: np.random.Generator) -> int:
    """Any legal action."""
    return int(rng.choice(np.flatnonzero(mask)))
