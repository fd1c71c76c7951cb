"""The changes that a move would make, as far as the seat can know them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ...core.game import Game, State
from ...drawing.names import named
from ...drawing.plain import panels_of
from ...drawing.scene import Panel, Thing

DEALS: Final = (1, 2, 3)  # seeds to redeal what the seat cannot know
MOST: Final = 8  # changes shown


def changes_of(game: Game, state: State, action: int, seat: int, names: Sequence[str]) -> dict[str, Any]:
    """changes: pairs (before, after) of names of things; "" before a new thing and after one that is gone.

    Only changes that happen in every redeal count: chance and the cards of others are not foretold. open: whether other
    changes depend on them.
    """
    found = [dict.fromkeys(_changes(game, game.redeal(state, seat, seed), action, seat)) for seed in DEALS]
    sure = [change for change in found[0] if all(change in other for other in found)]
    told = [[named(words, names) for words in change] for change in sure[:MOST]]
    return {"changes": told, "open": any(len(one) > len(sure) for one in found)}


def _changes(game: Game, state: State, action: int, seat: int) -> list[tuple[str, str]]:
    """Pairs of names of things, without notes (`Panel.note`: a question or a summary).

    A name that is among the same player's things before and after is no change: the thing only moved.
    """
    before = _places(panels_of(game, state, seat).panels)
    game.apply(state, action)
    after = _places(panels_of(game, state, seat).panels)
    had, has = _names(before), _names(after)
    changes = []
    for place in [*before, *(place for place in after if place not in before)]:
        was, now = before.get(place, ""), after.get(place, "")
        if was != now and (place[:2], was) not in has and (place[:2], now) not in had:
            changes.append((was, now))
    told = [change for change in changes if all(change)]
    gone, new = {was for was, _ in told}, {now for _, now in told}  # a row and the thing on it may share a name
    return told + [(was, now) for was, now in changes if not (was and now) and was not in gone and now not in new]


def _names(places: Mapping[tuple[object, ...], str]) -> set[tuple[tuple[object, ...], str]]:
    """Whose things have which names."""
    return {(place[:2], name) for place, name in places.items()}


def _places(panels: Sequence[Panel]) -> dict[tuple[object, ...], str]:
    """Names of things by place: whose panel it is (two values), and the place in it."""
    return {
        (panel.role, panel.owner, thing.x, thing.y, thing.width, thing.height): _name(thing)
        for panel in panels
        if not panel.note and panel.role in ("own", "rival", "shared")
        for thing in panel.things
        if not thing.note
    }


def _name(thing: Thing) -> str:
    """The thing's name, without the effect of clicking it."""
    return thing.name.rpartition(" (")[0] if thing.action is not None and thing.name.endswith(")") else thing.name
