"""Moves as seats may know them: what they say, what they hide, and who is told of them."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from all_games import load, steps
from at_table import play, playing_of

import chocofactory_env as cf
from chocofactory_env.agents.readers import Messages, ReadingAgent
from chocofactory_env.arena.games import Entrant, play_game
from chocofactory_env.core.agents.moves import moves_of
from chocofactory_env.envs.seat import SeatEnv
from chocofactory_env.play.session import Mind, choose

VARIANTS = [
    ("chocofactory", {"num_players": 2, "expansion": "master_chocolatier"}),
    ("candyfactory", {"num_players": 3}),
    ("schoko", {"num_players": 4}),
    ("schoko", {"num_players": 2, "play_forced": True}),
]


class Listener:
    """Plays the first legal action, and writes down what it is told."""

    def __init__(self) -> None:
        self.told: list[cf.SeenMove] = []

    def reset(self, seed: int) -> None:
        self.told = []

    def observe_move(self, move: cf.SeenMove) -> None:
        self.told.append(move)

    def __call__(self, observation: Any, mask: np.ndarray) -> int:
        return int(mask.argmax())


class Echo(ReadingAgent):
    """Answers with the first legal move, and writes down what it is asked."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.asked: list[str] = []

    def answer(self, messages: Messages, state: Any, player: int) -> str:
        self.asked.append(messages[-1]["content"])
        return str(self._game.legal_mask(state).argmax())


def positions(name: str, options: dict[str, Any]) -> Any:
    """Positions of a random game, and the action played in each."""
    game = load(name, **options)
    return ((game, state, action) for state, action in steps(game, 3) if action >= 0)


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_a_seat_knows_its_own_moves_and_of_others_what_its_words_say(name: str, options: dict[str, Any]) -> None:
    hidden = 0
    for game, state, action in positions(name, options):
        mover = game.current_player(state)
        (own, *forced) = cf.seen_moves(game, state, action, mover)
        assert (own.seat, own.action, own.forced) == (mover, action, False)
        assert all(move.forced for move in forced)
        for viewer in set(range(game.num_players)) - {mover}:
            moves = [
                move for move in moves_of(game, state, action) if game.move_in_words(move.state, move.action, viewer)
            ]
            seen = cf.seen_moves(game, state, action, viewer)
            assert [(move.seat, move.forced) for move in seen] == [(move.seat, move.forced) for move in moves]
            assert all(one.action in (None, move.action) for one, move in zip(seen, moves, strict=True))
            hidden += not seen or any(move.action is None for move in seen)
    assert (hidden > 0) == (name != "chocofactory")  # which has neither hands nor sealed choices


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_what_a_seat_is_told_does_not_depend_on_what_it_cannot_know(name: str, options: dict[str, Any]) -> None:
    compared = 0
    for number, (game, state, action) in enumerate(positions(name, options)):
        mover = game.current_player(state)
        for viewer in set(range(game.num_players)) - {mover}:
            seen = [move for move in cf.seen_moves(game, state, action, viewer) if not move.forced]
            other = game.redeal(state, viewer, seed=number)
            if not seen or game.current_player(other) != mover:
                continue
            if seen[0].action is not None:  # it could be chosen in every deal that the viewer holds for possible
                assert game.legal_mask(other)[action]
                compared += 1
            elif seen[0].words != game.move_in_words(state, action, mover) and game.legal_mask(other)[action]:
                assert cf.seen_moves(game, other, action, viewer)[0] == seen[0]  # a sealed choice
                compared += 1
    assert compared > 20


def expected(game: Any, seed: int, actions: list[int], seat: int) -> list[cf.SeenMove]:
    state, seen = game.new(seed), []
    for action in actions:
        seen += cf.seen_moves(game, state, action, seat)
        game.apply(state, action)
    return seen


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_a_recording_tells_every_move(name: str, options: dict[str, Any]) -> None:
    game = cf.load(name, **options)
    agents = [Listener() for _ in range(game.num_players)]
    record = cf.record_game(game, agents, seed=5)
    actions = record.actions
    for seat, agent in enumerate(agents):
        assert agent.told == expected(game, 5, actions, seat)


def test_a_match_tells_every_move_by_seat() -> None:
    game = cf.load("schoko", num_players=3)
    agents = [Listener() for _ in range(3)]
    play_game(game, [Entrant(str(number), agent) for number, agent in enumerate(agents)], seed=5, rotation=1)
    record = cf.record_game(game, [Listener() for _ in range(3)], seed=5)
    for number, agent in enumerate(agents):
        seat = (number + 1) % 3
        assert agent.told == expected(game, 5, record.actions, seat)


def test_opponents_of_a_versus_environment_are_told_from_the_deal_on() -> None:
    game = cf.load("schoko", num_players=3)
    agents = [Listener(), Listener()]
    env = SeatEnv(game, opponents=agents, seat=1)
    for seed in (8, 9):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            _, _, over, _, info = env.step(int(info["action_mask"].argmax()))
        record = cf.record_game(game, [Listener() for _ in range(3)], seed=seed)
        for seat, agent in zip((2, 0), agents, strict=True):
            assert agent.told == expected(game, seed, record.actions, seat)


def test_an_agent_at_the_table_is_told_what_it_missed() -> None:
    game, listener = cf.load("schoko", num_players=2), Listener()
    playing, mind = playing_of(game, seed=5), Mind(listener)
    for actions in (20, 15):
        play(playing, actions, random.Random(4))
        while playing.mover != 1:
            play(playing, 1, random.Random(4))
        choose(playing, 1, mind, game.clone(playing.state))
        assert listener.told == expected(game, 5, playing.actions, 1)
        assert mind.told == len(playing.actions)


def test_readers_are_told_what_others_did_since_their_last_move() -> None:
    game = cf.load("chocofactory", num_players=2)
    reader = Echo(game)
    record = cf.record_game(game, [Listener(), reader], seed=2, max_actions=40)
    state, since, asked = game.new(2), list[str](), iter(reader.asked)
    for action in record.actions:
        if game.current_player(state) == 0:
            since += [move.words for move in cf.seen_moves(game, state, action, 1)]
        elif game.legal_mask(state).sum() > 1:
            assert next(asked) == game.prompt(state, 1, since, rules=False)
            since = []
        game.apply(state, action)
    assert len(reader.asked) > 5
