"""Four operations that machine code does otherwise than Python: each in plain Python, and as Numba builds it.

LLVM compiles a loop over bytes to a loop over bytes, because it cannot know that source and target never overlap. An
observation is copied from about a hundred short rows, so most of its time is spent there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .jit import BUILDING, RULES


def fetch_line(records: np.ndarray, byte: int) -> None:
    """Request the cache line of a byte. This changes only speed."""


def clear_bytes(target: np.ndarray, at: int, size: int) -> None:
    """Write 0 into `size` bytes of `target` from `at` on, unchecked."""
    target[at : at + size] = 0


def copy_bytes(source: np.ndarray, target: np.ndarray, at: int) -> None:
    """Copy `source`, of any shape, into `target` from `at` on. Both are contiguous bytes; nothing is checked."""
    target[at : at + source.size] = source.ravel()


def eight_bytes(source: np.ndarray, at: int) -> Any:
    """Eight bytes of `source`, (B,) of bytes, from `at` on, as one unsigned number; unchecked."""
    return source[at : at + 8].view(np.uint64)[0]


if RULES == BUILDING:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    def _pointer(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> Any:
        first = context.make_array(kind)(context, builder, array).data
        return builder.gep(builder.bitcast(first, cgutils.voidptr_t), [at])

    def _fetch_line(typing_context: Any, records: Any, byte: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            number = cgutils.int32_t
            kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, number, number, number])
            prefetch = builder.module.declare_intrinsic("llvm.prefetch", [cgutils.voidptr_t], kind)
            place = _pointer(context, builder, records, *arguments)
            builder.call(prefetch, [place, number(0), number(3), number(1)])  # data, to be read, into every cache
            return context.get_dummy_value()

        return types.void(records, types.intp), generate

    def _clear_bytes(typing_context: Any, target: Any, at: Any, size: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array, place, number = arguments
            cgutils.memset(builder, _pointer(context, builder, target, array, place), number, 0)
            return context.get_dummy_value()

        return types.void(target, types.intp, types.intp), generate

    def _copy_bytes(typing_context: Any, source: Any, target: Any, at: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            row = context.make_array(source)(context, builder, arguments[0])
            place = _pointer(context, builder, target, *arguments[1:])
            one = context.get_constant(types.intp, 1)
            cgutils.raw_memcpy(builder, place, row.data, row.nitems, one, align=1)
            return context.get_dummy_value()

        return types.void(source, target, types.intp), generate

    def _eight_bytes(typing_context: Any, source: Any, at: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            place = _pointer(context, builder, source, *arguments)
            return builder.load(builder.bitcast(place, ir.IntType(64).as_pointer()), align=1)

        return types.uint64(source, types.intp), generate

    made: Any = intrinsic
    fetch_line, clear_bytes = made(_fetch_line), made(_clear_bytes)
    copy_bytes, eight_bytes = made(_copy_bytes), made(_eight_bytes)
