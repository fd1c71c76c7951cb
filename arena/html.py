"""What results show in notebooks: tables and pictures as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def table(head: Sequence[str], rows: Iterable[Sequence[str]], text_columns: Sequence[int] = (0,)) -> str:
    """A table; the columns that are no text are of numbers and stand to the right."""

    def line(cells: Sequence[str], tag: str) -> str:
        sides = ["left" if column in text_columns else "right" for column in range(len(cells))]
        drawn = (f'<{tag} align="{side}">{escape(cell)}</{tag}>' for cell, side in zip(cells, sides, strict=True))
        return f"<tr>{''.join(drawn)}</tr>"

    return f"<table>{line(head, 'th')}{''.join(line(cells, 'td') for cells in rows)}</table>"


def fixed(text: str) -> str:
    """Text in columns."""
    return f"<pre>{escape(text)}</pre>"


def folded(title: str, drawn: str) -> str:
    """HTML or SVG below a title that opens it."""
    return f"<details><summary>{escape(title)}</summary>{drawn}</details>"
