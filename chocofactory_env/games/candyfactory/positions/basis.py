"""What all checks share: the words of a position, and the position as it was read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ....core.positions.reading import ReadPosition
from ....core.text.words import words_of
from ..cards import Cards
from ..constants import NONE, NUM_RAW, NUM_SPACES, Half, Kind, Pile, Specialist, Step, Variety, Way

if TYPE_CHECKING:
    from ..game import CandyFactory

# The words of positions, each list in the order of its numbers.
HALVES, STEPS, PILES, WAYS, SPECIALISTS = (
    words_of(Half),
    words_of(Step),
    words_of(Pile),
    words_of(Way),
    words_of(Specialist),
)
RAW: Final = words_of(Kind)[:NUM_RAW]
TEMP: Final = SPECIALISTS[Specialist.TEMP]
NUMBERS: Final = [str(number) for number in range(1, NUM_SPACES + 1)]  # worker cards
CARDS: Final = [*NUMBERS, *SPECIALISTS]  # of hands and decks

Hold = Mapping[str, Mapping[str, int]]  # a warehouse or a truck: goods and stacks by kind


class Position(ReadPosition["CandyFactory"]):
    """A position of this game, as it was read."""

    def __init__(self, game: CandyFactory, data: Mapping[str, Any], states: np.ndarray) -> None:
        super().__init__(game, data, states)
        self.cards = game.cards
        self.deck = game.cards.record
        self.options = game.options
        self.variety = Variety(int(self.state.variety))
        self.half: str = data["half"]
        self.step: str = data["step"]
        self.turn: Mapping[str, Any] | None = data["turn"]
        self.number_cards = {str(n + 1): int(self.deck.numbers[n]) for n in range(NUM_SPACES)}

    @property
    def in_turn(self) -> bool:
        """Whether a card is in play."""
        return self.turn is not None and self.step not in ("load", "dismiss")

    def is_mover(self, seat: int) -> bool:
        """Whether the seat has a card in play."""
        return self.in_turn and seat == self.mover

    def cards_of(self, seat: int) -> Counter[str]:
        """Hand and deck."""
        player = self.players[seat]
        return Counter([*player["hand"], *player["deck"]])

    def legal_mask(self) -> np.ndarray:
        """The rules' mask for the seat to move, (A,) int8."""
        return self.game.legal_mask(self.states)

    def holds(self) -> Iterator[tuple[str, int, Hold]]:
        """Yield path, number (0: warehouse, then trucks) and contents of every warehouse and truck."""
        for seat, player in enumerate(self.players):
            yield f"players[{seat}].warehouse", 0, player["warehouse"]
            for truck, hold in enumerate(player["trucks"]):
                yield f"players[{seat}].trucks[{truck}]", truck + 1, hold

    def goods(self, *kinds: str) -> int:
        """The number of goods of these kinds that the players have."""
        return sum(hold["goods"].get(kind, 0) for _, _, hold in self.holds() for kind in kinds)


def kinds_of(cards: Cards, recipes: Iterable[int]) -> list[str]:
    """The words for goods, by Kind, with these recipes in play; "" for candy of places without a recipe."""
    names = ["" if recipe == NONE else cards.recipes[recipe] for recipe in recipes]
    return [*RAW, *(f"{candy} {name}" if name else "" for candy in ("plain", "decorated") for name in names)]
