"""Records of compiled code, each written once: a class, from which NumPy's dtype follows.

    class Seat(Record):
        coins: int = field("i1", most=MOST_COINS)
        hand: Array[int] = field("i1", NUM_CARDS, most=MAX_HAND)

    class State(Record):
        seats: Array[Seat] = field(Seat, MAX_PLAYERS)

    positions = np.zeros(8, State.dtype)

The type checker finds a wrong field of a parameter `seat: Seat`. No instances exist: rules get rows of arrays.
Bounds are for positions from outside (`core.codec`); play keeps them without being asked.
"""

from __future__ import annotations

from inspect import get_annotations
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar, overload

import numpy as np

Item = TypeVar("Item")


class Field(NamedTuple):
    """A field of a record: numbers of one dtype, or rows of another record."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]  # () for a single one
    record: type[Record] | None  # of rows
    least: int
    most: int


class Record:
    """A base of records. `dtype` is packed, with the fields of the bases first, then its own, as they are written."""

    fields: ClassVar[dict[str, Field]] = {}
    own_fields: ClassVar[dict[str, Field]] = {}  # without those of the bases
    dtype: ClassVar[np.dtype[Any]]

    def __init_subclass__(cls) -> None:
        inherited = {name: field for base in cls.__bases__ for name, field in getattr(base, "fields", {}).items()}
        cls.own_fields = {name: vars(cls)[name] for name in get_annotations(cls)}
        cls.fields = inherited | cls.own_fields
        cls.dtype = np.dtype([(name, each.dtype, each.shape) for name, each in cls.fields.items()])


def field(kind: str | type[Record] | np.dtype[Any], *shape: int, least: int = 0, most: int | None = None) -> Any:
    """A field of a record: a number of a NumPy `kind`, such as "i1", or another record; or an array of them.

    least, most: bounds of every number; without `most` it is the largest of the kind.
    """
    dtype = np.dtype(getattr(kind, "dtype", kind))
    if most is None:
        most = int(np.iinfo(dtype).max) if dtype.kind in "iu" else 0
    return Field(dtype, shape, kind if isinstance(kind, type) else None, least, most)


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
