"""The action and observation pages of the documentation, made from the layouts."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.describe import action_table, block_sizes, block_table
from .actions import ACTIONS
from .constants import MAX_PLAYERS
from .observation import expansion_blocks, observation_layout
from .serial import describe


def describe_actions() -> Iterator[str]:
    """The lines of `docs/chocofactory/actions.md`."""
    yield "# Actions"
    yield ""
    yield "Generated from the action layout: do not edit. What a step means is on the [protocol page](protocol.md)."
    yield ""
    yield from action_table(ACTIONS, describe)


PLAYERS = range(1, MAX_PLAYERS + 1)


def describe_observations() -> Iterator[str]:
    """The lines of `docs/chocofactory/observations.md`."""
    yield "# Observations"
    yield ""
    yield "Generated from the observation layout: do not edit. P is the number of players."
    yield ""
    yield (
        "A seat sees named tensors, all of them views of one flat vector. Players are listed from the observer on, "
        "clockwise. Values are whole numbers from 0 to *high*; environments give them as float32 divided by *high*. "
        "What lies face down is nowhere in it."
    )
    yield ""
    yield (
        "Play can pass some highs, and the table says which: more is then shown as the high. No other value can pass "
        "its high, because a [deck](decks.md#limits) whose cards could is refused."
    )
    yield ""
    base = {players: observation_layout(players).blocks for players in PLAYERS}
    yield f"Size of the flat vector: {block_sizes(base)}."
    yield ""
    yield from block_table(base)
    yield ""
    yield (
        "The solo game's blocks are those of difficulty 0; every further demand adds a row to `open_boxes` and to "
        "`chocolate_orders`."
    )
    yield ""
    yield "## With the expansion Master Chocolatier"
    yield ""
    expanded = {players: observation_layout(players, expanded=True).blocks for players in PLAYERS}
    yield f"The blocks above, unchanged, and behind them these. Size of the flat vector: {block_sizes(expanded)}."
    yield ""
    yield from block_table({players: expansion_blocks(players) for players in PLAYERS})
