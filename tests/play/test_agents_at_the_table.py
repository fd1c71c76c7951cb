"""Agents at the table: they think beside the server, may fail or be interrupted, and say what they think."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from at_table import KEY, Browser, Server, served
from long_runs import amount

import chocofactory_env as cf
from chocofactory_env.core.search.stopping import StoppedError, check_stop
from chocofactory_env.play.limits import ABANDONED
from chocofactory_env.play.protocol import Refusal
from chocofactory_env.play.server import connection
from chocofactory_env.play.tables import table as table_module
from chocofactory_env.play.tables.agents import TableAgents, described_agents
from chocofactory_env.play.tables.background import WorkerThreads
from chocofactory_env.play.views.considerations import Considerations

CONSIDERED = amount("CF_CONSIDERED", 15, 400)  # positions of a game
OWN = "test_agents_at_the_table:"


class Fails:
    def __init__(self, game: Any) -> None:
        """It plays any game."""

    def __call__(self, observation: Mapping[str, np.ndarray], mask: np.ndarray) -> int:
        raise RuntimeError("no idea")


class Cheats:
    def __init__(self, game: Any) -> None:
        """It plays any game."""

    def __call__(self, observation: Mapping[str, np.ndarray], mask: np.ndarray) -> int:
        return int(np.flatnonzero(mask == 0)[0])


class Exits:
    """It raises what would end a program."""

    def __init__(self, game: Any) -> None:
        """It plays any game."""

    def __call__(self, observation: Mapping[str, np.ndarray], mask: np.ndarray) -> int:
        raise SystemExit("enough")


class Interrupts:
    def __init__(self, game: Any) -> None:
        raise KeyboardInterrupt


class ConsidersNothing(Exits):
    def consider(self, observation: Mapping[str, np.ndarray], mask: np.ndarray) -> Any:
        return 7


class ConsidersOddly(Exits):
    def consider(self, observation: Mapping[str, np.ndarray], mask: np.ndarray) -> Any:
        return cf.Consideration(columns=7)  # type: ignore[arg-type]  # what is tested


class Waits:
    """Its first decision takes until `go`."""

    go = threading.Event()
    asked = threading.Event()
    at_work = 0

    def __init__(self, game: Any) -> None:
        """It plays any game."""

    def __call__(self, observation: Mapping[str, np.ndarray], mask: np.ndarray) -> int:
        Waits.at_work += 1
        self.asked.set()
        self.go.wait(60)
        Waits.at_work -= 1
        return int(mask.argmax())


def begin(browser: Browser, agent: str, seed: int = 1) -> dict[str, Any]:
    return browser.begin("chocofactory", {"num_players": 2, "start_player": 0}, ["here", agent], seed=seed)


def play_until_agent(browser: Browser, server: Server, table: str) -> None:
    view = browser.asked()
    while server.hall.tables[table].mover == 0:
        browser.act(view)
        if server.hall.tables[table].mover == 0:
            view = browser.asked()


@pytest.mark.parametrize(
    ("agent", "problem"), [("Fails", "no idea"), ("Cheats", "illegal action"), ("Exits", "enough")]
)
def test_an_agent_that_fails_is_named_and_the_table_stands(agent: str, problem: str, tmp_path: Path) -> None:
    with served(tmp_path, own=[OWN + agent]) as server, server.browser(KEY) as browser:
        made = begin(browser, OWN + agent)
        play_until_agent(browser, server, made["table"])
        table = browser.now("table", lambda message: message["problem"])
        assert table["problem"].startswith(OWN + agent)
        assert problem in table["problem"]
        steps = browser.now("view", lambda view: view["decision"] is None and view["undo"])["undo"]
        undone = browser.ask("undo", table=made["table"], seat=0, steps=1, of=len(steps))
        assert undone["type"] == "done"
        assert browser.now("table", lambda message: message["problem"] is None)


def test_an_agent_that_exits_where_it_is_made_is_refused(tmp_path: Path) -> None:
    with served(tmp_path, own=[OWN + "Interrupts"]) as server, server.browser(KEY) as browser:
        answer = begin(browser, OWN + "Interrupts")
        assert answer["field"] == "seats[1].agent"
        assert "KeyboardInterrupt" in answer["reason"]


@pytest.mark.parametrize(
    ("agent", "problem"),
    [("Exits", "enough"), ("ConsidersNothing", "expected a Consideration, got 7"), ("ConsidersOddly", "'int'")],
)
def test_an_agent_that_cannot_say_what_it_thinks_is_refused(agent: str, problem: str, tmp_path: Path) -> None:
    with served(tmp_path, own=[OWN + agent]) as server, server.browser(KEY) as browser:
        made = begin(browser, "greedy")
        browser.asked()
        answer = browser.ask("think", table=made["table"], seat=0, agent=OWN + agent)
        assert (answer["type"], answer["field"]) == ("refused", "agent")
        assert problem in answer["reason"]


def test_what_fails_in_the_package_itself_is_answered_and_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: Any) -> None:
        raise LookupError("a mistake")

    monkeypatch.setattr(Considerations, "of", broken)
    with served(tmp_path) as server, server.browser(KEY) as browser:
        made = begin(browser, "greedy")
        browser.asked()
        answer = browser.ask("think", table=made["table"], seat=0, agent="greedy")
        assert "log says why" in answer["reason"]
        assert "a mistake" in caplog.text


@pytest.mark.parametrize("error", [LookupError("a mistake"), RuntimeError("a mistake")])
def test_a_picture_that_fails_is_told_and_logged_and_the_next_one_is_shown(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any) -> None:
        raise error

    with served(tmp_path) as server, server.browser(KEY) as browser:
        with monkeypatch.context() as patch:
            patch.setattr(table_module, "picture_of", broken)
            made = begin(browser, "greedy")
            refused = browser.until("refused", "view")
            assert refused["reason"].startswith("the picture of the table failed")
            assert "a mistake" in caplog.text
        browser.ask("pace", table=made["table"], delay=0)
        assert browser.asked()["panels"]


def test_a_request_that_fails_is_refused_and_the_next_one_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any) -> None:
        raise ValueError("a mistake")

    monkeypatch.setattr(connection, "changes_of", broken)
    with served(tmp_path) as server, server.browser(KEY) as browser:
        begin(browser, "greedy")
        view = browser.asked()
        about = {"table": view["table"], "seat": 0, "decision": view["decision"]}
        answer = browser.ask("foresee", **about, action=view["actions"][0]["action"])
        assert answer["reason"] == "this failed; the server's log says why"
        assert "a mistake" in caplog.text
        assert browser.act(view)["type"] == "done"


def test_agents_of_ones_own_come_from_the_command_line_alone(tmp_path: Path) -> None:
    with served(tmp_path, own=[OWN + "Fails"]) as server, server.browser(KEY) as browser:
        assert browser.ask("describe", game="schoko", options={})["own"] == [OWN + "Fails"]
        assert begin(browser, OWN + "Fails")["type"] == "made"
        for other in (OWN + "Cheats", OWN + "Fails:x=1", "os:system", "learned:checkpoint=/dev/zero"):
            assert begin(browser, other)["field"] == "seats[1].agent"


def test_checkpoints_of_a_training_run_are_offered(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (run / "best.safetensors").write_bytes(b"no network")
    text = f"learned:checkpoint={run / 'best.safetensors'}"
    with served(tmp_path / "tables", runs=[run]) as server, server.browser(KEY) as browser:
        assert browser.ask("describe", game="chocofactory", options={})["own"] == [text]
        answer = begin(browser, text)
        assert answer["field"] == "seats[1].agent"
        assert "best.safetensors" in answer["reason"]


def test_others_are_answered_while_an_agent_thinks_and_it_is_interrupted(tmp_path: Path) -> None:
    Waits.go.clear()
    Waits.asked.clear()
    with served(tmp_path, own=[OWN + "Waits"]) as server, server.browser(KEY) as browser:
        made = begin(browser, OWN + "Waits")
        play_until_agent(browser, server, made["table"])
        assert Waits.asked.wait(60)
        with server.browser(KEY) as other:
            assert other.welcome["tables"][0]["table"] == made["table"]
        steps = browser.now("view", lambda view: view["decision"] is None and view["undo"])["undo"]
        assert browser.ask("undo", table=made["table"], seat=0, steps=len(steps), of=len(steps))["type"] == "done"
        table = server.hall.tables[made["table"]]
        assert (table.mover, table.actions) == (0, [])
        Waits.go.set()  # what it answers now is about a position that is no more
        assert browser.ask("leave")["type"] == "left"
        assert table.actions == []


def test_the_thinker_takes_new_work_when_old_work_is_abandoned() -> None:
    go = threading.Event()

    async def work() -> None:
        threads = WorkerThreads(1)
        for _ in range(ABANDONED):
            waiting = asyncio.create_task(threads.run(lambda: go.wait(60)))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
        assert await threads.run(lambda: 7) == 7
        with pytest.raises(ZeroDivisionError):
            await threads.run(lambda: 1 // 0)
        go.set()

    asyncio.run(work())


def test_an_abandoned_piece_of_work_is_told_to_stop() -> None:
    begun, ended = threading.Event(), threading.Event()

    def search() -> None:
        begun.set()
        try:
            while not ended.wait(0.001):
                check_stop()
        except StoppedError:
            ended.set()
            raise

    async def work() -> None:
        waiting = asyncio.create_task(WorkerThreads(1).run(search))
        assert await asyncio.to_thread(begun.wait, 60)
        waiting.cancel()
        assert await asyncio.to_thread(ended.wait, 60)

    asyncio.run(work())


def test_work_for_one_is_done_one_after_another_even_if_it_was_abandoned() -> None:
    go, begun = threading.Event(), [threading.Event() for _ in range(3)]

    def search(number: int) -> int:
        begun[number].set()
        go.wait(60)
        return number

    async def work() -> None:
        threads = WorkerThreads(2)
        first = asyncio.create_task(threads.run(partial(search, 0), "guest"))
        assert await asyncio.to_thread(begun[0].wait, 60)
        first.cancel()
        second = asyncio.create_task(threads.run(partial(search, 1), "guest"))
        other = asyncio.create_task(threads.run(partial(search, 2), "host"))
        assert await asyncio.to_thread(begun[2].wait, 60)
        assert not begun[1].is_set()
        go.set()
        assert (await second, await other) == (1, 2)

    asyncio.run(work())


@pytest.mark.parametrize("raised", [SystemExit(1), KeyboardInterrupt(), StopIteration(), asyncio.CancelledError()])
def test_what_would_end_the_event_loop_comes_as_an_error(raised: BaseException) -> None:
    def work() -> None:
        raise raised

    with pytest.raises(RuntimeError, match=type(raised).__name__):
        asyncio.run(asyncio.wait_for(WorkerThreads(1).run(work), 60))


THINKERS = {
    "chocofactory": ["planner:width=4", "expert:width=4,draft_width=1", "mcts:simulations=20,plan_width=1", "greedy"],
    "candyfactory": ["greedy", "expert", "mcts:simulations=20", "flat_mc:playouts=2"],
    "schoko": ["manager", "expert:simulations=20"],
}


@pytest.mark.parametrize("game", THINKERS)
def test_agents_say_what_they_make_of_a_position(game: str, tmp_path: Path) -> None:
    with served(tmp_path) as server, server.browser(KEY) as browser:
        options = {"num_players": 2}
        made = browser.begin(game, options, ["here", "random"])
        for _ in range(4):
            view = browser.asked()
            legal = {str(each["action"]) for each in view["actions"]}
            for agent in THINKERS[game]:
                thought = browser.ask("think", table=made["table"], seat=0, agent=agent)
                assert thought["type"] == "thought", thought
                assert thought["columns"]
                assert all(column["numbers"].keys() <= legal for column in thought["columns"])
                assert all(step["words"] for step in thought["line"])
            browser.act(view)


@pytest.mark.long
def test_an_agent_considers_as_it_would_choose() -> None:
    """The first column says what it goes by."""
    for name, agents in THINKERS.items():
        game = cf.load(name, num_players=2)
        rng, state = np.random.default_rng(1), game.new(3)
        for _ in range(CONSIDERED):
            if game.is_over(state):
                break
            legal = np.flatnonzero(game.legal_mask(state))
            if len(legal) > 1:
                for text in agents:
                    thinks, plays = (cf.make_agent(text, game) for _ in range(2))
                    for one in (thinks, plays):
                        cf.reset_agent(one, 5)
                    numbers = next(iter(cf.consider(game, thinks, state).columns.values()))
                    chosen = cf.decide(game, plays, state)
                    assert numbers[chosen] == max(numbers.values()), (text, numbers, chosen)
            game.apply(state, int(rng.choice(legal)))


def test_nobody_thinks_along_with_others(tmp_path: Path) -> None:
    with served(tmp_path) as server, server.browser(KEY) as browser:
        made = browser.begin("schoko", {"num_players": 2}, ["here", "link"])
        table = server.hall.tables[made["table"]]
        while table.mover == 0:
            browser.act(browser.asked())
        answer = browser.ask("think", table=made["table"], seat=1, agent="manager")
        assert "does not hold seat 1" in answer["reason"]
        answer = browser.ask("think", table=made["table"], seat=0, agent="manager")
        assert "not the turn" in answer["reason"]
        answer = browser.ask("think", table=made["table"], seat=0, agent="os:system")
        assert answer["type"] == "refused"


ENDLESS = "mcts:simulations=1000000"


def test_thoughts_that_a_guest_has_stopped_end(tmp_path: Path) -> None:
    with served(tmp_path, own=[ENDLESS]) as server, server.browser(KEY) as host:
        made = host.begin("candyfactory", {"num_players": 2, "start_player": 1}, ["here", "link"])
        with server.browser() as guest:
            guest.ask("join", tokens=[made["seats"][1]["token"]])
            guest.until("view", where=lambda view: view["decision"])
            guest.ask("think", table=made["table"], seat=1, agent="greedy")  # what it needs is compiled
            before = threading.active_count()
            for _ in range(12):
                guest.send("think", table=made["table"], seat=1, agent=ENDLESS)
                assert guest.ask("stop")["type"] == "done"
            guest.send("think", table=made["table"], seat=1, agent=ENDLESS)
        end = time.monotonic() + 60
        while threading.active_count() > before:
            assert time.monotonic() < end
            time.sleep(0.01)


def test_thoughts_are_counted_by_seat_and_leave_the_server_its_threads(tmp_path: Path) -> None:
    Waits.go.clear()
    Waits.asked.clear()
    with served(tmp_path, own=[OWN + "Waits"]) as server, server.browser(KEY) as host, ExitStack() as stack:
        stack.callback(Waits.go.set)
        made = host.begin("candyfactory", {"num_players": 2, "start_player": 1}, ["here", "link"])
        for _ in range(4):
            guest = stack.enter_context(server.browser())
            guest.ask("join", tokens=[made["seats"][1]["token"]])
            guest.until("view", where=lambda view: view["decision"])
            guest.send("think", table=made["table"], seat=1, agent=OWN + "Waits")
            assert guest.ask("pace", table=made["table"], delay=0)["type"] == "done"
        assert Waits.asked.wait(60)
        other = host.begin("candyfactory", {"num_players": 2, "start_player": 0}, ["here", "greedy"])
        host.asked()
        assert host.ask("think", table=other["table"], seat=0, agent="greedy")["type"] == "thought"
        assert Waits.at_work == 1


def test_thinking_can_be_stopped(tmp_path: Path) -> None:
    with served(tmp_path) as server, server.browser(KEY) as browser:
        made = browser.begin("candyfactory", {"num_players": 2, "start_player": 0}, ["here", "random"])
        browser.asked()
        browser.send("think", table=made["table"], seat=0, agent="mcts:simulations=9600")
        assert browser.ask("stop")["type"] == "done"
        assert browser.ask("think", table=made["table"], seat=0, agent="greedy")["agent"] == "greedy"


def test_a_thought_does_not_end_an_analysis_and_what_is_stopped_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def endless(*_: Any) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(connection, "regrets_of", endless)
    game = cf.load("schoko", num_players=2)
    record = cf.record_game(game, [cf.make_agent("random", game)] * 2, 1)
    with served(tmp_path) as server, server.browser(KEY) as browser:
        browser.ask("open", upload=server.upload(record.text()).json()["upload"])
        browser.send("regret", id=900)
        thought = browser.ask("think", table=None, agent="manager")
        assert thought["type"] == "thought"
        assert not [message for message in browser.heard() if message["type"] == "refused"]
        browser.send("stop", id=901)
        answers = [browser.until("refused", "done") for _ in range(2)]
        assert [(answer["type"], answer["id"]) for answer in answers] == [("refused", 900), ("done", 901)]
        assert answers[0]["reason"] == "this was stopped"


@pytest.mark.parametrize(
    ("game", "good"), [("chocofactory", "planner"), ("candyfactory", "greedy"), ("schoko", "manager")]
)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_agents_are_offered_with_style_rating_and_time(game: str, good: str, players: int) -> None:
    offered = {one["name"]: one for one in described_agents(game, players)}
    assert all(20 < len(one["style"]) < 160 for one in offered.values())
    measured = {name: one["measured"][-1] for name, one in offered.items() if one["measured"]}
    assert measured[good]["rating"] > measured["random"]["rating"]
    assert measured[good]["milliseconds"] > measured["random"]["milliseconds"] > 0
    assert described_agents(game, 7)[0]["measured"] == []


def test_an_agent_that_needs_text_is_not_offered_to_a_browser() -> None:
    """`llm` sends requests to the address it is given."""
    offered = {one["name"] for one in described_agents("schoko", 2)}
    assert {"random", "flat_mc", "mcts"} <= offered
    assert "llm" not in offered
    with pytest.raises(Refusal, match="files and other text are named on the command line alone"):
        TableAgents().check("llm:model=x,url=http://127.0.0.1", cf.load("schoko", num_players=2), "agent")
