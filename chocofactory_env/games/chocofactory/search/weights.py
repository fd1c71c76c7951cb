"""The evaluation's weights, and the prices that a plan looks up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, TypeAlias

import numpy as np

from ....core.checks import MOST, Limits, as_records
from ....core.records import AnyValue, Array, Array2, Record, field
from ....core.search.value import value_dtype
from ....core.signature import ArrayOf
from ..constants import NUM_DAYS, NUM_KINDS, NUM_STORES, NUM_TILES
from ..feature_names import NUM_FEATURES

MOST_OFFERS: Final = 12  # pieces of a kind that are priced individually


class Weights(Record):
    """One record, so that a search can be tuned, and its results can include its weights."""

    piece_value: Array[float] = field("f4", NUM_KINDS)  # of a piece in itself
    unwanted: float = field("f4")  # share of it that a refined piece keeps if no order or store wants it
    later_stage: float = field("f4")  # discount factor of a stage's pay for every stage before it
    wanted: float = field("f4")  # share of a stage's pay that its pieces are worth before they are handed over
    space: float = field("f4")  # pounds for a space at today's store, while pieces for it are made
    tomorrow: float = field("f4")  # discount factor of a piece that stays on the belt overnight
    belt: float = field("f4")  # share of a piece's possible price that it reaches in the end
    coal: float = field("f4")  # pounds per coal on the first day; it falls to £1 on the last
    copied: float = field("f4")  # share of a copied piece's price
    pair: float = field("f4")  # share of the gain of two pieces that counts for each of them
    beans: float = field("f4")  # beans that the factory will use to the full on every remaining day
    kept: float = field("f4")  # discount factor of a piece that stays in the store room overnight
    open_stage: float = field("f4")  # share of an open stage's pay
    new_order: float = field("f4")  # pounds for an order to be drawn for a completed one
    variety: Array[float] = field("f4", NUM_STORES + 1)  # by number of markers above 0, before the last day
    race: float = field("f4")  # uncertainty of a lead on the last day, in spaces ...
    race_a_day: float = field("f4")  # ... and its increase for every day before it
    # the solo game: requirements of the face-up cards, and of cards to come
    won: float = field("f4")
    pound_missing: float = field("f4")
    spare_pound: float = field("f4")
    spare_money: float = field("f4")  # pounds beyond those required that may be of use
    order_missing: float = field("f4")  # a small one; 50 % more for each size
    spare_order: float = field("f4")
    chocolate_order: float = field("f4")
    step_missing: float = field("f4")
    spare_step: float = field("f4")
    spare_steps: float = field("f4")  # steps beyond those required that may be of use, per store
    learned: int = field("i1")  # not 0: `value` judges a day's end, not the numbers above
    value: AnyValue = field(value_dtype(NUM_FEATURES, NUM_DAYS))
    lead: int = field("i1")  # not 0: a plan maximizes the seat's lead over the best other seat
    foresight: int = field("i1")  # not 0: face-down demands are known; for analysis, never for an agent


# The least and the greatest number in a field, so that prices, which are products of many, stay finite in float32.
HAND_TUNED: Final[Limits] = (-(10**6), 10**6)
POSITIVE: Final[Limits] = (0.001, 10**6)  # pay is divided by the sum of these
SHARE: Final[Limits] = (0, 100)
SHARES: Final = ["unwanted", "later_stage", "wanted", "tomorrow", "belt", "copied", "pair", "kept", "open_stage"]
LIMITS: Final[Mapping[str, Limits]] = {
    **dict.fromkeys((name for name in Weights.dtype.names or () if name != "value"), HAND_TUNED),
    **dict.fromkeys(SHARES, SHARE),
    "piece_value": POSITIVE,
    "race": (0.1, 10**6),  # leads are divided by it
    "race_a_day": (0, 10**6),
    **dict.fromkeys(("constant", "weights"), (-MOST, MOST)),
}


def as_weights(weights: object) -> np.ndarray:
    """A copy of the weights, (1,) Weights.dtype; None: those of `evaluation_weights`.

    Raises:
        TypeError: not an array.
        ValueError: not (1,) Weights.dtype, or a number outside its limits; names the field.
    """
    return evaluation_weights() if weights is None else as_records("weights", weights, Weights.dtype, LIMITS)


def evaluation_weights() -> np.ndarray:
    """A copy of the weights, (1,) Weights.dtype; the caller may change it."""
    weights = np.zeros(1, Weights.dtype)
    weights["piece_value"] = (0.8, 1.2, 2.4, 2.4, 3.2, 3.2, 4.0)
    weights["unwanted"] = 0.45
    weights["later_stage"] = 0.7
    weights["wanted"] = 0.9
    weights["space"] = 1.8
    weights["tomorrow"] = 0.85
    weights["belt"] = 0.8
    weights["coal"] = 1.3
    weights["copied"] = 0.6
    weights["pair"] = 0.4
    weights["beans"] = 2.0
    weights["kept"] = 0.8
    weights["open_stage"] = 0.45
    weights["new_order"] = 3.0
    weights["variety"] = (0, 1.5, 4, 8, 14, 24)
    weights["won"] = 1000
    weights["pound_missing"] = 1.0
    weights["spare_pound"] = 0.25
    weights["spare_money"] = 10
    weights["order_missing"] = 14
    weights["spare_order"] = 3
    weights["chocolate_order"] = 14
    weights["step_missing"] = 18
    weights["spare_step"] = 1.2
    weights["spare_steps"] = 3
    weights["race"] = 0.7
    weights["race_a_day"] = 0.6
    return weights


class Prices(Record):
    """Prices, computed once per plan.

    `of_room[k, n]` for n pieces of kind k in the store room, `of_belt[t, k]` for a piece of kind k on tile t today,
    `later[t, k]` for the same piece from tomorrow on; `result` is `value_of_result` before it.
    """

    of_room: Array2[float] = field("f4", NUM_KINDS, MOST_OFFERS + 1)
    of_belt: Array2[float] = field("f4", NUM_TILES, NUM_KINDS)
    later: Array2[float] = field("f4", NUM_TILES, NUM_KINDS)
    result: float = field("f8")
    offers: Array2[float] = field("f4", NUM_KINDS, MOST_OFFERS)  # scratch
    steps: Array[float] = field("f4", NUM_STORES)  # scratch
    features: Array[float] = field("f4", NUM_FEATURES)  # scratch


WeightRows: TypeAlias = Annotated[np.ndarray, ArrayOf(Weights.dtype)]
OutPriceRows: TypeAlias = Annotated[np.ndarray, ArrayOf(Prices.dtype, written=True)]
