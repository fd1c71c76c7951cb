"""The state's own generator: sfc32 (Chris Doty-Humphrey, PractRand), the same compiled and uncompiled.

Sums are formed in 64 bits and cut to 32, so that plain Python and machine code agree and nothing overflows.
"""

from __future__ import annotations

import numpy as np

from .jit import jit

WORDS = 4
_MASK = 0xFFFFFFFF
_WARM_UP = 15  # rounds after seeding, as its author prescribes


@jit
def next_word(rng: np.ndarray) -> int:
    """The next 32 random bits; `rng` is (4,) uint32 and is advanced."""
    a, b, c, counter = np.int64(rng[0]), np.int64(rng[1]), np.int64(rng[2]), np.int64(rng[3])
    word: int = (a + b + counter) & _MASK  # type: ignore[assignment]  # NumPy's int64
    rng[3] = (counter + 1) & _MASK
    rng[0] = b ^ (b >> 9)
    rng[1] = (c + (c << 3)) & _MASK
    rng[2] = ((((c << 21) | (c >> 11)) & _MASK) + word) & _MASK
    return word


@jit
def seed_generator(rng: np.ndarray, seed: int) -> None:
    """Start the generator from a seed of 63 bits."""
    rng[0] = seed & _MASK
    rng[1] = (seed >> 32) & _MASK
    rng[2] = 0
    rng[3] = 1
    for _ in range(_WARM_UP):
        next_word(rng)


@jit
def below(rng: np.ndarray, n: int) -> int:
    """A number in 0..n-1 (n < 2^31); its bias is below n / 2^32."""
    return (next_word(rng) * n) >> 32


@jit
def next_seed(rng: np.ndarray) -> int:
    """63 random bits, the seed of another deal."""
    return ((next_word(rng) << 32) | next_word(rng)) & 0x7FFFFFFFFFFFFFFF


@jit
def shuffle(rng: np.ndarray, cards: np.ndarray, first: int, end: int) -> None:
    """Shuffle `cards[first:end]` in place (Fisher-Yates)."""
    for last in range(end - 1, first, -1):
        other = first + below(rng, last - first + 1)
        kept = cards[last]
        cards[last] = cards[other]
        cards[other] = kept
