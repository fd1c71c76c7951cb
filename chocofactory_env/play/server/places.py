"""Places for connections. Strangers, who have shown no token, take no place from those who have.

Strangers have few places, and the oldest makes room for the next, so nobody can keep others out merely by connecting.
One token opens a limited number of connections, so its holder cannot either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Protocol

from ..limits import HOLDERS, OF_A_TOKEN, STRANGERS


class Guest(Protocol):
    """A WebSocket."""

    def send_away(self) -> None:
        """Close the WebSocket for lack of a place."""


class Places:
    """All WebSockets of a server."""

    def __init__(self) -> None:
        self._strangers: dict[Guest, None] = {}  # in the order of arrival
        self._holders: dict[Guest, frozenset[str]] = {}  # with the tokens shown
        self._of_token: Counter[str] = Counter()

    def enter(self, guest: Guest) -> None:
        """Admit a guest as a stranger; the oldest one may have to go."""
        self._strangers[guest] = None
        if len(self._strangers) > STRANGERS:
            first = next(iter(self._strangers))
            del self._strangers[first]
            first.send_away()

    def recognise(self, guest: Guest, tokens: Iterable[str], host: bool) -> bool:
        """Give a guest with these tokens a place, and return whether there is one. The host always gets one."""
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
