"""HTML tables and pictures, with which results are shown in notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def table(head: Sequence[str], rows: Iterable[Sequence[str]], text_columns: Sequence[int] = (0,)) -> str:
    """A table. Columns not listed as text hold numbers and are right-aligned."""

    def line(cells: Sequence[str], tag: str) -> str:
        sides = ["left" if column in text_columns else "right" for column in range(len(cells))]
        drawn = (f'<{tag} align="{side}">{escape(cell)}</{tag}>' for cell, side in zip(cells, sides, strict=True))
        return f"<tr>{''.join(drawn)}</tr>"

    return f"<table>{line(head, 'th')}{''.join(line(cells, 'td') for cells in rows)}</table>"


def fixed(text: str) -> str:
    """Preformatted text."""
    return f"<pre>{escape(text)}</pre>"


def folded(title: str, drawn: str) -> str:
    """HTML or SVG folded below a title."""
    return f"<details><summary>{escape(title)}</summary>{drawn}</details>"
