"""COCOA-4: sealed bids are made at once in joint steps, with the same result as one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from games_under_test import schoko
from joint_games import joint_games, played_in_turns
from long_runs import amount

from chocofactory_env.core.jit import COMPILED
from chocofactory_env.games.schoko.constants import Task

GAMES = amount("CF_GAMES", 300, 5_000) if COMPILED else 1
OPTIONS: list[dict[str, Any]] = [{"num_players": 2}, {"num_players": 4}, {"num_players": 3, "play_forced": False}]
EVERY = pytest.mark.parametrize("options", OPTIONS if COMPILED else OPTIONS[:1], ids=str)
BIDS = (Task.BID_BARS, Task.BID_PRICE)


def in_player_order(states: np.ndarray, seats: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    bidding = np.isin(states["task"], BIDS)
    place = (seats - states["leader"][:, None]) % len(seats)
    return np.where(bidding, 1 + states["city"], 0), np.where(bidding[:, None], place, 0)


@EVERY
@pytest.mark.long
def test_the_same_bids_have_the_same_result_as_one_after_the_other(options: dict[str, Any]) -> None:
    game, seeds = schoko(**options), range(GAMES)
    ends, decisions, steps = joint_games(game, seeds, in_player_order)
    assert ends.tobytes() == played_in_turns(game, seeds, decisions).tobytes()
    assert not ends["named"].any()
    assert steps < len(decisions) / GAMES * 4, "games differ in length, and the longest counts"


def bids_under_way(num_players: int = 3) -> tuple[Any, np.ndarray]:
    """A position in which all have named bars, and lack a price."""
    game, rng = schoko(num_players=num_players), np.random.default_rng(0)
    for seed in range(100):
        state = game.new(seed)
        masks = np.zeros((num_players, game.num_actions + 1), np.int8)
        game.write_joint_masks(state, masks)
        while not game.is_over(state):
            task = int(state["task"][0])
            last = [int(np.flatnonzero(mask)[-1]) for mask in masks]  # as many bars as possible
            actions = last if task == Task.BID_BARS else [int(rng.choice(np.flatnonzero(mask))) for mask in masks]
            game.advance_jointly(state, np.array(actions), masks)
            if task == Task.BID_BARS and (masks[:, -1] == 0).all():
                return game, state
    raise AssertionError("no such position")


def test_all_name_bars_then_all_name_prices() -> None:
    game, state = bids_under_way()
    assert state["named"][0] == 0b111
    for seat in range(3):
        alone = game.clone(state)
        game.ask_seat(alone, seat)
        assert game.current_player(alone) == seat
        assert alone["task"][0] == Task.BID_PRICE
        seen = game.observe(alone, seat)
        assert seen["own_bid"].any()
        assert seen["task"].argmax() == Task.BID_PRICE
        for other in {0, 1, 2} - {seat}:
            assert not game.observe(alone, other)["task"].any(), "sealed"


def test_others_bids_are_drawn_afresh_where_seats_bid_beside_each_other() -> None:
    """SEE-5"""
    game, state = bids_under_way()
    city = int(state["city"][0])
    for seat in range(3):
        game.ask_seat(state, seat)
        own, drawn = int(state["players"]["bid_bars"][0, seat, city]), set()
        for seed in range(40 if COMPILED else 8):
            dealt = game.redeal(state, seat, seed)
            bars = dealt["players"]["bid_bars"][0, :3, city].tolist()
            assert bars[seat] == own
            drawn.add(tuple(bars))
            assert game.observe(dealt, seat).flat.tolist() == game.observe(state, seat).flat.tolist()
            game.random_playout(dealt, seed)
        assert len(drawn) > 5
