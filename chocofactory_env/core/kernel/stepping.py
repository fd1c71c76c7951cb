"""A step of a batch: the compiled loop over its games, and the record that it keeps for each game.

The free names are bound to each game (`core.binding`). N = games, P = players, A = actions, O = numbers of an
observation, R = bytes of a raw one.
"""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

import numpy as np

from ..binding import shared, shared_entry
from ..jit import jit, jit_entry
from ..observation.buffers import copy_row
from ..records import AnyState, AnyTables, Array, Array2, Record, field
from ..signature import (
    F4,
    I1_2,
    I4,
    I8,
    ArrayOf,
    OutBools,
    OutF4_2,
    OutI1_2,
    OutI4,
    OutI8,
    OutNoteRows,
    OutStateRows,
    OutU1,
    OutU1_2,
    OutU4,
    StateRows,
    TableRows,
)
from .prefetch import fetch_ahead
from .rewards import SHAPED, write_rewards
from .rng import WORDS, choose_legal, draw_seat, draw_variant, next_seed, opponent_seed, seed_generator
from .rules import (
    MAX_SEATS,
    NOBODY,
    advance,
    begin_game,
    scripted_action,
    write_legal_mask,
    write_observation,
    write_outcome,
    write_payoffs,
    write_scaled_observation,
    write_standings,
)

DRAWN: Final = -2  # the learner's seat is drawn for every game; NOBODY: the caller plays all seats

# Stages of a step. One function carries out any of them, so that it is compiled once.
DEAL: Final = 1  # begin a game: from `row_info.seed` if it is not negative, else from the last game's generator
MOVE: Final = 2  # play the row's action; if the game is over, NEXT_STEP deals another one and WAIT does nothing
REPLY: Final = 4  # play the row's action for the rival that is to move
RIVALS: Final = 8  # let rivals play up to the row's own decision, or up to that of a rival who is ASKED
PAY: Final = 16  # pay rewards, end games, and deal again as `autoreset` says
SHOW: Final = 32  # write mask and observation
ONE_WAITS: Final = 1 << 32  # `step_rows` adds it to the number of events for every row that waits for its variant
LATE: Final = 64  # SAME_STEP: deal the game whose variant was not loaded when the last one ended

# Who plays a rival's seat.
RANDOM: Final = 0
SCRIPTED: Final = 1  # the game's `rules.scripted_action`
ASKED: Final = 2  # the caller, who then carries out REPLY

# What follows the end of a game.
NEXT_STEP: Final = 0  # the next step deals and ignores its action
SAME_STEP: Final = 1  # the step itself deals
WAIT: Final = 2  # the game stays over until the caller deals

# What an illegal action does. A caller that rejects it calls `first_illegal` first.
PENALTY: Final = 0  # it costs `illegal_reward`, and nothing changes
TERMINATE: Final = 1  # it costs `illegal_reward` and ends the game


class StepOptions(Record):
    stages: int = field("i4")
    autoreset: int = field("i1")
    reward: int = field("i1")  # number in rewards.REWARDS
    seat: int = field("i1")  # the learner's seat, DRAWN, or NOBODY for all
    illegal: int = field("i1")
    illegal_reward: float = field("f4")
    scaled: int = field("i1")  # observations are float32 in [0, 1], not raw
    keep_final: int = field("i1")  # SAME_STEP: show the end of a game before dealing
    asked_only: int = field("i1")  # joint steps write only the observations of seats that are asked
    rivals: Array[int] = field("i1", MAX_SEATS)  # RANDOM, SCRIPTED or ASKED, clockwise from the learner
    padded: int = field("i1")  # observations have room for other variants: write 0 for entries that a variant lacks


class RowInfo(Record):
    seed: int = field("i8")  # to deal from; negative: drawn from the last game's generator
    dealt: int = field("i8")  # seed of the game under way
    seat: int = field("i1")
    mover: int = field("i1")
    over: int = field("i1")
    begun: int = field("i1")  # dealt in this step
    illegal: int = field("i1")  # the action of this step was illegal
    final_seat: int = field("i1")
    # Variants of the game (`core.kernel.variants`) by their numbers.
    variant: int = field("i4")  # of the game under way
    final_variant: int = field("i4")
    wanted: int = field("i4")  # number + 1 of the variant that must be loaded before the row can be dealt; 0: none
    first_choice: int = field("i4")  # the next deal draws from `choices[first_choice : first_choice + num_choices]`
    num_choices: int = field("i4")  # 0: it draws from all
    left: int = field("i4")  # stages to carry out once `wanted` is loaded
    paid: Array[float] = field("f8", MAX_SEATS)  # "shaped": the standings that rewards have been paid up to
    rewards: Array[float] = field("f8", MAX_SEATS)  # of this step
    # of the game that ended last
    scores: Array[int] = field("i4", MAX_SEATS)
    ranking: Array[int] = field("i4", MAX_SEATS)
    won: Array[int] = field("i1", MAX_SEATS)
    rivals: Array2[int] = field("u4", MAX_SEATS, WORDS)  # generators of random rivals, clockwise


Options: TypeAlias = Annotated[np.ndarray, ArrayOf(StepOptions.dtype)]
RowInfos: TypeAlias = Annotated[np.ndarray, ArrayOf(RowInfo.dtype)]
OutRowInfos: TypeAlias = Annotated[np.ndarray, ArrayOf(RowInfo.dtype, written=True)]


@shared_entry("batches")
def step_rows(
    step_options: Options,
    tables: TableRows,
    blanks: StateRows,
    slots: I4,
    choices: I4,
    states: OutStateRows,
    row_info: OutRowInfos,
    actions: I8,
    masks: OutI1_2,
    shown_masks: OutI1_2,
    rewards: OutF4_2,
    dones: OutBools,
    movers: OutI4,
    raw: OutU1_2,
    scaled: OutF4_2,
    final_raw: OutU1_2,
    final_scaled: OutF4_2,
    scale: F4,
    notes: OutNoteRows,
    rows: I4,
) -> int:
    """Carry out the stages of a step for `rows`; returns how many games ended or had an illegal action.

    tables, blanks (S,), slots (V,), choices (C,): see `variants.LoadedVariants`. A row that must load adds ONE_WAITS.
    notes, (1,): scratch of the scripted player.
    raw, final_raw, (N, R) uint8: observations; with `options.scaled` row 0 is scratch for scaled ones, (N, O) float32.
    """
    options: StepOptions = step_options[0]
    events = 0
    for place, row in enumerate(rows):
        state, info, mask = states[row], row_info[row], masks[row]
        fetch_ahead(tables, slots, row_info, rows, place + 1)
        clear_step(options, info)
        cards = tables[slots[info.variant]]
        if is_dealt_first(options, info):
            if not deal_row(tables, blanks, slots, choices, states, row, options, info, mask):
                info.left = options.stages
                events += ONE_WAITS
                continue
            cards = tables[slots[info.variant]]
        elif options.stages & (MOVE | REPLY):
            move_row(cards, state, options, info, mask, actions[row])
        if options.stages & RIVALS:
            play_rivals(cards, state, options, info, mask, notes)
        if options.stages & LATE:
            movers[row] = info.mover
        if options.stages & PAY:
            ended = pay_row(cards, state, options, info)
            events += int(ended or info.illegal)
            write_step_results(options, info, row, rewards, dones, movers)
            if ended and options.autoreset == SAME_STEP:
                if options.keep_final:
                    show_row(cards, state, options, info, row, final_raw, final_scaled, scale)
                if not deal_again(tables, blanks, slots, choices, states, row, options, info, mask, movers, notes):
                    events += ONE_WAITS
                    continue
                cards = tables[slots[info.variant]]
        if options.stages & SHOW:
            show_mask(info, mask, shown_masks[row])
            show_row(cards, state, options, info, row, raw, scaled, scale)
    return events


@shared
def deal_row(
    tables: np.ndarray,
    blanks: np.ndarray,
    slots: np.ndarray,
    choices: np.ndarray,
    states: np.ndarray,
    row: int,
    options: StepOptions,
    info: RowInfo,
    mask: np.ndarray,
) -> bool:
    """Deal the row's next game. False if its variant must be loaded first; then only `seed` and `wanted` are set."""
    state: AnyState = states[row]
    if info.seed < 0:
        info.seed = next_seed(state.rng)
    variant = draw_variant(info.rivals[0], info.seed, info.num_choices or len(slots))
    if info.num_choices:
        variant = int(choices[info.first_choice + variant])
    slot = slots[variant]
    if slot < 0:
        info.wanted = variant + 1
        return False
    info.variant = variant
    states[row] = blanks[slot]
    state.seed = info.seed
    begin_game(tables[slot], state)
    write_legal_mask(tables[slot], state, mask)
    begin_row(options, info, state.seed, state.current, state.num_players)
    if options.reward == SHAPED:
        write_standings(tables[slot], state, info.paid)
    return True


@shared
def deal_again(
    tables: np.ndarray,
    blanks: np.ndarray,
    slots: np.ndarray,
    choices: np.ndarray,
    states: np.ndarray,
    row: int,
    options: StepOptions,
    info: RowInfo,
    mask: np.ndarray,
    movers: np.ndarray,
    notes: np.ndarray,
) -> bool:
    """Deal the row's next game within the step that ended one. False if its variant must be loaded first."""
    if not deal_row(tables, blanks, slots, choices, states, row, options, info, mask):
        info.left = LATE | (options.stages & (RIVALS | SHOW))
        return False
    if options.stages & RIVALS:
        play_rivals(tables[slots[info.variant]], states[row], options, info, mask, notes)
    movers[row] = info.mover
    return True


@shared
def move_row(
    cards: AnyTables,
    state: AnyState,
    options: StepOptions,
    info: RowInfo,
    mask: np.ndarray,
    action: int,
) -> None:
    if options.stages & REPLY:
        info.mover = advance(cards, state, action, mask)
    elif info.over:
        return
    elif is_legal(mask, action):
        info.mover = advance(cards, state, action, mask)
    else:
        refuse_action(options, info)


@shared
def play_rivals(
    cards: AnyTables, state: AnyState, options: StepOptions, info: RowInfo, mask: np.ndarray, notes: np.ndarray
) -> None:
    while waits_for_rival(info):
        rival = (info.mover - info.seat) % state.num_players - 1
        if options.rivals[rival] == ASKED:
            return
        if options.rivals[rival] == SCRIPTED:
            action = scripted_action(cards, state, mask, notes[0])
        else:
            action = choose_legal(info.rivals[rival], mask)
        info.mover = advance(cards, state, action, mask)


@shared
def pay_row(cards: AnyTables, state: AnyState, options: StepOptions, info: RowInfo) -> bool:
    """Write the rewards of the step; returns whether the game has just ended."""
    ended = info.mover == NOBODY and not info.over
    if ended:
        info.over = True
        info.final_seat = info.seat
        info.final_variant = info.variant
        if not info.illegal:
            clear_result(info)
            write_outcome(cards, state, info.scores, info.ranking, info.won)
            write_payoffs(cards, state, info.rewards)
            pay_result(options, info, state.num_players)
    elif options.reward == SHAPED and not (info.over or info.begun or info.illegal):
        write_standings(cards, state, info.rewards)
        pay_change(info, state.num_players)
    return ended


@shared
def show_row(
    cards: AnyTables,
    state: AnyState,
    options: StepOptions,
    info: RowInfo,
    row: int,
    raw: np.ndarray,
    scaled: np.ndarray,
    scale: np.ndarray,
) -> None:
    """Write the observation of the learner's seat; if `options.seat` is NOBODY, of the seat to move (0 when over)."""
    seat = max(0, info.mover if options.seat == NOBODY else info.seat)
    out = raw[0] if options.scaled else raw[row]
    if options.padded:
        out[:] = 0
    if options.scaled:
        write_scaled_observation(cards, state, seat, out, scale, scaled[row])
    else:
        write_observation(cards, state, seat, out)


@shared_entry("batches")
def observe_movers(
    tables: TableRows,
    slots: I4,
    states: StateRows,
    row_info: RowInfos,
    rows: I4,
    raw: OutU1,
    scale: F4,
    out: OutF4_2,
) -> None:
    """Write the observations of the seats to move in `rows` into `out`, (K, O) float32; `raw`, (R,), is scratch."""
    for k in range(len(rows)):
        state, info = states[rows[k]], row_info[rows[k]]
        raw[:] = 0
        write_scaled_observation(tables[slots[info.variant]], state, state.current, raw, scale, out[k])


# --- parts that depend on no rule of a game


@jit
def is_dealt_first(options: StepOptions, info: RowInfo) -> bool:
    """Whether the step begins with a deal of the row."""
    next_step = options.stages & MOVE and options.autoreset == NEXT_STEP and info.over
    return bool(options.stages & (DEAL | LATE) or next_step)


@jit
def begin_row(options: StepOptions, info: RowInfo, seed: int, mover: int, players: int) -> None:
    """Begin the record of a game dealt from `seed`."""
    info.seed = -1
    info.dealt = seed
    info.mover = mover
    info.over = False
    info.begun = True
    info.paid[:] = 0
    info.seat = draw_seat(info.rivals[0], seed, players) if options.seat == DRAWN else options.seat
    for number in range(players - 1):
        seed_generator(info.rivals[number], opponent_seed(info.rivals[number], seed, number))


@jit
def clear_step(options: StepOptions, info: RowInfo) -> None:
    """Forget the last step."""
    if not options.stages & (DEAL | MOVE):
        return
    info.begun = False
    info.illegal = False
    for seat in range(MAX_SEATS):
        info.rewards[seat] = 0


@jit
def clear_result(info: RowInfo) -> None:
    """Reset the results. Seats that the game lacks keep these values."""
    for seat in range(MAX_SEATS):
        info.scores[seat] = 0
        info.ranking[seat] = NOBODY
        info.won[seat] = False


@jit
def is_legal(mask: np.ndarray, action: int) -> bool:
    known = 0 <= action < len(mask)
    return known and mask[action] != 0


@jit
def refuse_action(options: StepOptions, info: RowInfo) -> None:
    info.illegal = True
    info.rewards[info.seat] = options.illegal_reward
    if options.illegal == TERMINATE:
        info.mover = NOBODY


@jit
def waits_for_rival(info: RowInfo) -> bool:
    return bool(info.seat != NOBODY and info.mover != NOBODY and info.mover != info.seat)


@jit
def pay_result(options: StepOptions, info: RowInfo, players: int) -> None:
    """Replace the payoffs in `rewards` by the rewards at the end. `ranking` and `won` have been written."""
    rewards = info.rewards[:players]
    write_rewards(options.reward, info.ranking[:players], info.won[:players], rewards)
    if options.reward == SHAPED:
        for seat in range(players):  # a slice would be copied, and the rules allocate nothing
            rewards[seat] -= info.paid[seat]


@jit
def pay_change(info: RowInfo, players: int) -> None:
    """Replace the standings in `rewards` by their change since the last payment."""
    for seat in range(players):
        standing = info.rewards[seat]
        info.rewards[seat] = standing - info.paid[seat]
        info.paid[seat] = standing


@jit
def write_step_results(
    options: StepOptions, info: RowInfo, row: int, rewards: np.ndarray, dones: np.ndarray, movers: np.ndarray
) -> None:
    """Write the row's results of a step: rewards (N, P) of all seats, or (N, 1) of the learner's seat."""
    if options.seat == NOBODY:
        for seat in range(rewards.shape[1]):
            rewards[row, seat] = info.rewards[seat]
    else:
        rewards[row, 0] = info.rewards[info.seat]
    dones[row] = info.over
    movers[row] = info.mover


@jit
def show_mask(info: RowInfo, mask: np.ndarray, shown: np.ndarray) -> None:
    """Write the mask; all ones for a finished game, so that code that samples from it does not fail."""
    if info.over:
        shown[:] = 1
    else:
        copy_row(mask, shown, 0)


@jit_entry("rules")
def first_illegal(row_info: RowInfos, masks: I1_2, actions: I8) -> int:
    """The first unfinished row whose action is illegal, or -1."""
    for row in range(len(actions)):
        if not row_info[row].over and not is_legal(masks[row], actions[row]):
            return row
    return -1


@jit_entry("rules")
def choose_all(rng: OutU4, masks: I1_2, actions: OutI8) -> None:
    """Write a random legal action of every row into `actions`, (N,). `masks` (N, A) int8, `rng` (4,) uint32."""
    for row in range(len(actions)):
        actions[row] = choose_legal(rng, masks[row])
