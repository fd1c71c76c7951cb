"""The table in the browser, on this machine: `chocofactory play`."""

from __future__ import annotations

import socket
import sys
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final

from ..core.command import Command, Options, OutFolder, Seed, folder_there, integer

DEFAULT_GAME: Final = "chocofactory"
HOST: Final = "127.0.0.1"
PORT: Final = 8421
MOST_PORT: Final = 65535
PERSON: Final = "person"
SWITCH_EVERY: Final = 0.001  # seconds after which a thinking thread lets the server answer


@dataclass(frozen=True)
class Table:
    """What the table is opened with.

    Args:
        seats: begin a game: for each seat person (at this screen), or an agent, as expert, learned:checkpoint=FILE, or
            my_agents:make_mine.
        game: name of the game.
        option: an option of the game; repeat it for more.
        seed: seed of the deal; drawn unless given.
        agent: agents of one's own that the page may seat.
        run: folders whose checkpoints the page offers.
        port: the port; 0 for any that is free.
        folder: where games are saved by themselves.
        no_browser: print the address and open nothing.
    """

    seats: Sequence[str] = ()
    game: str | None = None
    option: Options = field(default_factory=dict)
    seed: Seed | None = None
    agent: Sequence[str] = ()
    run: Sequence[Annotated[Path, folder_there]] = ()
    port: Annotated[int, integer(0, MOST_PORT)] = PORT
    folder: OutFolder | None = None
    no_browser: bool = False


def serve(chosen: Table) -> None:
    """Open the table in the browser, to play and to watch; the page asks for what is not given.

    Raises:
        ValueError, TypeError, ImportError, OSError: see `house_of`; a package is missing, or the port is taken.
    """
    try:
        import uvicorn

        from .protocol import MOST_BYTES
        from .server import WideSocket, make_app
    except ModuleNotFoundError as error:
        if error.name not in ("uvicorn", "starlette", "websockets"):
            raise
        install = 'pip install "chocofactory-env[play]"'
        raise ImportError(f"the table needs {error.name}, which is not installed: {install}") from None
    sys.path.insert(0, "")  # the user's modules lie in the current folder
    sys.setswitchinterval(SWITCH_EVERY)
    house = house_of(chosen)
    listening = socket.create_server((HOST, chosen.port))
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # inherited; else a view may wait 40 ms
    port = listening.getsockname()[1]

    async def begin() -> None:
        address = f"http://{HOST}:{port}/"
        print(f"The table stands at {address}", flush=True)
        if not chosen.no_browser:
            webbrowser.open(address)

    settings = uvicorn.Config(
        make_app(house, port, begin), log_level="warning", access_log=False, server_header=False, ws=WideSocket,
        ws_max_size=MOST_BYTES, timeout_graceful_shutdown=1,
    )  # fmt: skip
    with suppress(KeyboardInterrupt):
        uvicorn.Server(settings).run(sockets=[listening])


def house_of(chosen: Table) -> Any:
    """What the command line describes. Raises as `load` and `make_agent` do, or OSError."""
    from .session import House

    preset, folder = preset_of(chosen), Path(chosen.folder or default_folder())
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"folder: expected a folder, got the file {folder}")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    own = [*(seat for seat in chosen.seats if seat != PERSON), *chosen.agent]
    return House(folder, own, chosen.run, preset)


def preset_of(chosen: Table) -> Any:
    """The game of the command line, which begins at once if it has seats; None without one."""
    if not (chosen.seats or chosen.game or chosen.option or chosen.seed is not None):
        return None
    from .. import make_agent
    from ..registry import load
    from .protocol import AskedSeat, New

    options = dict(chosen.option)
    if chosen.seats:
        options.setdefault("num_players", len(chosen.seats))
    game = load(chosen.game or DEFAULT_GAME, **options)
    agents = [None if seat == PERSON else seat for seat in chosen.seats]
    if agents and len(agents) != game.num_players:
        raise ValueError(f"seats: expected {game.num_players}, got {len(agents)}")
    for agent in agents:
        if agent is not None:
            make_agent(agent, game)
    seats = [AskedSeat(agent=agent) for agent in agents]
    return New(game=game.name, options=dict(game.options), seats=seats, seed=chosen.seed)


def default_folder() -> Path:
    """The user's folder of games; ValueError without a home."""
    from platformdirs import user_data_path

    try:
        return user_data_path("chocofactory_env") / "games"
    except RuntimeError as error:
        raise ValueError(f"{error}, or a folder by --folder") from error


COMMAND: Final = Command(
    "chocofactory play",
    serve,
    ("", "--seats person expert", "--seats person expert manager --game schoko --seed 7 --port 0 --no-browser"),
    parts={"chosen": Table},
)
main = COMMAND.run

if __name__ == "__main__":
    main()
