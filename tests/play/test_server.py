"""The server: who is let in, what every answer forbids the browser, files, and a server that is killed."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from at_table import KEY, Browser, Server, served
from repository import ROOT
from starlette.websockets import WebSocketDisconnect
from websockets import Origin
from websockets.sync.client import ClientConnection, connect

import chocofactory_env as cf
from chocofactory_env.core.files import held
from chocofactory_env.play.__main__ import COMMAND, Table, host_key, main, open_browser, seat_of
from chocofactory_env.play.protocol import Refusal
from chocofactory_env.play.server import app as server_module
from chocofactory_env.play.server.app import HEADERS, Doors
from chocofactory_env.play.tables import on_disk
from chocofactory_env.play.tables import table as table_module
from chocofactory_env.play.tables.agents import TableAgents
from chocofactory_env.play.tables.hall import Hall
from chocofactory_env.play.tables.offers import Offers
from chocofactory_env.play.tables.stories import Step, steps_of
from chocofactory_env.record import MAX_BYTES


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("tables")) as made:
        yield made


# --- who is let in

HOME = Doors(8421, frozenset({"localhost", "box"}))


@pytest.mark.parametrize("host", ["127.0.0.1:8421", "localhost:8421", "[::1]:8421", "127.0.0.9:8421", "box:8421"])
def test_its_own_names_are_let_in(host: str) -> None:
    assert HOME.lets_in(host)


@pytest.mark.parametrize(
    "host",
    ["", "127.0.0.1", "127.0.0.1:80", "evil.example:8421", "localhost.evil.example:8421", "10.0.0.1:8421",
     "localhost:x", "a@localhost:8421", "localhost:8421/", "[::1:8421", "2130706433:8421", "localhost:8421, evil:8421"],
)  # fmt: skip
def test_other_names_are_not(host: str) -> None:
    assert not HOME.lets_in(host)


def test_numbers_of_other_machines_are_let_in_where_the_server_listens_to_them() -> None:
    assert Doors(8421, anywhere=True).lets_in("10.0.0.1:8421")
    assert not Doors(8421, anywhere=True).lets_in("evil.example:8421")


@pytest.mark.parametrize("host", ["table.example.org", "table.example.org:8421", "TABLE.example.org:443"])
def test_public_names_are_let_in_at_any_port(host: str) -> None:
    doors = Doors(8421, public=frozenset({"table.example.org"}))
    assert doors.lets_in(host)
    assert not doors.lets_in(f"evil.{host}")
    assert not HOME.lets_in(host)


def test_a_page_of_a_stranger_gets_nothing(server: Server) -> None:
    assert server.client.get("/theme.css").status_code == 200
    assert server.client.get("/theme.css", headers={"host": "evil.example"}).status_code == 400
    assert server.client.get("/theme.css", headers={"origin": "http://evil.example"}).status_code == 403
    for origin in ({}, {"origin": "http://evil.example"}, {"origin": "null"}):
        assert server.client.post("/upload", content="x", headers={"x-key": KEY, **origin}).status_code == 403
        with pytest.raises(WebSocketDisconnect), server.client.websocket_connect("/socket", headers=origin):
            pass
    with (
        pytest.raises(WebSocketDisconnect),
        server.client.websocket_connect("/socket", headers={"host": "evil.example", "origin": "http://evil.example"}),
    ):
        pass


@pytest.mark.parametrize("path", ["/", "/theme.css", "/page/none.js", "/upload", "/nowhere"])
def test_every_answer_says_what_a_browser_may_not(server: Server, path: str) -> None:
    answer = server.client.get(path)
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert "unsafe" not in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    "name", ["..%2fserver.py", "../server.py", "%2e%2e/server.py", "..\\server.py", "server.py", ""]
)
def test_no_other_file_is_served(server: Server, name: str) -> None:
    for folder in ("page", "font"):
        assert server.client.get(f"/{folder}/{name}").status_code == 404


def test_fonts_are_served(server: Server) -> None:
    names = server_module.files_in(server_module.FONTS, ".ttf")
    assert names
    for name, path in names.items():
        answer = server.client.get(f"/font/{name}")
        assert answer.content == path.read_bytes()
        assert answer.headers["content-type"].startswith("font/")


# --- files


def record_with(**changes: Any) -> bytes:
    """The record of the first moves of a game, with other fields."""
    game = cf.load("schoko", num_players=2)
    record = json.loads(cf.record_game(game, "random", 1, max_actions=5).text())
    return json.dumps({**record, **changes}).encode()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "expected JSON"),
        (b"[]", "expected an object"),
        (b"{}", "schema: nothing; expected this field, 2"),
        ({"game": "chess"}, "no game 'chess'"),
        ({"game": "os:system"}, "no game 'os:system'"),
        ({"options": {"deck": "/dev/zero"}}, "they name the deck '/dev/zero'"),
        ({"options": {"num_players": 9}}, "num_players"),
        ({"actions": [0] * 20_001}, "20,001 actions"),
        ({"actions": [95]}, "actions[0]: illegal action 95"),
        ({"deck": "other"}, "the record, deck: another deck"),
    ],
    ids=range(10),
)
def test_a_file_that_is_no_game_is_refused(server: Server, content: bytes | dict[str, Any], reason: str) -> None:
    answer = server.upload(content if isinstance(content, bytes) else record_with(**content))
    assert answer.status_code == 400
    assert reason in answer.json()["reason"]


def test_a_record_is_taken(server: Server) -> None:
    assert server.upload(record_with()).json()["actions"] == 5


def test_a_file_of_anybody_else_or_without_end_is_refused(server: Server) -> None:
    assert server.upload("{}", key="").status_code == 403
    assert server.upload("{}", key=KEY + "k").status_code == 403
    assert server.upload(b"x" * (MAX_BYTES + 1)).status_code == 413


# --- tables on file


def test_a_table_goes_on_after_the_server_has_ended(tmp_path: Path) -> None:
    with served(tmp_path) as first, first.browser(KEY) as browser:
        made = browser.begin("candyfactory", {"num_players": 2}, ["here", "greedy"])
        before = browser.play(random.Random(1), 15)
        log = list(browser.log)
    assert oct((tmp_path / "tables").stat().st_mode)[-3:] == "700"
    with served(tmp_path) as second, second.browser(KEY) as browser:
        [entry] = browser.welcome["tables"]
        assert (entry["table"], entry["game"], entry["over"]) == (made["table"], "candyfactory", False)
        browser.ask("join", tokens=[made["seats"][0]["token"]])
        browser.ask("pace", table=made["table"], delay=0)
        after = browser.asked()
        assert unnumbered(after) == unnumbered(before)
        browser.until("log")
        assert browser.log[: len(log)] == log
        assert browser.play(random.Random(2), view=after)["over"]
        assert browser.ask("close", table=made["table"])["type"] == "closed"
    assert not list((tmp_path / "tables").iterdir())


def test_a_table_of_release_0_1_0_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with served(tmp_path) as first, first.browser(KEY) as browser:
        made = browser.begin("schoko", {"num_players": 2}, ["here", "here"])
    file = tmp_path / "tables" / f"{made['table']}.json"
    content = json.loads(file.read_text())
    assert content["began"] > 0
    assert content["chapter"] == "month 1"
    file.unlink()
    folder, record = file.with_suffix(""), content["record"]
    folder.mkdir()
    head = {name: record[name] for name in ("game", "options", "deck", "rules", "package", "seed")}
    lines = [{"schema": 1, **head}, {"actions": 0, **record["result"]}]
    (folder / "record.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "table.json").write_text(json.dumps({"seats": content["seats"], "watch": content["watch"]}))
    (tmp_path / "tables" / "from_a_position").mkdir()
    with served(tmp_path) as second, second.browser(KEY) as browser:
        [entry] = browser.welcome["tables"]
        assert (entry["began"], entry["chapter"]) == (None, "")
        browser.ask("join", tokens=[made["seats"][0]["token"]])
        assert second.hall.entries((), host=True)[0]["chapter"] == "month 1"
    assert "from_a_position: a table of release 0.1 that cannot be converted" in capsys.readouterr().err
    assert not folder.exists()


def unnumbered(view: dict[str, Any]) -> dict[str, Any]:
    """The view without numbers of decisions and without pictures, of which it keeps the keys."""
    return {**view, "decision": 0, "undo": 0, "panels": [panel["key"] for panel in view["panels"]]}


def test_a_damaged_table_is_named_and_the_others_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with served(tmp_path) as first, first.browser(KEY) as browser:
        tables = [browser.begin("schoko", {"num_players": 2}, ["here", "here"])["table"] for _ in range(3)]
    (tmp_path / "tables" / f"{tables[0]}.json").write_text("{}")
    record = tmp_path / "tables" / f"{tables[1]}.json"
    record.write_text(record.read_text().replace('"rules":', '"rules":9'))
    with served(tmp_path) as second, second.browser(KEY) as browser:
        entries = {entry["table"]: entry for entry in browser.welcome["tables"]}
        assert set(entries) == {*tables[1:]}
        assert tables[0] in capsys.readouterr().err
        answer = browser.ask("join", tokens=[entries[tables[1]]["watch"]])
        expected = f"the table cannot be gone on with: {tables[1]}.json, rules: 9"
        assert answer["reason"].startswith(expected), "a guest reads it, too"
        assert browser.ask("join", tokens=[entries[tables[2]]["watch"]])["type"] == "done"


def test_a_table_that_is_deleted_while_it_is_loaded_stays_so_and_nobody_else_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(tmp_path) as first, first.browser(KEY) as browser:
        names = [browser.begin("schoko", {"num_players": 2}, ["here", "here"])["table"] for _ in range(2)]
        browser.act(browser.asked())
    begun, go = threading.Event(), threading.Event()

    def slow(*about: Any) -> list[Step]:
        begun.set()
        go.wait(60)
        return steps_of(*about)

    async def work() -> None:
        hall = Hall(tmp_path, KEY, TableAgents(), Offers(), 2)
        there = await hall.table(names[0])
        monkeypatch.setattr(table_module, "steps_of", slow)
        loading = asyncio.create_task(hall.table(names[1]))
        assert await asyncio.to_thread(begun.wait, 60)
        assert await hall.table(names[0]) is there
        hall.close(names[1])
        go.set()
        with pytest.raises(Refusal, match="there is no such table"):
            await loading
        assert [*hall.tables, *hall.kept] == names[:1]

    asyncio.run(work())


def test_a_kept_table_with_other_seats_than_the_game_has_is_refused(tmp_path: Path) -> None:
    with served(tmp_path) as first, first.browser(KEY) as browser:
        made = browser.begin("candyfactory", {"num_players": 3}, ["here", "here", "here"])
    edit(tmp_path, lambda table: table["seats"].pop())
    with served(tmp_path) as second, second.browser(KEY) as browser:
        answer = browser.ask("join", tokens=[made["watch"]])
        assert "it has 2 seats; expected 3" in answer["reason"]
        assert browser.ask("leave")["type"] == "left"


def edit(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """The file of the only table."""
    [file] = folder.glob("tables/*.json")
    table = json.loads(file.read_text())
    change(table)
    file.write_text(json.dumps(table))


def test_a_kept_table_imports_no_module_that_the_command_line_does_not_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a_strangers.py").write_text("raise AssertionError('it was imported')")
    monkeypatch.syspath_prepend(tmp_path)
    with served(tmp_path) as first, first.browser(KEY) as browser:
        seats = [{"kind": "here"}, {"kind": "agent", "agent": "greedy"}]
        options = {"num_players": 2, "start_player": 1}
        made = browser.ask("new", game="candyfactory", options=options, seats=seats, seed=1)
        browser.ask("pace", table=made["table"], paused=True)
    edit(tmp_path, lambda table: table["seats"][1].update(agent="a_strangers:make"))
    with served(tmp_path) as second, second.browser(KEY) as browser:
        browser.ask("join", tokens=[made["watch"]])
        browser.ask("pace", table=made["table"], delay=0)
        if second.hall.tables[made["table"]].mover == 0:
            browser.ask("join", tokens=[made["seats"][0]["token"]])
            browser.act(browser.asked())
        table = browser.now("table", lambda message: message["problem"])
        assert "no agent 'a_strangers:make'" in table["problem"]
        assert "--agent" in table["problem"]


def test_a_full_disk_is_told_and_the_game_is_written_when_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(on_disk, "AGAIN", 0.02)
    with served(tmp_path) as server, server.browser(KEY) as browser:
        with monkeypatch.context() as patch:
            patch.setattr(on_disk, "write_text", full)
            made = browser.begin("candyfactory", {"num_players": 2}, ["here", "here"])
            table = browser.now("table", lambda message: message["unkept"])
            assert table["unkept"] == os.strerror(errno.ENOSPC)
        browser.now("table", lambda message: message["unkept"] is None)
        assert (tmp_path / "tables" / f"{made['table']}.json").exists()
    said = capsys.readouterr().err.splitlines()
    assert len([line for line in said if "cannot be kept" in line]) == 1
    assert len([line for line in said if "kept again" in line]) == 1


# --- the process


def test_two_servers_do_not_share_a_folder(tmp_path: Path) -> None:
    words = ["--folder", str(tmp_path), "--host", "192.0.2.1", "--no-browser"]  # nor has this machine such an address
    with held(tmp_path, ValueError), pytest.raises(SystemExit, match="another process is at work"):
        main(words)


def test_the_browser_is_opened_without_the_key_on_its_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    page = tmp_path / "open.html"
    open_browser(f"http://127.0.0.1:1/#host={KEY}&join=a,b", page)
    assert opened == [page.as_uri()]
    assert f'url=http://127.0.0.1:1/#host={KEY}&amp;join=a,b"' in page.read_text()
    assert oct(page.stat().st_mode)[-3:] == "600"


@contextmanager
def started(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """The server in a process of its own."""
    command = [sys.executable, "-m", "chocofactory_env.play", "--no-browser", "--folder", str(folder), *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, cwd=folder
    ) as made:
        try:
            yield made
        finally:
            made.kill()


@contextmanager
def process(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The same, with the address that it prints."""
    with started(folder, *words) as made:
        assert made.stdout is not None
        yield made, made.stdout.readline().removeprefix("The table stands at ").strip()


class Session:
    """The part of the client of tests that `Browser` needs, over a real socket."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    def send_json(self, message: Any) -> None:
        self._connection.send(json.dumps(message))

    def receive_json(self) -> Any:
        return json.loads(self._connection.recv(timeout=60))


@contextmanager
def browser_at(address: str) -> Iterator[tuple[Browser, list[str]]]:
    """A browser that has opened the address, and the tokens of its seats."""
    here, _, fragment = address.partition("/#host=")
    key, _, seats = fragment.partition("&join=")
    with connect(here.replace("http", "ws") + "/socket", origin=Origin(here)) as connection:
        session: Any = Session(connection)
        yield Browser(session, [key]), seats.split(",")


@pytest.mark.programs
def test_a_server_that_is_killed_goes_on_where_it_stood(tmp_path: Path) -> None:
    with process(tmp_path, "--port", "0", "--seats", "person", "greedy", "--seed", "3") as (made, address):
        with browser_at(address) as (browser, seats):
            browser.ask("join", tokens=seats)
            browser.ask("pace", table=seats[0].partition(".")[0], delay=0)
            before = browser.play(random.Random(1), 8)
            browser.until("log")  # it follows the view
            table = tmp_path / "tables" / f"{before['table']}.json"
            until_written(table, sum("(forced)" not in line["words"] for line in browser.log))
        made.send_signal(signal.SIGKILL)
        made.wait()
    port = address.split(":")[2].partition("/")[0]
    with process(tmp_path, "--port", port) as (_, again):
        assert again.partition("&")[0] == address.partition("&")[0]  # the page that was open has the right key
        with browser_at(again) as (browser, _):
            browser.ask("join", tokens=seats)
            browser.ask("pace", table=before["table"], delay=0)
            after = browser.asked()
            assert [panel["key"] for panel in after["panels"]] == [panel["key"] for panel in before["panels"]]
            assert after["actions"] == before["actions"]
            assert browser.play(random.Random(1), 5, after)["at"] is None


def until_written(record: Path, actions: int) -> None:
    end = time.monotonic() + 60
    while not record.exists() or len(json.loads(record.read_text())["record"]["actions"]) < actions:
        assert time.monotonic() < end


@pytest.mark.programs
@pytest.mark.parametrize(("agent", "problem"), [("nobody", "unknown agent 'nobody'"), ("quits:make", "SystemExit")])
def test_what_cannot_be_begun_is_said_at_once(agent: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "quits.py").write_text("raise SystemExit")
    with process(tmp_path, "--port", "0", "--seats", "person", agent) as (made, _):
        _, errors = made.communicate(timeout=60)
        assert made.returncode != 0
        assert "no table: seats[1].agent: " in errors
        assert problem in errors


@pytest.mark.programs
def test_a_server_whose_agent_is_never_made_can_be_interrupted(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    (tmp_path / "waits.py").write_text(f"import pathlib, time\npathlib.Path({str(begun)!r}).touch()\ntime.sleep(600)\n")
    with started(tmp_path, "--port", "0", "--seats", "person", "waits:make") as made:
        end = time.monotonic() + 60
        while not begun.exists():
            assert time.monotonic() < end
            time.sleep(0.01)
        made.send_signal(signal.SIGINT)
        made.wait(60)


def test_the_command_line() -> None:
    found: list[Table] = []
    words = ["--seats", "person", "link", "greedy", "--option", "sides=B", "--option", "months=6"]
    replace(COMMAND, tell=found.append).run(words)
    [chosen] = found
    assert [seat_of(seat).kind for seat in chosen.seats] == ["here", "link", "agent"]
    assert chosen.option == {"sides": "B", "months": 6}
    assert chosen.host == "127.0.0.1"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--run", "nowhere"], "expected a folder that is there, got 'nowhere'"),
        (["--port", "99999"], "expected at most 65,535, got 99999"),
    ],
)
def test_a_folder_and_a_port_that_are_none_are_refused(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
    assert said in capsys.readouterr().err


def test_the_key_is_kept_and_the_users_alone(tmp_path: Path) -> None:
    key = host_key(tmp_path)
    assert host_key(tmp_path) == key
    assert len(key) >= 32
    assert oct((tmp_path / "host.key").stat().st_mode)[-3:] == "600"
