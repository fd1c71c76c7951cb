"""The action and observation pages of the documentation, made from the layouts."""

from __future__ import annotations

from collections.abc import Iterator

from ....core.text.layout_pages import TABLE_HEAD, action_lines, observation_head, rows_of, sizes
from ..actions import ACTIONS
from ..constants import MAX_PLAYERS, MIN_PLAYERS, Variety
from ..observation import observation_layout
from ..positions.serial import describe

PLAYERS = range(MIN_PLAYERS, MAX_PLAYERS + 1)


def describe_actions() -> Iterator[str]:
    """The lines of `docs/candyfactory/actions.md`."""
    return action_lines(ACTIONS, describe)


def describe_observations() -> Iterator[str]:
    """The lines of `docs/candyfactory/observations.md`."""
    yield from observation_head("Other players' hands and the order of decks never appear.")
    layouts = [observation_layout(players, Variety.FULL).blocks for players in PLAYERS]
    yield f"Size of the flat vector: {sizes(PLAYERS, layouts)}."
    yield ""
    yield from TABLE_HEAD
    yield from rows_of(PLAYERS, layouts, {})
