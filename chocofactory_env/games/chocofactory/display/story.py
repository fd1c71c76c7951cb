"""How a turn is told in one line, and where a score came from."""

from __future__ import annotations

from typing import Any, Final

from ....core.text.events import StoryWords
from ....core.text.words import words_of
from ..rules.end import Source
from .describe_cards import counted

STORY: Final = StoryWords(
    amount=lambda amount: f"£{amount}",
    purse=lambda state, seat: int(state["players"]["money"][0, seat]),
    counted=counted,
)


# --- the account at the end of the game


def sources(game: Any, end: Any) -> dict[str, tuple[int, ...]]:
    """The money of every seat, by source (END-2 to END-5)."""
    words = [word.replace("_", " ") for word in words_of(Source)]
    return dict(zip(words, map(tuple, game.score_sheets(end).T.tolist()), strict=True))
