"""A move as one line of the log, as a viewer may know it."""

from __future__ import annotations

import numpy as np

from ....core.text.words import counted
from ..actions import ACTIONS
from ..cards import Cards
from ..constants import FIRST_HIRED, MOST_TURN, NUM_SPACES, SPECIALIST_CARDS, Kind, Step, Way
from .marks import card_name, specialist_name
from .seen import Seen, see, way_found


def move_in_words(state: np.ndarray, cards: Cards, action: int, viewer: int | None) -> str:
    """Word a legal action, before it is carried out. ABIL-14: only the seat that hires learns whom."""
    seen = see(state, cards, viewer, (), ((), ()))
    verb, argument = ACTIONS.decode(action)
    if verb in ("bring", "ship"):
        words = _went(state, cards, Way[verb.upper()], argument)
    elif verb in _SAID:
        words = _SAID[verb].format(
            space=argument + 1,
            die=seen.die,
            good=seen.kinds[argument] if verb == "sell" else "",
            candy=seen.kinds[Kind.PLAIN + argument] if verb in ("make", "decorate") else "",
            cards=counted(seen.looks_at, "specialist card"),
        )
    else:
        words = _BY_VERB[verb](seen, argument)
    return f"Player {seen.current} {words}"


_SAID = {
    "keep_die": "keeps the die at {die}",
    "roll_die": "rolls the die",
    "add_worker": "pays 1 coin for a shift change: a worker comes to space {space}",
    "remove_worker": "pays 1 coin for a shift change: the worker of space {space} leaves",
    "mix": "mixes 1 sugar and 1 cacao to 1 chocolate",
    "sell": "sells 1 {good}",
    "recruit": "pays 1 coin and looks at {cards}",
    "make": "makes {candy}",
    "decorate": "decorates 1 {candy}",
    "decorate_all": "pays 1 coin and decorates all candy",
}


def _played(seen: Seen, card: int) -> str:
    return f"plays {'' if card < SPECIALIST_CARDS else 'the '}{card_name(seen.cards, card)}"


def _turned(seen: Seen, place: int) -> str:
    steps = place - MOST_TURN
    face = (seen.die - 1 + steps) % NUM_SPACES + 1
    return f"turns the die to {face}" if steps else f"leaves the die at {face}"


def _went(state: np.ndarray, cards: Cards, way: Way, counter: int) -> str:
    space, capacity = way_found(state, cards, way, counter)
    what = "brings goods: worker to" if way == Way.BRING else "ships goods: worker of"
    round_ = ", counter-clockwise" if counter else ""
    return f"{what} space {space}{round_}, capacity {capacity}"


def _accessed(seen: Seen, truck: int) -> str:
    name = seen.cards.names[seen.cards.trucks[truck]]
    if seen.step == Step.LOAD:
        return f"loads 1 {'sugar' if seen.turn.to_load[0] else 'chocolate'} into the {name}"
    return f"{'unloads' if seen.turn.way == Way.BRING else 'loads'} the {name}"


def _moved(seen: Seen, kind: int) -> str:
    good = f"1 {seen.kinds[kind]}"
    if seen.from_supply:
        return f"brings {good} from the supply"
    name = seen.cards.names[seen.cards.trucks[seen.turn.truck]]
    return f"brings {good} from the {name}" if seen.turn.way == Way.BRING else f"ships {good} into the {name}"


def _hired(seen: Seen, kind: int) -> str:
    known = seen.viewer == seen.current
    return f"hires {f'the {specialist_name(seen.cards, FIRST_HIRED + kind)}' if known else 'a specialist'}"


def _dismissed(seen: Seen, specialist: int) -> str:
    return f"gives up the {specialist_name(seen.cards, specialist)}"


def _stopped(seen: Seen, _: int) -> str:
    if seen.step == Step.RECIPE:
        return f"stops making {seen.kinds[Kind.PLAIN + seen.turn.recipe]}"
    return "moves no more goods" if seen.step == Step.GOODS else "uses no ability"


_BY_VERB = {
    "play": _played,
    "turn_die": _turned,
    "truck": _accessed,
    "move": _moved,
    "hire": _hired,
    "dismiss": _dismissed,
    "stop": _stopped,
}
