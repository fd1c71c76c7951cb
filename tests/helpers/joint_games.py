"""Random games played in joint steps, and the same decisions played in turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import chocofactory_env as cf

# (states of N games, seats (P,)) -> the part of its game that each is in, (N,), and the place of every seat's decisions
# in this part, (N, P). A part is a run of steps with the same number.
Order = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]


def joint_games(game: Any, seeds: Sequence[int], order: Order) -> tuple[np.ndarray, np.ndarray, int]:
    """One game from each seed, legal actions drawn at random.

    Returns the positions at the end, (N,); all decisions (K, 2), row and action, in the order of turns within a row;
    and the number of joint steps.
    """
    batch = cf.ParallelBatch(game, len(seeds), autoreset=False, scaled=False)
    choose, step, steps = cf.LegalSampler(1), batch.reset(seed=list(seeds)), 0
    states, seats = batch._batch.states, np.arange(game.num_players)
    number, last = np.zeros(len(seeds), int), np.full(len(seeds), -1)
    decisions = []
    while not step.dones.all():
        part, place = order(states, seats)
        number += part != last
        last = part
        actions = choose(step.action_masks)
        rows, asked = np.nonzero(step.action_masks[..., batch.wait] == 0)
        made = [rows, number[rows], place[rows, asked], np.full(len(rows), steps), actions[rows, asked]]
        decisions.append(np.column_stack(made))
        steps += 1
        step = batch.step(actions)
    log = np.concatenate(decisions)
    log = log[np.lexsort(log.T[-2::-1])]
    return states.copy(), log[:, [0, -1]], steps


def played_in_turns(game: Any, seeds: Sequence[int], decisions: np.ndarray) -> np.ndarray:
    """The positions at the end, (N,), of games in which these decisions are made in turns."""
    batch = cf.SelfPlayBatch(game, len(seeds), autoreset=False, scaled=False)
    step, number = batch.reset(seed=list(seeds)), 0
    first = np.searchsorted(decisions[:, 0], np.arange(len(seeds)))
    last = np.searchsorted(decisions[:, 0], np.arange(len(seeds)), side="right") - 1
    while not step.dones.all():
        step = batch.step(decisions[np.minimum(first + number, last), 1])
        number += 1
    assert number == (last - first).max() + 1, "decisions are left over"
    return np.array(batch._batch.states)
