"""The words of the candy factory's oracle: kinds, cards, verbs, steps, and goods in their places."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

Tables = dict[str, list[dict[str, Any]]]  # of a deck, as TOML gives them
Answer = tuple[str, int]  # verb and argument

RECIPE_PLACES = 5
RAW = ("sugar", "cacao", "chocolate")
PLAIN = tuple(f"plain {place}" for place in range(RECIPE_PLACES))
DECORATED = tuple(f"decorated {place}" for place in range(RECIPE_PLACES))
KINDS = (*RAW, *PLAIN, *DECORATED)
WORKERS = tuple(str(number) for number in range(1, 9))
HIRED = ("lift_operator", "sorter", "runner", "trucker", "machinist", "packer")
SPECIALISTS = ("temp", *HIRED)
EFFECTS = {  # of the table of specialists: what a card is called here, whatever its id
    "none": "temp",
    "capacity": "lift_operator",
    "counter_clockwise": "sorter",
    "turn_die": "runner",
    "all_trucks": "trucker",
    "machine": "machinist",
    "stack": "packer",
}
CARDS = (*WORKERS, *SPECIALISTS)
SPACES = range(1, 9)
DIE_TURNS = (-2, -1, 0, 1, 2)
STEPS = ("load", "play", "die", "runner", "direct", "goods", "ability", "recipe", "hire", "dismiss")
ABILITIES = ("mixer", "break_room", "machine", "decorator", "outlet")
MACHINES = {"plantation": "mixer", "candy": "machine"}  # SPEC-7
ALWAYS_ASKED = ("load", "play", "dismiss")  # `play_forced` leaves these to the player


def type_of(kind: str) -> str:
    """Plain and decorated candy of a recipe are one type."""
    return kind.replace("decorated", "plain")


@dataclass
class Room:
    """A warehouse or a truck. Every entry of `stacks` is a place taken by one good or by two (ROOM-1, SPEC-8)."""

    places: int
    berths: int = 0
    own: bool = True
    stacks: list[list[str]] = field(default_factory=list)

    @property
    def free(self) -> int:
        return self.places - len(self.stacks)

    @property
    def free_berths(self) -> int:
        """ROOM-4: berths are filled last."""
        return min(self.berths, self.free)

    def goods(self) -> Counter[str]:
        return Counter(good for stack in self.stacks for good in stack)

    def stacked(self) -> Counter[str]:
        """Stacks of two, by kind."""
        return Counter(stack[0] for stack in self.stacks if len(stack) > 1)

    def count(self, kind: str) -> int:
        return self.goods()[kind]

    def has_single(self, kind: str) -> bool:
        return [kind] in self.stacks

    def take(self, kind: str) -> None:
        """ROOM-5: one that is not in a stack leaves first. ROOM-6: the other one of a stack keeps the place."""
        if self.has_single(kind):
            self.stacks.remove([kind])
        else:
            self.stacks[self.stacks.index([kind, kind])].pop()

    def fits(self, kind: str, packer: bool) -> bool:
        return self.free > 0 or (packer and self.has_single(kind))

    def put(self, kind: str, packer: bool = False) -> None:
        """SPEC-13: with a Packer onto one that is not in a stack, if there is one."""
        if packer and self.has_single(kind):
            self.stacks[self.stacks.index([kind])].append(kind)
        else:
            self.stacks.append([kind])

    def can_turn(self, kind: str) -> bool:
        """ROOM-6: turning one good of a stack needs a free place."""
        return self.has_single(kind) or (self.count(kind) > 0 and self.free > 0)

    def turn(self, kind: str, into: str) -> None:
        self.take(kind)
        self.put(into)

    def copy(self) -> Room:
        return Room(self.places, self.berths, self.own, [list(stack) for stack in self.stacks])


@dataclass
class Player:
    warehouse: Room
    trucks: list[Room]
    coins: int = 0
    whistle: int = 0  # coins on it: 1 if a shift change was called in this half
    hand: list[str] = field(default_factory=list)
    deck: list[str] = field(default_factory=list)  # the top comes first
    played: list[str] = field(default_factory=list)  # in this half, in the order of play

    def rooms(self) -> list[Room]:
        return [self.warehouse, *self.trucks]

    def played_specialists(self) -> list[str]:
        return [card for card in self.played if card in SPECIALISTS]

    def surplus(self) -> int:
        """TRANS-2: specialist cards beyond the free berths."""
        return max(0, len(self.played_specialists()) - sum(truck.free_berths for truck in self.trucks))


@dataclass
class Turn:
    """The turn under way. At `play` nothing of it is settled."""

    card: str | None = None
    number: int | None = None
    way: str | None = None  # bring or ship
    counter_clockwise: bool = False
    space: int | None = None
    left: int = 0  # capacity
    truck: int | None = None
    last: str | None = None  # kind last moved, within the truck
    space_open: bool = False
    machinist_open: bool = False
    recipe: int | None = None
    uses: int = 0  # left of the recipe
    looked_at: int = 0  # cards on top of the specialist deck
    recruited: bool = False

    def plays(self, specialist: str) -> bool:
        return self.card == specialist
