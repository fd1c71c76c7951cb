"""The table's server in this process, browsers that talk to it, and games without a server."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from starlette.testclient import TestClient, WebSocketTestSession

from chocofactory_env.play.playing import Playing, Seat
from chocofactory_env.play.server import make_app
from chocofactory_env.play.session import House

PORT = 8421
HERE = f"http://127.0.0.1:{PORT}"
Message = dict[str, Any]


def client_of(house: House) -> TestClient:
    return TestClient(make_app(house, PORT), base_url=HERE)


@contextmanager
def browser(folder: Path, **house: Any) -> Iterator[Browser]:
    """A browser of a server that keeps its games in this folder."""
    with (
        client_of(House(folder, **house)) as client,
        client.websocket_connect(f"ws://127.0.0.1:{PORT}/socket", headers={"origin": HERE}) as socket,
    ):
        yield Browser(socket)


class Browser:
    """last: the last message of each type."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.last: dict[str, Message] = {}
        self._number = 0

    def hear(self) -> Message:
        """The next message."""
        message: Message = self.socket.receive_json()
        self.last[message["type"]] = message
        return message

    def ask(self, kind: str, **fields: Any) -> Message:
        """Send a request, and return the answer."""
        self._number += 1
        self.socket.send_json({"type": kind, "id": self._number, **fields})
        while True:
            message = self.hear()
            if message.get("id") == self._number:
                return message

    def begin(self, game: str, options: Message, seats: Sequence[str], seed: int = 7) -> Message:
        """Begin a game; agents move at once. Seats are `person` or agents."""
        asked = [{} if seat == "person" else {"agent": seat} for seat in seats]
        made = self.ask("new", game=game, options=options, seats=asked, seed=seed)
        if made["type"] == "sat":
            self.ask("pace", delay=0)
        return made

    def asked(self) -> Message:
        """The view in which this browser is to act or the game is over. Curtains are opened."""
        while True:
            view = self.last.get("view")
            if view and (view["decision"] is not None or (view["over"] and view["live"])):
                return view
            if self.last.pop("curtain", None):
                self.ask("look")
            else:
                self.hear()

    def act(self, view: Message, action: int) -> Message:
        self.last.pop("view", None)
        return self.ask("act", decision=view["decision"], action=action)

    def play(self, rng: random.Random, most: int = 10_000) -> Message:
        """Act at random at most `most` times; returns the last view."""
        view = self.asked()
        for _ in range(most):
            if view["over"]:
                break
            assert self.act(view, rng.choice(offered(view["tree"])))["type"] == "done"
            view = self.asked()
        return view


def items_of(tree: Message) -> Iterator[tuple[Message, Message]]:
    """All items, with their groups."""

    def inside(items: Sequence[Message]) -> Iterator[Message]:
        for one in items:
            yield one
            yield from inside(one.get("items", ()))

    for group in tree["groups"]:
        for row in group["rows"]:
            for item in inside(row["items"]):
                yield group, item


def offered(tree: Message) -> list[int]:
    """The actions of the choice, as often as they stand there."""
    return [item["action"] for group, item in items_of(tree) if group["role"] == "choose" and "action" in item]


# --- games without a server


def playing_of(game: Any, seed: int = 0, agent: str | None = None) -> Playing:
    return Playing(game, seed, [Seat(f"Player {seat}", agent) for seat in range(game.num_players)])


def play(playing: Playing, actions: int, rng: random.Random) -> None:
    """Play random actions for all seats."""
    for _ in range(actions):
        if playing.over:
            return
        playing.add(rng.choice(np.flatnonzero(playing.game.legal_mask(playing.state)).tolist()))
