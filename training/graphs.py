"""Computations whose tensors stay in place, so that a GPU can replay them as CUDA graphs.

A pass is a hundred small operations, and Python takes longer to launch them than a GPU to do them. A graph launches all
of them at once, but it is fixed: it reads and writes the same memory, its shapes do not depend on what stands there
(`Network.fixed`), and numbers of Python are constants.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final, TypeVar

import torch
from torch import Tensor

T = TypeVar("T")
Capture = Callable[[Callable[[], Any]], tuple[Callable[[], None], Any]]
WARM_UP: Final = 3  # calls before the capture, in which the optimiser and CUDA's libraries make what they keep


class Replays:
    """Calls computations; on a GPU, replays each as a CUDA graph after its first calls.

    `replays(key, compute)` returns what `compute()` does. The calls of a key must compute the same with tensors at the
    same places. What one returns is overwritten by the next one.
    """

    def __init__(self, device: torch.device) -> None:
        self._capture = capture_on(device)
        self._calls = Counter[Hashable]()
        self._graphs: dict[Hashable, tuple[Callable[[], None], Any]] = {}
        self._buffers: dict[Hashable, list[Tensor]] = {}

    @property
    def captures(self) -> bool:
        """Whether computations become graphs."""
        return self._capture is not None

    def gather(self, parts: Sequence[Tensor], rows: Tensor, most: int) -> list[Tensor]:
        """These rows of each part, `most` of them or fewer, in buffers that stay in place."""
        shapes = tuple((most, *part.shape[1:]) for part in parts)
        if shapes not in self._buffers:
            self._buffers[shapes] = [part.new_empty(shape) for part, shape in zip(parts, shapes, strict=True)]
        gathered = [buffer[: len(rows)] for buffer in self._buffers[shapes]]
        for part, to in zip(parts, gathered, strict=True):
            torch.index_select(part, 0, rows, out=to)
        return gathered

    def __call__(self, key: Hashable, compute: Callable[[], T]) -> T:
        if self._capture is None:
            return compute()
        if key not in self._graphs:
            self._calls[key] += 1
            if self._calls[key] <= WARM_UP:
                return compute()
            self._graphs[key] = self._capture(compute)
        replay, results = self._graphs[key]
        replay()
        returned: T = results
        return returned


def capture_on(device: torch.device) -> Capture | None:
    """How to capture a computation without doing it: returns what does it, and where its results will be."""
    return cuda_graph if device.type == "cuda" else None


def cuda_graph(compute: Callable[[], Any]) -> tuple[Callable[[], None], Any]:
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        results = compute()
    return graph.replay, results
