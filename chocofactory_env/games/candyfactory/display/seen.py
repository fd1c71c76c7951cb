"""What a viewer may know of a position, read from its record. Only this module hides secrets from the picture.

OPEN-1 and OPEN-3 are shown to all. What OPEN-2 hides, the seed and the generator included, is not read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..actions import BRING, SHIP
from ..cards import Cards
from ..constants import (
    FIRST_HIRED,
    FIRST_TRUCK,
    MAX_OPEN_RECIPES,
    NONE,
    NUM_HIRED,
    SPECIALIST_CARDS,
    WAREHOUSE,
    Half,
    Kind,
    Step,
    Variety,
    Way,
)
from ..rules import turn as rules_of_turn


@dataclass(frozen=True, slots=True)
class Turn:
    """The turn under way, with the fields of `state.TURN`."""

    card: int
    number: int
    way: int
    counter: int
    space: int
    left: int
    truck: int
    last: int
    open: tuple[int, int]
    recipe: int
    uses: int
    recruited: int
    to_load: tuple[int, int]
    surplus: int


@dataclass(frozen=True, slots=True)
class Player:
    """A seat as the viewer knows it.

    hand: (NUM_CARDS,) cards, for the viewer's own seat; else None.
    unplayed: (NUM_CARDS,) cards in hand or deck that all can name; for the viewer's own seat, those in the deck.
    others: the number of cards besides them.
    goods, stacks: (NUM_HOLDS, NUM_KINDS). free: (NUM_HOLDS,) places.
    """

    seat: int
    coins: int
    whistle: int
    hand: list[int] | None
    hand_size: int
    deck_size: int
    unplayed: list[int]
    others: int
    played: list[int]
    goods: list[list[int]]
    stacks: list[list[int]]
    free: list[int]


@dataclass(frozen=True)
class Seen:
    """The table as the viewer knows it.

    viewer: a seat; None for a spectator.
    legal: flat numbers of the viewer's legal actions; empty unless the viewer is to move.
    knows: (NUM_HIRED,) cards of the specialist deck that the viewer knows, by kind.
    offer: the Specialists that the viewer is looking at.
    ways: the space (1-8) and the capacity of every legal `bring` and `ship`.
    scores, ranking: by seat.
    """

    cards: Cards
    viewer: int | None
    legal: frozenset[int]
    variety: Variety
    half: Half
    step: Step
    current: int
    start_player: int
    board: list[int]
    die: int
    supply: list[int]
    recipes: list[int]
    tokens: list[int]
    specialists_left: int
    knows: list[int]
    offer: list[int]
    turn: Turn
    players: list[Player]
    ways: Mapping[int, tuple[int, int]]
    scores: Sequence[int]
    ranking: Sequence[int]

    def action(self, number: int) -> int | None:
        """`number` if the viewer may take this action, else None."""
        return number if number in self.legal else None

    @cached_property
    def kinds(self) -> list[str]:
        """Names of goods, by Kind; "" for candy of places without a recipe."""
        names = [self.cards.names[self.cards.recipes[recipe]] for recipe in self.recipes]
        names += [""] * (MAX_OPEN_RECIPES - len(names))
        decorated = [f"decorated {name}" if name else "" for name in names]
        return ["sugar", "cacao", "chocolate", *names, *decorated]

    @property
    def looks_at(self) -> int:
        """ABIL-8, ABIL-12: the number of cards that a recruit looks at."""
        return min(int(self.cards.record.look), self.specialists_left)

    @property
    def from_supply(self) -> bool:
        """TO-4: goods are being brought from the supply."""
        return self.step == Step.GOODS and self.half == Half.PLANTATION and self.turn.way == Way.BRING

    @cached_property
    def source(self) -> int:
        """The hold that goods are moved from; NONE if nothing is moved, or from the supply."""
        turn = self.turn
        if self.step != Step.GOODS or turn.truck == NONE:
            return NONE
        return FIRST_TRUCK + turn.truck if turn.way == Way.BRING else WAREHOUSE

    @cached_property
    def target(self) -> int:
        """The hold that goods are moved to, or NONE."""
        turn = self.turn
        if self.step == Step.LOAD:
            return NONE if turn.truck == NONE else FIRST_TRUCK + turn.truck
        if self.step != Step.GOODS:
            return NONE
        if turn.way == Way.BRING:
            return WAREHOUSE
        return NONE if turn.truck == NONE else FIRST_TRUCK + turn.truck

    @cached_property
    def last(self) -> int:
        """The kind moved last, or NONE. A loading moves sugar first, then chocolate (SHORT-5)."""
        if self.step == Step.LOAD and self.turn.truck != NONE:
            return int(Kind.SUGAR if self.turn.to_load[0] else Kind.CHOCOLATE)
        return self.turn.last


def see(
    state: np.ndarray,
    cards: Cards,
    viewer: int | None,
    legal: Sequence[int],
    outcome: tuple[Sequence[int], Sequence[int]],
) -> Seen:
    """Read what the viewer may know. `legal` and `outcome` (scores and ranking by seat) come from the rules."""
    row = state[0]
    mine = viewer is not None and viewer == row["current"]
    offers = mine and row["step"] == Step.HIRE
    looked = min(int(cards.record.look), int(row["specialists_left"])) if offers else 0
    return Seen(
        cards=cards,
        viewer=viewer,
        legal=frozenset(legal) if mine else frozenset(),
        variety=Variety(int(row["variety"])),
        half=Half(int(row["half"])),
        step=Step(int(row["step"])),
        current=int(row["current"]),
        start_player=int(row["start_player"]),
        board=row["board"].tolist(),
        die=int(row["die"]),
        supply=row["supply"].tolist(),
        recipes=[recipe for recipe in row["recipes"].tolist() if recipe != NONE],
        tokens=row["tokens"].tolist(),
        specialists_left=int(row["specialists_left"]),
        knows=[0] * NUM_HIRED if viewer is None else row["seats"][viewer]["knows"].tolist(),
        offer=row["specialists"][:looked].tolist(),
        turn=_turn(row["turn"]),
        players=[_player(row["seats"][seat], seat, seat == viewer) for seat in range(int(row["num_players"]))],
        ways=_ways(state, cards, legal) if mine else {},
        scores=outcome[0],
        ranking=outcome[1],
    )


def _turn(record: np.void) -> Turn:
    fields: dict[str, Any] = dict(zip(record.dtype.names or (), record.item(), strict=True))
    fields["open"], fields["to_load"] = record["open"].tolist(), record["to_load"].tolist()
    return Turn(**fields)


def _player(record: np.void, seat: int, own: bool) -> Player:
    hand, unplayed, others = record["hand"].tolist(), record["unplayed"].tolist(), int(record["unknown"])
    if own:
        unplayed = [max(0, number - held) for number, held in zip(unplayed, hand, strict=True)]
        others -= sum(hand[SPECIALIST_CARDS + FIRST_HIRED :]) if others else 0
    return Player(
        seat=seat,
        coins=int(record["coins"]),
        whistle=int(record["whistle"]),
        hand=hand if own else None,
        hand_size=int(record["hand_size"]),
        deck_size=int(record["deck_size"]),
        unplayed=unplayed,
        others=others,
        played=record["played"].tolist(),
        goods=record["goods"].tolist(),
        stacks=record["stacks"].tolist(),
        free=record["free"].tolist(),
    )


def _ways(state: np.ndarray, cards: Cards, legal: Sequence[int]) -> dict[int, tuple[int, int]]:
    found = {}
    for first, way in ((BRING, Way.BRING), (SHIP, Way.SHIP)):
        for counter in (0, 1):
            if first + counter in legal:
                found[first + counter] = way_found(state, cards, way, counter)
    return found


def way_found(state: np.ndarray, cards: Cards, way: int, counter: int) -> tuple[int, int]:
    """TO-1, FROM-1, SPEC-3: the space (1-8) that bringing or shipping would find, and the capacity."""
    row = state.view(np.recarray)[0]
    lift = int(cards.record.lift) if row.turn.card == rules_of_turn.LIFT_CARD else 0
    tried = rules_of_turn.tries(row, int(row.turn.number), way, counter)
    space = rules_of_turn.space_found(row, tried, counter)
    return int(space) + 1, int(tried) + lift
