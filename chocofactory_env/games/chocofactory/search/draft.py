"""Solve the rest of a draft, given the value of each pair of part and employee to every seat.

The draft has no hidden cards and no chance (DRAFT-1 to DRAFT-3), so its whole tree is searched. Every seat maximizes
its lead: its day's value less the best other seat's.
"""

from __future__ import annotations

from typing import Annotated, Final, NamedTuple, TypeAlias

import numpy as np

from ....core.jit import jit, jit_entry
from ....core.records import Array, Record, field
from ....core.signature import F4_3, ArrayOf, OutI8_2, OutStateRows, StateRows, TableRows
from ..constants import DISPLAY, EMPLOYEE_DECKS, MAX_PLAYERS, NONE
from ..layout import Tables
from ..rules.draft import can_draft_employee, can_draft_part, draft_employee, draft_part, place_part, seat_of_draft_turn
from ..rules.under_way import nothing_under_way
from ..state import State

CARDS: Final = DISPLAY + EMPLOYEE_DECKS  # on display: parts by place, then employees by deck
MOST_TURNS: Final = 2 * MAX_PLAYERS
NO_PART: Final = DISPLAY  # the row of `values` for a seat that takes no further part ...
NO_EMPLOYEE: Final = EMPLOYEE_DECKS  # ... and the column for one that takes no further employee


class Draft(NamedTuple):
    """Cards to draft, by their places on display, or NONE (DRAFT-3). slot: where the part goes (DRAFT-4)."""

    part: int = NONE
    slot: int = NONE
    employee: int = NONE


class Turn(Record):
    """Per turn of the tree: the next card to try, the best card so far, and its result."""

    next: int = field("i1")
    best: int = field("i1")
    lead: Array[float] = field("f4", MAX_PLAYERS)  # by seat: its day's value less that of the best other
    part: int = field("i1")  # what the asking seat ends with
    employee: int = field("i1")


OutTurns: TypeAlias = Annotated[np.ndarray, ArrayOf(Turn.dtype, written=True)]


class Solution(NamedTuple):
    """first: the card to take now. part, employee: what the seat ends the draft with. Values as in `Draft`."""

    first: Draft
    part: int
    employee: int


class DraftSolver:
    """Solves drafts, in memory allocated once."""

    def __init__(self) -> None:
        self._states = np.zeros(MOST_TURNS + 1, State.dtype)
        self._turns = np.zeros(MOST_TURNS + 1, Turn.dtype)
        self._taken = np.zeros((MAX_PLAYERS, 2), np.int64)

    def solve(self, tables: np.ndarray, state: np.ndarray, values: np.ndarray) -> Solution:
        """The solution for the seat to move, if every seat plays its best.

        values: (P, DISPLAY + 1, EMPLOYEE_DECKS + 1) float32, the value of every seat's day with each part and employee,
            by place; `NO_PART` and `NO_EMPLOYEE` are for a seat that takes no further one.
        """
        solve_draft(tables, state, values, self._states, self._turns, self._taken)
        turn = self._turns[0]
        card = int(turn["best"])
        first = Draft(part=card) if card < DISPLAY else Draft(employee=card - DISPLAY)
        return Solution(first, int(turn["part"]), int(turn["employee"]))


@jit
def draft_for(cards: Tables, state: State, seat: int, part: int, slot: int, employee: int) -> None:
    """Change the position as if the seat, which need not be to move, had drafted these cards; see `Draft`."""
    state.current = seat
    if part != NONE:
        draft_part(state, part)
        place_part(state, slot)
    if employee != NONE:
        draft_employee(cards, state, employee)


@jit_entry("search")
def solve_draft(
    tables: TableRows,
    roots: StateRows,
    values: F4_3,
    states: OutStateRows,
    turns: OutTurns,
    taken: OutI8_2,
) -> None:
    """Search the draft from `roots[0]`, in which a seat must take a card. `turns[0]` holds the result."""
    states[0] = roots[0]
    asking = int(roots[0].current)
    for seat in range(MAX_PLAYERS):
        taken[seat, 0] = NO_PART
        taken[seat, 1] = NO_EMPLOYEE
    depth = 0
    begin_turn(turns[0])
    while True:
        state, turn = states[depth], turns[depth]
        card = next_card(state, int(turn.next))
        if card < CARDS:
            turn.next = card + 1
            states[depth + 1] = states[depth]
            take(tables[0], states[depth + 1], card)
            taken[int(state.current), 0 if card < DISPLAY else 1] = place_of(card)
            depth += 1
            begin_turn(turns[depth])
            if is_drafted(states[depth]):
                write_leads(states[depth], values, taken, asking, turns[depth])
            else:
                continue
        if depth == 0:
            return
        depth -= 1
        seat = int(states[depth].current)
        card = int(turns[depth].next) - 1
        taken[seat, 0 if card < DISPLAY else 1] = NO_PART if card < DISPLAY else NO_EMPLOYEE
        keep_best(seat, card, turns[depth], turns[depth + 1])


@jit
def begin_turn(turn: Turn) -> None:
    turn.next = 0
    turn.best = NONE


@jit
def place_of(card: int) -> int:
    return card if card < DISPLAY else card - DISPLAY


@jit
def next_card(state: State, first: int) -> int:
    """The first card from `first` on that the seat may take (DRAFT-1, DRAFT-3); CARDS if there is none."""
    for card in range(first, CARDS):
        if can_draft_part(state, card) if card < DISPLAY else can_draft_employee(state, card - DISPLAY):
            return card
    return CARDS


@jit
def take(cards: Tables, state: State, card: int) -> None:
    """Take the card, and pass the turn to the next seat."""
    if card < DISPLAY:
        draft_part(state, card)
        nothing_under_way(state)
    else:
        draft_employee(cards, state, card - DISPLAY)
    state.turn += 1
    state.current = seat_of_draft_turn(state)


@jit
def is_drafted(state: State) -> bool:
    return state.turn == 2 * state.num_players


@jit
def write_leads(state: State, values: np.ndarray, taken: np.ndarray, asking: int, turn: Turn) -> None:
    """Write every seat's lead; with one player, its day's value."""
    for seat in range(state.num_players):
        best = -1e18 if state.num_players > 1 else 0.0
        for other in range(state.num_players):
            if other != seat:
                best = max(best, values[other, taken[other, 0], taken[other, 1]])
        turn.lead[seat] = values[seat, taken[seat, 0], taken[seat, 1]] - best
    turn.part = taken[asking, 0]
    turn.employee = taken[asking, 1]


@jit
def keep_best(seat: int, card: int, turn: Turn, after: Turn) -> None:
    """Keep the card if it gives the seat a larger lead than the cards before."""
    if turn.best != NONE and after.lead[seat] <= turn.lead[seat]:
        return
    turn.best = card
    turn.part = after.part
    turn.employee = after.employee
    for other in range(MAX_PLAYERS):
        turn.lead[other] = after.lead[other]
