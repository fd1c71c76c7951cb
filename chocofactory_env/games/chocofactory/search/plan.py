"""A player's own day as a planning problem: a beam search over the compiled rules.

Running the factory and fulfilling orders affect nobody else and involve no chance, so a day is planned as if no other
seat had a turn in between. A *move* is a choice together with all that follows from it (a part, its pieces, its
products), so no position is judged in the middle of a move. The beam compares positions after the same number of moves
of a shift, and at the end of each shift and of the orders. Equal positions are kept once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

import numpy as np

from ....core.checks import as_array, as_count, as_integer
from ....core.game import seat_to_move
from ....core.intrinsics import eight_bytes
from ....core.jit import jit, jit_entry
from ....core.observation.buffers import next_legal
from ....core.records import Array, Record, field
from ....core.search.stopping import check_stop, slices
from ....core.signature import (
    I8_2,
    ArrayOf,
    OutF4,
    OutI1_2,
    OutI8,
    OutStateRows,
    OutStateRows_2,
    OutU1_2,
    StateRows,
    TableRows,
)
from ..actions import CHUTE, NUM_ACTIONS, TRADE, carry_out, write_legal_mask
from ..constants import NONE, NUM_KINDS, NUM_SLOTS, Effect, Kind, Phase, Task
from ..layout import Tables
from ..rules.employees import has_effect
from ..rules.run import shifts_of, start_shift
from ..rules.together import play_alone
from ..state import Player, State
from .day_end import plan_value
from .draft import NO_EMPLOYEE, NO_PART, Draft, DraftSolver, Solution, draft_for
from .evaluation import value_during_day, write_prices
from .solo import foresee
from .weights import OutPriceRows, Prices, WeightRows, Weights, as_weights

LONGEST_MOVE: Final = 28  # decisions; longer deliveries are not searched
MOST_WIDTH: Final = 1 << 16  # of a beam; it takes 1 GB
MOST_LAYERS: Final = 48  # moves in a shift
DRAFTS_AT_ONCE: Final = 16  # to plan days with, between two looks at whether to stop
MOST_WAYS: Final = 300  # to carry through the moves of one position
# The most stretches of a day: four shifts with the Engineer, orders, and orders after three of them.
SHIFTS_AND_ORDERS: Final = 6
MOST_DECISIONS: Final = LONGEST_MOVE * MOST_LAYERS * SHIFTS_AND_ORDERS  # in a plan

HASH_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)  # odd, so that each step can be undone
HASH_SHIFT: Final = np.uint64(32)

# The beams: positions to expand, positions a move later, positions of the next stretch, and positions that have skipped
# a shift (DRAFT-5). The latter are expanded after all others, so as not to compete with them.
# After a move a branch is in one of the last three, or at the end of the day.
NOW, NEXT, OVER, STOPPED = 0, 1, 2, 3
NUM_BEAMS: Final = 4
DAY_OVER: Final = NUM_BEAMS


class Node(Record):
    value: float = field("f4")
    key: int = field("u8")
    parent: int = field("i4")
    number: int = field("i1")
    actions: Array[int] = field("u1", LONGEST_MOVE)


class Move(Record):
    parent: int = field("i4")
    number: int = field("i1")
    actions: Array[int] = field("u1", LONGEST_MOVE)


class Search(Record):
    counts: Array[int] = field("i4", NUM_BEAMS)  # positions in each beam
    floor: Array[float] = field("f4", NUM_BEAMS)  # each full beam takes only positions of a higher value
    moves: int = field("i4")  # in the log
    tried: int = field("i8")  # moves carried through
    best: float = field("f4")
    best_parent: int = field("i4")
    best_number: int = field("i1")
    best_actions: Array[int] = field("u1", LONGEST_MOVE)


PLAYER_SIZE = Player.dtype.itemsize
PLAYERS_AT = State.dtype.fields["players"][1]  # type: ignore[index]

OutPlanNodes_2: TypeAlias = Annotated[np.ndarray, ArrayOf(Node.dtype, 2, True)]
OutMoves: TypeAlias = Annotated[np.ndarray, ArrayOf(Move.dtype, written=True)]
OutSearches: TypeAlias = Annotated[np.ndarray, ArrayOf(Search.dtype, written=True)]


class Memory(NamedTuple):
    """The arrays that a plan writes to, allocated once for a beam of width W."""

    states: OutStateRows_2  # (B, W), the beams
    nodes: OutPlanNodes_2  # (B, W)
    stack: OutStateRows  # (L + 1,): the choices inside a move
    stack_bytes: OutU1_2  # the same memory, (L + 1, bytes)
    stack_masks: OutI1_2  # (L + 1, A)
    chosen: OutI8  # (L + 1,)
    log: OutMoves  # (W x layers,)
    prices: OutPriceRows  # (1,)
    search: OutSearches  # (1,)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are blank: nothing outlasts a plan, and a copied `stack_bytes` would not share memory."""
        return memory_for, (self.states.shape[1],)


def memory_for(width: int) -> Memory:
    stack = np.zeros(LONGEST_MOVE + 1, State.dtype)
    return Memory(
        states=np.zeros((NUM_BEAMS, width), State.dtype),
        nodes=np.zeros((NUM_BEAMS, width), Node.dtype),
        stack=stack,
        stack_bytes=stack.view(np.uint8).reshape(len(stack), State.dtype.itemsize),
        stack_masks=np.zeros((LONGEST_MOVE + 1, NUM_ACTIONS), np.int8),
        chosen=np.zeros(LONGEST_MOVE + 1, np.int64),
        log=np.zeros(width * (MOST_LAYERS + 1) * SHIFTS_AND_ORDERS, Move.dtype),
        prices=np.zeros(1, Prices.dtype),
        search=np.zeros(1, Search.dtype),
    )


class Plan(NamedTuple):
    """value: of the day's end to the seat, in pounds; with the weight `lead`, its lead there.

    actions: to play. tried: the number of moves searched.
    """

    value: float
    actions: list[int]
    tried: int


class Planner:
    """Plans the day of any seat.

    width: of the beam, in positions, 1 to 65,536.
    weights: as from `evaluation_weights()`; they are copied.

    Raises:
        TypeError, ValueError: `width` is not such an integer, or `weights` are of another kind or outside their limits.
    """

    def __init__(self, game: Any, width: int, weights: np.ndarray | None = None) -> None:
        self._weights = as_weights(weights)
        self._game = game
        self._tables = game.tables
        self._memory = memory_for(as_count("width", width, MOST_WIDTH))
        self._out = np.zeros(MOST_DECISIONS, np.int64)
        self._drafted = np.zeros(1, State.dtype)  # scratch
        self._solver = DraftSolver()

    def plan(self, state: np.ndarray, seat: int) -> Plan:
        """The best plan found for the rest of the seat's day, from a position in which it is to move.

        In the draft, it plans the day of any seat with what it has drafted so far, and returns no actions.

        Raises:
            TypeError, ValueError: not a position of this variant, a game that is over, no such seat, a seat that has no
                decision now, or in the draft a part that is yet to be placed.
            StoppedError: see `core.search.stopping`.
        """
        seat = self._seat_that_plans(state, seat)
        return self._plan(state, seat)

    def values_with(self, state: np.ndarray, seat: int, drafts: Sequence[Draft]) -> list[float]:
        """In the draft, the value of the best plan found for the seat's day if it also drafts these cards, for each.

        Raises:
            TypeError, ValueError: as in `plan`, not a draft, or cards that the seat cannot draft.
            StoppedError: see `core.search.stopping`.
        """
        seat = self._seat_that_plans(state, seat)
        check_draft(state)
        cards = as_cards(state, seat, drafts)
        values = np.zeros(len(cards), np.float32)
        for first, end in slices(0, len(cards), DRAFTS_AT_ONCE):
            chosen = cards[first:end], values[first:end]
            value_drafts(self._tables, state, seat, self._drafted, *chosen, self._weights, self._memory, self._out)
        return values.tolist()

    def solve_draft(self, state: np.ndarray, values: np.ndarray) -> Solution:
        """See `DraftSolver.solve`.

        Raises:
            TypeError, ValueError: as in `values_with`, or `values` of another shape or outside -10^9 to 10^9.
        """
        self._seat_that_plans(state, seat_to_move(self._game, state))
        check_draft(state)
        shape = (self._game.num_players, NO_PART + 1, NO_EMPLOYEE + 1)
        return self._solver.solve(self._tables, state, as_array("values", values, shape, np.float32))

    def _plan(self, state: np.ndarray, seat: int) -> Plan:
        check_stop()
        number = plan_day(self._tables, state, seat, self._weights, self._memory, self._out)
        search = self._memory.search[0]
        return Plan(float(search["best"]), self._out[:number].tolist(), int(search["tried"]))

    def _seat_that_plans(self, state: np.ndarray, seat: int) -> int:
        """The seat as an int, if it can plan its day now."""
        mover = seat_to_move(self._game, state)
        seat = as_integer("seat", seat, 0, self._game.num_players - 1)
        if state["phase"][0] == Phase.DRAFT:
            if state["task"]["kind"][0] != Task.NOTHING:
                raise ValueError("state: expected a draft without a part that is yet to be placed")
        elif seat != mover and not self._game.is_asked(state, seat):
            raise ValueError(f"seat: expected one that has a decision now, got {seat}; seat {mover} is to move")
        return seat


def check_draft(state: np.ndarray) -> None:
    """ValueError unless cards are being drafted."""
    if state["phase"][0] != Phase.DRAFT:
        raise ValueError(f"state: expected a draft, got the phase {Phase(state['phase'][0]).name.lower()}")


def as_cards(state: np.ndarray, seat: int, drafts: Sequence[Draft]) -> np.ndarray:
    """(K, 3) int64: the part, slot and employee of each draft.

    Raises:
        TypeError: not whole numbers.
        ValueError: there is no such card, or the seat has drafted one of its kind; or the part has no slot.
    """
    cards = as_array("drafts", drafts, (None, len(Draft._fields)), np.int64)
    parts, slots, employees = cards.T
    player = state["players"][0, seat]
    for what, chosen, has_drafted in (
        ("part", parts, player["part_drafted"]),
        ("employee", employees, player["employee"] != NONE),
    ):
        there = (state[f"display_{what}s"][0] != NONE) & (not has_drafted)
        fits = (chosen >= NONE) & (chosen < len(there)) & np.append(there, True).take(chosen, mode="wrap")
        check_cards(what, chosen, fits, f"one that seat {seat} can draft")
    fits = (slots >= np.where(parts == NONE, NONE, 0)) & (slots < NUM_SLOTS)
    check_cards("slot", slots, fits, f"0 to {NUM_SLOTS - 1}")
    return cards


def check_cards(what: str, chosen: np.ndarray, fits: np.ndarray, expected: str) -> None:
    """ValueError, naming the first draft that does not fit."""
    if not fits.all():
        place = int(fits.argmin())
        raise ValueError(f"drafts[{place}].{what}: expected {expected}, got {chosen[place]}")


@jit_entry("search")
def value_drafts(
    tables: TableRows,
    roots: StateRows,
    seat: int,
    drafted: OutStateRows,
    drafts: I8_2,
    values: OutF4,
    weight_rows: WeightRows,
    memory: Memory,
    out: OutI8,
) -> None:
    """Plan the day from `roots[0]` with each row of `drafts`, (K, 3): part, slot, employee. drafted: scratch."""
    for row in range(len(drafts)):
        drafted[0] = roots[0]
        draft_for(tables[0], drafted[0], seat, drafts[row, 0], drafts[row, 1], drafts[row, 2])
        plan_day(tables, drafted, seat, weight_rows, memory, out)
        values[row] = memory.search[0].best


@jit_entry("search")
def plan_day(
    tables: TableRows,
    roots: StateRows,
    seat: int,
    weight_rows: WeightRows,
    memory: Memory,
    out: OutI8,
) -> int:
    """Write the actions of the best plan from `roots[0]` into `out`; returns their number."""
    cards, weights, price, search = tables[0], weight_rows[0], memory.prices[0], memory.search[0]
    states, nodes, stack, log = memory.states, memory.nodes, memory.stack, memory.log
    states[NOW, 0] = roots[0]
    root = states[NOW, 0]
    if root.simultaneous != 0:
        play_alone(root, seat)
    drafting = root.phase == Phase.DRAFT
    if drafting:
        skip_to_run(cards, root, seat)
    if weights.foresight:
        foresee(cards, root)
    write_prices(cards, weights, root, seat, price)
    nodes[NOW, 0].parent = NONE
    search.counts[:] = 0
    search.floor[:] = -np.inf
    search.counts[NOW] = 1
    search.moves = 0
    search.tried = 0
    search.best = -1e18
    search.best_parent = NONE
    search.best_number = 0
    for _ in range(SHIFTS_AND_ORDERS):
        for _ in range(MOST_LAYERS):
            for place in range(search.counts[NOW]):
                stack[0] = states[NOW, place]
                write_legal_mask(cards, stack[0], memory.stack_masks[0])
                try_moves(
                    cards, weights, price, seat, states, nodes, stack, memory.stack_bytes, memory.stack_masks,
                    memory.chosen, search, nodes[NOW, place].parent,
                )  # fmt: skip
            advance_beam(NEXT, states, nodes, log, search)
            if search.counts[NOW] == 0:
                break
        advance_beam(OVER, states, nodes, log, search)
        if search.counts[NOW] == 0:
            advance_beam(STOPPED, states, nodes, log, search)
        if search.counts[NOW] == 0:
            break
    return 0 if drafting else write_plan(log, search, out)


@jit
def skip_to_run(cards: Tables, state: State, seat: int) -> None:
    """Skip to the seat's first shift, with what it has drafted so far."""
    state.phase = Phase.RUN
    state.shift = 0
    give_turn(state, seat)
    start_shift(cards, state)


@jit
def give_turn(state: State, seat: int) -> None:
    state.current = seat
    state.turn = (seat - state.start_player) % state.num_players


# --- moves


@jit
def try_moves(
    cards: Tables,
    weights: Weights,
    price: Prices,
    seat: int,
    states: np.ndarray,
    nodes: np.ndarray,
    stack: np.ndarray,
    stack_bytes: np.ndarray,
    stack_masks: np.ndarray,
    chosen: np.ndarray,
    search: Search,
    parent: int,
) -> None:
    """Carry through every move of the position `stack[0]`, and put the results into the beams."""
    phase = int(stack[0].phase)
    shift = int(stack[0].shift)
    ways = 0
    depth = 0
    chosen[0] = -1
    while depth >= 0 and ways < MOST_WAYS:
        action = next_action(stack_masks[depth], chosen[depth] + 1, phase == Phase.RUN and depth == 0)
        if action == NUM_ACTIONS:
            depth -= 1
            continue
        chosen[depth] = action
        after = depth + 1
        stack[after] = stack[depth]
        carry_out(cards, stack[after], action, stack_masks[after])
        if stack[after].task.kind != Task.NOTHING:
            if after < LONGEST_MOVE:
                depth = after
                chosen[depth] = -1
            continue
        ways += 1
        search.tried += 1
        where = continue_turn(cards, stack[after], seat, phase, shift)
        if where == DAY_OVER:
            value = plan_value(cards, weights, price, stack[after], seat)
            if value > search.best:
                write_best(value, parent, chosen, after, search)
            continue
        value = value_during_day(cards, weights, price, stack[after], seat)
        if value <= search.floor[where]:
            continue
        key = key_of_seat(stack_bytes[after], seat)
        place = place_in_beam(nodes[where], where, value, key, search)
        if place == NONE:
            continue
        states[where, place] = stack[after]
        write_node(value, key, parent, chosen, after, nodes[where, place])


@jit
def write_best(value: float, parent: int, chosen: np.ndarray, number: int, search: Search) -> None:
    """Record this move as the end of the best plan so far."""
    search.best = value
    search.best_parent = parent
    search.best_number = number
    for step in range(number):
        search.best_actions[step] = chosen[step]


@jit
def write_node(value: float, key: int, parent: int, chosen: np.ndarray, number: int, node: Node) -> None:
    node.value = value
    node.key = key
    node.parent = parent
    node.number = number
    for step in range(number):
        node.actions[step] = chosen[step]


@jit
def next_action(mask: np.ndarray, first: int, running: bool) -> int:
    """The next legal action to try. While running, never trade refined pieces, or take raw ones out by the Chute."""
    action = next_legal(mask, first)
    while running and (CHUTE <= action < CHUTE + Kind.CHUNKS or TRADE + Kind.CHUNKS <= action < TRADE + NUM_KINDS):
        action = next_legal(mask, action + 1)
    return action


@jit
def continue_turn(cards: Tables, state: State, seat: int, phase: int, shift: int) -> int:
    """The branch's beam, or DAY_OVER. When the seat's turn in a phase is over, its next turn follows at once."""
    own = state.current == seat and state.phase == phase
    if own:
        return NEXT if state.shift == shift else OVER
    where = OVER
    if phase == Phase.RUN:
        state.phase = Phase.FULFIL
        state.players[seat].operated[:] = 0  # no longer a difference between positions
        if shift < shifts_of(cards, state.players[seat]):
            where = STOPPED
    elif phase == Phase.FULFIL and has_effect(cards, state.players[seat], Effect.OTHER_STORE):
        state.phase = Phase.AGENTS
    else:
        return DAY_OVER
    state.shift = 0
    give_turn(state, seat)
    return where


@jit
def key_of_seat(row: np.ndarray, seat: int) -> int:
    """A hash of the player's record; all else is the same in all positions of a beam.

    Only cards of the solo game may differ: if two take the same pieces, their deliveries count as equal positions.
    """
    key = np.uint64(PLAYER_SIZE)
    last = PLAYERS_AT + (seat + 1) * PLAYER_SIZE - 8
    for place in range(PLAYERS_AT + seat * PLAYER_SIZE, last, 8):
        key = (key ^ eight_bytes(row, place)) * HASH_FACTOR
        key ^= key >> HASH_SHIFT  # else high bits would never reach low ones
    return (key ^ eight_bytes(row, last)) * HASH_FACTOR  # type: ignore[no-any-return]  # Numba's unsigned integer


# --- beams


@jit
def place_in_beam(nodes: np.ndarray, beam: int, value: float, key: int, search: Search) -> int:
    """A position's place in a beam: a free one, its equal's, or the worst one's; NONE if it is not better."""
    count = int(search.counts[beam])
    worst = 0
    second = np.float32(np.inf)  # the least value of the others
    for place in range(count):
        node = nodes[place]
        if node.key == key:
            return place if value > node.value else NONE
        if node.value < nodes[worst].value:
            second = nodes[worst].value
            worst = place
        elif place != worst:
            second = min(second, node.value)
    if count < len(nodes):
        search.counts[beam] += 1
        return count
    if value <= nodes[worst].value:
        search.floor[beam] = nodes[worst].value
        return NONE
    search.floor[beam] = min(second, np.float32(value))
    return worst


@jit
def advance_beam(beam: int, states: np.ndarray, nodes: np.ndarray, log: np.ndarray, search: Search) -> None:
    """Append the beam's moves to the log, and make its positions the ones to expand."""
    for place in range(search.counts[beam]):
        node = nodes[beam, place]
        line = log[search.moves]
        line.parent = node.parent
        line.number = node.number
        for step in range(node.number):
            line.actions[step] = node.actions[step]
        states[NOW, place] = states[beam, place]
        nodes[NOW, place].parent = search.moves
        search.moves += 1
    search.counts[NOW] = search.counts[beam]
    search.counts[beam] = 0
    search.floor[beam] = -np.inf


@jit
def write_plan(log: np.ndarray, search: Search, out: np.ndarray) -> int:
    """Write the decisions of the best plan in order; returns their number."""
    number = int(search.best_number)
    line = int(search.best_parent)
    while line != NONE:
        number += log[line].number
        line = log[line].parent
    at = number - search.best_number
    for step in range(search.best_number):
        out[at + step] = search.best_actions[step]
    line = int(search.best_parent)
    while line != NONE:
        at -= log[line].number
        for step in range(log[line].number):
            out[at + step] = log[line].actions[step]
        line = log[line].parent
    return number
