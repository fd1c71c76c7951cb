"""Whole games as browsers play them: every game, alone, against agents, and several persons."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from at_table import KEY, Browser, served

import chocofactory_env as cf
from agents.learned import shipped_checkpoint
from chocofactory_env.play.tables.table import Table
from chocofactory_env.play.views import regrets

FAST = {"chocofactory": "greedy", "candyfactory": "greedy", "schoko": "manager"}
PLAYED = [
    ("chocofactory", {"num_players": 1}, ["here"]),
    ("chocofactory", {"num_players": 2, "expansion": "master_chocolatier"}, ["here", "greedy"]),
    ("candyfactory", {"num_players": 2, "game": "candy"}, ["here", "greedy"]),
    ("schoko", {"num_players": 3, "months": 6}, ["here", "manager", "here"]),
]


@pytest.mark.parametrize(("game", "options", "seats"), PLAYED, ids=[f"{one[0]}-{len(one[2])}" for one in PLAYED])
def test_a_game_is_played_to_its_end_and_its_record_is_the_same_game(
    game: str, options: dict[str, Any], seats: list[str], tmp_path: Path
) -> None:
    with served(tmp_path) as server, server.browser(KEY) as browser:
        made = browser.begin(game, options, seats)
        assert made["type"] == "made", made
        end = browser.play(random.Random(1))
        saved = browser.ask("save", table=made["table"], what="record")
        record = cf.GameRecord.parse(saved["text"].encode())
        state = record.replay()
        assert record.agents == [None if seat == "here" else seat for seat in seats]
        assert cf.load(game, **options).scores(state).tolist() == end["over"]["scores"]
        assert browser.last["table"]["over"]


def test_a_seat_is_read_as_text_by_those_who_hold_it(tmp_path: Path) -> None:
    with served(tmp_path) as server, server.browser(KEY) as host:
        made = host.begin("candyfactory", {"num_players": 2}, ["here", "link"])
        game, state = cf.load("candyfactory", num_players=2), server.hall.tables[made["table"]].state
        text = host.ask("read", table=made["table"], seat=0)
        assert (text["rules"], text["position"]) == (game.prompt_rules(state, 0), game.prompt(state, 0, rules=False))
        assert host.ask("read", table=made["table"], seat=1)["field"] == "seat"


def test_what_can_be_taken_is_in_the_picture(tmp_path: Path) -> None:
    with served(tmp_path) as server, server.browser(KEY) as browser:
        browser.begin("chocofactory", {"num_players": 2}, ["here", "greedy"])
        view = browser.asked()
        for each in view["actions"]:
            assert f'data-action="{each["action"]}"' in str(view["panels"])


def test_two_browsers_play_one_game_and_a_third_looks_on(tmp_path: Path) -> None:
    rng = random.Random(2)
    with served(tmp_path) as server, server.browser(KEY) as host:
        made = host.begin("schoko", {"num_players": 2}, ["here", "link"])
        link = made["seats"][1]["token"]
        with server.browser(link) as guest, server.browser(made["watch"]) as third:
            assert guest.welcome["tables"][0]["held"] == [1]
            assert not guest.welcome["host"]
            guest.ask("join", tokens=[link])
            third.ask("join", tokens=[made["watch"]])
            watched = third.until("view")
            assert (watched["seat"], watched["decision"], watched["actions"], watched["undo"]) == (None, None, [], [])
            table = server.hall.tables[made["table"]]
            for _ in range(30):
                mover = host if table.mover == 0 else guest
                view = mover.asked()
                assert view["seat"] == table.mover
                mover.act(view, rng.choice(view["actions"])["action"])
            refused = guest.ask("act", table=made["table"], seat=0, decision=table.asked[0], action=0)
            assert "does not hold seat 0" in refused["reason"]
            refused = third.ask("act", table=made["table"], seat=1, decision=table.asked[1], action=0)
            assert "does not hold seat 1" in refused["reason"]


def look_of(view: dict[str, Any]) -> dict[str, Any]:
    """A view with the keys of its panels alone."""
    return {**view, "panels": [panel["key"] for panel in view["panels"]]}


def test_a_browser_that_reloads_finds_its_seat_again(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        with server.browser(KEY) as browser:
            made = browser.begin("candyfactory", {"num_players": 2}, ["here", "greedy"])
            before = browser.play(random.Random(3), 10)
            log = browser.log
        with server.browser(made["seats"][0]["token"]) as again:
            again.ask("join", tokens=[made["seats"][0]["token"]])
            assert look_of(again.until("view")) == look_of(before)
            again.until("log")
            assert again.log[: len(log)] == log


def test_between_persons_at_one_screen_nothing_is_sent_before_it_is_uncovered(tmp_path: Path) -> None:
    rng = random.Random(4)
    with served(tmp_path) as server, server.browser(KEY) as browser:
        made = browser.begin("candyfactory", {"num_players": 2}, ["here", "here"])
        table = server.hall.tables[made["table"]]
        seen = None
        for _ in range(60):
            message = browser.until("view", "curtain", where=lambda one: one["type"] == "curtain" or one["decision"])
            if message["type"] == "curtain":
                assert message["seat"] == table.mover != seen
                browser.send("uncover", table=made["table"], seat=message["seat"])
                seen = message["seat"]
                continue
            assert message["seat"] == seen
            browser.send(
                "act",
                table=made["table"],
                seat=seen,
                decision=message["decision"],
                action=rng.choice(message["actions"])["action"],
            )
        assert seen is not None


def test_a_game_without_secrets_needs_no_curtain(tmp_path: Path) -> None:
    with served(tmp_path) as server, server.browser(KEY) as browser:
        browser.begin("chocofactory", {"num_players": 2}, ["here", "here"])
        browser.play(random.Random(5), 30)
        assert "curtain" not in browser.last


def test_agents_alone_are_watched_paused_and_stepped(tmp_path: Path) -> None:
    with served(tmp_path) as server, server.browser(KEY) as browser:
        browser.ask(
            "new",
            game="chocofactory",
            options={"num_players": 2},
            seats=[{"kind": "agent", "agent": "greedy"}, {"kind": "agent", "agent": "planner:width=2"}],
            seed=1,
        )
        table = next(iter(server.hall.tables.values()))
        browser.ask("pace", table=table.name, paused=True)
        played = len(table.actions)
        assert browser.ask("step", table=table.name)["type"] == "done"
        browser.until("log", where=lambda message: message["lines"])
        assert len(table.actions) == played + 1
        assert browser.ask("uncover", table=table.name, seat=1)["type"] == "done"  # nobody's secrets but agents'
        assert browser.until("view", where=lambda view: view["seat"] == 1)["decision"] is None
        browser.ask("pace", table=table.name, paused=False, delay=0)
        assert "not" not in browser.until("view", where=lambda view: view["over"])
        assert "is over" in browser.ask("step", table=table.name)["reason"]


def test_a_step_is_answered_alike_whoever_is_asked(tmp_path: Path) -> None:
    """In a window in which seats answer in secret, nobody may know whether an agent is asked."""
    with served(tmp_path) as server, server.browser(KEY) as browser:
        made = browser.begin("candyfactory", {"num_players": 2, "start_player": 0}, ["here", "greedy"])
        table = server.hall.tables[made["table"]]
        browser.ask("pace", table=table.name, paused=True)
        view = browser.asked()
        assert browser.ask("step", table=table.name)["type"] == "done"  # a person is asked
        while table.mover == 0:
            number = len(table.actions)
            browser.act(view)
            if table.mover == 0:
                view = browser.asked()
        until_played(browser, table, number + 2)  # with the step that was waiting
        while table.mover == 1:
            number = len(table.actions)
            assert browser.ask("step", table=table.name)["type"] == "done"  # an agent is asked
            until_played(browser, table, number + 1)


def until_played(browser: Browser, table: Table, actions: int) -> None:
    browser.until("log", where=lambda _: len(table.actions) == actions)


def test_guests_see_no_folders_of_the_hosts(tmp_path: Path) -> None:
    checkpoint = tmp_path / "run" / "best.safetensors"
    text = f"learned:checkpoint={checkpoint}"
    checkpoint.parent.mkdir()
    shutil.copy(shipped_checkpoint(cf.load("candyfactory", num_players=2)), checkpoint)
    with served(tmp_path, own=[text]) as server, server.browser(KEY) as host:
        made = host.begin("candyfactory", {"num_players": 2, "start_player": 0}, ["link", text])
        assert made["type"] == "made"
        assert host.now("table", lambda _: True)["seats"][1]["agent"] == text
        with server.browser() as guest:
            guest.ask("join", tokens=[made["seats"][0]["token"]])
            seat = guest.now("table", lambda _: True)["seats"][1]
            assert seat["agent"] == seat["name"] == "learned:checkpoint=best.safetensors"
            table = server.hall.tables[made["table"]]
            table.problem = f"{text}: damaged"
            assert guest.ask("pace", table=table.name, delay=0.5)["type"] == "done"  # all look again
            assert "failed" in guest.now("table", lambda message: message["problem"])["problem"]
            assert str(tmp_path) not in json.dumps(list(guest.last.values()))
        assert str(checkpoint) in host.now("table", lambda message: message["problem"])["problem"]


def test_a_record_from_a_file_is_gone_on_with(tmp_path: Path) -> None:
    game = cf.load("chocofactory", num_players=2)
    record = cf.record_game(game, [cf.make_agent("greedy", game)] * 2, 5)
    with served(tmp_path) as server, server.browser(KEY) as browser:
        upload = server.upload(record.text()).json()
        assert upload["actions"] == len(record.actions)
        browser.begin("", {}, ["here", "here"], seed=None, upload=upload["upload"], at=40)
        view = browser.asked()
        state = game.new(5)
        for action in record.actions[:40]:
            game.apply(state, action)
        assert [each["action"] for each in view["actions"]] == game.legal_mask(state).nonzero()[0].tolist()
        saved = browser.ask("save", table=view["table"], what="record")
        assert "after its end" in saved["reason"]  # between persons


def test_a_replay_shows_every_position_with_everybodys_eyes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = cf.load("schoko", num_players=2)
    record = cf.record_game(game, [cf.make_agent("manager", game)] * 2, 5)
    with served(tmp_path) as server, server.browser(KEY) as browser:
        upload = server.upload(record.text()).json()["upload"]
        replay = browser.ask("open", upload=upload)
        assert replay["actions"] == len(record.actions)
        assert replay["chapters"][0] == {"at": 0, "words": "month 1"}
        for at, seat in ((0, None), (len(record.actions), 0), (9, 1)):
            there = game.new(5)
            for action in record.actions[:at]:
                game.apply(there, action)
            view = browser.ask("seek", at=at, seat=seat)
            assert (view["at"], view["seat"], view["decision"]) == (at, seat, None)
            if at < len(record.actions):
                assert view["played"] == record.actions[at]
                assert view["mover"] == game.current_player(there)
            else:
                assert view["over"]["scores"] == game.scores(there).tolist()
                amounts = [one["amounts"] for one in view["over"]["accounts"]]
                assert [sum(of_seat) for of_seat in zip(*amounts, strict=True)] == view["over"]["scores"]
        assert "at most" in browser.ask("seek", at=len(record.actions) + 1, seat=None)["reason"]
        assert browser.ask("seek", at=0, seat=2)["field"] == "seat"
        found = browser.ask("regret", deals=2)
        assert (found["type"], found["done"], found["ended"], found["regrets"]) == ("regrets", 0, False, [])
        assert found["curve"][-1]["at"] == len(record.actions)
        assert sorted(found["curve"][-1]["chances"]) == [0, 100]
        assert browser.ask("stop")["type"] == "done"
        monkeypatch.setattr(regrets, "ANALYSIS_SECONDS", -1.0)
        found = browser.ask("regret", deals=2)
        assert (found["done"], found["ended"]) == (0, True)
        page = browser.ask("save", table=None, what="page")
        assert page["name"] == "schoko-5.html"
        assert page["text"].startswith("<!doctype html>")
        assert browser.ask("save", table=None, what="record")["text"] == record.text()


def test_between_persons_nobody_looks_through_the_game_before_its_end(tmp_path: Path) -> None:
    """A guest who holds a seat may, once it is over; who only looks on may not."""
    with served(tmp_path) as server, server.browser(KEY) as host:
        made = host.begin("schoko", {"num_players": 2, "months": 6}, ["here", "link"])
        with server.browser() as guest, server.browser() as third:
            guest.ask("join", tokens=[made["seats"][1]["token"]])
            third.ask("join", tokens=[made["watch"]])
            for browser in (host, guest):
                assert "after its end" in browser.ask("open", table=made["table"])["reason"]
            table = server.hall.tables[made["table"]]
            rng = random.Random(1)
            while not table.over:
                mover = host if table.mover == 0 else guest
                view = mover.asked()
                mover.act(view, rng.choice(view["actions"])["action"])
            assert third.ask("open", table=made["table"])["type"] == "refused"
            assert guest.ask("open", table=made["table"])["actions"] == len(table.actions)
