"""Actions in words, and the words of positions as data (the page `protocol.md`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ...core.codec import FLAG, Table, Words
from ...core.text.words import words_of
from .actions import ACTIONS
from .cards import Cards
from .constants import DAILY_DEMANDS, MAX_DEMANDS, NUM_DAYS, NUM_TILES, Kind, Phase, Side, Size, Store, Symbol, Task
from .state import OrderDeck, Player, Requirements, State, UnderWay

KINDS, STORES, SIZES = words_of(Kind), words_of(Store), words_of(Size)
SYMBOLS, TASKS = words_of(Symbol), words_of(Task)
EMPLOYEE_DECK_NAMES: Final = (*STORES, "extra")  # by deck: the stores' decks, then the expansion's
PLACES: Final = (*(f"tile {tile}" for tile in range(NUM_TILES)), "store room")
_ARGUMENT_WORDS: Final[Mapping[str, Sequence[str]]] = {
    "draft_employee": EMPLOYEE_DECK_NAMES,
    "take": KINDS,
    "make": KINDS,
    "chute": KINDS,
    "trade": KINDS,
    "supply": STORES,
    "choose_order": SIZES,
}
_ARGUMENT_NOUNS = {"place_part": "slot", "operate": "slot", "assign": "slot", "fulfil": "order", "deliver": "card"}
_WITHOUT_ARGUMENT = {verb for verb, count in ACTIONS.verbs if count == 1}


def describe(action: int) -> str:
    """`operate slot 2`, `take caramel`, `end shift`; IndexError if there is no such action."""
    verb, argument = ACTIONS.decode(action)
    text = verb.replace("_", " ")
    if verb in _WITHOUT_ARGUMENT:
        return text
    if verb in _ARGUMENT_WORDS:
        return f"{text} {_ARGUMENT_WORDS[verb][argument]}"
    noun = _ARGUMENT_NOUNS.get(verb)
    return f"{text} {noun} {argument}" if noun else f"{text} {argument}"


def most_difficulty(cards: Cards) -> int:
    """SOLO-1: the number of demands in the deck, less the first and the daily ones."""
    return min(len(cards.demands), MAX_DEMANDS) - 1 - DAILY_DEMANDS


def words(cards: Cards, num_players: int, difficulty: int) -> Table:
    """The words of a variant's positions."""
    seats = range(num_players)
    parts, employees = Words(cards.parts, what="the id of a part"), Words(cards.employees, what="the id of an employee")
    orders = Words(cards.orders, what="the id of an order")
    store, kind = Words(STORES), Words(KINDS)
    dealt = Words(range(2 + difficulty + DAILY_DEMANDS))  # SOLO-1
    decks = EMPLOYEE_DECK_NAMES[: cards.record.employee_decks]
    sides = tuple(side.name for side in Side)[: cards.record.num_sides]
    return {
        State: {
            "day": Words(range(1, NUM_DAYS + 1)),
            "phase": Words(words_of(Phase)),
            "start_player": Words(seats),
            "current": Words(seats),
            "finished": Words(bits=seats),
            "shifts": Words(axes=(seats,)),
            "tasks": Words(axes=(seats,)),
            "players": Words(axes=(seats,)),
            "sides": Words(sides, axes=(STORES,)),
            "display_parts": parts,
            "display_employees": employees._replace(axes=(decks,)),
            "employee_packets": Words(axes=(decks,)),
            "offer": orders._replace(axes=(SIZES,)),
            "part_deck": parts,
            "employee_decks": employees._replace(axes=(decks,)),
            "mix": Words(EMPLOYEE_DECK_NAMES),
            "order_decks": Words(axes=(SIZES,)),
            "target": Words(cards.targets, what="the id of a Weekly Target"),
            "demands": Words(cards.demands, what="the id of a Demand"),
            "num_demands": dealt,
            "face_up": dealt,
            "delivered": FLAG,
        },
        Player: {
            "pieces": Words(axes=(PLACES, KINDS)),
            "factory": parts,
            "operated": FLAG,
            "part_drafted": FLAG,
            "employee": employees,
            "orders": orders,
            "completed": Words(axes=(SIZES,)),
            "pile": Words(bits=cards.orders),
            "track": Words(axes=(STORES,)),
            "arrival": Words(axes=(STORES,)),
            "supplied": FLAG._replace(axes=(STORES,)),
        },
        UnderWay: {
            "kind": Words(TASKS, what="the name of a task"),
            "store": store,
            "rule_of": store,
            "last_take": kind,
            "last_make": kind,
            "open": Words(axes=(SYMBOLS,)),
            "given": Words(axes=(KINDS,)),
        },
        OrderDeck: {"cards": orders},
        Requirements: {"orders": Words(axes=((*SIZES, "any"),)), "steps": Words(axes=(STORES,))},
    }
