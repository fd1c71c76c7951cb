"""The agent `llm` against a local endpoint that plays, errs, stalls, answers nonsense, and cuts off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from endpoints import Endpoint, Request, Say, completion, says, serving

import chocofactory_env as cf
from chocofactory_env.agents.llm import EndpointError, LanguageModel
from chocofactory_env.agents.protocol import decide


def plays(request: Request) -> None:
    """The last legal move of the prompt."""
    position = next(message for message in reversed(request.body["messages"]) if "Legal moves:" in message["content"])
    number = position["content"].splitlines()[-1].partition(":")[0]
    says(completion(f"Move: {number}", usage={"prompt_tokens": 700, "completion_tokens": 3}))(request)


redirects = says(b"", "302 Found\r\nLocation: http://127.0.0.1:9/elsewhere")


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serving(plays) as made:
        yield made


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
    fixed = {name: value for name, value in endpoint.asked[0].body.items() if name != "messages"}
    assert fixed == {"model": "stub", "max_tokens": 50, "temperature": 0.5, "seed": 7}


@pytest.mark.parametrize(
    "failure",
    [
        pytest.param(says(b"busy", "503 Busy"), id="errs"),
        pytest.param(says(b"slow down", "429 Slow"), id="limits"),
        pytest.param(says(b"<html>"), id="no JSON"),
        pytest.param(says(b"[" * 100_000), id="deep JSON"),
        pytest.param(says(b'{"choices": []}'), id="no choices"),
        pytest.param(says(completion(None)[:20], length=500), id="cuts off"),
    ],
)
def test_a_failure_that_passes_is_tried_again(endpoint: Endpoint, failure: Say) -> None:
    game, state, expected = start()
    endpoint.replies = [failure, failure, plays]
    agent = model(game, endpoint)
    assert decide(game, agent, state) == expected
    assert (agent.usage.requests, agent.usage.failed, agent.counts.first_try) == (3, 2, 1)


@pytest.mark.parametrize("text", ["I resign", None, "<think>hmm, let me see", '{"mo'])
def test_nonsense_is_corrected_then_replaced_and_counted(endpoint: Endpoint, text: str | None) -> None:
    game, state, _ = start()
    endpoint.replies = [says(completion(text))]
    agent = model(game, endpoint)
    assert decide(game, agent, state) == np.flatnonzero(game.legal_mask(state))[0]
    assert (agent.counts.fallbacks, agent.counts.answers, agent.usage.requests) == (1, 3, 3)
    assert "Answer with the number of one legal move" in endpoint.asked[1].body["messages"][-1]["content"]
    assert agent.usage.prompt_tokens > 1_000  # estimated


def test_an_answer_in_parts_is_read_without_what_the_model_thought(endpoint: Endpoint) -> None:
    game, state, last = start()
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "Move: 0"}]}
    endpoint.replies = [says(completion([thought, {"type": "text", "text": f"Move: {last}"}]))]
    agent = model(game, endpoint)
    assert decide(game, agent, state) == last
    assert agent.counts.first_try == 1


def test_an_endpoint_that_never_answers_ends_the_game(endpoint: Endpoint) -> None:
    game, state, _ = start()
    endpoint.replies = [says(b"busy", "503 Busy")]
    with pytest.raises(EndpointError, match="no answer after 4 requests; the last one: status 503: busy"):
        decide(game, model(game, endpoint, ",attempts=4"), state)


@pytest.mark.parametrize(("reply", "status"), [(says(b"no such model", "404 None"), 404), (redirects, 302)])
def test_a_failure_that_stays_is_not_tried_again(endpoint: Endpoint, reply: Say, status: int) -> None:
    game, state, _ = start()
    endpoint.replies = [reply]
    with pytest.raises(EndpointError, match=f"no answer after 1 request: status {status}"):
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
    assert [request.headers.get("Authorization") for request in endpoint.asked] == [None, "Bearer not-a-real-one"]
