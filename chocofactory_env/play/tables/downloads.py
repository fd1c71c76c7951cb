"""Games and positions as text for a file."""

from __future__ import annotations

import json

from ...core.game import Game, State
from ...record import GameRecord
from ..protocol import Message, Refusal
from .on_disk import record_of
from .table import Table


def saved_table(table: Table, what: str) -> Message:
    """The message `saved`; Refusal before the end between persons, since a seed tells all."""
    if what == "position":
        check_open(table)
        return position_text(table.game, table.state)
    return saved_record(record_of_table(table))


def record_of_table(table: Table) -> GameRecord:
    """Refusal before the end between persons, or if play began with a position."""
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
    """As `Game.to_dict` says it."""
    return {"type": "saved", "name": f"{game.name}-position.json", "text": json.dumps(game.to_dict(state), indent=1)}
