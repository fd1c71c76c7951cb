"""Copying rows of bytes as memory.

Compiled loops over bytes stay loops over bytes: LLVM cannot know that source and target never overlap. An observation
is copied together from a hundred short rows, so this is where its time goes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..jit import COMPILED, jit


def _move(source: np.ndarray, target: np.ndarray, at: int) -> None:
    target[at : at + source.size] = source.ravel()


if COMPILED:
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    def _memory_move(typing_context: Any, source: Any, target: Any, at: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            row = context.make_array(signature.args[0])(context, builder, arguments[0])
            place = context.make_array(signature.args[1])(context, builder, arguments[1])
            first = builder.gep(place.data, [arguments[2]])
            one = context.get_constant(types.intp, 1)
            cgutils.raw_memcpy(builder, first, row.data, row.nitems, one, align=1)  # type: ignore[no-untyped-call]
            return context.get_dummy_value()

        return types.void(source, target, types.intp), generate

    _move = intrinsic(_memory_move)  # type: ignore[assignment]  # called from compiled code only


@jit
def copy_row(row: np.ndarray, out: np.ndarray, at: int) -> int:
    """Copy `row`, of any shape, into `out` from `at` on; returns the end.

    Both are contiguous and of bytes; nothing is checked.
    """
    _move(row, out, at)
    return at + row.size
