"""Agents at the table: they think beside the server, may fail or be interrupted, and say what they think."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from at_table import KEY, Browser, Server, served
from long_runs import amount

import chocofactory_env as cf
from chocofactory_env.play.thinking import MOST_ABANDONED, Thinker

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


class Waits:
    """Its first decision takes until `go`."""

    go = threading.Event()
    asked = threading.Event()

    def __init__(self, game: Any) -> None:
        """It plays any game."""

    def __call__(self, observation: Mapping[str, np.ndarray], mask: np.ndarray) -> int:
        self.asked.set()
        self.go.wait(60)
        return int(mask.argmax())


def begin(browser: Browser, agent: str, seed: int = 1) -> dict[str, Any]:
    return browser.begin("chocofactory", {"num_players": 2, "start_player": 0}, ["here", agent], seed=seed)


def play_until_agent(browser: Browser, server: Server, table: str) -> None:
    view = browser.asked()
    while server.hall.tables[table].mover == 0:
        browser.act(view)
        if server.hall.tables[table].mover == 0:
            view = browser.asked()


@pytest.mark.parametrize(("agent", "problem"), [("Fails", "no idea"), ("Cheats", "illegal action")])
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
        thinker = Thinker(1)
        for _ in range(MOST_ABANDONED):
            waiting = asyncio.create_task(thinker.run(lambda: go.wait(60)))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
        assert await thinker.run(lambda: 7) == 7
        with pytest.raises(ZeroDivisionError):
            await thinker.run(lambda: 1 // 0)
        go.set()

    asyncio.run(work())


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


def test_thinking_can_be_stopped(tmp_path: Path) -> None:
    with served(tmp_path) as server, server.browser(KEY) as browser:
        made = browser.begin("candyfactory", {"num_players": 2, "start_player": 0}, ["here", "random"])
        browser.asked()
        browser.send("think", table=made["table"], seat=0, agent="mcts:simulations=1000000")
        assert browser.ask("stop")["type"] == "done"
        assert browser.ask("think", table=made["table"], seat=0, agent="greedy")["agent"] == "greedy"
