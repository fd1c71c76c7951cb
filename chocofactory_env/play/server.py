"""The web server: it serves this machine alone, and its own page alone."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, MutableMapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

from ..drawing import theme
from ..registry import GAMES
from .rules import pages_of
from .session import House, Session

PAGE: Final = Path(__file__).parent / "page"
MEDIA: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}
FORBIDDEN: Final = 1008
HTTP: Final = 80  # the port that browsers leave out
NAMES: Final = ("127.0.0.1", "localhost", "[::1]")


class WideSocket(WebSocketsSansIOProtocol):
    """A WebSocket whose compression window is 32 KiB, eight times uvicorn's: a view is much like the one before."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        squeezing = ServerPerMessageDeflateFactory(client_max_window_bits=12, compress_settings={"memLevel": 5})
        self.conn.available_extensions = [squeezing]


class Gate:
    """Lets in requests to this server by a name of this machine, from its own page, and adds HEADERS to all answers.

    A stranger's page can give this machine a name of its own, so `Host` is checked; it can send requests here, so
    `Origin` is, too.
    """

    def __init__(self, app: ASGIApp, port: int) -> None:
        ports = (f":{port}", "") if port == HTTP else (f":{port}",)
        self._app, self._hosts = app, {f"{name}{words}" for name in NAMES for words in ports}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        reason = self._refusal(scope)
        if scope["type"] == "websocket" and reason:
            await WebSocket(scope, receive, send).close(FORBIDDEN, reason)
        elif scope["type"] == "websocket":
            await self._app(scope, receive, send)
        else:
            app = PlainTextResponse(f"{reason}\n", 403) if reason else self._app
            await app(scope, receive, with_headers(send))

    def _refusal(self, scope: Scope) -> str:
        """Why a request is not let in; "" if it is."""
        hosts, origins = (values_of(scope, name) for name in (b"host", b"origin"))
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return "this server does not go by this name"
        asks_only = scope["type"] == "http" and scope["method"] in ("GET", "HEAD") and not origins
        return "" if asks_only or origins == [f"http://{hosts[0]}"] else "only the server's own page may ask this"


def values_of(scope: Scope, name: bytes) -> list[str]:
    """All headers of this name."""
    return [value.decode("latin-1").lower() for key, value in scope["headers"] if key == name]


def with_headers(send: Send) -> Send:
    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            added = [(key.encode(), value.encode()) for key, value in HEADERS.items()]
            message = {**message, "headers": [*message["headers"], *added]}
        await send(message)

    return sending


def make_app(house: House, port: int, begin: Callable[[], Coroutine[Any, Any, None]] | None = None) -> ASGIApp:
    """The application. begin: runs when it has started; it must not raise."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> Any:
        if begin is not None:
            await begin()
        yield

    async def socket(ws: WebSocket) -> None:
        await ws.accept()
        await Session(ws, house).serve()

    async def page(request: Request) -> Response:
        name = request.path_params.get("name", "index.html")
        path = {one.name: one for one in PAGE.iterdir()}.get(name)  # no other file can be requested
        if path is None or path.suffix not in MEDIA:
            return PlainTextResponse("there is no such file\n", 404)
        return Response(path.read_bytes(), media_type=MEDIA[path.suffix])

    async def theme_css(_: Request) -> Response:
        return Response(theme.style_sheet(), media_type=MEDIA[".css"])

    async def rules(request: Request) -> Response:
        name = request.path_params["game"]
        return JSONResponse(pages_of(name)) if name in GAMES else PlainTextResponse("there is no such game\n", 404)

    routes = [
        Route("/", page),
        Route("/page/{name}", page),
        Route("/rules/{game}", rules),
        Route("/theme.css", theme_css),
        WebSocketRoute("/socket", socket),
    ]
    return Gate(
        Starlette(routes=routes, lifespan=lifespan, middleware=[Middleware(GZipMiddleware, minimum_size=500)]), port
    )
