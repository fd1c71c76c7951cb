"""Build the games' libraries before anybody plays, for images and CI.

    chocofactory build                              # all games
    chocofactory build schoko my_package:MyGame     # one, and a game of one's own

The exit status is 1 if a library could not be built or kept.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

from .core.build import build_games, know, missing
from .core.command import Command, Count
from .core.errors import CompileError
from .core.jit import ALL_GAMES
from .core.safe_folder import CacheFolderError, library_folder
from .registry import GAMES, load


class BuildError(RuntimeError):
    """The libraries cannot be built or kept."""


def build(games: Sequence[str] = (), processes: Count | None = None) -> None:
    """Build the games' libraries before anybody plays, for images and CI.

    Libraries are kept where `CHOCOFACTORY_CACHE_DIR` says, else in the user's cache folder: docs/performance.md. Only a
    checkout needs this, and games of one's own; a wheel brings the libraries of its games.

    Args:
        games: their names, or MODULE:ATTRIBUTE; all registered ones unless given.
        processes: number of processes; as many as there are cores unless given.

    Raises:
        ImportError: the extra `compile` is not installed.
        UnknownGameError: there is no such game.
        BuildError, CompileError, CacheFolderError, OSError: a library cannot be built or kept.
    """
    if missing():
        raise ImportError(f"{' and '.join(missing())} must be installed: pip install 'chocofactory-env[compile]'")
    names = [*(load(name).name for name in games or sorted(GAMES)), ALL_GAMES]
    folder = library_folder()
    if folder is None:
        raise BuildError("the libraries could not be kept")
    for game in names:
        know(game)
    for number, (game, seconds) in enumerate(build_games(names, folder, processes or os.cpu_count() or 1), 1):
        print(f"{game}: {seconds:.0f} s ({number} of {len(names)})", flush=True)
    print(f"kept in {folder}")


COMMAND: Final = Command(
    "chocofactory build",
    build,
    ("", "schoko my_package:MyGame"),
    positional=("games",),
    failures=(BuildError, CacheFolderError, CompileError, OSError),
)
main = COMMAND.run

if __name__ == "__main__":
    main()
