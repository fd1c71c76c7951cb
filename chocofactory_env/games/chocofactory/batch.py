"""Chocolate Factory in batches: the compiled functions that take many positions at once.

Apart from `kernel`, so that whoever plays one game does not compile them.
"""

from __future__ import annotations

import numpy as np

from ...core import rows as table
from ...core.jit import entry, jit
from ...core.memory import copy_row
from ...core.rewards import SHAPED
from ...core.rng import PLAYOUT_STREAM, choose_legal, next_seed, seed_generator
from .actions import advance, write_legal_mask
from .constants import NONE
from .observation import write_observation, write_scaled_observation
from .rules.end import final_money, money_but_leftovers, solo_won, write_ranking
from .rules.flow import begin_game
from .rules.hidden import redeal_hidden
from .rules.pieces import Record


@entry
def play_rows(
    plans: np.ndarray,
    tables: np.ndarray,
    states: np.ndarray,
    book: np.ndarray,
    actions: np.ndarray,
    masks: np.ndarray,
    shown_masks: np.ndarray,
    rewards: np.ndarray,
    dones: np.ndarray,
    movers: np.ndarray,
    raw: np.ndarray,
    scaled: np.ndarray,
    final_raw: np.ndarray,
    final_scaled: np.ndarray,
    scale: np.ndarray,
    which: np.ndarray,
) -> int:
    """Carry out `plan.stages` for the rows `which`; returns how many games ended or had an illegal action.

    raw (N, O) uint8 takes the observations; with `plan.scaled` its row 0 is scratch and scaled (N, O) float32 takes
    them. The same for the final ones.
    """
    plan = plans[0]
    cards, rows = tables[0].cards, tables[0].rows
    events = 0
    for k in range(len(which)):
        at = which[k]
        state = states[at]
        row = book[at]
        mask = masks[at]
        if plan.stages & (table.DEAL | table.MOVE):
            table.clear_step(row, state.num_players)
        if plan.stages & table.DEAL:
            deal_row(cards, state, plan, row, mask)
        elif plan.stages & table.MOVE:
            move_row(cards, state, plan, row, mask, actions[at])
        elif plan.stages & table.REPLY:
            row.mover = advance(cards, state, actions[at], mask)
        if plan.stages & table.RIVALS:
            play_rivals(cards, state, row, mask)
        if plan.stages & table.SETTLE:
            ended = row.mover == NONE and not row.over
            if ended:
                row.over = True
                row.final_seat = row.seat
                if not row.illegal:
                    write_result(cards, state, row)
                    table.pay_result(plan, row, state.num_players)
            elif plan.reward == SHAPED and not row.over and not row.begun:
                pay_standings(cards, state, row)
            events += ended or row.illegal
            table.tell_row(plan, row, at, rewards, dones, movers)
            if ended and plan.autoreset == table.SAME_STEP:
                if plan.keep_final:
                    show_row(cards, rows, state, plan, row, at, final_raw, final_scaled, scale)
                deal_row(cards, state, plan, row, mask)
                if plan.stages & table.RIVALS:
                    play_rivals(cards, state, row, mask)
                movers[at] = row.mover
        if plan.stages & table.SHOW:
            show_mask(row, mask, shown_masks[at])
            show_row(cards, rows, state, plan, row, at, raw, scaled, scale)
    return events


@jit
def deal_row(cards: Record, state: Record, plan: Record, row: Record, mask: np.ndarray) -> None:
    state.seed = row.seed if row.seed >= 0 else next_seed(state.rng)
    begin_game(cards, state)
    write_legal_mask(cards, state, mask)
    table.begin_row(plan, row, state.seed, state.current, state.num_players)


@jit
def move_row(cards: Record, state: Record, plan: Record, row: Record, mask: np.ndarray, action: int) -> None:
    if row.over:
        if plan.autoreset == table.NEXT_STEP:
            deal_row(cards, state, plan, row, mask)
    elif table.is_legal(mask, action):
        row.mover = advance(cards, state, action, mask)
    else:
        table.refuse_action(plan, row)


@jit
def play_rivals(cards: Record, state: Record, row: Record, mask: np.ndarray) -> None:
    while table.waits_for_rival(row):
        row.mover = advance(cards, state, table.rival_action(row, mask, state.num_players), mask)


@jit
def write_result(cards: Record, state: Record, row: Record) -> None:
    """Scores, ranking and winners of a game that is over."""
    write_standing_at_the_end(cards, state, row.scores, row.ranking, row.won)


@jit
def write_standing_at_the_end(
    cards: Record, state: Record, scores: np.ndarray, ranking: np.ndarray, won: np.ndarray
) -> None:
    """END-6, SOLO-8"""
    for seat in range(state.num_players):
        scores[seat] = final_money(cards, state, seat)
    write_ranking(state, scores, ranking)
    for seat in range(state.num_players):
        won[seat] = ranking[seat] == 0
    if state.num_players == 1:
        won[0] = solo_won(cards, state)


@jit
def pay_standings(cards: Record, state: Record, row: Record) -> None:
    for seat in range(state.num_players):
        money = money_but_leftovers(cards, state, seat)
        row.rewards[seat] += money - row.paid[seat]
        row.paid[seat] = money


@jit
def show_mask(row: Record, mask: np.ndarray, shown: np.ndarray) -> None:
    """The mask; all ones for a game that is over, so that code which samples from it does not fail."""
    if row.over:
        shown[:] = 1
    else:
        copy_row(mask, shown, 0)


@jit
def show_row(
    cards: Record,
    rows: Record,
    state: Record,
    plan: Record,
    row: Record,
    at: int,
    raw: np.ndarray,
    scaled: np.ndarray,
    scale: np.ndarray,
) -> None:
    """What the seat played sees, or of all seats the one to move (of a game that is over the first)."""
    seat = max(0, row.mover if plan.seat == table.NOBODY else row.seat)
    if plan.scaled:
        write_scaled_observation(cards, rows, state, seat, raw[0], scale, scaled[at])
    else:
        write_observation(cards, rows, state, seat, raw[at])


@entry
def observe_movers(
    tables: np.ndarray,
    states: np.ndarray,
    which: np.ndarray,
    raw: np.ndarray,
    scale: np.ndarray,
    out: np.ndarray,
) -> None:
    """What whoever moves in the rows `which` sees, one behind the other into `out` (K, O) float32; `raw` is scratch."""
    for k in range(len(which)):
        state = states[which[k]]
        write_scaled_observation(tables[0].cards, tables[0].rows, state, state.current, raw, scale, out[k])


# --- playouts


@jit
def play_out(cards: Record, state: Record, mask: np.ndarray, rng: np.ndarray) -> int:
    """Play at random to the end of the game; returns the number of decisions. `mask` (A,) int8, `rng` (4,) uint32."""
    write_legal_mask(cards, state, mask)
    decisions = 0
    while state.current != NONE:
        advance(cards, state, choose_legal(rng, mask), mask)
        decisions += 1
    return decisions


@entry
def random_playout(tables: np.ndarray, states: np.ndarray, seed: int, mask: np.ndarray, rng: np.ndarray) -> int:
    seed_generator(rng, seed, PLAYOUT_STREAM)
    return play_out(tables[0].cards, states[0], mask, rng)


@entry
def random_playouts(
    tables: np.ndarray,
    states: np.ndarray,
    copies: np.ndarray,
    seeds: np.ndarray,
    redeal: bool,
    first: int,
    mask: np.ndarray,
    rng: np.ndarray,
    scores: np.ndarray,
    ranking: np.ndarray,
    won: np.ndarray,
    decisions: np.ndarray,
) -> None:
    """One playout of a copy of `states[0]` for every seed, results written from row `first` on.

    copies (1,) of states, mask (A,) int8, rng (4,) uint32: scratch. scores, ranking (K, P) int32, won (K, P) bool,
    decisions (K,) int32.
    """
    cards = tables[0].cards
    for k in range(len(seeds)):
        copies[0] = states[0]
        if redeal:
            redeal_hidden(cards, copies[0], seeds[k])
        seed_generator(rng, seeds[k], PLAYOUT_STREAM)
        at = first + k
        decisions[at] = play_out(cards, copies[0], mask, rng)
        write_standing_at_the_end(cards, copies[0], scores[at], ranking[at], won[at])
