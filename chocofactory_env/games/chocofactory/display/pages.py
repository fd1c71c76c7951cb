"""The generated pages of `docs/chocofactory/`: `make site`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from ....core.text.layout_pages import action_lines, observation_head, sizes, table_of
from ..actions import ACTIONS
from ..constants import MAX_PLAYERS
from ..layout import completed_blocks, expansion_blocks, observation_layout, together_blocks
from ..words import describe
from .describe_cards import describe as describe_cards

PLAYERS = range(1, MAX_PLAYERS + 1)


def describe_observations() -> Iterator[str]:
    """The lines of the page up to the actions."""
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
    yield from table_of(PLAYERS, base, named)
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
    yield from table_of(PLAYERS, [expansion_blocks(players) for players in PLAYERS], named)
    yield ""
    yield '## With `solo_money="completed"`'
    yield ""
    yield "The blocks of the solo game, followed by these."
    yield ""
    yield from table_of(PLAYERS[:1], [completed_blocks()], named)
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
    yield from table_of(PLAYERS, [together_blocks(players) for players in PLAYERS], named)


WITH_ALL_CARDS: Final = {"expansion": "master_chocolatier"}  # options with which every card is in the game

# name -> the lines of the page
PAGES: Final[dict[str, Callable[[], Iterable[str]]]] = {
    "card-list": lambda: describe_cards().splitlines(),
    "observations": lambda: [*describe_observations(), *action_lines(ACTIONS, describe)],
}
