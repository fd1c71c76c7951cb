"""Moves that are played without asking anybody have lines in the log, and say nothing that is hidden."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

import all_games
import numpy as np
import pytest
from at_table import play, playing_of
from games_under_test import GAMES_AND_EXPANSION, GameMaker, chocofactory, schoko, toy

from chocofactory_env.core.agents.moves import Move, moves_of
from chocofactory_env.play.playing import Playing
from chocofactory_env.play.told import Step, lines_of
from chocofactory_env.view.views import view_of

GAMES = [case for case in GAMES_AND_EXPANSION if case.values != (toy,)]  # it has no option `play_forced`
DEALS = 4


def steps(game: Any, seed: int, every: int = 1) -> Iterator[tuple[Any, int]]:
    """Every so many positions of a random game, and the actions played in them."""
    return ((state, action) for state, action in islice(all_games.steps(game, seed), 0, None, every) if action >= 0)


def lines(game: Any, state: Any, action: int, viewer: int | None) -> list[str]:
    return list(filter(None, (line_of(game, move, viewer) for move in moves_of(game, state, action))))


def line_of(game: Any, move: Move, viewer: int | None) -> str:
    return "".join(line.words for line in lines_of(game, [Step(move, (), ())], 0, viewer))


@pytest.mark.parametrize("make_game", GAMES)
def test_each_is_the_only_legal_one_and_a_game_that_asks_for_them_has_the_same(make_game: GameMaker) -> None:
    game, asking = make_game(num_players=3), make_game(num_players=3, play_forced=False)
    forced = 0
    for state, action in chain(steps(game, 1), steps(game, 2)):
        end, other = game.clone(state), game.clone(state)
        game.apply(end, action)
        other["play_forced"], other["variant"] = 0, asking.blank_states(1)["variant"]
        for number, move in enumerate(moves_of(game, state, action)):
            legal = np.flatnonzero(asking.legal_mask(other)).tolist()
            assert move.action in legal
            assert move.forced == (number > 0)
            assert move.seat == asking.current_player(other)
            assert not move.forced or legal == [move.action]
            asking.apply(other, move.action)
            forced += move.forced
        other["play_forced"], other["variant"] = 1, end["variant"]
        assert game.to_dict(other) == game.to_dict(end)
    assert forced > 20


@pytest.mark.parametrize("make_game", GAMES)
def test_viewers_who_see_the_same_read_the_same(make_game: GameMaker) -> None:
    game = make_game(num_players=3)
    compared = 0
    for number, (state, action) in enumerate(steps(game, 2, every=3)):
        viewer = number % 3
        after = game.clone(state)
        game.apply(after, action)
        seen = view_of(game, after, viewer), lines(game, state, action, viewer)
        for seed in range(DEALS):
            dealt = game.redeal(state, viewer, seed)
            if game.current_player(dealt) != game.current_player(state) or not game.legal_mask(dealt)[action]:
                continue
            other = game.clone(dealt)
            game.apply(other, action)
            if view_of(game, other, viewer) == seen[0]:
                compared += 1
                assert lines(game, dealt, action, viewer) == seen[1]
    assert compared > 20


def test_a_sealed_bid_has_one_line_for_the_others_whether_it_was_forced_or_not() -> None:
    game, forced = schoko(num_players=2), 0
    for seed in range(4):
        for state, action in steps(game, seed):
            for move in moves_of(game, state, action)[1:]:
                if game.decode(move.action)[0] == "price":
                    forced += 1
                    assert line_of(game, move, move.seat).endswith("(forced)")
                    sealed = [line for line in lines(game, state, action, 1 - move.seat) if "sealed bid" in line]
                    assert sealed
                    assert len(set(sealed)) == len(sealed)
                    assert set(sealed) <= set(lines(game, state, action, None))
            for move in moves_of(game, state, action):
                bars = game.decode(move.action)[0] == "bars" and "bid" in line_of(game, move, move.seat)
                assert not bars or "(forced)" not in line_of(game, move, 1 - move.seat)
    assert forced > 5


def test_they_stand_in_the_log_and_are_taken_back_with_what_led_to_them() -> None:
    playing, rng = playing_of(chocofactory(num_players=1), 3), random.Random(3)
    at = 0
    while len(playing.log(0, at)) == at:
        before, at = playing.log(0, at), at + 1
        play(playing, 1, rng)
    assert [line.words.endswith("(forced)") for line in playing.log(0, at)[len(before) :]][:2] == [False, True]
    assert playing.log(0, at) == playing.log(None, at)
    playing.cut(at - 1)
    assert playing.log(0, at) == before
    assert len(playing.states) == at


@pytest.mark.parametrize("make_game", GAMES)
def test_a_record_has_the_same_log(make_game: GameMaker) -> None:
    playing = playing_of(make_game(num_players=2), 5)
    logs = {viewer: playing.log(viewer, 0) for viewer in (None, 0, 1)}
    play(playing, 120, random.Random(5))
    other = Playing.of(playing.game, playing.record(), playing.names)
    for viewer in logs:
        assert other.log(viewer, 120) == playing.log(viewer, 120)


def test_games_in_which_seats_act_beside_each_other_tell_what_was_asked_for() -> None:
    game = chocofactory(num_players=2, mode="simultaneous")
    assert all(len(moves_of(game, state, action)) == 1 for state, action in steps(game, 1, every=9))
