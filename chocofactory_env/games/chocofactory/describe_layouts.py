"""The action and observation tables of the documentation, made from the layouts.

`python -m chocofactory_env.games.chocofactory.describe_layouts actions` (or `observations`) prints a page of `docs/`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from ...core.layout import Block
from .actions import ACTIONS
from .constants import MAX_PLAYERS
from .observation import expansion_blocks, observation_layout
from .serial import describe


def describe_actions() -> Iterator[str]:
    """The lines of `docs/actions.md`."""
    yield "# Actions"
    yield ""
    yield "Generated from the action layout: do not edit. What a step means is on the [protocol page](protocol.md)."
    yield ""
    yield f"One flat space of {ACTIONS.size} actions, the same for every variant and every deck."
    yield ""
    yield "| verb | numbers | first and last in words |"
    yield "|---|---|---|"
    for verb, count in ACTIONS.verbs:
        first = ACTIONS.first[verb]
        last = first + count - 1
        numbers = f"{first}–{last}" if count > 1 else f"{first}"
        said = f"{describe(first)} … {describe(last)}" if count > 1 else describe(first)
        yield f"| `{verb}` | {numbers} | {said} |"


def describe_observations() -> Iterator[str]:
    """The lines of `docs/observations.md`."""
    yield "# Observations"
    yield ""
    yield "Generated from the observation layout: do not edit. P is the number of players."
    yield ""
    yield (
        "A seat sees named tensors, all of them views of one flat vector. Players are listed from the observer on, "
        "clockwise. Values are whole numbers from 0 to *high*; environments give them as float32 divided by *high*. "
        "Counts of pieces, coal and money beyond *high* are shown as *high*. What lies face down is nowhere in it."
    )
    yield ""
    sizes = {players: observation_layout(players).size for players in range(1, MAX_PLAYERS + 1)}
    yield "Size of the flat vector: " + ", ".join(f"{size} (P = {players})" for players, size in sizes.items()) + "."
    several, solo = observation_layout(2), observation_layout(1)
    shared = {block.name for block in several.blocks}
    yield ""
    yield "| block | P = 1 | P = 2 | high | what it shows |"
    yield "|---|---|---|---|---|"
    shapes = {block.name: block.shape for block in several.blocks}
    for block in solo.blocks:
        yield row_of(block, shapes[block.name] if block.name in shared else "–")
    yield ""
    yield (
        "The solo game's blocks are those of difficulty 0; every further demand adds a row to `open_boxes` and to "
        "`chocolate_orders`."
    )
    yield ""
    yield "## With the expansion Master Chocolatier"
    yield ""
    sizes = {players: observation_layout(players, expanded=True).size for players in range(1, MAX_PLAYERS + 1)}
    said = ", ".join(f"{size} (P = {players})" for players, size in sizes.items())
    yield f"The blocks above, unchanged, and behind them these. Size of the flat vector: {said}."
    yield ""
    yield "| block | P = 1 | P = 2 | high | what it shows |"
    yield "|---|---|---|---|---|"
    for block, of_two in zip(expansion_blocks(1), expansion_blocks(2), strict=True):
        yield row_of(block, of_two.shape)


def row_of(block: Block, shape_of_two: object) -> str:
    """A line of the table of blocks."""
    entries = f" Last axis: {', '.join(block.entries)}." if block.entries else ""
    return f"| `{block.name}` | {block.shape} | {shape_of_two} | {block.high} | {block.meaning}.{entries} |"


PAGES: dict[str, Callable[[], Iterator[str]]] = {"actions": describe_actions, "observations": describe_observations}


if __name__ == "__main__":
    if sys.argv[1:] not in ([page] for page in PAGES):
        sys.exit(f"expected one of: {', '.join(PAGES)}")
    print("\n".join(PAGES[sys.argv[1]]()))
