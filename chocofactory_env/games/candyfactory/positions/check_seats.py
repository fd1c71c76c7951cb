"""Checks of the players: their cards, and the goods in warehouses and trucks."""

from __future__ import annotations

from typing import Final

from ....core.positions.reading import Fault, Faults, numbered
from ..constants import FIRST_TRUCK, WAREHOUSE, WORKER_CARDS, Specialist, Variety
from .basis import NUMBERS, SPECIALISTS, TEMP, Position

PACKER: Final = SPECIALISTS[Specialist.PACKER]


def check_numbers(p: Position) -> Faults:
    """START-3: no more worker cards than a player begins with; missing ones were played."""
    for seat in range(len(p.players)):
        cards = p.cards_of(seat)
        if p.is_mover(seat) and p.turn is not None and p.turn["card"] in p.number_cards:
            cards[p.turn["card"]] += 1
        for number, made in p.number_cards.items():
            if cards[number] > made:
                yield Fault(f"players[{seat}].hand", f"at most {made} cards {number} in hand and deck", cards[number])


def check_hand(p: Position) -> Faults:
    """TURN-5: a hand is full unless the deck is empty; a card in play leaves a gap until cards are drawn."""
    full = int(p.deck.hand)
    for seat, player in enumerate(p.players):
        hand, deck = len(player["hand"]), len(player["deck"])
        hired = p.turn is not None and p.turn["recruited"] and p.step != "hire"
        most = full - (p.is_mover(seat) and not hired)
        if hand > most:
            yield Fault(f"players[{seat}].hand", f"at most {most} cards here", player["hand"])
        if hand < most and deck:
            yield Fault(f"players[{seat}].hand", f"{most} cards, since the deck is not empty", player["hand"])


def check_whose_turn(p: Position) -> Faults:
    """TURN-6, TURN-7: the seat to play has a card; at the end, and when cards are given up, nobody has one."""
    left = [len(player["hand"]) + len(player["deck"]) for player in p.players]
    if p.step == "play" and p.mover is not None and not p.players[p.mover]["hand"]:
        yield Fault(f"players[{p.mover}].hand", "a card to play", [])
    for seat, cards in enumerate(left):
        if cards and p.step in ("over", "dismiss"):
            yield Fault(f"players[{seat}]", "neither hand nor deck any more", cards)


def check_temp(p: Position) -> Faults:
    """START-2, START-5: one temp for each player; at the plantation it is in the hand until it is played."""
    for seat, player in enumerate(p.players):
        temps = p.cards_of(seat)[TEMP] + player["played"].count(TEMP)
        kept = p.variety == Variety.FULL and (p.half == "candy" or p.step == "dismiss")
        if temps != 1 and not (kept and temps == 0):
            yield Fault(f"players[{seat}]", "one temp" + (" at most" if kept else ""), temps)
        if p.half == "plantation":
            for place, card in enumerate(player["deck"]):
                if card not in NUMBERS:
                    yield Fault(f"players[{seat}].deck[{place}]", "a worker card at the plantation", card)


def check_kept(p: Position) -> Faults:
    """TRANS-2, SHORT-4: the number of specialists that a player has at the candy factory."""
    if p.half != "candy":
        return
    for seat, player in enumerate(p.players):
        cards = p.cards_of(seat)
        specialists = sum(cards[name] for name in SPECIALISTS) + len(player["played"])
        if p.variety == Variety.FULL:
            most = int(p.deck.berths.sum())
            if specialists > most:
                yield Fault(f"players[{seat}]", f"at most {most} specialists, one for each berth", specialists)
        elif specialists != 1 + p.deck.short_specialists:
            yield Fault(f"players[{seat}]", f"the temp and {p.deck.short_specialists} other specialists", specialists)
        else:
            yield from check_drawn(p, seat)


def check_drawn(p: Position, seat: int) -> Faults:
    """SHORT-4: the first hand held no hidden specialist, so at most as many were seen as cards were drawn since."""
    player = p.players[seat]
    cards = WORKER_CARDS + 1 + int(p.deck.short_specialists)
    drawn = cards - int(p.deck.hand) - len(player["deck"])
    seen = sum(card not in NUMBERS and card != TEMP for card in (*player["hand"], *player["played"]))
    if seen > drawn:
        yield Fault(f"players[{seat}].hand", f"at most {drawn} of the hidden specialists by now", seen)


def check_places(p: Position) -> Faults:
    """ROOM-1, ROOM-2, SPEC-8: goods and stacks have a place; a stack is two of a kind."""
    for path, hold, contents in p.holds():
        for kind, stacks in contents["stacks"].items():
            pairs = contents["goods"].get(kind, 0) // 2
            if stacks > pairs:
                yield Fault(f"{path}.stacks.{kind}", f"at most {pairs}, two goods each", stacks)
        taken = sum(contents["goods"].values()) - sum(contents["stacks"].values())
        places = int(p.deck.places[hold])
        if taken > places:
            yield Fault(f"{path}.goods", f"goods and stacks on {places} places at most", taken)


def check_kinds(p: Position) -> Faults:
    """FROM-4, CANDY-7, TRANS-1: cacao is never shipped, and only the candy factory makes candy."""
    for path, hold, contents in p.holds():
        if "cacao" in contents["goods"] and (hold >= FIRST_TRUCK or p.half == "candy"):
            yield Fault(f"{path}.goods.cacao", "no cacao here", contents["goods"]["cacao"])
        for kind in contents["goods"]:
            if p.half == "plantation" and " " in kind:
                yield Fault(f"{path}.goods.{kind}", "no candy at the plantation", contents["goods"][kind])
        if p.step == "dismiss" and hold == WAREHOUSE and contents["goods"]:
            yield Fault(f"{path}.goods", "nothing after the plantation", contents["goods"])


def check_stacks(p: Position) -> Faults:
    """SPEC-8: only a Packer stacks; the plantation's may have been given up since."""
    if p.variety == Variety.FULL and (p.half == "candy" or p.step == "dismiss"):
        return
    for seat, player in enumerate(p.players):
        for path, hold in [("warehouse", player["warehouse"]), *numbered("trucks", player["trucks"])]:
            if hold["stacks"] and PACKER not in player["played"]:
                yield Fault(f"players[{seat}].{path}.stacks", "none, since no Packer was played", hold["stacks"])
