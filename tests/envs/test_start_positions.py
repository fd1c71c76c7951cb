"""`reset(options={"state": ...})`: environments that begin with a given position."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from games_under_test import GAMES, GameMaker, toy

import chocofactory_env as cf
from chocofactory_env.core.game import Game
from chocofactory_env.envs.aec import AECGameEnv
from chocofactory_env.envs.parallel import ParallelGameEnv
from chocofactory_env.envs.solo import SoloEnv
from chocofactory_env.envs.versus import VersusEnv

KINDS: tuple[Callable[[Game], Any], ...] = (VersusEnv, AECGameEnv, ParallelGameEnv)


def position(game: Game, decisions: int, seed: int = 1) -> Any:
    """The position of a game of first legal actions, after so many of them."""
    state = game.new(seed)
    for _ in range(decisions):
        game.apply(state, int(game.legal_mask(state).argmax()))
    return state


@pytest.mark.parametrize("make", GAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_an_environment_plays_on_from_a_copy_of_the_position(make: GameMaker, kind: Callable[[Game], Any]) -> None:
    game = make(num_players=2)
    state = position(game, 5)
    kept = state.tobytes()
    env = kind(game)
    env.reset(seed=9)
    begun = env.reset(options={"state": state})
    assert env.game_state.tobytes() == kept
    if isinstance(env, ParallelGameEnv):
        env.step({agent: int(seen["action_mask"].argmax()) for agent, seen in begun[0].items()})
    else:
        env.step(int(game.legal_mask(state).argmax()))
    assert env.game_state.tobytes() != kept
    assert state.tobytes() == kept


@pytest.mark.parametrize("make", GAMES)
def test_the_agent_to_move_is_that_of_the_position(make: GameMaker) -> None:
    game = make(num_players=3)
    for decisions in range(6):
        state = position(game, decisions)
        mover = game.current_player(state)
        aec, versus = AECGameEnv(game), VersusEnv(game)
        aec.reset(options={"state": state})
        _, info = versus.reset(options={"state": state})
        assert aec.agent_selection == f"player_{mover}"
        assert versus.seat == mover
        np.testing.assert_array_equal(info["action_mask"], game.legal_mask(state))


def test_opponents_move_up_to_a_fixed_seat() -> None:
    game = toy(num_players=2)
    state = position(game, 5)
    seat = 1 - game.current_player(state)
    env = VersusEnv(game, seat=seat)
    env.reset(options={"state": state})
    assert env.seat == seat == game.current_player(env.game_state)


def test_the_solo_game_ends_as_from_the_position_and_shaped_rewards_begin_there() -> None:
    game = cf.load("chocofactory", num_players=1)
    state = position(game, 40)
    env = SoloEnv(game, reward="shaped")
    _, info = env.reset(options={"state": state})
    before, total, over = int(game.standings(state)[0]), 0.0, False
    after = game.clone(state)
    while not over:
        action = int(info["action_mask"].argmax())
        game.apply(after, action)
        _, reward, over, _, info = env.step(action)
        total += reward
    assert info["score"] == game.scores(after)[0] == before + total


def test_the_game_after_it_is_dealt() -> None:
    game = toy(num_players=2)
    env = VersusEnv(game)
    env.reset(options={"state": position(game, 5)})
    env.reset(seed=3)
    assert game.seed_of(env.game_state) == 3


@pytest.mark.parametrize("kind", KINDS)
def test_what_cannot_be_played_on_from_is_refused_and_nothing_changes(kind: Callable[[Game], Any]) -> None:
    game = toy(num_players=2)
    state = position(game, 5)
    ended = game.clone(state)
    while not game.is_over(ended):
        game.apply(ended, int(game.legal_mask(ended).argmax()))
    env = kind(game)
    env.reset(options={"state": state})
    kept = env.game_state.tobytes()
    refused: tuple[tuple[int | None, Any, type[Exception], str], ...] = (
        (None, ended, ValueError, "got one whose game is over"),
        (None, toy(num_players=3).new(1), ValueError, "^state: expected one position of this variant"),
        (None, "position", TypeError, "^state: expected a position of"),
        (7, state, TypeError, "expected nothing beside it, got a seed"),
    )
    for seed, given, error, message in refused:
        with pytest.raises(error, match=message):
            env.reset(seed=seed, options={"state": given})
        assert env.game_state.tobytes() == kept


def test_a_choice_of_values_beside_a_position_is_refused() -> None:
    env = VersusEnv("schoko", months=[6, 8])
    env.reset(seed=1, options={"months": 8})
    with pytest.raises(TypeError, match="expected nothing beside it, got months"):
        env.reset(options={"state": env.game_state, "months": 6})
    env.reset(options={"state": env.game_state})
    assert env.game.options["months"] == 8
