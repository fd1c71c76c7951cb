"""Search the rest of a seat's own turn, for any game with a learned value (`core.search.value`).

After each legal action, the search tries whatever the seat can do in the same turn, and no move of the others. What the
seat cannot know is redealt several times; all actions share the same deals. Positions at the end of the turn are judged
by the seat's lead.

The free names are bound to each game (`core.binding`). A = actions, L = longest turn in decisions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ..binding import optional_rule, shared, shared_entry
from ..checks import as_count, as_seed
from ..game import seat_to_move
from ..kernel.rng import WORDS, simulation_seed
from ..kernel.rules import MAX_SEATS, NOBODY, advance, redeal_hidden, write_legal_mask
from ..records import AnyJudge, AnyState, AnyTables
from ..signature import JudgeRows, OutF4, OutF8, OutF8_2, OutI1_2, OutI8, OutStateRows, OutU4, StateRows, TableRows
from .stopping import slices
from .value import as_judge, lead_of, write_values

if TYPE_CHECKING:
    from ..compiled import CompiledGame

LONGEST: Final = 64  # the most decisions of a turn searched ahead
MOST_COUNTED: Final = 2**31 - 1  # simulations, deals or endings of a search


class Memory(NamedTuple):
    """The arrays that a search writes to, allocated once."""

    stack: OutStateRows  # (L + 1,)
    masks: OutI1_2  # (L + 1, A)
    chosen: OutI8  # (L + 1,)
    features: OutF4  # (F,)
    values: OutF8_2  # (2, seats): of the turn's best end, and of the current one


def memory_for(game: CompiledGame) -> Memory:
    return Memory(
        stack=game.blank_states(LONGEST + 1),
        masks=np.zeros((LONGEST + 1, game.num_actions), np.int8),
        chosen=np.zeros(LONGEST + 1, np.int64),
        features=np.zeros(len(game.value_features), np.float32),
        values=np.zeros((2, MAX_SEATS)),
    )


class TurnSearch:
    """Judges the actions of the seat to move, in positions of one game.

    judge: (1,) `value.judge_dtype` of the game, which is copied.
    endings: the most ways to end a turn that are examined per action and deal.

    Raises:
        TypeError, ValueError: the judge is not one of this game or has numbers outside their limits, or `endings` is
            not an integer from 1 to 2^31 - 1.
    """

    def __init__(self, game: CompiledGame, judge: np.ndarray, *, endings: int = 20_000) -> None:
        self._game = game
        self._judge = as_judge(judge, game)
        self._endings = as_count("endings", endings, MOST_COUNTED)
        self._words = np.zeros(WORDS, np.uint32)
        self._memory = memory_for(game)

    def leads(self, state: np.ndarray, deals: int, seed: int) -> np.ndarray:
        """(A,): the lead in points after each legal action, averaged over `deals` deals; -inf if illegal.

        Raises:
            TypeError, ValueError: the state belongs to another game or variant, or is over; `deals` or `seed` is not an
                integer in its range.
            StoppedError: see `core.search.stopping`.
        """
        seat_to_move(self._game, state)
        deals, seed = as_count("deals", deals, MOST_COUNTED), as_seed(seed)
        totals = np.full(self._game.num_actions, -np.inf)
        for deal, _ in slices(0, deals, 1):
            self._game.kernel.judge_actions(
                self._game.tables,
                state,
                self._judge,
                deal,
                seed,
                self._endings,
                self._memory,
                self._words,
                totals,
            )
        return totals / deals


@optional_rule
def turn_goes_on(cards: AnyTables, state: AnyState) -> bool:
    """Whether the current decision belongs to the same turn as the one before it, by the same seat."""
    return False


@shared_entry("search")
def judge_actions(
    tables: TableRows,
    roots: StateRows,
    judges: JudgeRows,
    deal: int,
    seed: int,
    endings: int,
    memory: Memory,
    words: OutU4,
    totals: OutF8,
) -> None:
    """Add to `totals`, for each legal action, the best lead at the end of the turn in deal number `deal`, from 0."""
    cards, seat, stack, masks = tables[0], int(roots[0].current), memory.stack, memory.masks
    stack[0] = roots[0]
    redeal_hidden(cards, stack[0], seat, simulation_seed(words, seed, deal))
    write_legal_mask(cards, stack[0], masks[0])
    for action in range(masks.shape[1]):
        if masks[0, action]:
            stack[1] = stack[0]
            advance(cards, stack[1], action, masks[1])
            best_ending(cards, judges[0], seat, endings, memory)
            lead = lead_of(memory.values[0], int(roots[0].num_players), seat)
            totals[action] = lead if deal == 0 else totals[action] + lead


@shared
def best_ending(
    cards: AnyTables,
    judge: AnyJudge,
    seat: int,
    endings: int,
    memory: Memory,
) -> None:
    """Write the values of all seats at the best end of the seat's turn into `memory.values[0]`.

    The search starts at the position `stack[1]`, with the mask `masks[1]`. It goes depth first, from the highest action
    down. The rest of `memory` is scratch.
    """
    stack, masks, chosen, features, values = memory.stack, memory.masks, memory.chosen, memory.features, memory.values
    players = int(stack[1].num_players)
    if not in_turn(cards, stack[1], seat):
        write_values(cards, stack[1], judge, features, values[0])
        return
    best, found, depth = -1e18, 0, 1
    chosen[1] = masks.shape[1]
    while depth > 0:
        action = chosen[depth] - 1
        while action >= 0 and masks[depth, action] == 0:
            action -= 1
        chosen[depth] = action
        if action < 0 or found >= endings:
            depth -= 1
            continue
        stack[depth + 1] = stack[depth]
        advance(cards, stack[depth + 1], action, masks[depth + 1])
        if in_turn(cards, stack[depth + 1], seat) and depth + 2 < len(stack):
            depth += 1
            chosen[depth] = masks.shape[1]
            continue
        found += 1
        write_values(cards, stack[depth + 1], judge, features, values[1])
        lead = lead_of(values[1], players, seat)
        if lead > best:
            best = lead
            values[0] = values[1]


@shared_entry("search")
def goes_on(tables: TableRows, states: StateRows, seat: int) -> bool:
    """Whether the seat's turn goes on."""
    return in_turn(tables[0], states[0], seat)


@shared
def in_turn(cards: AnyTables, state: AnyState, seat: int) -> bool:
    """Whether the seat's turn goes on."""
    return state.current == seat and state.current != NOBODY and turn_goes_on(cards, state)
