"""What the generated pages of a game's actions and observations are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from .layout import ActionLayout, Block


def action_table(actions: ActionLayout, describe: Callable[[int], str]) -> Iterator[str]:
    """A table of the verbs; `describe`: an action in words."""
    yield f"One flat space of {actions.size} actions, the same for every variant and every deck."
    yield ""
    yield "| verb | numbers | first and last in words |"
    yield "|---|---|---|"
    for verb, count in actions.verbs:
        first = actions.first[verb]
        last = first + count - 1
        numbers = f"{first}–{last}" if count > 1 else f"{first}"
        text = f"{describe(first)} … {describe(last)}" if count > 1 else describe(first)
        yield f"| `{verb}` | {numbers} | {text} |"


def block_sizes(layouts: Mapping[int, Sequence[Block]]) -> str:
    """The size of the flat vector for every number of players; `layouts`: number of players -> blocks."""
    sizes = {players: sum(block.size for block in blocks) for players, blocks in layouts.items()}
    return ", ".join(f"{size} (P = {players})" for players, size in sizes.items())


def block_table(layouts: Mapping[int, Sequence[Block]]) -> Iterator[str]:
    """A table of the first layout's blocks and the shapes of the first two; `layouts`: number of players -> blocks."""
    first, second = list(layouts)[:2]
    yield f"| block | P = {first} | P = {second} | high | what it shows |"
    yield "|---|---|---|---|---|"
    for block in layouts[first]:
        same = {players: other for players, blocks in layouts.items() for other in blocks if other.name == block.name}
        shape_of_second = same[second].shape if second in same else "–"
        highs = [str(other.high) for other in same.values()]
        high = f"{', '.join(highs)} (P = {min(same)} to {max(same)})" if len(set(highs)) > 1 else highs[0]
        clipped = " More is shown as the high." if block.clipped else ""
        entries = f" Last axis: {', '.join(block.entries)}." if block.entries else ""
        yield f"| `{block.name}` | {block.shape} | {shape_of_second} | {high} | {block.meaning}.{clipped}{entries} |"
