"""A seat at the table for an assistant that speaks MCP, over stdin and stdout.

chocofactory play --seats person link                        # prints the address of the second seat
chocofactory mcp --table "http://127.0.0.1:8421/#join=TOKEN"
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable
from contextlib import suppress
from itertools import takewhile
from typing import Any, Final, TypeVar
from urllib.parse import parse_qs, urlsplit

from ..core.command import Command
from ..core.messages import shown
from ..core.text.answers import MoveError, read_moves
from .protocol import Message

VARIABLE: Final = "CHOCOFACTORY_TABLE"
ANSWER_SECONDS: Final = 30.0
WAIT_SECONDS: Final = 50.0  # for the others; clients give up a tool after a minute
LARGEST_MESSAGE: Final = 1 << 24  # bytes; a view holds a picture
INSTRUCTIONS: Final = (
    "You have a seat in a board game. Call rules once, then look. When it is your turn, play one of the numbered legal "
    "moves; the answer shows the next position. If the others are not done yet, call look again."
)
LOST: Final = "The connection to the table was lost. Call the tool again to connect anew."

T = TypeVar("T")


class SeatError(Exception):
    """A request cannot be met; the message is for the assistant."""


class Seat:
    """The seat behind `http://HOST:PORT/#join=TOKEN`. It connects on first use, and again after a drop.

    Raises:
        ValueError: no such address.
    """

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        tokens = parse_qs(parts.fragment).get("join", [])
        if parts.scheme not in ("http", "https") or not parts.netloc or len(tokens) != 1:
            raise ValueError(f"table: expected http://HOST:PORT/#join=TOKEN, got {shown(address)}")
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._token = tokens[0]
        self._socket: Any = None
        self._reading: asyncio.Task[None] | None = None
        self._sitting = asyncio.Lock()  # one call connects, the others wait for it
        self._number = 0  # of the last request
        self._told: list[str] = []  # the log as the assistant has read it

    # --- the assistant's calls

    async def rules(self) -> str:
        return str((await self._text())["rules"])

    async def look(self) -> str:
        """The position, and the log since the last look. Waits for the others, up to WAIT_SECONDS.

        The log calls others by their seats: names that strangers typed could read as instructions.
        """
        await self._sit()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._my_turn(), WAIT_SECONDS)
        text = await self._text()
        position, log = text["position"], text["log"]
        known = takewhile(lambda pair: pair[0] == pair[1], zip(self._told, log, strict=False))
        new, self._told = log[sum(1 for _ in known) :], log
        lines = ["Since your last look:", *new, ""] if new else []
        if over := self._last["view"]["over"]:
            result = f"The game is over. Scores by player: {over['scores']}. Won: {over['won']}."
            return "\n".join([*lines, position.rpartition("\n\n")[0], "", result])
        waiting = [] if self._decision is not None else ["", "The others are not done yet: call look again."]
        return "\n".join([*lines, position, *waiting])

    async def legal_moves(self) -> dict[int, str]:
        """Words by action number; empty if it is not this seat's turn."""
        position = (await self._text())["position"]
        if self._decision is None:
            return {}
        lines = position.rpartition("Legal moves:\n")[2].splitlines()
        return {int(number): words for number, _, words in (line.partition(": ") for line in lines)}

    async def play(self, move: str) -> str:
        """Play a move, named as `core.text.answers` understands it, and look.

        Raises:
            SeatError: `move` is not legal, or it is not this seat's turn.
        """
        legal = await self.legal_moves()
        if not legal:
            raise SeatError("It is not your turn: call look, which waits for it.")
        words = [legal.get(action, f"move {action}") for action in range(max(legal) + 1)]
        try:
            action = read_moves(str(move), words, legal)[0]
        except MoveError as error:
            raise SeatError(str(error)) from None
        view = self._last["view"]
        self._last["view"] = {**view, "decision": None}  # until the next view comes
        try:
            await self._ask("act", table=view["table"], seat=self._seat, decision=view["decision"], action=action)
        except SeatError:
            self._last["view"] = view
            raise
        return await self.look()

    # --- the wire: docs/play-protocol.md

    @property
    def _decision(self) -> int | None:
        decision: int | None = self._last["view"]["decision"]
        return decision

    @property
    def _seat(self) -> int:
        seat: int = self._last["table"]["held"][0]
        return seat

    async def _text(self) -> Message:
        await self._sit()
        return await self._ask("read", table=self._last["table"]["table"], seat=self._seat)

    async def _my_turn(self) -> None:
        while self._decision is None and self._last["view"]["over"] is None:
            self._news.clear()
            await self._news.wait()
            self._check()

    def _check(self) -> None:
        if self._reading is None or self._reading.done():
            raise SeatError(LOST)

    async def _sit(self) -> None:
        """Connect and join, unless connected, and wait for a view. SeatError: no such table or seat, or no answer."""
        async with self._sitting:
            if self._reading is not None and not self._reading.done():
                return
            import websockets
            from websockets.typing import Origin

            self._last: dict[str, Message] = {}
            self._answers: dict[int, asyncio.Future[Message]] = {}
            self._news = asyncio.Event()
            address = self._origin.replace("http", "ws", 1) + "/socket"
            try:
                self._socket = await websockets.connect(address, origin=Origin(self._origin), max_size=LARGEST_MESSAGE)
            except (OSError, websockets.WebSocketException) as error:
                raise SeatError(f"No table answers at {self._origin}: {error}") from None
            self._reading = asyncio.create_task(self._read())
            try:
                await self._be_seated()
            except BaseException:
                self._reading.cancel()
                await asyncio.wait([self._reading])  # until the socket is closed
                raise

    async def _be_seated(self) -> None:
        await self._ask("hello", tokens=[self._token])
        await self._ask("join", tokens=[self._token])
        while not {"table", "view"} <= set(self._last):
            self._news.clear()
            await in_time(self._news.wait())
            self._check()
        if not self._last["table"]["held"]:
            raise SeatError("The address is that of a spectator: ask for the address of a seat.")

    async def _read(self) -> None:
        import websockets

        try:
            async for frame in self._socket:
                message = json.loads(frame)
                kind = message["type"]
                self._last[kind] = message
                answer = self._answers.pop(message.get("id"), None)
                if answer is not None and not answer.done():  # done: nobody waits for it any more
                    answer.set_result(message)
                self._news.set()
                if kind == "closed":
                    break
        except websockets.WebSocketException:
            pass
        finally:
            await self._socket.close()
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(ConnectionError())
            self._news.set()

    async def _ask(self, kind: str, **fields: Any) -> Message:
        import websockets

        self._number += 1
        answer = self._answers[self._number] = asyncio.get_running_loop().create_future()
        request = {"type": kind, "id": self._number, **fields}
        try:
            await self._socket.send(json.dumps(request))
            message: Message = await in_time(answer)
        except (OSError, websockets.WebSocketException):
            raise SeatError(LOST) from None
        finally:
            self._answers.pop(request["id"], None)
        if message["type"] == "refused":
            raise SeatError(f"The table refuses: {message['reason']}")
        return message


async def in_time(answer: Awaitable[T]) -> T:
    """What `answer` returns; SeatError if it takes longer than ANSWER_SECONDS."""
    try:
        return await asyncio.wait_for(answer, ANSWER_SECONDS)
    except TimeoutError:
        raise SeatError("The table does not answer. Call the tool again.") from None


def make_server(seat: Seat) -> Any:
    """The MCP server with the tools of the seat."""
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError

    server = MCPServer("chocofactory", instructions=INSTRUCTIONS, log_level="WARNING")

    @server.tool(structured_output=False)
    async def rules() -> str:
        """The rules in brief for the present phase, what the fields of a position mean, and how moves are named."""
        return await said(seat.rules())

    @server.tool(structured_output=False)
    async def look() -> str:
        """The position as your seat may see it, what has happened since your last look, and your legal moves."""
        return await said(seat.look())

    @server.tool(structured_output=False)
    async def legal_moves() -> str:
        """Your numbered legal moves; none if it is not your turn."""
        legal = await said(seat.legal_moves())
        return "\n".join(f"{action}: {words}" for action, words in legal.items()) or "It is not your turn."

    @server.tool(structured_output=False)
    async def play(move: str) -> str:
        """Play a legal move, named by its number or its words. Shows what comes of it, once it is your turn again."""
        return await said(seat.play(move))

    async def said(answer: Awaitable[T]) -> T:
        try:
            return await answer
        except SeatError as error:
            raise ToolError(str(error)) from None

    return server


def serve(table: str = os.environ.get(VARIABLE, "")) -> None:
    """A seat at the table for an assistant that speaks MCP, over stdin and stdout.

    It holds a seat as a browser does, and knows no more than that. The address lets its holder play; where other users
    could read it on the command line, put it into the environment variable CHOCOFACTORY_TABLE instead.

    Args:
        table: address of the seat, which `chocofactory play --seats person link` prints.

    Raises:
        ValueError: no such address.
        ImportError: the extra `mcp` is not installed.
    """
    seat = Seat(table)
    try:
        server = make_server(seat)
    except ModuleNotFoundError as error:
        raise ImportError(
            f'the seat needs {error.name}, which is not installed: pip install "chocofactory-env[mcp]"'
        ) from error
    server.run("stdio")


COMMAND: Final = Command("chocofactory mcp", serve, ('--table "http://127.0.0.1:8421/#join=TOKEN"',))
main = COMMAND.run

if __name__ == "__main__":
    main()
