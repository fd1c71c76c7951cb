"""Hashes of random games, which must not depend on the process, nor on whether the rules are compiled.

`python tests/helpers/fingerprints.py candyfactory 1` prints that of one game of each of some variants.
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
from long_runs import AT_LENGTH
from repository import HELPERS, ROOT

import chocofactory_env as cf

Steps = Callable[[Any, int], Iterator[tuple[np.ndarray, int]]]
LOOK = 1 if AT_LENGTH else 4  # steps between two looks at all that does not decide how play goes on


def some(variants: Sequence[dict[str, Any]], *numbers: int) -> Sequence[dict[str, Any]]:
    return variants if AT_LENGTH else [variants[number] for number in numbers]


# Uncompiled, a game takes seconds: every number of players and every variety is in some of these variants.
PLAYED: Final[dict[str, tuple[Sequence[dict[str, Any]], Steps]]] = {
    "chocofactory": (some(games_played.VARIANTS, 0, 2, 5, 7, 9), games_played.steps),
    "candyfactory": (some(candy_games.VARIANTS, 2, 3, 6), candy_games.steps),
    "schoko": (some(schoko_games.VARIANTS, 1, 2, 4), schoko_games.positions),
}


def fingerprint(name: str, games: int) -> str:
    """A hash of all states, and of some masks, observations and results, of some random games of each variant."""
    digest = hashlib.sha256()
    variants, steps = PLAYED[name]
    for options in variants:
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
