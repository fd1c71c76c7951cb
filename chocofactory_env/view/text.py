"""A tree as text: a heading for each group, a line for each row, equal items counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from textwrap import wrap
from typing import Final

from ..core.text.words import WIDTH
from .tree import Group, Item, Row, Tree

UNREAD: Final = ("buttons", "legend")  # kinds of rows: legal moves are listed elsewhere, and a legend is for signs
LISTED: Final = (
    "cities",
    "demands",
    "holds",
    "machines",
    "orders",
    "packets",
    "text",
    "track",
)  # with a line for each item
INDENT: Final = "    "


def in_words(tree: Tree) -> str:
    """Everything that the viewer may know, in lines of at most `WIDTH` columns."""
    lines = wrap(" · ".join((tree.title, *tree.when)), WIDTH)
    for group in tree.groups:
        lines.append(f"── {' · '.join((group.name, *group.notes))} ".ljust(WIDTH, "─"))
        lines += group_in_words(group)
    return "\n".join(lines) + "\n"


def group_in_words(group: Group) -> Iterator[str]:
    for row in group.rows:
        if row.items and row.kind not in UNREAD:
            for line in row_in_words(row):
                yield from wrap(line, WIDTH, subsequent_indent=INDENT)


def row_in_words(row: Row) -> list[str]:
    said = [*counted(row.items)]
    if row.kind in LISTED:
        return [f"{row.label}:"] * bool(row.label) + said
    return [f"{row.label}: " * bool(row.label) + "; ".join(said)]


def counted(items: Sequence[Item]) -> Iterator[str]:
    for words, equal in groupby(map(item_in_words, items)):
        number = len(list(equal))
        yield f"{number}× {words}" if number > 1 else words


def item_in_words(item: Item) -> str:
    inside = ", ".join(counted([each for each in item.items if each.state != "empty"]))
    return f"{item.name} [{inside}]" if inside else item.name
