"""A browser's game: played to its end, saved, opened again, looked back on, and asked about."""

from __future__ import annotations

import json
import random
import sys
import time
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any

import pytest
from at_table import HERE, browser, client_of, offered, play, playing_of
from games_under_test import schoko
from hypothesis import example, given, settings
from hypothesis import strategies as st
from starlette.websockets import WebSocketDisconnect

import chocofactory_env as cf
from chocofactory_env.core.files import write_text
from chocofactory_env.play import protocol, session
from chocofactory_env.play.protocol import Refusal
from chocofactory_env.play.session import Desk, House
from chocofactory_env.record import GameRecord

PLAYED: list[tuple[str, dict[str, Any], list[str]]] = [
    ("chocofactory", {"num_players": 2}, ["person", "greedy"]),
    ("candyfactory", {"num_players": 3}, ["person", "greedy", "person"]),
    ("schoko", {"num_players": 2}, ["person", "manager"]),
]


@pytest.mark.parametrize(("game", "options", "seats"), PLAYED, ids=[one[0] for one in PLAYED])
def test_a_game_is_played_to_its_end_and_its_file_is_the_same_game(
    game: str, options: dict[str, Any], seats: list[str], tmp_path: Path
) -> None:
    with browser(tmp_path) as page:
        made = page.begin(game, options, seats)
        view = page.play(random.Random(1))
        saved = page.ask("save", what="record")
    record = GameRecord.read(tmp_path / made["file"])
    assert record == GameRecord.parse(saved["text"].encode())
    assert record.agents == [None if seat == "person" else seat for seat in seats]
    assert record.result is not None
    assert record.result.over
    record.replay()
    assert view["tree"]["groups"][0]["id"] == "result"
    with browser(tmp_path) as other:
        assert [one["file"] for one in other.ask("hello")["saved"]] == [made["file"]]
        assert other.ask("open", file=made["file"], name="Ann")["seats"][0] == {"name": "Ann", "agent": None}
        assert other.asked()["over"]
        other.ask("remove", file=made["file"])
    assert not (tmp_path / made["file"]).exists()


def test_a_game_goes_on_where_the_server_was_killed(tmp_path: Path) -> None:
    with browser(tmp_path) as page:
        made = page.begin("candyfactory", {}, ["person", "greedy"])
        before = page.play(random.Random(1), most=5)
    with browser(tmp_path) as again:
        again.ask("open", file=made["file"])
        assert again.ask("pace", delay=0)["type"] == "done"
        assert again.asked()["tree"] == before["tree"]
        assert again.play(random.Random(2))["over"]


def test_ones_last_choice_is_taken_back_with_all_that_followed(tmp_path: Path) -> None:
    with browser(tmp_path) as page:
        page.begin("chocofactory", {"num_players": 2}, ["person", "greedy"])
        before = page.asked()
        assert not before["back"]
        page.act(before, offered(before["tree"])[0])
        after = page.asked()
        assert after["back"]
        page.last.clear()
        page.ask("back")
        assert offered(page.asked()["tree"]) == offered(before["tree"])
        stale = page.ask("act", decision=before["decision"], action=offered(before["tree"])[0])
        assert stale == {"type": "refused", "reason": "the position has changed meanwhile", "id": stale["id"]}


def test_between_persons_at_one_screen_nothing_is_sent_before_it_is_uncovered(tmp_path: Path) -> None:
    with browser(tmp_path) as page:
        page.ask("new", game="candyfactory", options={}, seats=[{"name": "Ann"}, {"name": "Bob"}], seed=7)
        assert page.last["curtain"]["name"] in ("Ann", "Bob")
        assert "view" not in page.last
        page.ask("look")
        first = page.last["view"]
        assert first["decision"] is not None
        while "view" in page.last and page.last["view"]["seat"] == first["seat"]:
            view = page.last["view"]
            page.last.clear()
            page.ask("act", decision=view["decision"], action=offered(view["tree"])[0])
            if "view" not in page.last and "curtain" not in page.last:
                page.hear()
        assert list(page.last) == ["done", "curtain"] or "view" not in page.last


def test_while_one_plays_one_sees_what_the_own_seat_knows_then_all(tmp_path: Path) -> None:
    with browser(tmp_path) as page:
        page.begin("candyfactory", {}, ["person", "greedy"])
        page.play(random.Random(2), most=3)
        assert page.ask("look", at=0, eyes=1)["type"] == "refused"
        page.ask("look", at=0)
        assert (page.last["view"]["at"], page.last["view"]["seat"], page.last["view"]["decision"]) == (0, 0, None)
        page.ask("look")
        end = page.play(random.Random(1))["actions"]
        page.ask("look", at=end - 1, eyes="mover")
        view = page.last["view"]
        assert view["played"] in offered(view["tree"])
        assert page.ask("look", at=3, eyes=7)["reason"] == "eyes: there are 2 seats, got 7"


def test_agents_alone_are_watched_paused_and_stepped(tmp_path: Path) -> None:
    with browser(tmp_path) as page:
        page.ask("new", game="candyfactory", options={}, seats=[{"agent": "greedy"}, {"agent": "random"}], seed=7)
        page.ask("pace", paused=True, delay=0)
        at = page.last["view"]["actions"]
        page.ask("pace", step=True)
        while page.last["view"]["actions"] == at:
            page.hear()
        assert page.last["view"]["actions"] == at + 1
        page.ask("pace", paused=False)
        assert page.asked()["over"]


@pytest.mark.parametrize(("agent", "problem"), [("nobody", "unknown agent"), ("own:fails", "it fails")])
def test_an_agent_that_cannot_be_made_is_named(
    agent: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own.py").write_text("def fails(game):\n    raise ValueError('it fails')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with browser(tmp_path) as page:
        refused = page.begin("candyfactory", {}, ["person", agent])
        assert problem in refused["reason"]


def test_an_agent_that_fails_is_named_and_the_game_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "frail.py").write_text(
        "def make(game):\n    def act(observation, mask):\n        raise SystemExit('no idea')\n    return act\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    with browser(tmp_path) as page:
        page.begin("candyfactory", {}, ["frail:make", "frail:make"])
        while page.last["view"]["problem"] is None:
            page.hear()
        assert page.last["view"]["problem"].startswith("frail:make: ")
        assert "SystemExit" in page.last["view"]["problem"]
        assert page.ask("look", at=0)["type"] == "done"


def test_a_record_of_a_stranger_imports_no_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "strange.py").write_text("raise AssertionError\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    game = cf.load("candyfactory")
    record = cf.record_game(game, "greedy", 3, max_actions=9)
    record.agents = ["strange:make", "llm:model=x,url=http://127.0.0.1/"]
    with browser(tmp_path) as page:
        seats = page.ask("open", text=record.text(), name="Ann")["seats"]
    assert seats == [{"name": "Ann", "agent": None}, {"name": "Player 1", "agent": None}]
    assert "strange" not in sys.modules


@pytest.mark.parametrize(
    ("change", "reason"),
    [({"seed": -1}, "seed"), ({"actions": [0, 999]}, "actions["), ({"game": "chess"}, "chess"), (None, "JSON")],
)
def test_a_file_that_is_no_game_is_refused_with_its_place(change: Any, reason: str, tmp_path: Path) -> None:
    record = json.loads(cf.record_game(cf.load("candyfactory"), "greedy", 3, max_actions=9).text())
    text = "{" if change is None else json.dumps({**record, **change})
    with browser(tmp_path) as page:
        refused = page.ask("open", text=text)
        assert refused["type"] == "refused"
        assert reason in refused["reason"]
        assert page.ask("open", file="../record.json")["reason"].endswith("there is no such game any more")
        assert page.ask("back")["reason"] == "no game is open"


@pytest.mark.parametrize("game", ["chocofactory", "candyfactory", "schoko"])
def test_agents_say_what_they_make_of_a_position(game: str, tmp_path: Path) -> None:
    with browser(tmp_path) as page:
        page.begin(game, {"num_players": 2}, ["person", "random"])
        view = page.asked()
        thought = page.ask("think", agent="mcts:simulations=4")
        assert {int(action) for action in thought["columns"][0]["numbers"]} <= set(offered(view["tree"]))
        assert page.ask("think", agent="nobody")["type"] == "refused"


def test_an_analysis_comes_by_parts_and_is_in_the_page_that_is_saved(tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    record = cf.record_game(cf.load("candyfactory", game="plantation"), "greedy", 3)
    with browser(tmp_path) as page:
        assert page.ask("open", text=record.text())["no_analysis"] is None
        found = page.ask("regret", deals=2)
        assert found["ended"]
        assert found["done"] == found["all"]
        assert {point["at"] for point in found["curve"]} <= set(range(len(record.actions) + 1))
        assert "<!doctype html>" in page.ask("save", what="page")["text"]


def test_moves_that_are_taken_back_are_not_analysed_on(tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    record = cf.record_game(cf.load("candyfactory", game="plantation"), "greedy", 3)
    with browser(tmp_path) as page:
        page.ask("open", text=record.text())
        page.socket.send_json({"type": "regret", "id": 100, "deals": 2})
        while page.hear()["type"] != "regrets":
            pass
        page.ask("pace", paused=True)
        assert page.ask("back", to=3)["type"] == "done"
        while page.last.get("refused", {}).get("id") != 100:
            page.hear()
        assert page.last["refused"]["reason"] == "this was stopped"
        assert page.last["view"]["actions"] == 3


def test_a_game_that_is_removed_while_games_are_listed_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "there.json"
    cf.record_game(cf.load("candyfactory"), "greedy", 3, max_actions=9).write(there)
    monkeypatch.setattr(Path, "glob", lambda _, pattern: [tmp_path / "gone.json", there])
    assert [one["file"] for one in House(tmp_path).saved()] == ["there.json"]


def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with browser(tmp_path) as page:
        page.begin("candyfactory", {}, ["person", "greedy"])
        view = page.asked()
        monkeypatch.setattr(session, "write_text", full)
        refused = page.ask("act", decision=view["decision"], action=offered(view["tree"])[0])
        assert refused["reason"] == page.last["view"]["problem"] == "the game is not saved: No space left on device"
        assert page.last["view"]["actions"] == 1


def test_two_browsers_of_one_game_write_its_file_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = cf.record_game(cf.load("candyfactory", game="plantation"), "greedy", 3, max_actions=40)
    record.write(tmp_path / "game.json")
    writing, together = Lock(), []

    def slow(*given: Any) -> None:
        together.append(writing.locked())
        with writing:
            time.sleep(0.1)
            write_text(*given)

    monkeypatch.setattr(session, "write_text", slow)
    address = f"{HERE}/socket".replace("http", "ws")
    with client_of(House(tmp_path)) as client:
        sockets = [client.websocket_connect(address, headers={"origin": HERE}) for _ in range(2)]
        with sockets[0] as one, sockets[1] as other:
            for socket in (one, other):
                socket.send_json({"type": "open", "id": 1, "file": "game.json"})
            for socket in (one, other):
                while socket.receive_json().get("id") != 1:
                    pass
    assert together[:2] == [False, False]


def test_agents_stop_where_the_game_cannot_be_saved_and_go_on_when_they_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes = count(1)

    def full_once(*given: Any) -> None:
        if next(writes) == 4:
            raise OSError(28, "No space left on device")
        write_text(*given)

    monkeypatch.setattr(session, "write_text", full_once)
    with browser(tmp_path) as page:
        page.begin("candyfactory", {"game": "plantation"}, ["greedy", "greedy"])
        while page.last["view"]["problem"] is None:
            page.hear()
        assert page.last["view"]["problem"] == "the game is not saved: No space left on device"
        page.ask("pace", paused=False)
        assert page.asked()["over"]


# --- what reaches a browser


def test_a_move_that_nobody_may_see_tells_nothing() -> None:
    rng, secret = random.Random(1), 0
    playing = playing_of(schoko(num_players=3), 1)
    while len(playing.actions) < 60 and not playing.over:
        at, mover = len(playing.actions), playing.mover
        play(playing, 1, rng)
        if not playing.game.move_in_words(playing.states[at], playing.actions[at], None):
            secret += 1
            for seat in set(range(3)) - {mover, playing.mover}:
                assert playing.view(seat, at) == playing.view(seat, at + 1)
    assert secret > 3


def test_eyes_are_by_default_those_of_the_person_or_of_nobody() -> None:
    playing = playing_of(schoko(num_players=2), 1, agent="random")
    assert Desk(playing, Path("x")).viewer is None
    playing.seats[1].agent = None
    assert Desk(playing, Path("x")).viewer == 1
    assert Desk(playing, Path("x"), eyes="open").viewer is None


# --- messages


JUNK: st.SearchStrategy[Any] = st.sampled_from([None, True, -1, 2**70, 0.5, "x" * 300, "\ud800", [], {}])
LIKELY: dict[str, st.SearchStrategy[Any]] = {
    "game": st.sampled_from(["candyfactory", "chess"]),
    "options": st.sampled_from([{}, {"num_players": 2}, {"num_players": 9}]),
    "seats": st.sampled_from([[{}, {}], [{}], [{"agent": "random"}, {}]]),
    "decision": st.integers(0, 9),
    "action": st.integers(0, 100),
    "agent": st.sampled_from(["greedy", "random", "nobody"]),
    "at": st.integers(0, 9),
    "delay": st.just(0),
    "deals": st.just(2),
    "what": st.sampled_from(["record", "page"]),
}


@st.composite
def frames(draw: st.DrawFn) -> str:
    """A message of a type that there is, mostly, with fields that fit, or almost."""
    asked = draw(st.sampled_from([one for one in protocol.REQUESTS if one is not protocol.Regret]))
    message = {field: draw(LIKELY.get(field, JUNK)) for field in asked.__struct_fields__ if draw(st.integers(0, 5))}
    text = json.dumps({"type": draw(st.sampled_from([asked.__struct_config__.tag] * 9 + ["view", None])), **message})
    at = draw(st.integers(0, 5 * len(text)))
    return text[:at] + draw(st.text(max_size=2)) + text[at + 1 :] if at < len(text) else text


@settings(deadline=None)
@given(frames() | st.text())
@example("[" * 50_000)
@example('{"type": "leave", "id": ' + "9" * 5000 + "}")
@example('{"type": ["leave"]}')
def test_whatever_a_frame_is_it_is_a_request_or_refused(frame: str) -> None:
    reason = "a request"
    try:
        assert type(protocol.parse(frame)[0]) in protocol.REQUESTS
    except Refusal as refusal:
        reason = refusal.reason
    assert 0 < len(reason) <= protocol.MOST_REASON
    assert reason.isprintable()


@settings(max_examples=30, deadline=None, database=None)
@given(sent=st.lists(frames(), min_size=1, max_size=6))
def test_whatever_is_sent_it_is_answered_and_the_game_can_be_played(
    sent: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    with browser(tmp_path_factory.mktemp("games")) as page:
        page.begin("candyfactory", {}, ["person", "random"])
        for frame in sent:
            page.socket.send_text(frame)
            answer = page.ask("stop")
            assert answer["type"] == "done"
            assert "log says why" not in page.last.get("refused", {"reason": ""})["reason"]
        page.last.clear()
        assert page.begin("candyfactory", {}, ["person", "random"])["type"] == "sat"
        page.play(random.Random(1), most=2)


def test_strangers_pages_get_nothing(tmp_path: Path) -> None:
    client = client_of(House(tmp_path))
    assert client.get("/").status_code == 200
    for headers in ({"host": "evil.example"}, {"host": "127.0.0.1:1"}, {"origin": "http://evil.example"}):
        answer = client.get("/", headers=headers)
        assert answer.status_code == 403
        assert "own page" in answer.text or "this name" in answer.text
    assert client.post("/", headers={"origin": HERE}).status_code == 405
    for origin in ({}, {"origin": "http://evil.example"}, {"origin": "http://127.0.0.1:1"}):
        with (
            pytest.raises(WebSocketDisconnect) as refused,
            client.websocket_connect("ws://127.0.0.1:8421/socket", headers=origin),
        ):
            pass
        assert refused.value.reason == "only the server's own page may ask this"
