"""All tables of a server, and what it takes to make new ones."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ...core.checks import SEED_LIMIT
from ...core.game import Game
from ..limits import TABLES, UPLOADS
from ..protocol import Message, New, Refusal
from .agents import TableAgents, described_agents
from .background import WorkerThreads
from .game_files import Upload, read_upload
from .offers import Offers, described_options, without_files
from .on_disk import Folder, Kept
from .rules import form_of
from .seats import Seat, fresh_secret, parts_of, same_secret, seats_of, token_of
from .table import Mind, Table


class Hall:
    """key: the host's. agents: the agents that may be named.

    workers: the number of threads of each sort. The server's own work, moves of agents, and thoughts for browsers have
    separate threads, so that no sort waits for another.
    """

    def __init__(self, folder: Path, key: str, agents: TableAgents, offers: Offers, workers: int) -> None:
        """Raises OSError if the folder cannot be made."""
        self.key = key
        self.agents = agents
        self.offers = offers
        self.server_threads = WorkerThreads(workers)  # the server's own
        self.move_threads = WorkerThreads(workers)
        self.advice_threads = WorkerThreads(workers)
        self.folder = Folder(folder)
        self.tables: dict[str, Table] = {}
        self.kept = self.folder.all()
        self.uploads: dict[str, Upload] = {}
        self.preset: New | None = None  # the table of the command line
        self._opening = asyncio.Lock()

    def is_host(self, key: str) -> bool:
        return same_secret(key, self.key)

    # --- finding

    async def find(self, token: str) -> tuple[Table, int | None]:
        """The table and the seat that the token opens (None for a watch token); Refusal if it opens nothing."""
        name, secret = parts_of(token)
        head = self.tables.get(name) or self.kept.get(name)
        if head is None:
            raise Refusal("there is no such table; it may have been closed", "tokens")
        seat = place_of(head, secret)
        return await self.table(name), seat

    def opens(self, token: str) -> tuple[str, int | None] | None:
        """The table's name and the seat, without opening the table; None if the token opens nothing."""
        name, secret = parts_of(token)
        head = self.tables.get(name) or self.kept.get(name)
        try:
            return None if head is None else (name, place_of(head, secret))
        except Refusal:
            return None

    async def table(self, name: str) -> Table:
        """The table, loaded from its file if need be; Refusal if there is none, or its file is damaged."""
        if name in self.tables:  # without waiting for another table to be loaded
            return self.tables[name]
        async with self._opening:
            if name in self.kept:
                try:
                    table = await self._take_up(name, self.kept[name])
                except ValueError as error:
                    raise Refusal(f"the table cannot be gone on with: {error}") from None
                if self.kept.pop(name, None) is not None:  # it was not closed meanwhile
                    self.tables[name] = table
            if name not in self.tables:
                raise Refusal("there is no such table", "table")
            return self.tables[name]

    async def _take_up(self, name: str, kept: Kept) -> Table:
        record = kept.record
        game = await self.server_threads.run(partial(self.offers.game, record.game, without_files(record.options)))
        await self.server_threads.run(partial(kept.check, game))
        table = await self._table(name, game, kept.seats, kept.watch, record.seed, record.actions)
        table.began, table.when = kept.began, kept.when
        return table

    async def _table(
        self, name: str, game: Game, seats: list[Seat], watch: str, seed: int, actions: list[int]
    ) -> Table:
        """A new table, in a thread, because it takes time to play many actions again."""
        use = self.agents, self.move_threads, self.folder
        make = partial(Table, name, game, seats, watch, seed, *use, actions=actions)
        return await self.server_threads.run(make)

    # --- making

    async def make(self, asked: New) -> Table:
        """Make a table. Refusal if it is impossible, or if a browser may not name an agent."""
        if len(self.tables) + len(self.kept) >= TABLES:
            raise Refusal(f"there are {TABLES} tables already; close some")
        if asked.upload is None:
            game = await self.server_threads.run(partial(self.offers.game, asked.game, asked.options))
            seed, actions = secrets.randbelow(SEED_LIMIT) if asked.seed is None else asked.seed, list[int]()
        else:
            game, seed, actions = self._begun(asked.upload, asked.seed, asked.at)
        if len(asked.seats) != game.num_players:
            raise Refusal(f"seats: expected {game.num_players}, got {len(asked.seats)}", "seats")
        fresh = secrets.token_urlsafe(6), game, seats_of(asked.seats), fresh_secret()
        table = await self._table(*fresh, seed, actions)
        await self._seat_agents(table)
        self.tables[table.name] = table
        self.folder.keep(table)
        return table

    def _begun(self, upload: str, seed: int | None, at: int | None) -> tuple[Game, int, list[int]]:
        """The game of an upload, its seed, and the actions so far."""
        if seed is not None:
            raise Refusal("seed: expected null with a file, which says how it was dealt", "seed")
        game, record = self.upload(upload)
        if at is not None and at > len(record.actions):
            raise Refusal(f"at: expected at most {len(record.actions)}, got {at}", "at")
        return game, record.seed, record.actions[:at]

    async def _seat_agents(self, table: Table) -> None:
        """Make all agents once, so that errors show at once."""
        for place, seat in enumerate(table.seats):
            if seat.agent is None:
                continue
            field = f"seats[{place}].agent"
            start = table.game.new(table.seed)
            try:
                made = await self.move_threads.run(
                    partial(self.agents.make, seat.agent, table.game, start, place, field)
                )
            except Refusal:
                raise
            except Exception as error:  # a user's agent may fail in any way
                raise Refusal(f"{field}: {error}", field) from None
            table.minds[place] = Mind(made)

    async def add_upload(self, content: bytes) -> tuple[str, Upload]:
        """Add a record; Refusal if it is none, or does not replay."""
        upload = await self.server_threads.run(partial(read_upload, content, self.offers))
        name = secrets.token_urlsafe(9)
        self.uploads[name] = upload
        while len(self.uploads) > UPLOADS:
            del self.uploads[next(iter(self.uploads))]
        return name, upload

    def upload(self, name: str) -> Upload:
        if name not in self.uploads:
            raise Refusal("the file is no longer there; open it again", "upload")
        return self.uploads[name]

    def close(self, name: str) -> None:
        """Forget the table."""
        table = self.tables.pop(name, None)
        if table is None and self.kept.pop(name, None) is None:
            raise Refusal("there is no such table", "table")
        if table is not None:
            table.close()
        self.folder.forget(name)

    # --- descriptions

    def describe(self, name: str, options: dict[str, Any]) -> Message:
        """The message `game`. Call it in a thread, because the game may have to be compiled."""
        game = self.offers.game(name, options)
        players = self.offers.players(name)
        return {
            "type": "game",
            "game": name,
            "about": form_of(name)[0],
            "players": players,
            "options": described_options(game, players),
            "agents": described_agents(name, game.num_players),
            "own": self.agents.own(),
        }

    def entries(self, tokens: Sequence[str], host: bool) -> list[Message]:
        """Entries of the tables that the tokens open, or of all for the host, latest first."""
        held: dict[str, set[int]] = {}
        for token in tokens:
            if (found := self.opens(token)) is not None:
                held.setdefault(found[0], set())
                if found[1] is not None:
                    held[found[0]].add(found[1])
        heads: dict[str, Table | Kept] = {**self.tables, **self.kept}
        shown = [(name, head) for name, head in heads.items() if host or name in held]
        return [
            {
                "table": name,
                "game": head.record.game if isinstance(head, Kept) else head.game.name,
                "seats": [seat.name for seat in head.seats],
                "over": head.over,
                "watch": token_of(name, head.watch) if host else None,
                "held": sorted(held.get(name, ())),
                "began": head.began,
                "when": int(head.when),
                "chapter": head.chapter,
            }
            for name, head in sorted(shown, key=lambda one: one[1].when, reverse=True)
        ]


def place_of(head: Table | Kept, secret: str) -> int | None:
    """The seat that the secret opens, None for watching; Refusal if it opens nothing. Always compares all secrets."""
    fits = [same_secret(secret, seat.secret) for seat in head.seats]
    watches = same_secret(secret, head.watch)
    if True in fits:
        return fits.index(True)
    if not watches:
        raise Refusal("this link opens no seat of the table", "tokens")
    return None


def all_tokens(table: Table) -> list[str]:
    """The tokens of all seats."""
    return [token_of(table.name, seat.secret) for seat in table.seats]
