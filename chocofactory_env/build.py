"""Build the games' libraries before anybody plays, for images and CI.

    chocofactory build                              # all games
    chocofactory build schoko my_package:MyGame     # one, and a game of one's own

Libraries are kept where `CHOCOFACTORY_CACHE_DIR` says, else in the user's cache folder: docs/performance.md. Only a
checkout needs this, and games of one's own; a wheel brings the libraries of its games. The exit status is 1 if a
library could not be built or kept.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from .core.build import build_games, know, missing
from .core.command import CommandParser, count
from .core.errors import CompileError
from .core.jit import ALL_GAMES
from .core.safe_folder import CacheFolderError, library_folder
from .registry import GAMES, UnknownGameError, load


def main(arguments: Sequence[str] | None = None) -> None:
    parser = CommandParser(
        prog="chocofactory build", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "games",
        nargs="*",
        metavar="GAME",
        help=f"{', '.join(sorted(GAMES))}, or MODULE:ATTRIBUTE; all registered ones unless named",
    )
    parser.add_argument(
        "--processes", type=count, default=os.cpu_count(), help="as many as there are cores unless given"
    )
    chosen = parser.parse_args(arguments)
    if missing():
        parser.error(f"{' and '.join(missing())} must be installed: pip install 'chocofactory-env[compile]'")
    try:
        games = [*(load(name).name for name in chosen.games or sorted(GAMES)), ALL_GAMES]
        folder = library_folder()
    except UnknownGameError as error:
        parser.error(str(error))
    except CacheFolderError as error:
        parser.exit(1, f"{error}\n")
    if folder is None:
        parser.exit(1, "the libraries could not be kept\n")
    for game in games:
        know(game)
    try:
        for number, (game, seconds) in enumerate(build_games(games, folder, chosen.processes), 1):
            print(f"{game}: {seconds:.0f} s ({number} of {len(games)})", flush=True)
    except KeyboardInterrupt:
        parser.exit(130, "stopped; what is built is kept\n")
    except (CompileError, OSError) as error:
        parser.exit(1, f"{error}\n")
    print(f"kept in {folder}")


if __name__ == "__main__":
    main()
