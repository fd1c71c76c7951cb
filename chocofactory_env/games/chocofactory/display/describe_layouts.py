"""The action and observation pages of the documentation, made from the layouts."""

from __future__ import annotations

from collections.abc import Iterator

from ....core.text.layout_pages import action_lines, observation_head, rows_of, sizes, table_head
from ..actions import ACTIONS
from ..constants import MAX_PLAYERS
from ..observation import expansion_blocks, observation_layout, together_blocks
from ..positions.serial import describe


def describe_actions() -> Iterator[str]:
    """The lines of `docs/chocofactory/actions.md`."""
    return action_lines(ACTIONS, describe)


PLAYERS = range(1, MAX_PLAYERS + 1)
SHOWN = PLAYERS[:2]  # whose shapes are shown


def describe_observations() -> Iterator[str]:
    """The lines of `docs/chocofactory/observations.md`."""
    yield from observation_head("What lies face down is nowhere in it.")
    yield (
        "Play can pass some highs, and the table says which: more is then shown as the high. No other value can pass "
        "its high, because a [deck](decks.md#limits) whose cards could is refused."
    )
    yield ""
    base = [layout.blocks for layout in map(observation_layout, PLAYERS)]
    yield f"Size of the flat vector: {sizes(PLAYERS, base)}."
    yield ""
    yield from table_head(SHOWN)
    yield from rows_of(PLAYERS, base)
    yield ""
    yield (
        "The solo game's blocks are those of difficulty 0; every further demand adds a row to `open_boxes` and to "
        "`chocolate_orders`."
    )
    yield ""
    yield "## With the expansion Master Chocolatier"
    yield ""
    expanded = [observation_layout(players, expanded=True).blocks for players in PLAYERS]
    yield f"The blocks above, unchanged, and behind them these. Size of the flat vector: {sizes(PLAYERS, expanded)}."
    yield ""
    yield from table_head(SHOWN)
    yield from rows_of(PLAYERS, [expansion_blocks(players) for players in PLAYERS])
    yield ""
    yield "## In simultaneous mode"
    yield ""
    together = [observation_layout(players, simultaneous=True).blocks for players in PLAYERS]
    yield (
        "The blocks of the base game, or of the expansion, and behind them these. While all act, `task` and what "
        "follows it, `shift`, `operated` and `assigned` are the observer's own, and `to_move` marks everybody who has "
        f"not ended the phase. Size of the flat vector in the base game: {sizes(PLAYERS, together)}."
    )
    yield ""
    yield from table_head(SHOWN)
    yield from rows_of(PLAYERS, [together_blocks(players) for players in PLAYERS])
