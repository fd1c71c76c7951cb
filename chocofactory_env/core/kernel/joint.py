"""Joint steps: several seats decide at the same time, independently of each other.

With two optional rules a game says which seats must decide now. By default only the seat to move must, so every game
has joint steps. A seat that is not asked waits: `wait` is the action after the game's last one, and is legal only for
such a seat.

The free names are bound to each game (`core.binding`). N = games, P = players, A = actions, O = numbers of an
observation, R = bytes of a raw one.
"""

from __future__ import annotations

import numpy as np

from ..binding import optional_rule, shared, shared_entry
from ..jit import jit_entry
from ..kernel.stepping import StepOptions
from ..records import AnyState, AnyTables
from ..signature import (
    F4,
    I1_3,
    I4,
    I8,
    I8_2,
    OutBools,
    OutF4_2,
    OutF4_3,
    OutI1_2,
    OutI1_3,
    OutStateRows,
    OutU1_3,
    StateRows,
    TableRows,
)
from .prefetch import fetch_ahead
from .rules import NOBODY, advance, write_legal_mask, write_observation, write_scaled_observation
from .stepping import (
    DEAL,
    LATE,
    MOVE,
    ONE_WAITS,
    PAY,
    SAME_STEP,
    SHOW,
    Options,
    OutRowInfos,
    RowInfos,
    clear_step,
    deal_row,
    is_legal,
    pay_row,
)


@optional_rule
def seats_asked(cards: AnyTables, state: AnyState) -> int:
    """Return the seats that must decide now, as a bit mask; 0 when the game is over.

    The decision of one of them changes neither the legal actions of another, nor their effect.
    """
    return 0 if state.current == NOBODY else 1 << int(state.current)


@optional_rule
def ask_seat(cards: AnyTables, state: AnyState, seat: int) -> None:
    """Make `seat`, one of the seats that must decide now, the seat to move. Nothing else changes."""
    return


@shared
def advance_jointly(cards: AnyTables, state: AnyState, actions: np.ndarray, mask: np.ndarray) -> int:
    """Carry out the decisions of all asked seats, clockwise from the seat to move. `actions`, (P,), are legal.

    `mask`, (A,), is scratch. Returns the next seat to move, or NOBODY when the game is over.
    """
    asked, first, players = seats_asked(cards, state), int(state.current), int(state.num_players)
    for place in range(players):
        seat = (first + place) % players
        if (asked >> seat) & 1:
            ask_seat(cards, state, seat)
            advance(cards, state, actions[seat], mask)
    return int(state.current)


@shared
def write_joint_masks(cards: AnyTables, state: AnyState, masks: np.ndarray) -> None:
    """Write the masks of all seats, (P, A + 1) int8: legal actions of a seat that is asked, else only `wait`.

    P may be larger than the number of players: seats that the game does not have are never asked.
    """
    asked, first, wait = seats_asked(cards, state), int(state.current), masks.shape[1] - 1
    for seat in range(masks.shape[0]):
        if (asked >> seat) & 1:
            ask_seat(cards, state, seat)
            write_legal_mask(cards, state, masks[seat, :wait])
            masks[seat, wait] = 0
        else:
            masks[seat, :wait] = 0
            masks[seat, wait] = 1
    if first != NOBODY:
        ask_seat(cards, state, first)


@shared_entry("seats")
def joint_masks(tables: TableRows, states: OutStateRows, masks: OutI1_2) -> None:
    """Write the mask of every seat, (P, A + 1). A seat that is not asked may only wait, action A."""
    write_joint_masks(tables[0], states[0], masks)


@shared_entry("seats")
def ask(tables: TableRows, states: OutStateRows, seat: int) -> None:
    """Make `seat`, one of the seats that must decide now, the seat to move."""
    ask_seat(tables[0], states[0], seat)


@shared_entry("seats")
def joint_step(tables: TableRows, states: OutStateRows, actions: I8, masks: OutI1_2) -> int:
    """Play `actions`, (P,) int64, and write the next masks; returns the next seat, NOBODY when over."""
    current = advance_jointly(tables[0], states[0], actions, masks[0, : masks.shape[1] - 1])
    write_joint_masks(tables[0], states[0], masks)
    return current


@shared_entry("parallel")
def joint_step_rows(
    step_options: Options,
    tables: TableRows,
    blanks: StateRows,
    slots: I4,
    choices: I4,
    states: OutStateRows,
    row_info: OutRowInfos,
    actions: I8_2,
    masks: OutI1_3,
    shown_masks: OutI1_3,
    rewards: OutF4_2,
    dones: OutBools,
    raw: OutU1_3,
    scaled: OutF4_3,
    scale: F4,
    rows: I4,
) -> int:
    """Carry out the stages of a joint step for `rows`; returns how many games ended. See `stepping.step_rows`.

    actions (N, P), masks (N, P, A + 1). raw (N, P, R) uint8 takes the observations of all seats; with `options.scaled`
    its row 0 is scratch and scaled (N, P, O) float32 takes them.
    """
    options: StepOptions = step_options[0]
    events = 0
    for place, row in enumerate(rows):
        state, info = states[row], row_info[row]
        fetch_ahead(tables, slots, row_info, rows, place + 1)
        scratch = masks[row, 0, : masks.shape[2] - 1]
        clear_step(options, info)
        cards = tables[slots[info.variant]]
        if options.stages & (DEAL | LATE):
            if not deal_row(tables, blanks, slots, choices, states, row, options, info, scratch):
                info.left = options.stages
                events += ONE_WAITS
                continue
            cards = tables[slots[info.variant]]
        elif options.stages & MOVE and not info.over:
            info.mover = advance_jointly(cards, state, actions[row], scratch)
        if options.stages & PAY:
            ended = pay_row(cards, state, options, info)
            events += ended
            rewards[row, :] = info.rewards[: rewards.shape[1]]
            dones[row] = info.over
            if ended and options.autoreset == SAME_STEP:
                if not deal_row(tables, blanks, slots, choices, states, row, options, info, scratch):
                    info.left = LATE | (options.stages & SHOW)
                    events += ONE_WAITS
                    continue
                cards = tables[slots[info.variant]]
        if options.stages & (DEAL | MOVE | LATE):
            write_joint_masks(cards, state, masks[row])
        if options.stages & SHOW:
            shown_masks[row] = masks[row]
            show_seats(cards, state, options, row, raw, scaled, scale)
    return events


@shared
def show_seats(
    cards: AnyTables,
    state: AnyState,
    options: StepOptions,
    row: int,
    raw: np.ndarray,
    scaled: np.ndarray,
    scale: np.ndarray,
) -> None:
    """Write every seat's observation. A seat that is asked sees its own decision, others see `state` as it is."""
    asked, first = seats_asked(cards, state), int(state.current)
    if options.padded and options.scaled:
        scaled[row, state.num_players :] = 0
    elif options.padded:
        raw[row, state.num_players :] = 0
    for seat in range(state.num_players):
        is_asked = (asked >> seat) & 1
        if options.asked_only and not is_asked:
            continue
        if first != NOBODY:
            ask_seat(cards, state, seat if is_asked else first)
        out = raw[0, 0] if options.scaled else raw[row, seat]
        if options.padded:
            out[:] = 0
        if options.scaled:
            write_scaled_observation(cards, state, seat, out, scale, scaled[row, seat])
        else:
            write_observation(cards, state, seat, out)
    if first != NOBODY:
        ask_seat(cards, state, first)


# --- parts that depend on no rule of a game


@jit_entry("rules")
def first_illegal_jointly(row_info: RowInfos, masks: I1_3, actions: I8_2) -> int:
    """The first row and seat, as row * P + seat, whose action is not legal; -1 if there is none."""
    for row in range(len(actions)):
        if not row_info[row].over:
            for seat in range(actions.shape[1]):
                if not is_legal(masks[row, seat], actions[row, seat]):
                    return row * int(actions.shape[1]) + seat
    return -1
