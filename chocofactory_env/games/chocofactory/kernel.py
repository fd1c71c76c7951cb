"""The compiled entry points: what Python calls, on arrays of one record each. Everything below them is rules.

`tables` is (1,) `observation.TABLES`: one argument, since looking up the type of a record array takes 0.2 us.
"""

from __future__ import annotations

import numpy as np

from ...core.jit import entry
from ...core.rng import next_seed
from .actions import advance, write_legal_mask
from .observation import write_observation, write_scaled_observation
from .rules.end import money_but_leftovers, solo_won, write_ranking, write_score_sheet
from .rules.flow import begin_game
from .rules.hidden import redeal_hidden
from .rules.solo import add_up_requirements


@entry
def new_game(tables: np.ndarray, states: np.ndarray) -> None:
    """Deal from the seed and the options that are in the state."""
    begin_game(tables[0].cards, states[0])


@entry
def next_game(tables: np.ndarray, states: np.ndarray) -> None:
    """Deal again, with a seed from the state's own generator."""
    state = states[0]
    state.seed = next_seed(state.rng)
    begin_game(tables[0].cards, state)


@entry
def legal_mask(tables: np.ndarray, states: np.ndarray, mask: np.ndarray) -> None:
    write_legal_mask(tables[0].cards, states[0], mask)


@entry
def step(tables: np.ndarray, states: np.ndarray, action: int, mask: np.ndarray) -> int:
    return advance(tables[0].cards, states[0], action, mask)


@entry
def observe(tables: np.ndarray, states: np.ndarray, seat: int, out: np.ndarray) -> int:
    return write_observation(tables[0].cards, tables[0].rows, states[0], seat, out)


@entry
def observe_scaled(
    tables: np.ndarray,
    states: np.ndarray,
    seat: int,
    raw: np.ndarray,
    scale: np.ndarray,
    out: np.ndarray,
) -> None:
    """`raw` is scratch, (size,) uint8; `scale` and `out` are (size,) float32."""
    write_scaled_observation(tables[0].cards, tables[0].rows, states[0], seat, raw, scale, out)


@entry
def score_sheets(tables: np.ndarray, states: np.ndarray, sheets: np.ndarray) -> None:
    """Write the money by source of every seat, (players, 5) int32, as if the game ended now."""
    state = states[0]
    for seat in range(state.num_players):
        write_score_sheet(tables[0].cards, state, seat, sheets[seat])


@entry
def standings(tables: np.ndarray, states: np.ndarray, money: np.ndarray) -> None:
    """Write what every seat would have if the game ended now, leftovers left aside, (players,) int32."""
    state = states[0]
    for seat in range(state.num_players):
        money[seat] = money_but_leftovers(tables[0].cards, state, seat)


@entry
def ranking(states: np.ndarray, scores: np.ndarray, places: np.ndarray) -> None:
    write_ranking(states[0], scores, places)


@entry
def won_solo(tables: np.ndarray, states: np.ndarray) -> bool:
    return solo_won(tables[0].cards, states[0])


@entry
def count_requirements(tables: np.ndarray, states: np.ndarray) -> None:
    """After a position of the solo game was written from outside."""
    add_up_requirements(tables[0].cards, states[0])


@entry
def redeal(tables: np.ndarray, states: np.ndarray, seed: int) -> None:
    redeal_hidden(tables[0].cards, states[0], seed)
