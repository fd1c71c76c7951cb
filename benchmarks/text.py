"""The overhead of decisions in text: making a prompt and reading its answer, as in the agent `llm`.

Only decisions with several legal moves are asked and counted. The answer is a number.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import chocofactory_env as cf
from agents.readers import Messages, ReadingAgent

from .interfaces import Chooser
from .measure import Play, Row, main


class AnyMove(ReadingAgent):
    """Answers at once with the number of any legal move."""

    def __init__(self, game: Any) -> None:
        self._choose = Chooser(1)
        super().__init__(game)

    def answer(self, messages: Messages, state: Any, player: int) -> str:
        return str(self._choose(self._game.legal_mask(state)))


def answers(name: str, players: int) -> Play:
    game = cf.load(name, num_players=players)
    agent, state = AnyMove(game), game.new(1)
    choose = Chooser(2)

    def play(count: int) -> int:
        before = agent.counts.answers
        while agent.counts.answers - before < count:
            if game.is_over(state):
                game.renew(state)
                agent.reset(0)
            mask = game.legal_mask(state)
            if np.count_nonzero(mask) > 1:
                game.apply(state, cf.decide(game, agent, state))
            else:
                game.apply(state, choose(mask))
        return count

    return play


ROWS = [
    Row(f"{name}, {players} players", lambda name=name, players=players: answers(name, players), "aim: 500")  # type: ignore[misc]
    for name, players in (("chocofactory", 2), ("chocofactory", 4), ("candyfactory", 2), ("schoko", 2))
]

if __name__ == "__main__":
    main("text", ROWS, __doc__)
