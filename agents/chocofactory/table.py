"""A position as a seat knows it, in plain Python numbers: factory, pieces, orders and stores, for rules of thumb."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from chocofactory_env import Game
from chocofactory_env.games.chocofactory import vocabulary
from chocofactory_env.games.chocofactory.vocabulary import (
    KINDS_OF_SYMBOL,
    NONE,
    NUM_DAYS,
    NUM_SIZES,
    NUM_STORES,
    NUM_TILES,
    SHIFTS,
    UPGRADED_KINDS,
    Effect,
    Function,
    Kind,
    Pattern,
    day_of,
    shift_of,
)

BEAN, COCOA, CHUNKS, FINGERS, CARAMEL, NUTS, BOXED = map(int, Kind)
REFINED: tuple[int, ...] = vocabulary.REFINED
KINDS = range(len(Kind))
TILES = range(NUM_TILES)
LAST_TILE = NUM_TILES - 1
ABOVE_AND_BELOW = tuple((tile, tile + NUM_TILES) for tile in TILES)  # the slots of every tile

# Values in pounds: of a piece by itself, and of a coal.
PIECE_VALUES = (0.6, 0.9, 2.0, 2.0, 3.0, 3.0, 4.2)
COAL = 1.5
SPARE_COAL = 1.0  # on the last day, or with plenty of coal
PLENTY = 8
COPY = 0.6  # value of a copy of a piece, relative to the piece
PAIR = 0.4  # share of the gain of a part that takes two pieces, for each of them
CARRY = 4.0  # gain of a part that carries pieces to other tiles

Symbols = tuple[int, ...]
Kinds = tuple[tuple[Kind, ...], ...]  # of every symbol


class Part:
    """A factory part. options: the symbols that each option takes, and those that it makes."""

    def __init__(self, cost: int, function: int, amount: int, options: Sequence[tuple[Symbols, Symbols]]) -> None:
        self.cost, self.function, self.amount = cost, function, amount
        self.options: list[tuple[Kinds, Kinds]] = [
            (_kinds_of(takes), _kinds_of(makes)) for takes, makes in options if makes
        ]
        # Number and symbol of each option that carries a piece to another tile (MC-2).
        self.carries = [(number, takes[0]) for number, (takes, makes) in enumerate(options) if not makes]

    def products(self, brought: set[int]) -> set[int]:
        """The kinds that it can make from the kinds brought to it."""
        made: set[int] = set()
        for takes, makes in self.options:
            if all(set(symbol) & brought for symbol in takes):
                made |= {kind for symbol in makes for kind in symbol}
        if self.function == Function.UPGRADER:
            made |= {into for kind in brought for into in UPGRADED_KINDS[kind]}
        return made

    @cached_property
    def idle_gain(self) -> float:
        """The gain of a use on its best piece."""
        gains = [one - other for one, other in zip(self.uses(PIECE_VALUES, COAL), PIECE_VALUES, strict=True)]
        return max([*gains, CARRY - self.cost * COAL] if self.carries else gains)

    def uses(self, values: Sequence[float], coal: float) -> list[float]:
        """The value of a piece of each kind on the part's tile with one use of the part; `values`: without it."""
        after = list(values)
        cost = self.cost * coal
        for takes, makes in self.options:
            made = value_of(makes, values) - cost
            if len(takes) == 1:
                for kind in takes[0]:
                    after[kind] = max(after[kind], made)
            else:
                gain = made - sum(min(values[kind] for kind in symbol) for symbol in takes)
                for kind in {kind for symbol in takes for kind in symbol}:
                    after[kind] = max(after[kind], values[kind] + PAIR * gain)
        if self.function == Function.UPGRADER:
            upgraded = list(values)
            for _ in range(self.amount):
                upgraded = [max((upgraded[into] for into in UPGRADED_KINDS[kind]), default=-np.inf) for kind in KINDS]
                after = [max(one, other - cost) for one, other in zip(after, upgraded, strict=True)]
        if self.function == Function.REPEATER:
            after = [max(one, one + self.amount * COPY * one - cost) for one in after]
        return after


NO_PART = Part(0, Function.NOTHING, 0, ())
part_with = lru_cache(maxsize=256)(Part)  # equal parts are one object, so that what is computed from them can be kept


def _kinds_of(symbols: Symbols) -> Kinds:
    return tuple(KINDS_OF_SYMBOL[symbol] for symbol in symbols)


def value_of(symbols: Iterable[tuple[int, ...]], prices: Sequence[float]) -> float:
    """The value of a piece for each symbol, of its best kind."""
    return sum(max(prices[kind] for kind in symbol) for symbol in symbols)


class Rule:
    """A store's rule."""

    def __init__(self, rule: np.void) -> None:
        self.pattern, self.number = int(rule["pattern"]), int(rule["number"])
        by_money = self.pattern == Pattern.DAY_MONEY
        self.per, self.pounds = (0, int(rule["per"])) if by_money else (int(rule["per"]), 0)
        self.accepted = [kind for kind in REFINED if int(rule["kinds"]) >> kind & 1]
        self.spaces: list[int] = rule["spaces"].tolist()
        self.most_of_a_set = int(rule["most_of_a_set"])
        self.by_number: list[int] = rule["by_number"].tolist()
        pieces, firsts = rule["set_pieces"].tolist(), rule["first_of_set"].tolist()
        self.sets = [  # the pieces and the spaces of each set
            ({kind: pieces[kind] for kind in KINDS if firsts[kind] == first}, self.spaces[first])
            for first in sorted(set(firsts) - {NONE})
        ]

    def spaces_of_pieces(self, have: Sequence[int]) -> list[float]:
        """The spaces that one piece of each kind may bring, given the pieces at hand or to come."""
        values = [0.0] * len(KINDS)
        if self.pattern == Pattern.IN_ORDER:
            length = next((place for place, kind in enumerate(self.accepted) if not have[kind]), len(self.accepted))
            for kind in self.accepted[: length + 1]:
                values[kind] = self.by_number[min(length, len(self.by_number) - 1)] / (length + 1)
        elif self.pattern == Pattern.SETS:
            for pieces, spaces in self.sets:
                for kind in pieces:
                    values[kind] = spaces / sum(pieces.values())
        elif any(self.by_number):
            for kind in self.accepted:
                values[kind] = max(spaces / (number + 1) for number, spaces in enumerate(self.by_number))
        elif self.per:
            for kind in self.accepted:
                values[kind] = self.spaces[kind] / self.per
        return values

    def most_spaces(self, room: Sequence[int], earned: int) -> int:
        """Roughly the most spaces that a delivery from the store room can gain."""
        held = [room[kind] for kind in self.accepted]
        if self.pattern == Pattern.DAY_MONEY:
            return earned // self.pounds
        if self.pattern == Pattern.SETS:
            return sum(spaces * self._sets_held(pieces, room) for pieces, spaces in self.sets)
        if self.pattern == Pattern.IN_ORDER:
            held = held[: held.index(0)] if 0 in held else held
            held = [min(number, 1) for number in held]
        pieces = {Pattern.ONE_KIND: max(held, default=0), Pattern.ALL_DIFFERENT: sum(map(bool, held))}.get(
            Pattern(self.pattern), sum(held)
        )
        if any(self.by_number):
            return max(self.by_number[:pieces], default=0)
        if self.pattern == Pattern.OTHER_STORE or not held:
            return 0
        pieces = min(pieces, self.number or pieces)
        return pieces // self.per * max(self.spaces[kind] for kind in self.accepted if room[kind]) if pieces else 0

    def _sets_held(self, pieces: dict[int, int], room: Sequence[int]) -> int:
        held = min(room[kind] // number for kind, number in pieces.items())
        return min(held, self.most_of_a_set) if self.most_of_a_set else held


class Deck:
    """A game's cards by number, read when they are first asked for."""

    def __init__(self, game: Game) -> None:
        self._cards: Any = game.cards.array[0]  # type: ignore[attr-defined]  # of Chocolate Factory
        self._parts: dict[int, Part] = {NONE: NO_PART}
        self._rules: dict[tuple[int, int], Rule] = {}
        self.expanded = bool(self._cards["expanded"])

    def __getitem__(self, table: str) -> np.ndarray:
        """The records of "employees", "orders", "targets" or "demands"."""
        records: np.ndarray = self._cards[table]
        return records

    def part(self, number: int) -> Part:
        if number not in self._parts:
            card = self._cards["parts"][number]
            options = tuple(
                tuple(tuple(option[what][: option[f"num_{what}"]].tolist()) for what in ("takes", "makes"))
                for option in card["options"][: card["num_options"]]
            )
            self._parts[number] = part_with(int(card["cost"]), int(card["function"]), int(card["amount"]), options)
        return self._parts[number]

    def rule(self, store: int, side: int) -> Rule:
        if (store, side) not in self._rules:
            self._rules[store, side] = Rule(self._cards["stores"][store, side])
        return self._rules[store, side]

    def effect(self, employee: int) -> tuple[str, int]:
        """The effect of an employee, and its amount or uses, whichever is more."""
        card = self._cards["employees"][employee]
        return Effect(card["effect"]).name.lower(), int(max(card["amount"], card["uses"]))


class Table:
    """The position. What is somebody's is the seat's own."""

    def __init__(self, state: np.ndarray, seat: int, deck: Deck) -> None:
        self._state, self._deck = state[0], deck
        self._mine = self._state["players"][seat]
        self.day, self.shift = day_of(state), shift_of(state)
        self.solo = bool(self._state["num_players"] == 1)
        self.task: np.void = self._state["task"]  # what is under way
        pieces = self.own("pieces")
        self.belt: list[list[int]] = pieces[:NUM_TILES]
        self.room: list[int] = pieces[NUM_TILES]  # the store room
        self.factory = tuple(map(deck.part, self.own("factory")))
        self.operated, self.tracks = self.own("operated"), self.own("track")
        plenty = self._mine["coal"] >= PLENTY or self.day == NUM_DAYS
        self.coal_price = SPARE_COAL if plenty else COAL  # the value of a coal
        shifts = SHIFTS * (NUM_DAYS - self.day) + max(SHIFTS - self.shift, 0)
        self.last_tile = [min(tile + shifts, LAST_TILE) for tile in TILES]  # that pieces on each tile can still reach

    def __getitem__(self, name: str) -> Any:
        """A field of the position, as plain numbers."""
        return self._state[name].tolist()

    def own(self, name: str) -> Any:
        """A field of the seat, as plain numbers."""
        return self._mine[name].tolist()

    @cached_property
    def open_stages(self) -> list[tuple[int, int, list[int], int]]:
        """(order, stages before it, pieces of all seven kinds, pay) of each open stage."""
        return [
            (order, stage - done, pieces, pay)
            for order, (card, done) in enumerate(zip(self.own("orders"), self.own("stage"), strict=True))
            if card != NONE
            for stage, (pieces, pay) in enumerate(self.stages_of(card))
            if stage >= done
        ]

    def stages_of(self, order: int) -> Iterator[tuple[list[int], int]]:
        """The pieces and the pay of each stage of an order card."""
        card = self._deck["orders"][order]
        stages = card["stages"][: card["num_stages"]]
        return zip(stages["pieces"].tolist(), stages["pay"].tolist(), strict=True)

    @cached_property
    def effect(self) -> str:
        """The effect of today's employee; "" without one."""
        return "" if self._mine["employee"] == NONE else self._deck.effect(self._mine["employee"])[0]

    @cached_property
    def store(self) -> int | None:
        """The store of today's employee, unless it has been supplied."""
        if self._mine["employee"] == NONE:
            return None
        store = int(self._deck["employees"]["store"][self._mine["employee"]])
        return None if store == NONE or self._mine["supplied"][store] else store

    @cached_property
    def rules(self) -> list[Rule]:
        """The stores' rules on the sides in play."""
        return [self._deck.rule(store, side) for store, side in enumerate(self["sides"])]

    # --- the solo game

    @cached_property
    def _manager_cards(self) -> np.ndarray:
        """The Weekly Target and the face-up Demands: their open boxes and chocolate orders."""
        columns = ["open_boxes", "open_steps", "order"]
        demands = self._state["demands"][: self._state["face_up"]]
        target = self._deck["targets"][columns][[self._state["target"]]]
        cards: np.ndarray = np.concatenate([target, self._deck["demands"][columns][demands]])
        return cards

    @cached_property
    def chocolate_orders(self) -> list[np.void]:
        """The chocolate orders that the face-up cards still demand."""
        cards = zip(self._manager_cards["order"], self["delivered"], strict=False)
        return [order for order, delivered in cards if order["number"] and not delivered]

    @cached_property
    def steps_missing(self) -> list[int]:
        """The steps at each store that the face-up cards still demand; open boxes take the fullest tracks."""
        room = (self._mine["track"] - self._state["needed"]["steps"]).tolist()
        cards = self._manager_cards
        boxes = zip(cards["open_boxes"].tolist(), cards["open_steps"].tolist(), strict=True)
        for stores, steps in sorted(boxes, key=lambda box: -box[1]):
            for store in sorted(range(NUM_STORES), key=room.__getitem__, reverse=True)[:stores]:
                room[store] -= steps
        return [max(-left, 0) for left in room]

    @cached_property
    def money_missing(self) -> bool:
        """Whether the money that counts falls short of the money targets."""
        held = int(self._mine["money"]) - (int(self._state["paid"].sum()) if self["only_completed"] else 0)
        return held < int(self._state["needed"]["money"])

    @cached_property
    def sizes_missing(self) -> list[bool]:
        """Whether the cards demand one more completed order, by size."""
        needed = self._state["needed"]["orders"].tolist()
        spare = [done - asked for done, asked in zip(self.own("completed"), needed[:NUM_SIZES], strict=True)]
        any_size = sum(max(0, each) for each in spare) < needed[NUM_SIZES]
        return [each < 0 or any_size for each in spare]
