"""How long agents wait before they move, so that people can follow what they do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

DELAY: Final = 1.0  # seconds
STEP: Final = 0.3  # delays, between two moves of a turn
READ: Final = 8  # words of a story that are read in one delay
SHORTEST, LONGEST = 0.5, 2.0  # delays, after a turn
MOST: Final = 8.0  # delays between two moves of a person, however much happens


@dataclass
class Pace:
    """delay: seconds in which a short story is read. steps: moves that agents may make while paused.

    waited: delays since a person moved. The more there were, the shorter is the next one, so their sum is below MOST.
    """

    delay: float = DELAY
    paused: bool = False
    steps: int = 0
    waited: float = 0.0

    def wait(self, told: str, bounded: bool) -> float:
        """Seconds before an agent's move. told: the story of an agent's turn that has just ended; "" within a turn."""
        delays = min(LONGEST, max(SHORTEST, len(told.split()) / READ)) if told else STEP
        if bounded:
            delays *= 1 - self.waited / MOST
            self.waited += delays
        return self.delay * delays
