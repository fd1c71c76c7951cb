"""Checks of the numbers that add up: what is there leaves room for all that play can still add.

So fields of sixteen bits never wrap, and a position that play reaches is inside the bounds again: what play adds to a
number it takes from what was still to come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from ..constants import NUM_DAYS, NUM_SLOTS, OWN_ORDERS, Effect, Function
from ..rules.run import LOAD, SHIFTS
from .basis import SIZES, Check, Fault, Faults, Position

MOST: Final = int(np.iinfo(np.int16).max)
# Pounds that a position may have beyond what its completed stages pay. The stages of 54 orders pay 6,400 at most
# (deck_schema), so that sixteen bits hold them with the prizes and what the shipped cards leave over.
MADE_UP_MONEY: Final = 10_000


def most_amount(p: Position, effect: Effect) -> int:
    """The highest amount among the employees with this effect; 0 without any."""
    employees = p.deck.employees[: p.deck.num_employees]
    return max((int(card.amount) for card in employees if card.effect == effect), default=0)


def check_marker_moves(p: Position) -> Faults:
    """FUL-4, EMP-14: a player moves at most two markers a day."""
    today = sum(len(player["supplied"]) for player in p.players)
    most = MOST + today - 2 * len(p.players) * (NUM_DAYS + 1 - p.day)
    if p.data["marker_moves"] > most:
        yield Fault("marker_moves", f"at most {most}", p.data["marker_moves"])


def check_money(p: Position) -> Faults:
    """FUL-3, EMP-4: every stage pays once."""
    bonus = most_amount(p, Effect.STAGE_PAY)
    for seat, player in enumerate(p.players):
        held = [order for order in (*player["orders"], *player["special_orders"]) if order is not None]
        done = [(p.order(order["order"]), order["stage"]) for order in held]
        done += [(order, order.num_stages) for order in map(p.order, player["completed"])]
        paid = sum(int(stage.pay) + bonus for order, stages in done for stage in order.stages[:stages])
        if player["money"] > MADE_UP_MONEY + paid:
            yield Fault(f"players[{seat}].money", f"at most {MADE_UP_MONEY + paid}", player["money"])


def check_completed_shown(p: Position) -> Faults:
    """A player completes at most three orders of a size a day; observations show no more than `high` of them."""
    high = next(block.high for block in p.game.observation_layout.blocks if block.name == "completed")
    in_deck = Counter(int(p.order(order).deck) for order in p.cards.orders)
    for seat, player in enumerate(p.players):
        ahead = OWN_ORDERS * (NUM_DAYS - p.day)
        if p.phase in ("draft", "run", "fulfil", "agents"):
            ahead += OWN_ORDERS - player["orders"].count(None)
        for size, name in enumerate(SIZES):
            completed = player["completed_by_size"][name]
            if min(completed + ahead, in_deck[size]) > high:
                yield Fault(f"players[{seat}].completed_by_size.{name}", f"at most {high - ahead} by now", completed)


# --- coal and pieces: no more than a whole game can bring


def check_pieces(p: Position) -> Faults:
    """SET-9 sets no limit: what is there and what is still to come together are no more than a whole game can bring.

    Coal counts as pieces do, since they are traded for it (RUN-8). A Packer (EMP-15) doubles all at most.
    """
    week = [day_brings(p, day) for day in range(NUM_DAYS)]
    packers = {name for name, card in employees(p) if card.effect == Effect.DOUBLE_TILE}
    whole = grown(week, sum(int(card.count) for name, card in employees(p) if name in packers))
    doublings = sum(card in packers for _, card, _ in p.employees_to_come())
    doublings += sum(may_double(p, seat) and player["employee"] in packers for seat, player in enumerate(p.players))
    for seat, player in enumerate(p.players):
        there = player["coal"] + sum(sum(place.values()) for place in (player["store_room"], *player["belt"]))
        if seat == p.mover and p.task is not None:
            there += sum(p.task["given"].values())
        left = min(doublings, NUM_DAYS - p.day + may_double(p, seat))
        most = (whole - grown([today_brings(p, seat), *week[p.day :]], left)) >> left
        if there > most:
            yield Fault(f"players[{seat}]", f"at most {most} coal and pieces by now", there)


def employees(p: Position) -> Iterable[tuple[str, Any]]:
    return zip(p.cards.employees, p.deck.employees[: p.deck.num_employees], strict=True)


def grown(days: list[int], doublings: int) -> int:
    """What the days bring together, doubled at the end of the last of them, so that it becomes most."""
    total = 0
    for left, brought in zip(range(len(days), 0, -1), days, strict=True):
        total += brought
        if left <= doublings:
            total *= 2
    return total


def most_made(p: Position) -> int:
    """What the use of a part adds to its tile at most."""
    made = [1]  # a piece in hand, to be put back
    for part in p.deck.parts[: p.deck.num_parts]:
        if part.function == Function.REPEATER:
            made.append(int(part.amount))
        made += [int(option.num_makes) for option in part.options[: part.num_options]]
    return max(made)


def most_shifts(p: Position) -> int:
    return SHIFTS + most_amount(p, Effect.MORE_SHIFTS)


def shift_brings(p: Position) -> int:
    """RUN-3, RUN-4: a load of beans, and one use of the part on every slot."""
    return LOAD + most_amount(p, Effect.MORE_BEANS) + NUM_SLOTS * most_made(p)


def day_brings(p: Position, day: int) -> int:
    """PREP-1, DRAFT-5, RUN-1: the day's coal, a gift, and its shifts. Days from 0."""
    return int(p.deck.coal[day]) + most_amount(p, Effect.COAL) + most_shifts(p) * shift_brings(p)


def still_to_run(p: Position, seat: int) -> bool:
    """Whether the seat's run of the day is not over."""
    return p.phase == "draft" or (p.phase == "run" and p.turns.index(seat) >= p.data["turn"])


def may_double(p: Position, seat: int) -> bool:
    """Whether a Packer of today may still work for the seat."""
    if not still_to_run(p, seat):
        return False
    begun = p.task is not None and p.task["task"] == "double_tile"
    packer = p.has(seat, Effect.DOUBLE_TILE) and (p.players[seat]["uses_left"] > 0 or (begun and seat == p.mover))
    return packer or p.players[seat]["employee"] is None


def today_brings(p: Position, seat: int) -> int:
    """What the rest of the day can bring to the seat; the day's coal is there."""
    if not still_to_run(p, seat):
        return 0
    if p.phase == "run" and seat == p.mover:
        shifts, uses = most_shifts(p) - p.data["shift"], NUM_SLOTS - len(p.players[seat]["operated"])
        return shifts * shift_brings(p) + uses * most_made(p) + being_made(p, seat)
    gift = most_amount(p, Effect.COAL) if p.players[seat]["employee"] is None else 0
    return gift + most_shifts(p) * shift_brings(p)


def being_made(p: Position, seat: int) -> int:
    """What the move under way can still bring; a part in use counts as operated."""
    if p.task is None:
        return 0
    if p.task["slot"] in p.players[seat]["operated"]:
        return int(p.task["left"]) if p.task["task"] == "convert_make" else most_made(p)
    return int(p.task["task"] in ("upgrade_make", "move_to"))


BOUNDS: Final[tuple[Check, ...]] = (check_marker_moves, check_money, check_completed_shown, check_pieces)
