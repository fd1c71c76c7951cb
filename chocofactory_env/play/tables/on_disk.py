"""Tables on disk, so that a server that was killed resumes where it stopped.

    tables/NAME/table.json     the seats with their secrets, and the position if play began with one
    tables/NAME/record.jsonl   the game so far (`chocofactory_env.record`); after a position: moves.json, its actions

Files are written whole or not at all, soon after every action. Only the user can read the folder: it holds secrets.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ...core.files import read_file, write_text
from ...core.game import Game
from ...record import GameRecord, RecordedAction
from .. import protocol
from ..protocol import Refusal
from .offers import without_files
from .seats import Seat
from .table import Beginning, Table

SCHEMA: Final = 1
TABLE: Final = "table.json"
RECORD: Final = "record.jsonl"
MOVES: Final = "moves.json"
MOST_BYTES: Final = 1_000_000  # of a table's file
ROUND: Final = 0.05  # seconds between two rounds of writing
AGAIN: Final = 2.0  # seconds until a failed write is tried again


def _object(field: str, value: Any) -> None:
    if not isinstance(value, dict):
        protocol.expected(field, "an object", value)


def _seat(field: str, value: Any) -> None:
    _object(field, value)
    known = {
        "kind": protocol.one_of("here", "link", "agent"),
        "name": protocol.text(),
        "secret": protocol.TOKEN,
        "agent": protocol.or_null(protocol.text(1000)),
    }
    protocol.check_fields(value, known, frozenset(), f"{field}.")


FIELDS: Final = {
    "schema": protocol.whole(SCHEMA, SCHEMA),
    "game": protocol.text(),
    "options": protocol.options,
    "seats": protocol.list_of(_seat, protocol.MOST_SEATS, least=1),
    "watch": protocol.TOKEN,
    "position": protocol.or_null(_object),
    "over": protocol.flag,
    "began": protocol.or_null(protocol.whole(0, 1 << 40)),
    "chapter": protocol.text(),
}
SINCE_0_1_0: Final = frozenset({"began", "chapter"})  # fields that older files lack
ACTIONS: Final = protocol.list_of(protocol.whole(0, protocol.MOST_ACTIONS), protocol.MOST_ACTIONS)


@dataclass
class Kept:
    """A table on file, before its game is read."""

    name: str
    game: str
    options: dict[str, Any]
    seats: list[Seat]
    watch: str
    position: dict[str, Any] | None
    over: bool
    began: int | None
    when: float  # seconds since 1970
    chapter: str


class Folder:
    """The folder of tables. Threads beside the event loop write them, one table after another."""

    def __init__(self, folder: Path) -> None:
        """Raises OSError if it cannot be made."""
        self._tables = folder / "tables"
        self._tables.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._tables.chmod(0o700)
        self._changed: dict[str, Table] = {}
        self._news = asyncio.Event()
        self._ended = False

    # --- writing

    def keep(self, table: Table) -> None:
        """Write the table soon."""
        self._changed[table.name] = table
        self._news.set()

    async def write_until_the_end(self) -> None:
        """Run as a task: write what has changed until `end` is called."""
        while not self._ended:
            await self._news.wait()
            await self._write()
            if not self._ended:
                await asyncio.sleep(ROUND)
        await self._write()

    def end(self) -> None:
        self._ended = True
        self._news.set()

    async def _write(self) -> None:
        """Write all tables that have changed."""
        self._news.clear()
        changed, self._changed = self._changed, {}
        for table in changed.values():
            if not table.closed:
                await self._write_one(table)
        for table in changed.values():
            if table.closed:  # during the write
                self.forget(table.name)

    async def _write_one(self, table: Table) -> None:
        """Write a table. On failure, tell all at the table, and try again."""
        why = None
        try:
            await asyncio.to_thread(self._writer(table))
        except OSError as error:
            why = error.strerror or type(error).__name__
            self._changed.setdefault(table.name, table)
            asyncio.get_running_loop().call_later(AGAIN, self._news.set)
        if why != table.unkept:
            print(f"table {table.name}: {f'it cannot be kept: {why}' if why else 'it is kept again'}", file=sys.stderr)
            table.unkept = why
            table.wake()

    def _writer(self, table: Table) -> Callable[[], None]:
        """A function that writes the table as it is now."""
        folder, head = self._tables / table.name, head_of(table)
        if table.beginning.position is None:
            record = record_of(table)
        else:
            moves = json.dumps(table.actions)

        def write() -> None:
            folder.mkdir(mode=0o700, exist_ok=True)
            if table.beginning.position is None:
                record.write(folder / RECORD)
            else:
                write_text(folder / MOVES, moves)
            write_text(folder / TABLE, json.dumps(head))

        return write

    def forget(self, name: str) -> None:
        """Remove a table's files."""
        self._changed.pop(name, None)
        shutil.rmtree(self._tables / name, ignore_errors=True)

    # --- reading

    def all(self) -> list[Kept]:
        """Tables that can be resumed. Damaged ones are named on the error stream and left out."""
        found = []
        for folder in sorted(self._tables.iterdir()):
            try:
                found.append(self._read(folder))
            except FileNotFoundError:
                pass  # the server was killed before it was written
            except (OSError, ValueError, Refusal) as error:
                print(f"{folder}: no table to go on with: {error}", file=sys.stderr)
        return found

    def _read(self, folder: Path) -> Kept:
        content = protocol.parse(read_file(folder / TABLE, MOST_BYTES).decode())
        protocol.check_fields(content, FIELDS, SINCE_0_1_0)
        seats = [Seat(**one) for one in content["seats"]]
        head = {name: content[name] for name in ("game", "options", "watch", "position", "over")}
        head |= {"began": content.get("began"), "chapter": content.get("chapter", "")}
        return Kept(folder.name, seats=seats, when=(folder / TABLE).stat().st_mtime, **head)

    def without_path(self, text: str) -> str:
        """A message that names a table's file, without the path of this folder."""
        return text.replace(f"{self._tables}{os.sep}", "")

    def played(self, kept: Kept, game: Game) -> tuple[Beginning, list[int]]:
        """The beginning of the table's game, and its actions.

        Raises:
            RecordError, ValueError, OSError: the record is damaged, or of other rules, or the seats are not the game's.
        """
        if len(kept.seats) != game.num_players:
            raise ValueError(f"it has {len(kept.seats)} seats, expected {game.num_players}, as the game has players")
        folder = self._tables / kept.name
        if kept.position is None:
            record = GameRecord.read(folder / RECORD)
            record.replay(game)
            return Beginning(seed=record.header["seed"]), [each.action for each in record.actions]
        actions = json.loads(read_file(folder / MOVES, MOST_BYTES))
        ACTIONS("actions", actions)
        return Beginning(position=kept.position), actions


def head_of(table: Table) -> dict[str, Any]:
    """The content of the table's file."""
    return {
        "schema": SCHEMA,
        "game": table.game.name,
        "options": without_files(table.game.options),
        "seats": [seat.to_dict() for seat in table.seats],
        "watch": table.watch,
        "position": table.beginning.position,
        "over": table.over,
        "began": table.began,
        "chapter": table.chapter,
    }


def record_of(table: Table) -> GameRecord:
    """The record of the game so far, with its result; ValueError if it did not begin with a deal."""
    if table.beginning.seed is None:
        raise ValueError("a game that began with a position has no record: save the position")
    game = table.game
    record = GameRecord.begin(game, table.beginning.seed)
    record.actions = [
        RecordedAction(seat, action, game.describe(action))
        for seat, action in zip(table.movers, table.actions, strict=True)
    ]
    record.finish(game, table.state)
    return record
