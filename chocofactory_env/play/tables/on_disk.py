"""Tables on disk, so that a server that was killed resumes where it stopped.

    tables/NAME.json     the game so far as a record (`chocofactory_env.record`), and the seats with their secrets

Files are written whole or not at all, soon after every action. Only the user can read the folder: it holds secrets.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from ...core.files import read_file, write_text
from ...core.game import Game
from ...record import MAX_BYTES, GameRecord, RecordError, Text, parsed
from ...record_lines import convert_tables
from .seats import Seat, without_folders
from .table import Table

ROUND: Final = 0.05  # seconds between two rounds of writing
AGAIN: Final = 2.0  # seconds until a failed write is tried again


class Kept(Struct, forbid_unknown_fields=True, kw_only=True):
    """A table on file. watch, began, chapter: as those of `Table`. when: of the last move, in seconds since 1970."""

    record: GameRecord
    seats: list[Seat]
    watch: Text
    began: int | None = None
    when: int
    chapter: Text = ""

    @property
    def over(self) -> bool:
        return self.record.result is not None and self.record.result.over

    def check(self, game: Game) -> None:
        """Raise a RecordError if the record does not replay, or the seats are not the game's."""
        if len(self.seats) != game.num_players:
            expected = f"{game.num_players}, as the game has players"
            raise RecordError(self.record.file, "seats", f"it has {len(self.seats)} seats", expected)
        self.record.replay(game)


class Folder:
    """The folder of tables. Threads beside the event loop write them, one table after another."""

    def __init__(self, folder: Path) -> None:
        """Raises OSError if it cannot be made."""
        self._tables = folder / "tables"
        self._tables.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._tables.chmod(0o700)
        convert_tables(self._tables)
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
            await asyncio.to_thread(write_text, self._file(table.name), text_of(table))
        except OSError as error:
            why = error.strerror or type(error).__name__
            self._changed.setdefault(table.name, table)
            asyncio.get_running_loop().call_later(AGAIN, self._news.set)
        if why != table.unkept:
            print(f"table {table.name}: {f'it cannot be kept: {why}' if why else 'it is kept again'}", file=sys.stderr)
            table.unkept = why
            table.wake()

    def forget(self, name: str) -> None:
        """Remove a table's file."""
        self._changed.pop(name, None)
        self._file(name).unlink(missing_ok=True)

    def _file(self, name: str) -> Path:
        return self._tables / f"{name}.json"

    # --- reading

    def all(self) -> dict[str, Kept]:
        """Tables that can be resumed, by name. Damaged ones are named on the error stream and left out."""
        found = {}
        for path in sorted(self._tables.glob("*.json")):
            try:
                kept = parsed(read_file(path, MAX_BYTES), Kept, str(path))
            except (OSError, RecordError) as error:
                print(f"no table to go on with: {error}", file=sys.stderr)
            else:
                kept.record.file = path.name  # guests may read it
                found[path.stem] = kept
        return found


def text_of(table: Table) -> str:
    """The content of the table's file."""
    kept = Kept(
        record=record_of(table),
        seats=table.seats,
        watch=table.watch,
        began=table.began,
        when=int(table.when),
        chapter=table.chapter,
    )
    return msgspec.json.encode(kept).decode()


def record_of(table: Table) -> GameRecord:
    """The record of the game so far."""
    agents = [seat.agent and without_folders(seat.agent) for seat in table.seats]
    return GameRecord.of(table.game, table.seed, table.actions, table.state, agents)
