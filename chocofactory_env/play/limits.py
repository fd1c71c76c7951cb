"""How much of the server anybody gets: all limits in one place. `docs/play-protocol.md` has them as a table."""

from __future__ import annotations

from typing import Final

# Of those who have shown no token
HTTP_CONNECTIONS: Final = 128  # the oldest ends when another one comes
HTTP_SECONDS: Final = 60.0  # from its beginning to its end
STRANGERS: Final = 64  # WebSockets; the oldest ends when another one comes
HELLO_SECONDS: Final = 10.0

# Of all
SOCKETS: Final = 800
FILES: Final = 1024  # that the process may have open: sockets, BACKLOG of them at once, and others
BACKLOG: Final = 128  # connections that are accepted at once
HOLDERS: Final = 512  # WebSockets that have shown a token; the host is let in beyond that
OF_A_TOKEN: Final = 64  # WebSockets that have shown the same seat or watch token
CLOSE_SECONDS: Final = 1.0  # for a browser to answer that a WebSocket is closed
MESSAGES_A_SECOND: Final = 40.0  # that are read without waiting
BURST: Final = 80.0  # messages
LOG_SECONDS: Final = 60.0  # between two log lines from the same place in the code

# Of agents that a browser asks for
TIMES_DEFAULT: Final = 32  # a setting may be so many times its default ...
MOST_OF_SMALL: Final = 60  # ... or this number
ABANDONED: Final = 8  # threads at work that nobody waits for

ANALYSIS_SECONDS: Final = 900.0  # in which the decisions of a game are judged
TABLES: Final = 400
UPLOADS: Final = 8
