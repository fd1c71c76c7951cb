"""Our interfaces of one game at a time."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

import chocofactory_env as cf
from chocofactory_env import chocofactory_v0

from .peers.measure import Play, Row, any_legal, main, play_aec

SOLO, VERSUS = "ChocoFactory/FactoryManager-v0", "ChocoFactory/Versus-v0"


def first_legal(observation: Any, mask: np.ndarray) -> int:
    return int(mask.argmax())


def engine(players: int) -> Play:
    """Play by the game's methods from Python."""
    game = cf.load("chocofactory", num_players=players)
    state = game.new(1)
    while True:
        if game.is_over(state):
            game.renew(state)
        game.apply(state, any_legal(game.legal_mask(state)))
        game.observe(state, max(0, game.current_player(state)))
        yield 1


def aec(**options: Any) -> Play:
    return play_aec(chocofactory_v0.env(num_players=4, **options))


def made(name: str, **options: Any) -> Play:
    """Play a Gymnasium environment, counting the learner's decisions."""
    env = gymnasium.make(name, **options)
    _, info = env.reset(seed=1)
    while True:
        _, _, terminated, truncated, info = env.step(any_legal(info["action_mask"]))
        if terminated or truncated:
            _, info = env.reset()
        yield 1


def clone() -> Play:
    game = cf.load("chocofactory", num_players=4)
    state = game.new(1)
    while True:
        game.clone(state)
        yield 1


LEARNER = "the learner's decisions"
ROWS = [
    Row("game from Python, 2 players", lambda: engine(2), "aim: 100,000"),
    Row("game from Python, 4 players", lambda: engine(4), "aim: 100,000"),
    Row("AEC, 4 players", aec, "aim: 60,000"),
    Row("AEC, 4 players, shaped reward", lambda: aec(reward="shaped")),
    Row("solo through gymnasium.make", lambda: made(SOLO), "aim: 80,000"),
    Row("versus, 2 players, random opponent", lambda: made(VERSUS), LEARNER),
    Row("versus, 4 players, first legal", lambda: made(VERSUS, num_players=4, opponents=[first_legal]), LEARNER),
    Row("clone", clone, "aim: 1,000,000", "copies/s"),
]

if __name__ == "__main__":
    main("one game", ROWS, __doc__)
