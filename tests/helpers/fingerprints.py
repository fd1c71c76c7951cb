"""Hashes of random games, which must not depend on the process, nor on whether the rules are compiled.

`python tests/helpers/fingerprints.py candyfactory 1` prints that of one game of every variant.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import candy_games
import games_played
import numpy as np
import schoko_games
from repository import HELPERS, ROOT

import chocofactory_env as cf

Steps = Callable[[Any, int], Iterator[tuple[np.ndarray, int]]]
PLAYED: Final[dict[str, tuple[Sequence[dict[str, Any]], Steps]]] = {
    "chocofactory": (games_played.VARIANTS, games_played.steps),
    "candyfactory": (candy_games.VARIANTS, candy_games.steps),
    "schoko": (schoko_games.VARIANTS, schoko_games.positions),
}


def fingerprint(name: str, games: int) -> str:
    """A hash of all states, masks, observations and results of some random games of every variant."""
    digest = hashlib.sha256()
    variants, steps = PLAYED[name]
    for options in variants:
        game: Any = cf.load(name, **options)
        raw = np.empty(game.observation_layout.raw_size, np.uint8)
        for seed in range(games):
            for state, action in steps(game, seed):
                digest.update(state.tobytes())
                digest.update(game.legal_mask(state).tobytes())
                seat = max(0, action) % game.num_players
                game.write_raw_observation(state, seat, raw)
                digest.update(raw.tobytes())
                digest.update(game.standings(state).tobytes())
            digest.update(game.scores(state).tobytes() + game.ranking(state).tobytes() + game.won(state).tobytes())
    return digest.hexdigest()


def fingerprint_elsewhere(name: str, games: int, **environment: str) -> str:
    """The same in a process of its own, with these environment variables."""
    path = os.pathsep.join((str(HELPERS), str(ROOT)))
    found = subprocess.run(
        [sys.executable, str(HELPERS / "fingerprints.py"), name, str(games)],
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return found.stdout.strip()


if __name__ == "__main__":
    print(fingerprint(sys.argv[1], int(sys.argv[2])))
