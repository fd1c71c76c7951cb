"""The seat for an assistant, beside a table that is slow, silent, or gone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from chocofactory_env.play import mcp
from chocofactory_env.play.mcp import Seat, SeatError


class SlowTable:
    """Answers `read` with its `id`, but the first one only after `go`. held: the seats that a token opens."""

    def __init__(self, held: tuple[int, ...] = (0,), views: bool = True) -> None:
        self.held, self.views = held, views
        self.log: list[str] = []
        self.asked, self.go = asyncio.Event(), asyncio.Event()
        self.connections = self.open = 0

    async def serve(self, socket: ServerConnection) -> None:
        self.connections += 1
        self.open += 1
        tasks = [asyncio.create_task(self.answer(socket, json.loads(frame))) async for frame in socket]
        self.open -= 1
        await asyncio.gather(*tasks, return_exceptions=True)

    async def answer(self, socket: ServerConnection, message: dict[str, Any]) -> None:
        if message["type"] == "read" and not self.asked.is_set():
            self.asked.set()
            await self.go.wait()
        answer = {"type": "done", "id": message["id"], "rules": message["id"], "position": "p", "log": self.log}
        await socket.send(json.dumps(answer))
        if message["type"] == "join" and self.views:
            await socket.send(json.dumps({"type": "table", "table": "t", "held": self.held}))
            await socket.send(json.dumps({"type": "view", "decision": None, "over": None}))


def at(table: Callable[[], SlowTable], do: Callable[[SlowTable, Seat], Awaitable[None]]) -> None:
    async def play() -> None:
        made = table()
        async with serve(made.serve, "127.0.0.1", 0) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            await do(made, Seat(f"http://127.0.0.1:{port}/#join=token"))

    asyncio.run(asyncio.wait_for(play(), 60))


def test_an_answer_that_comes_too_late_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(table: SlowTable, seat: Seat) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(mcp, "ANSWER_SECONDS", 0.5)
            with pytest.raises(SeatError, match="does not answer"):
                await seat.rules()
        table.go.set()
        first, second = int(await seat.rules()), int(await seat.rules())
        assert second == first + 1
        assert table.connections == 1

    at(SlowTable, play)


def test_a_call_that_is_cancelled_is_cancelled_and_the_seat_stays() -> None:
    async def play(table: SlowTable, seat: Seat) -> None:
        call = asyncio.create_task(seat.rules())
        await table.asked.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        table.go.set()
        assert await seat.rules()
        assert table.connections == 1

    at(SlowTable, play)


@pytest.mark.parametrize(
    ("held", "views", "problem"), [((), True, "that of a spectator"), ((0,), False, "does not answer")]
)
def test_a_seat_that_is_not_taken_leaves_no_connection_open(
    held: tuple[int, ...], views: bool, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp, "ANSWER_SECONDS", 0.5)

    async def play(table: SlowTable, seat: Seat) -> None:
        for _ in range(2):
            with pytest.raises(SeatError, match=problem):
                await seat.rules()
        while table.open:
            await asyncio.sleep(0.01)
        assert table.connections == 2

    at(lambda: SlowTable(held, views), play)


def test_a_call_during_which_the_connection_is_lost_says_so_and_the_next_one_connects_anew() -> None:
    async def play(table: SlowTable, seat: Seat) -> None:
        call = asyncio.create_task(seat.rules())
        await table.asked.wait()
        await seat._socket.close()
        with pytest.raises(SeatError, match="was lost"):
            await call
        table.go.set()
        assert await seat.rules()
        assert table.connections == 2

    at(SlowTable, play)


def test_each_line_of_the_log_is_told_once_even_after_moves_were_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp, "WAIT_SECONDS", 0.01)

    async def play(table: SlowTable, seat: Seat) -> None:
        table.asked.set()
        told = []
        for table.log in (["a", "b"], ["a", "b", "c"], ["a", "d"], ["a", "d"]):
            told.append((await seat.look()).partition("p")[0].split())
        assert told[0][4:] == ["a", "b"]
        assert told[1][4:] == ["c"]
        assert told[2][4:] == ["d"]
        assert told[3] == []

    at(SlowTable, play)
