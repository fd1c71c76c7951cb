"""All limits of the server. `docs/play-protocol.md` has them as a table."""

from __future__ import annotations

from typing import Final

# Connections that have shown no token
HTTP_CONNECTIONS: Final = 128  # a new one ends the oldest
HTTP_SECONDS: Final = 60.0  # the longest that a connection lasts
STRANGERS: Final = 64  # WebSockets; a new one ends the oldest
HELLO_SECONDS: Final = 10.0

# All connections
SOCKETS: Final = 800
FILES: Final = 1024  # open files of the process: SOCKETS, BACKLOG, and others
BACKLOG: Final = 128  # connections that are accepted at once
HOLDERS: Final = 512  # WebSockets that have shown a token; the host may exceed it
OF_A_TOKEN: Final = 64  # WebSockets that have shown the same seat or watch token
CLOSE_SECONDS: Final = 1.0  # for a browser to confirm that a WebSocket is closed
MESSAGES_A_SECOND: Final = 40.0  # read without waiting
BURST: Final = 80.0  # messages
LOG_SECONDS: Final = 60.0  # between two log lines from the same place in the code

# Agents that a browser asks for
TIMES_DEFAULT: Final = 32  # the largest setting, as a multiple of its default ...
MOST_OF_SMALL: Final = 60  # ... or this number, if that is more
ABANDONED: Final = 8  # running threads that nobody waits for

ANALYSIS_SECONDS: Final = 900.0  # to judge the decisions of a game
TABLES: Final = 400
UPLOADS: Final = 8
