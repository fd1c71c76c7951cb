"""Compare redeals with real deals: over many games, hidden information must have the same means in both."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
from long_runs import amount

DEALS = amount("CF_REAL_DEALS", 300, 3000)
LEAST = 50  # deals in which a moment comes up, so that a standard error can be told
ERRORS = 5.0  # standard errors: a mean is so far off by chance once in a million comparisons

Choose = Callable[[Any, np.ndarray, np.ndarray, np.random.Generator], int]
Hidden = Callable[[np.ndarray], np.ndarray]
Moment = Callable[[Any, np.ndarray], Hashable | None]


def check_redeals(game: Any, choose: Choose, hidden: Hidden, moment: Moment) -> None:
    """Check that redeals for seat 0 match real deals, at every moment.

    choose: picks an action from a position and its mask, independently of hidden information.
    hidden: (F,), numbers that seat 0 cannot see.
    moment: names the moment of a position, if it counts; the first position of each moment is used.
    """
    differences = defaultdict[Hashable, list[np.ndarray]](list)
    for seed in range(DEALS):
        rng, state, seen = np.random.default_rng(seed), game.new(seed), set[Hashable]()
        while not game.is_over(state):
            now = moment(game, state)
            if now is not None and now not in seen:
                seen.add(now)
                dealt = game.redeal(state, 0, int(rng.integers(1 << 62)))
                differences[now].append(hidden(dealt).astype(float) - hidden(state))
            game.apply(state, choose(game, state, game.legal_mask(state), rng))
    enough = {now: np.array(found) for now, found in differences.items() if len(found) >= LEAST}
    assert len(enough) > 3
    for now, found in enough.items():
        error = found.std(axis=0) / np.sqrt(len(found))
        off = np.abs(found.mean(axis=0)) > ERRORS * error
        assert not off.any(), (now, np.flatnonzero(off), found.mean(axis=0)[off], error[off])
