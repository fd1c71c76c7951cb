"""Hashes of random games. They must not depend on the process or on whether the rules are compiled.

`python tests/helpers/fingerprints.py candyfactory 1` prints the hash of one game in each of some variants.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from typing import Any, Final

import numpy as np
from all_games import GAMES, steps
from long_runs import AT_LENGTH
from repository import HELPERS, ROOT

import chocofactory_env as cf

LOOK = 1 if AT_LENGTH else 4  # steps between two checks of everything that does not influence play
# A few variants, because an uncompiled game takes seconds. They cover every number of players and every variety.
PLAYED: Final = {"chocofactory": (0, 2, 5, 7, 9), "candyfactory": (2, 3, 6), "schoko": (1, 2, 4)}


def fingerprint(name: str, games: int) -> str:
    """A hash of all states, and of some masks, observations and results, of random games in each variant."""
    digest = hashlib.sha256()
    variants = GAMES[name].VARIANTS
    for options in variants if AT_LENGTH else [variants[number] for number in PLAYED[name]]:
        game: Any = cf.load(name, **options)
        raw = np.empty(game.observation_layout.raw_size, np.uint8)
        for seed in range(games):
            for step, (state, action) in enumerate(steps(game, seed)):
                digest.update(state.tobytes())
                if step % LOOK and action >= 0:
                    continue
                digest.update(game.legal_mask(state).tobytes())
                seat = max(0, action) % game.num_players
                game.write_raw_observation(state, seat, raw)
                digest.update(raw.tobytes())
                digest.update(game.standings(state).tobytes())
            digest.update(game.scores(state).tobytes() + game.ranking(state).tobytes() + game.won(state).tobytes())
    return digest.hexdigest()


def fingerprint_elsewhere(name: str, games: int, **environment: str) -> str:
    """`fingerprint` in another process with these environment variables."""
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
