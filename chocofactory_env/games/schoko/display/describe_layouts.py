"""The action and observation pages of the documentation, made from the layouts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ....core.text.layout_pages import TABLE_HEAD, action_lines, observation_head, rows_of, sizes
from ..actions import ACTIONS
from ..constants import MAX_PLAYERS, MIN_PLAYERS
from ..observation import observation_layout
from ..positions.serial import describe

PLAYERS: Final = range(MIN_PLAYERS, MAX_PLAYERS + 1)


def describe_actions() -> Iterator[str]:
    """The lines of `docs/schoko/actions.md`."""
    yield from action_lines(ACTIONS, describe)


def describe_observations() -> Iterator[str]:
    """The lines of `docs/schoko/observations.md`."""
    layouts = [observation_layout(players).blocks for players in PLAYERS]
    yield from observation_head("Secret information never appears in another seat's observation.")
    yield f"Size of the flat vector: {sizes(PLAYERS, layouts)}."
    yield ""
    yield from TABLE_HEAD
    yield from rows_of(PLAYERS, layouts, {})
