"""Agents that read a position as text and answer in words.

Idea: the seat gets `game.prompt`, and `game.parse_moves` reads the answer. An answer without a legal move is corrected
a limited number of times. Then the first legal move is played, and counted as a fallback. Cost: about 0.5 ms per
decision, plus the time to answer.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np

import chocofactory_env as cf
from chocofactory_env import AnswerCounts, Game, MoveError, SeenMove, decide
from chocofactory_env import reset_agent as reset
from chocofactory_env.core.reading import between

from .settings import checked

Messages = list[dict[str, str]]  # {"role": "system", "user" or "assistant", "content": text}
Corrections = Annotated[int, between(0, 100)]
MEMORIES = ("none", "last", "all")


class ReadingAgent(ABC):
    """Asks `answer` for every decision that has more than one legal move.

    corrections: corrections of a wrong answer before the first legal move is played instead.
    memory: the game's earlier prompts and answers that are shown: "none", "last" or "all".

    Raises:
        ValueError: an unknown `memory`.
    """

    def __init__(self, game: Game, corrections: int = 2, memory: str = "none") -> None:
        if memory not in MEMORIES:
            raise ValueError(f"memory: expected {', '.join(MEMORIES)}, got {memory!r}")
        self.counts = AnswerCounts()
        self.listener: Callable[[Messages, str], None] | None = None  # called with every question and its answer
        self._game = game
        self._corrections = corrections
        self._memory = memory
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Start a game: clear the memory and the planned moves."""
        self._past: Messages = []
        self._plan: list[int] = []
        self._since: list[str] = []

    def observe_move(self, move: SeenMove) -> None:
        """Note an opponent's move, to be told with the next position."""
        if move.seat != move.viewer:
            self._since.append(move.words)

    @abstractmethod
    def answer(self, messages: Messages, state: Any, player: int) -> str:
        """Answer the last of the messages. `state` and `player` are those of `choose`."""

    def choose(self, state: Any, player: int) -> int:
        self.counts.decisions += 1
        legal = np.flatnonzero(self._game.legal_mask(state)).tolist()
        if len(legal) == 1:
            self.counts.forced += 1
            self._plan = self._plan[1:] if self._plan[:1] == legal else []
            return int(legal[0])
        if self._plan and self._plan[0] in legal:
            self.counts.planned += 1
            return self._plan.pop(0)
        moves = self._asked(state, player)
        if moves is None:
            self.counts.fallbacks += 1
            moves = legal[:1]
        self._plan = moves[1:]
        return moves[0]

    def _asked(self, state: Any, player: int) -> list[int] | None:
        """Ask until an answer has legal moves, and return them; None after the last correction."""
        system = {"role": "system", "content": self._game.prompt_rules(state, player)}
        talk = [{"role": "user", "content": self._game.prompt(state, player, self._since, rules=False)}]
        self._since, moves = [], None
        for attempt in range(1 + self._corrections):
            self.counts.answers += 1
            messages = [system, *self._past, *talk]
            text = self.answer(messages, state, player)
            if self.listener is not None:
                self.listener(messages, text)
            talk.append({"role": "assistant", "content": text})
            try:
                moves = self._game.parse_moves(state, text, player)
            except MoveError as error:
                talk.append({"role": "user", "content": str(error)})
                continue
            self.counts.first_try += attempt == 0
            self.counts.corrected += attempt > 0
            break
        if self._memory != "none":
            self._past = (self._past if self._memory == "all" else []) + talk
        return moves


class ScriptedReader(ReadingAgent):
    """Another agent, by its name and settings, that answers in text and plays as it does otherwise."""

    @checked
    def __init__(self, game: Game, agent: str) -> None:
        self._agent = cf.make_agent(agent, game)
        super().__init__(game)

    def reset(self, seed: int) -> None:
        super().reset(seed)
        reset(self._agent, seed)

    def choose(self, state: Any, player: int) -> int:
        """Ask in forced decisions, too, as the agent may draw random numbers in them."""
        self.counts.decisions += 1
        moves = self._asked(state, player)
        assert moves is not None, "a scripted answer is always understood"
        return moves[0]

    def answer(self, messages: Messages, state: Any, player: int) -> str:
        return str(decide(self._game, self._agent, state))
