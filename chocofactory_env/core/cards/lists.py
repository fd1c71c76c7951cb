"""Lists of decks, as `decks=` names them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import repeat
from os import PathLike
from typing import Any, Final

from ..messages import shown
from .generated import PREFIX, is_generated, seed_and_stray

RANGE: Final = re.compile(rf"{PREFIX}([0-9]{{1,9}})-([0-9]{{1,9}})((?:,.*)?)")
MOST_DECKS: Final = 1_000_000
SHIPPED: Final = "shipped"  # the name of the game's own deck, which None stands for
OFTEN: Final = re.compile(rf"{SHIPPED}(?:\*([1-9][0-9]{{0,5}}))?")

Decks = str | PathLike[str] | Sequence[str | PathLike[str] | None] | None


def decks_of(decks: Any) -> list[Any]:
    """List the decks that `decks` names: `"generated:100-199"` is a hundred, and `"shipped"` the game's own, as None.

    `"shipped*20"` is twenty times the game's own, for a list of which it is to be a certain share.

    Raises:
        TypeError: `decks` is neither a deck nor a list of decks.
        ValueError: there is no deck, a range that goes down, or more than MOST_DECKS decks.
        DeckError: there is no generated deck of that name.
    """
    given = [decks] if isinstance(decks, str | PathLike) else decks
    if not isinstance(given, Sequence):
        raise TypeError(f'decks: expected decks in a list, or a range as "{PREFIX}100-199", got {shown(decks)}')
    listed: list[Any] = []
    for deck in given:
        listed.extend(_in_range(deck))
        if len(listed) > MOST_DECKS:
            raise ValueError(f"decks: expected at most {MOST_DECKS:,}, got more with {shown(deck)}")
    if not listed:
        raise ValueError("decks: expected one or more, got none")
    return listed


def _in_range(deck: Any) -> Iterable[Any]:
    if isinstance(deck, str) and (often := OFTEN.fullmatch(deck)):
        return repeat(None, int(often[1] or 1))
    found = RANGE.fullmatch(deck) if isinstance(deck, str) else None
    if found is None:
        if is_generated(deck):
            seed_and_stray(deck)
        return [deck]
    first, last = int(found[1]), int(found[2])
    if last < first:
        raise ValueError(f"decks: expected a range from the lower seed to the higher, got {shown(deck)}")
    seed_and_stray(f"{PREFIX}{last}{found[3]}")
    return (f"{PREFIX}{seed}{found[3]}" for seed in range(first, min(last, first + MOST_DECKS) + 1))
