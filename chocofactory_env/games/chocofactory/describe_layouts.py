"""The action and observation pages of the documentation, made from the layouts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.layout import Block
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
    yield f"One flat space of {ACTIONS.size} actions, the same for every variant and every deck."
    yield ""
    yield "| verb | numbers | first and last in words |"
    yield "|---|---|---|"
    for verb, count in ACTIONS.verbs:
        first = ACTIONS.first[verb]
        last = first + count - 1
        numbers = f"{first}–{last}" if count > 1 else f"{first}"
        text = f"{describe(first)} … {describe(last)}" if count > 1 else describe(first)
        yield f"| `{verb}` | {numbers} | {text} |"


PLAYERS = range(1, MAX_PLAYERS + 1)
TABLE_HEAD = ("| block | P = 1 | P = 2 | high | what it shows |", "|---|---|---|---|---|")


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
    base = [layout.blocks for layout in map(observation_layout, PLAYERS)]
    yield f"Size of the flat vector: {sizes(base)}."
    yield ""
    yield from TABLE_HEAD
    yield from rows_of(base)
    yield ""
    yield (
        "The solo game's blocks are those of difficulty 0; every further demand adds a row to `open_boxes` and to "
        "`chocolate_orders`."
    )
    yield ""
    yield "## With the expansion Master Chocolatier"
    yield ""
    expanded = [observation_layout(players, expanded=True).blocks for players in PLAYERS]
    yield f"The blocks above, unchanged, and behind them these. Size of the flat vector: {sizes(expanded)}."
    yield ""
    yield from TABLE_HEAD
    yield from rows_of([expansion_blocks(players) for players in PLAYERS])


def sizes(layouts: Sequence[Sequence[Block]]) -> str:
    """The size of the flat vector for every number of players; `layouts` are its blocks."""
    totals = (sum(block.size for block in blocks) for blocks in layouts)
    return ", ".join(f"{size} (P = {players})" for players, size in zip(PLAYERS, totals, strict=True))


def rows_of(layouts: Sequence[Sequence[Block]]) -> Iterator[str]:
    """The lines of a table of the solo game's blocks, which are those of all numbers of players and more."""
    for block in layouts[0]:
        same = [other for blocks in layouts for other in blocks if other.name == block.name]
        shape_of_two = same[1].shape if len(same) > 1 else "–"
        highs = [str(other.high) for other in same]
        high = f"{', '.join(highs)} (P = 1 to {MAX_PLAYERS})" if len(set(highs)) > 1 else highs[0]
        clipped = " More is shown as the high." if block.clipped else ""
        entries = f" Last axis: {', '.join(block.entries)}." if block.entries else ""
        yield f"| `{block.name}` | {block.shape} | {shape_of_two} | {high} | {block.meaning}.{clipped}{entries} |"
