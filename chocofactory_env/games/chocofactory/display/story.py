"""Words that tell a turn in one line."""

from __future__ import annotations

from typing import Any, Final

from ....core.text.stories import StoryWords
from ....core.text.words import words_of
from ..rules.end import Source
from .describe_cards import counted

STORY: Final = StoryWords(
    phrases=(
        (r"places (?P<what>.+?) on slot", "built", "{what}"),
        (r"recruits (?P<what>.+)", "hired", "{what}"),
        (r"makes (?P<n>\d+) (?P<what>\w+)", "made", "{n:{what}}"),
        (r"completes stage \d+ of (?P<what>.+) with .* for £\d+$", "delivered to", "{what}"),
        (r"chooses stage \d+ of (?P<what>.+)", "delivered to", "{what}"),  # employees' actions
        (r"skips stage \d+ of (?P<what>.+)", "skipped a stage of", "{what}"),
        (r"supplies (?P<what>.+)", "supplied", "{what}"),
        (r"sends (?P<n>\d+) (?P<what>\w+) (down the Chute|to the store room)", "stored", "{n:{what}}"),
        (r"takes the \w+ order (?P<what>.+)", "took the order", "{what}"),
        (r"trades (?P<n>\d+) (?P<what>\w+)", "traded", "{n:{what}}"),
    ),
    amount=lambda amount: f"£{amount}",
    purse=lambda state, seat: int(state["players"]["money"][0, seat]),
    counted=counted,
)


# --- the account at the end of the game


def sources(game: Any, end: Any) -> dict[str, tuple[int, ...]]:
    """The money of every seat, by source (END-2 to END-5)."""
    words = [word.replace("_", " ") for word in words_of(Source)]
    return dict(zip(words, map(tuple, game.score_sheets(end).T.tolist()), strict=True))
