"""In every environment of every game an illegal action is refused without effect, ends the game, or costs a little."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from games_under_test import GAMES, GameMaker

import chocofactory_env as cf
from chocofactory_env.envs.aec import AECGameEnv
from chocofactory_env.envs.parallel import ParallelGameEnv
from chocofactory_env.envs.seat import SeatEnv
from chocofactory_env.envs.vector import SeatVectorEnv

ROWS, ROW = 3, 2  # of many games, and the one whose action is tried
EVERY_GAME = pytest.mark.parametrize("make", GAMES)


class Tried:
    """An environment after a reset, in which the seat to move tries actions."""

    def __init__(self, kind: Callable[..., Any], game: Any, **options: Any) -> None:
        self.env = kind(game, **options)
        self.env.reset(seed=1)
        many = hasattr(self.env, "_batch")
        self.state = self.env.state(ROW) if many else self.env.game_state
        self.mask = game.legal_mask(self.state)
        self.mover = game.current_player(self.state)
        self.rest = self.env.action_masks().argmax(axis=1).tolist() if kind is SeatVectorEnv else None
        if kind is cf.SelfPlayBatch:
            self.rest = self.env.buffers.action_masks.argmax(axis=1).tolist()

    def step(self, action: Any) -> Any:
        if self.rest is not None:
            return self.env.step(np.array([*self.rest[:ROW], action]))
        if isinstance(self.env, ParallelGameEnv):
            waits = dict.fromkeys(self.env.agents, self.env.wait)
            return self.env.step({**waits, f"player_{self.mover}": action})
        return self.env.step(action)

    def position(self) -> bytes:
        position: bytes = (self.env._batch.states if self.rest is not None else self.env.game_state).tobytes()
        return position


KINDS: dict[str, Callable[..., Any]] = {
    "AEC": lambda game: Tried(AECGameEnv, game),
    "parallel": lambda game: Tried(ParallelGameEnv, game, illegal_action="raise"),
    "seat": lambda game: Tried(SeatEnv, game, illegal_action="raise"),
    "seats": lambda game: Tried(SeatVectorEnv, game, num_envs=ROWS, illegal_action="raise"),
    "batch": lambda game: Tried(cf.SelfPlayBatch, game, num_envs=ROWS),
}


@EVERY_GAME
@pytest.mark.parametrize("kind", KINDS)
def test_a_refused_action_changes_nothing(make: GameMaker, kind: str) -> None:
    game = make(num_players=2)
    tried = KINDS[kind](game)
    before, illegal = tried.position(), int(tried.mask.argmin())
    where = f"^game {ROW}: " if kind == "batch" else ""
    for action in (illegal, np.int64(illegal), -1, game.num_actions + 1, 10**6):
        said = rf"{where}illegal action {action}\b.*(legal: \d|expected 0 to \d)"
        with pytest.raises(cf.IllegalActionError, match=said):
            tried.step(action)
    for no_action in (None, 0.5, "1"):
        with pytest.raises(TypeError, match="integer"):
            tried.step(no_action)
    with pytest.raises((TypeError, ValueError)):
        tried.step(np.array([0, 1]))
    assert tried.position() == before
    tried.step(np.int32(tried.mask.argmax()))
    assert tried.position() != before


@EVERY_GAME
def test_an_illegal_action_can_end_the_game_for_all(make: GameMaker) -> None:
    for kind in (AECGameEnv, ParallelGameEnv):
        tried = Tried(kind, make(num_players=3), illegal_action="terminate")
        seen = tried.step(int(tried.mask.argmin()))
        env = tried.env
        _, rewards, over, _, infos = seen or (0, dict(env.rewards), env.terminations, 0, env.infos)
        offender = f"player_{tried.mover}"
        assert rewards == {agent: -1.0 if agent == offender else 0.0 for agent in env.possible_agents}
        assert all(over.values())
        assert {agent for agent, info in infos.items() if info.get("illegal_action")} == {offender}
        if kind is AECGameEnv:
            for agent in env.agent_iter():
                assert env.last()[1] == rewards[agent]
                env.step(None)
        assert env.agents == []


@EVERY_GAME
def test_to_one_seat_an_illegal_action_costs_a_little_or_ends_the_game(make: GameMaker) -> None:
    tried = Tried(SeatEnv, make(num_players=2))
    before, illegal = tried.position(), int(tried.mask.argmin())
    seen = tried.env.game.observe(tried.state, tried.mover).flat
    again, *rest, info = tried.step(illegal)
    assert rest == [-0.01, False, False]
    assert info["illegal_action"] is True
    assert np.array_equal(again, seen)
    assert np.array_equal(info["action_mask"], tried.mask)
    for action in (-1, tried.env.game.num_actions):
        with pytest.raises(cf.IllegalActionError, match="no such action"):
            tried.step(action)
    assert tried.position() == before
    tried = Tried(SeatEnv, make(num_players=2), illegal_action="terminate")
    _, *rest, info = tried.step(illegal)
    assert rest == [-1.0, True, False]
    assert (info["illegal_action"], info["score"], info["won"]) == (True, 0, False)
    assert info["action_mask"].all()


def test_of_seats_that_decide_together_each_that_errs_pays() -> None:
    tried = Tried(ParallelGameEnv, cf.load("chocofactory", num_players=2, mode="simultaneous"))
    legal, mover, other = int(tried.mask.argmax()), f"player_{tried.mover}", f"player_{1 - tried.mover}"
    assert tried.env.step({mover: legal, other: legal})[1] == {mover: 0.0, other: -1.0}
    tried.env.reset(seed=1)
    _, rewards, _, _, infos = tried.env.step({mover: tried.env.wait, other: legal})
    assert rewards == {mover: -1.0, other: -1.0}
    assert all(info["illegal_action"] for info in infos.values())
