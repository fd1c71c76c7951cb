"""The seeds with which agents are reset, derived in one way everywhere."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np

from ..game import Game, State

PURPOSE = b"seed of an agent"


def agent_seed(game: Game, state: State, seat: int, *numbers: int) -> int:
    """The seed of 63 bits with which the agent in `seat` is reset, where play begins in `state`.

    It is a hash of what the seat sees, so it holds nothing that the seat does not see: neither the seed of the deal
    nor a hidden card can be computed from it, however small the seeds of deals are. Equal games give equal seeds.

    Args:
        game: that `state` is of.
        state: where play begins.
        seat: of the agent, 0 to P - 1.
        numbers: what else sets games apart and depends on no card, as the rotation of the seats.
    """
    layout = game.observation_layout
    seen = np.zeros(layout.raw_size, layout.raw_dtype)
    game.write_raw_observation(state, seat, seen)
    digest = blake2b(np.array([seat, *numbers], "<i8").tobytes(), digest_size=8, person=PURPOSE)
    digest.update(seen.tobytes())
    return int.from_bytes(digest.digest(), "little") >> 1
