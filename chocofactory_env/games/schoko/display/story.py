"""How a turn is told in one line."""

from __future__ import annotations

from typing import Final

from ....core.text.stories import StoryWords

STORY: Final = StoryWords(
    phrases=(
        (r"pays \d+ and looks", "looked at the event", ""),
        (r"employs (?P<n>\d+) (?P<what>\w+)", "employed", "{n} {what}"),
        (r"lays off a (?P<what>\w+)", "laid off a", "{what}"),
        (r"announces (?P<n>\d+) bars?", "announced", "{n:bar} of cocoa"),
        (r"bids for (?P<n>\d+) bars? in (?P<what>.+)", "bid", "for {n:bar} in {what}"),
        (r"has made a sealed bid in (?P<what>.+)", "bid in", "{what}"),
        (r"makes (?P<n>\d+) bars?", "made", "{n:bar} of chocolate"),
        (r"takes (?P<what>.+) at \d+$", "sold to", "{what}"),
        (r"refuses (?P<what>.+?)( \(forced\))?$", "refused", "{what}"),
        (r"stays away from (?P<what>.+?)( \(forced\))?$", "stayed away from", "{what}"),
        (r"comes to (?P<what>.+?)( \(forced\))?$", "came to", "{what}"),
        (r"the chairman, raises the price of (?P<what>.+)", "raised", "the price of {what}"),
        (r"plays (?P<what>.+?)( on .+)?:", "played", "{what}"),
        (r"sells (?P<n>\d+) bars? of chocolate to the bank", "sold", "{n:bar} to the bank"),
        (r"sells (?P<n>\d+) shares?", "sold", "{n:share}"),
        (r"buys (?P<n>\d+) shares?", "bought", "{n:share}"),
        (r"(takes a loan)", "took a loan", ""),
        (r"repays", "repaid a loan", ""),
    ),
    amount=str,
    purse=lambda state, seat: int(state["players"]["cash"][0, seat]),
)
