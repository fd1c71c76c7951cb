"""Games, positions, observations and batches are those that were recorded."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import corpus
import pytest
from long_runs import amount

import chocofactory_env as cf

GAMES = amount("CF_RECORDED_GAMES", 1, len(corpus.SEEDS))
RECORDED = json.loads(corpus.FILE.read_text(encoding="utf-8"))
EVERY = pytest.mark.parametrize("name", corpus.VARIANTS)


@pytest.mark.slow
@EVERY
@pytest.mark.parametrize("part", [corpus.of_words, corpus.of_playouts, corpus.of_batches])
def test_play_is_what_was_recorded(name: str, part: Callable[[cf.Game], Any]) -> None:
    game = cf.load("chocofactory", **corpus.VARIANTS[name])
    assert part(game) == RECORDED[name][part.__name__.removeprefix("of_")]


@pytest.mark.slow
@EVERY
@pytest.mark.long
def test_games_are_what_was_recorded(name: str) -> None:
    game = cf.load("chocofactory", **corpus.VARIANTS[name])
    assert len(RECORDED[name]["games"]) == len(corpus.SEEDS)
    assert corpus.of_games(game, corpus.SEEDS[:GAMES]) == RECORDED[name]["games"][:GAMES]
