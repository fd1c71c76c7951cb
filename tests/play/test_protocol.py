"""Every message that is not as it should be gets a clear refusal, changes nothing, and the game goes on.

`CF_MESSAGES` says how many lists of messages are sent.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from at_table import KEY, Browser, Server, served
from hypothesis import example, given, settings
from hypothesis import strategies as st
from long_runs import amount
from starlette.websockets import WebSocketDisconnect

from chocofactory_env.play import protocol
from chocofactory_env.play.protocol import Message, Refusal, Request

MESSAGES_SENT = amount("CF_MESSAGES", 50, 1_000)
OPTIONS = {"num_players": 2}
HERE = [{"kind": "here"}, {"kind": "agent", "agent": "greedy"}]
NEW = {"game": "chocofactory", "options": OPTIONS, "seats": HERE, "seed": 1}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("tables")) as made:
        yield made


ACT = '{"type": "act", "seat": 0, "decision": 1, "action": 2'
FRAMES: list[tuple[str | bytes, str]] = [
    (b"{}", "expected a text frame with a JSON object, got bytes"),
    ("", "expected JSON"),
    ("[1]", "expected an object, got [1]"),
    ("nul", "expected JSON"),
    ("[" * 50_000, "nested too deeply"),
    ('{"type": "leave", "type": "leave"}', "expected JSON with every key once, got 'type' twice"),
    ('{"type": "leave", "id": NaN}', "finite numbers, got NaN"),
    ('{"type": "leave", "id": ' + "9" * 5000 + "}", "has 5000 digits"),
    ('{"type": "leave", "id": -1}', "id: expected an integer 0..2,147,483,647 or null, got -1"),
    ('{"type": "leave", "id": true}', "id: expected an integer 0..2,147,483,647 or null, got True"),
    ('{"type": "leaf"}', "got 'leaf' (did you mean 'leave'?)"),
    ('{"type": ["leave"]}', "type: expected one of hello, describe, new, "),
    ("{}", "type: expected one of hello, describe, new, "),
    ('{"type": "leave", "table": 1}', "table: expected one of the fields type, id, got an unknown field"),
    (ACT + "}", "table: expected this field, text of at most 40 printable characters, got nothing"),
    (ACT + ', "table": "a\\n"}', "table: expected text of at most 40 printable characters, got 'a\\n'"),
    (ACT + ', "table": "\\u202e"}', "table: expected text of at most 40 printable characters, got '\\u202e'"),
    (ACT + ', "table": "a", "careful": 1}', "careful: expected true or false, got 1"),
    ('{"type": "think", "table": "a", "agent": "x"}', "seat: expected this field at a table, got nothing"),
    ('{"type": "open"}', "upload: expected either this field or table, got None"),
    ('{"type": "pace", "table": "a", "delay": 11}', "delay: expected a number 0..10 or null, got 11"),
    ('{"type": "save", "table": null, "what": "pages"}', "what: expected one of record, page, got 'pages' (did you "),
]


def request_in(frame: str | bytes) -> Request:
    message = protocol.parse(frame)
    protocol.identifier(message)
    return protocol.request_of(message)


@pytest.mark.parametrize(("frame", "reason"), FRAMES, ids=range(len(FRAMES)))
def test_a_frame_that_is_no_message_is_refused(frame: str | bytes, reason: str) -> None:
    with pytest.raises(Refusal) as refused:
        request_in(frame)
    assert reason in refused.value.reason


def test_a_field_that_may_be_left_out_may_be_null() -> None:
    assert request_in('{"type": "open", "upload": "a", "table": null}') == protocol.Open(upload="a")
    assert request_in('{"type": "regret"}') == protocol.Regret(deals=16)


FIELDS: list[tuple[str, dict[str, Any], str | None]] = [
    ("new", {**NEW, "seed": -1}, "seed"),
    ("new", {**NEW, "seed": 1 << 63}, "seed"),
    ("new", {**NEW, "seed": 1.0}, "seed"),
    ("new", {**NEW, "game": "chess"}, "game"),
    ("new", {**NEW, "game": "os:system"}, "game"),
    ("new", {**NEW, "options": {"num_players": 9}}, "options"),
    ("new", {**NEW, "options": {"players": 2}}, "options"),
    ("new", {**NEW, "options": {"deck": "/etc/passwd"}}, "options.deck"),
    ("new", {**NEW, "options": {"sides": ["A"]}}, "options.sides"),
    ("new", {**NEW, "seats": []}, "seats"),
    ("new", {**NEW, "seats": HERE * 9}, "seats"),
    ("new", {**NEW, "seats": HERE[:1]}, "seats"),
    ("new", {**NEW, "seats": [{"kind": "ghost"}, HERE[1]]}, "seats[0].kind"),
    ("new", {**NEW, "seats": [{"kind": "agent"}, HERE[1]]}, "seats[0].agent"),
    ("new", {**NEW, "seats": [{"kind": "here", "name": "a" * 41}, HERE[1]]}, "seats[0].name"),
    ("new", {**NEW, "seats": [{"kind": "agent", "agent": "os:system"}, HERE[1]]}, "seats[0].agent"),
    ("new", {**NEW, "seats": [{"kind": "agent", "agent": "learned:checkpoint=/dev/zero"}, HERE[1]]}, "seats[0].agent"),
    ("new", {**NEW, "seats": [{"kind": "agent", "agent": "planner:width=0"}, HERE[1]]}, "seats[0].agent"),
    ("new", {**NEW, "seats": [{"kind": "agent", "agent": "planner:depth=1"}, HERE[1]]}, "seats[0].agent"),
    ("new", {**NEW, "seats": [{"kind": "agent", "agent": "mcts:simulations=1000000"}, HERE[1]]}, "seats[0].agent"),
    ("new", {**NEW, "seats": [{"kind": "agent", "agent": "mcts:time_s=1e9"}, HERE[1]]}, "seats[0].agent"),
    ("new", {**NEW, "upload": "nothing"}, "seed"),
    ("new", {**NEW, "seed": None, "upload": "nothing"}, "upload"),
    ("describe", {"game": "chess", "options": {}}, "game"),
    ("join", {"tokens": ["nothing"]}, "tokens"),
    ("join", {"tokens": []}, "tokens"),
    ("act", {"table": "nothing", "seat": 0, "decision": 1, "action": 0}, "table"),
    ("close", {"table": "nothing"}, "table"),
    ("think", {"table": None, "agent": "greedy"}, None),
    ("open", {"upload": "nothing"}, "upload"),
    ("seek", {"at": 0, "seat": None}, None),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "fields", "field"), FIELDS, ids=range(len(FIELDS)))
def test_a_field_that_is_wrong_is_named(server: Server, kind: str, fields: dict[str, Any], field: str | None) -> None:
    with server.browser(KEY) as browser:
        answer = browser.ask(kind, **fields)
        assert (answer["type"], answer["field"]) == ("refused", field), answer
        assert answer["reason"]
        assert browser.ask("leave")["type"] == "left"


def test_who_is_not_the_host_makes_and_opens_nothing(server: Server) -> None:
    with server.browser("a" * 32, KEY + "k") as browser:
        assert not browser.welcome["host"]
        assert browser.welcome["tables"] == browser.welcome["games"] == []
        assert browser.welcome["stale"] == [0, 1]
        for kind, fields in (
            ("new", NEW),
            ("describe", {"game": "schoko", "options": {}}),
            ("close", {"table": "any"}),
            ("open", {"upload": "any"}),
        ):
            assert "only the host" in browser.ask(kind, **fields)["reason"]


def test_a_table_is_played_by_those_whose_turn_it_is(server: Server) -> None:
    with server.browser(KEY) as browser:
        made = browser.ask("new", **{**NEW, "seats": [{"kind": "here"}, {"kind": "here"}]})
        view = browser.asked()
        act = {"table": made["table"], "seat": view["seat"], "decision": view["decision"]}
        legal = [each["action"] for each in view["actions"]]
        illegal = next(action for action in range(1000) if action not in legal)
        for wrong, reason in (
            ({"seat": 1 - view["seat"]}, "not the turn"),
            ({"decision": view["decision"] + 1}, "now it is"),
            ({"action": illegal}, "not legal"),
            ({"action": 1 << 20}, "not legal"),
            ({"seat": 7}, "does not hold"),
        ):
            answer = browser.ask("act", **{**act, "action": legal[0], **wrong})
            assert answer["type"] == "refused"
            assert reason in answer["reason"]
        assert browser.act(view)["type"] == "done"
        assert browser.ask("act", **act, action=legal[0])["field"] in ("decision", "seat")  # it came twice
        assert browser.ask("undo", table=made["table"], seat=view["seat"], steps=9, of=9)["type"] == "refused"


def test_the_first_message_is_hello(server: Server) -> None:
    with server.client.websocket_connect("/socket", headers={"origin": "http://testserver"}) as socket:
        socket.send_text('{"type": "leave", "id": 5}')
        assert socket.receive_json() == {
            "type": "refused", "reason": "expected hello first", "field": "type", "id": 5
        }  # fmt: skip
        socket.send_text('{"type": "hello", "tokens": []}')
        assert socket.receive_json()["type"] == "welcome"


def test_a_frame_that_is_too_large_closes_the_connection(server: Server) -> None:
    with server.browser(KEY) as browser:
        browser.socket.send_text('{"type": "leave", "more": "' + "x" * protocol.MOST_BYTES + '"}')
        with pytest.raises(WebSocketDisconnect) as closed:
            browser.socket.receive_text()
        assert closed.value.code == 1009


JUNK = st.sampled_from([0, -1, 1, 7, 1 << 31, 1 << 63, 1e308, "\0", "\u202e", "\ud800", "é" * 50, "a" * 300, "../.."])
JSON = st.recursive(
    JUNK | st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text(max_size=9), parts, max_size=3),
    max_leaves=8,
)
AGENTS = [
    "greedy",
    "random",
    "planner:width=1",
    "mcts:simulations=1,plan_width=1",
    "os:system",
    "learned:checkpoint=/x",
]
LIKELY: dict[str, st.SearchStrategy[Any]] = {
    "table": st.sampled_from(["TABLE", "TABLE", None, "other"]),
    "seat": st.sampled_from([0, 1, None]),
    "decision": st.integers(0, 9),
    "action": st.integers(0, 100),
    "tokens": st.sampled_from([[], [KEY[:-1]], ["TABLE"]]),
    "steps": st.integers(1, 2),
    "of": st.integers(0, 2),
    "options": st.sampled_from([{}, {"num_players": 2}, {"num_players": 5}]),
    "seats": st.sampled_from([HERE, HERE * 2]),
    "delay": st.sampled_from([0, 0.0]),
    "paused": st.just(False),  # the value
    "what": st.sampled_from(["record", "page"]),
    "agent": st.sampled_from(AGENTS),
    "game": st.sampled_from(["candyfactory", "chess"]),
}


@st.composite
def frames(draw: st.DrawFn) -> str:
    """A message of a type that there is, mostly, with fields that fit, or almost."""
    asked = draw(st.sampled_from(protocol.REQUESTS))
    message = {field: draw(LIKELY.get(field, JSON)) for field in asked.__struct_fields__ if draw(st.integers(0, 9))}
    message |= draw(st.just({}) | st.dictionaries(st.sampled_from([*message, "id", "x"]), JSON, max_size=2))
    text = json.dumps({"type": draw(st.sampled_from([asked.__struct_config__.tag] * 9 + ["view", None])), **message})
    if draw(st.integers(0, 5)):
        return text
    at = draw(st.integers(0, len(text)))
    return text[:at] + draw(st.text(max_size=2)) + text[at + draw(st.integers(0, 3)) :]


@settings(deadline=None)
@given(frames() | JSON.map(json.dumps) | st.text())
@example("[" * 50_000)
@example('{"type": "leave", "id": ' + "9" * 5000 + "}")
@example('{"type": ["leave"]}')
@example('{"type": "new", "game": "", "options": {"\\ud800": {}}, "seats": [{"kind": []}], "seed": null}')
def test_whatever_a_frame_is_it_is_a_request_or_refused_with_its_field(frame: str) -> None:
    refused = None
    try:
        assert type(request_in(frame)) in protocol.REQUESTS
    except Refusal as refusal:
        refused = refusal
    if refused is not None:
        assert 0 < len(refused.reason) <= protocol.MOST_REASON
        assert refused.reason.isprintable()
        assert refused.field is None or refused.reason.startswith(refused.field[:10])


@pytest.fixture(scope="module")
def playing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Browser, Message]]:
    """A browser that plays at a table, which another browser has made."""
    with served(tmp_path_factory.mktemp("tables")) as server, server.browser(KEY) as browser, server.browser(KEY) as b:
        yield server, browser, b.begin("chocofactory", OPTIONS, ["here", "greedy"])


def join(browser: Browser, made: Message) -> None:
    browser.ask("join", tokens=[made["seats"][0]["token"]])
    browser.ask("pace", table=made["table"], delay=0, paused=False)


@pytest.mark.long
@settings(max_examples=MESSAGES_SENT, deadline=None, database=None)
@given(st.lists(frames(), min_size=1, max_size=9))
def test_whatever_is_sent_it_is_answered(playing: tuple[Server, Browser, Message], sent: list[str]) -> None:
    server, browser, made = playing
    join(browser, made)
    for frame in sent:
        if "close" not in frame:
            browser.socket.send_text(frame.replace("TABLE", made["table"]))
        assert browser.ask("stop")["type"] == "done"
        for message in browser.heard():
            assert message["type"] != "refused" or "log says why" not in message["reason"]
    server.hall.tables = {made["table"]: server.hall.tables[made["table"]]}


@pytest.mark.long
def test_after_that_the_game_is_played_to_its_end(playing: tuple[Server, Browser, Message]) -> None:
    _, browser, made = playing
    join(browser, made)
    assert browser.play(random.Random(1))["over"]["scores"]
