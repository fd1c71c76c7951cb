"""Plays by a language model behind an OpenAI-compatible endpoint: `llm:model=NAME,url=http://127.0.0.1:8000/v1`.

Idea: `agents.readers` asks and corrects, and the model answers. Cost: one request per decision, or fewer if the model
plans ahead. A position takes a few hundred tokens, the rules about a thousand. Only the standard library is needed.
"""

from __future__ import annotations

import json
import os
import re
import time
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from io import BufferedReader, RawIOBase
from typing import Annotated, Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import HTTPHandler, HTTPRedirectHandler, HTTPSHandler, Request, build_opener

from chocofactory_env import Game, estimate_tokens
from chocofactory_env.core.messages import shortened, shown
from chocofactory_env.core.reading import at_least, between

from .readers import Corrections, Messages, ReadingAgent
from .settings import Seconds, Variable, blanked, checked

Budget = Annotated[int, at_least(1)]
# No user, query or fragment, which may hold a secret: addresses stand in messages and in files of results.
ADDRESS = re.compile(r"(?ai)https?://(\[[0-9a-f:.]+\]|[\w.-]+)(:(?P<port>\d{1,5}))?(/[\w.~%+:-]*)*")
KEY = "OPENAI_API_KEY"
PASSING = {408, 409, 425, 429, *range(500, 600)}  # statuses after which the same request may succeed
LARGEST_REPLY = 1 << 22  # bytes, with everything around the answer
LONGEST_TOKEN = 16  # characters of an answer for each of its tokens; four are usual
MOST_TOKENS = 10_000_000  # of a prompt or an answer
LONGEST_WAIT = 60.0  # seconds between two attempts
SHORTEST_SECRET = 6  # characters; shorter keys, such as "none", are words that an answer may use


class EndpointError(RuntimeError):
    """The endpoint gave no answer, or the budget is spent. The game cannot go on."""


@dataclass
class Usage:
    """The cost of requests so far. Tokens are the endpoint's count, or an estimate if it gives no possible one."""

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


class _Limited(RawIOBase):
    """Reads from a socket until a time, and no more than LARGEST_REPLY bytes, in which headers count."""

    def __init__(self, socket: Any, raw: Any, end: float) -> None:
        self._socket, self._raw, self._end, self._left = socket, raw, end, LARGEST_REPLY

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        seconds = self._end - time.monotonic()
        if seconds <= 0:
            raise TimeoutError("the answer was not whole in time")
        if self._left <= 0:
            raise HTTPException(f"a reply of more than {LARGEST_REPLY:,} bytes")
        self._socket.settimeout(seconds)
        read: int = self._raw.readinto(memoryview(buffer)[: self._left])
        self._left -= read
        return read

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Response(HTTPResponse):
    def __init__(self, sock: Any, *given: Any, end: float, **named: Any) -> None:
        super().__init__(sock, *given, **named)
        self.fp = BufferedReader(_Limited(sock, self.fp.detach(), end))


def _in_time(kind: type[HTTPConnection], host: str, *, timeout: float, **named: Any) -> Any:
    """A connection whose time-out is for the whole reply, not for each of its pieces."""
    connection: Any = kind(host, timeout=timeout, **named)
    connection.response_class = partial(_Response, end=time.monotonic() + timeout)
    return connection


class _Handler(HTTPHandler):
    def http_open(self, req: Request) -> HTTPResponse:
        return self.do_open(partial(_in_time, HTTPConnection), req)


class _SafeHandler(HTTPSHandler):
    def https_open(self, req: Request) -> HTTPResponse:
        return self.do_open(partial(_in_time, HTTPSConnection), req)


class LanguageModel(ReadingAgent):
    """A model at an endpoint. `counts` classifies its answers, `usage` adds up their cost.

    model: its name at the endpoint.
    url: of the endpoint, without `/chat/completions`, user, and query.
    key: the NAME of the environment variable that holds the key, which must be set; without this setting,
        OPENAI_API_KEY if it is set. Where the endpoint repeats the key, it is blanked.
    temperature, seed: sent if given. The seed is the same for all games.
    memory: the game's earlier prompts and answers that the model sees: "none", "last" or "all".
    corrections: corrections of a wrong answer before the first legal move is played instead.
    answer_tokens: limit on an answer. An answer of more than LONGEST_TOKEN characters for each token is a failure.
    attempts: requests for one answer before EndpointError.
    pause_s: before the second attempt; doubles with every further one.
    timeout_s: for a whole reply.
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
        key: Variable = KEY,
        temperature: Annotated[float, between(0, 10)] | None = None,
        seed: int | None = None,
        memory: str = "none",
        corrections: Corrections = 2,
        answer_tokens: Budget = 1024,
        attempts: Annotated[int, between(1, 100)] = 5,
        pause_s: Seconds = 1.0,
        timeout_s: Seconds = 120.0,
        most_requests: Budget | None = None,
        most_tokens: Budget | None = None,
    ) -> None:
        address = ADDRESS.fullmatch(url)
        if address is None or int(address["port"] or 0) > 65_535:
            expected = "http://HOST:PORT/PATH or https://..., without a user, a query and a fragment"
            raise ValueError(f"url: expected {expected}, got {shown(blanked(url))}")
        if not _secret_in(key) and key != KEY:
            raise ValueError("key: expected the name of an environment variable that is set, got another one")
        super().__init__(game, corrections, memory)
        self.usage = Usage()
        self._url = f"{url.rstrip('/')}/chat/completions"
        self._key = key
        self._most_characters = LONGEST_TOKEN * answer_tokens
        self._fixed = {"model": model, "max_tokens": answer_tokens, "temperature": temperature, "seed": seed}
        self._attempts, self._pause_s, self._timeout_s = attempts, pause_s, timeout_s
        self._most_requests, self._most_tokens = most_requests, most_tokens

    def answer(self, messages: Messages, state: Any, player: int) -> str:
        """The text of the model's answer.

        Raises:
            EndpointError: see the class.
        """
        body = {name: value for name, value in self._fixed.items() if value is not None} | {"messages": messages}
        try:
            secret, problem = _secret_in(self._key), ""
        except ValueError as error:
            raise EndpointError(str(error)) from None
        for attempt in range(self._attempts):
            if attempt:
                time.sleep(min(self._pause_s * 2 ** (attempt - 1), LONGEST_WAIT))
            self._check_budget()
            self.usage.requests += 1
            try:
                return self._understood(self._sent(body, secret), messages, secret)
            except HTTPError as error:
                problem = f"status {error.code}: {shortened(_without(secret, _words_of(error)))}"
                if error.code not in PASSING:
                    self.usage.failed += 1
                    break
            except (OSError, HTTPException, ValueError) as error:  # no connection, a time-out, or a malformed reply
                problem = f"{type(error).__name__}: {shortened(_without(secret, str(error)))}"
            self.usage.failed += 1
        tried = "1 request" if not attempt else f"{attempt + 1} requests; the last one"
        raise EndpointError(f"{self._url}: no answer after {tried}: {problem}")

    def _check_budget(self) -> None:
        for what, spent, most in (
            ("requests", self.usage.requests, self._most_requests),
            ("tokens", self.usage.tokens, self._most_tokens),
        ):
            if most is not None and spent >= most:
                raise EndpointError(f"{self._url}: the budget of {most:,} {what} is spent ({spent:,})")

    def _sent(self, body: dict[str, Any], secret: str) -> Any:
        """Send a request and parse the reply as JSON. OSError, HTTPException or ValueError if there is none."""
        headers = {"Content-Type": "application/json"}
        if secret:
            headers["Authorization"] = f"Bearer {secret}"
        request = Request(self._url, json.dumps(body).encode(), headers)
        opener = build_opener(_NoRedirect, _Handler, _SafeHandler)
        with opener.open(request, timeout=self._timeout_s) as reply:
            data = reply.read()
        try:
            return json.loads(data)
        except RecursionError:
            raise ValueError("a reply nested too deeply") from None

    def _understood(self, reply: Any, messages: Messages, secret: str) -> str:
        """The text of a reply, without the secret; counts its tokens. ValueError if there is no text, or too much."""
        try:
            text = reply["choices"][0]["message"]["content"] or ""
            if isinstance(text, list):  # of parts, some of which are thoughts
                text = "".join(part["text"] for part in text if part["type"] == "text")
        except (KeyError, IndexError, TypeError):
            there = shown(reply, LARGEST_REPLY)  # whole, so that no part of the secret remains
            raise ValueError(f"a reply without choices[0].message.content: {there}") from None
        if not isinstance(text, str):
            raise ValueError(f"an answer that is no text: {shown(text, LARGEST_REPLY)}")
        if len(text) > self._most_characters:
            expected = f"at most {self._most_characters:,}, which is {LONGEST_TOKEN} for each token"
            raise ValueError(f"an answer of {len(text):,} characters, expected {expected}")
        usage = reply.get("usage")
        counted = usage if isinstance(usage, dict) else {}
        asked = sum(estimate_tokens(message["content"]) for message in messages)
        self.usage.prompt_tokens += _count(counted.get("prompt_tokens"), asked)
        self.usage.answer_tokens += _count(counted.get("completion_tokens"), estimate_tokens(text))
        return _without(secret, text) if len(secret) >= SHORTEST_SECRET else text


def _count(given: Any, estimate: int) -> int:
    is_count = isinstance(given, int) and not isinstance(given, bool) and 0 <= given <= MOST_TOKENS
    return given if is_count else estimate


def _secret_in(variable: str) -> str:
    """The key in an environment variable, without white space around it; "" if there is none.

    ValueError, which does not show it, if it cannot be sent.
    """
    secret = os.environ.get(variable, "").strip()
    if not secret.isascii() or not secret.isprintable():
        raise ValueError(f"the key in {variable} cannot be sent: expected printable ASCII characters")
    return secret


def _without(secret: str, text: str) -> str:
    """The text without the secret, as it is or as a string in JSON, Python or an address."""
    for form in {secret, json.dumps(secret)[1:-1], repr(secret)[1:-1], quote(secret, safe="")} - {""}:
        text = text.replace(form, "…")
    return text


def _words_of(error: HTTPError) -> str:
    """An endpoint's error message."""
    try:
        return error.read().decode("utf-8", "replace") or error.reason
    except (OSError, HTTPException, ValueError):
        return str(error.reason)
