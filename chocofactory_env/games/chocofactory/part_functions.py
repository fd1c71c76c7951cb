"""What factory parts do, for decks, texts, and pictures: a row for every `constants.Function` except NOTHING.

For their rules see `rules/parts.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from .constants import Function, Symbol

BY_OPTIONS: Final = "by the part's options"
MAX_POINTS: Final = 5
MAX_COPIES: Final = 3


class PartFunction(NamedTuple):
    """How decks, texts, and pictures show a function. `{steps}` and `{times}` stand for the part's amount.

    words: for the list of cards, or BY_OPTIONS. picture: words and signs on the part's face.
    costs: whether the deck states the part's `cost`. most: the largest `amount`, from 1; 0 if the part has none.
    """

    words: str
    picture: tuple[str | Symbol, ...] = ()
    costs: bool = True
    most: int = 0


PART_FUNCTIONS: Final[Mapping[Function, PartFunction]] = {
    Function.CONVERTER: PartFunction(BY_OPTIONS),
    Function.UPGRADER: PartFunction("{steps}", ("{steps}",), most=MAX_POINTS),
    Function.REPEATER: PartFunction("copy a piece {times}", ("copy", Symbol.ANY, "{times}"), most=MAX_COPIES),
    Function.CHUTE: PartFunction("pieces of choice to the store room", (Symbol.ANY, "→", ":store room"), costs=False),
}
