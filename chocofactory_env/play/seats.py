"""Who sits at a table, and the secrets by which a browser is known to hold a seat."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal

Kind = Literal["here", "link", "agent"]
TOKEN_BYTES: Final = 24
WATCH: Final = "watch"


def fresh_secret() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


def same_secret(one: str, other: str) -> bool:
    """In a time that does not depend on where they differ."""
    return secrets.compare_digest(one.encode(), other.encode())


@dataclass
class Seat:
    """kind: a person at the host's browser, a person at another one, or an agent. token: see `token_of`."""

    kind: Kind
    name: str
    secret: str
    agent: str | None = None

    @property
    def is_person(self) -> bool:
        return self.kind != "agent"

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "name": self.name, "secret": self.secret, "agent": self.agent}


def seats_of(given: Iterable[dict[str, Any]]) -> list[Seat]:
    """Fresh seats for those that a message or the command line asks for."""
    made = []
    for place, one in enumerate(given):
        agent = one.get("agent")
        name = one.get("name") or without_folders(agent or "") or f"Player {place}"
        made.append(Seat(one["kind"], name[:60], fresh_secret(), agent))
    return made


def without_folders(agent: str) -> str:
    """The agent's text as guests may see it: files without the folders that they lie in."""
    return re.sub(r"[^=,]*[/\\]", "", agent)


def token_of(table: str, secret: str) -> str:
    """Which table, which is no secret, and what is."""
    return f"{table}.{secret}"


def parts_of(token: str) -> tuple[str, str]:
    """The table and the secret."""
    table, _, secret = token.partition(".")
    return table, secret
