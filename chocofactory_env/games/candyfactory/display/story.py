"""How a turn is told in one line."""

from __future__ import annotations

from typing import Final

from ....core.text.stories import StoryWords
from ....core.text.words import counted

STORY: Final = StoryWords(
    phrases=(
        (r"plays (the )?(?P<what>.+)", "played", "{what}"),
        (r"calls a shift change", "called a shift change", ""),
        (r"brings (?P<n>\d+) (?P<what>.+?) from", "brought", "{n} {what}"),
        (r"ships (?P<n>\d+) (?P<what>.+?) into", "shipped", "{n} {what}"),
        (r"mixes", "mixed", "{n} chocolate"),
        (r"makes (?P<n>\d+) (?P<what>.+)", "made", "{n} {what}"),
        (r"sells (?P<n>\d+) (?P<what>.+)", "sold", "{n} {what}"),
        (r"decorates (?P<n>\d+) (?P<what>.+)", "decorated", "{n} {what}"),
        (r"hires (?P<what>.+)", "hired", "{what}"),
        (r"gives up the (?P<what>.+)", "gave up", "{what}"),
    ),
    amount=lambda amount: counted(amount, "coin"),
    purse=lambda state, seat: int(state["seats"]["coins"][0, seat]),
)
