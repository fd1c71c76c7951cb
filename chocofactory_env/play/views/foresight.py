"""What a move would change, before it is made: as far as the seat can know it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from ...core.game import Game, State
from ...drawing.names import named
from ...drawing.plain import panels_of
from ...drawing.scene import Panel, Thing

DEALS: Final = (1, 2, 3)  # seeds of what the seat cannot know
MOST: Final = 8  # changes that are told


def changes_of(game: Game, state: State, action: int, seat: int, names: Sequence[str]) -> dict[str, Any]:
    """changes: pairs (before, after) of names of things, "" for what was not there or is not there any more.

    Only what changes in every deal of what the seat cannot know: chance, and the cards of others, are not foretold.
    open: whether some of it depends on them.
    """
    found = [dict.fromkeys(_changes(game, game.redeal(state, seat, seed), action, seat)) for seed in DEALS]
    sure = [change for change in found[0] if all(change in other for other in found)]
    told = [[named(words, names) for words in change] for change in sure[:MOST]]
    return {"changes": told, "open": any(len(one) > len(sure) for one in found)}


def _changes(game: Game, state: State, action: int, seat: int) -> Iterator[tuple[str, str]]:
    """Names of things in panels that tell what is (`Panel.note`: what is asked, or a summary)."""
    before = _places(panels_of(game, state, seat).panels)
    game.apply(state, action)
    after = _places(panels_of(game, state, seat).panels)
    for place in [*before, *(place for place in after if place not in before)]:
        was, now = before.get(place, ""), after.get(place, "")
        if was != now and was not in after.values() and now not in before.values():
            yield was, now


def _places(panels: Sequence[Panel]) -> dict[tuple[object, ...], str]:
    """Names of things by where they lie: the owner or name of the panel, and the place in it."""
    return {
        (panel.role, panel.owner, thing.x, thing.y, thing.width, thing.height): _name(thing)
        for panel in panels
        if not panel.note and panel.role in ("own", "rival", "shared")
        for thing in panel.things
        if not thing.note
    }


def _name(thing: Thing) -> str:
    """Without what pointing at it does."""
    return thing.name.rpartition(" (")[0] if thing.action is not None and thing.name.endswith(")") else thing.name
