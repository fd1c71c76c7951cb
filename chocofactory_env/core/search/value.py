"""A learned value of a position, linear in the features that a game names, with different weights for each stage.

A game defines its stages. F = features, S = stages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ..binding import optional_rule, shared, shared_entry
from ..checks import MOST, as_records
from ..jit import jit
from ..kernel.exponential import exp
from ..kernel.rules import NOBODY, write_payoffs
from ..records import AnyJudge, AnyState, AnyTables, AnyValue
from ..signature import OutF4, StateRows, TableRows

if TYPE_CHECKING:
    from ..compiled import CompiledGame

LEAST_SPREAD: Final = 0.001  # leads are divided by it
MOST_EXPONENT: Final = 700.0  # plain Python's exp raises OverflowError a little above it


def value_dtype(features: int, stages: int) -> np.dtype:
    """The record of a value: `constant` (S,) and `weights` (S, F), float32."""
    return np.dtype([("constant", "f4", stages), ("weights", "f4", (stages, features))])


def judge_dtype(features: int, stages: int) -> np.dtype:
    """The record that judges positions: a value, and the uncertainty of a lead in each stage, in points."""
    return np.dtype([("value", value_dtype(features, stages)), ("spread", "f4", stages)])


def as_judge(judge: object, game: CompiledGame) -> np.ndarray:
    """A copy of a judge, (1,), for this game.

    Raises:
        TypeError: not an array.
        ValueError: not (1,), records of another kind, a number that is not finite or outside its limits, or the game
            has no features of positions.
    """
    return as_records("judge", judge, game.judge().dtype, {"spread": (LEAST_SPREAD, MOST)})


@jit
def value_of(value: AnyValue, features: np.ndarray, stage: int) -> float:
    """The value of a position in that stage. features: (F,) float32."""
    total = float(value.constant[stage])
    for at in range(len(features)):
        total += value.weights[stage, at] * features[at]
    return total


# --- rules of a game with a learned value


@optional_rule
def write_features(cards: AnyTables, state: AnyState, seat: int, features: np.ndarray) -> None:
    """Write features of the seat's prospects, using only what it can know, into `features`, (F,) float32."""


@optional_rule
def stage_of(cards: AnyTables, state: AnyState) -> int:
    """The stage of a position, 0 to S - 1."""
    return 0


# --- what follows from these rules


@shared_entry("search")
def features(tables: TableRows, states: StateRows, seat: int, out: OutF4) -> int:
    """Write the features of a seat's position into `out`, (F,) float32; returns the stage."""
    write_features(tables[0], states[0], seat, out)
    return stage_of(tables[0], states[0])


@shared
def write_values(cards: AnyTables, state: AnyState, judge: AnyJudge, numbers: np.ndarray, values: np.ndarray) -> None:
    """Write the expected final payoff of every seat into `values`, (P,) float; the payoff itself once the game is over.

    numbers (F,): scratch.
    """
    if state.current == NOBODY:
        write_payoffs(cards, state, values)
        return
    stage = stage_of(cards, state)
    for seat in range(state.num_players):
        write_features(cards, state, seat, numbers)
        values[seat] = value_of(judge.value, numbers, stage)


@jit
def lead_of(values: np.ndarray, players: int, seat: int) -> float:
    """The seat's lead over the best other seat; with one player, its value."""
    if players == 1:
        return float(values[0])
    best = -1e18
    for other in range(players):
        if other != seat:
            best = max(best, float(values[other]))
    return float(values[seat]) - best


@jit
def chance_of(lead: float, spread: float) -> float:
    """The probability that the lead becomes a win; `spread` is the lead's uncertainty in points."""
    return 1.0 / (1.0 + exp(min(-lead / spread, MOST_EXPONENT)))
