"""What the pages of actions and observations of all games have in common, made from the layouts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ..observation.layout import ActionLayout, Block


def action_lines(layout: ActionLayout, describe: Callable[[int], str]) -> Iterator[str]:
    """The page of the actions; `describe` says them in words."""
    yield "# Actions"
    yield ""
    yield "Generated from the action layout: do not edit. What a step means is on the [protocol page](protocol.md)."
    yield ""
    yield f"One flat space of {layout.size} actions, the same for every variant and every deck."
    yield ""
    yield "| verb | numbers | first and last in words |"
    yield "|---|---|---|"
    for verb, count in layout.verbs:
        first = layout.first[verb]
        last = first + count - 1
        numbers = f"{first}–{last}" if count > 1 else f"{first}"
        text = f"{describe(first)} … {describe(last)}" if count > 1 else describe(first)
        yield f"| `{verb}` | {numbers} | {text} |"


def observation_head(secret: str) -> Iterator[str]:
    """The beginning of the page of the observations; `secret`: a sentence about what is in none of them."""
    yield "# Observations"
    yield ""
    yield "Generated from the observation layout: do not edit. P is the number of players."
    yield ""
    yield (
        "A seat sees named tensors, all of them views of one flat vector. Players are listed from the observer on, "
        "clockwise. Values are whole numbers from 0 to *high*; environments give them as float32 divided by *high*. "
        f"{secret}"
    )
    yield ""


def sizes(players: Sequence[int], layouts: Sequence[Sequence[Block]]) -> str:
    """The size of the flat vector for every number of players; `layouts` are the blocks of each."""
    totals = (sum(block.size for block in blocks) for blocks in layouts)
    return ", ".join(f"{size} (P = {number})" for number, size in zip(players, totals, strict=True))


def table_head(players: Sequence[int]) -> Iterator[str]:
    """`players`: the numbers of players whose shapes are shown."""
    yield f"| block | {' | '.join(f'P = {number}' for number in players)} | high | what it shows |"
    yield "|" + "---|" * (3 + len(players))


def rows_of(players: Sequence[int], layouts: Sequence[Sequence[Block]], shapes: int = 2) -> Iterator[str]:
    """The lines of a table of blocks: those of the fewest players, which all others have, too.

    The first so many of the layouts are shown with their `shapes`.
    """
    for block in layouts[0]:
        same = [other for blocks in layouts for other in blocks if other.name == block.name]
        shown = [str(other.shape) for other in same[:shapes]]
        shown += ["–"] * (shapes - len(shown))
        highs = [str(other.high) for other in same]
        numbers = f"P = {players[0]} to {players[-1]}"
        high = f"{', '.join(highs)} ({numbers})" if len(set(highs)) > 1 else highs[0]
        clipped = " More is shown as the high." if block.clipped else ""
        entries = f" Last axis: {', '.join(block.entries)}." if block.entries else ""
        yield f"| `{block.name}` | {' | '.join(shown)} | {high} | {block.meaning}.{clipped}{entries} |"
