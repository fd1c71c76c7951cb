"""Load-test the table in the browser: many games at once over real sockets, with the server's response times.

    python -m benchmarks.play --games 100

The server runs in its own process. Each client acts as one browser: it opens a table, plays a whole random game against
an agent that moves at once, and times each action until it is confirmed, and until the picture of the new position
arrives. Measured are a game alone, a game beside other tables, and all tables together. A busy machine adds to these
times; processor time shows the server's own share.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Coroutine, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any
from urllib.request import Request, urlopen

import numpy as np
from websockets import Origin
from websockets.asyncio.client import ClientConnection, connect

from chocofactory_env.drawing.text import FONTS
from chocofactory_env.play.server.app import PAGE

from . import ROOT
from .measure import print_row

SETTLED = 15.0  # seconds until all tables are open
SEATS = {"chocofactory": "greedy", "candyfactory": "greedy", "schoko": "manager"}


class Counting(ClientConnection):
    """Counts received bytes, as compressed."""

    received = 0

    def data_received(self, data: bytes) -> None:
        self.received += len(data)
        super().data_received(data)


class Client:
    """One browser's game. waits, pictures: seconds from an action to its confirmation, and to the new view.

    weights: bytes received between an action and the view in which this browser must decide again.
    """

    def __init__(self, connection: Counting, game: str, think_s: float, rng: random.Random) -> None:
        self._connection = connection
        self._game = game
        self._think = think_s
        self._rng = rng
        self.waits: list[float] = []
        self.pictures: list[float] = []
        self.weights: list[int] = []
        self.errors = 0

    async def play(self, key: str, most: int) -> None:
        await self._say("hello", tokens=[key])
        seats = [{"kind": "here"}, {"kind": "agent", "agent": SEATS[self._game]}]
        seed = self._rng.randrange(1 << 31)
        await self._say("new", game=self._game, options={"num_players": 2}, seats=seats, seed=seed)
        begun, before = 0.0, 0
        async for frame in self._connection:
            message = json.loads(frame)
            if message["type"] == "refused":
                self.errors += 1
            elif message["type"] == "made":
                await self._say("pace", table=message["table"], delay=0)
            elif message["type"] == "done" and "id" in message:
                self.waits.append(perf_counter() - begun)
            elif message["type"] == "view":
                if begun:
                    self.pictures.append(perf_counter() - begun)
                    begun = 0.0
                if message["over"] is not None or len(self.waits) >= most:
                    return
                if message["decision"] is not None:
                    if before:
                        self.weights.append(self._connection.received - before)
                    before = self._connection.received
                    await asyncio.sleep(self._rng.expovariate(1 / self._think) if self._think else 0)
                    action = self._rng.choice(message["actions"])["action"]
                    begun = perf_counter()
                    place = {name: message[name] for name in ("table", "seat", "decision")}
                    await self._say("act", id=1, action=action, **place)

    async def _say(self, kind: str, **fields: Any) -> None:
        await self._connection.send(json.dumps({"type": kind, **fields}))


async def play_at_once(address: str, games: Sequence[str], think_s: float, most: int) -> list[Client]:
    """Play all games at once, each in its own browser."""
    here, _, key = address.partition("/#host=")
    clients: list[Client] = []

    async def one(number: int, game: str) -> None:
        socket = here.replace("http", "ws") + "/socket"
        async with connect(socket, origin=Origin(here), max_size=None, create_connection=Counting) as connection:
            assert isinstance(connection, Counting)
            clients.append(Client(connection, game, think_s, random.Random(number)))
            await clients[-1].play(key, most)

    async with asyncio.TaskGroup() as group:
        for number, game in enumerate(games):
            group.create_task(one(number, game))
    return clients


async def play_beside(address: str, game: str, others: Sequence[str], think_s: float, most: int) -> list[Client]:
    """Play a game without thinking time, while others are played."""
    crowd = asyncio.create_task(play_at_once(address, others, think_s, 10 * most))
    await asyncio.sleep(SETTLED)
    found = await play_at_once(address, [game], 0.0, most)
    if not crowd.cancel():
        crowd.result()  # raises its error
        raise RuntimeError("the other games ended before the one that was measured")
    await asyncio.gather(crowd, return_exceptions=True)
    return found


def report(clients: Sequence[Client], what: str, seconds: float) -> None:
    """Print the clients' times. seconds: the total; 0 if other games were played at the same time."""
    waits = np.concatenate([np.array(client.waits) for client in clients]) * 1000
    pictures = np.concatenate([np.array(client.pictures) for client in clients]) * 1000
    print_row("play", f"{what}: errors", sum(client.errors for client in clients), "", "aim: 0")
    print_row("play", f"{what}: actions", len(waits), "", f"{len(waits) / seconds:.0f} a second" if seconds else "")
    for name, times in (("confirmed", waits), ("new picture", pictures)):
        for share in (50, 95, 99):
            aim = {50: "aim: < 80", 95: "aim: < 200"}.get(share, "")
            print_row("play", f"{what}: {name}, {share} %", round(float(np.percentile(times, share)), 1), "ms", aim)
    weights = np.concatenate([client.weights for client in clients])
    for share in (50, 95):
        aim = "aim: < 10,000"
        print_row(
            "play", f"{what}: for an action, {share} %", round(float(np.percentile(weights, share))), "bytes", aim
        )


def weigh(address: str) -> None:
    """Print the compressed bytes of the page's parts."""
    here = address.partition("#")[0]
    parts = [f"page/{path.name}" for path in sorted(PAGE.iterdir()) if path.suffix != ".html"]
    weight = 0
    for name in ("", "theme.css", *parts, *(f"font/{path.name}" for path in FONTS)):
        with urlopen(Request(here + name, headers={"Accept-Encoding": "gzip"})) as answer:
            weight += len(answer.read())
    print_row("play", "the page", weight, "bytes", "aim: < 150,000")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.play", description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100, help="games at once (100)")
    parser.add_argument("--beside", type=int, default=50, help="other tables beside the measured one (50)")
    parser.add_argument("--think", type=float, default=3.0, help="mean thinking time in seconds (3)")
    parser.add_argument("--actions", type=int, default=60, help="most actions of a person in a game (60)")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "chocofactory_env.play", "--no-browser", "--port", "0", "--folder", folder]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
            assert server.stdout is not None
            address = server.stdout.readline().removeprefix("The table stands at ").strip()
            try:
                weigh(address)
                most, think = chosen.actions, chosen.think
                others, games = (mixed(number) for number in (chosen.beside, chosen.games))
                for game in SEATS:
                    measure(server.pid, play_at_once(address, [game], 0.0, most), f"{game} by itself")
                for game in SEATS if others else ():
                    beside = play_beside(address, game, others, think, most)
                    report(asyncio.run(beside), f"{game} beside {len(others)} tables", 0.0)
                if games:
                    measure(server.pid, play_at_once(address, games, think, most), f"{len(games)} games at once")
            finally:
                server.kill()


def mixed(number: int) -> list[str]:
    """The names of this many games, in turn."""
    return [list(SEATS)[at % len(SEATS)] for at in range(number)]


def measure(server: int, playing: Coroutine[Any, Any, list[Client]], what: str) -> None:
    begun, used = perf_counter(), processor_seconds(server)
    clients = asyncio.run(playing)
    report(clients, what, perf_counter() - begun)
    of_persons = sum(len(client.waits) for client in clients)
    spent = (processor_seconds(server) - used) / of_persons * 1000
    print_row(
        "play", f"{what}: processor time for an action", round(spent, 1), "ms", "and what the agent answers to it"
    )


def processor_seconds(process: int) -> float:
    """The processor time of a process so far; 0 if the system does not report it."""
    stat = Path(f"/proc/{process}/stat")
    if not stat.exists():
        return 0.0
    fields = stat.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
