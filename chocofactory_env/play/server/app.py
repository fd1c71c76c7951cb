"""The web server: routes, checks of every request, and headers that restrict the browser."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, MutableMapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from ...drawing import theme
from ...record import MAX_BYTES
from ...registry import GAMES
from ..limits import BURST, MESSAGES_A_SECOND
from ..protocol import Refusal
from ..tables.hall import Hall
from ..tables.rules import pages_of
from .connection import Connection, Pacer
from .places import Places

PAGE: Final = Path(__file__).parents[1] / "page"
FONTS: Final = Path(__file__).parents[2] / "drawing" / "data"
MEDIA: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".ttf": "font/ttf",
}
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}
FORBIDDEN: Final = 1008


@dataclass(frozen=True)
class Doors:
    """Which requests are let in.

    port: the server's; None: any, behind another server. names: host names of this machine. Addresses in numbers are
    safe without a list, because a stranger's page can give this machine a name but no number. anywhere: whether numbers
    other than this machine's own are let in. public: names at any port, such as that of a server in front of this one.
    """

    port: int | None
    names: frozenset[str] = field(default_factory=lambda: frozenset({"localhost"}))
    anywhere: bool = False
    public: frozenset[str] = frozenset()

    def lets_in(self, host: str) -> bool:
        """Whether `host` is a valid `Host` for this server."""
        try:
            parts = urlsplit(f"//{host}")
            name, port = parts.hostname or "", parts.port
        except ValueError:
            return False
        if parts.netloc != host or "@" in host:
            return False
        if name in self.public:
            return True
        if self.port is not None and (port or 80) != self.port:
            return False
        if name in self.names:
            return True
        try:
            return ip_address(name).is_loopback or self.anywhere
        except ValueError:
            return False


class Gate:
    """Lets in requests for this server, from its own page, and adds HEADERS to all answers."""

    def __init__(self, app: ASGIApp, doors: Doors) -> None:
        self._app = app
        self._doors = doors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        status, reason = self._refusal(scope)
        if scope["type"] == "websocket":
            if status:
                await WebSocket(scope, receive, send).close(FORBIDDEN, reason)
            else:
                await self._app(scope, receive, send)
            return
        app = PlainTextResponse(f"{reason}\n", status) if status else self._app
        await app(scope, receive, with_headers(send))

    def _refusal(self, scope: Scope) -> tuple[int, str]:
        """Status and reason; (0, "") if the request is let in."""
        hosts, origins = (values_of(scope, name) for name in (b"host", b"origin"))
        if len(hosts) != 1 or not self._doors.lets_in(hosts[0]):
            return 400, "this server does not go by this name; see --name"
        asks_only = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        if asks_only and not origins:
            return 0, ""
        if len(origins) != 1 or origins[0] not in (f"http://{hosts[0]}", f"https://{hosts[0]}"):
            return 403, "only the server's own page may ask this"
        return 0, ""


def values_of(scope: Scope, name: bytes) -> list[str]:
    """All headers of this name."""
    return [value.decode("latin-1").lower() for key, value in scope["headers"] if key == name]


def with_headers(send: Send) -> Send:
    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            own = {key for key, _ in message["headers"]}
            added = [(key.encode(), value.encode()) for key, value in HEADERS.items() if key.encode() not in own]
            message = {**message, "headers": [*message["headers"], *added]}
        await send(message)

    return sending


def files_in(folder: Path, *endings: str) -> dict[str, Path]:
    """The files that are served, by name; no others can be requested."""
    return {path.name: path for path in sorted(folder.iterdir()) if path.suffix in endings and path.is_file()}


def make_app(
    make_hall: Callable[[], Hall],
    doors: Doors,
    *,
    begin: Callable[[Hall], Coroutine[Any, Any, None]] | None = None,
    per_second: float = MESSAGES_A_SECOND,
) -> ASGIApp:
    """The application. When it starts, it makes the hall and runs `begin` with it, which must not raise."""
    places = Places()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        hall = app.state.hall = make_hall()
        writing = asyncio.create_task(hall.folder.write_until_the_end())
        beginning = None if begin is None else asyncio.create_task(begin(hall))  # making an agent may take long
        yield
        if beginning is not None:
            beginning.cancel()
        hall.folder.end()
        await writing
        for table in hall.tables.values():
            table.close()

    async def socket(ws: WebSocket) -> None:
        await ws.accept()
        pacer = Pacer(per_second, max(BURST, 2 * per_second))
        await Connection(ws, ws.app.state.hall, places, pacer).serve()

    async def theme_css(_: Request) -> Response:
        return Response(theme.style_sheet(), media_type=MEDIA[".css"])

    async def page(_: Request) -> Response:
        return served(PAGE, "index.html", (".html",))

    async def part(request: Request) -> Response:
        return served(PAGE, request.path_params["name"], (".css", ".js", ".svg"))

    async def font(request: Request) -> Response:
        return served(FONTS, request.path_params["name"], (".ttf",))

    async def rules(request: Request) -> Response:
        name = request.path_params["game"]
        return JSONResponse(pages_of(name)) if name in GAMES else PlainTextResponse("there is no such game\n", 404)

    routes = [
        Route("/", page),
        Route("/rules/{game}", rules),
        Route("/page/{name}", part),
        Route("/font/{name}", font),
        Route("/theme.css", theme_css),
        Route("/upload", upload, methods=["POST"]),
        WebSocketRoute("/socket", socket),
    ]
    squeezing = [Middleware(GZipMiddleware, minimum_size=500)]
    return Gate(Starlette(routes=routes, lifespan=lifespan, middleware=squeezing), doors)


def served(folder: Path, name: str, endings: tuple[str, ...]) -> Response:
    path = files_in(folder, *endings).get(name)
    if path is None:
        return PlainTextResponse("there is no such file\n", 404)
    return Response(path.read_bytes(), media_type=MEDIA[path.suffix])


async def upload(request: Request) -> Response:
    """Take in the host's record."""
    hall: Hall = request.app.state.hall
    if not hall.is_host(request.headers.get("x-key", "")):
        return JSONResponse({"reason": "only the host may open files"}, 403)
    content = bytearray()
    try:
        async for part in request.stream():
            content += part
            if len(content) > MAX_BYTES:
                return JSONResponse({"reason": f"the file has more than {MAX_BYTES:,} bytes"}, 413)
        name, found = await hall.add_upload(bytes(content))
    except ClientDisconnect:
        return Response(status_code=400)
    except Refusal as refusal:
        return JSONResponse({"reason": refusal.reason}, 400)
    return JSONResponse({"upload": name, **found.words()})
