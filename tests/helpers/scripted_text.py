"""A scripted player in place of a language model, and an endpoint that serves it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from endpoints import Request, says, serving

import chocofactory_env as cf
from chocofactory_env.envs.text import TextEnv

WRONG = "I resign"


class Scripted:
    """Plays its own copy of the game beside the real one, asserts that the prompts agree, and answers in text.

    errs: every that many questions it first answers wrongly.
    """

    def __init__(self, env: TextEnv, agent: str, deal: int, errs: int = 0) -> None:
        self.env = env
        self.asked = 0
        self._errs = errs
        self._expected, self.info = env.reset(seed=deal)
        self._agent = cf.make_agent(agent, env.game)
        cf.reset_agent(self._agent, cf.agent_seed(env.game, env.game.new(deal), env.seat_env.seat))
        self.over = False

    def __call__(self, prompt: str) -> str:
        assert prompt == (self.info["correction"] or self._expected), (prompt, self._expected)
        assert not self.over
        self.asked += 1
        game, inner = self.env.game, self.env.seat_env
        if self._errs and self.asked % self._errs == 0:
            answer = WRONG
        else:
            answer = game.describe(cf.decide(game, self._agent, inner.game_state))
        self._expected, _, self.over, _, self.info = self.env.step(answer)
        return answer


@contextmanager
def chat_endpoint(say: Callable[[list[dict[str, Any]]], str]) -> Iterator[str]:
    """Yield the address of an OpenAI-compatible endpoint that answers `say(messages)`, one request at a time."""
    one_by_one, failed = threading.Lock(), list[BaseException]()

    def answer(request: Request) -> None:
        try:
            with one_by_one:
                text = say(request.body["messages"])
        except BaseException as error:
            failed.append(error)
            raise
        usage = {"prompt_tokens": 7, "completion_tokens": 1, "total_tokens": 8}
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        more = {"id": "x", "object": "chat.completion", "created": 0, "model": "stub"}
        says(json.dumps({**more, "choices": [choice], "usage": usage}).encode())(request)

    with serving(answer) as endpoint:
        yield endpoint.url
    if failed:
        raise failed[0]


def played(env: Any, agent: str, deal: int) -> dict[str, Any]:
    """The last info and `reward` of a game in which the agent plays the seat directly, without text."""
    env.reset(seed=deal)
    player, over, reward, info = cf.make_agent(agent, env.game), False, 0.0, {}
    cf.reset_agent(player, cf.agent_seed(env.game, env.game.new(deal), env.seat))
    while not over:
        _, reward, over, _, info = env.step(cf.decide(env.game, player, env.game_state))
    return info | {"reward": reward}
