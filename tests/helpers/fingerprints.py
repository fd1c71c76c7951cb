"""A hash of random games: the same compiled and uncompiled, and in every process."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from repository import HELPERS, ROOT

Played = tuple[Any, Iterator[tuple[np.ndarray, int]]]  # a game; each position, and the action played in it or -1


def of_games(games: Iterable[Played]) -> str:
    """A hash of all states, masks, observations and results."""
    digest = hashlib.sha256()
    for game, positions in games:
        raw = np.empty(game.observation_layout.raw_size, game.observation_layout.raw_dtype)
        for state, action in positions:
            digest.update(state.tobytes())
            digest.update(game.legal_mask(state).tobytes())
            seat = max(0, action) % game.num_players
            game.write_raw_observation(state, seat, raw)
            digest.update(raw.tobytes())
            digest.update(game.standings(state).tobytes())
            if action < 0:
                digest.update(game.scores(state).tobytes() + game.ranking(state).tobytes() + game.won(state).tobytes())
    return digest.hexdigest()


def in_a_new_process(module: str, games: int = 1, **environment: str) -> str:
    """What `fingerprint(games)` of the helper module gives there."""
    found = subprocess.run(
        [sys.executable, "-c", f"import {module}; print({module}.fingerprint({games}))"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(HELPERS), str(ROOT))), **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return found.stdout.strip()
