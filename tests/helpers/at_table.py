"""The table's server in this process, and browsers that talk to it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from starlette.testclient import TestClient, WebSocketTestSession

from chocofactory_env.play.protocol import AskedSeat, KindOfSeat
from chocofactory_env.play.server.app import Doors, make_app
from chocofactory_env.play.tables.agents import TableAgents
from chocofactory_env.play.tables.background import WorkerThreads
from chocofactory_env.play.tables.hall import Hall
from chocofactory_env.play.tables.offers import Offers
from chocofactory_env.play.tables.seats import seats_of
from chocofactory_env.play.tables.table import Table

KEY = "k" * 32
PAGE = {"origin": "http://testserver"}
DOORS = Doors(None, frozenset({"testserver"}))
Message = dict[str, Any]


class Server:
    """client: of the application. hall: its tables, to read while no request runs."""

    def __init__(self, folder: Path, own: Sequence[str] = (), runs: Sequence[Path] = ()) -> None:
        self._halls: list[Hall] = []

        def make_hall() -> Hall:
            self._halls.append(Hall(folder, KEY, TableAgents(own, runs), Offers(), 2))
            return self._halls[-1]

        self.client = TestClient(make_app(make_hall, DOORS, per_second=1e9))

    @property
    def hall(self) -> Hall:
        return self._halls[-1]

    @contextmanager
    def browser(self, *tokens: str) -> Iterator[Browser]:
        with self.client.websocket_connect("/socket", headers=PAGE) as socket:
            yield Browser(socket, tokens)

    def upload(self, content: str | bytes, key: str = KEY) -> Any:
        return self.client.post("/upload", content=content, headers={**PAGE, "x-key": key})


@contextmanager
def served(folder: Path, **settings: Any) -> Iterator[Server]:
    server = Server(folder, **settings)
    with server.client:
        yield server


class Browser:
    """A browser's knowledge: the last view, the log, and the last message of each type."""

    def __init__(self, socket: WebSocketTestSession, tokens: Sequence[str]) -> None:
        self.socket = socket
        self.last: dict[str, Message] = {}
        self.log: list[Message] = []
        self._number = 0
        self._heard: list[Message] = []  # messages received while waiting for an answer
        self.welcome = self.ask("hello", tokens=list(tokens))

    def hear(self) -> Message:
        """The next message."""
        message: Message = self.socket.receive_json()
        self.last[message["type"]] = message
        if message["type"] == "log":
            assert message["from"] <= len(self.log)
            self.log = self.log[: message["from"]] + message["lines"]
        return message

    def heard(self) -> list[Message]:
        """Messages received while waiting for answers."""
        heard, self._heard = self._heard, []
        return heard

    def until(self, *kinds: str, where: Callable[[Message], Any] = lambda _: True) -> Message:
        """The next message of one of these types for which `where` holds."""
        while True:
            message = self._heard.pop(0) if self._heard else self.hear()
            if message["type"] in kinds and where(message):
                return message

    def now(self, kind: str, where: Callable[[Message], Any]) -> Message:
        """The last message of this type, if `where` holds for it, else the next one for which it does."""
        while kind not in self.last or not where(self.last[kind]):
            self.hear()
        return self.last[kind]

    def ask(self, kind: str, **fields: Any) -> Message:
        """Send a request, and return the answer."""
        self._number += 1
        self.socket.send_json({"type": kind, "id": self._number, **fields})
        while True:
            message = self.hear()
            if message.get("id") == self._number:
                return message
            self._heard.append(message)

    def begin(self, game: str, options: Message, seats: Sequence[str], **more: Any) -> Message:
        """Make a table, and return the answer to `new`; agents move at once. Seats are `here`, `link` or agents."""
        kinds = [
            {"kind": seat} if seat in ("here", "link") else {"kind": "agent", "agent": seat} for seat in seats
        ]  # fmt: skip
        made = self.ask("new", **{"game": game, "options": options, "seats": kinds, "seed": 7, **more})
        if made["type"] == "made":
            self.ask("pace", table=made["table"], delay=0)
        return made

    def act(self, view: Message, action: int | None = None) -> Message:
        """Take an action of a view, by default the first one."""
        chosen = view["actions"][0]["action"] if action is None else action
        return self.ask("act", table=view["table"], seat=view["seat"], decision=view["decision"], action=chosen)

    def asked(self) -> Message:
        """The next view in which this browser is to act or the game is over. Curtains are opened."""

        def matters(message: Message) -> bool:
            return message["type"] == "curtain" or message["decision"] is not None or message["over"] is not None

        while True:
            message = self.until("view", "curtain", where=matters)
            if message["type"] == "view":
                return message
            self.send("uncover", table=message["table"], seat=message["seat"])

    def send(self, kind: str, **fields: Any) -> None:
        """Send a message without waiting for an answer."""
        self.socket.send_json({"type": kind, **fields})

    def play(self, rng: random.Random, most: int = 10_000, view: Message | None = None) -> Message:
        """Act at random at most `most` times, from `view` or the next one on; returns the last view."""
        view = view or self.asked()
        for _ in range(most):
            if view["over"] is not None:
                break
            action = rng.choice(view["actions"])["action"]
            self.send("act", table=view["table"], seat=view["seat"], decision=view["decision"], action=action)
            view = self.asked()
        return view


# --- tables without a server


class Nowhere:
    def keep(self, table: Table) -> None:
        """Keep nothing."""


def table_of(game: Any, seed: int = 0, kind: KindOfSeat = "here") -> Table:
    seats = seats_of([AskedSeat(kind=kind, agent="random" if kind == "agent" else None)] * game.num_players)
    return Table("table", game, seats, "watch", seed, TableAgents(), WorkerThreads(1), Nowhere())


def play(table: Table, actions: int, rng: random.Random) -> None:
    """Play random actions for all seats."""
    for _ in range(actions):
        if table.over:
            return
        seat = table.game.current_player(table.state)
        legal = np.flatnonzero(table.game.legal_mask(table.state)).tolist()
        table.act(seat, table.asked[seat], rng.choice(legal))
