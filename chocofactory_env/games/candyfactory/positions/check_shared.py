"""Checks of what belongs to no seat: half and step fit the game, and the supply loses and gains nothing."""

from __future__ import annotations

from collections import Counter
from typing import Final

from ....core.positions.reading import Fault, Faults
from ..constants import Variety
from .basis import SPECIALISTS, TEMP, Position

STEPS_OF_HALF: Final = {
    "plantation": ("play", "die", "runner", "direct", "goods", "ability", "hire", "dismiss", "over"),
    "candy": ("load", "play", "die", "runner", "direct", "goods", "ability", "recipe", "over"),
}


def check_time(p: Position) -> Faults:
    """TURN-7, CLOSE-1, CANDY-8, SHORT-1, SHORT-3: half and step exist in this variety."""
    only = {Variety.PLANTATION: "plantation", Variety.CANDY: "candy"}.get(p.variety, p.half)
    if p.half != only:
        yield Fault("half", f"{only!r}, the only one of this game", p.half)
    steps = [step for step in STEPS_OF_HALF[p.half] if is_step_of(p, step)]
    if p.step not in steps:
        yield Fault("step", f"one of {', '.join(steps)}", p.step)
    if (p.mover is None) != (p.step == "over"):
        yield Fault("current_player", "a seat until the game is over, then null", p.mover)
    first, of_first_half = p.options["start_player"], p.half == first_half(p) and p.step != "dismiss"
    if first is not None and first != p.data["start_player"] and of_first_half:
        yield Fault("start_player", f"{first}, as in the options", p.data["start_player"])


def first_half(p: Position) -> str:
    return "candy" if p.variety == Variety.CANDY else "plantation"


def is_step_of(p: Position, step: str) -> bool:
    """TRANS-3, SHORT-5: only the full game has a dismissal, and only the candy factory alone a loading."""
    only = {"dismiss": (Variety.FULL,), "load": (Variety.CANDY,)}
    if step == "over":
        return p.variety == Variety.PLANTATION or p.half == "candy"
    return p.variety in only.get(step, tuple(Variety))


def check_workers(p: Position) -> Faults:
    """START-2: no more workers are on the board than there are."""
    if len(p.data["board"]) > p.deck.pawns:
        yield Fault("board", f"at most {p.deck.pawns} workers", p.data["board"])


def check_supply(p: Position) -> Faults:
    """START-2, ABIL-5, COIN-1: the supply holds everything that nobody has."""
    coins = sum(player["coins"] + player["whistle"] for player in p.players)
    for pile, there, taken in (
        ("sugar", int(p.deck.sugar), p.goods("sugar")),
        ("cacao", int(p.deck.cacao), p.goods("cacao", "chocolate")),
        ("coins", int(p.deck.coins), coins),
    ):
        if p.data["supply"][pile] != there - taken:
            expected = f"{there - taken}, since there are {there} and players have {taken}"
            yield Fault(f"supply.{pile}", expected, p.data["supply"][pile])


def check_recipes(p: Position) -> Faults:
    """START-7, SHORT-2, CANDY-1: as many recipes as the number of players asks for; missing tokens are candies."""
    recipes = p.data["recipes"]
    number = 0 if p.variety == Variety.PLANTATION else int(p.deck.open_recipes[len(p.players)])
    if len(recipes) != number:
        yield Fault("recipes", f"{number} recipes", list(recipes))
    for name, tokens in recipes.items():
        there = int(p.deck.recipes[p.cards.recipes.index(name)].tokens)
        made = p.goods(f"plain {name}", f"decorated {name}")
        if tokens != there - made:
            expected = f"{there - made}, since there are {there} and players have {made}"
            yield Fault(f"recipes.{name}", expected, tokens)


def check_specialists(p: Position) -> Faults:
    """START-2, START-6, TRANS-2: no more of a kind than exist; at the plantation none has left the game."""
    deck = p.data["specialist_deck"]
    cards = Counter(entry["card"] for entry in deck)
    for seat, player in enumerate(p.players):
        cards.update(p.cards_of(seat))
        cards.update(player["played"])
    complete = p.half == "plantation" and p.step != "dismiss"
    if not complete and deck:
        yield Fault("specialist_deck", "[] after the plantation", [entry["card"] for entry in deck])
    for specialist, made in zip(SPECIALISTS[1:], p.deck.specialists.tolist()[1:], strict=True):
        if cards[specialist] > made or (complete and cards[specialist] < made):
            most = f"{made}" if complete else f"at most {made}"
            yield Fault("specialist_deck", f"{most} {specialist} in it and with players", cards[specialist])


def check_knowledge(p: Position) -> Faults:
    """OPEN-4: at most one seat knows a card, the one that looked at it last."""
    for place, entry in enumerate(p.data["specialist_deck"]):
        if len(entry["known_to"]) > 1:
            yield Fault(f"specialist_deck[{place}].known_to", "one seat at most", entry["known_to"])
        if entry["card"] == TEMP:
            yield Fault(f"specialist_deck[{place}].card", "a specialist other than the temp", entry["card"])
