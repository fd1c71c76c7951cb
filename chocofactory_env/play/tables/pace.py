"""The waits of agents before a move, which let people follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

DELAY: Final = 1.0  # seconds
STEP: Final = 0.3  # between two moves of a turn, in delays
READ: Final = 8  # words of a story read in one delay
SHORTEST, LONGEST = 0.5, 2.0  # after a turn, in delays
MOST: Final = 8.0  # between two moves of a person, in delays, however much happens


@dataclass
class Pace:
    """delay: seconds to read a short story. steps: moves for all to see that agents may make while paused.

    waited: sum of the delays since a person moved. The larger it is, the shorter the next one, so it stays below MOST.
    """

    delay: float = DELAY
    paused: bool = False
    steps: int = 0
    waited: float = 0.0

    def wait(self, told: str, bounded: bool) -> float:
        """Seconds to wait before an agent's move. `told`: the story of an agent's turn just ended; "" within a turn."""
        delays = min(LONGEST, max(SHORTEST, len(told.split()) / READ)) if told else STEP
        if bounded:
            delays *= 1 - self.waited / MOST
            self.waited += delays
        return self.delay * delays
