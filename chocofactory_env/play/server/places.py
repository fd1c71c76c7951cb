"""Who may stay connected: strangers, who have shown no token, take no place of those who have.

There are few places for strangers, and the one that came first makes room for the next. So nobody who only connects can
keep others out. Nor can who holds one token: it opens so many connections at once, and no more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Protocol

from ..limits import HOLDERS, OF_A_TOKEN, STRANGERS


class Guest(Protocol):
    """A WebSocket."""

    def send_away(self) -> None:
        """Close it, since there is no place for it."""


class Places:
    """All WebSockets of a server."""

    def __init__(self) -> None:
        self._strangers: dict[Guest, None] = {}  # in the order in which they came
        self._holders: dict[Guest, frozenset[str]] = {}  # with the tokens that they have shown
        self._of_token: Counter[str] = Counter()

    def enter(self, guest: Guest) -> None:
        """As a stranger, for whom another one may have to go."""
        self._strangers[guest] = None
        if len(self._strangers) > STRANGERS:
            first = next(iter(self._strangers))
            del self._strangers[first]
            first.send_away()

    def recognise(self, guest: Guest, tokens: Iterable[str], host: bool) -> bool:
        """Whether there is a place for a guest who has shown these tokens; for the host there always is."""
        if guest not in self._holders:
            shown = frozenset(tokens)
            full = len(self._holders) >= HOLDERS or any(self._of_token[token] >= OF_A_TOKEN for token in shown)
            if full and not host:
                return False
            self._strangers.pop(guest, None)
            self._holders[guest] = shown
            self._of_token.update(shown)
        return True

    def leave(self, guest: Guest) -> None:
        self._strangers.pop(guest, None)
        for token in self._holders.pop(guest, ()):
            self._of_token[token] -= 1
            if not self._of_token[token]:
                del self._of_token[token]
