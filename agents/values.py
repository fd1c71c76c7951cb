"""Files of learned values: JSON with the weight of every named feature, for each stage of the game.

A game that supports learned values has `value_features`, the names of its features, and `value_stages`, the number of
stages of a game. F = features, S = stages.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypedDict

import numpy as np

from chocofactory_env.core.checks import MOST
from chocofactory_env.core.messages import shortened, shown
from chocofactory_env.core.reading import Integer, between
from chocofactory_env.core.search.value import LEAST_SPREAD

from .files import listed, read_json, write_json

FORMAT = 1
EXPECTED = "a learned value, as `chocofactory train value` writes it"


class ValueFileError(ValueError):
    """A file is not a learned value, or belongs to another game."""


class LearnedValue(NamedTuple):
    """A position's value is `constant[stage] + weights[stage] @ features`."""

    constant: np.ndarray  # (S,) float32
    weights: np.ndarray  # (S, F) float32


Weight = Annotated[float, between(-MOST, MOST)]
Spread = Annotated[float, between(LEAST_SPREAD, MOST)]


class _About(TypedDict, total=False):
    spread: list[Spread]


class _File(TypedDict):
    format: Integer
    game: str
    about: _About
    digest: str
    constant: list[Weight]
    weights: dict[str, list[Weight]]


def write_value(path: Path, game: str, features: Sequence[str], value: LearnedValue, about: Mapping[str, Any]) -> None:
    """Write a value atomically. about: how it was fitted, JSON-able."""
    weights = {name: _numbers(value.weights[:, at]) for at, name in enumerate(features)}
    constant = _numbers(value.constant)
    file = {"format": FORMAT, "game": game, "about": dict(about), "digest": _digest(constant, weights)}
    write_json(path, file | {"constant": constant, "weights": weights})


def read_value(path: Path, game: str, features: Sequence[str], stages: int) -> LearnedValue:
    """Read the weights of `features`; those missing from the file, since the game got them later, are 0.

    Raises:
        ValueFileError: the file is not a value of the game, or has unknown features. Names the file and the problem.
    """
    file: _File = read_json(path, _File, ValueFileError, EXPECTED)
    try:
        _check(file, game, features, stages)
    except ValueError as error:
        raise ValueFileError(f"{path} {error}; expected {EXPECTED}") from error
    unknown = [0.0] * stages
    weights = np.array([file["weights"].get(name, unknown) for name in features], np.float32).T
    return LearnedValue(np.array(file["constant"], np.float32), np.ascontiguousarray(weights))


def judge_of(game: Any, path: Path) -> np.ndarray:
    """The value in a file as a judge, (1,), for `game.turn_search` and `game.tree_search`.

    Raises:
        ValueError: the game has no such search.
        ValueFileError: the file is not a value of the game, or lacks the uncertainty of leads.
    """
    if not callable(getattr(game, "judge", None)):
        raise ValueError(f"the game {game.name!r} offers no features of positions")
    game.judge()  # may raise ValueError
    value = read_value(path, game.name, game.value_features, game.value_stages)
    spread = about_value(path).get("spread")
    if spread is None or len(spread) != game.value_stages:
        raise ValueFileError(f"{path} has no about.spread of {game.value_stages} numbers; expected {EXPECTED}")
    return filled(game, value, spread)


def filled(game: Any, value: LearnedValue, spread: Sequence[float]) -> np.ndarray:
    """The game's judge, (1,), with this value. spread: the uncertainty of a lead in points, (S,)."""
    judge: np.ndarray = game.judge()
    judge["value"]["constant"] = value.constant
    judge["value"]["weights"] = value.weights
    judge["spread"] = spread
    return judge


def about_value(path: Path) -> dict[str, Any]:
    """What the file says about how it was fitted."""
    about: dict[str, Any] = read_json(path, _File, ValueFileError, EXPECTED)["about"]
    return about


def digest_of_value(path: Path) -> str:
    """A digest that identifies the value in the file."""
    digest: str = read_json(path, _File, ValueFileError, EXPECTED)["digest"]
    return digest


def _check(file: _File, game: str, features: Sequence[str], stages: int) -> None:
    if file["format"] != FORMAT:
        raise ValueError(f"has format {shown(file['format'])}, expected {FORMAT}")
    if file["game"] != game:
        raise ValueError(f"is of the game {shown(file['game'])}, expected {game!r}")
    strange = sorted(file["weights"].keys() - set(features))
    if strange:
        raise ValueError(f"has features that the game lacks: {listed([shortened(name) for name in strange])}")
    for name, numbers in {"constant": file["constant"], **file["weights"]}.items():
        if len(numbers) != stages:
            raise ValueError(f"has {len(numbers)} numbers of {name}, expected {stages}")
    if file["digest"] != _digest(file["constant"], file["weights"]):
        raise ValueError("is damaged: its numbers do not match its digest")


def _numbers(values: np.ndarray) -> list[float]:
    """The values, with no more digits than a float32 needs."""
    return [float(f"{value:.9g}") for value in values.tolist()]


def _digest(constant: Sequence[float], weights: Mapping[str, Sequence[float]]) -> str:
    return hashlib.sha256(json.dumps([list(constant), dict(weights)], sort_keys=True).encode()).hexdigest()
