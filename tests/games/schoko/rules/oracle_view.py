"""The engine's data as the oracle takes and shows it: cards, the deal, chance in play, and the whole position."""

from __future__ import annotations

from .oracle_cards import Json
from .oracle_position import CITIES

CATEGORIES = ("worker", "salesman", "secretary", "bookkeeper")
BIDS = ("bid_bars", "bid_price")
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
        "hands": [player["hand"] for player in data["players"]],
        "contracts": data["contracts"]["face_down"][::-1],
        "events": data["events"]["order"],
    }


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


def view_of(data: Json, months: int, effects: dict[str, str]) -> Json:
    """A position of the engine as `Oracle.view` has it, but for what follows from the rest.

    Arguments:
        data: of `to_dict`.
        months: of the game.
        effects: of the express cards, by id.
    """
    meeting, cards = data["meeting"], data["express"]
    players = [view_of_player(data, seat, effects) for seat in range(len(data["players"]))]
    bankrupts = {player["bankrupt"]: seat for seat, player in enumerate(data["players"]) if player["bankrupt"]}
    return {
        "month": data["month"],
        "months": months,
        "seat": data["current_player"],
        "step": None if data["task"] == "over" else data["task"],
        "under_way": under_way(data, effects),
        "leader": data["leader"],
        "bankrupts": [bankrupts[place] for place in sorted(bankrupts)],
        "box": {"staff": numbers(data["box"]), "loans": data["box"]["loans"], "shares": data["box"]["shares"]},
        "market": data["market"],
        "deck": data["contracts"]["face_down"][::-1],
        "held_back": sorted(data["contracts"]["held_back"]),
        "offer": None if meeting["contract"] is None else [meeting["contract"], meeting["price"]],
        "taker": meeting["taker"],
        "meetings_left": meeting["left"],
        "events": data["events"]["order"][:months],
        "event_in_force": data["events"]["in_force"],
        "event_turned": data["events"]["turned"],
        "face_up": sorted(effects[card] for card in cards["gone"]),
        "out_of_game": sorted(effects[card] for card in cards["unseen"]),
        "players": players,
    }


def numbers(by_category: dict[str, int]) -> list[int]:
    return [by_category[category] for category in CATEGORIES]


def under_way(data: Json, effects: dict[str, str]) -> Json | None:
    if data["task"] == "over":
        return None
    shown = data["under_way"]
    category, city, card = shown["category"], shown["city"], shown["card"]
    bars = 0
    if data["task"] == "bid_price":
        bars = data["players"][data["current_player"]]["bids"][city - 1]["bars"]
    return {
        "category": None if category is None else CATEGORIES.index(category),
        "card": None if card is None else effects[card],
        "city": None if city is None else city - 1,
        "bars": bars,
    }


SAME = (
    *("cash", "loans", "shares", "cocoa", "chocolate", "salaries", "loan_this_month", "announced", "marker", "gained"),
    *("looked", "has_played"),
)


def view_of_player(data: Json, seat: int, effects: dict[str, str]) -> Json:
    player, meeting = data["players"][seat], data["meeting"]
    contracts = [[entry["contract"], entry["price"]] for entry in player["contracts"]]
    struck_by = player["struck_by"]
    bids = [[bid["bars"], bid["price"]] for bid in player["bids"]]
    bid = None
    if data["task"] in BIDS:
        city = data["under_way"]["city"] - 1
        if (seat - data["leader"]) % len(data["players"]) < data["turn"] and not player["bankrupt"]:
            bid = bids[city]
        bids[city] = [0, 0]
    return {
        **{name: player[name] for name in SAME},
        "staff": numbers(player["staff"]),
        "staff_before": numbers(player["staff_before"]),
        "absent": numbers(player["absent"]),
        "open": contracts[player["at_bookkeepers"] :],
        "at_bookkeepers": contracts[: player["at_bookkeepers"]],
        "out": player["bankrupt"] > 0,
        "hand": sorted(effects[card] for card in player["hand"]),
        "struck_by": None if struck_by is None else effects[struck_by],
        "bid": bid,
        "bids": bids[:CITIES],
        "present": seat in meeting["present"],
        "refused": seat in meeting["refused"],
    }
