"""The same batch on one thread and on more; needs as many cores."""

from __future__ import annotations

import os

from .batches import batch_row
from .measure import main

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
COUNTS = [1, *(count for count in (2, 4, 8, 16) if count <= CORES)]
ROWS = [
    batch_row(size, players, False, num_threads=count)
    for size, players in ((1024, 4), (4096, 4), (4096, 1))
    for count in COUNTS
]

if __name__ == "__main__":
    main("threads", ROWS, __doc__)
