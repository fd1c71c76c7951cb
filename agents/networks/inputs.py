"""What a network reads of an observation, as a table of terms: scaled numbers, and scales of what equals a value.

Everything that an encoder reads, scaled numbers, one-hot codes, counts of symbols and constants, is filled by one pass
over such a table, by compiled code on a CPU and by tensor operations elsewhere. B = rows, n = entities of a sort,
k = columns, S = bytes that are seen of an observation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from chocofactory_env import Block, ObservationLayout
from chocofactory_env.core.jit import jit_entry

from .threads import fill_shares, shares_of

NOWHERE = -1  # the place of a term that reads nothing: a constant
ANY = -1  # the value of a term that counts the number itself


class Columns(NamedTuple):
    """Columns of the entities of a sort, (..., k); each is the sum of m terms."""

    at: np.ndarray  # (..., k, m) int64: the byte, or NOWHERE
    value: np.ndarray  # the same shape: the number that counts as 1, or ANY
    scale: np.ndarray  # the same shape, float32

    def of_own(self, players: int) -> Columns:
        """(P, ...) of (...): the observer's, who comes first; those of others are 0."""
        others = players - 1
        return Columns(
            np.stack([self.at, *[np.full_like(self.at, NOWHERE)] * others]),
            np.stack([self.value, *[self.value] * others]),
            np.stack([self.scale, *[np.zeros_like(self.scale)] * others]),
        )

    def flat(self) -> Columns:
        """(n, k) of (..., n, k)."""
        return Columns(*(each.reshape(-1, *each.shape[-2:]) for each in self))


def one_each(count: int) -> Columns:
    """(count, count): which of the sort's entities it is."""
    shape = (count, count, 1)
    return Columns(np.full(shape, NOWHERE), np.full(shape, ANY), np.eye(count, dtype=np.float32)[..., None])


def blank(*shape: int) -> Columns:
    """(..., k) zeros."""
    return Columns(np.full((*shape, 1), NOWHERE), np.full((*shape, 1), ANY), np.zeros((*shape, 1), np.float32))


def joined(columns: Sequence[Columns]) -> Columns:
    """One after the other, of the same entities."""
    return _concatenated(columns, -2)


def stacked(columns: Sequence[Columns]) -> Columns:
    """Entities that have the same columns, one after the other."""
    return _concatenated(columns, -3)


def _concatenated(columns: Sequence[Columns], axis: int) -> Columns:
    most = max(each.at.shape[-1] for each in columns)

    def padded(part: np.ndarray, fill: int) -> np.ndarray:
        return np.pad(part, [*[(0, 0)] * (part.ndim - 1), (0, most - part.shape[-1])], constant_values=fill)

    return Columns(
        np.concatenate([padded(each.at, NOWHERE) for each in columns], axis),
        np.concatenate([padded(each.value, ANY) for each in columns], axis),
        np.concatenate([padded(each.scale, 0) for each in columns], axis),
    )


class Reader:
    """Makes columns of the blocks of a layout, and of blocks computed from it, whose bytes follow.

    power: of the high that numbers are divided by; with 1 they are 0 to 1.
    """

    def __init__(self, layout: ObservationLayout, computed: Sequence[Block] = (), power: float = 1) -> None:
        blocks = {block.name: block for block in (*layout.blocks, *computed)}
        self._places: dict[str, np.ndarray] = {}
        ends = layout.raw_size + np.cumsum([0, *(block.size * (1 + block.wide) for block in computed)])
        firsts = layout.offset_of | dict(zip((block.name for block in computed), map(int, ends), strict=False))
        self._high = np.zeros(int(ends[-1]), np.float32)
        self._wide = np.zeros(int(ends[-1]), np.bool_)
        for name, block in blocks.items():
            places = firsts[name] + np.arange(block.size) * (1 + block.wide)
            self._places[name] = places.reshape(block.shape)
            self._high[places], self._wide[places] = block.high**power, block.wide

    def __contains__(self, name: str) -> bool:
        return name in self._places

    def places(self, name: str) -> np.ndarray:
        """(*shape) int64: the byte of each entry."""
        return self._places[name]

    def numbers(self, at: str | np.ndarray) -> Columns:
        """Scaled: of a block, or of places (..., k)."""
        at = self._places[at] if isinstance(at, str) else at
        high, wide = self._high[at], self._wide[at]
        scale = np.stack([1 / high, np.where(wide, 256 / high, 0)], -1).astype(np.float32)
        return Columns(np.stack([at, np.where(wide, at + 1, NOWHERE)], -1), np.full(scale.shape, ANY), scale)

    def of_each(self, name: str) -> Columns:
        """(n, k): all numbers that a block has of each entity of its first axis."""
        at = self._places[name]
        return self.numbers(at.reshape(len(at), -1))

    @staticmethod
    def one_of(at: np.ndarray, values: Iterable[int]) -> Columns:
        """(..., values) of places (...): which of the values it is."""
        return Reader.counts(at[..., None], values, 1)

    @staticmethod
    def counts(at: np.ndarray, values: Iterable[int], scale: float) -> Columns:
        """(..., values) of places (..., m): how many of them are each value."""
        each = np.array(list(values))
        shape = (*at.shape[:-1], len(each), at.shape[-1])
        return Columns(
            np.broadcast_to(at[..., None, :], shape),
            np.broadcast_to(each[:, None], shape),
            np.full(shape, scale, np.float32),
        )


class Table(NamedTuple):
    """Columns of some sorts, (n, k) each, as what a pass goes through: runs of numbers side by side, and codes.

    A code adds `scale` at `column + number - first`, if that number is one of its `count` values.
    """

    sections: np.ndarray  # (sorts, 4) int64: first column, and the ends of its columns, runs and codes
    base: np.ndarray  # (columns,) float32: constants
    runs: np.ndarray  # (runs, 3) int64: byte, column, length
    run_scale: np.ndarray  # (runs,) float32
    codes: np.ndarray  # (codes, 4) int64: byte, column, first, count
    code_scale: np.ndarray  # (codes,) float32


def table_of(sorts: Sequence[Columns]) -> Table:
    each = [_table_of_one(columns) for columns in sorts]
    ends = np.cumsum([[len(base), len(runs), len(codes)] for base, runs, _, codes, _ in each], 0)
    firsts = ends[:, 0] - [len(base) for base, *_ in each]
    for (_, runs, _, codes, _), first in zip(each, firsts, strict=True):
        runs[:, 1] += first
        codes[:, 1] += first
    return Table(np.column_stack([firsts, ends]), *(np.concatenate(parts) for parts in zip(*each, strict=True)))


def _table_of_one(columns: Columns) -> tuple[np.ndarray, ...]:
    shape = columns.at.shape
    to = np.broadcast_to(np.arange(np.prod(shape[:-1])).reshape(*shape[:-1], 1), shape)
    order = np.moveaxis(np.arange(columns.at.size).reshape(shape), -1, 0).ravel()  # term by term, then column by column
    at, value, scale, column = (part.ravel()[order] for part in (*columns, to))
    base = np.zeros(int(np.prod(shape[:-1])), np.float32)
    constant = at == NOWHERE
    np.add.at(base, column[constant], scale[constant])
    read = ~constant & (scale != 0)
    at, value, scale, column = at[read], value[read], scale[read], column[read]
    number = value == ANY
    runs, run_scale = runs_of(at[number], column[number], np.zeros_like(at[number]), scale[number], step=1)
    codes, code_scale = runs_of(at[~number], column[~number], value[~number], scale[~number], step=0)
    return base, runs[:, [0, 1, 3]], run_scale, codes, code_scale


def runs_of(
    at: np.ndarray, column: np.ndarray, value: np.ndarray, scale: np.ndarray, step: int
) -> tuple[np.ndarray, np.ndarray]:
    """(runs, 4): byte, column, value and length of terms whose columns follow each other, and their scale, (runs,).

    step: from byte to byte in a run; from value to value it is the other way round.
    """
    if not len(at):
        return np.zeros((0, 4), np.int64), np.zeros(0, np.float32)
    goes_on = (np.diff(at) == step) & (np.diff(column) == 1) & (np.diff(value) == 1 - step) & (np.diff(scale) == 0)
    first = np.flatnonzero(np.concatenate([[True], ~goes_on]))
    length = np.diff(np.append(first, len(at)))
    return np.stack([at[first], column[first], value[first], length], -1), scale[first].astype(np.float32)


class Inputs(nn.Module):
    """Fills (B, n, k) float32 for the columns of some sorts, (n, k) each."""

    sections: Tensor
    base: Tensor
    runs: Tensor
    run_scale: Tensor
    codes: Tensor
    code_scale: Tensor

    def __init__(self, sorts: Sequence[Columns]) -> None:
        super().__init__()
        self.shapes = [columns.at.shape[:-1] for columns in sorts]
        for name, part in table_of(sorts)._asdict().items():
            self.register_buffer(name, torch.from_numpy(part), persistent=False)

    def forward(self, seen: Tensor) -> list[Tensor]:
        """(B, n, k) float32 of each sort, of (B, S) uint8."""
        if seen.device.type != "cpu":
            return self.by_tensors(seen)
        table = (self.sections, self.base, self.runs, self.run_scale, self.codes, self.code_scale)
        parts = torch.split(_filled(seen, *table), [len(seen) * count for count in self._counts()])
        return [part.view(len(seen), *shape) for part, shape in zip(parts, self.shapes, strict=True)]

    def by_tensors(self, seen: Tensor) -> list[Tensor]:
        """The same on any device, up to the order of sums."""

        def spread(lengths: Tensor) -> tuple[Tensor, Tensor]:
            """Which run each term is of, and its number in the run."""
            run = torch.repeat_interleave(lengths)
            return run, torch.arange(len(run), device=run.device) - (lengths.cumsum(0) - lengths)[run]

        run, number = spread(self.runs[:, 2])
        code, value = spread(self.codes[:, 3])
        numbers = seen.index_select(1, self.runs[run, 0] + number).float() * self.run_scale[run]
        equal = seen.index_select(1, self.codes[code, 0]) == self.codes[code, 2] + value
        filled = self.base.expand(len(seen), -1).clone()
        filled.index_add_(1, self.runs[run, 1] + number, numbers)
        filled.index_add_(1, self.codes[code, 1] + value, equal.float() * self.code_scale[code])
        parts = torch.split(filled, self._counts(), 1)
        return [part.reshape(len(seen), *shape) for part, shape in zip(parts, self.shapes, strict=True)]

    def _counts(self) -> list[int]:
        return [prod(shape) for shape in self.shapes]


def _fill(
    seen: Tensor,
    sections: Tensor,
    base: Tensor,
    runs: Tensor,
    run_scale: Tensor,
    codes: Tensor,
    code_scale: Tensor,
) -> Tensor:
    """(B * columns,) float32: the sorts one after the other, of each all rows."""
    filled = torch.empty(len(seen) * len(base))
    arrays = [each.numpy() for each in (seen, sections, base, runs, run_scale, codes, code_scale, filled)]
    shares = shares_of(len(seen), torch.get_num_threads())
    fill_shares(fill_rows, [[share.start, share.stop, *arrays] for share in shares])
    return filled


@jit_entry
def fill_rows(
    begin: int,
    end: int,
    seen: np.ndarray,
    sections: np.ndarray,
    base: np.ndarray,
    runs: np.ndarray,
    run_scale: np.ndarray,
    codes: np.ndarray,
    code_scale: np.ndarray,
    out: np.ndarray,
) -> None:
    """Fill rows `begin` to `end` of all sorts in `out`, (B * columns,), by a `Table`."""
    first_run, first_code = 0, 0
    for section in range(len(sections)):
        first, last, last_run, last_code = sections[section]
        for row in range(begin, end):
            numbers = seen[row]
            at_row = first * len(seen) + row * (last - first)
            to = out[at_row : at_row + last - first]
            to[:] = base[first:last]
            for run in range(first_run, last_run):
                at, column, length = runs[run, 0], runs[run, 1] - first, runs[run, 2]
                of, part = numbers[at : at + length], to[column : column + length]
                for number in range(length):
                    part[number] += run_scale[run] * np.float32(of[number])
            for code in range(first_code, last_code):
                value = numbers[codes[code, 0]] - codes[code, 2]
                if 0 <= value < codes[code, 3]:
                    to[codes[code, 1] - first + value] += code_scale[code]
        first_run, first_code = last_run, last_code


_filled: Any = torch.library.custom_op("chocofactory_env::inputs", _fill, mutates_args=())
_filled.register_fake(lambda seen, sections, base, *table: base.new_empty((len(seen) * len(base),)))
