"""The seeds with which agents are reset."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np

from ..game import Game, State

PURPOSE = b"seed of an agent"


def agent_seed(game: Game, state: State, seat: int, *numbers: int) -> int:
    """The 63-bit seed with which the agent in `seat` is reset when play begins in `state`.

    It is a hash of what the seat sees, so neither the seed of the deal nor a hidden card follows from it, however small
    the seeds of deals are. Equal games give equal seeds.

    Args:
        game: the game of `state`.
        state: the position in which play begins.
        seat: the agent's seat, 0 to P - 1.
        numbers: further numbers that tell games apart and depend on no card, such as the rotation of the seats.
    """
    layout = game.observation_layout
    seen = np.zeros(layout.raw_size, layout.raw_dtype)
    game.write_raw_observation(state, seat, seen)
    digest = blake2b(np.array([seat, *numbers], "<i8").tobytes(), digest_size=8, person=PURPOSE)
    digest.update(seen.tobytes())
    return int.from_bytes(digest.digest(), "little") >> 1
