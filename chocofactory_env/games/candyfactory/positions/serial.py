"""A position in the rulebook's words and back (the page `protocol.md`), and actions in words.

After reading, the rules fill in the record's derived fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ....core.errors import StateError
from ....core.messages import shown
from ....core.positions import reading
from ....core.positions.reading import name_or_null, number_or_null
from .. import kernel
from ..actions import ACTIONS
from ..cards import Cards
from ..constants import (
    FIRST_TRUCK,
    MAX_DECK,
    MAX_OPEN_RECIPES,
    MOST_CAPACITY,
    MOST_COINS,
    MOST_OF_RECIPE,
    MOST_PLACES,
    MOST_RAW,
    NONE,
    NUM_SPACES,
    NUM_TRUCKS,
    SPECIALIST_DECK,
    WAREHOUSE,
    Step,
    Way,
)
from . import first_fault
from .basis import CARDS, HALVES, PILES, RAW, SPECIALISTS, STEPS, WAYS, kinds_of

if TYPE_CHECKING:
    from ..game import CandyFactory

__all__ = ["SCHEMA", "Reader", "describe", "first_fault", "read", "write"]  # see `core.positions.serial.Serial`

SCHEMA = 1
BETWEEN_TURNS: Final = (Step.PLAY, Step.OVER)
# --- actions

_SPACES = [f"space {number}" for number in range(1, NUM_SPACES + 1)]
_DIRECTIONS = ["clockwise", "counter-clockwise"]
_TRUCKS = [f"{number}" for number in range(NUM_TRUCKS)]
_RECIPES = [f"recipe {place}" for place in range(MAX_OPEN_RECIPES)]
_KINDS = [*RAW, *(f"{candy} candy of {recipe}" for candy in ("plain", "decorated") for recipe in _RECIPES)]
_ARGUMENTS: Final[Mapping[str, Sequence[str]]] = {
    "play": CARDS,
    "turn_die": ["-2", "-1", "0", "+1", "+2"],
    "add_worker": _SPACES,
    "remove_worker": _SPACES,
    "bring": _DIRECTIONS,
    "ship": _DIRECTIONS,
    "truck": _TRUCKS,
    "move": _KINDS,
    "sell": _KINDS,
    "hire": SPECIALISTS[1:],
    "make": _RECIPES,
    "decorate": _RECIPES,
    "dismiss": SPECIALISTS,
}


def describe(action: int) -> str:
    """`play 4`, `move sugar`, `make recipe 2`, `keep die`."""
    verb, argument = ACTIONS.decode(action)
    text = verb.replace("_", " ")
    return f"{text} {_ARGUMENTS[verb][argument]}" if verb in _ARGUMENTS else text


# --- writing


def _present(names: Sequence[str], counts: Iterable[int]) -> dict[str, int]:
    """The counts other than 0, by name."""
    return {name: count for name, count in zip(names, counts, strict=False) if count}


def _listed(names: Sequence[str], counts: Iterable[int]) -> list[str]:
    """Each name, repeated by its count."""
    return [name for name, count in zip(names, counts, strict=True) for _ in range(count)]


def write(game: CandyFactory, state: np.void) -> dict[str, Any]:
    cards = game.cards
    recipes = [recipe for recipe in state["recipes"].tolist() if recipe != NONE]
    kinds = kinds_of(cards, state["recipes"].tolist())
    known = zip(state["specialists"].tolist(), state["known_to"].tolist(), strict=True)
    return {
        "half": HALVES[state["half"]],
        "step": STEPS[state["step"]],
        "current_player": number_or_null(int(state["current"])),
        "start_player": int(state["start_player"]),
        "board": (np.flatnonzero(state["board"]) + 1).tolist(),
        "die": int(state["die"]),
        "supply": dict(zip(PILES, state["supply"].tolist(), strict=True)),
        "recipes": {
            cards.recipes[recipe]: tokens for recipe, tokens in zip(recipes, state["tokens"].tolist(), strict=False)
        },
        "specialist_deck": [
            {"card": SPECIALISTS[card], "known_to": [seat for seat in range(game.num_players) if mask >> seat & 1]}
            for card, mask in list(known)[: int(state["specialists_left"])]
        ],
        "players": [_seat_to_dict(kinds, seat) for seat in state["seats"][: game.num_players]],
        "turn": None if state["step"] in BETWEEN_TURNS else _turn_to_dict(cards, kinds, state),
    }


def _seat_to_dict(kinds: Sequence[str], seat: np.void) -> dict[str, Any]:
    holds = [
        {"goods": _present(kinds, goods), "stacks": _present(kinds, stacks)}
        for goods, stacks in zip(seat["goods"].tolist(), seat["stacks"].tolist(), strict=True)
    ]
    return {
        "coins": int(seat["coins"]),
        "whistle": bool(seat["whistle"]),
        "hand": _listed(CARDS, seat["hand"].tolist()),
        "deck": [CARDS[card] for card in reversed(seat["deck"][: seat["deck_size"]].tolist())],
        "played": _listed(SPECIALISTS, seat["played"].tolist()),
        "warehouse": holds[WAREHOUSE],
        "trucks": holds[FIRST_TRUCK:],
    }


def _turn_to_dict(cards: Cards, kinds: Sequence[str], state: np.void) -> dict[str, Any]:
    turn = state["turn"]
    recipe = int(turn["recipe"])
    return {
        "card": name_or_null(CARDS, int(turn["card"])),
        "number": int(turn["number"]) or None,
        "way": None if turn["way"] == Way.NONE else WAYS[turn["way"]],
        "counter_clockwise": bool(turn["counter"]),
        "space": None if turn["space"] == NONE else int(turn["space"]) + 1,
        "left": int(turn["left"]),
        "truck": number_or_null(int(turn["truck"])),
        "last": name_or_null(kinds, int(turn["last"])),
        "space_ability": bool(turn["open"][0]),
        "machinist": bool(turn["open"][1]),
        "recipe": None if recipe == NONE else cards.recipes[state["recipes"][recipe]],
        "uses": int(turn["uses"]),
        "recruited": bool(turn["recruited"]),
        "to_load": {"sugar": int(turn["to_load"][0]), "chocolate": int(turn["to_load"][1])},
        "surplus": int(turn["surplus"]),
    }


# --- reading


class Reader(reading.Reader):
    """`core.positions.reading.Reader` with this game's own forms."""

    def card(self) -> int:
        return self.index(CARDS)

    def kind(self, kinds: Sequence[str]) -> int:
        if self.value == "":
            raise self.error("a kind of goods")
        return self.index(kinds, "a kind of goods")

    def present(self, names: Sequence[str], what: str) -> list[str]:
        """The names that are keys of this table, in the order of `names`; other keys are faults. `what` names them."""
        if not isinstance(self.value, Mapping):
            raise self.error("a table")
        for key in self.value:
            if not key or key not in names:
                raise StateError(f"{self.path}: expected keys that are {what}, got {shown(key)}")
        return [name for name in names if name in self.value]

    def counts(self, kinds: Sequence[str], most: int) -> list[int]:
        """Numbers from 1 to `most` by kind; 0 for absent ones."""
        there = self.present(kinds, "kinds of goods in play")
        return [self[kind].integer(1, most) if kind in there else 0 for kind in kinds]

    def counted(self, names: Sequence[str], most: int) -> list[int]:
        """Count each name in a list of at most `most` entries."""
        counts = [0] * len(names)
        for entry in self.items(0, most):
            counts[entry.index(names)] += 1
        return counts


def read(game: CandyFactory, read: Reader, states: np.ndarray) -> None:
    state = states[0]
    _read_table(game, read, state)
    _read_specialist_deck(game, read["specialist_deck"], state)
    kinds = kinds_of(game.cards, state["recipes"].tolist())
    state["seats"]["deck"] = NONE
    for player, seat in zip(read["players"].items(game.num_players), state["seats"], strict=False):
        _read_seat(kinds, player, seat)
    _read_turn(game.cards, kinds, read["turn"], state)
    kernel.write_derived(game.tables, states)


def _read_table(game: CandyFactory, read: Reader, state: np.void) -> None:
    seats = game.num_players - 1
    state["half"] = read["half"].index(HALVES)
    state["step"] = read["step"].index(STEPS)
    state["current"] = read["current_player"].optional(lambda r: r.integer(0, seats))
    state["start_player"] = read["start_player"].integer(0, seats)
    for space in read["board"].items(0, NUM_SPACES):
        state["board"][space.integer(1, NUM_SPACES) - 1] = 1
    state["die"] = read["die"].integer(1, NUM_SPACES)
    state["supply"] = [pile.integer(0, MOST_RAW) for pile in read["supply"].by(PILES)]
    recipes = read["recipes"].present(game.cards.recipes, "ids of recipes")
    if len(recipes) > MAX_OPEN_RECIPES:
        raise read["recipes"].error(f"at most {MAX_OPEN_RECIPES} recipes")
    state["recipes"] = NONE
    for place, recipe in enumerate(recipes):
        state["recipes"][place] = game.cards.recipes.index(recipe)
        state["tokens"][place] = read["recipes"][recipe].integer(0, MOST_OF_RECIPE)


def _read_specialist_deck(game: CandyFactory, read: Reader, state: np.void) -> None:
    cards = read.items(0, SPECIALIST_DECK)
    state["specialists"] = NONE
    state["specialists_left"] = len(cards)
    for place, card in enumerate(cards):
        state["specialists"][place] = card["card"].index(SPECIALISTS)
        for seat in card["known_to"].items(0, game.num_players):
            state["known_to"][place] |= 1 << seat.integer(0, game.num_players - 1)


def _read_seat(kinds: Sequence[str], read: Reader, seat: np.void) -> None:
    seat["coins"] = read["coins"].integer(0, MOST_COINS)
    seat["whistle"] = read["whistle"].flag()
    seat["hand"] = read["hand"].counted(CARDS, MAX_DECK)
    deck = [card.card() for card in read["deck"].items(0, MAX_DECK)]
    seat["deck"][: len(deck)] = deck[::-1]
    seat["deck_size"] = len(deck)
    seat["played"] = read["played"].counted(SPECIALISTS, MAX_DECK)
    for hold, goods in enumerate([read["warehouse"], *read["trucks"].items(NUM_TRUCKS)]):
        seat["goods"][hold] = goods["goods"].counts(kinds, 2 * MOST_PLACES)
        seat["stacks"][hold] = goods["stacks"].counts(kinds, MOST_PLACES)


def _read_turn(cards: Cards, kinds: Sequence[str], read: Reader, state: np.void) -> None:
    """Read `turn`. `check_turn` checks which fields a step has, and how they fit together."""
    turn = state["turn"]
    for name in ("card", "space", "truck", "last", "recipe"):
        turn[name] = NONE
    if state["step"] in BETWEEN_TURNS:
        read.equals(None)
        return
    turn["card"] = read["card"].optional(lambda r: r.card())
    turn["number"] = max(0, read["number"].optional(lambda r: r.integer(1, NUM_SPACES)))
    turn["way"] = max(0, read["way"].optional(lambda r: r.index(WAYS)))
    turn["counter"] = read["counter_clockwise"].flag()
    turn["space"] = NONE if read["space"].value is None else read["space"].integer(1, NUM_SPACES) - 1
    turn["left"] = read["left"].integer(0, MOST_CAPACITY)
    turn["truck"] = read["truck"].optional(lambda r: r.integer(0, NUM_TRUCKS - 1))
    turn["last"] = read["last"].optional(lambda r: r.kind(kinds))
    turn["open"] = [read["space_ability"].flag(), read["machinist"].flag()]
    names = [cards.recipes[recipe] for recipe in state["recipes"].tolist() if recipe != NONE]
    turn["recipe"] = read["recipe"].optional(lambda r: r.index(names))
    turn["uses"] = read["uses"].integer(0, MOST_OF_RECIPE)
    turn["recruited"] = read["recruited"].flag()
    turn["to_load"] = [read["to_load"][kind].integer(0, MOST_RAW) for kind in ("sugar", "chocolate")]
    turn["surplus"] = read["surplus"].integer(0, MAX_DECK)
