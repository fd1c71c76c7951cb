"""SHORT-4: the odds of how many unseen specialists a seat holds, as everybody can work them out.

Whole numbers in `seat.odds`, changed by every card that the seat plays or draws. Each card of a hand counts as equally
likely to be played (OPEN-2). They are 0 where no unseen specialists were shuffled into the deck.
"""

import numpy as np

from ....core.jit import jit
from ..constants import MOST_HAND, MOST_ODDS
from ..state import Seat


@jit
def begin_odds(seat: Seat) -> None:
    """The first hand holds none."""
    seat.odds[:] = 0
    seat.odds[0] = 1


@jit
def note_played(seat: Seat, is_unseen: bool) -> None:
    """The seat plays one of the unseen specialists, or another card. Call it before the card leaves the hand."""
    for held in range(MOST_HAND + 1):
        odds = int(seat.odds[held])
        if is_unseen:
            seat.odds[held] = 0
            if held > 0:
                seat.odds[held - 1] = odds * held
        else:
            seat.odds[held] = odds * max(int(seat.hand_size) - held, 0)
    reduce_odds(seat.odds)


@jit
def note_drawn(seat: Seat) -> None:
    """The seat draws a card. Call it before the card leaves the deck."""
    for held in range(MOST_HAND, -1, -1):
        in_deck = int(seat.unknown) - held
        odds = int(seat.odds[held]) * max(int(seat.deck_size) - in_deck, 0)
        if held > 0:
            odds += int(seat.odds[held - 1]) * max(in_deck + 1, 0)
        seat.odds[held] = odds
    reduce_odds(seat.odds)


@jit
def reduce_odds(odds: np.ndarray) -> None:
    """Divide by the greatest common divisor. Play keeps the sum below MOST_ODDS; odds from outside are halved."""
    divisor, total = 0, 0
    for held in range(MOST_HAND + 1):
        total += int(odds[held])
        other = int(odds[held])
        while other > 0:
            divisor, other = other, divisor % other
    for held in range(MOST_HAND + 1):
        odds[held] //= max(divisor, 1 + total // MOST_ODDS)
