"""Records as files: uploads of a browser, which are checked first, and files that it saves."""

from __future__ import annotations

from typing import Final, NamedTuple

from ...core.game import Game
from ...record import GameRecord
from ..protocol import Message, Refusal
from .offers import Offers, without_files
from .on_disk import record_of
from .table import Table

MOST_ACTIONS: Final = 20_000  # of an uploaded record


class Upload(NamedTuple):
    """A record that replays."""

    game: Game
    record: GameRecord

    def words(self) -> Message:
        options = without_files(self.game.options)
        return {"game": self.game.name, "options": options, "actions": len(self.record.actions)}


def read_upload(content: bytes, offers: Offers) -> Upload:
    """Read a record of a known game, and replay it. Refusal says what is wrong and where."""
    try:
        record = GameRecord.parse(content, "the record")
        if len(record.actions) > MOST_ACTIONS:
            raise Refusal(f"the record has {len(record.actions):,} actions; expected at most {MOST_ACTIONS:,}")
        game = offers.game(record.game, record.options)
        record.replay(game)
    except ValueError as error:
        raise Refusal(f"the file cannot be played: {error}") from None
    return Upload(game, record)


def record_of_table(table: Table) -> GameRecord:
    """The table's record; Refusal before the end of a game between persons, as its seed reveals everything."""
    if table.persons > 1 and not table.over:
        raise Refusal("between persons a game is saved after its end, since what is saved tells all hidden cards")
    return record_of(table)


def saved_record(record: GameRecord) -> Message:
    """The message `saved`."""
    name = f"{record.game}-{record.seed}-{len(record.actions)}.json"
    return {"type": "saved", "name": name, "text": record.text()}
