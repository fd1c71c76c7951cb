"""Checks of the players: completed orders, today's actions, and markers."""

from __future__ import annotations

from collections import Counter

from ....core.positions.reading import Fault, Faults, numbered, repeated
from ..constants import NONE, Effect, Function
from .basis import SIZES, STORES, Position


def special_sizes(p: Position) -> list[int]:
    """SOLO-2: the sizes of the target's Special Orders, by place."""
    if not p.is_solo:
        return []
    target = p.deck.targets[p.cards.targets.index(p.data["solo"]["target"])]
    return [size for size in range(len(SIZES)) for _ in range(target.special[size])]


def check_special_orders(p: Position) -> Faults:
    """SOLO-2: the target's Special Orders stay in their places until completed."""
    sizes = special_sizes(p)
    for seat, player in enumerate(p.players):
        for place, held in enumerate(player["special_orders"]):
            path = f"players[{seat}].special_orders[{place}]"
            if held is not None and place >= len(sizes):
                yield Fault(path, "null, since the target has no such order", held)
            if held is not None and p.sizes[held["order"]] != sizes[place]:
                yield Fault(f"{path}.order", f"a {SIZES[sizes[place]]} order", held["order"])
        completed = sum(held is None for held in player["special_orders"][: len(sizes)])
        if player["special_completed"] != completed:
            yield Fault(f"players[{seat}].special_completed", f"{completed}", player["special_completed"])


def check_completed(p: Position) -> Faults:
    """FUL-3, SOLO-10: `completed` counts orders, Special Orders separately; every empty place gets a replacement."""
    sizes = special_sizes(p)
    for seat, player in enumerate(p.players):
        path = f"players[{seat}]"
        pile = Counter(p.sizes[order] for order in player["completed"])
        pile.subtract(size for size, held in zip(sizes, player["special_orders"], strict=False) if held is None)
        for size, name in enumerate(SIZES):
            if pile[size] < 0:
                yield Fault(f"{path}.completed", f"the {name} Special Orders too", player["completed"])
            if player["completed_by_size"][name] != pile[size]:
                got = player["completed_by_size"][name]
                yield Fault(f"{path}.completed_by_size.{name}", f"{pile[size]}, as in `completed`", got)
        empty = player["orders"].count(None)
        if player["to_replace"] > empty:
            yield Fault(f"{path}.to_replace", f"at most {empty}, the empty places", player["to_replace"])


def check_today(p: Position) -> Faults:
    """DRAFT-5, FUL-1: nothing is used in the draft, or handed over before Fulfil orders."""
    for seat, player in enumerate(p.players):
        card = p.employee_of(seat)
        most = 0 if card is None else int(card.uses)
        least = most if p.phase == "draft" else 0
        if not least <= player["uses_left"] <= most:
            yield Fault(f"players[{seat}].uses_left", f"{least} to {most} with this employee", player["uses_left"])
        if p.phase in ("draft", "run"):
            for field, nothing in (("supplied", []), ("earned_today", 0)):
                if player[field] != nothing:
                    yield Fault(f"players[{seat}].{field}", f"{nothing} before Fulfil orders", player[field])


def check_supplied(p: Position) -> Faults:
    """DRAFT-6, FUL-4, EMP-14: only the employee's store, and one more if a Department Store Agent was used."""
    for seat, player in enumerate(p.players):
        card = p.employee_of(seat)
        own = {STORES[card.store]} if card is not None and card.store != NONE else set()
        most = int(p.has(seat, Effect.OTHER_STORE) and player["uses_left"] == 0)
        if len(set(player["supplied"]) - own) > most:
            yield Fault(f"players[{seat}].supplied", "stores that today's employee supplies", player["supplied"])


def check_assigned(p: Position) -> Faults:
    """EMP-7, EMP-16, EMP-17: an assignment spends the one use and names a part; the Mechanic's costs coal."""
    for seat, player in enumerate(p.players):
        path, slot = f"players[{seat}].assigned", player["assigned"]
        mechanic = p.has(seat, Effect.HALF_COST)
        spent = (mechanic or p.has(seat, Effect.REACH)) and player["uses_left"] == 0
        if (slot is not None) != spent:
            yield Fault(path, "a slot, the use being spent" if spent else "null", slot)
        if slot is not None:
            part = p.part_on(seat, slot)
            if part is None or (mechanic and part.cost == 0):
                yield Fault(path, "a slot with a part that costs coal" if mechanic else "a slot with a part", slot)


def check_operated(p: Position) -> Faults:
    """RUN-4, RUN-6: the slots operated in the last shift hold parts; none is the Chute."""
    for seat, player in enumerate(p.players):
        path = f"players[{seat}].operated"
        if player["operated"] and p.phase == "draft":
            yield Fault(path, "[] in the draft", player["operated"])
        for at, slot in numbered(path, player["operated"]):
            part = p.part_on(seat, slot)
            if part is None or part.function == Function.CHUTE:
                yield Fault(at, "a slot with a part that is not the Chute", slot)


def check_tracks(p: Position) -> Faults:
    """FUL-6: a marker above 0 has moved, each at a different time, and the moves are counted."""
    arrivals = []
    for seat, player in enumerate(p.players):
        for store in STORES:
            path, move = f"players[{seat}].arrivals.{store}", player["arrivals"][store]
            if (move > 0) != (player["tracks"][store] > 0):
                yield Fault(path, "above 0 for a marker above 0, else 0", move)
            if move > p.data["marker_moves"]:
                yield Fault(path, f"at most {p.data['marker_moves']}, the moves so far", move)
            if move > 0:
                arrivals.append((path, move))
    for path, move in repeated(arrivals):
        yield Fault(path, "a move that is no other marker's", move)
