"""A seat at the table for an assistant: the real client over stdio, against the table's own server."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from repository import ROOT

import chocofactory_env as cf

pytestmark = pytest.mark.skipif(find_spec("mcp") is None, reason="`make adapters` installs mcp")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
DEAL = 5


@contextmanager
def table(folder: Path, *arguments: str) -> Iterator[list[str]]:
    """The addresses of the seats of a table that another process serves."""
    command = [sys.executable, "-m", "chocofactory_env.play", "--port", "0", "--no-browser", "--folder", str(folder)]
    served = subprocess.Popen(
        [*command, "--seed", str(DEAL), *arguments], env=ENVIRONMENT, stdout=subprocess.PIPE, text=True
    )
    try:
        assert served.stdout is not None
        seats = []
        for line in served.stdout:
            if line.startswith("Player"):
                seats.append(line.partition(": ")[2].strip())
            else:
                break
        yield seats
    finally:
        served.terminate()
        served.communicate()


def hurry(address: str) -> None:
    """The table's agents move at once."""
    from websockets.sync.client import connect
    from websockets.typing import Origin

    origin, _, token = address.partition("/#join=")
    with connect(origin.replace("http", "ws") + "/socket", origin=Origin(origin)) as socket:
        for message in ({"type": "hello", "tokens": [token]}, {"type": "join", "tokens": [token]}):
            socket.send(json.dumps(message))
        while (heard := json.loads(socket.recv()))["type"] != "table":
            pass
        socket.send(json.dumps({"type": "pace", "id": 9, "table": heard["table"], "delay": 0}))
        while json.loads(socket.recv()).get("id") != 9:
            pass


async def with_client(address: str, do: Callable[[Any], Awaitable[Any]]) -> Any:
    from mcp import Client, StdioServerParameters, stdio_client

    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "chocofactory_env.play.mcp"],
        env={**ENVIRONMENT, "CHOCOFACTORY_TABLE": address},
    )
    async with Client(stdio_client(server)) as client:
        return await do(client)


async def call(client: Any, tool: str, **arguments: Any) -> tuple[str, bool]:
    result = await client.call_tool(tool, arguments)
    return result.content[0].text, bool(result.is_error)


def test_a_scripted_player_plays_a_game_as_it_does_by_itself(tmp_path: Path) -> None:
    game: Any = cf.load("schoko", num_players=2)
    rng = np.random.default_rng(1)
    other = cf.make_agent("manager", game)
    mirror = game.new(DEAL)

    def others(state: Any) -> None:
        while not game.is_over(state) and game.current_player(state) == 1:
            game.apply(state, cf.decide(game, other, state))

    cf.reset_agent(other, cf.agent_seed(game, mirror, 1))

    async def play(client: Any) -> str:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert tools == {"rules", "look", "legal_moves", "play"}
        others(mirror)
        rules, _ = await call(client, "rules")
        assert rules == game.prompt_rules(mirror, 0)
        shown, failed = await call(client, "look")
        while "The game is over" not in shown:
            assert not failed
            assert shown.endswith(game.prompt(mirror, 0, rules=False))
            legal = np.flatnonzero(game.legal_mask(mirror)).tolist()
            moves, _ = await call(client, "legal_moves")
            assert moves.splitlines() == [f"{action}: {game.describe(action)}" for action in legal]
            action = int(rng.choice(legal))
            wrong, refused = await call(client, "play", move="I resign")
            assert refused
            assert "Answer with the number of one legal move" in wrong
            game.apply(mirror, action)
            others(mirror)
            shown, failed = await call(client, "play", move=str(action) if rng.integers(2) else game.describe(action))
        return shown

    with table(tmp_path, "--game", "schoko", "--seats", "link", "manager") as [address]:
        hurry(address)
        shown = asyncio.run(with_client(address, play))
    assert game.is_over(mirror)
    assert f"Scores by player: {game.scores(mirror).tolist()}. Won: {game.won(mirror).tolist()}." in shown


def test_a_seat_sees_only_what_it_may_know_and_waits_for_its_turn(tmp_path: Path) -> None:
    game: Any = cf.load("candyfactory", num_players=2)
    state = game.new(DEAL)
    mover = game.current_player(state)

    async def look(client: Any) -> tuple[str, bool]:
        return await call(client, "look")

    async def play_early(client: Any) -> tuple[str, bool]:
        return await call(client, "play", move="1")

    async def look_twice(client: Any) -> list[tuple[str, bool]]:
        return [await call(client, "look") for _ in range(2)]

    with table(tmp_path, "--game", "candyfactory", "--seats", "link", "link") as addresses:
        shown, failed = asyncio.run(with_client(addresses[mover], look))
        assert not failed
        redealt = game.redeal(state, mover, 77)
        assert shown.endswith(game.prompt(redealt, mover, rules=False))
        early, failed = asyncio.run(with_client(addresses[1 - mover], play_early))
        assert failed
        assert early.endswith("It is not your turn: call look, which waits for it.")
        for said, failed in asyncio.run(with_client(addresses[0][:-3] + "abc", look_twice)):
            assert failed
            assert "The table refuses: " in said
    lost, failed = asyncio.run(with_client(addresses[mover], look))
    assert failed
    assert re.search(r"No table answers at http://127\.0\.0\.1:\d+: ", lost)


@pytest.mark.parametrize("address", ["", "http://127.0.0.1:8421/", "file:///x#join=a"])
def test_what_is_no_address_of_a_seat_is_refused(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    from chocofactory_env.play.mcp import main

    with pytest.raises(SystemExit):
        main(["--table", address])
    assert "table: expected http://HOST:PORT/#join=TOKEN" in capsys.readouterr().err
