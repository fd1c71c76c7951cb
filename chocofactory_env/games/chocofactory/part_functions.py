"""What factory parts can do, for decks, texts and pictures: one row for every `constants.Function` but NOTHING.

The rules of a function stand in `rules/parts.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from .constants import Function, Symbol

BY_OPTIONS: Final = "by the part's options"
MAX_POINTS: Final = 5
MAX_COPIES: Final = 3


class PartFunction(NamedTuple):
    """`words` and `picture` hold `{steps}` and `{times}` where the part's amount stands.

    words: in the list of cards, or BY_OPTIONS. picture: a line on the part's face, of words and pictograms; "→" is one.
    costs: whether a deck gives the part's `cost`. most: its `amount` is 1 to so many; 0: it has none.
    """

    words: str
    picture: tuple[str | Symbol, ...] = ()
    costs: bool = True
    most: int = 0


PART_FUNCTIONS: Final[Mapping[Function, PartFunction]] = {
    Function.CONVERTER: PartFunction(BY_OPTIONS),
    Function.UPGRADER: PartFunction("{steps}", ("{steps}",), most=MAX_POINTS),
    Function.REPEATER: PartFunction("copy a piece {times}", ("copy", Symbol.ANY, "{times}"), most=MAX_COPIES),
    Function.CHUTE: PartFunction("pieces of choice to the store room", (Symbol.ANY, "→", "store\xa0room"), costs=False),
}
