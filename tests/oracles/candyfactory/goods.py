"""What a step `goods` may come to: a naive enumeration of all multisets of goods (check 8 of the page).

Rules: TO-4 to TO-7, FROM-4, ROOM-1 to ROOM-3, ROOM-5, ROOM-6, SPEC-6, SPEC-8, SPEC-12, SPEC-13.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from .words import KINDS

Rooms = tuple[tuple[tuple[int, int], ...], ...]  # of every room and kind: goods and stacks; the warehouse comes first
Flow = tuple[int, int]  # room, 0 for the supply, and kind


@dataclass
class Transport:
    """The beginning of a step `goods`."""

    half: str
    way: str
    card: str
    left: int  # capacity
    rooms: Rooms
    places: list[int]
    supply: dict[str, int]

    @property
    def from_supply(self) -> bool:
        return self.half == "plantation" and self.way == "bring"

    def results(self) -> set[Rooms]:
        """The rooms after every transport that the rules allow."""
        partners = [0] if self.from_supply else range(1, len(self.rooms))
        flows = [(partner, kind) for partner in partners for kind in range(len(KINDS))]
        found = set()
        for taken in amounts([self.limit(flow) for flow in flows], self.left):
            moved = {flow: number for flow, number in zip(flows, taken, strict=True) if number}
            after = self.moved(moved) if self.allows(moved) else None
            if after is not None and all(
                sum(goods - stacks for goods, stacks in room) <= has
                for room, has in zip(after, self.places, strict=True)
            ):
                found.add(after)
        return found

    def limit(self, flow: Flow) -> int:
        """Most goods of the kind that could come out of the source: the supply, a truck or the warehouse."""
        partner, kind = flow
        if self.from_supply:
            return self.supply[KINDS[kind]] if KINDS[kind] in ("sugar", "cacao") else 0
        if self.half == "plantation" and KINDS[kind] == "cacao":
            return 0
        return self.rooms[partner if self.way == "bring" else 0][kind][0]

    def allows(self, moved: dict[Flow, int]) -> bool:
        """One kind from the supply, one truck; with the Trucker more."""
        different = {kind for _, kind in moved} if self.from_supply else {partner for partner, _ in moved}
        return len(different) < 2 or self.card == "trucker"

    def moved(self, moved: dict[Flow, int]) -> Rooms | None:
        """None if the warehouse does not have as much."""
        packer = self.card == "packer"
        rooms = [list(room) for room in self.rooms]
        outgoing: Counter[int] = Counter()
        incoming: Counter[int] = Counter()
        for (partner, kind), number in moved.items():
            if self.way == "ship":
                outgoing[kind] += number
                rooms[partner][kind] = added(*rooms[partner][kind], number, packer)
            else:
                incoming[kind] += number
                if not self.from_supply:
                    rooms[partner][kind] = removed(*rooms[partner][kind], number)
        for kind in range(len(KINDS)):
            if outgoing[kind] > self.rooms[0][kind][0]:
                return None
            rooms[0][kind] = removed(*rooms[0][kind], outgoing[kind])
            rooms[0][kind] = added(*rooms[0][kind], incoming[kind], packer)
        return tuple(tuple(room) for room in rooms)


def removed(goods: int, stacks: int, number: int) -> tuple[int, int]:
    """ROOM-5, ROOM-6."""
    from_stacks = max(0, number - (goods - 2 * stacks))
    return goods - number, stacks - (from_stacks + 1) // 2


def added(goods: int, stacks: int, number: int, packer: bool) -> tuple[int, int]:
    """SPEC-12, SPEC-13: every new stack holds a good that was moved."""
    singles = goods - 2 * stacks
    new = min(number, (singles + number) // 2) if packer else 0
    return goods + number, stacks + new


def amounts(available: list[int], most: int) -> Iterator[tuple[int, ...]]:
    """Every way to take at most `most` goods."""
    if not available:
        yield ()
        return
    for number in range(min(available[0], most) + 1):
        yield from ((number, *others) for others in amounts(available[1:], most - number))
