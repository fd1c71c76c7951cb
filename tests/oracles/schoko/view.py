"""The engine's data as the oracle takes and shows it: cards, the deal, chance in play, and the whole position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .cards import Json
from .position import Position

CATEGORIES = ("worker", "salesman", "secretary", "bookkeeper")
HIRING = ("staff", "trim")
WORD = (1 << 32) - 1


def cards_of(tables: Json) -> Json:
    """The tables of a deck's file as `Oracle` takes them."""
    setup = dict(tables["setup"][0])
    setup["box"] = {name: setup[name] for name in ("staff", "loans", "shares")}
    return tables | {"setup": setup}


def deal_of(data: Json) -> Json:
    """What setup drew, from the position at the start."""
    return {
        "leader": data["leader"],
        "hands": [at(data, seat) for seat in range(len(data["players"]))],
        "contracts": face_down(data)[::-1],
        "events": data["events"],
    }


def at(data: Json, place: int | str) -> list[str]:
    """The express cards in a seat's hand, or in another place."""
    return [card for card, where in data["express"].items() if where == place]


def face_down(data: Json) -> list[str]:
    cards: list[str] = data["contracts"][: data["contracts_left"]]
    return cards


def held(player: Json) -> list[list[Any]]:
    """Contracts with their prices, oldest first."""
    pairs = zip(player["contracts"], player["prices"], strict=True)
    return [list(pair) for pair in pairs][: player["num_contracts"]]


class EngineChance:
    """SALE-11 as the engine will draw it: its generator, from the position before the step.

    Written down anew: sfc32, and the shuffle of Fisher and Yates from the end on; cards in the order of the deck's
    file, the last one on top.
    """

    def __init__(self, words: list[int], cards: list[str]) -> None:
        self.words = list(words)
        self.cards = cards

    def next_word(self) -> int:
        a, b, c, counter = self.words
        word = (a + b + counter) & WORD
        rotated = (c << 21 | c >> 11) & WORD
        self.words = [b ^ b >> 9, (c + (c << 3)) & WORD, (rotated + word) & WORD, (counter + 1) & WORD]
        return word

    def contracts(self, held_back: list[str]) -> list[str]:
        deck = sorted(held_back, key=self.cards.index)
        for last in range(len(deck) - 1, 0, -1):
            other = self.next_word() * (last + 1) >> 32
            deck[last], deck[other] = deck[other], deck[last]
        return deck[::-1]


def by_category(numbers: list[int]) -> dict[str, int]:
    return dict(zip(CATEGORIES, numbers, strict=True))


def view_of(oracle: Position) -> Json:
    """A position of the oracle as the page `protocol.md` writes it, but for what follows from the rest."""
    cards = {effect: card for card, effect in oracle.effects.items()}
    decision = oracle.decision
    view = {
        "current": oracle.seat,
        "month": oracle.month,
        "leader": oracle.leader,
        "task": oracle.step or "over",
        "card": None if decision is None or decision.card is None else cards[decision.card],
        "players": [view_of_player(oracle, seat, cards) for seat in range(oracle.num_players)],
        "box": by_category(oracle.box_staff) | {"loans": oracle.box_loans, "shares": oracle.box_shares},
        "market": list(oracle.market),
        "meetings_left": oracle.meetings_left,
        "offer": oracle.offer.contract if oracle.offer else None,
        "price": oracle.offer.price if oracle.offer else 0,
        "present": [seat for seat, player in enumerate(oracle.players) if player.present],
        "refused": [seat for seat, player in enumerate(oracle.players) if player.refused],
        "taker": oracle.taker,
        "event_in_force": oracle.in_force,
        "event_turned": oracle.turned,
        "events": list(oracle.events_dealt),
        "express": {cards[effect]: place for effect, place in places_of_express(oracle)},
        "contracts": oracle.deck[::-1],
        "contracts_left": len(oracle.deck),
    }
    if decision is not None and decision.step in HIRING and decision.category is not None:
        view["category"] = CATEGORIES[decision.category]
    if decision is not None and decision.city is not None:
        view["city"] = decision.city + 1
    return view


def places_of_express(oracle: Position) -> Iterator[tuple[str, int | str]]:
    """Effects with the seat that holds the card, or where else it lies."""
    yield from ((effect, seat) for seat, player in enumerate(oracle.players) for effect in player.hand)
    yield from ((effect, "gone") for effect in oracle.face_up)
    yield from ((effect, "unseen") for effect in oracle.out_of_game)


SAME = (
    *("cash", "loans", "shares", "cocoa", "chocolate", "salaries", "loan_this_month", "announced", "marker", "gained"),
    *("looked", "has_played"),
)


def view_of_player(oracle: Position, seat: int, cards: dict[str, str]) -> Json:
    player, decision = oracle.players[seat], oracle.decision
    bids = list(player.bids)
    if decision is not None and decision.city is not None:
        under_way = [decision.bars, 0] if decision.seat == seat else [0, 0]
        bids[decision.city] = player.bid or under_way
    contracts = player.at_bookkeepers + player.open
    return {name: getattr(player, name) for name in SAME} | {
        "staff": by_category(player.staff),
        "staff_before": by_category(player.staff_before),
        "absent": by_category(player.absent),
        "contracts": [banded.contract for banded in contracts],
        "prices": [banded.price for banded in contracts],
        "num_contracts": len(contracts),
        "num_booked": len(player.at_bookkeepers),
        "out": oracle.bankrupts.index(seat) + 1 if player.out else 0,
        "struck_by": None if player.struck_by is None else cards[player.struck_by],
        "bid_bars": [bars for bars, _ in bids],
        "bid_price": [price for _, price in bids],
    }
