"""Limits that uvicorn lacks: on the time and number of connections that are no WebSockets, and on the log."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any, ClassVar, Final

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

from ..limits import CLOSE_SECONDS, FILES, HTTP_CONNECTIONS, HTTP_SECONDS, LOG_SECONDS, SOCKETS


def allow_files() -> None:
    """Raise this process's limit of open files to what SOCKETS need, as far as the system allows."""
    try:
        import resource
    except ImportError:  # on Windows sockets are not files
        return
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if most == resource.RLIM_INFINITY else min(FILES, most)
    if now != resource.RLIM_INFINITY and now < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


class LimitedHttp(H11Protocol):
    """A connection of at most HTTP_SECONDS, unless it becomes a WebSocket. The oldest makes room for others."""

    _open: ClassVar[dict[LimitedHttp, asyncio.TimerHandle]] = {}  # in the order of arrival, with their time limits

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        if len(self.connections) > SOCKETS:
            transport.abort()
            return
        self._open[self] = self.loop.call_later(HTTP_SECONDS, transport.abort)
        if len(self._open) > HTTP_CONNECTIONS:
            next(iter(self._open))._end()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._forget()
        super().handle_websocket_upgrade(event)

    def _end(self) -> None:
        self._forget()
        self.transport.abort()

    def _forget(self) -> None:
        end = self._open.pop(self, None)
        if end is not None:
            end.cancel()


class LimitedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket that does not wait long for the browser's half of the closing handshake.

    Its compression window is 32 KiB, eight times uvicorn's, because a panel is much like the one that it replaces.
    """

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.close_timeout = CLOSE_SECONDS
        squeezing = ServerPerMessageDeflateFactory(client_max_window_bits=12, compress_settings={"memLevel": 5})
        self.conn.available_extensions = [squeezing]


class Seldom(logging.Filter):
    """Lets through one log line per place in the code and type of error in LOG_SECONDS."""

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[tuple[Any, ...], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[0] if record.exc_info else None
        place, now = (record.pathname, record.lineno, error), time.monotonic()
        if now - self._said.get(place, -LOG_SECONDS) < LOG_SECONDS:
            return False
        self._said[place] = now
        return True


LOGGING: Final[dict[str, Any]] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"seldom": {"()": Seldom}},
    "formatters": {"plain": {"format": "%(asctime)s %(levelname)s: %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "filters": ["seldom"], "formatter": "plain"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
}
