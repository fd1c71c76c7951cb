"""Games, positions, observations and batches are those that were recorded."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import corpus
import pytest

import chocofactory_env as cf

RECORDED = json.loads(corpus.FILE.read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize("name", corpus.VARIANTS)
@pytest.mark.parametrize("part", [corpus.of_words, corpus.of_games, corpus.of_playouts, corpus.of_batches])
def test_play_is_what_was_recorded(name: str, part: Callable[[cf.Game], Any]) -> None:
    game = cf.load("chocofactory", **corpus.VARIANTS[name])
    assert part(game) == RECORDED[name][part.__name__.removeprefix("of_")]
