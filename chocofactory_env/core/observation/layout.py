"""Layouts: named blocks declared once, from which every index, view, space and table is derived."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import Any, Final

import numpy as np

from .. import records
from ..messages import hint, shown

_LONGEST_REPR = 1_500  # characters
MOST_NARROW, MOST_WIDE = 255, 65535  # what one byte and two bytes hold

# Where a tensor lies in a flat vector: slice, shape, and whether it has raw entries of two bytes.
Places = Mapping[str, tuple[slice, tuple[int, ...], bool]]

Names = tuple[str, ...]
Axis = tuple[str, int] | Names  # a word, from which its places are numbered, and how many there are; or their names


@dataclass(frozen=True)
class Block:
    """A tensor of an observation. The raw values of its entries are 0 to `high`.

    `entries` names the places along the last axis, if they have names. `clipped`: play can exceed the high, and the
    entry then shows the high. `private`: only the observer can see it, such as a hand.

    `axes` and `words` are for texts (`core.text.prompts`). For every axis without `entries`, `axes` has the names of
    its places, or one word to be numbered from 0; "seat" means the players from the observer on. `words` says what the
    values 1, 2, ... of an entry mean.

    Raises:
        ValueError: a high below 1 or above 65535, or axes that do not fit the shape.
    """

    name: str
    shape: tuple[int, ...]
    high: int
    meaning: str
    entries: tuple[str, ...] = ()
    clipped: bool = False
    private: bool = False
    axes: tuple[str | tuple[str, ...], ...] = ()
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        unnamed = len(self.shape) - bool(self.entries)
        if self.axes and len(self.axes) != unnamed:
            raise ValueError(f"block {self.name}: expected names of {unnamed} axes, got {self.axes}")
        if not 1 <= self.high <= MOST_WIDE:
            raise ValueError(f"block {self.name}: expected a high of 1 to {MOST_WIDE}, got {self.high}")

    @classmethod
    def of(cls, name: str, axes: Sequence[Axis], high: int, meaning: str, entries: Names = (), **more: Any) -> Block:
        """The block with these axes, and a last one with these entries; a number without any. more: other fields."""
        sizes = [axis[-1] if isinstance(axis[-1], int) else len(axis) for axis in axes]
        shape = (*sizes, len(entries)) if entries else tuple(sizes)
        words = tuple(axis[0] if isinstance(axis[-1], int) else axis for axis in axes)
        return cls(name, shape or (1,), high, meaning, entries, axes=words, **more)

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def wide(self) -> bool:
        """Whether a raw entry takes two bytes, the lower one first, instead of one."""
        return self.high > MOST_NARROW


class Tensors(Mapping[str, np.ndarray]):
    """Named tensors: views of one flat vector, or of a batch of vectors, made on demand.

    flat: (..., size); writing to it or to a tensor changes both. `np.asarray(tensors)` is `flat`, and `dict(tensors)` a
    plain dictionary, which makes all views at once; forty of them cost more than the observation itself.
    """

    __slots__ = ("_places", "flat")

    def __init__(self, flat: np.ndarray, places: Places) -> None:
        self.flat = flat
        self._places = places

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            part, shape, wide = self._places[name]
        except KeyError:
            raise KeyError(f"no tensor is named {shown(name)}{hint(name, self._places)}") from None
        entries = self.flat[..., part]
        if wide:
            entries = entries.view("<u2")
        return entries.reshape(self.flat.shape[:-1] + shape)

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def row(self, k: int) -> Tensors:
        """The tensors of one vector of a batch."""
        return Tensors(self.flat[k], self._places)

    def __array__(self, dtype: np.typing.DTypeLike | None = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.flat, dtype, copy=copy)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __repr__(self) -> str:
        """dtype and shape of `flat`, then names and shapes of the tensors, as many as fit."""
        tensors = ""
        for number, (name, (_, shape, _)) in enumerate(self._places.items()):
            if len(tensors) > _LONGEST_REPR:
                tensors += f", and {len(self) - number} more"
                break
            tensors += f"{', ' if number else ''}{name} {self.flat.shape[:-1] + shape}"
        return f"Tensors({self.flat.dtype} {self.flat.shape}: {tensors})"


class ObservationLayout:
    """Consecutive blocks in a flat vector of `size` numbers, or in `raw_size` bytes.

    Raw observations are bytes. An entry takes one byte, or in a block with a `high` above 255 two, the lower one first.
    Such blocks come last, so that one large number does not double the size of the others.

    Raises:
        ValueError: two blocks have the same name, or a wide block precedes a narrow one.
    """

    def __init__(self, blocks: Iterable[Block]) -> None:
        self.blocks = tuple(blocks)
        names = [block.name for block in self.blocks]
        if len(set(names)) != len(names):
            raise ValueError(f"block names must be unique, got {names}")
        wide = [block.wide for block in self.blocks]
        if wide != sorted(wide):
            names = [block.name for block in self.blocks if block.wide]
            raise ValueError(f"blocks with a high above {MOST_NARROW} come last: {', '.join(names)}")
        ends = np.cumsum([block.size for block in self.blocks])
        raw_ends = np.cumsum([block.size * (1 + block.wide) for block in self.blocks])
        self.size, self.raw_size = int(ends[-1]), int(raw_ends[-1])
        self.offsets = np.array([0, *ends[:-1]], np.int32)
        self.raw_offsets = np.array([0, *raw_ends[:-1]], np.int32)

    def __repr__(self) -> str:
        return f"ObservationLayout({len(self.blocks)} blocks, size={self.size})"

    raw_dtype: Final = np.dtype(np.uint8)  # of raw observations

    @cached_property
    def narrow(self) -> int:
        """The number of entries that take one byte in a raw observation; those of two bytes follow them."""
        return 2 * self.size - self.raw_size

    @cached_property
    def has_private(self) -> bool:
        """Whether seats have secrets from each other."""
        return any(block.private for block in self.blocks)

    @cached_property
    def high(self) -> np.ndarray:
        """(size,) int32: the largest value of each entry before scaling."""
        return np.concatenate([np.full(block.size, block.high, np.int32) for block in self.blocks])

    @cached_property
    def high_of(self) -> dict[str, int]:
        """The high of each block by name."""
        return {block.name: block.high for block in self.blocks}

    @cached_property
    def raw_high(self) -> np.ndarray:
        """(raw_size,) uint8: the largest value of each byte."""
        narrow, wide = self.high[: self.narrow], self.high[self.narrow :]
        low_and_high = np.stack([np.full_like(wide, MOST_NARROW), wide >> 8], axis=1)
        return np.concatenate([narrow, low_and_high.ravel()]).astype(np.uint8)

    @cached_property
    def scale(self) -> np.ndarray:
        """(size,) float32: a value times this lies in [0, 1]."""
        return (1.0 / self.high).astype(np.float32)

    def scaled(self, raw: np.ndarray) -> np.ndarray:
        """Scale raw observations, (..., raw_size) uint8, to a fresh (..., size) float32 in [0, 1]."""
        narrow = self.narrow
        numbers = raw[..., :narrow].astype(np.float32)
        if narrow < self.size:
            wide = raw[..., narrow::2] + 256 * raw[..., narrow + 1 :: 2].astype(np.float32)
            numbers = np.concatenate([numbers, wide], axis=-1)
        return np.asarray(numbers * self.scale, np.float32)

    @cached_property
    def offset_of(self) -> dict[str, int]:
        """The offset of each block in a raw observation, by name."""
        return {block.name: int(at) for block, at in zip(self.blocks, self.raw_offsets, strict=True)}

    @cached_property
    def _places(self) -> Places:
        return {
            block.name: (slice(int(at), int(at) + block.size), block.shape, False)
            for block, at in zip(self.blocks, self.offsets, strict=True)
        }

    @cached_property
    def _raw_places(self) -> Places:
        return {
            block.name: (slice(int(at), int(at) + block.size * (1 + block.wide)), block.shape, block.wide)
            for block, at in zip(self.blocks, self.raw_offsets, strict=True)
        }

    def choose(self, names: Sequence[str]) -> ObservationLayout:
        """The layout of these blocks alone, in the order of this layout.

        Raises:
            TypeError: `names` is not a list of names.
            ValueError: `names` is empty, repeats a name, or has one that is no block.
        """
        if isinstance(names, str) or not isinstance(names, Sequence):
            raise TypeError(f"blocks: expected names in a list, got {shown(names)}")
        for number, name in enumerate(names):
            if name not in self.offset_of:
                known = ", ".join(self.offset_of)
                raise ValueError(
                    f"blocks: no block is named {shown(name)}{hint(name, self.offset_of)}; blocks are: {known}"
                )
            if name in names[:number]:
                raise ValueError(f"blocks: {name!r} is named twice")
        if not names:
            raise ValueError("blocks: expected one or more names, got none")
        return ObservationLayout(block for block in self.blocks if block.name in names)

    def tensors(self, flat: np.ndarray) -> Tensors:
        """Named tensors of `flat`, (..., size), or of raw observations, (..., raw_size) uint8, made on demand."""
        return Tensors(flat, self._raw_places if flat.dtype == np.uint8 else self._places)

    def views(self, flat: np.ndarray) -> dict[str, np.ndarray]:
        """Named views as a plain dictionary, name -> (..., *shape). They share the memory of `flat`."""
        return dict(self.tensors(flat))


def merged_layout(one: ObservationLayout, other: ObservationLayout) -> ObservationLayout:
    """A layout with room for the observations of both: `one` itself if it has room for `other`.

    Blocks of the same name may differ in the length of the first axis and in the high; the larger counts, and compiled
    code fills the beginning of such a block. Blocks that only `other` has come last.

    Raises:
        ValueError: a block differs in another way.
    """
    if one.blocks == other.blocks:
        return one
    blocks = {block.name: block for block in one.blocks}
    for block in other.blocks:
        known = blocks.get(block.name, block)
        for trait, here, there in _rows(known, block):
            if here != there:
                raise ValueError(
                    f"block {block.name} of its observations: expected {trait} {shown(here)}, got {shown(there)}"
                )
        larger = max(known, block, key=lambda each: each.shape)
        blocks[block.name] = replace(larger, high=max(known.high, block.high))
    if tuple(blocks.values()) == one.blocks:
        return one
    return ObservationLayout(sorted(blocks.values(), key=lambda block: block.wide))


def places_in(room: ObservationLayout, layout: ObservationLayout) -> np.ndarray:
    """(size,) int64: where the numbers of `layout` lie in `room`, whose blocks may have longer first axes.

    Raises:
        ValueError: there is no room for them.
    """
    if merged_layout(room, layout) is not room:
        raise ValueError(
            f"observations of {layout.size} numbers have more blocks, or longer ones, than there is room for"
        )
    first = dict(zip((block.name for block in room.blocks), room.offsets, strict=True))
    return np.concatenate([first[block.name] + np.arange(block.size) for block in layout.blocks])


def _rows(one: Block, other: Block) -> Iterator[tuple[str, Any, Any]]:
    """What blocks of one name must share, of both; the length of the first axis may differ."""
    yield "a number of axes of", len(one.shape), len(other.shape)
    yield "rows of shape", one.shape[1:], other.shape[1:]
    for trait in ("wide", "clipped", "private"):
        yield f"{trait} to be", getattr(one, trait), getattr(other, trait)
    yield from (("the entry", *pair) for pair in zip(one.entries, other.entries, strict=False))


class ActionLayout:
    """Verbs, each with a number of arguments, numbered consecutively in one flat space of `size` actions."""

    def __init__(self, verbs: Iterable[tuple[str, int]]) -> None:
        self.verbs = tuple(verbs)
        self.first: dict[str, int] = {}
        self._decoded: list[tuple[str, int]] = []
        for verb, count in self.verbs:
            self.first[verb] = len(self._decoded)
            self._decoded += [(verb, argument) for argument in range(count)]
        self.size = len(self._decoded)

    def __repr__(self) -> str:
        return f"ActionLayout({len(self.verbs)} verbs, size={self.size})"

    def decode(self, action: int) -> tuple[str, int]:
        """The verb and its argument; IndexError for a number outside the space."""
        if not 0 <= action < self.size:
            raise IndexError(f"action {action} is outside 0..{self.size - 1}")
        return self._decoded[action]

    def encode(self, verb: str, argument: int = 0) -> int:
        """The flat number; KeyError for an unknown verb, IndexError for an argument that the verb does not have."""
        count = dict(self.verbs)[verb]
        if not 0 <= argument < count:
            raise IndexError(f"{verb} takes an argument in 0..{count - 1}, got {argument}")
        return self.first[verb] + argument


def offsets(layout: ObservationLayout) -> Any:
    """A field of a game's tables: the offset of each block, by which rules find it.

    Offsets are unsigned: the compiler then knows that no index is negative.
    """
    return records.field(np.dtype([(block.name, "u2") for block in layout.blocks]))


def filled_tables(dtype: np.dtype[Any], cards: np.ndarray, layout: ObservationLayout) -> np.ndarray:
    """A game's tables, (1,): the fields of `cards`, (1,), and in `at` the offsets, 0 for blocks not in the variant."""
    tables = np.zeros(1, dtype)
    for name in cards.dtype.names or ():
        tables[name] = cards[name]
    for name in dtype["at"].names or ():
        tables["at"][name] = layout.offset_of.get(name, 0)
    return tables
