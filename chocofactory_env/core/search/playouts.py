"""Random play to the end of the game; the free names are bound to each game (`core.binding`)."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..binding import shared, shared_entry
from ..kernel.rng import PLAYOUT_STREAM, choose_legal, seed_generator
from ..kernel.rules import NOBODY, advance, redeal_hidden, write_legal_mask, write_outcome, write_payoffs
from ..records import AnyState, AnyTables
from ..signature import I8, OutBools_2, OutI1, OutI4, OutI4_2, OutStateRows, OutU4, StateRows, TableRows

ANY: Final = -1  # instead of an action: a random one


@shared
def play_out(cards: AnyTables, state: AnyState, mask: np.ndarray, rng: np.ndarray) -> int:
    """Play at random until no action is legal; returns the number of decisions. `mask` (A,) int8, `rng` (4,) uint32."""
    write_legal_mask(cards, state, mask)
    decisions = 0
    action = choose_legal(rng, mask)
    while action >= 0:
        advance(cards, state, action, mask)
        decisions += 1
        action = choose_legal(rng, mask)
    return decisions


@shared_entry("search")
def random_playout(tables: TableRows, states: OutStateRows, seed: int, mask: OutI1, rng: OutU4) -> int:
    """Play at random to the end, in place; returns the number of decisions. `mask`, (A,), and `rng`, (4,): scratch."""
    seed_generator(rng, seed, PLAYOUT_STREAM)
    return play_out(tables[0], states[0], mask, rng)


@shared_entry("search")
def random_playouts(
    tables: TableRows,
    states: StateRows,
    copies: OutStateRows,
    seeds: I8,
    seat: int,
    action: int,
    first: int,
    mask: OutI1,
    rng: OutU4,
    scores: OutI4_2,
    ranking: OutI4_2,
    won: OutBools_2,
    decisions: OutI4,
    payoffs: OutI4_2,
) -> None:
    """Play out a copy of `states[0]` for every seed, and write the results from row `first` on.

    Each playout first redeals what `seat` cannot know, or nothing with NOBODY. Then it plays the legal `action`, or a
    random one with ANY.
    copies (1,) state, mask (A,) int8, rng (4,) uint32: scratch. scores, ranking, payoffs (K, P) int32, won (K, P) bool,
    decisions (K,) int32.
    """
    for k in range(len(seeds)):
        copies[0] = states[0]
        if seat != NOBODY:
            redeal_hidden(tables[0], copies[0], seat, seeds[k])
        seed_generator(rng, seeds[k], PLAYOUT_STREAM)
        row = first + k
        decisions[row] = 0
        if action != ANY:
            advance(tables[0], copies[0], action, mask)
            decisions[row] = 1
        decisions[row] += play_out(tables[0], copies[0], mask, rng)
        write_outcome(tables[0], copies[0], scores[row], ranking[row], won[row])
        write_payoffs(tables[0], copies[0], payoffs[row])
