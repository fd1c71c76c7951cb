"""Strangers, who have shown no token, keep nobody out of the server, and fill no log."""

from __future__ import annotations

import logging
import re
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from at_table import KEY, Browser, Server, served
from repository import ROOT
from starlette.websockets import WebSocketDisconnect
from test_server import browser_at, process
from websockets import ConnectionClosed, Origin
from websockets.sync.client import ClientConnection, connect

from chocofactory_env.play import limits
from chocofactory_env.play.server import places, sockets

OPTIONS = {"num_players": 2}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with served(tmp_path) as made:
        yield made


def check_sent_away(browser: Browser) -> None:
    with pytest.raises(WebSocketDisconnect) as closed:
        browser.socket.receive_text()
    assert closed.value.code == 1013


def test_a_stranger_makes_room_for_the_next(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "STRANGERS", 2)
    with server.browser() as first, server.browser("a" * 32) as second, server.browser() as third:
        check_sent_away(first)
        with server.browser(KEY) as host:
            assert host.welcome["host"]
            check_sent_away(second)
            with server.browser():
                assert host.ask("leave")["type"] == "left"
                assert third.ask("leave")["type"] == "left"


def test_holders_of_tokens_keep_their_places_and_the_host_has_one(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "STRANGERS", 1)
    monkeypatch.setattr(places, "HOLDERS", 2)
    with server.browser(KEY) as host:
        made = host.begin("candyfactory", OPTIONS, ["here", "link"])
        with server.browser(made["seats"][1]["token"]) as guest, server.browser(), server.browser():
            assert guest.ask("leave")["type"] == "left"
            with pytest.raises(WebSocketDisconnect) as closed, server.browser(made["watch"]):
                pass
            assert closed.value.code == 1013
            with server.browser() as stranger:
                stranger.send("join", tokens=[made["watch"]])
                check_sent_away(stranger)
            with server.browser(KEY) as again:
                assert again.welcome["host"]


def test_the_holder_of_a_token_opens_so_many_connections_and_no_more(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "OF_A_TOKEN", 2)
    with server.browser(KEY) as host:
        made = host.begin("candyfactory", OPTIONS, ["here", "link"])
        seat, watch = made["seats"][1]["token"], made["watch"]
        with server.browser(seat) as first, server.browser(watch):
            with server.browser(seat, watch), pytest.raises(WebSocketDisconnect) as closed, server.browser(seat):
                pass
            assert closed.value.code == 1013
            with server.browser(seat), server.browser(watch):  # there is room again
                assert first.ask("leave")["type"] == "left"


def test_the_log_does_not_repeat_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    seldom = sockets.Seldom()

    def passes(line: int) -> bool:
        return bool(seldom.filter(logging.LogRecord("uvicorn", logging.WARNING, "a.py", line, "again", (), None)))

    assert [passes(1), passes(1), passes(2), passes(1)] == [True, False, True, False]
    now += limits.LOG_SECONDS
    assert passes(1)


def test_the_page_of_the_protocol_has_the_limits() -> None:
    page = (ROOT / "docs" / "play-protocol.md").read_text()
    told = dict(re.findall(r"^\| `([A-Z_]+)` \| ([\d,]+)", page, re.MULTILINE))
    there = {name: f"{value:,.0f}" for name, value in vars(limits).items() if name.isupper()}
    assert told == there


# --- over real sockets


def idle(address: tuple[str, int], first: bytes) -> socket.socket:
    made = socket.create_connection(address, timeout=limits.HTTP_SECONDS / 3)  # it is to end before its time is over
    made.sendall(first)
    return made


def is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False


@pytest.mark.programs
def test_idle_connections_slow_headers_and_silent_sockets_keep_nobody_out(tmp_path: Path) -> None:
    with process(tmp_path, "--port", "0") as (made, address), ExitStack() as stack:
        here = address.partition("/#host=")[0]
        port = int(here.rpartition(":")[2])
        silent: list[ClientConnection] = []
        for _ in range(limits.STRANGERS + 6):
            silent.append(stack.enter_context(connect(here.replace("http", "ws") + "/socket", origin=Origin(here))))
            silent[-1].send('{"type": "hello", "tokens": []}')
            assert silent[-1].recv(timeout=60)
        with pytest.raises(ConnectionClosed) as closed:
            silent[0].recv(timeout=60)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1013
        many = [
            stack.enter_context(idle(("127.0.0.1", port), first))
            for first in (b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
            for _ in range(limits.HTTP_CONNECTIONS)
        ]
        with browser_at(address) as (browser, _):
            assert browser.welcome["host"]
            assert browser.begin("candyfactory", OPTIONS, ["here", "greedy"])["type"] == "made"
        assert all(is_closed(connection) for connection in many[: limits.HTTP_CONNECTIONS])
        for _ in range(50):
            with idle(("127.0.0.1", port), b"nonsense\r\n\r\n") as strange:
                assert strange.recv(1000).startswith(b"HTTP/1.1 400")
        made.kill()
        assert made.stderr is not None
        assert made.stderr.read().count("Invalid HTTP request") == 1
