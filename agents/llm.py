"""Plays by a language model behind an OpenAI-compatible endpoint: `llm:model=NAME,url=http://127.0.0.1:8000/v1`.

Idea: `agents.readers` asks and corrects, and the model answers. Cost: one request per decision, or fewer if the model
plans ahead. A position takes a few hundred tokens, the rules a few thousand. Only the standard library is needed.
"""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass
from http.client import HTTPException
from typing import Annotated, Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from chocofactory_env import Game, estimate_tokens
from chocofactory_env.core.messages import shortened, shown

from .readers import Corrections, Messages, ReadingAgent
from .settings import Seconds, Within, checked

Budget = Annotated[int, Within(1)]
PASSING = {408, 409, 425, 429, *range(500, 600)}  # statuses after which the same request may succeed
LARGEST_REPLY = 1 << 24  # bytes
LONGEST_WAIT = 60.0  # seconds between two attempts


class EndpointError(RuntimeError):
    """The endpoint gave no answer, or the budget is spent. The game cannot go on."""


@dataclass
class Usage:
    """The cost of requests so far. Tokens are the endpoint's count, or an estimate if it gives none."""

    requests: int = 0
    failed: int = 0  # included in `requests`
    prompt_tokens: int = 0
    answer_tokens: int = 0

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.answer_tokens


class _NoRedirect(HTTPRedirectHandler):
    """Refuse redirects, which would send the key to another address."""

    def redirect_request(self, *given: Any) -> None:
        return None


class LanguageModel(ReadingAgent):
    """A model at an endpoint. `counts` classifies its answers, `usage` adds up their cost.

    model: its name at the endpoint.
    url: of the endpoint, without `/chat/completions`.
    key: the NAME of the environment variable that holds the key; if it is unset, no key is sent.
    temperature, seed: sent if given. The seed is the same for all games.
    memory: the game's earlier prompts and answers that the model sees: "none", "last" or "all".
    corrections: corrections of a wrong answer before the first legal move is played instead.
    answer_tokens: limit on an answer.
    attempts: requests for one answer before EndpointError.
    pause_s: before the second attempt; doubles with every further one.
    timeout_s: without a byte from the endpoint.
    most_requests, most_tokens: budgets of this agent for all games together; EndpointError when one is spent.

    Raises:
        ValueError: an invalid setting.
    """

    @checked
    def __init__(
        self,
        game: Game,
        model: str,
        url: str,
        key: str = "OPENAI_API_KEY",
        temperature: Annotated[float, Within(0, 10)] | None = None,
        seed: int | None = None,
        memory: str = "none",
        corrections: Corrections = 2,
        answer_tokens: Budget = 1024,
        attempts: Annotated[int, Within(1, 100)] = 5,
        pause_s: Seconds = 1.0,
        timeout_s: Seconds = 120.0,
        most_requests: Budget | None = None,
        most_tokens: Budget | None = None,
    ) -> None:
        if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
            raise ValueError(f"url: expected http://... or https://..., got {shown(url)}")
        super().__init__(game, corrections, memory)
        self.usage = Usage()
        self._url = f"{url.rstrip('/')}/chat/completions"
        self._key = key
        self._fixed = {"model": model, "max_tokens": answer_tokens, "temperature": temperature, "seed": seed}
        self._attempts, self._pause_s, self._timeout_s = attempts, pause_s, timeout_s
        self._most_requests, self._most_tokens = most_requests, most_tokens

    def answer(self, messages: Messages, state: Any, player: int) -> str:
        """The text of the model's answer.

        Raises:
            EndpointError: see the class.
        """
        body = {name: value for name, value in self._fixed.items() if value is not None} | {"messages": messages}
        problem = ""
        for attempt in range(self._attempts):
            if attempt:
                time.sleep(min(self._pause_s * 2 ** (attempt - 1), LONGEST_WAIT))
            self._check_budget()
            self.usage.requests += 1
            try:
                return self._understood(self._sent(body), messages)
            except HTTPError as error:
                problem = f"status {error.code}: {_words_of(error)}"
                if error.code not in PASSING:
                    self.usage.failed += 1
                    break
            except (OSError, HTTPException, ValueError) as error:  # no connection, a time-out, or a malformed reply
                problem = f"{type(error).__name__}: {shortened(str(error))}"
            self.usage.failed += 1
        raise EndpointError(f"{self._url}: no answer after {attempt + 1} requests; the last one: {problem}")

    def _check_budget(self) -> None:
        for what, spent, most in (
            ("requests", self.usage.requests, self._most_requests),
            ("tokens", self.usage.tokens, self._most_tokens),
        ):
            if most is not None and spent >= most:
                raise EndpointError(f"{self._url}: the budget of {most:,} {what} is spent ({spent:,})")

    def _sent(self, body: dict[str, Any]) -> Any:
        """Send a request and parse the reply as JSON. OSError, HTTPException or ValueError if there is none."""
        headers = {"Content-Type": "application/json"}
        secret = os.environ.get(self._key)
        if secret:
            headers["Authorization"] = f"Bearer {secret}"
        request = Request(self._url, json.dumps(body).encode(), headers)
        with build_opener(_NoRedirect).open(request, timeout=self._timeout_s) as reply:
            data = reply.read(LARGEST_REPLY + 1)
        if len(data) > LARGEST_REPLY:
            raise ValueError(f"a reply of more than {LARGEST_REPLY:,} bytes")
        try:
            return json.loads(data)
        except RecursionError:
            raise ValueError("a reply nested too deeply") from None

    def _understood(self, reply: Any, messages: Messages) -> str:
        """The text of a reply; counts its tokens. ValueError if there is no text."""
        try:
            text = reply["choices"][0]["message"]["content"] or ""
        except (KeyError, IndexError, TypeError):
            raise ValueError(f"a reply without choices[0].message.content: {shown(reply)}") from None
        if not isinstance(text, str):
            raise ValueError(f"an answer that is no text: {shown(text)}")
        usage = reply.get("usage")
        counted = usage if isinstance(usage, dict) else {}
        asked = sum(estimate_tokens(message["content"]) for message in messages)
        self.usage.prompt_tokens += _count(counted.get("prompt_tokens"), asked)
        self.usage.answer_tokens += _count(counted.get("completion_tokens"), estimate_tokens(text))
        return text


def _count(given: Any, estimate: int) -> int:
    return given if isinstance(given, int) and not isinstance(given, bool) and given >= 0 else estimate


def _words_of(error: HTTPError) -> str:
    """The beginning of an endpoint's error message."""
    try:
        return shortened(error.read(2_000).decode("utf-8", "replace"))
    except (OSError, HTTPException):
        return str(error.reason)
