"""The names of a position's features, and where each block of features begins.

Features describe what cards do, not which cards they are, so a value learned with one deck can be used with another.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import Final, NamedTuple

from ...core.text.words import words_of
from .constants import MAX_PLAYERS, NUM_TILES, Function, Kind, Size, Store, Symbol

MOST_DIFFICULTY: Final = 3


class Places(NamedTuple):
    """Where each block of features begins, or its size."""

    # the hand-tuned evaluation and its parts
    hand_tuned: int
    result: int
    belt: int
    open_orders: int
    beans: int
    stock: int
    # what the seat has
    money: int
    coal: int
    room: int
    pieces: int
    on_tile: int
    later: int
    # what its factory can do
    functions: int
    cost: int
    takes: int
    makes: int
    amounts: int
    doubled: int
    # tracks and orders
    track: int
    supplied: int
    variety: int
    completed: int
    to_replace: int
    completed_sizes: int
    sizes: int
    open_pay: int
    open_stages: int
    next_pay: int
    asked: int
    covered: int
    expansion: int
    # the others
    turn: int
    others_money: int
    others_coal: int
    others_orders: int
    others_prizes: int
    others_stores: int
    others_track: int
    likely_prize: int
    # the solo game
    difficulty: int
    money_missing: int
    spare_money: int
    orders_missing: int
    any_missing: int
    special_missing: int
    face_down: int
    chocolate_orders: int
    chocolate_kinds: int
    steps_missing: int
    spare_steps: int
    store_missing: int
    all_steps: int
    all_spare: int
    satisfied: int


KINDS, STORES, SIZES, SYMBOLS = words_of(Kind), words_of(Store), words_of(Size), words_of(Symbol)
TILES = tuple(f"tile_{tile}" for tile in range(NUM_TILES))
# The entries of blocks that have several.
ENTRIES: Final[Mapping[str, tuple[str, ...]]] = {
    "room": KINDS,
    "pieces": KINDS,
    "on_tile": TILES,
    "later": tuple(f"{tile}.{kind}" for tile in TILES for kind in KINDS),
    "functions": words_of(Function),
    "takes": SYMBOLS,
    "makes": SYMBOLS,
    "amounts": words_of(Function),
    "track": STORES,
    "completed_sizes": SIZES,
    "sizes": SIZES,
    "asked": KINDS,
    "covered": KINDS,
    "turn": tuple(str(turn) for turn in range(MAX_PLAYERS)),
    "others_track": STORES,
    "likely_prize": STORES,
    "difficulty": tuple(str(difficulty) for difficulty in range(MOST_DIFFICULTY + 1)),
    "orders_missing": SIZES,
    "chocolate_kinds": KINDS,
    "steps_missing": STORES,
    "spare_steps": STORES,
    "store_missing": STORES,
    "satisfied": ("steps", "chocolate_orders", "money", "orders"),
}
FEATURES: Final = tuple(
    f"{block}.{entry}" if entry else block for block in Places._fields for entry in ENTRIES.get(block, ("",))
)
NUM_FEATURES: Final = len(FEATURES)
AT: Final = Places(*accumulate((len(ENTRIES.get(block, ("",))) for block in Places._fields[:-1]), initial=0))
