"""Types of the records in compiled code, for the type checker only.

The fields of a record are attributes: numbers, arrays of numbers, other records, and arrays of records. `python -m
tools.records` writes a class for every record type of a game into the game's module `records`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, overload

import numpy as np

Item = TypeVar("Item")


class Row:
    """A row of a structured array."""


if TYPE_CHECKING:

    class Array(np.ndarray[tuple[int], np.dtype[Any]], Generic[Item]):
        """(N,) numbers or rows."""

        @overload  # type: ignore[override]  # NumPy's gives Any for an index
        def __getitem__(self, key: int) -> Item: ...
        @overload
        def __getitem__(self, key: slice) -> Array[Item]: ...
        def __getitem__(self, key: Any) -> Any: ...

    class Array2(np.ndarray[tuple[int, int], np.dtype[Any]], Generic[Item]):
        """(N, M) numbers or rows."""

        @overload  # type: ignore[override]  # NumPy's gives Any for an index
        def __getitem__(self, key: tuple[int, int]) -> Item: ...
        @overload
        def __getitem__(self, key: int) -> Array[Item]: ...
        @overload
        def __getitem__(self, key: slice | tuple[slice, slice]) -> Array2[Item]: ...
        @overload
        def __getitem__(self, key: tuple[int, slice] | tuple[slice, int]) -> Array[Item]: ...
        def __getitem__(self, key: Any) -> Any: ...

else:

    class Array(Generic[Item]):
        pass

    class Array2(Generic[Item]):
        pass


class AnyTables(Protocol):
    """The constant data of any game: cards, and where the blocks of observations begin.

    Shared code passes it to the rules and reads none of its fields.
    """


class AnyState(Protocol):
    """The fields that the positions of all games have; see `core.kernel`."""

    seed: int
    rng: Array[int]
    num_players: int
    current: int
    variant: int


class AnyValue(Protocol):
    """A record of `core.search.value.value_dtype`, of any game."""

    constant: Array[float]
    weights: Array2[float]


class AnyJudge(Protocol):
    """A record of `core.search.value.judge_dtype`, of any game."""

    @property
    def value(self) -> AnyValue: ...
    @property
    def spread(self) -> Array[float]: ...
