"""Shared parts of the pages of observations and actions, made from the layouts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ..observation.layout import ActionLayout, Block


def action_lines(layout: ActionLayout, describe: Callable[[int], str]) -> Iterator[str]:
    """The end of the page, about actions; `describe` puts an action into words."""
    yield ""
    yield "## Actions"
    yield ""
    yield (
        f"One flat space of {layout.size} actions, the same for every variant and every deck. "
        "The [protocol](protocol.md) explains the verbs."
    )
    yield ""
    yield "| verb | numbers | first and last in words |"
    yield "|---|---|---|"
    for verb, count in layout.verbs:
        first = layout.first[verb]
        last = first + count - 1
        numbers = f"{first}–{last}" if count > 1 else f"{first}"
        text = f"{describe(first)} … {describe(last)}" if count > 1 else describe(first)
        yield f"| `{verb}` | {numbers} | {text} |"


def observation_head(hidden: str) -> Iterator[str]:
    """The head of the page; `hidden`: a sentence about what no observation shows."""
    yield "# Observations and actions"
    yield ""
    yield "Look up every block and every action. P is the number of players; [actions](#actions) come last."
    yield ""
    yield (
        "A seat sees named tensors, which are views of one flat vector. An axis of length P begins with the observer "
        "and goes on clockwise. Values are whole numbers from 0 to *high*; environments return them as float32 divided "
        f"by *high*. A *clipped* block shows its high for every larger value. {hidden}"
    )
    yield ""


def sizes(players: Sequence[int], layouts: Sequence[Sequence[Block]]) -> str:
    """The sizes of the flat vector by number of players."""
    totals = (sum(block.size for block in blocks) for blocks in layouts)
    return ", ".join(f"{size} (P = {number})" for number, size in zip(players, totals, strict=True))


def table_of(
    players: Sequence[int], layouts: Sequence[Sequence[Block]], named: dict[tuple[str, ...], str]
) -> Iterator[str]:
    """A table of blocks: those for the fewest players, where there may be more blocks than for others.

    `named`: entries of a last axis -> the block that lists them; later blocks refer to it. Updated in place.
    """
    yield "| block | shape | high | what it shows |"
    yield "|---|---|---|---|"
    for block in layouts[0]:
        same = {
            number: other
            for number, blocks in zip(players, layouts, strict=True)
            for other in blocks
            if other.name == block.name
        }
        highs = [str(other.high) for other in same.values()]
        numbers = f"P = {players[0]} to {players[-1]}"
        high = f"{', '.join(highs)} ({numbers})" if len(set(highs)) > 1 else highs[0]
        meaning = block.meaning or block.name.replace("_", " ")
        clipped = " Clipped." if block.clipped else ""
        shape = shape_of({number: other.shape for number, other in same.items()}, players)
        yield f"| `{block.name}` | {shape} | {high} | {meaning}.{clipped}{_last_axis(block, named)} |"


def shape_of(shapes: Mapping[int, tuple[int, ...]], players: Sequence[int]) -> str:
    """One shape, with P, for all numbers of players. One player may have another shape, or a block of its own."""
    if len(shapes) < len(players):
        return f"P = {', '.join(map(str, shapes))}: {', '.join(map(str, shapes.values()))}"
    several = {number: shape for number, shape in shapes.items() if number > 1}
    lengths = []
    for axis in zip(*several.values(), strict=True):
        if len(set(axis)) > 1 and axis != tuple(several):
            raise ValueError(f"expected an axis of one length or of P, got {axis}")
        lengths.append(str(axis[0]) if len(set(axis)) == 1 else "P")
    shape = f"({', '.join(lengths)}{',' if len(lengths) == 1 else ''})"
    alone = shapes.get(1)
    if alone is None or str(alone) == shape.replace("P", "1"):
        return shape
    return f"{shape}; P = 1: {alone}"


def _last_axis(block: Block, named: dict[tuple[str, ...], str]) -> str:
    if not block.entries:
        return ""
    first = named.setdefault(block.entries, block.name)
    if first != block.name and len(block.entries) > 3:
        return f" Last axis as in `{first}`."
    return f" Last axis: {', '.join(block.entries)}.{_values(block)}"


def _values(block: Block) -> str:
    """What the numbers of the entries mean whose values are words."""
    by_words: dict[tuple[str, ...], list[str]] = {}
    for entry in filter(block.words.__contains__, block.entries):
        by_words.setdefault(block.words[entry], []).append(entry)
    return "".join(
        f" Values of {_between(entries)}: "
        f"{', '.join(f'{number} {word}' for number, word in enumerate(words, start=1))}."
        for words, entries in by_words.items()
    )


def _between(entries: Sequence[str]) -> str:
    """The entries, or where there are many, the first and the last."""
    return " and ".join(entries) if len(entries) < 3 else f"{entries[0]} to {entries[-1]}"
