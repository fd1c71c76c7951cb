"""The action and observation pages of the documentation, made from the layouts."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.describe import action_table, block_sizes, block_table
from .actions import ACTIONS
from .constants import MAX_PLAYERS, MIN_PLAYERS
from .observation import observation_layout
from .serial import describe


def describe_actions() -> Iterator[str]:
    """The lines of `docs/schoko/actions.md`."""
    yield "# Actions"
    yield ""
    yield "Generated from the action layout: do not edit. What a step means is on the [protocol page](protocol.md)."
    yield ""
    yield from action_table(ACTIONS, describe)


def describe_observations() -> Iterator[str]:
    """The lines of `docs/schoko/observations.md`."""
    layouts = {players: observation_layout(players).blocks for players in range(MIN_PLAYERS, MAX_PLAYERS + 1)}
    yield "# Observations"
    yield ""
    yield "Generated from the observation layout: do not edit. P is the number of players."
    yield ""
    yield (
        "A seat sees named tensors, all of them views of one flat vector. Players are listed from the observer on, "
        "clockwise. Values are whole numbers from 0 to *high*; environments give them as float32 divided by *high*. "
        "What is secret is in no other seat's observation."
    )
    yield ""
    yield f"Size of the flat vector: {block_sizes(layouts)}."
    yield ""
    yield from block_table(layouts)
