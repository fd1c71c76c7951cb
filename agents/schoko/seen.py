"""A seat's observation in whole numbers and in the rulebook's words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from chocofactory_env.games.schoko.vocabulary import MOST_SHOWN, Event, Task

from ..protocol import Observation


class Seen:
    """A seat's view. Seats are numbered clockwise from the observer.

    highs: the number that a scaled 1 stands for, by block. loan: what one brings, in thousands.
    """

    def __init__(self, observation: Observation, highs: Mapping[str, int], loan: int) -> None:
        self._observation = observation
        self._highs = highs
        self._loan = loan

    def __getitem__(self, name: str) -> np.ndarray:
        """A block, as integers."""
        numbers: np.ndarray = np.rint(self._observation[name] * self._highs[name]).astype(int)
        return numbers

    @cached_property
    def task(self) -> Task:
        return Task(int(self["task"].argmax()))

    @cached_property
    def months_left(self) -> int:
        """Months after this one."""
        return int(self["months"][0] - self["month"][0])

    @cached_property
    def staff(self) -> np.ndarray:
        """(P, 4)"""
        return self["staff"]

    @cached_property
    def at_work(self) -> np.ndarray:
        """(P, 4)"""
        there: np.ndarray = self.staff - self["absent"]
        return there

    @cached_property
    def cash(self) -> list[int]:
        """Cash of each seat; above 250 in steps of ten."""
        return [int(low if low < MOST_SHOWN else max(low, 10 * tens)) for low, tens in self["cash"]]

    @cached_property
    def wealth(self) -> list[int]:
        """Wealth of each seat: cash, shares, and money on contracts, less loans."""
        shares, loans = self["shares"], self["loans"]
        bands = self["contracts"][:, :, 1].sum(axis=1)
        price = int(self["share_price"][0])
        return [
            cash + int(own * price + money - self._loan * debt)
            for cash, own, money, debt in zip(self.cash, shares, bands, loans, strict=True)
        ]

    @cached_property
    def open_contracts(self) -> int:
        return int(self["contract_counts"][0, 0])

    @cached_property
    def booked_contracts(self) -> int:
        """Contracts at the bookkeepers."""
        return int(self["contract_counts"][0, 1])

    @cached_property
    def chocolate(self) -> np.ndarray:
        """(P,)"""
        return self["chocolate"]

    @cached_property
    def cocoa(self) -> np.ndarray:
        """(P,)"""
        return self["cocoa"]

    def in_force(self, event: Event) -> bool:
        return bool(self["event_in_force"][event])

    @cached_property
    def held_up(self) -> bool:
        """Whether an event holds up this month's production."""
        return self.in_force(Event.NO_COCOA) or self.in_force(Event.SLOW_WORK)

    @cached_property
    def eligible(self) -> np.ndarray:
        """(P,): the seats that can take the contract on offer, or could if present."""
        can_come = (self["markers"] > 0) | (self["present"] > 0)
        eligible: np.ndarray = can_come & (self.chocolate >= self["offer"][0])
        return eligible
