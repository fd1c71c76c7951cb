"""Fetch the tables of a batch's next row into the cache while a row is played.

With many decks nearly every row reads different tables, and together they are larger than a core's own caches.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..jit import COMPILED, jit

LINE: Final = 64  # bytes of a cache line
FETCHED: Final = 2240  # bytes at the beginning of a record, which should hold what most observations read


def _fetch(records: np.ndarray, byte: int) -> None:
    """Request the cache line of a byte. This changes only speed."""


if COMPILED:
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    def _prefetch(typing_context: Any, records: Any, byte: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            pointer, number = cgutils.voidptr_t, cgutils.int32_t
            first = context.make_array(records)(context, builder, arguments[0]).data
            place = builder.gep(builder.bitcast(first, pointer), [arguments[1]])
            ir = cgutils.ir  # type: ignore[attr-defined]  # not from llvmlite: digests know only Numba by its version
            kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
            prefetch = builder.module.declare_intrinsic("llvm.prefetch", [pointer], kind)
            builder.call(prefetch, [place, number(0), number(3), number(1)])  # data, to be read, into every cache
            return context.get_dummy_value()

        return types.void(records, types.intp), generate

    _fetch = intrinsic(_prefetch)  # type: ignore[assignment]  # called from compiled code only


@jit
def fetch_ahead(tables: np.ndarray, slots: np.ndarray, row_info: np.ndarray, rows: np.ndarray, place: int) -> None:
    """Fetch what row `rows[place]` will read. The tables of a single deck are in the cache anyway."""
    if len(tables) == 1 or place >= len(rows):
        return
    first = slots[row_info[rows[place]].variant] * tables.itemsize
    for byte in range(0, min(FETCHED, tables.itemsize), LINE):
        _fetch(tables, first + byte)
