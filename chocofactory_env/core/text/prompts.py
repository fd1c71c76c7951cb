"""Positions as text for language models: every number that a seat observes, and its legal moves.

The text is made only from the observation, so it reveals nothing hidden. `PositionText.read` restores the observation,
so nothing is missing. It is not the text of the tree (`view/text.py`): to read that back, every game would need a
reader for each of its 36 to 47 blocks, whose cards and effects the tree words for people.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Final, NamedTuple

import numpy as np

from ..messages import shown
from ..observation.layout import Block, ObservationLayout

CHARACTERS_A_TOKEN: Final = 4  # of English text, with common tokenizers; numbers and commas need a few more tokens
SEAT: Final = "seat"
NOTATION: Final = (
    "A position is a list of fields, one a line; what is not listed is 0, none or no. A row of a table has its name in "
    "square brackets. Players, slots and other places are numbered from 0, unless a field says otherwise. The fields:"
)
ANSWER: Final = (
    "Answer with the number of one legal move and nothing else. A number means the same move in every position. To "
    'plan ahead, answer with several as JSON: {"moves": [12, 40]}; they are played in turn while they are legal.'
)


class _Field(NamedTuple):
    """The names of a block's entries, in order, and the place of each name."""

    rows: tuple[str, ...]
    cells: tuple[str, ...]
    row_at: Mapping[str, int]
    cell_at: Mapping[str, int]


class PositionText:
    """Converts a variant's observations to text and back; `players`: the number of players."""

    def __init__(self, layout: ObservationLayout, players: int) -> None:
        self._layout = layout
        self._players = players
        self._fields = [_fields(layout, players, seat) for seat in range(players)]
        self._blocks = {block.name: block for block in layout.blocks}

    def write(self, raw: np.ndarray, player: int) -> str:
        """Write the raw observation of a seat, (R,) uint8, as text, without zeros."""
        tensors = self._layout.tensors(raw)
        fields = self._fields[player]
        lines = [f"You are player {player} of {self._players}."]
        for name, block in self._blocks.items():
            numbers = tensors[name]
            if numbers.any():
                lines.append(f"{name}: " + "; ".join(_rows(block, fields[name], numbers)))
        return "\n".join(lines)

    def read(self, text: str) -> tuple[np.ndarray, int]:
        """Read the observation, (R,) uint8, and the seat from a text of `write`.

        Lines before the one that names the seat, and lines from the first empty one after it, are ignored.

        Raises:
            ValueError: a line of another kind, or a name or number that its field cannot have. It quotes the line.
        """
        found = re.search(r"^You are player ([0-9]+) of ([0-9]+)\.$", text, re.MULTILINE)
        if found is None or int(found[2]) != self._players or int(found[1]) >= self._players:
            raise ValueError(f"expected a line 'You are player N of {self._players}.'")
        player = int(found[1])
        raw = np.zeros(self._layout.raw_size, np.uint8)
        tensors = self._layout.tensors(raw)
        for line in text[found.end() + 1 :].partition("\n\n")[0].splitlines():
            name, _, rest = line.partition(": ")
            if name not in self._blocks:
                raise ValueError(f"no such field: {shown(line)}")
            block, field = self._blocks[name], self._fields[player][name]
            numbers = tensors[name].reshape(len(field.rows), len(field.cells))
            try:
                for row, cell, number in _entries(block, field, rest):
                    numbers[row, cell] = number
            except (KeyError, ValueError):
                raise ValueError(
                    f"expected entries of {name}, with numbers from 0 to {block.high}, got {shown(line)}"
                ) from None
        return raw, player

    def legend(self) -> Iterator[str]:
        """One line for each field, saying what it shows."""
        for block in self._layout.blocks:
            high = f"; {block.high} stands for more, too" if block.clipped else ""
            yield f"{block.name}: {block.meaning or ', '.join(block.entries)}{high}"


def legal_moves(moves: Iterable[tuple[int, str]]) -> str:
    """One line for each move, with the number of its action."""
    return "Legal moves:\n" + "\n".join(f"{number}: {words}" for number, words in moves)


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of a text without a tokenizer: a quarter of its characters, rounded up."""
    return -(-len(text) // CHARACTERS_A_TOKEN)


@cache
def brief_rules(package: str) -> tuple[str, Mapping[str, str]]:
    """The brief rules of the game in `package`, from its `data/brief.md`: for all phases, and by phase.

    A heading `## draft, run` begins a section for these phases only. `{name}` stands for a number of the deck; see
    `CompiledGame.numbers_in_brief`. Returns ("", {}) if there is no such file.
    """
    file = files(package).joinpath("data", "brief.md")
    if not file.is_file():
        return "", {}
    general, *sections = re.split(r"^## (.*)\n", file.read_text("utf-8"), flags=re.MULTILINE)
    phases: dict[str, str] = {}
    for names, words in zip(sections[::2], sections[1::2], strict=True):
        for name in names.split(", "):
            phases[name] = phases.get(name, "") + words.strip()
    return general.strip(), phases


# --- the entries of a block


def _fields(layout: ObservationLayout, players: int, player: int) -> dict[str, _Field]:
    seats = tuple(f"player {(player + place) % players}" for place in range(players))
    return {block.name: _field(block, seats) for block in layout.blocks}


def _field(block: Block, seats: Sequence[str]) -> _Field:
    unnamed = block.shape[:-1] if block.entries else block.shape
    axes = [_places(axis, size, seats) for axis, size in zip(block.axes or ("",) * len(unnamed), unnamed, strict=True)]
    if block.entries:
        axes.append(tuple(entry.removesuffix(" + 1") if entry in block.words else entry for entry in block.entries))
    cells = axes.pop() if axes else ("",)
    rows = tuple(", ".join(names) for names in product(*axes))
    return _Field(rows, cells, {name: at for at, name in enumerate(rows)}, {name: at for at, name in enumerate(cells)})


def _places(axis: str | tuple[str, ...], size: int, seats: Sequence[str]) -> tuple[str, ...]:
    if not isinstance(axis, str):
        return axis
    if axis == SEAT:
        return tuple(seats)
    if not axis and size == 1:
        return ("",)
    return tuple(f"{axis} {number}".strip() for number in range(size))


def _rows(block: Block, field: _Field, numbers: np.ndarray) -> Iterator[str]:
    table = numbers.reshape(len(field.rows), len(field.cells))
    words = _words(block, field)
    for name, row in zip(field.rows, table.tolist(), strict=True):
        cells = [_cell(block, field.cells[at], number, words) for at, number in enumerate(row) if number]
        if cells:
            yield (f"[{name}] " if name else "") + ", ".join(cells)


def _cell(block: Block, name: str, number: int, words: Mapping[str, tuple[str, ...]]) -> str:
    if block.high == 1 and name:
        return name
    meanings = words.get(name, ())
    value = meanings[number - 1] if number <= len(meanings) else str(number)
    return f"{name}={value}" if name else value


def _entries(block: Block, field: _Field, text: str) -> Iterator[tuple[int, int, int]]:
    """Row, cell, and number of every entry in the text of a block; KeyError or ValueError if it has none such."""
    words = _words(block, field)
    for part in text.split("; "):
        label, cells = part[1:].split("] ", 1) if part.startswith("[") else ("", part)
        for cell in cells.split(", "):
            name, equals, value = cell.partition("=")
            if not equals:
                name, value = (cell, "1") if block.high == 1 and cell in field.cell_at else ("", cell)
            meanings = words.get(name, ())
            number = meanings.index(value) + 1 if value in meanings else int(value)
            if not (0 <= number <= block.high and value.isascii()):
                raise ValueError(number)
            yield field.row_at[label], field.cell_at[name], number


def _words(block: Block, field: _Field) -> Mapping[str, tuple[str, ...]]:
    """The words of a block's values, by name of the cell."""
    if not block.words:
        return {}
    return {
        cell: block.words[entry] for cell, entry in zip(field.cells, block.entries, strict=True) if entry in block.words
    }
