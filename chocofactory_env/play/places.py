"""Who may stay connected: strangers, who have shown no token, take no place of those who have.

There are few places for strangers, and the one that came first makes room for the next. So nobody who only connects can
keep others out.
"""

from __future__ import annotations

from typing import Protocol

from .limits import HOLDERS, STRANGERS


class Guest(Protocol):
    """A WebSocket."""

    def send_away(self) -> None:
        """Close it, since there is no place for it."""


class Places:
    """All WebSockets of a server."""

    def __init__(self) -> None:
        self._strangers: dict[Guest, None] = {}  # in the order in which they came
        self._holders: set[Guest] = set()

    def enter(self, guest: Guest) -> None:
        """As a stranger, for whom another one may have to go."""
        self._strangers[guest] = None
        if len(self._strangers) > STRANGERS:
            first = next(iter(self._strangers))
            del self._strangers[first]
            first.send_away()

    def recognise(self, guest: Guest, host: bool) -> bool:
        """Whether there is a place for a guest who has shown a token; for the host there always is."""
        if guest not in self._holders:
            if not host and len(self._holders) >= HOLDERS:
                return False
            self._strangers.pop(guest, None)
            self._holders.add(guest)
        return True

    def leave(self, guest: Guest) -> None:
        self._strangers.pop(guest, None)
        self._holders.discard(guest)
