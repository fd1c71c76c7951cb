"""Checks of the seats: staff and pay, what happened to them this month, cocoa, contracts."""

from __future__ import annotations

from ....core.positions.reading import Fault, Faults, numbered, repeated
from ..constants import GONE, NONE, WINDOW_B, WINDOW_C, Category, Event, Express, Task
from .basis import CATEGORIES, Position, Stage
from .entries import staff_cost


def is_decided(p: Position, seat: int, category: int) -> bool:
    """Whether the seat has decided on this category this month (STAFF-2)."""
    if p.stage != Stage.STAFF or p.is_asked_yet(seat):
        return p.stage > Stage.LOOK
    return seat == p.mover and category < p.state.category


def check_staff(p: Position) -> Faults:
    """STAFF-2, STAFF-7: staff as at the end of last month, or decided within the limits."""
    for seat in p.active if p.stage != Stage.OVER else []:
        player = p.players[seat]
        for category, name in enumerate(CATEGORIES):
            low = high = player["staff_before"][name]
            if is_decided(p, seat, category):
                low, high = 0, high + int(p.deck.most_hired)
                if category == Category.BOOKKEEPER and p.state.event_in_force == Event.NO_BOOKKEEPERS:
                    high = player["staff_before"][name]
            number = player["staff"][name]
            if not low <= number <= high:
                yield Fault(f"players[{seat}].staff.{name}", f"{low} to {high} now", number)


def check_pay_covered(p: Position) -> Faults:
    """STAFF-6: cash covers all that was decided, and severance for the rest of the mover's staff."""
    for seat in p.active if p.stage in (Stage.STAFF, Stage.TRIM) else []:
        decided = sum(is_decided(p, seat, category) for category in range(len(CATEGORIES)))
        if decided == 0 and seat != p.mover:  # STAFF-8: the cash is raised on the seat's turn
            continue
        due = int(staff_cost(p.game.tables, p.states, seat, decided))
        if p.players[seat]["cash"] < due:
            expected = f"at least the {due} that the staff costs"
            yield Fault(f"players[{seat}].cash", expected, p.players[seat]["cash"])


def check_salaries(p: Position) -> Faults:
    """STAFF-5, EV-4: salaries were paid to all employees, absent ones included."""
    for seat, player in enumerate(p.players):
        due = 0
        if p.stage > Stage.TRIM:
            due = sum(
                number * int(salary) for number, salary in zip(player["staff"].values(), p.deck.salaries, strict=True)
            )
        settled = p.stage <= Stage.TRIM or (seat in p.active and p.stage != Stage.OVER)
        if settled and player["salaries"] != due:
            yield Fault(f"players[{seat}].salaries", f"{due} this month", player["salaries"])


def check_struck(p: Position) -> Faults:
    """XP-1 to XP-5: as many seats played a card as were struck, with cards that are gone, in windows that have come."""
    struck = [
        (f"players[{seat}].struck_by", int(row.struck_by), seat)
        for seat, row in enumerate(p.state.players[: len(p.players)])
        if row.struck_by != NONE
    ]
    players = [seat for seat, player in enumerate(p.players) if player["has_played"]]
    for path, card, _ in struck:
        window = Stage.WINDOW_A if card < WINDOW_B else Stage.WINDOW_B if card < WINDOW_C else Stage.MEETINGS
        if p.state.express[card] != GONE or p.stage < window or p.month == 1:
            yield Fault(path, "a card that has been played by now, or null", p.cards.express[card])
    for path, card in repeated((path, card) for path, card, _ in struck):
        yield Fault(path, "a card that has struck nobody else", p.cards.express[card])
    if len(players) != len(struck) or (len(players) == 1 and players[0] == struck[0][2]):
        yield Fault("players", "one who has played a card for every other one who was struck", players)


def check_absent(p: Position) -> Faults:
    """XP-ILL, XP-HOLIDAY: one employee of a seat that they struck."""
    for seat in p.active:
        path, absent = f"players[{seat}].absent", p.players[seat]["absent"]
        choosing = p.task == Task.HOLIDAY and seat == p.mover
        ill, away = p.is_struck_by(seat, Express.ILLNESS), p.is_struck_by(seat, Express.HOLIDAY) and not choosing
        number = sum(absent.values())
        if number != ill + away or (ill and not absent["worker"]):
            yield Fault(path, "the one who is ill or on holiday" if ill or away else "nobody", absent)
        for name in CATEGORIES:
            if absent[name] > p.players[seat]["staff"][name]:
                yield Fault(f"{path}.{name}", "someone who is employed", absent[name])


def check_loans(p: Position) -> Faults:
    """LOAN-1, LOAN-3: a seat keeps this month's loan until it can repay."""
    for seat in p.active:
        player = p.players[seat]
        repaid = p.stage in (Stage.MONEY, Stage.OVER)
        took = seat == p.mover and "took_loan" in p.data["under_way"]["money"]
        if player["loan_this_month"] and player["loans"] == 0 and not repaid:
            yield Fault(f"players[{seat}].loans", "1 or more, with a loan of this month", 0)
        if took and not (player["loan_this_month"] and player["loans"]):
            yield Fault(f"players[{seat}].loan_this_month", "true, and a loan, since one was taken", False)


def check_looked(p: Position) -> Faults:
    """LOOK-1"""
    for seat, player in enumerate(p.players):
        if player["looked"] and p.stage == Stage.LOOK and not p.is_asked_yet(seat):
            yield Fault(f"players[{seat}].looked", "false before the seat was asked", True)


def check_announced(p: Position) -> Faults:
    """COCOA-1, COCOA-7"""
    for seat, player in enumerate(p.players):
        early = p.stage < Stage.ANNOUNCE or (p.stage == Stage.ANNOUNCE and not p.is_asked_yet(seat))
        if player["announced"] and (early or p.state.event_in_force == Event.NO_COCOA):
            yield Fault(f"players[{seat}].announced", "0 now", player["announced"])


def check_named(p: Position) -> Faults:
    """COCOA-4: with joint bids, the seats that have named bars; the seat to move is among them only for its price."""
    for seat in p.data["under_way"].get("named", []):
        if seat not in p.active:
            yield Fault("under_way.named", "seats that are not bankrupt", seat)
    if p.is_open and p.has_named(p.state.current) != (p.task == Task.BID_PRICE):
        yield Fault("under_way.named", "the seat to move if it names its price, else not", p.data["under_way"]["named"])


def check_bids(p: Position) -> Faults:
    """COCOA-4: bars and a price, in cities that have sold or are selling; cash covers the bid under way."""
    under_way = p.data["under_way"]["city"]
    for seat, player in enumerate(p.players):
        named = p.has_named(seat)
        for city, bid in enumerate(player["bids"], 1):
            path = f"players[{seat}].bids[{city - 1}]"
            here = city == under_way
            pricing = here and p.task == Task.BID_PRICE and seat == p.mover
            early = p.stage < Stage.BIDS or (p.stage == Stage.BIDS and city > (under_way or 0))
            if (early or (here and not named and not pricing)) and any(bid.values()):
                yield Fault(path, "no bid yet", bid)
            elif pricing and (bid["bars"] == 0 or bid["price"]):
                yield Fault(path, "bars and no price yet", bid)
            elif not pricing and (bid["bars"] > 0) != (bid["price"] > 0) and not (p.is_open and here and bid["bars"]):
                yield Fault(path, "bars and a price, or neither", bid)
            most = p.offered[city - 1]
            if here:
                most = min(most, int(p.deck.cocoa_store) - player["cocoa"])
            if bid["bars"] > most:
                yield Fault(f"{path}.bars", f"at most {most}", bid["bars"])
            if here and bid["bars"] * max(1, bid["price"]) > player["cash"]:
                yield Fault(path, f"a bid that {player['cash']} can pay", bid)


def check_markers(p: Position) -> Faults:
    """SALE-2, XP-MISS"""
    missed = int(p.deck.express_amounts[Express.MISSED_MEETINGS])
    for seat, player in enumerate(p.players):
        low = high = 0
        if p.stage in (Stage.WINDOW_B, Stage.MEETINGS):
            high = p.full_marker(seat)
            if p.is_struck_by(seat, Express.MISSED_MEETINGS):
                high = max(0, high - missed)
            low = high if p.stage == Stage.WINDOW_B else 0
        if not low <= player["marker"] <= high:
            yield Fault(f"players[{seat}].marker", f"{low} to {high} now", player["marker"])


def check_gained(p: Position) -> Faults:
    """SALE-12, XP-HAND: at most one contract for every meeting held."""
    if p.stage < Stage.MEETINGS:
        held = 0
    elif p.stage == Stage.MEETINGS:
        held = p.meetings - p.meeting["left"] + (p.task == Task.CARD_C)
    else:
        held = int(p.deck.last_field)
    gained = [player["gained"] for player in p.players]
    if sum(gained) > held:
        yield Fault("players", f"at most {held} contracts gained this month", gained)
    for seat in p.active if p.stage <= Stage.BANK_SALE else []:
        contracts = len(p.players[seat]["contracts"])
        if gained[seat] > contracts:
            yield Fault(f"players[{seat}].gained", f"at most {contracts}, the contracts there are", gained[seat])


def check_prices(p: Position) -> Faults:
    """SALE-6 to SALE-8, XP-HALF"""
    divisor = int(p.deck.express_amounts[Express.HALF_PRICE])
    for seat, player in enumerate(p.players):
        for path, entry in numbered(f"players[{seat}].contracts", player["contracts"]):
            card = p.contract(entry["contract"])
            if not card.lowest <= entry["price"] <= card.highest and entry["price"] != card.highest // divisor:
                expected = f"{card.lowest} to {card.highest}, or {card.highest // divisor}"
                yield Fault(f"{path}.price", expected, entry["price"])
