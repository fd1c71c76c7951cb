"""Options, words, and how forced answers are played."""

from __future__ import annotations

import numpy as np
from candyfactory_games import load, steps

import chocofactory_env as cf


def test_options_are_plain_and_say_the_defaults() -> None:
    assert cf.load("candyfactory", num_players=np.int64(3)).options == {
        "num_players": 3,
        "game": "full",
        "start_player": None,
        "play_forced": True,
        "deck": None,
    }


def test_messages_say_when_it_is() -> None:
    game = load(num_players=2)
    assert game.when(game.new(1)) == "plantation half, play"


def test_single_answers_inside_a_turn_are_played_unless_the_option_says_no() -> None:
    lengths = []
    for play_forced in (True, False):
        game = load(num_players=3, play_forced=play_forced)
        single = 0
        for state, action in steps(game, 1):
            inside = action >= 0 and state[0]["step"] in range(2, 9)
            single += bool(inside and game.legal_mask(state).sum() == 1)
        lengths.append(single)
    assert lengths[0] == 0 < lengths[1]
