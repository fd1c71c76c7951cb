"""Names of people and agents in place of "Player 0"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

SEAT: Final = re.compile(r"\b[Pp]layer ([0-9])\b")  # a seat in the words of games


def named(words: str, names: Sequence[str]) -> str:
    """The words with names instead of seats. names: of all seats, in order."""
    by_seat = {str(seat): name for seat, name in enumerate(names)}
    return SEAT.sub(lambda found: by_seat.get(found[1], found[0]), words)  # a card may be named after another seat
