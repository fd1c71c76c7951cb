"""Setup and Prepare."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from chocofactory_games import KINDS, STORES, Position, load, play, player_of

from chocofactory_env.core.jit import COMPILED


@pytest.mark.skipif(not COMPILED, reason="deals 400 games")
def test_random_sides_are_drawn_by_the_seed() -> None:
    """SET-5"""
    game = load(num_players=2, sides="random")
    drawn = {"".join(game.to_dict(game.new(seed))["sides"].values()) for seed in range(200)}
    assert len(drawn) > 25
    assert drawn == {"".join(game.to_dict(game.new(seed))["sides"].values()) for seed in range(200)}


@pytest.mark.skipif(not COMPILED, reason="deals 400 games")
def test_the_start_player_is_drawn_unless_an_option_fixes_it() -> None:
    """SET-8"""
    game = load(num_players=4)
    drawn = Counter(game.to_dict(game.new(seed))["start_player"] for seed in range(400))
    assert set(drawn) == {0, 1, 2, 3}
    assert min(drawn.values()) > 60
    fixed = load(num_players=4, start_player=2)
    assert {fixed.to_dict(fixed.new(seed))["start_player"] for seed in range(20)} == {2}


def test_pieces_and_coal_do_not_run_out() -> None:
    """SET-9: far more than the box holds."""
    plenty = dict.fromkeys(KINDS, 100)
    game, state = Position().phase("run").player(0, coal=300, store_room=plenty, belt={1: plenty}).build()
    play(game, state, "trade boxed", "operate slot 1", "take cocoa", "make chunks")
    assert player_of(game, state)["coal"] == 300


def test_coal_comes_every_day_and_what_is_left_is_kept() -> None:
    """PREP-1"""
    game, state = Position(num_players=2).phase("cleanup", current=1, day=1).player(0, coal=3).player(1, coal=0).build()
    play(game, state, "finish cleanup")
    assert [player_of(game, state, seat)["coal"] for seat in (0, 1)] == [9, 6]
    assert game.cards.array["coal"][0].tolist() == [5, 6, 7, 8, 9, 10]


@pytest.mark.skipif(not COMPILED, reason="deals 500 games")
def test_the_employees_of_a_day_are_mixed_before_they_are_laid_out() -> None:
    """PREP-3"""
    game = load(num_players=2)
    first = Counter(game.to_dict(game.new(seed))["mix"][0][0] for seed in range(500))
    assert set(first) == set(STORES)
    assert min(first.values()) > 60


@pytest.mark.skipif(not COMPILED, reason="deals 1,500 games")
def test_shuffled_decks_have_no_preferred_card_on_top() -> None:
    """SET-2: 15 cards, 1,500 deals, so about 100 times each."""
    game = load(num_players=2)
    state = game.new(0)
    tops: Counter[int] = Counter()
    for _ in range(1500):
        tops[int(state["display_parts"][0, 0])] += 1
        game.renew(state)
    assert len(tops) == 15
    assert np.abs(np.array(list(tops.values())) - 100).max() < 45
