"""The draft of a part and an employee as one choice: every pair is judged by the best day found with it.

With its second card a seat takes the best one. Before that a card is worth what it brings together with the best card
of a packet that may be left for the second turn. Who takes which packet is not foreseen: the mean over the packets
counts. A seat that has both turns in a row (DRAFT-3), and one that plays alone, counts on the best of all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from chocofactory_env import Game
from chocofactory_env.games.chocofactory.vocabulary import NUM_TILES, Draft, packets_of, slot_is_free

SLOTS_TRIED = 2  # of each part: those that are best without an employee are tried with every employee

Placed = tuple[int, int]  # a part, by its place on the display, and its slot


class Choice(NamedTuple):
    """action: to take; slot: where the part goes, if it is one."""

    action: int
    slot: int | None


class PairDraft:
    """planner: of the game (`game.planner`); its width is that of all plans of the draft."""

    def __init__(self, game: Game, planner: Any) -> None:
        self._game = game
        self._planner = planner

    def choose(self, state: Any, player: int) -> Choice:
        """What to draft, in a position in which the seat takes a card."""
        verbs = {self._game.decode(action)[0] for action in np.flatnonzero(self._game.legal_mask(state)).tolist()}
        parts, employees = packets_of(state)
        if "draft_part" not in verbs:
            worth = {each: self._value(state, player, Draft(employee=each)) for each in employees}
            return self._employee(max(worth, key=worth.__getitem__))
        placed = self._placed(state, player, parts)
        if "draft_employee" not in verbs:
            return self._part(max(placed, key=placed.__getitem__))
        pairs = {
            (each, employee): self._value(state, player, Draft(*each, employee))
            for each in best_slots(placed)
            for employee in employees
        }
        if self._has_both_turns(state, player):
            parts, employees = dict.fromkeys(parts, 0), dict.fromkeys(employees, 0)
        of_part = {
            each: mean_of_best({employee: pairs[each, employee] for employee in employees}, employees)
            for each in dict.fromkeys(each for each, _ in pairs)
        }
        of_employee = {employee: mean_of_best(best_of_parts(pairs, employee), parts) for employee in employees}
        part, employee = max(of_part, key=of_part.__getitem__), max(of_employee, key=of_employee.__getitem__)
        return self._part(part) if of_part[part] >= of_employee[employee] else self._employee(employee)

    def _placed(self, state: Any, player: int, parts: Mapping[int, int]) -> dict[Placed, float]:
        """The value of every part on every slot that differs, with the employee that the seat has or none."""
        slots = slots_that_differ(slot_is_free(state, player))
        return {(part, slot): self._value(state, player, Draft(part, slot)) for part in parts for slot in slots}

    def _has_both_turns(self, state: Any, player: int) -> bool:
        after = self._game.clone(state)
        action = self._game.action_layout.encode("draft_employee", next(iter(packets_of(state)[1])))
        self._game.apply(after, action)
        return self._game.current_player(after) == player

    def _value(self, state: Any, player: int, draft: Draft) -> float:
        value: float = self._planner.value_with(state, player, draft)
        return value

    def _part(self, placed: Placed) -> Choice:
        return Choice(self._game.action_layout.encode("draft_part", placed[0]), placed[1])

    def _employee(self, employee: int) -> Choice:
        return Choice(self._game.action_layout.encode("draft_employee", employee), None)


def best_slots(placed: Mapping[Placed, float]) -> list[Placed]:
    """Of each part the slots that are worth most."""
    order = sorted(placed, key=placed.__getitem__, reverse=True)
    return [
        each
        for part in dict.fromkeys(part for part, _ in order)
        for each in [one for one in order if one[0] == part][:SLOTS_TRIED]
    ]


def best_of_parts(pairs: Mapping[tuple[Placed, int], float], employee: int) -> dict[int, float]:
    """The value of each part with this employee, on its best slot."""
    best: dict[int, float] = {}
    for ((part, _), other), value in pairs.items():
        if other == employee:
            best[part] = max(value, best.get(part, -np.inf))
    return best


def mean_of_best(values: Mapping[int, float], packets: Mapping[int, int]) -> float:
    """The mean, over the packets, of the best value in each."""
    best: dict[int, float] = {}
    for card, value in values.items():
        best[packets[card]] = max(value, best.get(packets[card], -np.inf))
    return float(np.mean(list(best.values())))


def slots_that_differ(is_free: np.ndarray) -> list[int]:
    """Above and below are alike, so of every tile one free slot, or both where none is free. is_free: (NUM_SLOTS,)."""
    slots: list[int] = []
    for tile in range(NUM_TILES):
        both = (tile, tile + NUM_TILES)
        slots += [slot for slot in both if is_free[slot]][:1] or both
    return slots
