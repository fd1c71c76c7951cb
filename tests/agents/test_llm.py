"""The agent `llm` against a local endpoint that plays, errs, stalls, answers nonsense, and cuts off."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

import chocofactory_env as cf
from chocofactory_env.agents.llm import EndpointError, LanguageModel
from chocofactory_env.agents.protocol import decide

Reply = Callable[[BaseHTTPRequestHandler, dict[str, Any]], None]


class Endpoint:
    """Serves its `replies` one after another, the last one again and again, and keeps what was asked."""

    def __init__(self) -> None:
        self.replies: list[Reply] = [plays]
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.stop = threading.Event()
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                reply = endpoint.replies[min(len(endpoint.asked), len(endpoint.replies) - 1)]
                endpoint.asked.append(body)
                endpoint.headers.append(dict(self.headers))
                reply(self, body)

            def log_message(self, *args: Any) -> None:
                return

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.endpoint = self  # type: ignore[attr-defined]  # for replies that stall
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"


def send(handler: BaseHTTPRequestHandler, data: bytes, status: int = 200, length: int | None = None) -> None:
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(data) if length is None else length))
    handler.end_headers()
    handler.wfile.write(data)


def completion(text: str | None, **more: Any) -> bytes:
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}], **more}).encode()


def plays(handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
    """The last legal move of the prompt."""
    position = next(message for message in reversed(body["messages"]) if "Legal moves:" in message["content"])
    number = position["content"].splitlines()[-1].partition(":")[0]
    send(handler, completion(f"Move: {number}", usage={"prompt_tokens": 700, "completion_tokens": 3}))


def says(data: bytes, status: int = 200, length: int | None = None) -> Reply:
    return lambda handler, body: send(handler, data, status, length)


def stalls(handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
    handler.server.endpoint.stop.wait(30)  # type: ignore[attr-defined]


def redirects(handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
    handler.send_response(302)
    handler.send_header("Location", "http://127.0.0.1:9/elsewhere")
    handler.send_header("Content-Length", "0")
    handler.end_headers()


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    made = Endpoint()
    thread = threading.Thread(target=made.server.serve_forever, daemon=True)
    thread.start()
    yield made
    made.stop.set()
    made.server.shutdown()
    made.server.server_close()
    thread.join()


def model(game: Any, endpoint: Endpoint, settings: str = "") -> LanguageModel:
    agent = cf.make_agent(f"llm:model=stub,url={endpoint.url},pause_s=0.001,timeout_s=5{settings}", game)
    assert isinstance(agent, LanguageModel)
    return agent


def start() -> tuple[Any, Any, int]:
    game = cf.load("chocofactory", num_players=1)
    state = game.new(1)
    return game, state, int(np.flatnonzero(game.legal_mask(state))[-1])


def test_a_model_plays_the_solo_game_to_its_end(endpoint: Endpoint) -> None:
    game, state, _ = start()
    agent = model(game, endpoint, ",temperature=0.5,seed=7,answer_tokens=50")
    while not game.is_over(state):
        expected = np.flatnonzero(game.legal_mask(state))[-1]
        action = decide(game, agent, state)
        assert action == expected
        game.apply(state, action)
    asked = agent.counts.first_try
    assert asked > 20
    assert agent.counts.decisions == asked + agent.counts.forced
    assert (agent.usage.requests, agent.usage.prompt_tokens, agent.usage.answer_tokens) == (
        asked,
        700 * asked,
        3 * asked,
    )
    fixed = {name: value for name, value in endpoint.asked[0].items() if name != "messages"}
    assert fixed == {"model": "stub", "max_tokens": 50, "temperature": 0.5, "seed": 7}


@pytest.mark.parametrize(
    "failure",
    [
        pytest.param(says(b"busy", 503), id="errs"),
        pytest.param(says(b"slow down", 429), id="limits"),
        pytest.param(says(b"<html>"), id="no JSON"),
        pytest.param(says(b"[" * 100_000), id="deep JSON"),
        pytest.param(says(b'{"choices": []}'), id="no choices"),
        pytest.param(says(completion(None)[:20], length=500), id="cuts off"),
    ],
)
def test_a_failure_that_passes_is_tried_again(endpoint: Endpoint, failure: Reply) -> None:
    game, state, expected = start()
    endpoint.replies = [failure, failure, plays]
    agent = model(game, endpoint)
    assert decide(game, agent, state) == expected
    assert (agent.usage.requests, agent.usage.failed, agent.counts.first_try) == (3, 2, 1)


def test_an_endpoint_that_stalls_is_tried_again(endpoint: Endpoint) -> None:
    game, state, expected = start()
    endpoint.replies = [stalls, plays]
    agent = LanguageModel(game, "stub", endpoint.url, pause_s=0.001, timeout_s=0.3)
    assert decide(game, agent, state) == expected
    assert agent.usage.failed == 1


@pytest.mark.parametrize("text", ["I resign", None, "<think>hmm, let me see", '{"mo'])
def test_nonsense_is_corrected_then_replaced_and_counted(endpoint: Endpoint, text: str | None) -> None:
    game, state, _ = start()
    endpoint.replies = [says(completion(text))]
    agent = model(game, endpoint)
    assert decide(game, agent, state) == np.flatnonzero(game.legal_mask(state))[0]
    assert (agent.counts.fallbacks, agent.counts.answers, agent.usage.requests) == (1, 3, 3)
    assert "Answer with the number of one legal move" in endpoint.asked[1]["messages"][-1]["content"]
    assert agent.usage.prompt_tokens > 1_000  # estimated


def test_an_endpoint_that_never_answers_ends_the_game(endpoint: Endpoint) -> None:
    game, state, _ = start()
    endpoint.replies = [says(b"busy", 503)]
    with pytest.raises(EndpointError, match="no answer after 4 requests; the last one: status 503: busy"):
        decide(game, model(game, endpoint, ",attempts=4"), state)


@pytest.mark.parametrize(("reply", "status"), [(says(b"no such model", 404), 404), (redirects, 302)])
def test_a_failure_that_stays_is_not_tried_again(endpoint: Endpoint, reply: Reply, status: int) -> None:
    game, state, _ = start()
    endpoint.replies = [reply]
    with pytest.raises(EndpointError, match=f"no answer after 1 requests; the last one: status {status}"):
        decide(game, model(game, endpoint), state)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("most_requests=2", "the budget of 2 requests is spent"),
        ("most_tokens=1400", "the budget of 1,400 tokens is spent"),
    ],
)
def test_a_budget_is_kept(endpoint: Endpoint, setting: str, message: str) -> None:
    game, state, _ = start()
    agent = model(game, endpoint, f",{setting}")
    for _ in range(2):
        decide(game, agent, state)
    with pytest.raises(EndpointError, match=message):
        decide(game, agent, state)
    assert len(endpoint.asked) == 2


def test_the_key_comes_from_the_environment(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    game, state, _ = start()
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    decide(game, model(game, endpoint), state)
    monkeypatch.setenv("MY_KEY", "not-a-real-one\n")  # as from a file
    decide(game, model(game, endpoint, ",key=MY_KEY"), state)
    assert [headers.get("Authorization") for headers in endpoint.headers] == [None, "Bearer not-a-real-one"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("llm", "model: expected a value, got none"),
        ("llm:model=x,url=file:///etc/hosts", "url: expected http"),
        ("llm:model=x,url=http://h,memory=some", "memory: expected none, last, all"),
        ("llm:model=x,url=http://h,attempts=0", "attempts: expected"),
    ],
)
def test_settings_that_do_not_fit_are_refused(text: str, message: str) -> None:
    game, *_ = start()
    with pytest.raises(ValueError, match=message):
        cf.make_agent(text, game)
