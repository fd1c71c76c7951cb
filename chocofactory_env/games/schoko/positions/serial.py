"""A position in the rulebook's words and back (the page `protocol.md`), and actions in words.

Derived fields are computed, not read, so that they must agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ....core.positions import reading
from ....core.positions.reading import name_or_null, number_or_null
from ....core.text.words import words_of
from ..actions import ACTIONS
from ..cards import Cards
from ..constants import (
    EVENT_DECK,
    GONE,
    NONE,
    NUM_CATEGORIES,
    NUM_CITIES,
    NUM_EXPRESS,
    REPAID,
    SOLD,
    TOOK,
    UNSEEN,
    Category,
    Event,
    Express,
    Task,
)
from ..deck_schema import MAX_PRICE
from ..layout import MAX_MARKET
from . import first_fault

if TYPE_CHECKING:
    from ..game import Schoko

__all__ = ["SCHEMA", "Reader", "describe", "first_fault", "read", "write"]  # see `core.positions.serial.Serial`

SCHEMA = 1

CATEGORIES: Final = words_of(Category)
TASKS: Final = words_of(Task)
EXPRESS: Final = words_of(Express)
BOX: Final = [*CATEGORIES, "loans", "shares"]
MONEY_DONE: Final = {"sold": SOLD, "repaid": REPAID, "took_loan": TOOK}
ORDINALS: Final = ("1st", "2nd", "3rd")
ANNOUNCED: Final = (Event.NO_COCOA, Event.SLOW_WORK, Event.NO_BOOKKEEPERS)  # MON-3: they take effect next month
MOST_CASH: Final = int(np.iinfo(np.int32).max)
MOST_SALARIES: Final = int(np.iinfo(np.int16).max)


# --- actions


def describe(action: int) -> str:
    """`employ 3`, `offer 7 a bar`, `play levy`."""
    verb, argument = ACTIONS.decode(action)
    number = argument + 1  # for verbs that count from 1
    shares = f"{number} share{'s' if number > 1 else ''}"
    words = {
        "staff": f"employ {argument}",
        "bars": f"{argument} bar{'' if argument == 1 else 's'}",
        "price": f"offer {number} a bar",
        "accept": "accept the contract",
        "raise": f"raise by {number}",
        "take_loan": "take a loan",
        "repay": "repay a loan",
        "sell_shares": f"sell {shares}",
        "buy_shares": f"buy {shares}",
        "play": f"play {EXPRESS[argument % NUM_EXPRESS].replace('_', ' ')}",
        "target": f"on the {ORDINALS[argument % len(ORDINALS)]} player to the left",
        "category": f"choose a {CATEGORIES[argument % NUM_CATEGORIES]}",
    }
    return words.get(verb, verb)


# --- writing


def _cards(ids: Sequence[str], numbers: Iterable[int]) -> list[str]:
    return [ids[number] for number in numbers]


def _by(names: Sequence[str], values: Iterable[Any]) -> dict[str, Any]:
    return dict(zip(names, values, strict=True))


def _seats(bits: int, num_players: int) -> list[int]:
    return [seat for seat in range(num_players) if bits >> seat & 1]


def _express(cards: Cards, state: np.void, place: int) -> list[str]:
    """The express cards at `place`."""
    return _cards(cards.express, np.flatnonzero(state["express"] == place).tolist())


def write(game: Schoko, state: np.void) -> dict[str, Any]:
    cards = game.cards
    task = int(state["task"])
    return {
        "month": int(state["month"]) + 1,
        "task": TASKS[task],
        "current_player": number_or_null(int(state["current"])),
        "leader": int(state["leader"]),
        "turn": int(state["turn"]),
        "under_way": {
            "category": CATEGORIES[state["category"]] if task in (Task.STAFF, Task.TRIM) else None,
            "city": int(state["city"]) + 1 if task in (Task.BID_BARS, Task.BID_PRICE) else None,
            "card": name_or_null(cards.express, int(state["card"])),
            "money": [word for word, bit in MONEY_DONE.items() if state["money_done"] & bit],
            **({"named": _seats(int(state["named"]), game.num_players)} if is_open(state) else {}),
        },
        "box": _by(BOX, state["box"].tolist()),
        "market": state["market"].tolist(),
        "meeting": {
            "left": int(state["meetings_left"]),
            "contract": name_or_null(cards.contracts, int(state["offer"])),
            "price": int(state["price"]),
            "present": _seats(int(state["present"]), game.num_players),
            "refused": _seats(int(state["refused"]), game.num_players),
            "taker": number_or_null(int(state["taker"])),
        },
        "events": {
            "in_force": name_or_null(cards.events, int(state["event_in_force"])),
            "turned": name_or_null(cards.events, int(state["event_turned"])),
            "order": _cards(cards.events, state["events"].tolist()),
        },
        "express": {"gone": _express(cards, state, GONE), "unseen": _express(cards, state, UNSEEN)},
        "contracts": {
            "face_down": _cards(cards.contracts, state["contracts"][: state["contracts_left"]].tolist()),
            "held_back": held_back(cards, state),
        },
        "players": [_player_to_dict(cards, state, seat) for seat in range(game.num_players)],
    }


def named_in_turns(state: np.void) -> int:
    """Bits of the seats that have named their bars in the city under way, if they bid one after the other."""
    if state["task"] not in (Task.BID_BARS, Task.BID_PRICE):
        return 0
    bits, seats = 0, int(state["num_players"])
    for places in range(int(state["turn"]) + (state["task"] == Task.BID_PRICE)):
        seat = (int(state["leader"]) + places) % seats
        if state["players"]["out"][seat] == 0:
            bits |= 1 << seat
    return bits


def is_open(state: np.void) -> bool:
    """COCOA-4: whether seats bid at the same time, so that the turn does not tell who has named what."""
    players, city = state["players"], int(state["city"])
    lacking = (players["bid_bars"][:, city] > 0) & (players["bid_price"][:, city] == 0)
    others = [seat for seat in np.flatnonzero(lacking).tolist() if seat != state["current"]]
    bidding = state["task"] in (Task.BID_BARS, Task.BID_PRICE)
    return bool(bidding and (int(state["named"]) != named_in_turns(state) or others))


def held_back(cards: Cards, state: np.void) -> list[str]:
    """The contracts that are held back: those that are nowhere else."""
    elsewhere = {*state["contracts"].tolist(), *state["players"]["contracts"].ravel().tolist(), int(state["offer"])}
    return [card for number, card in enumerate(cards.contracts) if number not in elsewhere]


def _player_to_dict(cards: Cards, state: np.void, seat: int) -> dict[str, Any]:
    player = state["players"][seat]
    held = int(player["num_contracts"])
    bids = zip(player["bid_bars"].tolist(), player["bid_price"].tolist(), strict=True)
    contracts = zip(player["contracts"][:held].tolist(), player["prices"][:held].tolist(), strict=True)
    return {
        "cash": int(player["cash"]),
        "staff": _by(CATEGORIES, player["staff"].tolist()),
        "staff_before": _by(CATEGORIES, player["staff_before"].tolist()),
        "absent": _by(CATEGORIES, player["absent"].tolist()),
        "salaries": int(player["salaries"]),
        "loans": int(player["loans"]),
        "loan_this_month": bool(player["loan_this_month"]),
        "shares": int(player["shares"]),
        "cocoa": int(player["cocoa"]),
        "chocolate": int(player["chocolate"]),
        "announced": int(player["announced"]),
        "bids": [{"bars": bars, "price": price} for bars, price in bids],
        "marker": int(player["marker"]),
        "gained": int(player["gained"]),
        "contracts": [{"contract": cards.contracts[card], "price": price} for card, price in contracts],
        "at_bookkeepers": int(player["num_booked"]),
        "looked": bool(player["looked"]),
        "hand": _express(cards, state, seat),
        "struck_by": name_or_null(cards.express, int(player["struck_by"])),
        "has_played": bool(player["has_played"]),
        "bankrupt": int(player["out"]),
    }


# --- reading


class Reader(reading.Reader):
    def seats(self, num_players: int) -> int:
        """A list of seats, as bits."""
        bits = 0
        for seat in self.items(0, num_players):
            bits |= 1 << seat.integer(0, num_players - 1)
        return bits

    def card(self, ids: Sequence[str], what: str) -> int:
        return self.index(ids, f"the id of {what}")


def read(game: Schoko, read: Reader, states: np.ndarray) -> None:
    state, cards = states[0], game.cards
    _read_time(game, read, state)
    _read_under_way(cards, read["under_way"], state)
    _read_meeting(game, read["meeting"], state)
    _read_events(cards, read["events"], state)
    for place, card in enumerate(read["contracts"]["face_down"].items(0, len(cards.contracts))):
        state["contracts"][place] = card.card(cards.contracts, "a contract")
        state["contracts_left"] = place + 1
    for name, where in (("gone", GONE), ("unseen", UNSEEN)):
        _read_express(cards, read["express"][name], state, where)
    for seat, player in enumerate(read["players"].items(game.num_players)):
        _read_player(cards, player, state, seat)
    named = read["under_way"].value.get("named")
    state["named"] = named_in_turns(state) if named is None else read["under_way"]["named"].seats(game.num_players)
    state["box"] = _box(cards, state)
    state["market"] = [bars.integer(0, MAX_MARKET) for bars in read["market"].items(NUM_CITIES)]


def _read_time(game: Schoko, read: Reader, state: np.void) -> None:
    seats = game.num_players - 1
    state["month"] = read["month"].integer(1, game.months) - 1
    state["task"] = read["task"].index(TASKS)
    state["leader"] = read["leader"].integer(0, seats)
    state["turn"] = read["turn"].integer(0, seats)
    current = read["current_player"]
    state["current"] = current.optional(lambda r: r.integer(0, seats))
    if (state["current"] == NONE) != (state["task"] == Task.OVER):
        raise current.error("a seat until the game is over, then null")


def _read_under_way(cards: Cards, read: Reader, state: np.void) -> None:
    task = int(state["task"])
    if task in (Task.STAFF, Task.TRIM):
        state["category"] = read["category"].index(CATEGORIES)
    if task in (Task.BID_BARS, Task.BID_PRICE):
        state["city"] = read["city"].integer(1, NUM_CITIES) - 1
    state["card"] = read["card"].optional(lambda r: r.card(cards.express, "an express card"))
    for word in read["money"].items(0, len(MONEY_DONE)):
        state["money_done"] |= MONEY_DONE[list(MONEY_DONE)[word.index(list(MONEY_DONE))]]


def _read_meeting(game: Schoko, read: Reader, state: np.void) -> None:
    cards, seats = game.cards, game.num_players
    state["meetings_left"] = read["left"].integer(0, int(cards.record.last_field))
    state["offer"] = read["contract"].optional(lambda r: r.card(cards.contracts, "a contract"))
    state["price"] = read["price"].integer(0, MAX_PRICE)
    state["present"] = read["present"].seats(seats)
    state["refused"] = read["refused"].seats(seats)
    state["taker"] = read["taker"].optional(lambda r: r.integer(0, seats - 1))


def _read_events(cards: Cards, read: Reader, state: np.void) -> None:
    state["events"] = [card.card(cards.events, "an event") for card in read["order"].items(EVENT_DECK)]
    month = int(state["month"])
    last = int(state["events"][month - 1]) if month > 0 else NONE
    state["event_in_force"] = last if last in ANNOUNCED else NONE
    state["event_turned"] = read["turned"].optional(lambda r: r.card(cards.events, "an event"))


def _read_express(cards: Cards, read: Reader, state: np.void, where: int) -> None:
    """Read the express cards at one place. A card named twice is an error."""
    for card in read.items(0, NUM_EXPRESS):
        state["express"][card.card(cards.express, "an express card")] = where


def _read_player(cards: Cards, read: Reader, state: np.void, seat: int) -> None:
    row, deck = state["players"][seat], cards.record
    row["cash"] = read["cash"].integer(0, MOST_CASH)
    for field in ("staff", "staff_before"):
        pairs = zip(read[field].by(CATEGORIES), deck.staff.tolist(), strict=True)
        row[field] = [number.integer(0, most) for number, most in pairs]
    row["absent"] = [number.integer(0, 1) for number in read["absent"].by(CATEGORIES)]
    row["salaries"] = read["salaries"].integer(0, MOST_SALARIES)
    for field, most in (("loans", deck.loans), ("shares", deck.shares)):
        row[field] = read[field].integer(0, int(most))
    for field, most in (
        ("cocoa", deck.cocoa_store),
        ("announced", deck.cocoa_store),
        ("chocolate", deck.chocolate_store),
        ("marker", deck.last_field),
        ("gained", deck.last_field),
    ):
        row[field] = read[field].integer(0, int(most))
    for field in ("loan_this_month", "looked", "has_played"):
        row[field] = read[field].flag()
    for city, bid in enumerate(read["bids"].items(NUM_CITIES)):
        row["bid_bars"][city] = bid["bars"].integer(0, int(deck.cocoa_store))
        row["bid_price"][city] = bid["price"].integer(0, int(deck.highest_bid))
    contracts = read["contracts"].items(0, len(cards.contracts))
    for place, contract in enumerate(contracts):
        row["contracts"][place] = contract["contract"].card(cards.contracts, "a contract")
        row["prices"][place] = contract["price"].integer(0, MAX_PRICE)
    row["num_contracts"] = len(contracts)
    row["num_booked"] = read["at_bookkeepers"].integer(0, len(contracts))
    _read_express(cards, read["hand"], state, seat)
    row["struck_by"] = read["struck_by"].optional(lambda r: r.card(cards.express, "an express card"))
    row["out"] = read["bankrupt"].integer(0, 3)


def _box(cards: Cards, state: np.void) -> list[int]:
    """SET-9: everything that no player has; below 0 if players have more than exists."""
    players = state["players"]
    staff = cards.record.staff.astype(int) - players["staff"].sum(axis=0)
    loans, shares = (int(cards.record[name]) - int(players[name].sum()) for name in ("loans", "shares"))
    return [*staff.tolist(), loans, shares]
