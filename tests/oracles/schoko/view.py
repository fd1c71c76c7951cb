"""The engine's data as the oracle takes and shows it: cards, the deal, chance in play, and the whole position."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .cards import Json
from .position import CITIES

CATEGORIES = ("worker", "salesman", "secretary", "bookkeeper")
HIRING = ("staff", "trim")
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


def view_of(data: Json, months: int, effects: dict[str, str], contracts: Iterable[str]) -> Json:
    """A position of the engine as `Oracle.view` has it, but for what follows from the rest.

    Arguments:
        data: of `to_dict`.
        months: of the game.
        effects: of the express cards, by id.
        contracts: ids of the deck's.
    """
    players = [view_of_player(data, seat, effects) for seat in range(len(data["players"]))]
    bankrupts = {player["out"]: seat for seat, player in enumerate(data["players"]) if player["out"]}
    elsewhere = {*face_down(data), data["offer"], *(card for player in data["players"] for card, _ in held(player))}
    return {
        "month": data["month"],
        "months": months,
        "seat": data["current"],
        "step": None if data["task"] == "over" else data["task"],
        "under_way": under_way(data, effects),
        "leader": data["leader"],
        "bankrupts": [bankrupts[place] for place in sorted(bankrupts)],
        "box": {"staff": numbers(data["box"]), "loans": data["box"]["loans"], "shares": data["box"]["shares"]},
        "market": data["market"],
        "deck": face_down(data)[::-1],
        "held_back": sorted(set(contracts) - elsewhere),
        "offer": None if data["offer"] is None else [data["offer"], data["price"]],
        "taker": data["taker"],
        "meetings_left": data["meetings_left"],
        "events": data["events"][:months],
        "event_in_force": data["event_in_force"],
        "event_turned": data["event_turned"],
        "face_up": sorted(effects[card] for card in at(data, "gone")),
        "out_of_game": sorted(effects[card] for card in at(data, "unseen")),
        "players": players,
    }


def numbers(by_category: dict[str, int]) -> list[int]:
    return [by_category[category] for category in CATEGORIES]


def under_way(data: Json, effects: dict[str, str]) -> Json | None:
    if data["task"] == "over":
        return None
    task, card, city = data["task"], data["card"], data["city"] - 1
    return {
        "category": CATEGORIES.index(data["category"]) if task in HIRING else None,
        "card": None if card is None else effects[card],
        "city": city if task in BIDS else None,
        "bars": data["players"][data["current"]]["bid_bars"][city] if task == "bid_price" else 0,
    }


SAME = (
    *("cash", "loans", "shares", "cocoa", "chocolate", "salaries", "loan_this_month", "announced", "marker", "gained"),
    *("looked", "has_played"),
)


def view_of_player(data: Json, seat: int, effects: dict[str, str]) -> Json:
    player = data["players"][seat]
    contracts, struck_by = held(player), player["struck_by"]
    bids = [list(bid) for bid in zip(player["bid_bars"], player["bid_price"], strict=True)]
    bid = None
    if data["task"] in BIDS:
        city = data["city"] - 1
        if (seat - data["leader"]) % len(data["players"]) < data["turn"] and not player["out"]:
            bid = bids[city]
        bids[city] = [0, 0]
    return {
        **{name: player[name] for name in SAME},
        "staff": numbers(player["staff"]),
        "staff_before": numbers(player["staff_before"]),
        "absent": numbers(player["absent"]),
        "open": contracts[player["num_booked"] :],
        "at_bookkeepers": contracts[: player["num_booked"]],
        "out": player["out"] > 0,
        "hand": sorted(effects[card] for card in at(data, seat)),
        "struck_by": None if struck_by is None else effects[struck_by],
        "bid": bid,
        "bids": bids[:CITIES],
        "present": seat in data["present"],
        "refused": seat in data["refused"],
    }
