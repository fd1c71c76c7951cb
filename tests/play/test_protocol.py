"""Every message that is not as it should be gets a clear refusal, changes nothing, and the game goes on.

`CF_MESSAGES` says how many random messages are sent (default 250), `CF_SEED` the first of them.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from at_table import KEY, Browser, Server, served
from long_runs import amount
from starlette.websockets import WebSocketDisconnect

from chocofactory_env.play import protocol
from chocofactory_env.play.protocol import MESSAGES, Refusal

MESSAGES_SENT = amount("CF_MESSAGES", 250, 5_000)
FIRST = int(os.environ.get("CF_SEED", "0"))
OPTIONS = {"num_players": 2}
HERE = [{"kind": "here"}, {"kind": "agent", "agent": "greedy"}]
NEW = {"game": "chocofactory", "options": OPTIONS, "seats": HERE, "seed": 1}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("tables")) as made:
        yield made


FRAMES = [
    ("", "no JSON"),
    ("[1]", "expected a JSON object"),
    ("nul", "no JSON"),
    ("[" * 50_000, "nested too deeply"),
    ('{"type": "leave", "type": "leave"}', "duplicate key 'type'"),
    ('{"type": "leave", "id": NaN}', "NaN is not a JSON number"),
    ('{"type": "leave", "id": ' + "9" * 5000 + "}", "5,000 digits"),
    ('{"type": "leave", "id": -1}', "id: expected a whole number"),
    ('{"type": "leave", "id": true}', "id: expected a whole number"),
    ('{"type": "leaf"}', "did you mean 'leave'"),
    ('{"type": ["leave"]}', "unknown type"),
    ("{}", "unknown type None"),
    ('{"type": "leave", "table": 1}', "unknown field 'table'"),
    ('{"type": "act"}', "table is missing"),
]


@pytest.mark.parametrize(("frame", "reason"), FRAMES, ids=range(len(FRAMES)))
def test_a_frame_that_is_no_message_is_refused(frame: str, reason: str) -> None:
    def read() -> None:
        message = protocol.parse(frame)
        protocol.identifier(message)
        protocol.check(message)

    with pytest.raises(Refusal, match=reason):
        read()


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


JUNK: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 7, 1 << 31, 1 << 63, 1e308, 0.5, "", "x", "\0", "é" * 50, "a" * 300, [], [[]], {},
    {"a": 1}, "agent", "here", "record", "greedy", "chocofactory", "../..", "os:system", "learned:checkpoint=/dev/zero",
)  # fmt: skip


def random_message(rng: random.Random, browser: Browser, table: str) -> str | bytes:
    """Of a type that there is, mostly, with fields that fit, or almost."""
    kind = rng.choice([*MESSAGES, "view", ""])
    view = browser.last.get("view", {})
    likely: dict[str, list[Any]] = {
        "table": [table, table, None, "other"],
        "seat": [0, 1, view.get("seat")],
        "decision": [view.get("decision"), 1, 2],
        "action": [each["action"] for each in view.get("actions", ())] or [0],
        "tokens": [[], [KEY[:-1]], [table]],
        "steps": [1, 2],
        "of": [len(view.get("undo", ())), 0],
        "options": [{}, {"num_players": 2}, {"num_players": 5}],
        "seats": [HERE, HERE * 2],
        "tall": [True, False],
        "delay": [0, 0.0],
        "paused": [False],
        "what": ["record", "page"],
        "agent": ["greedy", "random", "planner:width=1", "mcts:simulations=1,plan_width=1"],
        "game": ["candyfactory", "chess"],
    }
    fields = {name: rng.choice(likely.get(name, JUNK)) for name in MESSAGES.get(kind, {})}
    for _ in range(rng.choice((0, 0, 1, 2))):
        change, names = rng.randrange(4), list(fields) or ["x"]
        if change == 0:
            fields[rng.choice(names)] = rng.choice(JUNK)
        elif change == 1:
            fields.pop(rng.choice(names), None)
        elif change == 2:
            fields[str(rng.choice(JUNK))] = rng.choice(JUNK)
        else:
            fields["id"] = rng.choice(JUNK)
    text = json.dumps({"type": kind, **fields}).encode()
    if rng.random() < 0.2:
        place = rng.randrange(len(text))
        text = text[:place] + bytes([rng.randrange(256)]) + text[place + rng.randrange(3) :]
    return text if rng.random() < 0.05 else text.decode("utf-8", "replace")


@pytest.mark.long
def test_random_messages_are_refused_or_played_and_the_game_goes_on(tmp_path: Path) -> None:
    rng = random.Random(FIRST)
    with served(tmp_path) as server, server.browser(KEY) as browser, server.browser(KEY) as other:
        answers = {"refused": 0, "done": 0}
        made = other.begin("chocofactory", OPTIONS, ["here", "greedy"])
        token = made["seats"][0]["token"]
        for number in range(MESSAGES_SENT):
            if number % 50 == 0:  # leave, close and open take it away
                browser.ask("join", tokens=[token])
                browser.ask("pace", table=made["table"], delay=0, paused=False)
            frame = random_message(rng, browser, made["table"])
            if made["table"] in str(frame) and "close" in str(frame):
                continue
            if isinstance(frame, bytes):
                browser.socket.send_bytes(frame)
            else:
                browser.socket.send_text(frame)
            answer = browser.ask("stop")  # it answers
            assert answer["type"] == "done"
            for message in browser.heard():
                answers[message["type"]] = answers.get(message["type"], 0) + 1
                if message["type"] == "refused":
                    assert 0 < len(message["reason"]) <= protocol.MOST_REASON
                    assert "log says why" not in message["reason"]
            server.hall.tables = {
                name: table for name, table in server.hall.tables.items() if name == made["table"]
            }  # fmt: skip
        assert answers["refused"] > MESSAGES_SENT / 4
        assert answers["done"] > 0
        browser.ask("join", tokens=[token])
        browser.ask("pace", table=made["table"], delay=0, paused=False)
        assert browser.play(rng)["over"]["scores"]
