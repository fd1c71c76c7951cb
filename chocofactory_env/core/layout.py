"""Layouts: named blocks declared once, from which every index, view, space and table is derived."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

_LONGEST_REPR = 1_500  # characters


@dataclass(frozen=True)
class Block:
    """A tensor of an observation: `name`, `shape`, `high`: the largest raw value of an entry (the lowest is 0).

    `entries` are the names along the last axis, where it has some. `clipped`: play can pass the high, and then an entry
    shows the high.
    """

    name: str
    shape: tuple[int, ...]
    high: int
    meaning: str
    entries: tuple[str, ...] = ()
    clipped: bool = False

    @property
    def size(self) -> int:
        return prod(self.shape)


class Tensors(Mapping[str, np.ndarray]):
    """Named tensors that are views of one flat vector, or of a batch of them, made when they are asked for.

    flat: (..., size); writing to it or to a tensor changes both. Forty views made at once would cost more than the
    observation itself; `dict(tensors)` does that where a plain dictionary is wanted. As an array it is `flat`.
    """

    __slots__ = ("_places", "flat")

    def __init__(self, flat: np.ndarray, places: Mapping[str, tuple[slice, tuple[int, ...]]]) -> None:
        self.flat = flat
        self._places = places

    def __getitem__(self, name: str) -> np.ndarray:
        part, shape = self._places[name]
        if self.flat.ndim == 1:
            return self.flat[part].reshape(shape)
        return self.flat[..., part].reshape(self.flat.shape[:-1] + shape)

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
        for number, (name, (_, shape)) in enumerate(self._places.items()):
            if len(tensors) > _LONGEST_REPR:
                tensors += f", and {len(self) - number} more"
                break
            tensors += f"{', ' if number else ''}{name} {self.flat.shape[:-1] + shape}"
        return f"Tensors({self.flat.dtype} {self.flat.shape}: {tensors})"


class ObservationLayout:
    """Blocks laid one behind the other in a flat vector of `size` numbers."""

    def __init__(self, blocks: Iterable[Block]) -> None:
        self.blocks = tuple(blocks)
        names = [block.name for block in self.blocks]
        if len(set(names)) != len(names):
            raise ValueError(f"block names must be unique, got {names}")
        ends = np.cumsum([block.size for block in self.blocks])
        self.size = int(ends[-1])
        self.offsets = np.array([0, *ends[:-1]], np.int32)

    @cached_property
    def high(self) -> np.ndarray:
        """(size,) int16: the largest raw value of each entry."""
        return np.concatenate([np.full(block.size, block.high, np.int16) for block in self.blocks])

    @cached_property
    def raw_dtype(self) -> np.dtype[Any]:
        """What raw observations are made of: bytes where every `high` fits in one."""
        return np.dtype(np.uint8 if self.high.max() <= np.iinfo(np.uint8).max else np.int16)

    @cached_property
    def scale(self) -> np.ndarray:
        """(size,) float32: raw value times this lies in [0, 1]."""
        return (1.0 / self.high).astype(np.float32)

    @cached_property
    def _parts(self) -> tuple[tuple[str, slice, tuple[int, ...]], ...]:
        return tuple(
            (block.name, slice(int(at), int(at) + block.size), block.shape)
            for block, at in zip(self.blocks, self.offsets, strict=True)
        )

    @cached_property
    def _places(self) -> dict[str, tuple[slice, tuple[int, ...]]]:
        return {name: (part, shape) for name, part, shape in self._parts}

    def tensors(self, flat: np.ndarray) -> Tensors:
        """Named tensors of `flat`, (..., size), made when they are asked for."""
        return Tensors(flat, self._places)

    def views(self, flat: np.ndarray) -> dict[str, np.ndarray]:
        """Named tensors over the last axis of `flat` ((..., size) -> name: (..., *shape)); they share its memory."""
        if flat.ndim == 1:
            return {name: flat[part].reshape(shape) for name, part, shape in self._parts}
        lead = flat.shape[:-1]
        return {name: flat[..., part].reshape(lead + shape) for name, part, shape in self._parts}


class ActionLayout:
    """Verbs with a number of arguments each, laid one behind the other in one flat space of `size` actions."""

    def __init__(self, verbs: Iterable[tuple[str, int]]) -> None:
        self.verbs = tuple(verbs)
        self.first: dict[str, int] = {}
        self._decoded: list[tuple[str, int]] = []
        for verb, count in self.verbs:
            self.first[verb] = len(self._decoded)
            self._decoded += [(verb, argument) for argument in range(count)]
        self.size = len(self._decoded)

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
