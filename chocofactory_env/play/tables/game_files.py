"""Records and positions as files: uploads of a browser, which are checked first, and files that it saves."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ...core.game import Game, State
from ...core.messages import shown
from ...record import HEADER, MAX_BYTES, GameRecord
from .. import protocol
from ..protocol import Message, Refusal
from .offers import Offers, without_files
from .on_disk import record_of
from .table import Table

MOST_POSITION: Final = 200_000  # bytes
MOST_ACTIONS: Final = 20_000  # of an uploaded record


@dataclass(frozen=True)
class Upload:
    """record: None for a position. state: the position, or the end of the record."""

    game: Game
    state: State
    record: GameRecord | None = None
    position: Mapping[str, Any] | None = None

    @property
    def actions(self) -> int:
        return 0 if self.record is None else len(self.record.actions)

    def words(self) -> Message:
        options = without_files(self.game.options)
        kind = "position" if self.record is None else "record"
        return {"kind": kind, "game": self.game.name, "options": options, "actions": self.actions}


def read_upload(content: bytes, offers: Offers) -> Upload:
    """Read a position, or a record that replays, of a known game. Refusal says what is wrong and where."""
    if len(content) > MAX_BYTES:
        raise Refusal(f"the file has {len(content):,} bytes; expected at most {MAX_BYTES:,}")
    try:
        head = protocol.parse(content.partition(b"\n")[0].decode())
        is_record = head.keys() == HEADER.keys()
    except (UnicodeDecodeError, Refusal):
        is_record = False
    try:
        return _record(content, offers) if is_record else _position(content, offers)
    except (ValueError, OverflowError) as error:
        raise Refusal(f"the file cannot be played: {error}") from None


def _record(content: bytes, offers: Offers) -> Upload:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "record.jsonl"
        file.write_bytes(content)
        record = GameRecord.read(file)
    record.file = "the record"
    if len(record.actions) > MOST_ACTIONS:
        raise Refusal(f"the record has {len(record.actions):,} actions; expected at most {MOST_ACTIONS:,}")
    game = offers.game(record.header["game"], _options(record.header["options"]))
    return Upload(game, record.replay(game), record=record)


def _position(content: bytes, offers: Offers) -> Upload:
    if len(content) > MOST_POSITION:
        raise Refusal(f"no record, and as a position too long: {len(content):,} bytes, at most {MOST_POSITION:,}")
    try:
        position = protocol.parse(content.decode())
    except UnicodeDecodeError:
        raise Refusal("no record and no position: it is not text in UTF-8") from None
    name = position.get("game")
    if not isinstance(name, str) or not isinstance(position.get("options"), dict):
        raise Refusal(f"no record and no position: it names the game {shown(name)}, and its options are no object")
    game = offers.game(name, _options(position["options"]))
    return Upload(game, game.from_dict(position), position=position)


def _options(given: dict[str, Any]) -> dict[str, Any]:
    """The options of a file, checked like those of a message. A deck of None is left out."""
    options = {name: value for name, value in given.items() if name != "deck" or value is not None}
    protocol.options("options", options)
    return options


def saved_table(table: Table, what: str) -> Message:
    """The message `saved`; Refusal for a page, and before the end between persons, as a seed reveals everything."""
    if what == "page":
        raise Refusal("a page is made of a replay: look through the game", "what")
    if what == "position":
        check_open(table)
        return position_text(table.game, table.state)
    return saved_record(record_of_table(table))


def record_of_table(table: Table) -> GameRecord:
    """The table's record; Refusal before the end of a game between persons, or if play began with a position."""
    check_open(table)
    try:
        return record_of(table)
    except ValueError as error:
        raise Refusal(str(error)) from None


def check_open(table: Table) -> None:
    if table.persons > 1 and not table.over:
        raise Refusal("between persons a game is saved after its end, since what is saved tells all hidden cards")


def saved_record(record: GameRecord) -> Message:
    name = f"{record.header['game']}-{record.header['seed']}-{len(record.actions)}.jsonl"
    return {"type": "saved", "name": name, "text": record.text()}


def position_text(game: Game, state: State) -> Message:
    """The position as JSON of `Game.to_dict`."""
    return {"type": "saved", "name": f"{game.name}-position.json", "text": json.dumps(game.to_dict(state), indent=1)}
