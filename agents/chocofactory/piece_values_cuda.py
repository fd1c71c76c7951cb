"""`piece_values` on a GPU: the same functions compiled for CUDA, a thread for each row and each set of prices.

Needs numba-cuda. Without it what pieces are worth is computed on the CPU, wherever the network is.
"""

from __future__ import annotations

from typing import Any

from numba import cuda, float32
from torch import Tensor

from .piece_values import KINDS, NUM_TILES, grads_of_row, values_of_row

THREADS = 64  # of a block


@cuda.jit
def fill_values(parts: Any, operated: Any, clock: Any, prices: Any, coal: Any, ways: Any, out: Any) -> None:
    """As `values_of_rows`, for the row and the set of prices of this thread."""
    row, head = cuda.grid(1) // prices.shape[1], cuda.grid(1) % prices.shape[1]
    if row < parts.shape[0]:
        scratch = cuda.local.array((4, KINDS), float32)
        values_of_row(
            parts[row],
            operated[row],
            clock[row],
            prices[row, head],
            coal[row, head],
            ways[row, head],
            scratch,
            out[row, head],
        )


@cuda.jit
def fill_gradients(
    parts: Any,
    operated: Any,
    clock: Any,
    prices: Any,
    coal: Any,
    ways: Any,
    values: Any,
    grad: Any,
    to_prices: Any,
    to_coal: Any,
) -> None:
    """As `grads_of_rows`, for the row and the set of prices of this thread."""
    row, head = cuda.grid(1) // prices.shape[1], cuda.grid(1) % prices.shape[1]
    if row < parts.shape[0]:
        grads = cuda.local.array((NUM_TILES, NUM_TILES, 6, KINDS), float32)
        scratch = cuda.local.array((4, KINDS), float32)
        to_coal[row, head] = grads_of_row(
            parts[row],
            operated[row],
            clock[row],
            prices[row, head],
            coal[row, head],
            ways[row, head],
            grads,
            scratch,
            values[row, head],
            grad[row, head],
            to_prices[row, head],
        )


def launch(kernel: Any, *tensors: Tensor) -> None:
    """Call a kernel with contiguous tensors of one GPU, the fourth of them prices, (B, H, 2, K)."""
    threads = tensors[3].shape[0] * tensors[3].shape[1]
    if threads:
        kernel[-(-threads // THREADS), THREADS](*(cuda.as_cuda_array(each) for each in tensors))
