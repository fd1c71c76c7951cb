"""The decks of a series of games. They take turns: seed s is dealt from deck s modulo their number."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import partial
from os import fspath
from typing import Any, Final, TypeVar

import numpy as np

from chocofactory_env import Game, load
from chocofactory_env.core.agents.agent import reads_cards
from chocofactory_env.core.cards import lists
from chocofactory_env.core.messages import shown

Decks = lists.Decks  # the type of `decks=`
MEASURED: Final = range(100_000)  # generated decks held out for measurement; training decks follow
GENERATED: Final = re.compile(r"generated:([0-9]+)")
Names = tuple[str | None, ...]  # None: the shipped deck
Deal = TypeVar("Deal", int, np.ndarray)
Value = TypeVar("Value", bound=Hashable)


def names_of(decks: Decks) -> Names:
    """Name every deck of `decks`, as `cf.make_batch` takes it. None, which leaves a game its own deck, has no names.

    Raises:
        TypeError, ValueError: see `lists.decks_of`; or a deck is repeated.
    """
    names = _listed(decks)
    for twice in repeated(names):
        raise ValueError(f"decks: expected each deck once, got {label(twice)} twice")
    return names


def repeated(values: Iterable[Value]) -> Iterator[Value]:
    """The values that have come before, in order."""
    seen = set()
    for value in values:
        if value in seen:
            yield value
        seen.add(value)


def each_once(decks: Decks) -> Names:
    """`names_of` the decks that a network was trained on, which ranges may name twice."""
    return tuple(dict.fromkeys(_listed(decks)))


def _listed(decks: Decks) -> Names:
    return () if decks is None else tuple(None if deck is None else fspath(deck) for deck in lists.decks_of(decks))


def label(deck: str | None) -> str:
    """The deck's name in results."""
    return lists.SHIPPED if deck is None else deck


def deck_of(names: Names, deal: int) -> dict[str, str | None]:
    """The option `deck` for this deal; empty if the series has no decks of its own."""
    return {"deck": names[place_of(deal, len(names))]} if names else {}


def place_of(deal: Deal, decks: int) -> Deal:
    """The index of the deck of a deal, or of each of an array of deals."""
    return deal % decks


def labels_of(names: Names, deal: int) -> dict[str, str]:
    """The fields of a game's record that name its deck."""
    return {name: label(deck) for name, deck in deck_of(names, deal).items()}


def hashes_of(load: Callable[..., Game], names: Names) -> dict[str, Any]:
    """The fields of settings that hold each deck's hash, by name; empty without decks."""
    return {"decks": {label(deck): load(deck=deck).deck_hash for deck in names}} if names else {}


def measured(decks: Decks) -> list[str]:
    """A network's training decks that are held out for measurement, on which nothing measured may be trained."""
    found = ((deck, GENERATED.match(deck)) for deck in each_once(decks) if deck)
    return [deck for deck, number in found if number and int(number[1]) in MEASURED]


def loader_of(game: Game, names: Names, agents: Iterable[object]) -> Callable[..., Game]:
    """A function that returns the game, or with decks loads it with the option `deck`. agents: agent objects.

    Raises:
        TypeError: the game has a deck of its own, or an agent reads the cards of the game it was made for.
    """
    if not names:
        return partial(_same, game)
    if game.options.get("deck") is not None:
        raise TypeError("decks: the game was loaded with a deck of its own; load it without")
    for agent in agents:
        if reads_cards(agent):
            raise TypeError(
                f"agents: with decks, expected the name of an agent that reads cards, so that it is made for each, "
                f"got {shown(agent)}"
            )
    return partial(load, game.name, **{name: value for name, value in game.options.items() if name != "deck"})


def _same(game: Game) -> Game:
    return game
