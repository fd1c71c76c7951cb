"""The state's own generator: sfc32 (Chris Doty-Humphrey, PractRand), the same compiled and uncompiled.

Sums are formed in 64 bits and cut to 32, so that plain Python and machine code agree and nothing overflows.
"""

from __future__ import annotations

import numpy as np

from ..jit import jit, jit_entry
from ..signature import I1, OutU4

WORDS = 4
_MASK = 0xFFFFFFFF
_WARM_UP = 15  # rounds after seeding, as its author prescribes
_SEAT_STREAM = 1  # stream 0 deals
PLAYOUT_STREAM = 2
_OPPONENT_STREAM = 3
_VARIANT_STREAM = 1 << 30
_SIMULATION_STREAM = 1 << 31  # and the next 2^31
_STRIDE = 8


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


@jit_entry("rules")
def seed_generator(rng: OutU4, seed: int, stream: int = 0) -> None:
    """Start the generator from a seed of 63 bits. Different streams of one seed are independent."""
    rng[0] = seed & _MASK
    rng[1] = (seed >> 32) & _MASK
    rng[2] = stream
    rng[3] = 1
    for _ in range(_WARM_UP):
        next_word(rng)


@jit_entry("rules")
def draw_seat(rng: OutU4, seed: int, num_players: int) -> int:
    """Draw the learner's seat in the game of this seed. `rng` is scratch."""
    seed_generator(rng, seed, _SEAT_STREAM)
    return below(rng, num_players)


@jit_entry("rules")
def draw_variant(rng: OutU4, seed: int, choices: int) -> int:
    """Draw the variant of the game of this seed, such as its deck: a number below `choices`. `rng` is scratch."""
    if choices == 1:
        return 0
    seed_generator(rng, seed, _VARIANT_STREAM)
    return below(rng, choices)


@jit_entry("rules")
def opponent_seed(rng: OutU4, seed: int, number: int) -> int:
    """The seed of the environment's random rival `number` (0: clockwise next) in the game of this seed.

    It reveals the seed of the deal, so no agent is given it: see `core.agents.agent.agent_seed`. `rng` is scratch.
    """
    seed_generator(rng, seed, _OPPONENT_STREAM + number)
    return next_seed(rng)


@jit
def simulation_seed(rng: np.ndarray, seed: int, number: int) -> int:
    """The seed of the deal of simulation `number`, below 2^31, in the search of this seed. `rng` is scratch.

    It is drawn rather than counted up, so that searches with neighbouring seeds share no deals.
    """
    seed_generator(rng, seed, _SIMULATION_STREAM + number)
    return next_seed(rng)


@jit
def below(rng: np.ndarray, n: int) -> int:
    """A number in 0..n-1 (n < 2^31); its bias is below n / 2^32."""
    return (next_word(rng) * n) >> 32


@jit
def next_seed(rng: np.ndarray) -> int:
    """63 random bits, a seed for the next deal."""
    return ((next_word(rng) << 32) | next_word(rng)) & 0x7FFFFFFFFFFFFFFF


@jit_entry("rules")
def choose_legal(rng: OutU4, mask: I1) -> int:
    """Draw a uniformly random legal action. `mask`, (A,) int8, allows at least one."""
    legal = 0
    for action in range(len(mask)):
        legal += int(mask[action])
    chosen = below(rng, legal)
    first = 0
    while first + _STRIDE <= len(mask):  # in strides, since most of a mask is 0
        stride = mask[first : first + _STRIDE]
        here = 0
        for k in range(_STRIDE):
            here += int(stride[k])
        if chosen < here:
            break
        chosen -= here
        first += _STRIDE
    for action in range(first, len(mask)):
        chosen -= int(mask[action])
        if chosen < 0:
            return action
    return -1


@jit
def shuffle(rng: np.ndarray, cards: np.ndarray, first: int, end: int) -> None:
    """Shuffle `cards[first:end]` in place (Fisher-Yates)."""
    for last in range(end - 1, first, -1):
        other = first + below(rng, last - first + 1)
        kept = cards[last]
        cards[last] = cards[other]
        cards[other] = kept


@jit
def shuffle_unseen(rng: np.ndarray, cards: np.ndarray, first: int, end: int) -> None:
    """Sort `cards[first:end]`, then shuffle them, so that nothing of the old order remains."""
    for unsorted in range(first + 1, end):
        place = unsorted
        card = cards[place]
        while place > first and cards[place - 1] > card:
            cards[place] = cards[place - 1]
            place -= 1
        cards[place] = card
    shuffle(rng, cards, first, end)
