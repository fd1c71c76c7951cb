"""Checks of the turn under way, of a loading (SHORT-5) and of a dismissal (TRANS-3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ....core.positions.reading import Fault, Faults, difference
from ..constants import NUM_SPACES, Ability, Half, Specialist
from .basis import CARDS, NUMBERS, PILES, SPECIALISTS, Position

Turn = Mapping[str, Any]

NOTHING: Final[Turn] = {
    "card": None,
    "number": None,
    "way": None,
    "counter_clockwise": False,
    "space": None,
    "left": 0,
    "truck": None,
    "last": None,
    "space_ability": False,
    "machinist": False,
    "recipe": None,
    "uses": 0,
    "recruited": False,
    "to_load": {"sugar": 0, "chocolate": 0},
    "surplus": 0,
}
# Fields that may be settled at each step; all others are as in NOTHING.
SETTLED: Final[Mapping[str, tuple[str, ...]]] = {
    "load": ("to_load", "truck"),
    "die": ("card",),
    "runner": ("card",),
    "direct": ("card", "number"),
    "goods": (
        *("card", "number", "way", "counter_clockwise", "space", "left", "truck", "last"),
        *("space_ability", "machinist", "recruited"),
    ),
    "ability": (
        *("card", "number", "way", "counter_clockwise", "space", "left"),
        *("space_ability", "machinist", "recruited"),
    ),
    "recipe": (
        *("card", "number", "way", "counter_clockwise", "space", "left"),
        *("space_ability", "machinist", "recipe", "uses"),
    ),
    "hire": ("card", "number", "way", "counter_clockwise", "space", "left", "machinist", "recruited"),
    "dismiss": ("card", "surplus"),
}
WITH_A_WAY: Final = ("goods", "ability", "recipe", "hire")
LIFT, SORTER, RUNNER, TRUCKER, MACHINIST = (
    SPECIALISTS[card]
    for card in (
        Specialist.LIFT_OPERATOR, Specialist.SORTER, Specialist.RUNNER, Specialist.TRUCKER, Specialist.MACHINIST
    )
)  # fmt: skip


def check_settled(p: Position) -> Faults:
    """Nothing is settled ahead of its step."""
    if p.turn is None:
        return
    for field, nothing in NOTHING.items():
        if field not in SETTLED[p.step]:
            fault = difference(p.turn[field], nothing, f"turn.{field}")
            if fault:
                yield fault


def check_card(p: Position) -> Faults:
    """TURN-2, TURN-8, SPEC-5: the card in play; a specialist card is among the played ones already."""
    if p.turn is None or not p.in_turn:
        return
    card, specialists = p.turn["card"], SPECIALISTS
    allowed = {"die": specialists, "runner": [RUNNER]}.get(p.step, CARDS)
    if card not in allowed:
        yield Fault("turn.card", f"one of {', '.join(allowed)}", card)
    elif card in SPECIALISTS and card not in p.players[p.mover or 0]["played"]:
        yield Fault(f"players[{p.mover}].played", f"{card!r}, which is in play", p.players[p.mover or 0]["played"])


def check_number(p: Position) -> Faults:
    """TURN-2, TURN-3: the number printed, or the face of the die."""
    if p.turn is None or "number" not in SETTLED[p.step]:
        return
    number = int(p.turn["card"]) if p.turn["card"] in NUMBERS else p.data["die"]
    if p.turn["number"] != number:
        yield Fault("turn.number", f"{number}, of the card or the die", p.turn["number"])


def tried_spaces(turn: Turn) -> list[int]:
    """TO-1, FROM-1, SPEC-4: the spaces of the search, 1 to 8, ending with the one found."""
    step = -1 if turn["counter_clockwise"] else 1
    tries = (turn["space"] - turn["number"]) * step % NUM_SPACES + 1
    return [(turn["number"] - 1 + step * tried) % NUM_SPACES + 1 for tried in range(tries)]


def check_search(p: Position) -> Faults:
    """TO-1, FROM-1, FROM-6, SPEC-4: the search ended on the space; a worker stands there until it is shipped from."""
    if p.turn is None or p.step not in WITH_A_WAY:
        return
    for field in ("way", "space"):
        if p.turn[field] is None:
            yield Fault(f"turn.{field}", "not null here", None)
    if p.turn["counter_clockwise"] and p.turn["card"] != SORTER:
        yield Fault("turn.counter_clockwise", "false without a Sorter", True)
    tried, board = tried_spaces(p.turn), p.data["board"]
    if p.turn["way"] == "bring":
        occupied, empty = tried, []
    elif p.step == "goods":
        occupied, empty = [], tried
    else:
        occupied, empty = tried[-1:], tried[:-1]
    if not set(occupied) <= set(board):
        yield Fault("board", f"workers on {occupied}, after this search", board)
    if set(empty) & set(board):
        yield Fault("board", f"no workers on {empty}, after this search", board)


def capacity(p: Position, turn: Turn) -> int:
    """TO-2, FROM-2, SPEC-3"""
    return len(tried_spaces(turn)) + (int(p.deck.lift) if turn["card"] == LIFT else 0)


def check_left(p: Position) -> Faults:
    """TO-8, FROM-6: goods use up the capacity, before the ability when bringing and after it when shipping."""
    if p.turn is None or p.step not in WITH_A_WAY:
        return
    most = capacity(p, p.turn)
    if p.step == "goods":
        low, high = 1, most
    elif p.turn["way"] == "bring":
        low, high = 0, 0
    else:
        low, high = most, most
    if not low <= p.turn["left"] <= high:
        yield Fault("turn.left", f"{low} to {high} here", p.turn["left"])


def check_goods(p: Position) -> Faults:
    """TO-4, TO-5, FROM-4, ROOM-3, SPEC-6: the goods moved so far, and the truck accessed."""
    if p.turn is None or p.step != "goods" or p.mover is None:
        return
    truck, last, moved = p.turn["truck"], p.turn["last"], capacity(p, p.turn) - p.turn["left"]
    player, bring = p.players[p.mover], p.turn["way"] == "bring"
    if p.half == "plantation" and bring:
        if truck is not None:
            yield Fault("turn.truck", "null, since goods come from the supply", truck)
        kinds = PILES[:2]
    else:
        kinds = () if truck is None else NOT_CACAO
    if last is not None and last not in kinds and not (" " in last and truck is not None):
        yield Fault("turn.last", "null" if not kinds else "a kind that is moved here", last)
    again = p.turn["card"] == TRUCKER and truck
    if (last is None) != (moved == 0) and not (again and last is None):
        yield Fault("turn.last", "null" if moved == 0 else "a kind, since goods were moved", last)
    target = player["warehouse"] if bring or truck is None else player["trucks"][truck]
    if last is not None and last not in target["goods"]:
        yield Fault("turn.last", "a kind that lies where it was moved to", last)
    if truck is not None and last is None and not p.legal_mask().any():
        yield Fault("turn.truck", "a truck with which a good can be moved", truck)


NOT_CACAO: Final = ("sugar", "chocolate")


def ability_of_space(p: Position, turn: Turn) -> int:
    return int(p.deck.abilities[Half[p.half.upper()], turn["space"] - 1])


def open_uses(p: Position, turn: Turn) -> list[tuple[bool, bool]]:
    """ABIL-1, ABIL-2, SPEC-7, SPEC-11: possible pairs (use of the space, use of the Machinist) still to come."""
    machinist = turn["card"] == MACHINIST
    if p.step == "goods":
        return [(True, machinist)] if turn["way"] == "bring" else [(False, False)]
    if p.step == "hire":
        return [(False, machinist)]
    on_machine = ability_of_space(p, turn) == Ability.MACHINE
    if p.step == "ability":
        # At the plantation, and with a machine on the space, the Machinist's use is the last one.
        alone = [(True, False)] if not machinist or (p.half == "candy" and not on_machine) else []
        return alone + ([(True, True), (False, True)] if machinist else [])
    if not machinist:
        return [(False, False)]
    return [(False, True), (False, False)] if on_machine else [(True, False), (False, False)]


def check_uses(p: Position) -> Faults:
    """ABIL-1, SPEC-7"""
    if p.turn is None or p.step not in WITH_A_WAY:
        return
    uses = (p.turn["space_ability"], p.turn["machinist"])
    possible = open_uses(p, p.turn)
    if uses not in possible:
        for at, field in enumerate(("space_ability", "machinist")):
            if uses[at] not in {each[at] for each in possible}:
                yield Fault(f"turn.{field}", f"{not uses[at]} here", uses[at])
        yield Fault("turn.space_ability", "uses of the space and the Machinist that can still be to come", uses[0])


def check_recruited(p: Position) -> Faults:
    """ABIL-8, TURN-5, OPEN-4: recruiting spends the Break Room's use; the seat that hires knows the cards on top."""
    if p.turn is None or p.step not in WITH_A_WAY or p.mover is None:
        return
    here = p.half == "plantation" and ability_of_space(p, p.turn) == Ability.BREAK_ROOM
    if p.step == "hire" and not (here and p.turn["recruited"]):
        yield Fault("turn.recruited", "true, in a Break Room", p.turn["recruited"])
    if p.turn["recruited"] and (not here or p.turn["space_ability"]):
        yield Fault("turn.recruited", "false unless the Break Room was used", True)
    if p.turn["recruited"] and not p.players[p.mover]["hand"] and p.step != "hire":
        yield Fault(f"players[{p.mover}].hand", "the card that was recruited", [])
    if p.step == "hire":
        deck = p.data["specialist_deck"]
        if not deck:
            yield Fault("specialist_deck", "cards to look at", deck)
        for place, entry in enumerate(deck[: int(p.deck.look)]):
            if entry["known_to"] != [p.mover]:
                yield Fault(f"specialist_deck[{place}].known_to", f"[{p.mover}], who looks at it", entry["known_to"])


def check_recipe(p: Position) -> Faults:
    """ABIL-9, CANDY-3, SPEC-7: the machine of the space or of the Machinist makes a recipe, with uses left."""
    if p.turn is None or p.step != "recipe":
        return
    if p.turn["recipe"] is None:
        yield Fault("turn.recipe", "a recipe", None)
        return
    if p.turn["card"] != MACHINIST and ability_of_space(p, p.turn) != Ability.MACHINE:
        yield Fault("turn.space", "a space with the candy machine", p.turn["space"])
    most = int(p.deck.recipes[p.cards.recipes.index(p.turn["recipe"])].uses) - 1
    if not 1 <= p.turn["uses"] <= most:
        yield Fault("turn.uses", f"1 to {most}, since one was made", p.turn["uses"])


# --- loading, and the transition


def seats_from_start(p: Position) -> Iterator[tuple[int, int]]:
    """(seat, its place relative to the mover), clockwise from the start player: negative, 0 at the mover, positive."""
    players, start = len(p.players), p.data["start_player"]
    mover = ((p.mover or 0) - start) % players
    return (((start + place) % players, place - mover) for place in range(players))


def check_load(p: Position) -> Faults:
    """SHORT-5, SHORT-6: seats load one after the other, first sugar, and all that is left fits."""
    if p.turn is None or p.step != "load" or p.mover is None:
        return
    left, truck = p.turn["to_load"], p.turn["truck"]
    sugar, chocolate = p.deck.load.tolist()
    if not (0 < left["sugar"] <= sugar and left["chocolate"] == chocolate) and not (
        left["sugar"] == 0 and 0 < left["chocolate"] <= chocolate
    ):
        yield Fault("turn.to_load", "sugar before chocolate, and no more than is handed out", left)
    for seat, after in seats_from_start(p):
        loaded = {
            "sugar": 0 if after else sugar - left["sugar"],
            "chocolate": 0 if after else chocolate - left["chocolate"],
        }
        if after < 0:
            loaded = {"sugar": sugar, "chocolate": chocolate}
        yield from check_loaded(p, seat, {kind: number for kind, number in loaded.items() if number})
    kind = "sugar" if left["sugar"] else "chocolate"
    begun = left[kind] < (sugar if kind == "sugar" else chocolate)
    trucks = p.players[p.mover]["trucks"]
    if (truck is not None) != begun:
        yield Fault("turn.truck", "the truck loaded last" if begun else "null before the first good of a kind", truck)
    if truck is not None and any(kind in hold["goods"] for hold in trucks[truck + 1 :]):
        yield Fault("turn.truck", f"the last truck with {kind}", truck)
    if truck is not None and kind not in trucks[truck]["goods"]:
        yield Fault("turn.truck", f"a truck with {kind}", truck)
    free = p.state.seats[p.mover].free[1:].tolist()
    if sum(free) < sum(left.values()) or sum(free[truck or 0 :]) < left[kind]:
        yield Fault(f"players[{p.mover}].trucks", "places for what is still to be loaded", free)


def check_loaded(p: Position, seat: int, loaded: Mapping[str, int]) -> Faults:
    """SHORT-3, SHORT-5: the seat has `loaded` in its trucks, and nothing in its warehouse."""
    player = p.players[seat]
    aboard: dict[str, int] = {}
    for truck in player["trucks"]:
        for kind, number in truck["goods"].items():
            aboard[kind] = aboard.get(kind, 0) + number
    if aboard != loaded:
        yield Fault(f"players[{seat}].trucks", f"{dict(loaded)} in them by now", aboard)
    if player["warehouse"]["goods"]:
        yield Fault(f"players[{seat}].warehouse", "nothing before the first turn", player["warehouse"]["goods"])


def surplus_of(p: Position, seat: int) -> int:
    """TRANS-2, ROOM-4: specialist cards beyond the free berths."""
    free, berths = p.state.seats[seat].free.tolist(), p.deck.berths.tolist()
    held = sum(min(one, other) for one, other in zip(free, berths, strict=True))
    return len(p.players[seat]["played"]) - int(held)


def check_dismissal(p: Position) -> Faults:
    """TRANS-1, TRANS-2, TRANS-3: the board is cleared; seats give up their surplus one after the other."""
    if p.turn is None or p.step != "dismiss" or p.mover is None:
        return
    if p.data["board"]:
        yield Fault("board", "[] after the plantation", p.data["board"])
    for seat, after in seats_from_start(p):
        if p.players[seat]["whistle"]:
            yield Fault(f"players[{seat}].whistle", "false after the plantation", True)
        if after < 0 and surplus_of(p, seat) > 0:
            yield Fault(f"players[{seat}].played", "no more cards than free berths", p.players[seat]["played"])
    surplus = surplus_of(p, p.mover)
    if p.turn["surplus"] != surplus or surplus < 1:
        yield Fault("turn.surplus", f"{surplus}, the cards beyond the free berths, and at least 1", p.turn["surplus"])
    card, played = p.turn["card"], p.players[p.mover]["played"]
    if card is not None and card not in SPECIALISTS:
        yield Fault("turn.card", f"null or one of {', '.join(SPECIALISTS)}", card)
    elif card is not None and sum(CARDS.index(other) >= CARDS.index(card) for other in played) < surplus:
        yield Fault("turn.card", f"a card with {surplus} of its kind or later ones left", card)
