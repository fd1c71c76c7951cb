"""Solve the draft: value every pair of cards for every seat, then work out who takes what.

A pair is a part and an employee. Its value is that of the best day found with it. Given these values, the rest of the
draft is a small game without chance, which `chocofactory_env.games.chocofactory.search.draft` solves. It assumes that
every seat values pairs as we do, and maximizes its lead over the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from chocofactory_env import Game
from chocofactory_env.games.chocofactory.vocabulary import (
    NO_EMPLOYEE,
    NO_PART,
    NUM_TILES,
    Draft,
    display_of,
    has_drafted,
    slot_is_free,
)

SLOTS_TRIED = 2  # the best slots of each own part, found without an employee, are tried with every employee
SLOTS_OF_OTHERS = 1
NOBODYS = -1e6  # a pair that is out of a seat's reach


class PairDraft:
    """own, others: the planners (`game.planner`) for the seat's own days and for its opponents' days."""

    def __init__(self, game: Game, own: Any, others: Any) -> None:
        self._game = game
        self._own = own
        self._others = others

    def choose(self, state: Any, player: int) -> tuple[int, int | None]:
        """The card to take now, and its slot if it is a part."""
        values = np.full((self._game.num_players, NO_PART + 1, NO_EMPLOYEE + 1), NOBODYS, np.float32)
        slots: dict[tuple[int, int], int] = {}
        for seat in range(self._game.num_players):
            if seat == player:
                slots = self._write_values(self._own, state, seat, SLOTS_TRIED, values[seat])
            else:
                self._write_values(self._others, state, seat, SLOTS_OF_OTHERS, values[seat])
        found = self._own.solve_draft(state, values)
        encode = self._game.action_layout.encode
        if found.first.employee >= 0:
            return encode("draft_employee", found.first.employee), None
        return encode("draft_part", found.part), slots[found.part, found.employee]

    def worth(self, state: Any, player: int) -> dict[int, float]:
        """The value of the seat's day with each card and its best partner, by action."""
        values = np.full((NO_PART + 1, NO_EMPLOYEE + 1), NOBODYS, np.float32)
        self._write_values(self._own, state, player, SLOTS_TRIED, values)
        encode = self._game.action_layout.encode
        found: dict[int, float] = {}
        parts, employees = display_of(state)
        has_part, has_employee = has_drafted(state, player)
        if not has_part:
            found |= {encode("draft_part", part): float(values[part].max()) for part in parts}
        if not has_employee:
            found |= {encode("draft_employee", one): float(values[:, one].max()) for one in employees}
        return found

    def _write_values(
        self, planner: Any, state: Any, seat: int, slots_tried: int, values: np.ndarray
    ) -> dict[tuple[int, int], int]:
        """Write `values`, (NO_PART + 1, NO_EMPLOYEE + 1). Returns the slot of the part in each pair."""
        has_part, has_employee = has_drafted(state, seat)
        parts, employees = display_of(state)
        hands = [NO_EMPLOYEE] if has_employee else employees
        if has_part:
            for employee in hands:
                values[NO_PART, employee] = planner.value_with(state, seat, with_employee(Draft(), employee))
            return {}
        slots = {}
        free = slots_that_differ(slot_is_free(state, seat))
        for part in parts:
            tried = [Draft(part, slot) for slot in free]
            if not has_employee:
                tried.sort(key=lambda draft: -planner.value_with(state, seat, draft))
                tried = tried[:slots_tried]
            for employee in hands:
                for draft in tried:
                    value = planner.value_with(state, seat, with_employee(draft, employee))
                    if value > values[part, employee]:
                        values[part, employee], slots[part, employee] = value, draft.slot
        return slots


def with_employee(draft: Draft, employee: int) -> Draft:
    return draft if employee == NO_EMPLOYEE else draft._replace(employee=employee)


def slots_that_differ(is_free: Sequence[bool] | np.ndarray) -> list[int]:
    """One free slot per tile, as above and below are equivalent; both if none is free. is_free: (NUM_SLOTS,)."""
    slots: list[int] = []
    for tile in range(NUM_TILES):
        both = (tile, tile + NUM_TILES)
        slots += [slot for slot in both if is_free[slot]][:1] or both
    return slots
