"""Plays the same 100 games as `examples/c/play.c` and `examples/js/play.mjs`, and prints the same digest.

python examples/play.py candyfactory
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

import numpy as np

import chocofactory_env as cf

GAMES: Final = 100
FACTOR: Final = 16777619
CUT: Final = (1 << 32) - 1


def random_bits(state: int = 1) -> Iterator[int]:
    """A xorshift generator of 32 bits."""
    while True:
        state ^= state << 13 & CUT
        state ^= state >> 17
        state ^= state << 5 & CUT
        yield state


def digest_of(name: str) -> int:
    """The digest of all positions, masks, and scaled observations: `digest * FACTOR + byte`, byte by byte."""
    game, bits = cf.load(name), random_bits()
    mask = np.zeros(game.num_actions, np.int8)
    observation = np.zeros(game.observation_layout.size, np.float32)
    size = game.blank_states(1).nbytes + mask.nbytes + observation.nbytes
    powers = np.cumprod(np.full(size, FACTOR, np.uint32), dtype=np.uint32)
    last, weights = int(powers[-1]), np.append(powers[-2::-1], np.uint32(1))
    digest = 0
    for seed in range(GAMES):
        state, seat = game.new(seed), 0
        game.write_mask(state, mask)
        while seat >= 0:
            legal = np.flatnonzero(mask)
            seat = game.advance(state, int(legal[next(bits) % len(legal)]), mask)
            game.write_observation(state, max(0, seat), observation)
            parts = np.frombuffer(state.tobytes() + mask.tobytes() + observation.tobytes(), np.uint8)
            digest = (digest * last + int(weights @ parts.astype(np.uint32))) & CUT
    return digest


if __name__ == "__main__":
    print(f"digest {digest_of(sys.argv[1]):08x}")
