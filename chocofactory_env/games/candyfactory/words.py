"""Actions in words, and the words of positions as data (the page `protocol.md`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ...core.codec import FLAG, Table, Words
from ...core.text.words import words_of
from .actions import ACTIONS
from .cards import Cards
from .constants import MAX_OPEN_RECIPES, NUM_RAW, NUM_TRUCKS, Half, Kind, Pile, Step, Way
from .layout import HOLDS, KINDS, NUMBERS, SPACES, SPECIALISTS
from .state import Seat, State, Turn

CARDS: Final = (*NUMBERS, *SPECIALISTS)  # of hands and decks
PILES: Final = words_of(Pile)
RAW: Final = words_of(Kind)[:NUM_RAW]
TRUCKS: Final = tuple(map(str, range(NUM_TRUCKS)))

_DIRECTIONS = ("clockwise", "counter-clockwise")
_RECIPES = [f"recipe {place}" for place in range(MAX_OPEN_RECIPES)]
_KINDS = [*RAW, *(f"{candy} candy of {recipe}" for candy in ("plain", "decorated") for recipe in _RECIPES)]
_ARGUMENTS: Final[Mapping[str, Sequence[str]]] = {
    "play": CARDS,
    "turn_die": ["-2", "-1", "0", "+1", "+2"],
    "add_worker": SPACES,
    "remove_worker": SPACES,
    "bring": _DIRECTIONS,
    "ship": _DIRECTIONS,
    "truck": TRUCKS,
    "move": _KINDS,
    "sell": _KINDS,
    "hire": SPECIALISTS[1:],
    "make": _RECIPES,
    "decorate": _RECIPES,
    "dismiss": SPECIALISTS,
}


def describe(action: int) -> str:
    """`play 4`, `move sugar`, `make recipe 2`, `keep die`; IndexError if there is no such action."""
    verb, argument = ACTIONS.decode(action)
    text = verb.replace("_", " ")
    return f"{text} {_ARGUMENTS[verb][argument]}" if verb in _ARGUMENTS else text


def words(cards: Cards, num_players: int) -> Table:
    """The words of a variant's positions."""
    seats = range(num_players)
    seat = Words(seats)
    return {
        State: {
            "half": Words(words_of(Half)),
            "step": Words(words_of(Step)),
            "current": seat,
            "start_player": seat,
            "board": Words(FLAG.values, axes=(SPACES,)),
            "supply": Words(axes=(PILES,)),
            "recipes": Words(cards.recipes, what="the id of a recipe"),
            "seats": Words(axes=(seats,)),
            "specialists": Words(SPECIALISTS),
            "known_to": Words(bits=seats),
            "pool": Words(axes=(SPECIALISTS[1:],)),
        },
        Turn: {
            "card": Words(CARDS, what="a card"),
            "way": Words(words_of(Way)),
            "counter": FLAG,
            "space": Words(SPACES),
            "truck": Words(range(NUM_TRUCKS)),
            "last": Words(KINDS, what="a kind of goods"),
            "open": Words(FLAG.values, axes=(("space", "machinist"),)),
            "recruited": FLAG,
            "to_load": Words(axes=(("sugar", "chocolate"),)),
        },
        Seat: {
            "whistle": FLAG,
            "hand": Words(axes=(CARDS,)),
            "deck": Words(CARDS, what="a card"),
            "unplayed": Words(axes=(CARDS,)),
            "played": Words(axes=(SPECIALISTS,)),
            "knows": Words(axes=(SPECIALISTS[1:],)),
            "goods": Words(axes=(HOLDS, KINDS)),
            "stacks": Words(axes=(HOLDS, KINDS)),
            "free": Words(axes=(HOLDS,)),
        },
    }
