"""Agents that answer in text: what they play, how they are corrected, what is counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import chocofactory_env as cf
from chocofactory_env import AnswerCounts
from chocofactory_env.agents.readers import Messages, ReadingAgent


class Answers(ReadingAgent):
    """Answers by a function of the messages."""

    def __init__(self, game: Any, say: Callable[[Messages], str], **settings: Any) -> None:
        super().__init__(game, **settings)
        self._say = say
        self.heard: list[Messages] = []

    def answer(self, messages: Messages, state: Any, player: int) -> str:
        self.heard.append(messages)
        return self._say(messages)


def first_decision() -> tuple[Any, Any, int, list[int]]:
    game = cf.load("chocofactory", num_players=2)
    state = game.new(1)
    return game, state, game.current_player(state), np.flatnonzero(game.legal_mask(state)).tolist()


def test_a_wrong_answer_is_corrected() -> None:
    game, state, seat, legal = first_decision()
    agent = Answers(game, lambda messages: "I resign" if len(messages) < 4 else str(legal[-1]))
    assert agent.choose(state, seat) == legal[-1]
    assert [message["role"] for message in agent.heard[1]] == ["system", "user", "assistant", "user"]
    assert agent.heard[1][-1]["content"].startswith("The answer names no move: 'I resign'. Answer with the number")
    assert agent.counts == AnswerCounts(decisions=1, corrected=1, answers=2)


def test_after_the_last_correction_the_first_legal_move_is_played_and_counted() -> None:
    game, state, seat, legal = first_decision()
    agent = Answers(game, lambda _: "I resign", corrections=3)
    assert agent.choose(state, seat) == legal[0]
    assert agent.counts == AnswerCounts(decisions=1, fallbacks=1, answers=4)


def test_a_plan_is_played_while_it_is_legal() -> None:
    game, state, seat, legal = first_decision()
    part, slots = legal[0], [game.action_layout.encode("place_part", slot) for slot in (5, 6)]
    agent = Answers(game, lambda _: f'{{"moves": [{part}, {slots[0]}, {slots[1]}]}}')
    for expected in (part, slots[0]):
        action = agent.choose(state, seat)
        assert action == expected
        game.apply(state, action)
    assert agent.counts == AnswerCounts(decisions=2, planned=1, first_try=1, answers=1)
    agent.reset(0)
    with_plan = Answers(game, lambda _: str(np.flatnonzero(game.legal_mask(state))[0]))
    assert with_plan.choose(state, game.current_player(state)) == np.flatnonzero(game.legal_mask(state))[0]


@pytest.mark.parametrize(("memory", "lengths"), [("none", [2, 2, 2]), ("last", [2, 4, 4]), ("all", [2, 4, 6])])
def test_memory_is_what_was_said_before(memory: str, lengths: list[int]) -> None:
    game, state, seat, legal = first_decision()
    agent = Answers(game, lambda _: str(legal[0]), memory=memory)
    for _ in range(3):
        agent.choose(state, seat)
    assert [len(messages) for messages in agent.heard] == lengths
    agent.reset(0)
    agent.choose(state, seat)
    assert len(agent.heard[-1]) == 2


def test_a_memory_that_there_is_not_is_refused() -> None:
    game, *_ = first_decision()
    with pytest.raises(ValueError, match=r"^memory: expected none, last, all, got 'some'$"):
        Answers(game, lambda _: "", memory="some")
