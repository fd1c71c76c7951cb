"""The game as environments and agents rely on it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from candy_games import VARIANTS, steps, variant_name
from candy_positions import load

import chocofactory_env as cf
from chocofactory_env.testing import check_game

EVERY = pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
MOST_DECISIONS = 3_000


@pytest.mark.slow
@EVERY
def test_the_game_keeps_what_every_game_promises(options: dict[str, Any]) -> None:
    check_game(load(**options), seeds=range(3), max_actions=MOST_DECISIONS, dice=["roll_die"])


@pytest.mark.slow
@EVERY
def test_random_games_end_within_the_bound(options: dict[str, Any]) -> None:
    game, draw = load(**options), np.random.default_rng(0)
    mask = np.empty(game.num_actions, np.int8)
    for seed in range(50):
        state, number = game.new(seed), 0
        game.write_mask(state, mask)
        while not game.is_over(state):
            game.advance(state, int(draw.choice(np.flatnonzero(mask))), mask)
            number += 1
        assert number < MOST_DECISIONS


@EVERY
def test_nothing_is_lost_and_nothing_is_added(options: dict[str, Any]) -> None:
    """START-2, ROOM-1, ROOM-2, SPEC-12, CANDY-7, TURN-5: the laws of conservation, after every step."""
    game = load(**options)
    deck = game.cards.record
    for state, _ in steps(game, seed=4):
        row, seats = state[0], state[0]["seats"][: game.num_players]
        goods, stacks = seats["goods"].astype(int), seats["stacks"].astype(int)
        aboard = goods.sum(axis=(0, 1))
        supply = row["supply"].tolist()
        assert supply[0] + aboard[0] == 30
        assert supply[1] + aboard[1] + aboard[2] == 30
        assert supply[2] + seats["coins"].sum() + seats["whistle"].sum() == 15
        assert row["workers"] == row["board"].sum()
        for place, recipe in enumerate(row["recipes"].tolist()):
            tokens = 6 if recipe >= 0 else 0
            assert row["tokens"][place] + aboard[3 + place] + aboard[8 + place] == tokens
        assert (2 * stacks <= goods).all()
        assert np.array_equal(seats["free"], deck.places - goods.sum(axis=2) + stacks.sum(axis=2))
        assert (seats["free"] >= 0).all()
        assert not goods[:, 1:, 1].any()
        assert not goods[:, :, 1].any() or row["half"] == 0
        if row["step"] == 1:
            assert all(seat["hand_size"] == 3 or seat["deck_size"] == 0 for seat in seats[[row["current"]]])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_players": 1}, "num_players: expected 2 to 4, got 1"),
        ({"game": "short"}, "game: expected one of "),
        ({"game": ["full"]}, "game: expected one of "),
        ({"start_player": 2}, "start_player: expected 0 to 1"),
    ],
)
def test_options_with_bad_values_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        cf.load("candyfactory", **options)


def test_unknown_options_are_refused_with_those_that_there_are() -> None:
    with pytest.raises(TypeError, match="deck, num_players, game, start_player, play_forced"):
        cf.load("candyfactory", seats=3)


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
        for state, action in steps(game, seed=1):
            inside = action >= 0 and state[0]["step"] in range(2, 9)
            single += bool(inside and game.legal_mask(state).sum() == 1)
        lengths.append(single)
    assert lengths[0] == 0 < lengths[1]


def test_module_route() -> None:
    from chocofactory_env import candyfactory_v0

    env = candyfactory_v0.env(num_players=3, game="candy")
    env.reset(seed=1)
    assert env.num_agents == 3
    assert env.observe(env.agent_selection)["action_mask"].any()
