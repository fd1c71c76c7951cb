"""One browser: the game that it plays or looks through, what it is shown, and what it asks."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from ..core.agents.agent import AnyAgent, decide
from ..core.agents.moves import listens, tell
from ..core.checks import SEED_LIMIT
from ..core.files import newest_first, write_text
from ..core.game import Game, IllegalActionError, State
from ..record import GameRecord, RecordError
from ..registry import GAMES, players_of
from . import protocol
from .agents import described_agents, may_be_made, own_agents
from .export import page_of
from .forms import described_options, game_of, titles
from .playing import Playing, Seat
from .protocol import AskedSeat, Message, New, Refusal, Request
from .rules import form_of
from .thoughts import made_agent, regrets_of, thought_of, why_none
from .threads import in_thread
from .told import Viewer, words_of_move

LOG: Final = logging.getLogger(__name__)
DELAY: Final = 0.3  # seconds before an agent's move
MOST_SAVED: Final = 24  # games in the list


@dataclass
class House:
    """What all browsers share.

    folder: of saved games. preset: the game of the command line. saving: held while a file is written, because several
    browsers may play on the same one.
    """

    folder: Path
    agents: Sequence[str] = ()
    runs: Sequence[Path] = ()
    preset: New | None = None
    saving: asyncio.Lock = field(default_factory=asyncio.Lock)

    def own(self) -> list[str]:
        return own_agents(self.agents, self.runs)

    def saved(self) -> list[Message]:
        """The games that were saved by themselves, latest first."""
        found = []
        for when, file in newest_first(self.folder.glob("*.json"))[:MOST_SAVED]:
            with suppress(OSError, RecordError):
                record = GameRecord.read(file)
                over = record.result is not None and record.result.over
                known = {"game": record.game, "agents": record.agents, "over": over, "actions": len(record.actions)}
                found.append({"file": file.name, "when": int(when), **known})
        return found

    def file(self, name: str) -> Path:
        """A saved game; Refusal if there is none of this name."""
        if name not in (file.name for file in self.folder.glob("*.json")):
            raise Refusal("there is no such game any more")
        return self.folder / name


@dataclass
class Mind:
    """The agent of a seat, made when it is first asked. told: the number of actions it has been told."""

    agent: AnyAgent | None = None
    told: int = 0


@dataclass
class Desk:
    """A game on the screen.

    Attributes:
        file: where it is saved.
        at: the position that is shown; None: the present one.
        eyes: whose; None: by default.
        uncovered: the seat whose secrets may be shown, where several persons sit at one screen.
        turn: rises whenever the present position changes.
        problem: why agents have stopped.
    """

    playing: Playing
    file: Path
    at: int | None = None
    eyes: int | str | None = None
    uncovered: int | None = None
    turn: int = 0
    paused: bool = False
    problem: str | None = None
    minds: dict[int, Mind] = field(default_factory=dict)

    @property
    def shown(self) -> int:
        return len(self.playing.actions) if self.at is None else self.at

    @property
    def asked(self) -> int | None:
        """The person to move."""
        mover = self.playing.mover
        return mover if mover in self.playing.persons else None

    @property
    def covered(self) -> bool:
        """Whether the next person must say so before it sees its secrets."""
        playing, asked = self.playing, self.asked
        hidden = len(playing.persons) > 1 and playing.game.observation_layout.has_private
        return hidden and asked is not None and asked != self.uncovered

    @property
    def viewer(self) -> Viewer:
        """The seat with whose eyes the position is shown."""
        persons = self.playing.persons
        if self.eyes == "mover":
            state = self.playing.states[self.shown]
            return None if self.playing.game.is_over(state) else self.playing.game.current_player(state)
        if isinstance(self.eyes, int):
            return self.eyes
        if self.eyes == "open" or not persons:
            return None
        if len(persons) == 1:
            return persons[0]
        return self.uncovered if self.playing.game.observation_layout.has_private else self.asked or persons[0]

    def may_look(self, eyes: int | str | None) -> bool:
        """While a person plays, nobody looks with the eyes of another seat."""
        return self.playing.over or not self.playing.persons or eyes in (None, "open")


class Session:
    """Answers requests, sends what is shown when it changes, and lets agents move."""

    def __init__(self, socket: WebSocket, house: House) -> None:
        self._socket, self._house = socket, house
        self._desk: Desk | None = None
        self._delay = DELAY
        self._agent: asyncio.Task[None] | None = None
        self._long: dict[str, asyncio.Task[None]] = {}  # a thought and an analysis
        self._sent = ""  # the last view
        self._hurry = asyncio.Event()
        self._answers: dict[type[Request], Callable[[Any], Awaitable[Message | None]]] = {
            protocol.Hello: self._hello,
            protocol.Describe: self._describe,
            protocol.New: self._new,
            protocol.Open: self._open,
            protocol.Remove: self._remove,
            protocol.Leave: self._leave,
            protocol.Act: self._act,
            protocol.Back: self._back,
            protocol.Look: self._look,
            protocol.Pace: self._pace,
            protocol.Think: self._think,
            protocol.Regret: self._regret,
            protocol.Stop: self._stop,
            protocol.Save: self._save,
        }

    async def serve(self) -> None:
        """Serve the browser until it goes."""
        try:
            while True:
                event = await self._socket.receive()
                if event["type"] == "websocket.disconnect":
                    return
                await self._answer(event.get("text"))
        except (WebSocketDisconnect, RuntimeError):  # raised when sending to a browser that has gone
            if WebSocketState.DISCONNECTED not in (self._socket.client_state, self._socket.application_state):
                raise
        finally:
            self._end()

    async def _answer(self, frame: str | None) -> None:
        number = None
        try:
            request, number = protocol.parse(frame)
            answer = await self._answers[type(request)](request)
        except Exception as error:
            answer = refused(error)
        if answer is not None:
            await self._send(answer, number)

    async def _send(self, message: Message, number: int | None = None) -> None:
        await self._socket.send_text(json.dumps(message if number is None else {**message, "id": number}))

    def _end(self) -> None:
        """Give up all that is under way."""
        for task in (self._agent, *self._long.values()):
            if task is not None:
                task.cancel()
        self._agent, self._long = None, {}

    # --- games

    async def _hello(self, _: protocol.Hello) -> Message:
        saved = await asyncio.to_thread(self._house.saved)
        preset = msgspec.to_builtins(self._house.preset)
        return {"type": "welcome", "games": list(GAMES), "titles": titles(), "saved": saved, "preset": preset}

    async def _describe(self, asked: protocol.Describe) -> Message:
        def describe() -> Message:
            game, players = game_of(asked.game, asked.options), players_of(asked.game)
            options, agents = described_options(game, players), described_agents(asked.game, game.num_players)
            about = {"game": asked.game, "about": form_of(asked.game)[0], "players": players}
            return {"type": "game", **about, "options": options, "agents": agents, "own": self._house.own()}

        return await in_thread(describe)

    async def _new(self, asked: New) -> Message:
        game = await in_thread(partial(game_of, asked.game, asked.options))
        if len(asked.seats) != game.num_players:
            raise Refusal(f"seats: expected {game.num_players}, got {len(asked.seats)}")
        seed = secrets.randbelow(SEED_LIMIT) if asked.seed is None else asked.seed
        minds = {}
        for place, seat in enumerate(asked.seats):
            if seat.agent is not None:  # made once at the start, so that errors show at once
                minds[place] = Mind(await self._made(seat.agent, game, game.new(seed), place))
        return await self._sit(Playing(game, seed, seats_of(asked.seats)), self._fresh_file(game), minds)

    async def _made(self, text: str, game: Game, state: State, seat: int) -> AnyAgent:
        try:
            made: AnyAgent = await in_thread(partial(made_agent, text, game, state, seat))
        except Exception as error:  # a user's agent may fail in any way
            raise Refusal(f"{text}: {error}") from None
        return made

    def _fresh_file(self, game: Game) -> Path:
        return self._house.folder / f"{time.strftime('%Y-%m-%d-%H%M%S')}-{game.name}-{secrets.token_hex(2)}.json"

    async def _open(self, asked: protocol.Open) -> Message:
        own = self._house.own()

        def read() -> tuple[Playing, Path]:
            try:
                file = None if asked.file is None else self._house.file(asked.file)
                record = GameRecord.parse((asked.text or "").encode()) if file is None else GameRecord.read(file)
                game = self._loaded(record)
                record.replay(game)
            except (ValueError, OSError) as error:
                raise Refusal(f"the game cannot be opened: {error}") from None
            agents = record.agents or [None] * game.num_players
            known = [text if text is not None and may_be_made(text, game, own) else None for text in agents]
            seats = [AskedSeat(agent=text) for text in known]
            if None in known and asked.name is not None:
                seats[known.index(None)].name = asked.name
            playing = Playing(game, record.seed, seats_of(seats), record.actions)
            return playing, file or self._fresh_file(game)

        return await self._sit(*await in_thread(read))

    def _loaded(self, record: GameRecord) -> Game:
        """The record's game; with the deck of the command line, if the record was played with that."""
        preset = self._house.preset
        if preset is not None and preset.game == record.game and "deck" in preset.options:
            game = game_of(record.game, {**record.options, "deck": preset.options["deck"]})
            if game.deck_hash == record.deck:
                return game
        return record.load()

    async def _sit(self, playing: Playing, file: Path, minds: dict[int, Mind] | None = None) -> Message:
        self._end()
        self._desk, self._sent = Desk(playing, file, minds=minds or {}), ""
        await self._keep()
        await self._show()
        game: Any = playing.game
        general, phases = game.rules_in_brief() if hasattr(game, "rules_in_brief") else ("", {})
        about = {"file": file.name, "game": game.name, "options": game.options}
        seats = [{"name": seat.name, "agent": seat.agent} for seat in playing.seats]
        rules = {"general": general, "phases": [{"name": name, "words": words} for name, words in phases.items()]}
        return {"type": "sat", **about, "seats": seats, "rules": rules, "no_analysis": why_none(game)}

    async def _remove(self, asked: protocol.Remove) -> Message:
        self._house.file(asked.file).unlink(missing_ok=True)
        return {"type": "done"}

    async def _leave(self, _: protocol.Leave) -> Message:
        self._end()
        self._desk = None
        return {"type": "done"}

    # --- moves

    @property
    def _game(self) -> Desk:
        if self._desk is None:
            raise Refusal("no game is open")
        return self._desk

    async def _act(self, asked: protocol.Act) -> Message:
        desk = self._game
        if desk.asked is None or desk.at is not None or desk.covered:
            raise Refusal("no move is asked for now")
        if asked.decision != desk.turn:
            raise Refusal("the position has changed meanwhile")
        try:
            desk.playing.add(asked.action)
        except (IllegalActionError, ValueError) as error:
            raise Refusal(str(error)) from None
        await self._changed()
        return {"type": "done"}

    async def _back(self, asked: protocol.Back) -> Message:
        """Other persons sit at the same screen, and the same cards come again."""
        desk = self._game
        number = self._before() if asked.to is None else asked.to
        if number is None or number > len(desk.playing.actions):
            raise Refusal("nothing can be taken back")
        self._stop_long()  # the analysis is of moves that are gone
        desk.playing.cut(number)
        desk.at, desk.eyes, desk.minds = None, None, {}
        await self._changed()
        return {"type": "done"}

    def _before(self) -> int | None:
        """The number of actions before the last choice of the person who looks."""
        desk = self._game
        seat = desk.viewer if desk.viewer in desk.playing.persons else next(iter(desk.playing.persons), None)
        return None if seat is None else desk.playing.before_decision(seat)

    async def _changed(self) -> None:
        """After a change of the present position. Refusal if it cannot be saved; it is shown all the same."""
        desk = self._game
        self._interrupt()
        desk.turn += 1
        desk.problem = None
        try:
            await self._keep()
        except Refusal as refusal:
            desk.problem = refusal.reason
            raise
        finally:
            await self._show()

    async def _keep(self) -> None:
        """Save the game. Refusal if that is impossible."""
        desk = self._game
        async with self._house.saving:
            try:
                await asyncio.to_thread(write_text, desk.file, desk.playing.record().text())
            except OSError as error:
                raise Refusal(f"the game is not saved: {error.strerror or error}") from None

    # --- agents

    def _interrupt(self) -> None:
        """Stop the thinking agent. It may go on for a while, so a fresh one takes its place."""
        if self._agent is not None:
            self._agent.cancel()
            self._agent = None
            desk = self._game
            if desk.playing.mover is not None:
                desk.minds.pop(desk.playing.mover, None)

    def _look_around(self, step: bool = False) -> None:
        """Let an agent think, if it is its turn and nobody looks back."""
        desk = self._game
        waits = (desk.paused and not step) or desk.at is not None or desk.problem or self._agent is not None
        if desk.playing.mover is not None and desk.asked is None and not waits:
            self._agent = asyncio.create_task(self._move())

    async def _move(self) -> None:
        desk = self._game
        seat, playing = desk.playing.mover, desk.playing
        assert seat is not None
        begun = time.monotonic()
        try:
            mind, state = desk.minds.setdefault(seat, Mind()), playing.game.clone(playing.state)
            action = await in_thread(partial(choose, playing, seat, mind, state))
            if words_of_move(playing.game, playing.state, action, desk.viewer):  # a wait would reveal a secret move
                await self._wait(self._delay - (time.monotonic() - begun))
        except Exception as error:  # a user's agent may fail in any way
            desk.problem = f"{playing.seats[seat].agent}: {error}"[:500]
            self._agent = None
            await self._show()
            return
        self._agent = None
        playing.add(action)
        with suppress(Refusal, WebSocketDisconnect, RuntimeError):
            await self._changed()

    async def _wait(self, seconds: float) -> None:
        self._hurry.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._hurry.wait(), max(0.0, seconds))

    async def _pace(self, asked: protocol.Pace) -> Message:
        desk = self._game
        if asked.delay is not None:
            self._delay = asked.delay
            self._hurry.set()
        if asked.paused is not None:
            desk.paused, desk.problem = asked.paused, None
            if asked.paused:
                self._interrupt()
        if asked.step:
            self._look_around(step=True)
        await self._show()
        return {"type": "done"}

    # --- what is shown

    async def _look(self, asked: protocol.Look) -> Message:
        desk = self._game
        if not desk.may_look(asked.eyes):
            raise Refusal("while you play, you see what your seat knows")
        if isinstance(asked.eyes, int) and asked.eyes >= desk.playing.game.num_players:
            raise Refusal(f"eyes: there are {desk.playing.game.num_players} seats, got {asked.eyes}")
        if asked.at is None and desk.covered:
            desk.uncovered = desk.asked
        last = len(desk.playing.actions)
        desk.at = asked.at if asked.at is not None and asked.at < last else None
        desk.eyes = asked.eyes
        await self._show()
        return {"type": "done"}

    async def _show(self) -> None:
        """Send the view, unless it is the last one, and let agents go on."""
        desk = self._game
        if desk.at is None and desk.covered:
            name = desk.playing.names[desk.asked or 0]
            text, desk.uncovered = json.dumps({"type": "curtain", "name": name}), None
        else:
            text = self._view(desk)
        if text != self._sent:
            self._sent = text
            await self._socket.send_text(text)
        self._look_around()

    def _view(self, desk: Desk) -> str:
        """The message `view`."""
        playing, viewer, at = desk.playing, desk.viewer, desk.shown
        game: Any = playing.game
        live = desk.at is None
        asked = live and desk.asked is not None and desk.asked == viewer
        state = playing.states[at]
        message = {
            "type": "view",
            "tree": playing.view(viewer, at),
            "seat": viewer,
            "decision": desk.turn if asked else None,
            "at": at,
            "live": live,
            "actions": len(playing.actions),
            "over": game.is_over(state),
            "ended": playing.over,
            "persons": playing.persons,
            "eyes": desk.eyes,
            "played": playing.actions[at] if not live and at < len(playing.actions) else None,
            "phases": game.phases_now(state, viewer) if asked and hasattr(game, "phases_now") else [],
            "back": live and bool(playing.persons) and self._before() is not None,
            "chapters": playing.chapters(),
            "paused": desk.paused,
            "delay": self._delay,
            "problem": desk.problem,
        }
        return msgspec.json.encode(message).decode()

    # --- thoughts and analysis

    async def _think(self, asked: protocol.Think) -> None:
        desk = self._game
        if desk.at is None and desk.asked is None and desk.playing.persons and not desk.playing.over:
            raise Refusal("an agent can be asked while this seat is to move")
        await self._begin("think", thought_of(desk.playing, desk.shown, asked.agent), asked.id)

    async def _regret(self, asked: protocol.Regret) -> None:
        async def report(part: Message) -> None:
            await self._send(part)

        await self._begin("regret", regrets_of(self._game.playing, asked.deals, report), asked.id)

    async def _stop(self, _: protocol.Stop) -> Message:
        self._stop_long()
        return {"type": "done"}

    def _stop_long(self) -> None:
        for task in self._long.values():
            task.cancel()

    async def _begin(self, kind: str, work: Coroutine[Any, Any, Message], number: int | None) -> None:
        """Start `work`, which is answered when done. Work of this kind under way is given up."""
        if kind in self._long:
            self._long[kind].cancel()

        async def finish() -> None:
            with suppress(WebSocketDisconnect, RuntimeError):  # the browser has gone
                try:
                    answer = await work
                except asyncio.CancelledError:
                    answer = refused(Refusal("this was stopped"))
                except Exception as error:
                    answer = refused(error)
                await self._send(answer, number)

        self._long[kind] = asyncio.create_task(finish())

    async def _save(self, asked: protocol.Save) -> Message:
        desk = self._game
        playing, record = desk.playing, desk.playing.record()
        name = f"{record.game}-{record.seed}-{len(record.actions)}"
        if asked.what == "record":
            return {"type": "saved", "name": f"{name}.json", "text": record.text()}
        if not desk.may_look(desk.viewer) and not playing.over:
            raise Refusal("the page of a game is made after its end: it shows all positions")
        text = await in_thread(partial(page_of, playing, [None, *range(playing.game.num_players)]))
        return {"type": "saved", "name": f"{name}.html", "text": text}


def refused(error: Exception) -> Message:
    """The message `refused`. Errors other than `Refusal` are bugs, and logged."""
    if isinstance(error, Refusal):
        return {"type": "refused", "reason": error.reason}
    if isinstance(error, WebSocketDisconnect):
        raise error
    LOG.error("a request failed", exc_info=error)
    return {"type": "refused", "reason": "this failed; the server's log says why"}


def seats_of(asked: Sequence[AskedSeat]) -> list[Seat]:
    """Seats with different names: those typed, else the agents', else "Player 0"."""
    names = [one.name or one.agent or f"Player {place}" for place, one in enumerate(asked)]
    return [
        Seat(name if names.count(name) == 1 else f"{name} {place}", one.agent)
        for place, (name, one) in enumerate(zip(names, asked, strict=True))
    ]


def choose(playing: Playing, seat: int, mind: Mind, state: State) -> int:
    """Let the agent choose, in a thread; returns a legal action. state: a copy of the present one."""
    game, played = playing.game, tuple(playing.actions)
    if mind.agent is None:
        mind.agent = made_agent(str(playing.seats[seat].agent), game, playing.states[0], seat)
    if listens(mind.agent):
        for number in range(mind.told, len(played)):
            tell(game, {seat: mind.agent}, playing.states[number], played[number])
    mind.told = len(played)
    action = decide(game, mind.agent, state)
    game.apply(state, action)  # raises if the action is illegal
    return action
