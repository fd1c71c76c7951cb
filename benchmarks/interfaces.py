"""Our interfaces of one game at a time."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

import chocofactory_env as cf
from chocofactory_env import chocofactory_v0

from .measure import Play, Row, main

SOLO, VERSUS = "ChocoFactory/FactoryManager-v0", "ChocoFactory/Versus-v0"


class Chooser:
    """Chooses random legal actions, cheaply, from numbers drawn ahead."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._drawn: list[float] = []

    def __call__(self, mask: np.ndarray) -> int:
        if not self._drawn:
            self._drawn = self._rng.random(10_000).tolist()
        legal = mask.nonzero()[0]
        return int(legal[int(self._drawn.pop() * len(legal))])


def engine(players: int, name: str = "chocofactory") -> Play:
    """Play by the game's methods from Python: `legal_mask`, choose, `apply`, `observe`."""
    game = cf.load(name, num_players=players)
    state, choose = game.new(1), Chooser(1)

    def play(count: int) -> int:
        for _ in range(count):
            if game.is_over(state):
                game.renew(state)
            game.apply(state, choose(game.legal_mask(state)))
            game.observe(state, max(0, game.current_player(state)))
        return count

    return play


def play_aec(env: Any) -> Play:
    env.reset(seed=1)
    choose = Chooser(1)

    def play(count: int) -> int:
        decisions = 0
        while decisions < count:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                if not env.agents:
                    env.reset()
            else:
                env.step(choose(observation["action_mask"]))
                decisions += 1
        return decisions

    return play


def play_gymnasium(env: gymnasium.Env[Any, Any]) -> Play:
    """Play a Gymnasium environment, counting the learner's decisions."""
    _, first = env.reset(seed=1)
    choose = Chooser(1)
    mask = first["action_mask"]

    def play(count: int) -> int:
        nonlocal mask
        for _ in range(count):
            _, _, terminated, truncated, info = env.step(choose(mask))
            if terminated or truncated:
                _, info = env.reset()
            mask = info["action_mask"]
        return count

    return play


def first_legal(observation: Any, mask: np.ndarray) -> int:
    return int(mask.argmax())


def clone() -> Play:
    game = cf.load("chocofactory", num_players=4)
    state = game.new(1)

    def play(count: int) -> int:
        for _ in range(count):
            game.clone(state)
        return count

    return play


def aec(**options: Any) -> Play:
    return play_aec(chocofactory_v0.env(num_players=4, **options))


def made(name: str, **options: Any) -> Play:
    return play_gymnasium(gymnasium.make(name, **options))


LEARNER = "the learner's decisions"
ROWS = [
    Row("game from Python, 2 players", lambda: engine(2), "aim: 100,000"),
    Row("game from Python, 4 players", lambda: engine(4), "aim: 100,000"),
    Row("AEC, 4 players", aec, "aim: 60,000"),
    Row("AEC, 4 players, named observation", lambda: aec(observation="named")),
    Row("AEC, 4 players, raw observation", lambda: aec(scaled=False)),
    Row("AEC, 4 players, shaped reward", lambda: aec(reward="shaped")),
    Row("solo through gymnasium.make", lambda: made(SOLO), "aim: 80,000"),
    Row("solo through gymnasium.make, named observation", lambda: made(SOLO, observation="named")),
    Row("versus, 2 players, random opponent", lambda: made(VERSUS), LEARNER),
    Row("versus, 4 players, first legal", lambda: made(VERSUS, num_players=4, opponents=[first_legal]), LEARNER),
]
COPIES = [Row("clone", clone, "aim: 1,000,000")]

if __name__ == "__main__":
    main("one game", ROWS, __doc__)
    main("one game", COPIES, __doc__, "copies/s")
