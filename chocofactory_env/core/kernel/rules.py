"""The rules that a game provides, and the compiled functions through which Python plays one position.

The free names are bound to each game (`core.binding`). `cards` is a record of everything constant that rules and
observations read, and `state` is a record of a position. Python passes arrays (1,) of them, `tables`
and `states`. Every state has at least the fields of STATE_FIELDS. P = players, A = actions, O = numbers of an
observation.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..binding import optional_rule, rule, shared, shared_entry
from ..records import AnyState, AnyTables
from ..signature import F4, OutBools, OutF4, OutI1, OutI4, OutNoteRows, OutStateRows, OutU1, StateRows, TableRows
from .rng import next_seed

NOBODY: Final = -1  # `state.current` of a game that is over
ILLEGAL: Final = -2  # instead of the next seat
MAX_SEATS: Final = 8
STATE_FIELDS: Final = (
    "seed",  # i8: of the deal
    "rng",  # u4, (4,): the generator of all chance in the game
    "num_players",
    "current",  # the seat to move, NOBODY when the game is over
    "variant",  # i8: which options and cards, see `compiled.variant_of`; others would be read and written wrongly
)


# --- what a game provides


@rule
def begin_game(cards: AnyTables, state: AnyState) -> None:
    """Deal a game from `state.seed` and the option fields. Other fields may hold leftovers of the previous game."""


@rule
def write_legal_mask(cards: AnyTables, state: AnyState, mask: np.ndarray) -> None:
    """Write 1 for every legal action of the seat to move, 0 elsewhere, into `mask`, (A,) int8; all 0 when over."""


@rule
def advance(cards: AnyTables, state: AnyState, action: int, mask: np.ndarray) -> int:  # type: ignore[empty-body]
    """Carry out a legal action, write the next mask, and return the next seat, or NOBODY when the game is over."""


@rule
def write_observation(cards: AnyTables, state: AnyState, seat: int, out: np.ndarray) -> None:
    """Write the seat's raw observation into `out`, (layout.raw_size,) uint8."""


@rule
def write_scores(cards: AnyTables, state: AnyState, scores: np.ndarray) -> None:
    """Write every seat's score so far, or its final score, into `scores`, at least (P,) int32."""


@rule
def write_standings(cards: AnyTables, state: AnyState, standings: np.ndarray) -> None:
    """Write the part of each seat's payoff that counts before the end into `standings`, at least (P,) int32."""


@rule
def write_ranking(cards: AnyTables, state: AnyState, scores: np.ndarray, ranking: np.ndarray) -> None:
    """Write every seat's place, 0 = first, ties broken by the rules, into `ranking`, at least (P,) int32."""


@rule
def write_winners(cards: AnyTables, state: AnyState, ranking: np.ndarray, won: np.ndarray) -> None:
    """Write 1 for every winner of a finished game and 0 for the other seats into `won`, at least (P,)."""


@rule
def redeal_hidden(cards: AnyTables, state: AnyState, seat: int, seed: int) -> None:
    """Redeal everything that `seat` cannot know from `seed`, as if `state.seed` were `seed`.

    The result depends only on the seed and on what the seat knows, not on the true hidden cards. Future chance (dice)
    is redealt too, because the generator is seeded anew.
    """


@optional_rule
def scripted_action(cards: AnyTables, state: AnyState, mask: np.ndarray, notes: Any) -> int:
    """The action of the game's scripted player for the seat to move, by what that seat knows.

    Compiled code plays it without asking Python. `mask`, (A,) int8: the legal actions, one at least. `notes`: a record
    of scratch.
    """
    return NOBODY


# --- what follows from these rules


@optional_rule
def write_payoffs(cards: AnyTables, state: AnyState, payoffs: np.ndarray) -> None:
    """Write every seat's score as learning counts it into `payoffs`, at least (P,): by default the score itself.

    A game whose ranking does not follow the scores overrides this. A seat that is out, and so ranks behind all others,
    then gets a payoff below any that they can have, so that no seat gains by going out.
    """
    write_scores(cards, state, payoffs)


@shared
def write_outcome(cards: AnyTables, state: AnyState, scores: np.ndarray, ranking: np.ndarray, won: np.ndarray) -> None:
    """Write scores, places, and winners, at least (P,) each. Nobody has won before the end."""
    write_scores(cards, state, scores)
    write_ranking(cards, state, scores, ranking)
    for seat in range(state.num_players):
        won[seat] = False
    if state.current == NOBODY:
        write_winners(cards, state, ranking, won)


@shared
def write_scaled_observation(
    cards: AnyTables, state: AnyState, seat: int, raw: np.ndarray, scale: np.ndarray, out: np.ndarray
) -> None:
    """Write the seat's scaled observation into `out`, (O,) float32. `raw`, (layout.raw_size,) uint8, is scratch.

    Entries of two bytes, the lower one first, come last; see `layout.Block.wide`.
    """
    write_observation(cards, state, seat, raw)
    narrow = 2 * len(scale) - len(raw)
    for entry in range(narrow):
        out[entry] = raw[entry] * scale[entry]
    for entry in range(narrow, len(scale)):
        low = 2 * entry - narrow
        out[entry] = (int(raw[low]) + 256 * int(raw[low + 1])) * scale[entry]


# --- what Python calls


@shared_entry("rules")
def new_game(tables: TableRows, states: OutStateRows) -> None:
    """Deal from the seed and the options in the state."""
    begin_game(tables[0], states[0])


@shared_entry("rules")
def next_game(tables: TableRows, states: OutStateRows) -> None:
    """Deal the next game from a seed of the state's own generator."""
    state: AnyState = states[0]
    state.seed = next_seed(state.rng)
    begin_game(tables[0], state)


@shared_entry("rules")
def legal_mask(tables: TableRows, states: StateRows, mask: OutI1) -> None:
    """Write 1 for every legal action of the seat to move, 0 elsewhere, into `mask`, (A,); all 0 when over."""
    write_legal_mask(tables[0], states[0], mask)


@shared_entry("rules")
def step(tables: TableRows, states: OutStateRows, action: int, mask: OutI1) -> int:
    """Play a legal action, and write the next mask, (A,); returns the next seat, -1 when over."""
    return advance(tables[0], states[0], action, mask)


@shared_entry("rules")
def step_if_legal(tables: TableRows, states: OutStateRows, action: int, mask: OutI1) -> int:
    """`step` for an action from 0 to A - 1 that may be illegal: then it returns -2, and `mask`, (A,), is of now."""
    write_legal_mask(tables[0], states[0], mask)
    return advance(tables[0], states[0], action, mask) if mask[action] else ILLEGAL


@shared_entry("views")
def observe(tables: TableRows, states: StateRows, seat: int, out: OutU1) -> None:
    """Write the seat's raw observation into `out`, (R,)."""
    write_observation(tables[0], states[0], seat, out)


@shared_entry("views")
def observe_scaled(tables: TableRows, states: StateRows, seat: int, raw: OutU1, scale: F4, out: OutF4) -> None:
    """Write the seat's scaled observation into `out`, (O,), with the game's `scale`, (O,); `raw`, (R,), is scratch."""
    write_scaled_observation(tables[0], states[0], seat, raw, scale, out)


@shared_entry("views")
def standings(tables: TableRows, states: StateRows, out: OutI4) -> None:
    """Write the part of each seat's payoff that counts before the end into `out`, (P,)."""
    write_standings(tables[0], states[0], out)


@shared_entry("views")
def payoffs(tables: TableRows, states: StateRows, out: OutI4) -> None:
    """Write every seat's score as learning counts it into `out`, (P,)."""
    write_payoffs(tables[0], states[0], out)


@shared_entry("views")
def outcome(tables: TableRows, states: StateRows, scores: OutI4, ranking: OutI4, won: OutBools) -> None:
    """Write scores, places (0 = first), and winners, (P,) each. Nobody has won before the end."""
    write_outcome(tables[0], states[0], scores, ranking, won)


@shared_entry("seats")
def choose_scripted(tables: TableRows, states: StateRows, mask: OutI1, notes: OutNoteRows) -> int:
    """The action of the game's scripted player for the seat to move. Scratch: `mask`, (A,), and `notes`, (1,)."""
    write_legal_mask(tables[0], states[0], mask)
    return scripted_action(tables[0], states[0], mask, notes[0])


@shared_entry("seats")
def redeal(tables: TableRows, states: OutStateRows, seat: int, seed: int) -> None:
    """Redeal from `seed` everything that `seat` cannot know, future dice included."""
    redeal_hidden(tables[0], states[0], seat, seed)
