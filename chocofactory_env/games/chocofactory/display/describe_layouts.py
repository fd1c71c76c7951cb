"""The action and observation pages of the documentation, made from the layouts."""

from __future__ import annotations

from collections.abc import Iterator

from ....core.text.layout_pages import TABLE_HEAD, action_lines, observation_head, rows_of, sizes
from ..actions import ACTIONS
from ..constants import MAX_PLAYERS
from ..observation import expansion_blocks, observation_layout, together_blocks
from ..positions.serial import describe


def describe_actions() -> Iterator[str]:
    """The lines of `docs/chocofactory/actions.md`."""
    return action_lines(ACTIONS, describe)


PLAYERS = range(1, MAX_PLAYERS + 1)


def describe_observations() -> Iterator[str]:
    """The lines of `docs/chocofactory/observations.md`."""
    yield from observation_head("Face-down cards never appear.")
    yield (
        "Only clipped blocks can exceed their highs, because a [deck](decks.md#limits) whose cards could exceed "
        "another is rejected."
    )
    yield ""
    named: dict[tuple[str, ...], str] = {}
    base = [layout.blocks for layout in map(observation_layout, PLAYERS)]
    yield f"Size of the flat vector: {sizes(PLAYERS, base)}."
    yield ""
    yield from TABLE_HEAD
    yield from rows_of(PLAYERS, base, named)
    yield ""
    yield (
        "The solo game is shown at difficulty 0. Each further demand adds a row to `open_boxes` and to "
        "`chocolate_orders`."
    )
    yield ""
    yield "## With the expansion Master Chocolatier"
    yield ""
    expanded = [observation_layout(players, expanded=True).blocks for players in PLAYERS]
    yield f"The blocks above, followed by these. Size of the flat vector: {sizes(PLAYERS, expanded)}."
    yield ""
    yield from TABLE_HEAD
    yield from rows_of(PLAYERS, [expansion_blocks(players) for players in PLAYERS], named)
    yield ""
    yield "## In simultaneous mode"
    yield ""
    together = [observation_layout(players, simultaneous=True).blocks for players in PLAYERS]
    yield (
        "The blocks of the base game, or of the expansion, followed by these. While all seats act, `shift`, "
        "`operated`, `assigned`, and `task` with the blocks that begin with `task_` show the observer's own move; "
        "`to_move` marks every seat that has not ended the phase. "
        f"Size of the flat vector in the base game: {sizes(PLAYERS, together)}."
    )
    yield ""
    yield from TABLE_HEAD
    yield from rows_of(PLAYERS, [together_blocks(players) for players in PLAYERS], named)
