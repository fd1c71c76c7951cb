"""The cost of a decision by number of players and batch size."""

from __future__ import annotations

from .batches import batch_row
from .measure import main

ROWS = [
    *(batch_row(1024, players, scaled) for scaled in (False, True) for players in (1, 2, 3, 4)),
    *(batch_row(size, 4, scaled) for scaled in (False, True) for size in (1, 4, 16, 64, 256, 1024, 4096, 16384)),
]

if __name__ == "__main__":
    main("scaling", ROWS, __doc__)
