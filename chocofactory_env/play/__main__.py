"""The table in the browser.

    chocofactory play                                            # the page asks what to play
    chocofactory play --game schoko                              # it asks for the rest
    chocofactory play --seats person expert                      # a game against an agent
    chocofactory play --seats person learned:checkpoint=FILE     # against what you have trained
    chocofactory play --seats my_agents:make_mine random --game candyfactory

Seats are `person` (at this browser), `link` (at another browser), or agents: NAME, NAME:KEY=VALUE,..., MODULE:FACTORY.
"""

from __future__ import annotations

import html
import os
import secrets
import socket
import sys
import webbrowser
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final

from ..core.command import Command, Count, Options, OutFolder, Seed, folder_there, integer
from ..core.files import held
from .limits import BACKLOG
from .protocol import MOST_BYTES, AskedSeat, KindOfSeat, New

DEFAULT_GAME: Final = "chocofactory"
PORT: Final = 8421
THINKERS: Final = max(2, os.cpu_count() or 2)
MOST_PORT: Final = 65535
SEATS: Final[dict[str, KindOfSeat]] = {"person": "here", "link": "link"}
KEY: Final = "host.key"
OPENS: Final = "open.html"
SWITCH_EVERY: Final = 0.001  # seconds after which a thinking thread lets the server answer


@dataclass(frozen=True)
class Table:
    """Open the table in the browser, to play against agents or people; the page asks for what is not given.

    Args:
        seats: begin a game: for each seat person (at this browser), link (at another browser), or an agent, as expert,
            learned:checkpoint=FILE, or my_agents:make_mine.
        game: name of the game.
        option: an option of the game; repeat it for more.
        seed: seed of the deal; drawn unless given.
        agent: agents of one's own that the page may seat.
        run: folders whose checkpoints the page offers.
        host: the address to listen on; 127.0.0.1 is for this machine alone.
        name: names by which others reach it, at any port.
        port: the port; 0 for any that is free.
        folder: where games are kept, to be resumed later.
        workers: agents that think at once.
        no_browser: print the address and open nothing.
    """

    seats: Sequence[str] = ()
    game: str | None = None
    option: Options = field(default_factory=dict)
    seed: Seed | None = None
    agent: Sequence[str] = ()
    run: Sequence[Annotated[Path, folder_there]] = ()
    host: str = "127.0.0.1"
    name: Sequence[str] = ()
    port: Annotated[int, integer(0, MOST_PORT)] = PORT
    folder: OutFolder | None = None
    workers: Count = THINKERS
    no_browser: bool = False


def serve(chosen: Table) -> None:
    """Serve the table until Ctrl-C, and end the process."""
    try:
        import filelock  # noqa: F401  # `held` needs it
        import uvicorn

        from .server.app import Doors, make_app
        from .server.sockets import LOGGING, LimitedHttp, LimitedWebSocket, allow_files
    except ModuleNotFoundError as error:
        if error.name not in ("filelock", "uvicorn", "starlette", "websockets"):
            raise
        sys.exit(f'the table needs {error.name}, which is not installed: pip install "chocofactory-env[play]"')
    holding = ExitStack()
    try:
        folder = Path(chosen.folder or default_folder())
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        holding.enter_context(held(folder, ValueError))
        key = host_key(folder)
        listening = listen(chosen.host, chosen.port)
    except (OSError, ValueError) as error:
        sys.exit(f"the table cannot be set up: {error}")
    opened = listening.getsockname()[1]
    here = f"http://{'127.0.0.1' if chosen.host in EVERYWHERE else in_brackets(chosen.host)}:{opened}/"
    names, public = frozenset({"localhost", chosen.host.lower()}), frozenset(map(str.lower, chosen.name))
    doors = Doors(opened, names, anywhere=chosen.host in EVERYWHERE, public=public)
    sys.setswitchinterval(SWITCH_EVERY)
    allow_files()
    begin = Beginner(chosen, here, key, folder / OPENS)
    app = make_app(lambda: make_hall(folder, key, chosen), doors, begin=begin)
    settings = uvicorn.Config(
        app, log_config=LOGGING, log_level="warning", access_log=False, http=LimitedHttp, ws=LimitedWebSocket,
        ws_max_size=MOST_BYTES, ws_max_queue=16, ws_per_message_deflate=True, server_header=False,
        backlog=BACKLOG, timeout_graceful_shutdown=2,
    )  # fmt: skip
    server = begin.server = uvicorn.Server(settings)
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listening])
    sys.stdout.flush()
    (folder / OPENS).unlink(missing_ok=True)
    holding.close()
    os._exit(1 if begin.failed else 0)  # do not wait for agents that still think


EVERYWHERE: Final = ("0.0.0.0", "::")


def default_folder() -> Path:
    """The user's folder of tables; ValueError without a home."""
    from platformdirs import user_data_path

    try:
        return user_data_path("chocofactory_env") / "play"
    except RuntimeError as error:
        raise ValueError(f"{error}, or a folder by --folder") from error


def host_key(folder: Path) -> str:
    """The host's key, which the folder keeps, so that open pages survive a restart of the server."""
    file = folder / KEY
    if file.is_file() and len(known := file.read_text(encoding="utf-8").strip()) >= 32:
        return known
    fresh = secrets.token_urlsafe(24)
    write_private(file, fresh)
    return fresh


def write_private(file: Path, text: str) -> None:
    """Write a new file that only this user can read."""
    file.unlink(missing_ok=True)
    file.touch(0o600)
    file.write_text(text, encoding="utf-8")


def open_browser(address: str, page: Path) -> None:
    """Open the address by a page that redirects: it holds the key, and other users can read a command line."""
    goal = html.escape(address)
    write_private(page, f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url={goal}">\n')
    webbrowser.open(page.as_uri())


def in_brackets(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def listen(host: str, port: int) -> socket.socket:
    """Listen on the address. OSError if it is taken or not this machine's."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.create_server((host, port), family=family, backlog=BACKLOG)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # inherited; else a view may wait 40 ms
    return made


def make_hall(folder: Path, key: str, chosen: Table) -> Any:
    from .tables.agents import TableAgents
    from .tables.hall import Hall
    from .tables.offers import Offers

    sys.path.insert(0, "")  # the user's modules lie in the current folder
    own = [*(seat for seat in chosen.seats if seat not in SEATS), *chosen.agent]
    return Hall(folder, key, TableAgents(own, chosen.run), Offers(), chosen.workers)


class Beginner:
    """Makes the table of the command line once the server is ready, and opens the page."""

    def __init__(self, chosen: Table, here: str, key: str, page: Path) -> None:
        self._chosen, self._here, self._key, self._page = chosen, here, key, page
        self.server: Any = None  # uvicorn's
        self.failed = False

    async def __call__(self, hall: Any) -> None:

        address = f"{self._here}#host={self._key}"
        if self._chosen.seats or self._chosen.game or self._chosen.option:
            try:
                hall.preset = self._preset(hall)
                if self._chosen.seats:
                    address += f"&join={','.join(await self._make_table(hall))}"
            except Exception as error:  # a user's agent or game may fail in any way
                print(f"no table: {error}", file=sys.stderr)
                self.failed = self.server.should_exit = True
                return
        print(f"The table stands at {address}", flush=True)
        if not self._chosen.no_browser:
            open_browser(address, self._page)

    def _preset(self, hall: Any) -> New:
        """The table of the command line, which fills in the page's form. TypeError, ValueError: no such game."""
        from .tables.offers import without_files

        chosen = self._chosen
        options = dict(chosen.option)
        if chosen.seats:
            options.setdefault("num_players", len(chosen.seats))
        game = hall.offers.with_files(chosen.game or DEFAULT_GAME, options)
        seats = [seat_of(text) for text in chosen.seats]
        return New(game=game.name, options=without_files(game.options), seats=seats, seed=chosen.seed)

    async def _make_table(self, hall: Any) -> list[str]:
        """Make the table, and return this browser's tokens. Refusal says why it cannot be made."""
        from .tables.hall import all_tokens
        from .tables.seats import token_of

        table = await hall.make(hall.preset)
        tokens = all_tokens(table)
        for place, seat in enumerate(table.seats):
            if seat.kind == "link":
                print(f"Player {place}: {self._here}#join={tokens[place]}")
        alone = table.persons == 0
        mine = [token for token, seat in zip(tokens, table.seats, strict=True) if seat.kind == "here" or alone]
        return mine or [token_of(table.name, table.watch)]


def seat_of(text: str) -> AskedSeat:
    kind = SEATS.get(text)
    return AskedSeat(kind="agent", agent=text) if kind is None else AskedSeat(kind=kind)


COMMAND: Final = Command(
    "chocofactory play",
    Table,
    ("", "--seats person expert", "--seats person expert manager --game schoko --seed 7 --port 0 --no-browser"),
    tell=serve,
)
main = COMMAND.run

if __name__ == "__main__":
    main()
