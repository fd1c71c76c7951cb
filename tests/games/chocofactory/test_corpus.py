"""Games, positions, observations and batches are those that were recorded."""

import json

import corpus
import pytest

import chocofactory_env as cf

RECORDED = json.loads(corpus.FILE.read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize("name", corpus.VARIANTS)
@pytest.mark.parametrize("part", [corpus.of_words, corpus.of_games, corpus.of_playouts, corpus.of_batches])
def test_play_is_what_was_recorded(name, part):
    game = cf.load("chocofactory", **corpus.VARIANTS[name])
    assert part(game) == RECORDED[name][part.__name__.removeprefix("of_")]
