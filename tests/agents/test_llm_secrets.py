"""What the agent `llm` lets out, and what it lets in: keys, addresses, and replies of a hostile endpoint."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest
from endpoints import Request, Say, completion, says, serving

import chocofactory_env as cf
from chocofactory_env.agents import llm
from chocofactory_env.agents.llm import EndpointError, LanguageModel
from chocofactory_env.agents.protocol import decide
from chocofactory_env.arena import benchmark
from chocofactory_env.arena.language import Listener

SECRET = "sk-live-7f3a9c"
VARIABLE = "KEY_OF_THIS_TEST"


def made(url: str, **settings: Any) -> tuple[LanguageModel, Any, Any]:
    game = cf.load("candyfactory", num_players=2)
    given = {"pause_s": 0.001, "attempts": 1, "timeout_s": 20.0, "corrections": 0, **settings}
    return LanguageModel(game, "stub", url, **given), game, game.new(1)


def failure(url: str, **settings: Any) -> str:
    agent, game, state = made(url, **settings)
    with pytest.raises(EndpointError) as error:
        decide(game, agent, state)
    return str(error.value)


# --- keys


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv(VARIABLE, SECRET + "\n")
    return VARIABLE


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(says(f"Authorization: Bearer {SECRET} is wrong".encode(), "401 Unauthorized"), id="body"),
        pytest.param(says(b"x" * 1_990 + SECRET.encode(), "401 Unauthorized"), id="where a message is cut"),
        pytest.param(says(b"", f"401 {SECRET}"), id="reason"),
        pytest.param(says(json.dumps({"error": f"no {SECRET}"}).encode()), id="JSON"),
        pytest.param(says(json.dumps({"error": "x" * 45 + SECRET}).encode()), id="where a value is cut"),
        pytest.param(says(completion([SECRET])), id="no text"),
        pytest.param(lambda request: request.connection.sendall(f"{SECRET}\r\n".encode()), id="status line"),
    ],
)
def test_a_key_that_an_endpoint_repeats_stands_in_no_error(reply: Say, key: str) -> None:
    with serving(reply) as endpoint:
        problem = failure(endpoint.url, key=key)
    assert not any(SECRET[:length] in problem for length in range(6, len(SECRET) + 1)), problem


def test_a_key_that_an_endpoint_repeats_stands_in_no_answer(key: str) -> None:
    heard = Listener([])
    with serving(says(completion(f"My key is {SECRET}. Move: 0"))) as endpoint:
        agent, game, state = made(endpoint.url, key=key, memory="all")
        agent.listener = heard
        decide(game, agent, state)
        decide(game, agent, state)
    assert len(heard.lines) == 2
    assert not any(SECRET in line for line in heard.lines)


@pytest.mark.parametrize("value", ["sk-one\nsk-two", "sk-\x00", "sk-ключ"])
def test_a_key_that_no_header_can_hold_is_refused_and_not_shown(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", {VARIABLE: value, llm.KEY: value})
    for settings in ({"key": VARIABLE}, {}):
        with pytest.raises(ValueError, match="cannot be sent: expected printable ASCII") as error:
            made("http://h", **settings)
        assert "sk-" not in str(error.value)


@pytest.mark.parametrize("value", [SECRET, "gsk_7f3a9c7f3a9c", "7f3a9c", "AB,CD-EF", f"{VARIABLE}_NOT_SET", "a b", ""])
def test_a_key_in_place_of_the_name_of_its_variable_is_refused_and_not_shown(value: str) -> None:
    game = cf.load("candyfactory", num_players=2)
    for text in (f"llm:model=x,url=http://h,key={value}", f"llm:key={value},model=x,url=http://h"):
        with pytest.raises(ValueError, match=r"key: expected|expected settings as NAME=VALUE") as error:
            cf.make_agent(text, game)
        assert not value or value not in str(error.value)


# --- addresses

ADDRESSES = [
    "http://me:hunter2@h/v1",
    "http://hunter2@h/v1",
    "http://me:a,hunter2@h/v1",
    "https://h/v1?key=hunter2",
    "https://h/v1?hunter2",
    "https://h/v1#hunter2",
    "http://h:99999/v1",
    "http://h:x/v1",
    "http://h/a b",
    "http://h/a\nb",
    "http://h\\@evil/",
    "http:///v1",
    "ftp://h",
    "h",
]


@pytest.mark.parametrize("url", ADDRESSES)
def test_an_address_with_more_than_host_port_and_path_is_refused_and_its_secret_not_shown(url: str) -> None:
    with pytest.raises(ValueError, match="url: expected http://HOST:PORT/PATH") as error:
        made(url)
    assert "hunter2" not in str(error.value).replace("#hunter2", "")  # a fragment is never sent
    with pytest.raises(ValueError, match=r"url: expected|expected settings as NAME=VALUE") as error:
        cf.make_agent(f"llm:model=x,url={url}", cf.load("candyfactory", num_players=2))
    assert "hunter2" not in str(error.value).replace("#hunter2", "")


@pytest.mark.parametrize("url", ["http://h", "https://h.example:8443/v1/", "http://[::1]:80/v1", "http://my_host/~a-b"])
def test_an_address_of_host_port_and_path_is_taken(url: str) -> None:
    made(url)


def test_an_unknown_setting_shows_no_secret_of_the_others() -> None:
    with pytest.raises(ValueError, match="unknown setting 'api_key'") as error:
        cf.make_agent(f"llm:api_key={SECRET},model=x,url=http://a:{SECRET}@h", cf.load("candyfactory", num_players=2))
    assert SECRET not in str(error.value)


# --- limits


def slowly(request: Request) -> None:
    request.connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    while not request.over.wait(0.02):
        request.connection.sendall(b" ")


def continues(request: Request) -> None:
    while not request.over.wait(0.01):
        request.connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n" * 10)


def headers(request: Request) -> None:
    request.connection.sendall(b"HTTP/1.1 200 OK\r\n")
    while not request.over.wait(0.02):
        request.connection.sendall(b"X")


@pytest.mark.parametrize("say", [slowly, continues, headers])
def test_a_reply_that_never_ends_is_given_up_in_time(say: Say) -> None:
    with serving(say) as endpoint:
        assert "no answer after 1 request: TimeoutError: " in failure(endpoint.url, timeout_s=0.4)


def chunks(size: bytes) -> Say:
    def say(request: Request) -> None:
        request.connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + size + b"\r\n")
        while not request.over.is_set():
            request.connection.sendall(b" " * 65_536)

    return say


def endless_continues(request: Request) -> None:
    while not request.over.is_set():
        request.connection.sendall(b"HTTP/1.1 100 Continue\r\nX: " + b"x" * 60_000 + b"\r\n\r\n")


@pytest.mark.parametrize(
    "say",
    [
        pytest.param(says(b" " * 5_000_000 + completion("0")), id="long"),
        pytest.param(chunks(b"ffffffff"), id="a large chunk"),
        pytest.param(chunks(b"-1"), id="a chunk of size -1"),
        pytest.param(endless_continues, id="interim replies"),
    ],
)
def test_a_reply_that_is_too_large_is_given_up(say: Say) -> None:
    with serving(say) as endpoint:
        assert f"a reply of more than {llm.LARGEST_REPLY:,} bytes" in failure(endpoint.url)


def test_an_answer_far_longer_than_its_tokens_allow_is_a_failure_and_not_kept() -> None:
    heard = Listener([])
    with serving(says(completion("x" * 161 + " Move: 0"))) as endpoint:
        agent, game, state = made(endpoint.url, memory="all", answer_tokens=10)
        agent.listener = heard
        with pytest.raises(EndpointError, match="an answer of 169 characters, expected at most 160"):
            decide(game, agent, state)
    assert (heard.lines, agent._past, agent.usage.failed) == ([], [], 1)


@pytest.mark.parametrize("count", [10**30, 10**4_299, llm.MOST_TOKENS + 1, -1, True, 1.5, "7", None])
def test_a_count_of_tokens_that_cannot_be_is_replaced_by_an_estimate(count: Any) -> None:
    with serving(says(completion("Move: 0", usage={"prompt_tokens": count, "completion_tokens": count}))) as endpoint:
        agent, game, state = made(endpoint.url, most_tokens=10**9)
        decide(game, agent, state)
    assert 100 < agent.usage.prompt_tokens < 10_000
    assert agent.usage.answer_tokens == cf.estimate_tokens("Move: 0")


def test_a_number_that_python_cannot_read_is_a_reply_that_failed() -> None:
    body = completion("Move: 0", usage={"prompt_tokens": 1}).replace(b"1}", b"1" * 5_000 + b"}")
    with serving(says(body)) as endpoint:
        assert "ValueError: Exceeds the limit" in failure(endpoint.url)


def test_the_words_of_an_endpoint_reach_a_terminal_in_printable_characters() -> None:
    with serving(says("\x1b]0;you\x07 \u202eare\n".encode(), "500 No")) as endpoint:
        assert failure(endpoint.url).endswith(r"status 500: \x1b]0;you\x07 \u202eare\n")


def test_transcripts_grow_with_the_game_and_lose_nothing() -> None:
    heard, asked = Listener([]), list[list[dict[str, str]]]()
    system = {"role": "system", "content": "rules"}
    talk: list[dict[str, str]] = []
    for number in range(50):
        talk = [*talk, {"role": "user", "content": f"{number} " * 100}]
        asked.append([system | {"content": f"rules {number // 10}"}, *talk])
        heard(asked[-1], "0")
        talk = [*talk, {"role": "assistant", "content": "0"}]
    assert sum(map(len, heard.lines)) < 3 * len(json.dumps(asked[-1]))
    question: list[dict[str, str]] = []
    for line, messages in zip(map(json.loads, heard.lines), asked, strict=True):
        question = question[: line["places"][-1]] + [system] * (line["places"][-1] + 1 - len(question))
        for place, message in zip(line["places"], line["messages"], strict=True):
            question[place] = message
        assert question == messages


def test_an_endpoint_that_fails_leaves_no_secret_in_the_files_of_a_series(
    key: str, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(says(f"{SECRET} is wrong".encode(), "401 No")) as endpoint:
        words = [f"llm:model=x,url={endpoint.url},key={key}", "--deals", "1", "--out", str(tmp_path / "out")]
        with pytest.raises(SystemExit):
            benchmark.main([*words, "--game", "candyfactory"])
    said = capsys.readouterr()
    assert "… is wrong" in said.err
    written = [file.read_text() for file in tmp_path.rglob("*") if file.is_file()]
    assert written
    assert not any(SECRET in text for text in [*written, said.out, said.err])
