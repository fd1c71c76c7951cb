"""The pages of `docs/candyfactory/` that are generated: `make site`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from ....core.text.layout_pages import action_lines, observation_head, sizes, table_of
from ..actions import ACTIONS
from ..constants import MAX_PLAYERS, MIN_PLAYERS
from ..layout import observation_layout
from ..words import describe
from .describe_cards import describe as describe_cards


def describe_observations() -> Iterator[str]:
    """The lines of the page up to the actions."""
    players = range(MIN_PLAYERS, MAX_PLAYERS + 1)
    layouts = [observation_layout(number).blocks for number in players]
    yield from observation_head("Other players' hands and the order of decks never appear.")
    yield f"Size of the flat vector: {sizes(players, layouts)}."
    yield ""
    yield from table_of(players, layouts, {})


# name -> the lines of the page
PAGES: Final[dict[str, Callable[[], Iterable[str]]]] = {
    "card-list": lambda: describe_cards().splitlines(),
    "observations": lambda: [*describe_observations(), *action_lines(ACTIONS, describe)],
}
