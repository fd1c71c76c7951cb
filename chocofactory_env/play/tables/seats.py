"""The seats of a table, and the secrets that prove that a browser holds one."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable
from typing import Final, Literal

from msgspec import Struct

from ...record import Text
from ..protocol import MOST_NAME, AskedSeat

TOKEN_BYTES: Final = 24


def fresh_secret() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


def same_secret(one: str, other: str) -> bool:
    """Compare in a time that does not depend on where they differ."""
    return secrets.compare_digest(one.encode(), other.encode())


class Seat(Struct, forbid_unknown_fields=True):
    """kind: a person at the host's browser, a person at another browser, or an agent. secret: see `token_of`."""

    kind: Literal["here", "link", "agent"]
    name: Text
    secret: Text
    agent: Text | None = None

    @property
    def is_person(self) -> bool:
        return self.kind != "agent"


def seats_of(asked: Iterable[AskedSeat]) -> list[Seat]:
    """Fresh seats as a message or the command line describes them."""
    seats = [
        Seat(one.kind, name_of(one, place)[:MOST_NAME], fresh_secret(), one.agent) for place, one in enumerate(asked)
    ]
    names = [seat.name for seat in seats]
    for place, seat in enumerate(seats):
        if names.count(seat.name) > 1:
            seat.name = f"{seat.name[: MOST_NAME - 3]} {place}"
    return seats


def name_of(asked: AskedSeat, place: int) -> str:
    """The name typed, else the agent's text, else "Guest 1" for the person in the first seat."""
    return asked.name or without_folders(asked.agent or "") or f"Guest {place + 1}"


def without_folders(agent: str) -> str:
    """The agent's text as guests may see it: files without their folders."""
    return re.sub(r"[^=,]*[/\\]", "", agent)


def token_of(table: str, secret: str) -> str:
    """A token of the table's name, which is public, and the secret."""
    return f"{table}.{secret}"


def parts_of(token: str) -> tuple[str, str]:
    """The table and the secret of a token."""
    table, _, secret = token.partition(".")
    return table, secret
