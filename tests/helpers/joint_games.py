"""Random games played in joint steps, and the same decisions played one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import chocofactory_env as cf
from chocofactory_env.envs.selfplay import ParallelBatch

# (states of N games, rows (K,), seats (K,)) -> what the decisions are sorted by, (K, keys), before the step's number.
Order = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def joint_games(game: Any, seeds: Sequence[int], order: Order) -> tuple[np.ndarray, np.ndarray, int]:
    """One game from each seed, legal actions drawn at random.

    Returns the positions at the end, (N,); all decisions (K, 2), row and action, sorted by row and by `order`; and how
    many joint steps there were.
    """
    batch = ParallelBatch(game, len(seeds), autoreset=False, scaled=False)
    choose, step, steps = cf.LegalSampler(1), batch.reset(seed=list(seeds)), 0
    states = np.concatenate([batch.state(row) for row in range(len(seeds))])
    decisions = []
    while not step.dones.all():
        for row in range(len(seeds)):
            states[row] = batch.state(row)[0]
        actions = choose(step.action_masks)
        rows, seats = np.nonzero(step.action_masks[..., batch.wait] == 0)
        keys = order(states, rows, seats)
        steps += 1
        decisions.append(np.column_stack([rows, keys, np.full(len(rows), steps), actions[rows, seats]]))
        step = batch.step(actions)
    log = np.concatenate(decisions)
    log = log[np.lexsort(log.T[-2::-1])]
    return np.concatenate([batch.state(row) for row in range(len(seeds))]), log[:, [0, -1]], steps


def played_in_turns(game: Any, seeds: Sequence[int], decisions: np.ndarray) -> np.ndarray:
    """The positions at the end, (N,), of the games in which these decisions are made one after the other."""
    batch = cf.SelfPlayBatch(game, len(seeds), autoreset=False, scaled=False)
    step, number = batch.reset(seed=list(seeds)), 0
    first = np.searchsorted(decisions[:, 0], np.arange(len(seeds)))
    last = np.searchsorted(decisions[:, 0], np.arange(len(seeds)), side="right") - 1
    while not step.dones.all():
        step = batch.step(decisions[np.minimum(first + number, last), 1])
        number += 1
    assert number == (last - first).max() + 1, "decisions are left over"
    return np.concatenate([batch.state(row) for row in range(len(seeds))])
