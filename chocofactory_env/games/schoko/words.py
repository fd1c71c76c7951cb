"""Actions in words, and the words of positions as data (the page `protocol.md`)."""

from __future__ import annotations

from typing import Final

from ...core.codec import FLAG, Table, Words
from ...core.text.words import words_of
from .actions import ACTIONS
from .cards import Cards
from .constants import MAX_PLAYERS, NUM_CATEGORIES, NUM_CITIES, NUM_EXPRESS, Task
from .layout import BOX, CARD_NAMES, CATEGORIES
from .state import Player, State

TASKS: Final = words_of(Task)
# The moment in words. In a card window or a bid they name nobody (SEE-5).
MOMENTS: Final = {
    Task.LOOK: "looking at the event",
    Task.STAFF: "hiring",
    Task.TRIM: "laying off",
    **dict.fromkeys((Task.CARD_A, Task.CARD_B, Task.CARD_C, Task.TARGET, Task.HOLIDAY), "card window"),
    Task.ANNOUNCE: "announcing cocoa",
    **dict.fromkeys((Task.BID_BARS, Task.BID_PRICE), "bids for cocoa"),
    Task.MAKE: "production",
    Task.ATTEND: "coming to a meeting",
    Task.OFFER: "a contract on offer",
    Task.RAISE: "raising the price",
    Task.BANK_SALE: "selling to the bank",
    Task.MONEY: "loans and shares",
    Task.OVER: "over",
}
MONEY_DONE: Final = ("sold", "repaid", "took_loan")  # by the bits SOLD, REPAID, TOOK
PLACES: Final = (*range(MAX_PLAYERS), "unseen", "gone")  # of express cards: a seat, UNSEEN or GONE
ORDINALS: Final = ("1st", "2nd", "3rd")


def describe(action: int) -> str:
    """`employ 3`, `offer 7 a bar`, `play levy`; IndexError if there is no such action."""
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
        "play": f"play {CARD_NAMES[argument % NUM_EXPRESS].replace('_', ' ')}",
        "target": f"on the {ORDINALS[argument % len(ORDINALS)]} player to the left",
        "category": f"choose a {CATEGORIES[argument % NUM_CATEGORIES]}",
    }
    return words.get(verb, verb)


def words(cards: Cards, num_players: int, months: int) -> Table:
    """The words of a variant's positions."""
    seats = range(num_players)
    seat, seats_of = Words(seats), Words(bits=seats)
    by_category = Words(axes=(CATEGORIES,))
    contract = Words(cards.contracts, what="the id of a contract")
    event = Words(cards.events, what="the id of an event")
    express = Words(cards.express, what="the id of an express card")
    return {
        State: {
            "current": seat,
            "month": Words(range(1, months + 1)),
            "leader": seat,
            "task": Words(TASKS, what="a task"),
            "turn": seat,
            "category": Words(CATEGORIES),
            "city": Words(range(1, NUM_CITIES + 1)),
            "named": seats_of,
            "card": express,
            "money_done": Words(bits=MONEY_DONE),
            "players": Words(axes=(seats,)),
            "box": Words(axes=(BOX,)),
            "offer": contract,
            "present": seats_of,
            "refused": seats_of,
            "taker": seat,
            "event_in_force": event,
            "event_turned": event,
            "events": event,
            "express": Words(PLACES, axes=(cards.express,)),
            "contracts": contract,
        },
        Player: {
            "staff": by_category,
            "staff_before": by_category,
            "absent": by_category,
            "loan_this_month": FLAG,
            "contracts": contract,
            "looked": FLAG,
            "struck_by": express,
            "has_played": FLAG,
        },
    }
