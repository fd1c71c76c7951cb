"""The rows of a batch: what is kept for every game beside its state, and the compiled parts that know no game.

A game's own `play_rows` puts these together with its rules. N = games, P = players, A = actions, O = size of an
observation.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from .jit import entry, jit
from .rewards import SHAPED, write_rewards
from .rng import WORDS, choose_legal, draw_seat, opponent_seed, seed_generator

Record = Any  # a row of a structured array; Numba knows its fields

NOBODY: Final = -1  # to move: the game is over; seat played: all seats
DRAWN: Final = -2  # seat played: another one every game
MAX_SEATS: Final = 8

# Stages of a step. One compiled function carries out those that are asked for, so that it is compiled once.
DEAL: Final = 1  # begin a game: from the row's seed, or from the generator of the game before
MOVE: Final = 2  # play the row's action; of a game that is over, deal the next one or nothing, as `autoreset` says
REPLY: Final = 4  # play the row's action for the rival who is to move
RIVALS: Final = 8  # let rivals play at random up to the row's own decision
SETTLE: Final = 16  # pay, end, and deal again where `autoreset` says so
SHOW: Final = 32  # write mask and observation

# What follows the end of a game.
NEXT_STEP: Final = 0  # the next step deals and ignores its action
SAME_STEP: Final = 1  # the step itself deals
WAIT: Final = 2  # it stays over until it is dealt

# What an illegal action does. Where it is refused, the caller looks before (`first_illegal`).
PENALTY: Final = 0  # it costs, and nothing changes
TERMINATE: Final = 1  # it costs, and the game is over

PLAN = np.dtype(
    [
        ("stages", "i4"),
        ("autoreset", "i1"),
        ("reward", "i1"),  # number in rewards.REWARDS
        ("seat", "i1"),  # played: a seat, DRAWN, or NOBODY for all
        ("illegal", "i1"),
        ("illegal_reward", "f4"),
        ("scaled", "i1"),  # observations are float32 in [0, 1], not raw
        ("keep_final", "i1"),  # SAME_STEP: show the end of a game before dealing
    ]
)
ROW = np.dtype(
    [
        ("seed", "i8"),  # to deal from; negative: drawn from the generator of the game before
        ("dealt", "i8"),  # seed of the game under way
        ("seat", "i1"),
        ("mover", "i1"),
        ("over", "i1"),
        ("begun", "i1"),  # dealt in this step
        ("illegal", "i1"),  # the action of this step was
        ("final_seat", "i1"),
        ("paid", "f8", MAX_SEATS),  # "shaped": so far in this game
        ("rewards", "f8", MAX_SEATS),  # of this step
        # of the game that ended last
        ("scores", "i4", MAX_SEATS),
        ("ranking", "i4", MAX_SEATS),
        ("won", "i1", MAX_SEATS),
        ("rivals", "u4", (MAX_SEATS, WORDS)),  # generators of random rivals, clockwise
    ]
)


@jit
def begin_row(plan: Record, row: Record, seed: int, mover: int, players: int) -> None:
    """A game has been dealt from `seed`."""
    row.seed = -1
    row.dealt = seed
    row.mover = mover
    row.over = False
    row.begun = True
    row.paid[:] = 0
    row.seat = draw_seat(row.rivals[0], seed, players) if plan.seat == DRAWN else plan.seat
    for number in range(players - 1):
        seed_generator(row.rivals[number], opponent_seed(row.rivals[number], seed, number))


@jit
def clear_step(row: Record, players: int) -> None:
    row.begun = False
    row.illegal = False
    for seat in range(players):
        row.rewards[seat] = 0


@jit
def is_legal(mask: np.ndarray, action: int) -> bool:
    known = 0 <= action < len(mask)
    return known and mask[action] != 0


@jit
def refuse_action(plan: Record, row: Record) -> None:
    row.illegal = True
    row.rewards[row.seat] = plan.illegal_reward
    if plan.illegal == TERMINATE:
        row.mover = NOBODY


@jit
def waits_for_rival(row: Record) -> bool:
    return bool(row.seat != NOBODY and row.mover != NOBODY and row.mover != row.seat)


@jit
def rival_action(row: Record, mask: np.ndarray, players: int) -> int:
    """What the random rival who is to move plays."""
    return choose_legal(row.rivals[(row.mover - row.seat) % players - 1], mask)


@jit
def pay_result(plan: Record, row: Record, players: int) -> None:
    """After `scores`, `ranking` and `won` have been written."""
    rewards = row.rewards[:players]
    write_rewards(plan.reward, row.scores[:players], row.ranking[:players], row.won[:players], rewards)
    if plan.reward == SHAPED:
        rewards[:] -= row.paid[:players]


@jit
def tell_row(plan: Record, row: Record, at: int, rewards: np.ndarray, dones: np.ndarray, movers: np.ndarray) -> None:
    """Write the row's part of a step's results: rewards (N, P) of all seats, or (N, 1) of the seat played."""
    if plan.seat == NOBODY:
        for seat in range(rewards.shape[1]):
            rewards[at, seat] = row.rewards[seat]
    else:
        rewards[at, 0] = row.rewards[row.seat]
    dones[at] = row.over
    movers[at] = row.mover


@entry
def first_illegal(book: np.ndarray, masks: np.ndarray, actions: np.ndarray) -> int:
    """The first row under way whose action is not legal; -1 if there is none."""
    for at in range(len(actions)):
        if not book[at].over and not is_legal(masks[at], actions[at]):
            return at
    return -1


@jit
def choose_all(rng: np.ndarray, masks: np.ndarray, actions: np.ndarray) -> None:
    """Write any legal action of every row into `actions`, (N,); `masks` (N, A) int8, `rng` (4,) uint32."""
    for at in range(len(actions)):
        actions[at] = choose_legal(rng, masks[at])
