"""Close of the plantation, and transition."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from candyfactory_games import (
    ALL_NUMBERS,
    Position,
    board,
    deck,
    finish_turn,
    goods,
    hand,
    legal,
    load,
    play,
    step,
    supply,
)


def full_but(places: int) -> dict[int, dict[str, int]]:
    """Trucks with so many free places, the last ones."""
    aboard = {}
    for truck, room in reversed(list(enumerate((5, 3, 4, 3)))):
        empty = min(places, room)
        aboard[truck], places = {"sugar": room - empty}, places - empty
    return aboard


def close(table: Position) -> tuple[Any, np.ndarray]:
    """The last turn of the plantation is over; seat 1 had it."""
    game, state = table.player(1, hand=["4"]).build()
    state["current"] = 1
    play(game, state, "play 4")
    finish_turn(game, state)
    return game, state


@pytest.mark.parametrize("seed", range(3))
def test_turns_of_the_halves_follow_recruits_and_kept_cards(seed: int) -> None:
    """CLOSE-1, TRANS-2: 9 turns and one more for every recruit, then 8 and one more for every card kept."""
    game, draw = load(num_players=3), np.random.default_rng(seed)
    state, turns, more = game.new(seed), Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    while not game.is_over(state):
        seat, half = game.current_player(state), int(state[0]["half"])
        action = int(draw.choice(np.flatnonzero(game.legal_mask(state))))
        verb = game.decode(action)[0]
        turns[half, seat] += verb == "play"
        more[half, seat] += verb == "hire"
        game.apply(state, action)
        if half == 0 and state[0]["half"] == 1:
            for number, player in enumerate(state[0]["seats"][:3]):
                more[1, number] = int(player["unplayed"][8:].sum())
                berths = np.minimum(player["free"], game.cards.record.berths).sum()
                assert more[1, number] == min(1 + more[0, number], berths)
    assert all(turns[0, seat] >= 9 for seat in range(3))
    assert turns == {(half, seat): (9, 8)[half] + more[half, seat] for half in (0, 1) for seat in range(3)}


def test_workers_goods_and_whistle_coins_return_and_what_is_aboard_stays() -> None:
    """TRANS-1: the tenth situation."""
    table = Position().workers(1, 5).player(0, hand=[], warehouse={"sugar": 2, "cacao": 1, "chocolate": 3}, whistle=1)
    game, state = close(table.player(0, coins=3, trucks={2: {"sugar": 1, "chocolate": 1}}))
    assert board(state) == []
    assert goods(game, state) == {} == goods(game, state, 1)
    assert goods(game, state, 0, "truck 2") == {"sugar": 1, "chocolate": 1}
    assert supply(state) == {"sugar": 29, "cacao": 29, "coins": 15 - 3 - 1}
    assert state[0]["seats"]["coins"][:2].tolist() == [3, 1]
    assert not state[0]["seats"]["whistle"].any()


def test_seats_decide_clockwise_from_who_starts_and_only_those_with_a_surplus() -> None:
    """TRANS-3, TRANS-5"""
    table = Position(num_players=4).player(0, hand=[], warehouse={}, trucks=full_but(0), played=["temp"])
    table.player(2, hand=[], warehouse={}, trucks=full_but(0), played=["temp", "runner"])
    table.player(3, hand=[], warehouse={}).player(1, hand=["4"], warehouse={}, played=["temp"])
    game, state = table.build()
    state["current"] = 1
    play(game, state, "play 4")
    finish_turn(game, state)
    asked = []
    while step(state) == "dismiss":
        asked.append(game.current_player(state))
        play(game, state, max(legal(game, state)))
    assert asked == [2, 2, 0]
    assert game.current_player(state) == 1


def test_dismissals_name_every_set_of_cards_once() -> None:
    """TRANS-3"""
    played = ["temp", "sorter", "sorter", "packer"]
    trucks = {0: {"sugar": 5}, 1: {"sugar": 3}, 2: {"sugar": 3}, 3: {"sugar": 2}}  # two berths are free
    game, start = close(Position().player(0, hand=[], warehouse={}, trucks=trucks, played=played))
    results, todo = [], [start]
    while todo:
        state = todo.pop()
        if step(state) != "dismiss":
            results.append(tuple(sorted(set(hand(state) + deck(state)) - set(ALL_NUMBERS))))
            continue
        for words in legal(game, state):
            after = game.clone(state)
            play(game, after, words)
            todo.append(after)
    assert len(results) == 4  # temp + sorter, temp + packer, sorter + packer, two sorters
    assert set(results) == {("sorter", "temp"), ("packer", "temp"), ("packer", "sorter"), ("sorter",)}


def test_kept_cards_are_shuffled_with_the_workers_and_three_are_drawn() -> None:
    """TRANS-4, TRANS-5: the temp is in the hand only if it is drawn; the die is rolled; the last mover begins."""
    hands, faces = Counter[bool](), set()
    for seed in range(60):
        game, state = close(Position(seed=seed).player(0, hand=[], played=["temp", "sorter"]))
        assert state[0]["half"] == 1
        assert game.current_player(state) == 1
        assert len(hand(state)) == 3
        assert len(deck(state)) == 7
        assert len(deck(state, 1)) == 5
        assert Counter(hand(state) + deck(state)) == Counter([*ALL_NUMBERS, "temp", "sorter"])
        hands["temp" in hand(state)] += 1
        faces.add(int(state[0]["die"]))
    assert hands[True]
    assert hands[False] > hands[True]
    assert len(faces) == 8
