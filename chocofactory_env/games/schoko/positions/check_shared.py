"""Checks of what belongs to no seat: the turn, cards, the box, the markets, the meeting."""

from __future__ import annotations

from itertools import chain

from ....core.positions.reading import Fault, Faults, numbered, repeated
from ..constants import NUM_EXPRESS, Event, Task
from .basis import Position, Stage


def check_bankrupt(p: Position) -> Faults:
    """PAY-3, PAY-4, END-3: bankrupt seats are numbered in order, and only the record of this month is left."""
    order = sorted(player["bankrupt"] for player in p.players if player["bankrupt"])
    if order != list(range(1, len(order) + 1)):
        first = next(seat for seat, player in enumerate(p.players) if player["bankrupt"])
        yield Fault(f"players[{first}].bankrupt", "1, 2, 3 … in the order in which they went", order)
    if not p.active or (len(p.active) == 1 and p.stage != Stage.OVER):
        yield Fault("players", "two who are not bankrupt while the game goes on", [p["bankrupt"] for p in p.players])
    for seat, player in enumerate(p.players):
        for field in ("cash", "loans", "shares", "cocoa", "chocolate", "marker", "contracts", "hand") * (
            player["bankrupt"] > 0
        ):
            if player[field]:
                yield Fault(f"players[{seat}].{field}", "nothing of a bankrupt player", player[field])
        for field in ("staff", "staff_before", "absent") * (player["bankrupt"] > 0):
            if any(player[field].values()):
                yield Fault(f"players[{seat}].{field}", "nobody employed by a bankrupt player", player[field])


def check_time(p: Position) -> Faults:
    """SET-6, MON-2, EV-0, END-1: the leader, and whether this month's event has been turned up."""
    first, months = p.game.variant.leader, p.game.months
    leader, seats = p.data["leader"], len(p.players)
    if first is not None and len(p.active) == seats and leader != (first + p.month - 1) % seats:
        yield Fault("leader", f"{(first + p.month - 1) % seats}, who leads in month {p.month}", leader)
    over = p.stage == Stage.OVER
    if over and len(p.active) > 1 and p.month < months:
        yield Fault("month", f"{months}, the last, if the game is over with several players", p.month)
    event = p.data["events"]["order"][p.month - 1]
    turned = p.data["events"]["turned"]
    if p.stage == Stage.MONEY or (over and len(p.active) > 1):
        if turned != event:
            yield Fault("events.turned", f"{event!r}, that of this month", turned)
    elif turned is not None and not (over and turned == event):
        yield Fault("events.turned", "null until this month's event is turned up", turned)


def check_events(p: Position) -> Faults:
    """EV-0: two whole shuffles."""
    order = p.data["events"]["order"]
    shuffle = len(p.cards.events)
    for first in range(0, len(order), shuffle):
        for at, event in repeated(numbered("events.order", order[first : first + shuffle])):
            place = first + int(at.partition("[")[2][:-1])
            yield Fault(f"events.order[{place}]", "an event that is not there before in this shuffle", event)


def check_express(p: Position) -> Faults:
    """SET-3, XP-1, XP-5: every card is in one place; as many as were dealt are in hands or gone."""
    express, hand = p.data["express"], int(p.deck.hand)
    unseen = NUM_EXPRESS - hand * len(p.players)
    if len(express["unseen"]) != unseen:
        yield Fault("express.unseen", f"{unseen} cards that were not dealt", express["unseen"])
    for seat, player in enumerate(p.players):
        most = hand - player["has_played"]
        if len(player["hand"]) > most:
            yield Fault(f"players[{seat}].hand", f"at most {most} cards", player["hand"])
    if p.month == 1 and express["gone"] and len(p.active) == len(p.players):
        yield Fault("express.gone", "no card in the first month", express["gone"])


def check_contracts(p: Position) -> Faults:
    """SET-4: every contract is in one place."""
    offer = p.meeting["contract"]
    held = (
        (f"{path}.contract", entry["contract"])
        for seat, player in enumerate(p.players)
        for path, entry in numbered(f"players[{seat}].contracts", player["contracts"])
    )
    face_down = numbered("contracts.face_down", p.data["contracts"]["face_down"])
    shown = [] if offer is None else [("meeting.contract", offer)]
    for path, contract in repeated(chain(face_down, shown, held)):
        yield Fault(path, "a contract that is nowhere else", contract)


def check_box(p: Position) -> Faults:
    """SET-9, STAFF-4"""
    for name, number in p.data["box"].items():
        if number < 0:
            yield Fault(f"box.{name}", "players who have no more than there are", number)


def check_under_way(p: Position) -> Faults:
    """LOAN-3, XP-4: fields that only some tasks have."""
    under_way = p.data["under_way"]
    if (under_way["card"] is not None) != (p.task in (Task.TARGET, Task.HOLIDAY)):
        yield Fault("under_way.card", "a card while its target or a holiday is chosen, else null", under_way["card"])
    done = under_way["money"]
    if done and p.stage != Stage.MONEY:
        yield Fault("under_way.money", "[] but in the phase money", done)
    if "repaid" in done and "took_loan" in done:
        yield Fault("under_way.money", "no loan taken by who repaid one", done)


def check_market(p: Position) -> Faults:
    """COCOA-2, COCOA-3, COCOA-7: the announced bars, in the cities still to sell."""
    city = p.data["under_way"]["city"]
    left = [bars if city and number >= city else 0 for number, bars in enumerate(p.offered, 1)]
    if p.data["market"] != left:
        yield Fault("market", f"{left}, as announced and not yet sold", p.data["market"])
    if city and p.offered[city - 1] == 0:
        yield Fault("under_way.city", "a city that has bars", city)
    if p.state.event_in_force == Event.NO_COCOA and p.stage in (Stage.ANNOUNCE, Stage.BIDS):
        yield Fault("task", "no market in a month without cocoa", p.data["task"])


def check_meetings_left(p: Position) -> Faults:
    """SALE-1: from window B to the last meeting."""
    left, low, high = p.meeting["left"], 0, 0
    if p.stage == Stage.WINDOW_B:
        low = high = p.meetings
    elif p.stage == Stage.MEETINGS:
        low, high = 1, p.meetings
    if not low <= left <= high:
        yield Fault("meeting.left", f"{low} to {high} here" if low <= high else "no meeting without salesmen", left)


def check_offer(p: Position) -> Faults:
    """SALE-3, SALE-6 to SALE-8: a contract and its price."""
    name, price = p.meeting["contract"], p.meeting["price"]
    if (name is not None) != (p.task in (Task.ATTEND, Task.OFFER, Task.RAISE)):
        yield Fault("meeting.contract", "a contract while it is offered, else null", name)
        return
    low = high = 0
    if p.task in (Task.OFFER, Task.RAISE):
        card = p.contract(name)
        low, high = int(card.lowest), int(card.highest) - (p.task == Task.RAISE)
        if len(p.meeting["present"]) == 1:
            low = int(card.highest)
    if not low <= price <= high:
        expected = f"{low} to {high} here" if low <= high else "no raise with one player present, or at the highest"
        yield Fault("meeting.price", expected, price)


def check_taker(p: Position) -> Faults:
    """XP-4, XP-HAND: the taker has the contract, and room for its bars if they come back."""
    taker = p.meeting["taker"]
    if (taker is not None) != (p.task == Task.CARD_C):
        yield Fault("meeting.taker", "a seat in window C, else null", taker)
    if taker is None:
        return
    player = p.players[taker]
    if taker not in p.active or not player["contracts"] or player["gained"] == 0:
        yield Fault("meeting.taker", "a seat that has gained a contract", taker)
        return
    room = int(p.deck.chocolate_store - p.contract(player["contracts"][-1]["contract"]).bars)
    if player["chocolate"] > room:
        yield Fault(f"players[{taker}].chocolate", f"at most {room}, the bars just delivered gone", player["chocolate"])


def check_present(p: Position) -> Faults:
    """SALE-4, SALE-6: seats that are present have the chocolate; those asked before the seat to move have refused."""
    present, taker = p.meeting["present"], p.meeting["taker"]
    if present and p.task not in (Task.ATTEND, Task.OFFER, Task.RAISE, Task.CARD_C):
        yield Fault("meeting.present", "[] between meetings", present)
        return
    if (taker is not None and taker not in present) or (p.task in (Task.OFFER, Task.RAISE) and not present):
        yield Fault("meeting.present", "who is offered the contract, or took it", present)
    name = p.meeting["contract"] if taker is None else p.players[taker]["contracts"][-1]["contract"]
    for path, seat in numbered("meeting.present", present):
        if seat not in p.active or (seat != taker and p.players[seat]["chocolate"] < p.contract(name).bars):
            yield Fault(path, "a player with enough chocolate for the contract", seat)
    refused: list[int] = []
    if p.task == Task.RAISE:
        refused = present
    elif p.task == Task.OFFER:
        refused = [seat for seat in present if p.is_asked_yet(seat)]
    if p.meeting["refused"] != refused:
        yield Fault("meeting.refused", f"{refused}, who has been asked at this price", p.meeting["refused"])
