"""Checks of numbers that grow: the position leaves room for all that play can still add.

So sixteen-bit fields never wrap. Positions that play then reaches are within the bounds, too: what play adds to a
number, it takes from what was still to come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from ....core.positions.reading import Fault, Faults, numbered
from ..cards import Cards
from ..constants import NUM_DAYS, NUM_SLOTS, OWN_ORDERS, Effect, Function
from ..rules.run import LOAD, SHIFTS
from .basis import SIZES, Position

MOST: Final = int(np.iinfo(np.int16).max)
# Pounds that a position may have beyond the pay of its completed stages. The stages of 54 orders pay at most 6,400
# (`deck_schema`), so sixteen bits hold the sum, with the prizes and leftovers of the shipped cards.
MADE_UP_MONEY: Final = 10_000
# Pieces and coal beyond what a game can bring, for the same reason. A game brings up to 30,114 with the largest deck.
MADE_UP_PIECES: Final = 2_000


def check_marker_moves(p: Position) -> Faults:
    """FUL-4, EMP-14: a player moves at most two markers per day."""
    today = sum(len(player["supplied"]) for player in p.players)
    most = MOST + today - 2 * len(p.players) * (NUM_DAYS + 1 - p.day)
    if p.data["marker_moves"] > most:
        yield Fault("marker_moves", f"at most {most}", p.data["marker_moves"])


def check_money(p: Position) -> Faults:
    """FUL-3, EMP-4: every stage pays once."""
    for seat, player in enumerate(p.players):
        held = [order for order in (*player["orders"], *player["special_orders"]) if order is not None]
        paid = sum(most_paid(p, order["order"], order["stage"]) for order in held)
        paid += sum(most_paid(p, order) for order in player["completed"])
        if player["money"] > MADE_UP_MONEY + paid:
            yield Fault(f"players[{seat}].money", f"at most {MADE_UP_MONEY + paid}", player["money"])


def most_paid(p: Position, order: str, stages: int | None = None) -> int:
    """The most pounds that the first stages of an order pay, or all of them (None)."""
    card, bonus = p.order(order), brought_by(p.cards).bonus
    return sum(int(stage.pay) + bonus for stage in card.stages[: card.num_stages if stages is None else stages])


def check_paid(p: Position) -> Faults:
    """SOLO-7: what does not count yet was paid by the stages of an open order, and is part of the money."""
    if not p.is_solo or "paid" not in p.data["solo"]:
        return
    player, left = p.players[0], p.players[0]["money"]
    orders = (*player["orders"], *player["special_orders"])
    for (path, paid), order in zip(numbered("solo.paid", p.data["solo"]["paid"]), orders, strict=True):
        most = min(left, most_paid(p, order["order"], order["stage"]) if order else 0)
        if paid > most:
            yield Fault(path, f"at most {most}", paid)
        left -= paid


def check_completed_shown(p: Position) -> Faults:
    """A player completes at most three orders of a size per day; observations show no more than `high` of them."""
    high = next(block.high for block in p.game.observation_layout.blocks if block.name == "completed")
    in_deck = Counter(p.sizes.values())
    for seat, player in enumerate(p.players):
        ahead = OWN_ORDERS * (NUM_DAYS - p.day)
        if p.phase in ("draft", "run", "fulfil", "agents"):
            ahead += OWN_ORDERS - player["orders"].count(None)
        for size, name in enumerate(SIZES):
            completed = player["completed_by_size"][name]
            if min(completed + ahead, in_deck[size]) > high:
                yield Fault(f"players[{seat}].completed_by_size.{name}", f"at most {high - ahead} by now", completed)


# --- coal and pieces that a game can bring


class Brought(NamedTuple):
    """The most pieces that a deck can bring a player. Coal counts as a piece: pieces are traded for it (RUN-8)."""

    made: int  # by one use of a part
    shift: int  # RUN-3, RUN-4: a load of beans, and a use of the part on every slot
    shifts: int  # RUN-1: per day
    gift: int  # EMP-2
    days: tuple[int, ...]  # PREP-1: the day's coal, a gift, and its shifts
    packers: Mapping[str, int]  # EMP-15: the number of cards of each employee who doubles a tile
    bonus: int  # EMP-4: pounds that an employee adds to a stage


@lru_cache(maxsize=8)
def brought_by(cards: Cards) -> Brought:
    """The most that the cards of this deck can bring."""
    amounts = dict.fromkeys(Effect, 0)
    packers = {}
    for name, card in zip(cards.employees, cards.record.employees, strict=False):
        amounts[card.effect] = max(amounts[card.effect], int(card.amount))
        if card.effect == Effect.DOUBLE_TILE:
            packers[name] = int(card.count)
    made = 1  # a piece in hand, to be put back
    for part in cards.record.parts[: len(cards.parts)]:
        copies = int(part.amount) if part.function == Function.REPEATER else 0
        made = max(made, copies, *(int(option.num_makes) for option in part.options))
    shift = LOAD + amounts[Effect.MORE_BEANS] + NUM_SLOTS * made
    shifts, gift = SHIFTS + amounts[Effect.MORE_SHIFTS], amounts[Effect.COAL]
    days = tuple(coal + gift + shifts * shift for coal in cards.record.coal.tolist())
    return Brought(made, shift, shifts, gift, days, packers, amounts[Effect.STAGE_PAY])


def grown(days: Sequence[int], doublings: int) -> int:
    """The sum of what the days bring, doubled at the end of each of the last `doublings` days, which gives the most."""
    total = 0
    for left, brought in zip(range(len(days), 0, -1), days, strict=True):
        total += brought
        if left <= doublings:
            total *= 2
    return total


def check_pieces(p: Position) -> Faults:
    """SET-9 sets no limit, so the pieces there and to come may be little more than a game can bring.

    A Packer at most doubles all that is there, once for each of his cards that can still be used.
    """
    can = brought_by(p.cards)
    whole = grown(can.days, sum(can.packers.values())) + MADE_UP_PIECES
    doublings = sum(card in can.packers for _, card, _ in p.employees_to_come())
    doublings += sum(may_double(p, seat) and player["employee"] is not None for seat, player in enumerate(p.players))
    for seat, player in enumerate(p.players):
        there = player["coal"] + sum(sum(place.values()) for place in (player["store_room"], *player["belt"]))
        task = p.task_of(seat)
        if task is not None:
            there += sum(task["given"].values())
        left = min(doublings, NUM_DAYS - p.day + may_double(p, seat))
        most = (whole - grown([today_brings(p, seat, can), *can.days[p.day :]], left)) >> left
        if there > most:
            yield Fault(f"players[{seat}]", f"at most {most} coal and pieces by now", there)


def still_to_run(p: Position, seat: int) -> bool:
    """Whether the seat's run today has not ended."""
    return p.phase == "draft" or (p.phase == "run" and p.still_acts(seat))


def may_double(p: Position, seat: int) -> bool:
    """Whether the seat can still use a Packer today."""
    if not still_to_run(p, seat):
        return False
    task = p.task_of(seat)
    begun = task is not None and task["task"] == "double_tile"
    player = p.players[seat]
    return player["employee"] is None or (p.has(seat, Effect.DOUBLE_TILE) and (begun or player["uses_left"] > 0))


def today_brings(p: Position, seat: int, can: Brought) -> int:
    """The most that the rest of the day can bring the seat, without the day's coal, which it already has."""
    if not still_to_run(p, seat):
        return 0
    player = p.players[seat]
    if p.is_running(seat):
        uses = NUM_SLOTS - len(player["operated"])
        return (can.shifts - p.shift_of(seat)) * can.shift + uses * can.made + being_made(p, seat, can)
    return (can.gift if player["employee"] is None else 0) + can.shifts * can.shift


def being_made(p: Position, seat: int, can: Brought) -> int:
    """The most that the move under way can still bring. A part in use counts as operated."""
    task = p.task_of(seat)
    if task is None:
        return 0
    if task["slot"] in p.players[seat]["operated"]:
        return int(task["left"]) if task["task"] == "convert_make" else can.made
    return int(task["task"] in ("upgrade_make", "move_to"))
