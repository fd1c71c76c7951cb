"""Types of the records of this package, written by `python -m tools.records`."""

from __future__ import annotations

from chocofactory_env.core.rows import Array, Row


class At(Row):
    turn: int
    to_move: int
    racers: int
    sponsor: int
    money: int


class Tables(Row):
    at: At
    prizes: Array[int]


class State(Row):
    num_players: int
    variant: int
    rounds: int
    start_option: int
    seed: int
    rng: Array[int]
    current: int
    start: int
    turn: int
    acted: int
    drawn: int
    space: Array[int]
    fuel: Array[int]
    money: Array[int]
    sponsor: Array[int]
    deck: Array[int]
