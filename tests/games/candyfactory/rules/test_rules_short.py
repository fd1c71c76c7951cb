"""Shorter games."""

from __future__ import annotations

from collections import Counter

import numpy as np
from candyfactory_games import goods, legal, load, play, specialist_deck, step, supply


def test_the_candy_factory_alone_hands_out_a_set_without_goods() -> None:
    """SHORT-3, START-7"""
    game = load(game="candy", num_players=3)
    state = game.new(seed=3)
    assert supply(state) == {"sugar": 30, "cacao": 30, "coins": 12}
    assert specialist_deck(state) == []
    for seat in range(3):
        assert goods(game, state, seat) == {}
        assert state[0]["seats"][seat]["coins"] == 1
    assert (state[0]["recipes"] >= 0).sum() == 4
    assert state[0]["half"] == 1


def test_seven_sugar_and_four_chocolate_are_loaded_before_the_first_turn() -> None:
    """SHORT-5, SHORT-6"""
    game, draw = load(game="candy", num_players=3), np.random.default_rng(1)
    state = game.new(seed=5)
    start, asked = game.current_player(state), []
    while step(state) == "load":
        asked.append(game.current_player(state))
        assert legal(game, state) <= {f"truck {truck}" for truck in range(4)}
        before = supply(state)
        game.apply(state, int(draw.choice(np.flatnonzero(game.legal_mask(state)))))
        assert sum(before.values()) - sum(supply(state).values()) == 1  # good by good
    assert asked == [seat for place in range(3) for seat in [(start + place) % 3] * 11]
    assert game.current_player(state) == start
    assert step(state) == "play"
    assert supply(state) == {"sugar": 30 - 21, "cacao": 30 - 12, "coins": 12}
    for seat in range(3):
        aboard = Counter[str]()
        for truck in range(4):
            aboard.update(goods(game, state, seat, f"truck {truck}"))
        assert aboard == {"sugar": 7, "chocolate": 4}


def test_a_loading_has_one_sequence_and_no_dead_end() -> None:
    """SHORT-5: all ways to load sugar are reached, each once."""
    game = load(game="candy", num_players=2)
    todo, found = [game.new(seed=1)], []
    while todo:
        state = todo.pop()
        seat = game.current_player(state)
        if state[0]["turn"]["to_load"][0] == 0:
            found.append(tuple(goods(game, state, seat, f"truck {truck}").get("sugar", 0) for truck in range(4)))
            continue
        for words in legal(game, state):
            after = game.clone(state)
            play(game, after, words)
            todo.append(after)
    sizes = (5, 3, 4, 3)
    every = [load for load in np.ndindex(*(size + 1 for size in sizes)) if sum(load) == 7]
    assert sorted(found) == every
