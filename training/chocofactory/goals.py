"""Progress towards the demands of the solo game, which PPO rewards."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from chocofactory_env import Game, Tensors


def goals_of(game: Game) -> Callable[[Tensors], np.ndarray] | None:
    """`done_of_goals` for the solo game; None with several players, where nothing is demanded."""
    return done_of_goals if game.num_players == 1 else None


def done_of_goals(seen: Tensors) -> np.ndarray:
    """(N,), 0 to 1: the share of the face-up cards' demands that is met, the mean over the five objectives.

    An objective with a number counts by its share done, any other by whether it is satisfied. seen: raw observations.
    """
    satisfied = seen["satisfied"].astype(np.float32)  # money, special orders, chocolate orders, orders, tracks
    counts = seen["money"].astype(np.float32)
    if "order_paid" in seen:  # SOLO-7
        counts = counts - seen["order_paid"].sum(1, keepdims=True, dtype=np.float32)
    money = share(counts, seen["money_needed"])
    asked = seen["chocolate_orders"][..., 0] > 0
    delivered = share((seen["chocolate_orders"][..., -1] > 0) & asked, asked)
    orders = share(np.minimum(seen["completed"][:, 0], seen["orders_needed"][:, :3]), seen["orders_needed"][:, :3])
    steps = share(np.minimum(seen["tracks"][:, 0], seen["steps_needed"]), seen["steps_needed"])
    counted = np.stack([money, satisfied[:, 1], delivered, orders, steps], 1)
    done: np.ndarray = np.where(satisfied > 0, 1, 0.8 * counted).mean(1)
    return done


def share(done: np.ndarray, needed: np.ndarray) -> np.ndarray:
    """(N,): the share of what is needed, at most 1; 1 if nothing is needed."""
    total = needed.sum(1, dtype=np.float32)
    return np.minimum(1, np.where(total > 0, done.sum(1, dtype=np.float32) / np.maximum(total, 1), 1))
