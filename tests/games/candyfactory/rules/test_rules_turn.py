"""Turn, in both halves."""

from __future__ import annotations

import pytest
from candyfactory_games import ALL_NUMBERS, Position, board, deck, finish_turn, hand, legal, play, step

EVERYTHING = ("keep die", "roll die")


def test_a_turn_is_a_card_a_number_a_transport_and_drawing() -> None:
    """TURN-1"""
    game, state = Position().player(0, hand=["4", "5", "6"], deck=["1", "2"]).build()
    assert legal(game, state) == {"play 4", "play 5", "play 6"}
    play(game, state, "play 4")
    finish_turn(game, state)
    assert board(state) == [4]
    assert game.current_player(state) == 1
    assert hand(state) == ["1", "5", "6"]
    assert deck(state) == ["2"]


def test_a_worker_card_has_its_number_and_leaves_the_die_alone() -> None:
    """TURN-2"""
    game, state = Position(play_forced=False).die(3).player(0, hand=["7"]).build()
    play(game, state, "play 7")
    assert step(state) == "direct"
    assert state[0]["turn"]["number"] == 7
    assert state[0]["die"] == 3


def test_a_specialist_keeps_the_die_or_must_use_what_is_rolled() -> None:
    """TURN-3, SPEC-2"""
    game, state = Position(play_forced=False).die(3).player(0, hand=["temp"]).build()
    play(game, state, "play temp")
    assert legal(game, state) == set(EVERYTHING)
    kept = game.clone(state)
    play(game, kept, "keep die")
    assert kept[0]["turn"]["number"] == 3
    assert kept[0]["die"] == 3
    faces = set()
    for seed in range(60):
        rolled = game.redeal(state, 0, seed)
        play(game, rolled, "roll die")
        assert rolled[0]["turn"]["number"] == rolled[0]["die"]
        assert not legal(game, rolled) & set(EVERYTHING)
        faces.add(int(rolled[0]["die"]))
        play(game, rolled, "bring clockwise")
        assert rolled[0]["die"] == rolled[0]["turn"]["number"]  # it stays as it lies
    assert faces == set(range(1, 9))


def test_the_transport_is_chosen_after_the_roll() -> None:
    """TURN-4"""
    game, state = Position().workers(1).player(0, hand=["temp"], coins=0).build()
    play(game, state, "play temp")
    assert not legal(game, state, "bring") | legal(game, state, "ship")
    play(game, state, "roll die")
    assert legal(game, state) == {"bring clockwise", "ship clockwise"}


def test_drawing_stops_at_three_cards_and_at_the_end_of_the_deck() -> None:
    """TURN-5"""
    game, state = Position().player(0, hand=["4", "5"], deck=["1", "2", "3"]).build()
    play(game, state, "play 4")
    finish_turn(game, state)
    assert hand(state) == ["1", "2", "5"]
    assert deck(state) == ["3"]
    game, state = Position().player(0, hand=["4", "5", "6"]).build()
    play(game, state, "play 4")
    finish_turn(game, state)
    assert hand(state) == ["5", "6"]


def test_turns_go_clockwise_past_empty_hands() -> None:
    """TURN-6"""
    game, state = (
        Position(num_players=3).player(0, hand=["4", "5"]).player(1, hand=[]).player(2, hand=["1", "2", "3"]).build()
    )
    play(game, state, "play 4")
    finish_turn(game, state)
    assert game.current_player(state) == 2
    game, state = Position(num_players=3).player(0, hand=["4", "5"]).player(1, hand=[]).player(2, hand=[]).build()
    play(game, state, "play 4")
    finish_turn(game, state)
    assert game.current_player(state) == 0
    assert hand(state) == ["5"]


@pytest.mark.parametrize("half", ["plantation", "candy"])
def test_a_half_ends_when_nobody_has_a_card_and_nobody_may_pass(half: str) -> None:
    """TURN-7"""
    game, state = Position(half).player(0, hand=["4"]).player(1, hand=["5"]).build()
    assert legal(game, state) == {"play 4"}
    play(game, state, "play 4")
    finish_turn(game, state)
    assert state[0]["half"] == (half == "candy")
    assert legal(game, state) == {"play 5"}
    play(game, state, "play 5")
    finish_turn(game, state)
    assert game.is_over(state) if half == "candy" else state[0]["half"] == 1


def test_played_specialists_stay_open_until_the_transition() -> None:
    """TURN-8"""
    game, state = Position().player(0, hand=["temp"]).player(1, hand=["5"]).die(1).build()
    play(game, state, "play temp")
    assert state[0]["seats"][0]["played"].tolist() == [1, 0, 0, 0, 0, 0, 0]
    finish_turn(game, state)
    assert state[0]["seats"][0]["played"].tolist() == [1, 0, 0, 0, 0, 0, 0]
    play(game, state, "play 5")
    finish_turn(game, state)
    assert state[0]["half"] == 1
    assert not state[0]["seats"][0]["played"].any()
    assert sorted(hand(state) + deck(state)) == [*ALL_NUMBERS, "temp"]  # kept in a free berth
