"""Tree search for Chocolate Factory: `core.search.tree` with leaves judged at the end of a day.

A simple policy provides priors and playouts. With `plan_width`, plans judge leaves instead of playouts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

import numpy as np

from ....core.binding import bind
from ....core.checks import as_integer
from ....core.compiled import CompiledGame
from ....core.jit import jit
from ....core.kernel.exponential import exp
from ....core.kernel.rng import below
from ....core.records import Record, field
from ....core.search.tree import Found, TreeSearch
from ....core.search.value import MOST_EXPONENT
from ....core.signature import ArrayOf, OutI8, OutStateRows
from ..actions import ACTIONS, NUM_ACTIONS, advance
from ..constants import NONE, NUM_DAYS, NUM_STORES, Effect, Kind, Phase, Task
from ..kernel import RECORDS, RULES
from ..layout import Tables
from ..rules.employees import has_effect
from ..rules.end import final_money, orders_completed, solo_won
from ..rules.run import start_shift
from ..rules.together import all_act, has_finished, play_alone, shift_of, task_of
from ..rules.under_way import nothing_under_way
from ..state import State
from .day_end import value_at_day_end
from .evaluation import write_prices
from .plan import HASH_FACTOR, MOST_DECISIONS, MOST_WIDTH, Memory, give_turn, key_of_seat, memory_for, plan_day
from .weights import OutPriceRows, Prices, WeightRows, Weights, as_weights

STEPS: Final = 1 << 16  # resolution of a draw by the priors
KNOWN_DAYS: Final = 1 << 12  # size of the cache of planned days


class PlannedDay(Record):
    key: int = field("u8")
    value: float = field("f4")


OutKnownDays: TypeAlias = Annotated[np.ndarray, ArrayOf(PlannedDay.dtype, written=True)]


class Leaf(NamedTuple):
    """What `judge_leaf` needs to evaluate a leaf: `PlanningSearch` explains it. seats: scratch, (1,)."""

    days: int
    weight_rows: WeightRows
    price_rows: OutPriceRows
    plan_width: int
    seats: OutStateRows
    known: OutKnownDays
    memory: Memory
    plan: OutI8


# The playout policy's weight of a legal action, by verb: sensible players mostly do what they can.
PRIORS_OF_VERBS: Final = {
    "operate": 6.0,
    "assign": 4.0,
    "use_employee": 6.0,
    "fulfil": 12.0,
    "deliver": 12.0,
    "supply": 4.0,
    "trade": 0.1,
    "stop": 0.5,
    "end_shift": 0.6,
    "finish_orders": 0.3,
}
PRIORS_OF_RAW_PIECES: Final = {"chute": 0.05, "trade": 2.0}  # beans and cocoa


def policy_priors() -> np.ndarray:
    """A copy of the policy's priors, (A,) float32; the caller may change it."""
    priors = np.ones(NUM_ACTIONS, np.float32)
    for verb, count in ACTIONS.verbs:
        first = ACTIONS.first[verb]
        priors[first : first + count] = PRIORS_OF_VERBS.get(verb, 1.0)
        if verb in PRIORS_OF_RAW_PIECES:
            priors[first : first + Kind.CHUNKS] = PRIORS_OF_RAW_PIECES[verb]
    return priors


class PlanningSearch(TreeSearch):
    """`core.search.tree` for Chocolate Factory: `evaluation.py` judges leaves at the end of a day.

    days: a playout is judged at the end of the day that many days after the leaf's, 0 to 6; None: at the end of the
        game.
    plan_width: if not 0, replaces playouts: at a leaf every seat plans the rest of its day, with a beam of this width.
    weights: as for `plan.Planner`.

    Raises:
        TypeError, ValueError: an argument is not what is described here or in `TreeSearch`.
    """

    def __init__(
        self,
        game: CompiledGame,
        *,
        days: int | None = 0,
        plan_width: int = 0,
        exploration: float = 0.6,
        weights: np.ndarray | None = None,
        priors: np.ndarray | None = None,
    ) -> None:
        super().__init__(game, exploration=exploration, priors=policy_priors() if priors is None else priors)
        plan_width = as_integer("plan_width", plan_width, 0, MOST_WIDTH)
        self._known = np.zeros(KNOWN_DAYS, PlannedDay.dtype)
        self._leaf = Leaf(
            days=NUM_DAYS if days is None else as_integer("days", days, 0, NUM_DAYS),
            weight_rows=as_weights(weights),
            price_rows=np.zeros(1, Prices.dtype),
            plan_width=plan_width,
            seats=np.zeros(1, State.dtype),
            known=self._known,
            memory=memory_for(max(1, plan_width)),
            plan=np.zeros(MOST_DECISIONS, np.int64),
        )

    @property
    def _kernel(self) -> Any:
        return KERNEL

    def search(
        self, state: np.ndarray, simulations: int, seed: int, more: bool = False, advice: Sequence[int] = ()
    ) -> Found:
        if not more:
            self._known["key"] = 0
        return super().search(state, simulations, seed, more, advice)


@jit
def judge_leaf(
    tables: np.ndarray,
    leaves: np.ndarray,
    priors: np.ndarray,
    mask: np.ndarray,
    words: np.ndarray,
    values: np.ndarray,
    leaf: Leaf,
) -> None:
    """Replaces `core.search.tree.judge_leaf`."""
    cards, weights, price, state = tables[0], leaf.weight_rows[0], leaf.price_rows[0], leaves[0]
    if leaf.plan_width == 0:
        play_on(cards, state, mask, priors, words, leaf.days)
        write_values(cards, weights, price, state, values)
    else:
        place_what_is_drafted(cards, state, mask, priors, words)
        write_values_by_plans(tables, leaves, values, leaf)
    write_results(cards, state, values)


@jit
def play_on(cards: Tables, state: State, mask: np.ndarray, priors: np.ndarray, words: np.ndarray, days: int) -> None:
    """Play by the policy to the end of the day `days` days later, or of the game."""
    last = state.day + days
    while state.current != NONE and state.day <= last:
        advance(cards, state, draw_action(mask, priors, words), mask)


@jit
def place_what_is_drafted(cards: Tables, state: State, mask: np.ndarray, priors: np.ndarray, words: np.ndarray) -> None:
    """Place a drafted part somewhere: planning needs a draft without a task under way."""
    while state.phase == Phase.DRAFT and state.task.kind != Task.NOTHING:
        advance(cards, state, draw_action(mask, priors, words), mask)


@jit
def draw_action(mask: np.ndarray, priors: np.ndarray, words: np.ndarray) -> int:
    """Draw a legal action by the priors."""
    total = 0.0
    for action in range(NUM_ACTIONS):
        if mask[action]:
            total += float(priors[action])  # without compiling, NumPy would sum in float32
    left = total * (below(words, STEPS) + 0.5) / STEPS
    last = NONE
    for action in range(NUM_ACTIONS):
        if mask[action]:
            last = action
            left -= float(priors[action])
            if left <= 0:
                break
    return last


@jit
def write_values_by_plans(tables: np.ndarray, leaves: np.ndarray, values: np.ndarray, leaf: Leaf) -> None:
    """Write the value of the day's end by seat, in pounds, if the seat plans the rest of the day."""
    cards, weights, price, state = tables[0], leaf.weight_rows[0], leaf.price_rows[0], leaves[0]
    seats, memory = leaf.seats, leaf.memory
    if state.current == NONE:
        write_values(cards, weights, price, state, values)
        return
    for seat in range(state.num_players):
        seats[0] = leaves[0]
        key = key_of_day(weights, state, leaves.view(np.uint8), seat)
        day = leaf.known[int(key % np.uint64(len(leaf.known)))]
        if key == 0 or day.key != key:
            day.key = key
            if continue_day(cards, seats[0], seat):
                plan_day(tables, seats, seat, leaf.weight_rows, memory, leaf.plan)
                day.value = memory.search[0].best
            else:
                write_prices(cards, weights, state, seat, price)
                day.value = value_at_day_end(cards, weights, price, state, seat)
        values[seat] = day.value


@jit
def key_of_day(weights: Weights, state: State, row: np.ndarray, seat: int) -> int:
    """A hash of all that the rest of the seat's day depends on within one search; 0 if it depends on more.

    More are the cards of the solo game, and a task under way. With a learned value the hash includes the money and
    coal of the others (`features.write_others`).
    """
    moves = state.current == seat or (all_act(state) and not has_finished(state, seat))
    if state.num_players == 1 or (moves and task_of(state, seat).kind != Task.NOTHING):
        return np.uint64(0)  # type: ignore[return-value]  # Numba's unsigned integer
    key = key_of_seat(row, seat)
    key = hashed_with(key, state.day)
    key = hashed_with(key, state.phase)
    key = hashed_with(key, seat)
    key = hashed_with(key, 1 + shift_of(state, seat) if moves else -int(has_had_its_turn(state, seat)))
    for other in range(state.num_players):
        for store in range(NUM_STORES):
            key = hashed_with(key, state.players[other].track[store])
            key = hashed_with(key, state.players[other].arrival[store])
        key = hashed_with(key, orders_completed(state.players[other]))
        if weights.learned:
            key = hashed_with(key, state.players[other].money)
            key = hashed_with(key, state.players[other].coal)
    return key


@jit
def hashed_with(key: int, number: int) -> int:
    return (key ^ np.uint64(int(number) & 0xFFFF)) * HASH_FACTOR  # type: ignore[return-value]


@jit
def has_had_its_turn(state: State, seat: int) -> bool:
    """Whether the seat's turn in the current phase is over."""
    if all_act(state):
        return has_finished(state, seat)
    return bool((seat - state.start_player) % state.num_players < state.turn)


@jit
def continue_day(cards: Tables, state: State, seat: int) -> bool:
    """Give the seat the turn to continue its day as if the others had none; False if its day is over."""
    phase = int(state.phase)
    if all_act(state) and not has_finished(state, seat):
        play_alone(state, seat)
    if phase == Phase.DRAFT or state.current == seat:
        return phase <= Phase.AGENTS
    if has_had_its_turn(state, seat):
        phase += 1
    state.phase = phase
    state.shift = 0
    nothing_under_way(state)  # the task is another seat's
    give_turn(state, seat)
    if phase == Phase.RUN:
        start_shift(cards, state)
    return phase <= Phase.FULFIL or (
        phase == Phase.AGENTS and has_effect(cards, state.players[seat], Effect.OTHER_STORE)
    )


@jit
def write_values(cards: Tables, weights: Weights, price: Prices, state: State, values: np.ndarray) -> None:
    """Write the value by seat, in pounds: its final money if the game is over, else the value of the day's end."""
    for seat in range(state.num_players):
        if state.current == NONE:
            values[seat] = final_money(cards, state, seat)
        else:
            write_prices(cards, weights, state, seat, price)
            values[seat] = value_at_day_end(cards, weights, price, state, seat)


@jit
def write_results(cards: Tables, state: State, results: np.ndarray) -> None:
    """Convert pounds to results, 0 to 1: by the lead over the best other seat or, alone, by the chance to win."""
    over = state.current == NONE
    if state.num_players == 1:
        if over:
            results[0] = 1.0 if solo_won(cards, state) else 0.0
        else:
            results[0] = 0.9 / (1.0 + exp(min(-results[0] / 30.0, MOST_EXPONENT)))
        return
    scale = 12.0 if over else 24.0
    best, second, leader = -1e18, -1e18, 0
    for seat in range(state.num_players):
        if results[seat] > best:
            best, second, leader = results[seat], best, seat
        elif results[seat] > second:
            second = results[seat]
    for seat in range(state.num_players):
        ahead = results[seat] - (second if seat == leader else best)
        results[seat] = 1.0 / (1.0 + exp(min(-ahead / scale, MOST_EXPONENT)))


KERNEL = bind(
    "chocofactory",
    {**RULES, "judge_leaf": judge_leaf},
    module=__name__,
    records=RECORDS,
    types={"Leaf": Leaf},
    symbols={"grow": "grow_by_plans"},
)
