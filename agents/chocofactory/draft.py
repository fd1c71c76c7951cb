"""Solve the draft: value every pair of cards for every seat, then work out who takes what.

A pair is a part and an employee. Its value is that of the best day found with it. Given these values, the rest of the
draft is a small game without chance, which `chocofactory_env.games.chocofactory.search.draft` solves. It assumes that
every seat values pairs as we do, and maximizes its lead over the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from chocofactory_env import Game
from chocofactory_env.games.chocofactory.vocabulary import (
    NO_EMPLOYEE,
    NO_PART,
    NONE,
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

    def choose(self, state: Any, player: int, liking: np.ndarray | float = 0.0) -> Draft:
        """The card to take now.

        liking: (NO_PART + 1, NO_EMPLOYEE + 1), pounds to add to the value of each pair for the seat itself.
        """
        values = np.full((self._game.num_players, NO_PART + 1, NO_EMPLOYEE + 1), NOBODYS, np.float32)
        slots: dict[tuple[int, int], int] = {}
        for seat in range(self._game.num_players):
            if seat == player:
                slots = self._write_values(self._own, state, seat, SLOTS_TRIED, values[seat])
                values[seat] += liking
            else:
                self._write_values(self._others, state, seat, SLOTS_OF_OTHERS, values[seat])
        found = self._own.solve_draft(state, values)
        if found.first.employee != NONE:
            return Draft(employee=found.first.employee)
        return Draft(found.part, slots[found.part, found.employee])

    def worth(self, state: Any, player: int, liking: np.ndarray | float = 0.0) -> dict[int, float]:
        """The value of the seat's day with each card and its best partner, by action. liking: see `choose`."""
        values = np.full((NO_PART + 1, NO_EMPLOYEE + 1), NOBODYS, np.float32)
        self._write_values(self._own, state, player, SLOTS_TRIED, values)
        values += liking
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
        slots = {}
        tried = drafts_tried(planner, state, seat, slots_tried)
        for draft, value in zip(tried, planner.values_with(state, seat, tried), strict=True):
            pair = draft.part % (NO_PART + 1), draft.employee % (NO_EMPLOYEE + 1)  # NONE becomes the last of each
            if value > values[pair]:
                values[pair], slots[pair] = value, draft.slot
        return slots


def drafts_tried(planner: Any, state: Any, seat: int, slots_tried: int) -> list[Draft]:
    """The pairs that the seat can still draft, with the best slots of each part, found without an employee."""
    has_part, has_employee = has_drafted(state, seat)
    parts, employees = display_of(state)
    hands = [NONE] if has_employee else employees
    if has_part:
        return [Draft(employee=employee) for employee in hands]
    slots = slots_that_differ(slot_is_free(state, seat))
    tried = []
    for part in parts:
        placed = [Draft(part, slot) for slot in slots]
        if not has_employee:
            worth = dict(zip(placed, planner.values_with(state, seat, placed), strict=True))
            placed = sorted(placed, key=worth.__getitem__, reverse=True)[:slots_tried]
        tried += [draft._replace(employee=employee) for employee in hands for draft in placed]
    return tried


def last_draft(planner: Callable[[int], Any], widths: Iterable[int], state: Any, seat: int, won: float) -> Draft:
    """The solo game's last draft: cards with which a day is found that wins, else those of the best day found.

    With every further width, the better half of the drafts is tried again (successive halving): a day that seems lost
    may have been planned too narrowly, and one that wins is as good as any other.

    planner: makes the planner of a width. widths: one or more. won: the least value of a day that wins.
    """
    drafts: list[Draft] = []
    for width in widths:
        plans = planner(width)
        drafts = drafts[: (len(drafts) + 1) // 2] or drafts_tried(plans, state, seat, NUM_TILES)
        worth = dict(zip(drafts, plans.values_with(state, seat, drafts), strict=True))
        drafts.sort(key=worth.__getitem__, reverse=True)
        if worth[drafts[0]] >= won:
            break
    return drafts[0]


def slots_that_differ(is_free: Sequence[bool] | np.ndarray) -> list[int]:
    """One free slot per tile, as above and below are equivalent; both if none is free. is_free: (NUM_SLOTS,)."""
    slots: list[int] = []
    for tile in range(NUM_TILES):
        both = (tile, tile + NUM_TILES)
        slots += [slot for slot in both if is_free[slot]][:1] or both
    return slots
