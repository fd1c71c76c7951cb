"""`reset(options={"state": ...})`: environments that begin with a given position."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from games_under_test import GAMES, GameMaker, pick, toy
from gymnasium.error import ResetNeeded

import chocofactory_env as cf
from chocofactory_env.core.game import Game
from chocofactory_env.envs.aec import AECGameEnv
from chocofactory_env.envs.parallel import ParallelGameEnv
from chocofactory_env.envs.seat import SeatEnv

KINDS: tuple[Callable[[Game], Any], ...] = (SeatEnv, AECGameEnv, ParallelGameEnv)


def position(game: Game, decisions: int, seed: int = 1) -> Any:
    """The position of a game of first legal actions, after so many of them."""
    state = game.new(seed)
    for _ in range(decisions):
        game.apply(state, int(game.legal_mask(state).argmax()))
    return state


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


def last_decisions(game: Game, seed: int) -> tuple[Any, int]:
    """A position of a game of random actions in which a seat has no decision left, though it goes on; and that seat."""
    state, rng = game.new(seed), np.random.default_rng(seed)
    seen: list[tuple[Any, int]] = []
    while not game.is_over(state):
        seen.append((game.clone(state), game.current_player(state)))
        game.apply(state, pick(game.legal_mask(state), rng))
    movers = [mover for _, mover in seen]
    seat = min(range(game.num_players), key=lambda seat: len(movers) - movers[::-1].index(seat))
    return seen[len(movers) - movers[::-1].index(seat)][0], seat


class Remembering:
    """Plays by what it has seen since its reset, so that a question too many changes its play."""

    def __init__(self) -> None:
        self.asked = 0

    def reset(self, seed: int) -> None:
        self.asked = seed % 7

    def __call__(self, observation: Any, mask: np.ndarray) -> int:
        self.asked += 1
        legal = np.flatnonzero(mask)
        return int(legal[self.asked % len(legal)])


@pytest.mark.parametrize("make", GAMES)
@pytest.mark.parametrize("opponents", [None, "random", Remembering], ids=["rivals", "by name", "of one's own"])
def test_a_position_without_a_decision_for_the_seat_is_refused_and_nothing_changes(
    make: GameMaker, opponents: Any
) -> None:
    game = make(num_players=3)
    state, seat = last_decisions(game, 1)

    def begun() -> Any:
        env = SeatEnv(game, seat=seat, opponents=opponents() if callable(opponents) else opponents)
        env.reset(seed=5)
        for _ in range(3):
            env.step(int(env.action_masks().argmax()))
        return env

    env, twin = begun(), begun()
    with pytest.raises(ValueError, match=rf"expected a position in which seat {seat} has decisions left, got one from"):
        env.reset(options={"state": state})
    over = False
    while not over:
        assert env.game_state.tobytes() == twin.game_state.tobytes()
        assert np.array_equal(env.action_masks(), twin.action_masks())
        action = int(env.action_masks().argmax())
        (seen, *_, over, _, info), (its, *_, also, _, told) = env.step(action), twin.step(action)
        assert np.array_equal(seen, its)
        assert over == also
    assert np.array_equal(info["scores"], told["scores"])
    assert env.reset()[0].tobytes() == twin.reset()[0].tobytes()


def test_opponents_that_cannot_be_copied_play_on_from_a_position() -> None:
    class Locked(Remembering):
        def __init__(self) -> None:
            super().__init__()
            self.lock = threading.Lock()

    game = toy(num_players=2)
    state = position(game, 5)
    seat = 1 - game.current_player(state)
    env = SeatEnv(game, seat=seat, opponents=Locked())
    env.reset(options={"state": state})
    assert game.current_player(env.game_state) == seat
    ended, seat = last_decisions(game, 1)
    env = SeatEnv(game, seat=seat, opponents=Locked())
    with pytest.raises(ValueError, match="has decisions left"):
        env.reset(options={"state": ended})
    with pytest.raises(ResetNeeded, match="no game is under way"):
        env.step(0)


def test_of_many_games_only_those_in_memory_are_looked_through() -> None:
    env = AECGameEnv("schoko", decks="generated:1-300")
    env.reset(options={"decks": "generated:200"})
    state = env.game.clone(env.game_state)
    env.reset(options={"decks": "generated:7"})
    env.reset(options={"state": state})
    assert env.infos["player_0"]["deck"] == "generated:200"
    with pytest.raises(ValueError, match="or first choose the game of the position by another reset"):
        env.reset(options={"state": cf.load("schoko", deck="generated:42").new(1)})


def test_a_choice_of_values_beside_a_position_is_refused() -> None:
    env = SeatEnv(cf.games("schoko", num_players=2, months=[6, 8]))
    env.reset(seed=1, options={"months": 8})
    with pytest.raises(TypeError, match="expected nothing beside it, got months"):
        env.reset(options={"state": env.game_state, "months": 6})
    env.reset(options={"state": env.game_state})
    assert env.game.options["months"] == 8
