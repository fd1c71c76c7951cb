"""Types of the records of this package, written by `python -m tools.records`."""

from __future__ import annotations

from .rows import Array, Array2, Row


class StepOptions(Row):
    stages: int
    autoreset: int
    reward: int
    seat: int
    illegal: int
    illegal_reward: float
    scaled: int
    keep_final: int
    asked_only: int
    padded: int


class Node(Row):
    parent: int
    first_child: int
    sibling: int
    visits: int
    action: int
    values: Array[float]


class Playout(Row):
    scores: Array[int]
    ranking: Array[int]
    won: Array[int]


class RowInfo(Row):
    seed: int
    dealt: int
    seat: int
    mover: int
    over: int
    begun: int
    illegal: int
    final_seat: int
    variant: int
    final_variant: int
    wanted: int
    first_choice: int
    num_choices: int
    left: int
    paid: Array[float]
    rewards: Array[float]
    scores: Array[int]
    ranking: Array[int]
    won: Array[int]
    rivals: Array2[int]
