"""Moves as events, as a viewer may know them: in a line of the log, and in that of a turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from ....core.text.events import Event
from ....core.text.words import counted
from ..actions import ACTIONS
from ..cards import Cards
from ..constants import FIRST_HIRED, MOST_TURN, NUM_SPACES, SPECIALIST_CARDS, Kind, Step, Way
from .marks import card_name, specialist_name
from .seen import Seen


def event_of(state: np.ndarray, cards: Cards, action: int, viewer: int | None) -> Event:
    """Tell a legal action, before it is carried out. ABIL-14: only the seat that hires learns whom."""
    verb, argument = ACTIONS.decode(action)
    return _BY_VERB[verb](Seen(state.view(np.recarray)[0], cards, viewer), argument)


def _played(seen: Seen, card: int) -> Event:
    name = card_name(seen.cards, card)
    return Event(f"plays {'' if card < SPECIALIST_CARDS else 'the '}{name}", "played", name)


def _turned(seen: Seen, place: int) -> Event:
    steps = place - MOST_TURN
    face = (int(seen.record.die) - 1 + steps) % NUM_SPACES + 1
    return Event(f"turns the die to {face}" if steps else f"leaves the die at {face}")


def _shifted(words: str) -> Callable[[Seen, int], Event]:
    return lambda _, space: Event(f"pays 1 coin for a shift change: {words.format(space + 1)}", "called a shift change")


def _went(way: Way, words: str) -> Callable[[Seen, int], Event]:
    def tell(seen: Seen, counter: int) -> Event:
        space, capacity = seen.way_found(way, counter)
        return Event(f"{words} space {space}{', counter-clockwise' if counter else ''}, capacity {capacity}")

    return tell


def _accessed(seen: Seen, truck: int) -> Event:
    name = seen.cards.names[seen.cards.trucks[truck]]
    if seen.step == Step.LOAD:
        return Event(f"loads 1 {'sugar' if seen.turn.to_load[0] else 'chocolate'} into the {name}")
    return Event(f"{'unloads' if seen.turn.way == Way.BRING else 'loads'} the {name}")


def _moved(seen: Seen, kind: int) -> Event:
    brings, good = seen.turn.way == Way.BRING, seen.kinds[kind]
    there = "the supply" if seen.from_supply else f"the {seen.cards.names[seen.cards.trucks[seen.turn.truck]]}"
    words = f"brings 1 {good} from {there}" if brings else f"ships 1 {good} into {there}"
    return Event(words, "brought" if brings else "shipped", good, 1)


def _sold(seen: Seen, kind: int) -> Event:
    return Event(f"sells 1 {seen.kinds[kind]}", "sold", seen.kinds[kind], 1)


def _made(seen: Seen, place: int) -> Event:
    candy, recipe = seen.kinds[Kind.PLAIN + place], seen.cards.record.recipes[seen.recipes[place]]
    return Event(f"makes {candy}", "made", candy, int(recipe.candies))


def _decorated(seen: Seen, place: int) -> Event:
    candy = seen.kinds[Kind.PLAIN + place]
    return Event(f"decorates 1 {candy}", "decorated", candy, 1)


def _hired(seen: Seen, kind: int) -> Event:
    name = specialist_name(seen.cards, FIRST_HIRED + kind)
    one = f"the {name}" if seen.is_mover else "a specialist"
    return Event(f"hires {one}", "hired", one)


def _dismissed(seen: Seen, specialist: int) -> Event:
    name = specialist_name(seen.cards, specialist)
    return Event(f"gives up the {name}", "gave up", name)


def _stopped(seen: Seen, _: int) -> Event:
    if seen.step == Step.RECIPE:
        return Event(f"stops making {seen.kinds[Kind.PLAIN + seen.turn.recipe]}")
    return Event("moves no more goods" if seen.step == Step.GOODS else "uses no ability")


_BY_VERB: Final[dict[str, Callable[[Seen, int], Event]]] = {
    "play": _played,
    "keep_die": lambda seen, _: Event(f"keeps the die at {seen.record.die}"),
    "roll_die": lambda *_: Event("rolls the die"),
    "turn_die": _turned,
    "add_worker": _shifted("a worker comes to space {}"),
    "remove_worker": _shifted("the worker of space {} leaves"),
    "bring": _went(Way.BRING, "brings goods: worker to"),
    "ship": _went(Way.SHIP, "ships goods: worker of"),
    "truck": _accessed,
    "move": _moved,
    "mix": lambda *_: Event("mixes 1 sugar and 1 cacao to 1 chocolate", "mixed", "chocolate", 1),
    "sell": _sold,
    "make": _made,
    "decorate": _decorated,
    "decorate_all": lambda *_: Event("pays 1 coin and decorates all candy", "decorated", "all candy"),
    "recruit": lambda seen, _: Event(f"pays 1 coin and looks at {counted(seen.looks_at, 'specialist card')}"),
    "hire": _hired,
    "dismiss": _dismissed,
    "stop": _stopped,
}
