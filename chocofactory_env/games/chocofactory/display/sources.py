"""What the money of a game is made of, for the account at its end."""

from __future__ import annotations

from typing import Any

from ....core.text.words import words_of
from ..rules.end import Source


def sources(game: Any, end: Any) -> dict[str, tuple[int, ...]]:
    """By source, the money of every seat (END-2 to END-5)."""
    words = [word.replace("_", " ") for word in words_of(Source)]
    return dict(zip(words, map(tuple, game.score_sheets(end).T.tolist()), strict=True))
