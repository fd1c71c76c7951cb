"""The types of a deck's tables, and what the rules fix about the deck as a whole.

Words are used as the numbers of `constants.py`, and absent fields have their defaults.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, ClassVar, Final

from ...core.cards.deck import Card, Table
from ...core.reading import Word, between, entries, need, numbers_of, one_of
from .constants import (
    MAX_OPEN_RECIPES,
    MAX_PLAYERS,
    MOST_BERTHS,
    MOST_COINS,
    MOST_HAND,
    MOST_LIFT,
    MOST_LOOK,
    MOST_OF_A_CARD,
    MOST_OF_RECIPE,
    MOST_PLACES,
    MOST_RAW,
    MOST_SHORT_SPECIALISTS,
    MOST_TURN,
    MOST_WORKERS,
    NUM_RECIPES,
    NUM_SPACES,
    NUM_TRUCKS,
    SPECIALIST_DECK,
    WORKER_CARDS,
    Ability,
    Half,
    Specialist,
)

MOST_COST: Final = 7  # goods for one use; a warehouse holds no more (ROOM-1)
MOST_USES: Final = 3  # CANDY-3
MOST_CANDIES: Final = 3  # CANDY-2
MOST_LOAD: Final = 7  # SHORT-5: of a kind
MOST_PAID: Final = 9  # coins for one good, and points for one (SHORT-1)

# ABIL-6 to ABIL-11: the abilities that spaces of each half may have.
ABILITIES_OF_HALF: Final[Mapping[str, tuple[str, ...]]] = {
    "plantation": ("mixer", "break_room", "outlet"),
    "candy": ("machine", "decorator", "outlet"),
}
# SPEC-2 to SPEC-8: the words for the cards' effects.
EFFECTS: Final[Mapping[str, int]] = {
    "none": Specialist.TEMP,
    "capacity": Specialist.LIFT_OPERATOR,
    "counter_clockwise": Specialist.SORTER,
    "turn_die": Specialist.RUNNER,
    "all_trucks": Specialist.TRUCKER,
    "machine": Specialist.MACHINIST,
    "stack": Specialist.PACKER,
}
AMOUNTS: Final[Mapping[str, tuple[int, int]]] = {"capacity": (1, MOST_LIFT), "turn_die": (1, MOST_TURN)}


class HalfWord(Word, words=numbers_of(Half)): ...


class AbilityWord(Word, words=numbers_of(Ability)): ...


class EffectWord(Word, words=EFFECTS): ...


# --- Cards


class Board(Card):
    sorted_by: ClassVar[str] = "half"

    half: HalfWord
    outlet_coins: Annotated[int, between(1, MOST_PAID)]
    spaces: Annotated[list[AbilityWord], entries(NUM_SPACES)]

    def check(self) -> None:
        abilities = ABILITIES_OF_HALF[self.half.word]
        for space, ability in enumerate(self.spaces):
            need(ability.word in abilities, one_of(abilities), ability.word, "spaces", space)


class Truck(Card):
    places: Annotated[int, between(1, MOST_PLACES)]
    berths: Annotated[int, between(0, MOST_BERTHS)]
    own: bool

    def check(self) -> None:
        need(self.berths <= self.places, f"at most the {self.places} places", self.berths, "berths")


class Recipe(Card):
    sugar: Annotated[int, between(0, MOST_COST)]
    chocolate: Annotated[int, between(0, MOST_COST)]
    uses: Annotated[int, between(1, MOST_USES)]
    candies: Annotated[int, between(1, MOST_CANDIES)]
    points: Annotated[int, between(0, MOST_OF_RECIPE)]
    tokens: Annotated[int, between(1, MOST_OF_RECIPE)]

    def check(self) -> None:
        """CANDY-2: a use costs at least one good, and no more than a warehouse holds."""
        goods = self.sugar + self.chocolate
        need(1 <= goods <= MOST_COST, f"a cost of 1 to {MOST_COST} goods, sugar and chocolate together", goods)


class SpecialistCard(Card):
    sorted_by: ClassVar[str] = "effect"

    effect: EffectWord
    count: Annotated[int, between(0, MOST_OF_A_CARD)]
    each: Annotated[int, between(0, 1)]
    amount: int = 0

    def check(self) -> None:
        """START-5: only the temp is dealt."""
        low, high = AMOUNTS.get(self.effect.word, (0, 0))
        expected = f"an integer {low}..{high} for the effect {self.effect.word!r}"
        need(low <= self.amount <= high, expected, self.amount, "amount")
        is_temp = self.effect.word == "none"
        need(self.each == is_temp, "1 for the effect 'none' and 0 for every other", self.each, "each")
        need(not (is_temp and self.count), "0 for the effect 'none'", self.count, "count")


class Workers(Card):
    numbers: Annotated[list[Annotated[int, between(1, NUM_SPACES)]], entries(WORKER_CARDS)]  # in ascending order

    def check(self) -> None:
        self.numbers.sort()
        number, often = Counter(self.numbers).most_common(1)[0]
        expected = f"every number {MOST_OF_A_CARD} times at most"
        need(often <= MOST_OF_A_CARD, expected, None, "numbers", found=f"{number} {often} times")


# --- Setup

Raw = Annotated[int, between(0, MOST_RAW)]
Coins = Annotated[int, between(0, MOST_COINS)]
OpenRecipes = Annotated[int, between(1, MAX_OPEN_RECIPES)]


class ByPlayers(Table, rename={"two": "2", "three": "3", "four": "4"}):
    two: OpenRecipes
    three: OpenRecipes
    four: OpenRecipes


class Start(Table):
    sugar: Raw
    cacao: Raw
    coins: Coins


class Load(Table):
    sugar: Annotated[int, between(1, MOST_LOAD)]
    chocolate: Annotated[int, between(1, MOST_LOAD)]


class Points(Table):
    sugar: Annotated[int, between(0, MOST_PAID)]
    chocolate: Annotated[int, between(0, MOST_PAID)]


class Setup(Card):
    sugar: Raw
    cacao: Raw
    coins: Coins
    pawns: Annotated[int, between(1, MOST_WORKERS)]
    warehouse: Annotated[int, between(1, MOST_PLACES)]
    hand: Annotated[int, between(1, MOST_HAND)]
    look: Annotated[int, between(1, MOST_LOOK)]
    recipes: ByPlayers
    start: Start
    short_load: Load
    short_specialists: Annotated[int, between(0, MOST_SHORT_SPECIALISTS)]
    short_points: Points

    def check(self) -> None:
        """START-4, SHORT-5: the supply and the warehouse hold what players begin with."""
        for kind, loaded in (("sugar", self.short_load.sugar), ("cacao", self.short_load.chocolate), ("coins", 0)):
            least, there = MAX_PLAYERS * max(getattr(self.start, kind), loaded), getattr(self, kind)
            need(there >= least, f"at least the {least} that {MAX_PLAYERS} players begin with", there, kind)
        goods = self.start.sugar + self.start.cacao
        expected = f"at most {self.warehouse} goods, one for each place of a warehouse"
        need(goods <= self.warehouse, expected, goods, "start")


# --- The deck as a whole


class Deck(Table):
    boards: list[Board]
    trucks: Annotated[list[Truck], entries(NUM_TRUCKS, of="trucks")]
    recipes: Annotated[list[Recipe], entries(NUM_RECIPES, of="recipes")]  # START-2
    specialists: list[SpecialistCard]
    workers: Annotated[list[Workers], entries(1, of="table")]
    setup: Annotated[list[Setup], entries(1, of="table")]


def check(deck: Deck) -> None:
    """What holds between cards."""
    for half, boards in ((half, sum(board.half.word == half for board in deck.boards)) for half in ABILITIES_OF_HALF):
        need(boards == 1, f"1 board of the half {half!r}", boards, "boards")
    berths = sum(truck.berths for truck in deck.trucks)  # TRANS-2: as many as the records hold specialists
    need(berths <= MOST_BERTHS, f"at most {MOST_BERTHS} berths in all", berths, "trucks")
    for effect in EFFECTS:  # START-2, START-5
        cards = sum(card.effect.word == effect for card in deck.specialists)
        need(cards == 1, f"1 card with the effect {effect!r}", cards, "specialists")
    in_all = sum(card.count for card in deck.specialists)
    need(in_all == SPECIALIST_DECK, f"{SPECIALIST_DECK} cards in all", in_all, "specialists")
    load, places = deck.setup[0].short_load, sum(truck.places for truck in deck.trucks)
    expected, goods = f"at most {places} goods, one for each place of the trucks", load.sugar + load.chocolate
    need(goods <= places, expected, goods, ("setup", "trucks"), "short_load")  # SHORT-5
