"""The boundary of the rules: which types their entries take, in Python's annotations, NumPy's dtypes, and C.

An entry's parameters are annotated with `int`, `float`, or an alias of this module: `I1` is an array (N,) of int8 that
the entry reads, `OutI1_2` one (N, M) that it writes. `TableRows`, `StateRows`, `JudgeRows` and `OutNoteRows` are
arrays of the game's records, whose dtypes `binding.bind` is given. A NamedTuple of such types counts as its fields. All
arrays are C-contiguous.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, NamedTuple, TypeAlias, get_type_hints

import numpy as np


class ArrayOf(NamedTuple):
    """An array's dtype, or the name of a game's record; its number of axes; and whether the entry writes into it."""

    dtype: Any
    ndim: int = 1
    written: bool = False


TableRows: TypeAlias = Annotated[np.ndarray, ArrayOf("tables")]
StateRows: TypeAlias = Annotated[np.ndarray, ArrayOf("states")]
OutStateRows: TypeAlias = Annotated[np.ndarray, ArrayOf("states", written=True)]
OutStateRows_2: TypeAlias = Annotated[np.ndarray, ArrayOf("states", 2, True)]
JudgeRows: TypeAlias = Annotated[np.ndarray, ArrayOf("judges")]
OutNoteRows: TypeAlias = Annotated[np.ndarray, ArrayOf("notes", written=True)]
I1: TypeAlias = Annotated[np.ndarray, ArrayOf("i1")]
I1_2: TypeAlias = Annotated[np.ndarray, ArrayOf("i1", 2)]
I1_3: TypeAlias = Annotated[np.ndarray, ArrayOf("i1", 3)]
I4: TypeAlias = Annotated[np.ndarray, ArrayOf("i4")]
I8: TypeAlias = Annotated[np.ndarray, ArrayOf("i8")]
I8_2: TypeAlias = Annotated[np.ndarray, ArrayOf("i8", 2)]
F4: TypeAlias = Annotated[np.ndarray, ArrayOf("f4")]
F4_3: TypeAlias = Annotated[np.ndarray, ArrayOf("f4", 3)]
Bools: TypeAlias = Annotated[np.ndarray, ArrayOf("?")]
OutI1: TypeAlias = Annotated[np.ndarray, ArrayOf("i1", 1, True)]
OutI1_2: TypeAlias = Annotated[np.ndarray, ArrayOf("i1", 2, True)]
OutI1_3: TypeAlias = Annotated[np.ndarray, ArrayOf("i1", 3, True)]
OutI4: TypeAlias = Annotated[np.ndarray, ArrayOf("i4", 1, True)]
OutI4_2: TypeAlias = Annotated[np.ndarray, ArrayOf("i4", 2, True)]
OutI8: TypeAlias = Annotated[np.ndarray, ArrayOf("i8", 1, True)]
OutI8_2: TypeAlias = Annotated[np.ndarray, ArrayOf("i8", 2, True)]
OutU1: TypeAlias = Annotated[np.ndarray, ArrayOf("u1", 1, True)]
OutU1_2: TypeAlias = Annotated[np.ndarray, ArrayOf("u1", 2, True)]
OutU1_3: TypeAlias = Annotated[np.ndarray, ArrayOf("u1", 3, True)]
OutU4: TypeAlias = Annotated[np.ndarray, ArrayOf("u4", 1, True)]
OutF4: TypeAlias = Annotated[np.ndarray, ArrayOf("f4", 1, True)]
OutF4_2: TypeAlias = Annotated[np.ndarray, ArrayOf("f4", 2, True)]
OutF4_3: TypeAlias = Annotated[np.ndarray, ArrayOf("f4", 3, True)]
OutF8: TypeAlias = Annotated[np.ndarray, ArrayOf("f8", 1, True)]
OutF8_2: TypeAlias = Annotated[np.ndarray, ArrayOf("f8", 2, True)]
OutBools: TypeAlias = Annotated[np.ndarray, ArrayOf("?", 1, True)]
OutBools_2: TypeAlias = Annotated[np.ndarray, ArrayOf("?", 2, True)]


class Records(NamedTuple):
    """The dtypes of a game's records: its constant data, a position, what judges positions (`search.value`), and the
    scratch of its scripted player.
    """

    tables: np.dtype
    states: np.dtype
    judges: np.dtype
    notes: np.dtype = np.dtype([("none", "i1")])


records_of: dict[str, Records] = {}  # by game, written by `binding.bind`


class Parameter(NamedTuple):
    """A parameter of an entry, or a field of a NamedTuple that it takes: `path` is how Python reaches it."""

    name: str
    path: str
    kind: ArrayOf | type

    @property
    def root(self) -> str:
        """The parameter of the Python function."""
        return self.path.partition(".")[0]


class Signature(NamedTuple):
    """What an entry takes and returns; `hints` are its parameters' annotations."""

    parameters: tuple[Parameter, ...]
    result: type | None
    hints: Mapping[str, Any]


def signature_of(function: Callable[..., Any], game: str) -> Signature:
    """The signature of a plain function of a game's library.

    Raises:
        TypeError: an annotation is none of those that an entry may have.
    """
    hints = get_type_hints(function, include_extras=True)
    result = hints.pop("return", None)
    result = None if result is type(None) else result
    if result not in (None, int, float, bool):
        raise TypeError(f"{function.__qualname__}: expected int, float, bool or None as its result, got {result}")
    parameters = [each for name, hint in hints.items() for each in _parameters(function, game, name, name, hint)]
    return Signature(tuple(parameters), result, hints)


def _parameters(function: Callable[..., Any], game: str, name: str, path: str, hint: Any) -> Iterator[Parameter]:
    if is_tuple(hint):
        for field, inner in get_type_hints(hint, include_extras=True).items():
            yield from _parameters(function, game, f"{name}_{field}", f"{path}.{field}", inner)
        return
    kind = next((each for each in getattr(hint, "__metadata__", ()) if isinstance(each, ArrayOf)), hint)
    if isinstance(kind, ArrayOf):
        kind = kind._replace(dtype=np.dtype(_record(kind.dtype, game)))
    elif kind not in (int, float, bool):
        raise TypeError(
            f"{function.__qualname__}: expected a number or an alias of core.signature as {path}, got {hint}"
        )
    yield Parameter(name, path, kind)


def _record(dtype: Any, game: str) -> Any:
    return getattr(records_of[game], dtype) if dtype in Records._fields else dtype


def is_tuple(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, tuple)
