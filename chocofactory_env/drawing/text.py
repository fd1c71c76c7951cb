"""Widths of words in the shipped font, and functions to fit words."""

from __future__ import annotations

import json
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from .scene import Anchor, Look, Text

DATA: Final = Path(__file__).parent / "data"  # the font, its licence and its measures
FAMILY: Final = "Inter"
FONTS: Final = (DATA / "Inter-Regular.ttf", DATA / "Inter-Bold.ttf")
ABOVE: Final = 0.77  # height of letters above the baseline, relative to the size; accents of capitals reach 0.98
BELOW: Final = 0.22
LINE: Final = 1.25  # from baseline to baseline
UNKNOWN: Final = "?"  # drawn for characters that the font lacks
LEAST: Final = 9  # smaller words are not legible
STEP: Final = 0.25  # between sizes that are tried
ELLIPSIS: Final = "…"


@cache
def _measures() -> tuple[int, dict[str, int], dict[str, int]]:
    measures = json.loads((DATA / "widths.json").read_text(encoding="utf-8"))
    return measures["units"], measures["regular"], measures["bold"]


def known(words: str) -> str:
    """The words with `UNKNOWN` for every character that the font lacks."""
    _, widths, _ = _measures()
    return (
        words
        if all(character in widths for character in words)
        else "".join(character if character in widths else UNKNOWN for character in words)
    )


@lru_cache(1 << 14)
def _relative_width(words: str, bold: bool) -> float:
    units, regular, heavy = _measures()
    widths = heavy if bold else regular
    return sum(widths[character] for character in known(words)) / units


def width(words: str, size: float, bold: bool = False) -> float:
    """Pixels from the start to the end of a line."""
    return _relative_width(words, bold) * size


def extent(text: Text) -> tuple[float, float, float, float]:
    """(left, top, right, bottom) of a line of the scene."""
    length = width(text.words, text.size, text.bold)
    left = text.x - {"start": 0.0, "middle": length / 2, "end": length}[text.anchor]
    return left, text.y - ABOVE * text.size, left + length, text.y + BELOW * text.size


def wrap(words: str, width: float, size: float, bold: bool = False, breaking: bool = False) -> list[str]:
    """Lines that are no wider than `width`, broken at spaces.

    breaking: break words that are wider anywhere. Otherwise they are a ValueError.
    """
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and _relative_width(longer, bold) * size <= width:
            lines[-1] = longer
        elif _relative_width(word, bold) * size <= width:
            lines.append(word)
        elif breaking:
            lines += _pieces(word, width, size, bold)
        else:
            raise ValueError(f"{word!r} is wider than {width:g} at size {size:g}")
    return lines


def _pieces(word: str, width: float, size: float, bold: bool) -> list[str]:
    """A word in pieces of at most `width`, but at least one character."""
    pieces = [""]
    for character in word:
        if pieces[-1] and _relative_width(pieces[-1] + character, bold) * size > width:
            pieces.append("")
        pieces[-1] += character
    return pieces


def fit(words: str, width: float, size: float, bold: bool = False) -> float:
    """The largest size, at most `size`, at which the words fit on a line. ValueError if it is below `LEAST`."""
    natural = _relative_width(words, bold)
    if natural * size <= width:
        return size
    fitting = width / natural // STEP * STEP
    if fitting < LEAST:
        raise ValueError(f"{words!r} does not fit into {width:g} at size {LEAST:g}")
    return fitting


@lru_cache(1 << 14)
def shortened(words: str, width: float, size: float, bold: bool = False) -> str:
    """The words, cut to `width`: decks may name cards freely."""
    words = known(words)
    if _relative_width(words, bold) * size <= width:
        return words
    while words and _relative_width(words + ELLIPSIS, bold) * size > width:
        words = words[:-1].rstrip()
    return words + ELLIPSIS


@lru_cache(1 << 14)
def fitted(words: str, width: float, size: float, bold: bool = False) -> tuple[str, float]:
    """The words and the largest size, at most `size`, at which they fit on a line; shortened at the least size."""
    try:
        return known(words), fit(words, width, size, bold)
    except ValueError:
        return shortened(words, width, LEAST, bold), LEAST


@lru_cache(1 << 12)
def _lines(words: str, width: float, height: float, size: float, bold: bool) -> tuple[float, tuple[str, ...]]:
    """The largest size at which the words fit in a box, and their lines."""
    while size >= LEAST:
        try:
            lines = wrap(words, width, size, bold)
        except ValueError:
            lines = None
        if lines is not None and ((len(lines) - 1) * LINE + ABOVE + BELOW) * size <= height:
            return size, tuple(lines)
        size -= STEP
    raise ValueError(f"{words!r} does not fit into {width:g} × {height:g} at size {LEAST:g}")


def block(
    words: str,
    x: float,
    y: float,
    width: float,
    height: float,
    size: float,
    look: Look = "ink",
    bold: bool = False,
    centred: bool = False,
) -> tuple[Text, ...]:
    """Lines in the box with the corner (x, y), at the largest size at which all fit.

    centred: vertically centred instead of at the top. ValueError if they do not fit at size `LEAST`.
    """
    size, lines = _lines(words, width, height, size, bold)
    used = ((len(lines) - 1) * LINE + ABOVE + BELOW) * size
    first = y + ABOVE * size + ((height - used) / 2 if centred else 0)
    return tuple(Text(x, first + number * LINE * size, line, size, look, bold) for number, line in enumerate(lines))


def line(
    words: str,
    x: float,
    y: float,
    width: float,
    size: float = 11,
    look: Look = "ink",
    bold: bool = False,
    anchor: Anchor = "start",
) -> Text:
    """One line, made smaller or cut to fit `width`; (x, y) is the start, middle, or end of its baseline."""
    return Text(x, y, *fitted(words, width, size, bold), look, bold, anchor)


@lru_cache(1 << 12)
def block_or_line(
    words: str,
    x: float,
    y: float,
    width: float,
    height: float,
    size: float,
    look: Look = "ink",
    bold: bool = False,
    centred: bool = False,
) -> tuple[Text, ...]:
    """A `block`; if the words do not fit, one line, cut to fit: decks may name cards freely."""
    words = known(words)
    try:
        return block(words, x, y, width, height, size, look, bold, centred)
    except ValueError:
        base = (height + (ABOVE - BELOW) * LEAST) / 2 if centred else ABOVE * LEAST
        return (line(words, x, y + base, width, LEAST, look, bold),)
