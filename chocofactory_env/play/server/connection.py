"""The connection of a browser: it answers requests, and sends what the browser may see when that changes."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Iterable
from contextlib import suppress
from functools import partial
from typing import Any, Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from ...core.game import Game
from ...record import GameRecord
from ...registry import GAMES
from .. import protocol
from ..limits import BURST, HELLO_SECONDS, MESSAGES_A_SECOND
from ..protocol import Message, Refusal, Request
from ..tables.game_files import record_of_table, saved_record
from ..tables.hall import Hall, all_tokens
from ..tables.offers import titles, without_files
from ..tables.replays import Replay
from ..tables.seats import token_of
from ..tables.table import Table
from ..views.considerations import Considerations
from ..views.foresight import changes_of
from ..views.game_page import saved_page
from ..views.regrets import regrets_of, why_none
from ..views.sight import Sight
from .places import Places

TOO_LARGE, TOO_LATE, BUSY = 1009, 1008, 1013
CROWDED: Final = "too many are connected"
LOG: Final = logging.getLogger(__name__)


class Pacer:
    """Limits the rate of messages; those above it wait."""

    def __init__(self, per_second: float = MESSAGES_A_SECOND, burst: float = BURST) -> None:
        self._per_second, self._burst = per_second, burst
        self._left, self._seen = burst, time.monotonic()

    async def wait(self) -> None:
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._seen) * self._per_second) - 1
        self._seen = now
        if self._left < 0:
            await asyncio.sleep(-self._left / self._per_second)


class Connection:
    """A browser that sits at a table, looks at a replay, or neither."""

    def __init__(self, socket: WebSocket, hall: Hall, places: Places, pacer: Pacer) -> None:
        self._socket = socket
        self._hall = hall
        self._places = places
        self._pacer = pacer
        self._sending = asyncio.Lock()
        self._news = asyncio.Event()
        self._host = False
        self._greeted = False
        self._table: Table | None = None
        self._sight: Sight | None = None
        self._replay: Replay | None = None
        self._at: tuple[int | None, int] = (None, 0)  # viewer and number of actions, in a replay
        self._considerations = Considerations(hall)
        self._thinks_for: Hashable = self  # thoughts of one seat count together
        self._sent_away: asyncio.Task[None] | None = None
        self._long: dict[str, tuple[asyncio.Task[None], int | None]] = {}  # a `think` and a `regret`, with their ids
        self._answers: dict[type[Request], Callable[[Any], Awaitable[Message | None]]] = {
            protocol.Hello: self._hello,
            protocol.Describe: self._describe,
            protocol.New: self._new,
            protocol.Join: self._join,
            protocol.Leave: self._leave,
            protocol.Close: self._close,
            protocol.Act: self._act,
            protocol.Read: self._read,
            protocol.Undo: self._undo,
            protocol.Back: self._back,
            protocol.Agree: self._agree,
            protocol.Uncover: self._uncover,
            protocol.Foresee: self._foresee,
            protocol.Pace: self._pace,
            protocol.Step: self._step,
            protocol.Think: self._think,
            protocol.Stop: self._stop,
            protocol.Save: self._save,
            protocol.Open: self._open,
            protocol.Seek: self._seek,
            protocol.Regret: self._regret,
        }

    # --- frames

    async def serve(self) -> None:
        """Serve the browser until it goes or is sent away."""
        writing = asyncio.create_task(self._write_always())
        self._places.enter(self)
        try:
            await asyncio.wait_for(self._read_until_greeted(), HELLO_SECONDS)
            while True:
                await self._read_one()
        except TimeoutError:
            await self._close_with(TOO_LATE, "expected hello")
        except WebSocketDisconnect:
            pass
        except RuntimeError:  # raised when sending to a browser that has gone
            if not self._gone:
                raise
        finally:
            writing.cancel()
            for work, _ in self._long.values():
                work.cancel()
            self._places.leave(self)
            self._go()

    @property
    def _gone(self) -> bool:
        return WebSocketState.DISCONNECTED in (self._socket.client_state, self._socket.application_state)

    def send_away(self) -> None:
        """Close the socket for lack of a place, which ends `serve`."""
        self._sent_away = asyncio.create_task(self._close_with(BUSY, CROWDED))

    async def _close_with(self, code: int, reason: str) -> None:
        with suppress(RuntimeError):  # it has gone already
            await self._socket.close(code, reason)

    async def _show_tokens(self, tokens: Iterable[str]) -> None:
        """Register the tokens that this browser holds; WebSocketDisconnect if it gets no place."""
        if not self._places.recognise(self, tokens, self._host):
            await self._close_with(BUSY, CROWDED)
            raise WebSocketDisconnect(BUSY)

    async def _read_until_greeted(self) -> None:
        while not self._greeted:
            await self._read_one()

    async def _read_one(self) -> None:
        await self._pacer.wait()
        event = await self._socket.receive()
        if event["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(event.get("code", 1000))
        frame = event.get("text")
        if len(frame or event.get("bytes") or "") > protocol.MOST_BYTES:
            await self._close_with(TOO_LARGE, "the message is too large")
            raise WebSocketDisconnect(TOO_LARGE)
        number: int | None = None
        try:
            message = protocol.parse(frame)
            number = protocol.identifier(message)
            request = protocol.request_of(message)
            if not self._greeted and not isinstance(request, protocol.Hello):
                raise Refusal("expected hello first", "type")
            answer = await self._answers[type(request)](request)
        except Exception as error:
            answer = self._refused(error)
        if answer is not None:
            await self._send(answer, number)

    def _refused(self, error: Exception, what: str = "this") -> Message:
        """The message `refused`. Errors other than `Refusal` are bugs, and logged: `what` failed.

        Raises the error itself if it says that the browser has gone.
        """
        if isinstance(error, Refusal):
            return {"type": "refused", "reason": error.reason, "field": error.field}
        if isinstance(error, WebSocketDisconnect) or (isinstance(error, RuntimeError) and self._gone):
            raise error
        LOG.error("%s failed", what, exc_info=error)
        return {"type": "refused", "reason": f"{what} failed; the server's log says why", "field": None}

    async def _send(self, message: Message, number: int | None = None) -> None:
        if number is not None:
            message = {**message, "id": number}
        await self._send_text(json.dumps(message))

    async def _send_text(self, text: str) -> None:
        async with self._sending:
            await self._socket.send_text(text)

    # --- changes

    def wake(self) -> None:
        """Note that the table has changed."""
        self._news.set()

    async def _write_always(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):  # the browser has gone
            while True:
                await self._news.wait()
                self._news.clear()
                try:
                    await self._write_news()
                except Exception as error:
                    await self._send(self._refused(error, "the picture of the table"))

    async def _write_news(self) -> None:
        table, sight = self._table, self._sight
        if table is None or sight is None:
            return
        if table.closed:
            self._go()
            await self._send({"type": "closed", "table": table.name})
            return
        for text in sight.news():
            if self._sight is sight:
                await self._send_text(text)

    def _go(self) -> None:
        """Leave the table or replay."""
        table, self._table, self._sight, self._replay = self._table, None, None, None
        if table is not None:
            table.leave(self)

    async def _sit(self, table: Table, held: frozenset[int]) -> None:
        await self._end_long()
        self._go()
        self._table, self._sight = table, Sight(table, held, self._host)
        if held and not self._host:
            self._thinks_for = (table.name, min(held))
        table.join(self, held)
        self.wake()

    # --- answers

    async def _hello(self, asked: protocol.Hello) -> Message:
        tokens = asked.tokens
        self._greeted = True
        self._host = True in [self._hall.is_host(token) for token in tokens]
        stale = [
            place
            for place, token in enumerate(tokens)
            if not self._hall.is_host(token) and self._hall.opens(token) is None
        ]
        if len(stale) < len(tokens):
            await self._show_tokens(token for place, token in enumerate(tokens) if place not in stale)
        return {
            "type": "welcome",
            "version": protocol.VERSION,
            "host": self._host,
            "tables": self._hall.entries(tokens, self._host),
            "games": list(GAMES) if self._host else [],
            "titles": titles(),
            "preset": msgspec.to_builtins(self._hall.preset) if self._host else None,
            "stale": stale,
        }

    async def _describe(self, asked: protocol.Describe) -> Message:
        """Describe any variant to the host; to others only the one played, without files of the command line."""
        if not self._host and not self._plays(asked.game, asked.options):
            self._only_host()
        said: Message = await self._hall.server_threads.run(partial(self._hall.describe, asked.game, asked.options))
        return said if self._host else {**said, "own": []}

    def _plays(self, game: str, options: Message) -> bool:
        """Whether this browser holds a seat in a game of this variant."""
        table, sight = self._table, self._sight
        if table is None or sight is None or not sight.held:
            return False
        return (table.game.name, without_files(table.game.options)) == (game, options)

    async def _new(self, asked: protocol.New) -> None:
        self._only_host()
        table = await self._hall.make(asked)
        alone = table.persons == 0
        tokens = all_tokens(table)
        seats = [
            {"seat": place, "token": tokens[place]} if seat.is_person or alone else None
            for place, seat in enumerate(table.seats)
        ]
        made = {"type": "made", "table": table.name, "seats": seats, "watch": token_of(table.name, table.watch)}
        await self._send(made, asked.id)
        held = (place for place, seat in enumerate(table.seats) if seat.kind == "here" or alone)
        await self._sit(table, frozenset(held))

    async def _join(self, asked: protocol.Join) -> Message:
        found = [await self._hall.find(token) for token in asked.tokens]
        if len({table.name for table, _ in found}) > 1:
            raise Refusal("tokens: expected those of one table", "tokens")
        await self._show_tokens(asked.tokens)
        await self._sit(found[0][0], frozenset(seat for _, seat in found if seat is not None))
        return {"type": "done"}

    async def _leave(self, _: protocol.Leave) -> Message:
        await self._end_long()
        self._go()
        return {"type": "left"}

    async def _close(self, asked: protocol.Close) -> Message:
        self._only_host()
        self._hall.close(asked.table)
        if self._table is not None and self._table.closed:
            self._go()
        return {"type": "closed", "table": asked.table}

    async def _act(self, asked: protocol.Act) -> Message:
        table, seat, action = self._seated(asked.table, asked.seat), asked.seat, asked.action
        table.check_offered(seat, asked.decision, action)
        if asked.careful and table.is_final(seat, action):
            return {"type": "final"}
        table.act(seat, asked.decision, action)
        return {"type": "done"}

    async def _read(self, asked: protocol.Read) -> Message:
        table, seat = self._seated(asked.table, asked.seat), asked.seat
        return {
            "type": "text",
            "rules": table.game.prompt_rules(table.state, seat),
            "position": table.game.prompt(table.state, seat, rules=False),
            "log": [line.plain for line in table.log(seat)],
        }

    async def _undo(self, asked: protocol.Undo) -> Message:
        self._seated(asked.table, asked.seat).undo(asked.seat, asked.steps, asked.of)
        return {"type": "done"}

    async def _back(self, asked: protocol.Back) -> Message:
        table = self._seated(asked.table, asked.seat)
        assert self._sight is not None
        table.ask_back(asked.seat, self._sight.held)
        return {"type": "done"}

    async def _agree(self, asked: protocol.Agree) -> Message:
        self._seated(asked.table, asked.seat).answer_back(asked.seat, asked.agree)
        return {"type": "done"}

    async def _uncover(self, asked: protocol.Uncover) -> Message:
        self._at_table(asked.table)
        seat = asked.seat
        if seat is not None:
            self._seated(asked.table, asked.seat)
        assert self._sight is not None
        self._sight.uncover(seat)
        self.wake()
        return {"type": "done"}

    async def _foresee(self, asked: protocol.Foresee) -> Message:
        table = self._seated(asked.table, asked.seat)
        table.check_offered(asked.seat, asked.decision, asked.action)
        game, state, names = table.game, table.game.clone(table.state), table.names
        work = partial(changes_of, game, state, asked.action, asked.seat, names)
        return {"type": "foreseen", **await self._hall.server_threads.run(work)}

    async def _pace(self, asked: protocol.Pace) -> Message:
        self._in_charge(asked.table).set_pace(asked.delay, asked.paused)
        return {"type": "done"}

    async def _step(self, asked: protocol.Step) -> Message:
        self._in_charge(asked.table).step()
        return {"type": "done"}

    async def _save(self, asked: protocol.Save) -> Message:
        if asked.table is not None:
            if asked.what == "page":
                raise Refusal("a page is made of a replay: look through the game", "what")
            return saved_record(record_of_table(self._in_charge(asked.table)))
        replay = self._in_replay()
        if asked.what == "page":
            return await self._hall.server_threads.run(partial(saved_page, replay, self._at[0]))
        return saved_record(replay.record)

    # --- thoughts and regrets

    async def _think(self, asked: protocol.Think) -> None:
        if asked.table is None:
            replay, (_, at) = self._in_replay(), self._at
            game, state, names = replay.game, replay.states[at], replay.names
        else:
            table = self._seated(asked.table, asked.seat)
            game, state, names = table.game, table.state, table.names
            if table.mover != asked.seat:
                raise Refusal(f"it is not the turn of seat {asked.seat}", "seat")
        if game.is_over(state):
            raise Refusal("the game is over")
        work = self._considerations.of(game, game.clone(state), asked.agent, names, self._thinks_for)
        await self._begin_long("think", work, asked.id)

    async def _regret(self, asked: protocol.Regret) -> None:
        replay = self._in_replay()
        if (why := why_none(replay.game)) is not None:
            raise Refusal(why)

        async def report(part: Message) -> None:
            with suppress(WebSocketDisconnect, RuntimeError):
                await self._send(part, asked.id)

        work = regrets_of(replay, self._hall.advice_threads, self._thinks_for, asked.deals, report)
        await self._begin_long("regret", work, asked.id)

    async def _stop(self, _: protocol.Stop) -> Message:
        await self._end_long()
        return {"type": "done"}

    async def _begin_long(self, kind: str, work: Coroutine[Any, Any, Message], number: int | None) -> None:
        """Start `work`, which is answered when done. Work of this kind under way is given up."""
        await self._end_long(kind)

        async def finish() -> None:
            with suppress(WebSocketDisconnect, RuntimeError):  # the browser has gone
                try:
                    answer = await work
                except Exception as error:
                    answer = self._refused(error)
                del self._long[kind]
                await self._send(answer, number)

        self._long[kind] = asyncio.create_task(finish()), number

    async def _end_long(self, *kinds: str) -> None:
        """Give up work of these kinds, by default of all, and refuse what it was to answer."""
        for kind in kinds or tuple(self._long):
            if kind in self._long:
                work, number = self._long.pop(kind)
                work.cancel()
                await self._send({"type": "refused", "reason": "this was stopped", "field": None}, number)

    # --- replays

    async def _open(self, asked: protocol.Open) -> None:
        game, record, names = self._of_table(asked.table) if asked.upload is None else self._of_upload(asked.upload)
        replay = await self._hall.server_threads.run(partial(Replay, game, record, names))
        await self._end_long()
        self._go()
        self._replay, self._at = replay, (None, 0)
        await self._send(replay.description(why_none(game)), asked.id)
        await self._show_replay()

    def _of_upload(self, upload: str) -> tuple[Game, GameRecord, list[str]]:
        self._only_host()
        game, record = self._hall.upload(upload)
        return game, record, [f"Seat {seat}" for seat in range(game.num_players)]

    def _of_table(self, name: str | None) -> tuple[Game, GameRecord, list[str]]:
        table = self._in_charge(name)
        return table.game, record_of_table(table), table.names

    async def _seek(self, asked: protocol.Seek) -> None:
        replay, seat, at = self._in_replay(), asked.seat, asked.at
        if at > len(replay.actions):
            raise Refusal(f"at: expected at most {len(replay.actions)}, got {at}", "at")
        if seat is not None and seat >= replay.game.num_players:
            raise Refusal(f"seat: there are {replay.game.num_players}, got {seat}", "seat")
        self._at = (seat, at)
        await self._show_replay(asked.id)

    async def _show_replay(self, number: int | None = None) -> None:
        assert self._replay is not None
        viewer, at = self._at
        await self._send(self._replay.view(viewer, at), number)
        lines = [{"seat": line.seat, "words": line.words} for line in self._replay.log(viewer, at)]
        stories = [story._asdict() for story in self._replay.stories(viewer, at)]
        await self._send({"type": "log", "from": 0, "lines": lines, "stories": {"from": 0, "new": stories}})

    # --- permissions

    def _only_host(self) -> None:
        if not self._host:
            raise Refusal("only the host may: open the address that the server printed")

    def _in_replay(self) -> Replay:
        if self._replay is None:
            raise Refusal("no record is open")
        return self._replay

    def _at_table(self, name: str | None) -> Table:
        """This browser's table, if this is its name."""
        if self._table is None or self._table.name != name:
            raise Refusal("this browser is not at this table", "table")
        return self._table

    def _seated(self, name: str | None, seat: int | None) -> Table:
        table = self._at_table(name)
        if self._sight is None or seat not in self._sight.held:
            raise Refusal(f"this browser does not hold seat {seat}", "seat")
        return table

    def _in_charge(self, name: str | None) -> Table:
        table = self._at_table(name)
        if not self._host and (self._sight is None or not self._sight.held):
            raise Refusal("only the host and those who play may")
        return table
