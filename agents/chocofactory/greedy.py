"""A greedy agent: no search, one look at the table, a sensible move in every phase.

Idea: price one more piece of each kind in the store room by the pay of the player's next open stages, the spaces of
today's store, in the solo game the demands of the cards, or else a little by its refinement. A piece on the belt is
worth the best that the parts ahead of it can make of it. Then take the action that gains most for its coal, and draft
the part that adds most to the value of a bean. It sees only the observation. Cost: about 0.2 ms per decision.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache

import numpy as np

from chocofactory_env import Game
from chocofactory_env.games.chocofactory import vocabulary
from chocofactory_env.games.chocofactory.vocabulary import (
    CHOCOLATE_ORDER_ENTRIES,
    EMPLOYEE_ENTRIES,
    EXPANSION_DECK,
    KINDS_OF_SYMBOL,
    MAX_OPTIONS,
    NEW_RULE_ENTRIES,
    NUM_DAYS,
    NUM_SIZES,
    NUM_STORES,
    NUM_TILES,
    OWN_ORDERS,
    PART_ENTRIES,
    RULE_ENTRIES,
    SHIFTS,
    TRACK_END,
    UPGRADED_KINDS,
    Effect,
    Function,
    Kind,
    Pattern,
    Store,
    words_of,
)

from ..protocol import Observation, legal_of
from .draft import slots_that_differ

BEAN, COCOA, CHUNKS, FINGERS, CARAMEL, NUTS, BOXED = map(int, Kind)
REFINED: tuple[int, ...] = vocabulary.REFINED
KINDS = range(len(Kind))
TILES = range(NUM_TILES)
LAST_TILE = NUM_TILES - 1
KIND_WORDS = words_of(Kind)
SYMBOL_KINDS: tuple[tuple[int, ...], ...] = (
    (),
    *KINDS_OF_SYMBOL,
)  # by the number in the observation
ABOVE_AND_BELOW = tuple((tile, tile + NUM_TILES) for tile in range(NUM_TILES))  # the slots of every tile
# Indices of the entries of an employee and of a part.
EFFECTS_OF_EMPLOYEE = [EMPLOYEE_ENTRIES.index(name) for name in words_of(Effect)]
STORES_OF_EMPLOYEE = [EMPLOYEE_ENTRIES.index(name) for name in words_of(Store)]
COST_FUNCTION_AMOUNT = [PART_ENTRIES.index(name) for name in ("cost", "function", "amount")]
TAKES_AND_MAKES = [
    [
        [at for at, name in enumerate(PART_ENTRIES) if name.startswith(f"option {option} {what} ")]
        for what in ("take", "make")
    ]
    for option in range(1, MAX_OPTIONS + 1)
]
FIRST_STAGE = (0, 1, 3)  # by size of an offered order: the index of its first stage among those of all three

SPACES_BY_NUMBER = re.compile(r"spaces for \d+ pieces?")  # entries of the expansion's rules

# Values in pounds: of a piece by itself, of a space on a store's track, of a coal.
PIECE_VALUES = (0.6, 0.9, 2.0, 2.0, 3.0, 3.0, 4.2)
SPACE = 1.8
COAL = 1.5
SPARE_COAL = 1.0  # on the last day, or with plenty of coal
PLENTY = 8
UNWANTED = 0.45  # share of its value that an unwanted piece keeps
LATER_STAGE = 0.7  # discount per stage that must be done first
NEW_STORE = 3.0  # bonus for the first space at a store, towards the prize for variety
COMPLETED = 2.0  # bonus for a completed order, towards the prize for most orders
WORK_A_DAY = 8.0  # value of the pieces that a day can bring for one order
AT_HAND = 0.5  # share of the work saved by pieces at hand
NOT_YET = 0.5  # share of a delivery that counts while none of its pieces are there
COPY = 0.6  # value of a copy of a piece, relative to the piece
PAIR = 0.4  # share of the gain of a part that takes two pieces, for each of them
IDLE = 0.1  # share of a part's gain on pieces that do not reach it yet
MORE = 0.3  # share of an effect added by a second use or a greater amount
CARRY = 4.0  # gain of a part that carries pieces to other tiles
MONEY_A_DAY = 12.0  # expected pay of a day's orders
BEANS = 2.0  # beans through the factory on a day, to weigh a part, which stays, against an employee, who goes
# The solo game.
ASKED_STEP = 5.0  # a space that the face-up cards demand
ASKED_PIECE = 6.0  # a piece for a chocolate order
ASKED_ORDER = 2.5  # weight of the pay of an order that the cards demand ...
SPARE_ORDER = 0.5  # ... and of any other order, once there is enough money
SPARE_STEP = 1.2  # a space that the cards may demand later ...
SPARE_SPACES = 3  # ... up to this one
EFFECTS = {
    "double_supply": 3.0,
    "move_piece": 1.0,
    "stage_pay": 1.5,
    "skip_stage": 0.5,
    "upgrade_piece": 1.2,
    "half_cost": 2.0,
    "any_pieces": 2.0,
    "fewer_pieces": 2.5,
    "more_shifts": 3.5,
    "more_beans": 1.5,
    "other_store": 3.0,
    "double_tile": 4.0,
    "reach": 1.0,
}
ALONE = {"stage_pay": 1.5, "more_beans": 3.5, "upgrade_piece": 1.3}  # the same for an employee without a store


class SeenTable:
    """The observation in integers, read lazily."""

    def __init__(self, observation: Observation, highs: dict[str, int]) -> None:
        self._observation = observation
        self._highs = highs
        self.solo = "steps_needed" in highs
        self.expanded = "new_rules" in highs
        self.only_completed = "order_paid" in highs

    def __getitem__(self, name: str) -> np.ndarray:
        whole: np.ndarray = np.rint(self._observation[name] * self._highs[name]).astype(np.int64)
        return whole

    def one(self, name: str) -> int:
        return int(self[name].flat[0])

    @cached_property
    def belt(self) -> list[list[int]]:
        """Pieces on the player's own tiles."""
        return self["belts"][0].tolist()  # type: ignore[no-any-return]

    @cached_property
    def room(self) -> list[int]:
        """Pieces in the player's own store room."""
        return self["store_rooms"][0].tolist()  # type: ignore[no-any-return]

    @cached_property
    def factory(self) -> tuple[Part, ...]:
        return tuple(part_of(tuple(row)) for row in self["factories"][0].tolist())

    @cached_property
    def coal_price(self) -> float:
        """The value of a coal: low with plenty of coal or on the last day."""
        plenty = self["coal"][0] >= PLENTY or self.one("day") == NUM_DAYS
        return SPARE_COAL if plenty else COAL

    @cached_property
    def operated(self) -> list[int]:
        return self["operated"].tolist()  # type: ignore[no-any-return]

    @cached_property
    def last_tile(self) -> list[int]:
        """The last tile that pieces on each tile can still reach."""
        shifts = SHIFTS * (NUM_DAYS - self.one("day")) + max(SHIFTS - self.one("shift"), 0)
        return [min(tile + shifts, LAST_TILE) for tile in range(NUM_TILES)]

    @cached_property
    def open_stages(self) -> list[tuple[int, int, list[int], int]]:
        """(order, stages before it, pieces of all seven kinds, pay) of each open stage."""
        pieces, pay, done = self["orders"][0].tolist(), self["order_pay"][0].tolist(), self["order_stage"][0].tolist()
        return [
            (order, stage - done[order], [0, 0, *wanted], pay[order][stage])
            for order, stages in enumerate(pieces)
            for stage, wanted in enumerate(stages)
            if stage >= done[order] and sum(wanted) > 0
        ]

    @cached_property
    def store(self) -> int | None:
        """The store of today's employee, unless it has been supplied."""
        stores = np.flatnonzero(self["employees"][0][STORES_OF_EMPLOYEE])
        if not len(stores) or self["supplied"][0][stores[0]]:
            return None
        return int(stores[0])

    @cached_property
    def rules(self) -> list[Rule]:
        """The stores' rules on the sides in play."""
        new = self["new_rules"].tolist() if self.expanded else [()] * NUM_STORES
        return [Rule(row, more) for row, more in zip(self["store_rules"].tolist(), new, strict=True)]

    @cached_property
    def steps_missing(self) -> list[int]:
        """Solo: the steps at each store that the face-up cards still demand; open boxes take the fullest tracks."""
        room = (self["tracks"][0] - self["steps_needed"]).tolist()
        for stores, steps in sorted(self["open_boxes"].tolist(), key=lambda box: -box[1]):
            for store in sorted(range(NUM_STORES), key=room.__getitem__, reverse=True)[:stores]:
                room[store] -= steps
        return [max(-left, 0) for left in room]

    @cached_property
    def money(self) -> int:
        """Solo: the pounds that count towards money targets."""
        return self.one("money") - (int(self["order_paid"].sum()) if self.only_completed else 0)

    @cached_property
    def sizes_missing(self) -> list[bool]:
        """Solo: whether the cards demand one more completed order, by size."""
        spare = self["completed"][0] - self["orders_needed"][:NUM_SIZES]
        any_size = int(spare.clip(min=0).sum()) < self["orders_needed"][NUM_SIZES]
        return [bool(left < 0) or any_size for left in spare.tolist()]


class Rule:
    """A store's rule in the observation. more: the entries of the expansion's rules, () without it."""

    def __init__(self, row: Sequence[int], more: Sequence[int]) -> None:
        rule = dict(zip(RULE_ENTRIES, row, strict=True))
        self.pattern, self.number, self.per = rule["pattern + 1"] - 1, rule["number"], rule["per"]
        self.accepted = [kind for kind in REFINED if rule[KIND_WORDS[kind]]]
        bars, wrapped, boxed = (rule[f"spaces for {kinds}"] for kinds in ("bars", "wrapped", "boxed"))
        self.spaces = dict(zip(REFINED, (bars, bars, wrapped, wrapped, boxed), strict=True))
        self.sets: list[tuple[dict[int, int], int]] = []  # the pieces and the spaces of each set
        self.most_of_a_set, self.pounds, self.by_number = 0, 0, [0]
        if more:
            self._read_more(dict(zip(NEW_RULE_ENTRIES, more, strict=True)))

    def _read_more(self, rule: Mapping[str, int]) -> None:
        """Read the expansion's entries: sets of pieces, spaces by number of pieces, pounds per space."""
        self.most_of_a_set, self.pounds = rule["most of a set"], rule["pounds for a space"]
        self.by_number = [spaces for name, spaces in rule.items() if SPACES_BY_NUMBER.fullmatch(name)]
        spaces_of = {**self.spaces, FINGERS: rule["spaces for fingers"], NUTS: rule["spaces for nuts"]}
        set_of = {kind: rule[f"set of {KIND_WORDS[kind]}"] for kind in REFINED}
        for number in range(1, max(set_of.values()) + 1):
            kinds = [kind for kind in REFINED if set_of[kind] == number]
            pieces = {kind: rule[f"{KIND_WORDS[kind]} in its set"] for kind in kinds}
            self.sets.append((pieces, spaces_of[kinds[0]]))

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


class Part:
    """A factory part in the observation."""

    def __init__(self, row: Sequence[int]) -> None:
        self.cost, self.function, self.amount = (row[at] for at in COST_FUNCTION_AMOUNT)
        options = [([row[at] for at in takes], [row[at] for at in makes]) for takes, makes in TAKES_AND_MAKES]
        self.options = [
            ([SYMBOL_KINDS[s] for s in takes if s], [SYMBOL_KINDS[s] for s in makes if s])
            for takes, makes in options
            if takes[0] and makes[0]
        ]
        # Number and symbol (the observation's, less 1) of each option that carries a piece to another tile (MC-2).
        self.carries = [
            (number, takes[0] - 1) for number, (takes, makes) in enumerate(options) if takes[0] and not makes[0]
        ]

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
            made = _value_of(makes, values) - cost
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


@lru_cache(maxsize=256)
def part_of(row: tuple[int, ...]) -> Part:
    """The part of an observation's row, cached."""
    return Part(row)


def belt_values(factory: Sequence[Part], prices: Sequence[float], coal: float, tile: int, last: int) -> list[float]:
    """The value of a piece of each kind on `tile`, if it can be pushed to `last` and no part is used yet."""
    values = list(prices)
    for at in range(last, tile - 1, -1):
        above, below = (factory[slot] for slot in ABOVE_AND_BELOW[at])
        if above.function and below.function:
            below_last, above_last = below.uses(values, coal), above.uses(values, coal)
            either = zip(above.uses(below_last, coal), below.uses(above_last, coal), strict=True)
            values = [max(both) for both in either]
        elif above.function or below.function:
            values = (above if above.function else below).uses(values, coal)
    return values


@lru_cache(maxsize=4096)
def bean_value(factory: tuple[Part, ...]) -> float:
    """The value of what the factory makes from a bean."""
    return belt_values(factory, PIECE_VALUES, COAL, 0, LAST_TILE)[BEAN]


class GreedyAgent:
    """Deterministic: the same observation and mask give the same action."""

    def __init__(self, game: Game) -> None:
        layout = game.observation_layout
        self._highs = {block.name: block.high for block in layout.blocks}
        self._tasks = next(block.entries for block in layout.blocks if block.name == "task")
        self._phases = next(block.entries for block in layout.blocks if block.name == "phase")
        self._effects = next(block.entries for block in layout.blocks if block.name == "display_employees")
        self._decode = game.decode
        self._encode = game.action_layout.encode
        self._spans = {
            verb: slice(first, first + dict(game.action_layout.verbs)[verb])
            for verb, first in game.action_layout.first.items()
        }

    def __call__(self, observation: Observation, mask: np.ndarray) -> int:
        legal = legal_of(mask)
        if len(legal) == 1:
            return int(legal[0])
        table = SeenTable(observation, self._highs)
        task = np.flatnonzero(observation["task"])
        if table.expanded and table.one("task_borrow"):
            verb, argument = "supply", self._choose_rule(table, self._legal(mask, "supply"))
        elif len(task):
            verb, argument = self._continue(self._tasks[int(task[0])], table, mask)
        else:
            phase = self._phases[int(np.flatnonzero(observation["phase"])[0])]
            verb, argument = getattr(self, f"_{phase}")(table, mask)
        return self._encode(verb, argument)

    def _legal(self, mask: np.ndarray, verb: str) -> list[int]:
        """The legal arguments of a verb."""
        return np.flatnonzero(mask[self._spans[verb]]).tolist()

    # --- prices

    def _prices(self, table: SeenTable, have: Sequence[int]) -> list[float]:
        """The value of one more piece of each kind to a player who has these."""
        asked = self._asked_by_cards(table, have) if table.solo else [[] for _ in KINDS]
        for order, behind, pieces, pay in table.open_stages:
            value = sum(number * PIECE_VALUES[kind] for kind, number in enumerate(pieces))
            share = pay * LATER_STAGE**behind * self._weight(table, order) / value
            for kind in REFINED:
                asked[kind] += [share * PIECE_VALUES[kind]] * pieces[kind]
        prices = []
        store = self._store_prices(table)
        for kind, offers in enumerate(asked):
            offers.sort(reverse=True)
            wanted = offers[have[kind]] if have[kind] < len(offers) else 0.0
            floor = PIECE_VALUES[kind] * (UNWANTED if kind in REFINED else 1.0)
            prices.append(max(wanted, store[kind], floor))
        return prices

    def _asked(self, table: SeenTable, order: int) -> bool:
        """Solo: whether the cards demand the order itself. Special Orders follow the three own ones."""
        return order >= OWN_ORDERS or table.sizes_missing[order]

    def _weight(self, table: SeenTable, order: int) -> float:
        """The weight of the order's pay. In the solo game, the cards demand some orders and some money."""
        if not table.solo:
            return 1.0
        if self._asked(table, order):
            return ASKED_ORDER
        return 1.0 if table.money < table.one("money_needed") else SPARE_ORDER

    def _asked_by_cards(self, table: SeenTable, have: Sequence[int]) -> list[list[float]]:
        """The offers of chocolate orders for pieces of each kind."""
        asked: list[list[float]] = [[] for _ in KINDS]
        for row in table["chocolate_orders"].tolist():
            card = dict(zip(CHOCOLATE_ORDER_ENTRIES, row, strict=True))
            number, pattern = card["number"], card["pattern + 1"] - 1
            wanted = [kind for kind in REFINED if card[KIND_WORDS[kind]]]
            if not number or card["delivered"]:
                continue
            if pattern == Pattern.ONE_KIND:
                wanted = [max(wanted, key=have.__getitem__)]
            for kind in wanted:
                pieces = {Pattern.EXACT_MIX: card[KIND_WORDS[kind]], Pattern.ALL_DIFFERENT: 1}.get(
                    Pattern(pattern), number
                )
                asked[kind] += [ASKED_PIECE] * pieces
        return asked

    def _store_prices(self, table: SeenTable) -> list[float]:
        if table.store is None or table["tracks"][0][table.store] >= TRACK_END:
            return [0.0] * len(KINDS)
        return self._values_to_store(table, table.store)

    def _rules_for(self, table: SeenTable, store: int) -> list[Rule]:
        """The rules that apply at the store: its own, or those that it may borrow (MC-4)."""
        if table.rules[store].pattern != Pattern.OTHER_STORE:
            return [table.rules[store]]
        return [
            rule for other, rule in enumerate(table.rules) if other != store and rule.pattern != Pattern.OTHER_STORE
        ]

    def _space(self, table: SeenTable, store: int) -> float:
        """The value of a space on the store's track."""
        if not table.solo:
            return SPACE
        if table.steps_missing[store]:
            return ASKED_STEP
        return SPARE_STEP if table["tracks"][0][store] < SPARE_SPACES else 0.0

    def _values_to_store(self, table: SeenTable, store: int) -> list[float]:
        space, have = self._space(table, store), self._holdings(table)
        spaces = [rule.spaces_of_pieces(have) for rule in self._rules_for(table, store)]
        return [space * max(by_rule) for by_rule in zip(*spaces, strict=True)]

    def _holdings(self, table: SeenTable) -> list[int]:
        """Pieces of each kind in the store room and on the belt."""
        return [sum(column) for column in zip(table.room, *table.belt, strict=True)]

    # --- phase 2: expand and recruit

    def _draft(self, table: SeenTable, mask: np.ndarray) -> tuple[str, int]:
        """The card with the greatest lead over the mean of its sort."""
        parts = {place: self._part_value(table, place) for place in self._legal(mask, "draft_part")}
        employees = {store: self._employee_value(table, store) for store in self._legal(mask, "draft_employee")}
        choices = []
        for verb, values in (("draft_part", parts), ("draft_employee", employees)):
            if values:
                best = max(values, key=values.__getitem__)
                mean = sum(values.values()) / len(values)
                choices.append((values[best] - mean, verb, best))
        return max(choices)[1:]

    def _part_value(self, table: SeenTable, place: int) -> float:
        part = part_of(tuple(table["display_parts"][place].tolist()))
        values = [self._slot_value(table.factory, part, slot) for slot in free_slots(table.factory)]
        return BEANS * (NUM_DAYS + 1 - table.one("day")) * max(values)

    def _slot_value(self, factory: tuple[Part, ...], part: Part, slot: int) -> float:
        """What the part on that slot adds to a bean's value, plus a little for pieces that do not reach it yet."""
        rebuilt = (*factory[:slot], part, *factory[slot + 1 :])
        covered = factory[slot]
        idle = part.idle_gain - (covered.idle_gain if covered.function else 0.0) - (covered.function == Function.CHUTE)
        return bean_value(rebuilt) - bean_value(factory) + IDLE * idle + 0.001 * (slot % NUM_TILES)

    def _employee_value(self, table: SeenTable, store: int) -> float:
        """The value of the effect, and of the store given what the factory makes."""
        amounts = (table["extra_employee"] if store == EXPANSION_DECK else table["display_employees"][store]).tolist()
        each = ALONE if store == EXPANSION_DECK else {}
        value: float = sum(
            each.get(name, COAL) * amount
            if name in each or name == "coal"
            else EFFECTS[name] * (1 + MORE * (amount - 1))
            for name, amount in zip(self._effects, amounts, strict=True)
            if amount
        )
        if store == EXPANSION_DECK:
            return value
        track = int(table["tracks"][0][store])
        if track >= TRACK_END:
            return value
        new_store = NEW_STORE if track == 0 and not table.solo else 0.0
        pounds = [rule.pounds for rule in self._rules_for(table, store) if rule.pounds]
        if pounds:
            value += self._space(table, store) * MONEY_A_DAY / min(pounds) + new_store
            return value
        prices = self._values_to_store(table, store)
        made, have = self._made(table), self._holdings(table)
        values = [price * (1.0 if have[k] else NOT_YET if k in made else 0.0) for k, price in enumerate(prices)]
        if max(values):
            spaces = min(table.steps_missing[store], 2) if table.solo and table.steps_missing[store] else 2
            value += spaces * max(values) + new_store
        return value

    def _made(self, table: SeenTable) -> set[int]:
        """The kinds that the factory can make from beans."""
        brought = {BEAN}
        for both in ABOVE_AND_BELOW:
            for part in [table.factory[slot] for slot in both] * 2:
                brought |= part.products(brought)
        return brought

    # --- phase 3: run factory

    def _run(self, table: SeenTable, mask: np.ndarray) -> tuple[str, int]:
        for kind in (BEAN, COCOA):  # they can no longer be refined
            if kind in self._legal(mask, "trade"):
                return "trade", kind
        assignable = self._legal(mask, "assign")
        if assignable:
            return "assign", max(assignable, key=lambda slot: table.factory[slot].cost)
        prices = self._prices(table, self._holdings(table))
        gain, slot = self._best_use(table, mask, prices)
        if gain > 0:
            return "operate", slot
        if self._legal(mask, "use_employee") and self._helps_now(table, prices):
            return "use_employee", 0
        for kind in self._legal(mask, "chute"):
            if kind in self._needed_in_room(table):
                return "chute", kind
        return "end_shift", 0

    def _left_values(self, table: SeenTable, slot: int | None, tile: int, prices: Sequence[float]) -> list[float]:
        """The value of pieces on the tile after a use of the part on the slot."""
        last = table.last_tile[tile]
        values = list(prices)
        if tile < last:
            values = belt_values(table.factory, prices, table.coal_price, tile + 1, last)
        for other in ABOVE_AND_BELOW[tile]:
            if other != slot and table.factory[other].function and not table.operated[other]:
                values = table.factory[other].uses(values, table.coal_price)
        return values

    def _best_use(self, table: SeenTable, mask: np.ndarray, prices: Sequence[float]) -> tuple[float, int]:
        """The part with the greatest gain net of coal."""
        uses = [(0.0, 0)]
        for slot in self._legal(mask, "operate"):
            part, tile = table.factory[slot], table.belt[slot % NUM_TILES]
            gain = use_gain(part, tile, self._left_values(table, slot, slot % NUM_TILES, prices))
            if part.carries:
                gain = max(gain, self._best_carrying(table, slot, slot % NUM_TILES, prices)[0])
            if gain > part.cost * table.coal_price:
                uses.append((gain / max(part.cost, 1), slot))
        return max(uses)

    def _best_carrying(self, table: SeenTable, slot: int, tile: int, prices: Sequence[float]) -> tuple[float, int, int]:
        """The best carry from the tile: its gain, the kind of piece, and the target tile."""
        here = self._left_values(table, slot, tile, prices)
        there = [here if other == tile else self._left_values(table, slot, other, prices) for other in TILES]
        kinds = [kind for kind in KINDS if table.belt[tile][kind]]
        return max(
            ((there[other][kind] - here[kind], kind, other) for kind in kinds for other in TILES if other != tile),
            default=(0.0, 0, 0),
        )

    def _needed_in_room(self, table: SeenTable) -> set[int]:
        """The refined kinds that open stages and today's store want more of than the store room holds."""
        wanted = [0] * len(KINDS)
        for _, _, pieces, _ in table.open_stages:
            wanted = [a + b for a, b in zip(wanted, pieces, strict=True)]
        store = self._store_prices(table)
        return {kind for kind in REFINED if wanted[kind] > table.room[kind] or store[kind] > 1.0}

    def _helps_now(self, table: SeenTable, prices: Sequence[float]) -> bool:
        """Packers and Decorators wait for a good tile or the last shift; Operators carry needed pieces to the Chute."""
        effect = self._own_effect(table)
        last = table.one("shift") >= SHIFTS
        if effect == "double_tile":
            return last or max(tile_value(tile, prices) for tile in table.belt) >= 6
        if effect == "upgrade_piece":
            return last or max(best_upgrade(tile, prices)[0] for tile in table.belt) >= 1.5
        return last and self._tile_to_move_from(table) is not None

    def _own_effect(self, table: SeenTable) -> str:
        amounts = table["employees"][0][EFFECTS_OF_EMPLOYEE]
        return self._effects[int(np.argmax(amounts))]

    def _chute_tile(self, table: SeenTable) -> int | None:
        return next(
            (slot % NUM_TILES for slot, part in enumerate(table.factory) if part.function == Function.CHUTE), None
        )

    def _tile_to_move_from(self, table: SeenTable) -> int | None:
        """A tile out of the Chute's reach with a piece that is needed in the store room."""
        needed, chute = self._needed_in_room(table), self._chute_tile(table)
        if chute is None:
            return None
        tiles = [tile for tile in TILES if tile != chute and any(table.belt[tile][kind] for kind in needed)]
        return tiles[-1] if tiles else None

    # --- phases 4 and 5

    def _fulfil(self, table: SeenTable, mask: np.ndarray) -> tuple[str, int]:
        cards = self._legal(mask, "deliver")
        if cards:
            return "deliver", cards[0]
        orders = self._legal(mask, "fulfil")
        by_money = table.store is not None and any(rule.pounds for rule in self._rules_for(table, table.store))
        missing = table.solo and table.store is not None and table.steps_missing[table.store] and not by_money
        if missing and self._legal(mask, "supply"):
            orders = [order for order in orders if self._asked(table, order)]
            if not orders:
                return "supply", self._legal(mask, "supply")[0]
        if orders:
            pay = self._current_pay(table)
            return "fulfil", max(orders, key=pay.__getitem__)
        if self._legal(mask, "use_employee") and (
            self._own_effect(table) != "skip_stage" or self._order_to_skip(table) is not None
        ):
            return "use_employee", 0
        stores = [store for store in self._legal(mask, "supply") if self._space(table, store) > 0]
        return ("supply", stores[0]) if stores else ("finish_orders", 0)

    def _choose_rule(self, table: SeenTable, legal: list[int]) -> int:
        """The store whose rule moves the marker furthest."""
        earned = int(table["earned_today"][0])
        return max(legal, key=lambda store: table.rules[store].most_spaces(table.room, earned))

    def _current_pay(self, table: SeenTable) -> dict[int, int]:
        return {order: pay for order, behind, _, pay in table.open_stages if behind == 0}

    def _order_to_skip(self, table: SeenTable) -> int | None:
        """The order whose next stage pays least, if a better stage follows it."""
        longer = {order for order, behind, _, _ in table.open_stages if behind == 1}
        pay = self._current_pay(table)
        return min(longer, key=pay.__getitem__) if longer else None

    def _agents(self, table: SeenTable, mask: np.ndarray) -> tuple[str, int]:
        stores = self._legal(mask, "supply")
        if not stores:
            return "finish_orders", 0
        tracks = table["tracks"][0]
        return "supply", min(stores, key=lambda store: tracks[store])

    def _cleanup(self, table: SeenTable, mask: np.ndarray) -> tuple[str, int]:
        if self._legal(mask, "finish_cleanup"):
            return "finish_cleanup", 0
        prices = self._prices(table, [max(number - 1, 0) for number in table.room])
        return "trade", min(self._legal(mask, "trade"), key=prices.__getitem__)

    def _replace(self, table: SeenTable, mask: np.ndarray) -> tuple[str, int]:
        """The order that pays most for its work, among those that can be done in the days left."""
        days_left = NUM_DAYS + 1 - table.one("day")
        pieces, pay = table["offer"].tolist(), table["offer_pay"].tolist()
        made, have = self._made(table), self._holdings(table)

        def value(size: int) -> float:
            stages = range(FIRST_STAGE[size], FIRST_STAGE[size] + size + 1)
            asked = [sum(pieces[stage][kind - CHUNKS] for stage in stages) for kind in REFINED]
            work = sum(
                (number - AT_HAND * min(number, have[kind])) * PIECE_VALUES[kind] * (1.0 if kind in made else 2.0)
                for kind, number in zip(REFINED, asked, strict=True)
            )
            fits: float = min(1.0, days_left * WORK_A_DAY / work)
            gain: float = sum(pay[stage] for stage in stages) + COMPLETED
            needed = 2.0 if table.solo and table.sizes_missing[size] else 1.0
            return float(needed * gain / (work + 1.0) * fits)

        return "choose_order", max(self._legal(mask, "choose_order"), key=value)

    # --- what is under way

    def _continue(self, task: str, table: SeenTable, mask: np.ndarray) -> tuple[str, int]:
        verb = next(
            verb
            for verb in ("place_part", "tile", "option", "take", "make", "fulfil", "stop")
            if self._legal(mask, verb)
        )
        legal = self._legal(mask, verb)
        prices = self._prices(table, self._holdings(table))
        if verb == "place_part":
            part = part_of(tuple(table["task_part"].tolist()))
            slots = [slot for slot in free_slots(table.factory) if slot in legal]
            return verb, max(slots or legal, key=lambda slot: self._slot_value(table.factory, part, slot))
        if verb == "tile":
            return verb, self._choose_tile(task, table, legal, prices)
        prices = self._prices_there(table, prices)
        if verb == "option":
            part, tile = table.factory[self._slot(table)], self._tile(table)
            gains = [option_gain(option, tile, prices) for option in part.options]
            for number, _ in part.carries:
                gains.insert(number, self._carrying(table, self._prices(table, self._holdings(table)))[0])
            return verb, max(legal, key=gains.__getitem__)
        if verb == "make":
            return verb, self._choose_make(task, table, legal, prices)
        if verb == "fulfil":
            pay = self._current_pay(table)
            skip = self._order_to_skip(table) if self._own_effect(table) == "skip_stage" else None
            return verb, skip if skip in legal and skip is not None else max(legal, key=pay.__getitem__)
        return self._choose_take(task, table, legal, bool(self._legal(mask, "stop")), prices)

    def _prices_there(self, table: SeenTable, prices: list[float]) -> list[float]:
        """The prices on the tile in use, if there is one."""
        if not table["task_tile"].any():
            return prices
        slot = self._slot(table) if table["task_slot"].any() else None
        return self._left_values(table, slot, int(np.argmax(table["task_tile"])), prices)

    def _slot(self, table: SeenTable) -> int:
        return int(np.argmax(table["task_slot"]))

    def _tile(self, table: SeenTable) -> list[int]:
        return table.belt[int(np.argmax(table["task_tile"]))]

    def _choose_tile(self, task: str, table: SeenTable, legal: list[int], prices: Sequence[float]) -> int:
        if task == "operate_tile":
            part = table.factory[self._slot(table)]
            own = self._slot(table) % NUM_TILES
            return max(legal, key=lambda tile: use_gain(part, table.belt[tile], prices) - COAL * (tile != own))
        if task == "decorate_tile":
            return max(legal, key=lambda tile: best_upgrade(table.belt[tile], prices)[0])
        if task == "move_from":
            tile = self._tile_to_move_from(table)
            return tile if tile in legal and tile is not None else legal[-1]
        if task == "move_to" and table["task_slot"].any():
            kind, here = table["task_last"][0] - 1, int(np.argmax(table["task_tile"]))
            return max(
                legal, key=lambda tile: self._left_values(table, self._slot(table), tile, prices)[kind] - (tile == here)
            )
        if task == "move_to":
            chute = self._chute_tile(table)
            return chute if chute in legal and chute is not None else legal[-1]
        return max(legal, key=lambda tile: tile_value(table.belt[tile], prices))

    def _choose_make(self, task: str, table: SeenTable, legal: list[int], prices: Sequence[float]) -> int:
        """Choose all products and name the first, since they must be named in the order of kinds."""
        if task == "upgrade_make":
            return max(legal, key=prices.__getitem__)
        have = self._holdings(table)
        chosen = []
        for _ in range(table.one("task_left")):
            prices = self._prices_there(table, self._prices(table, have))
            chosen.append(max(legal, key=prices.__getitem__))
            have[chosen[-1]] += 1
        return min(chosen)

    def _choose_take(
        self, task: str, table: SeenTable, legal: list[int], may_stop: bool, prices: Sequence[float]
    ) -> tuple[str, int]:
        if task == "upgrade_take":
            gain, kind = max((upgrade_gain(kind, prices), kind) for kind in legal)
            return ("take", kind) if gain > 0 or not may_stop else ("stop", 0)
        if task in ("repeat_take", "leave_out"):
            return "take", max(legal, key=prices.__getitem__)
        if task == "convert_take" and any(
            table["task_open"][symbol] for _, symbol in table.factory[self._slot(table)].carries
        ):
            _, kind, _ = self._carrying(table, self._prices(table, self._holdings(table)))
            return "take", kind if kind in legal else legal[0]
        if task == "convert_take":
            return "take", min(legal, key=prices.__getitem__)
        if task in ("reach_take", "move_take"):
            needed = [kind for kind in legal if kind in self._needed_in_room(table)]
            if needed or not may_stop:
                return "take", needed[0] if needed else min(legal, key=prices.__getitem__)
            return "stop", 0
        if task == "give_store" and table.rules[self._rule_under_way(table)].pattern == Pattern.ONE_KIND:
            return "take", max(legal, key=table.room.__getitem__)
        return "take", legal[0]

    def _carrying(self, table: SeenTable, prices: Sequence[float]) -> tuple[float, int, int]:
        """`_best_carrying` of the part in use."""
        return self._best_carrying(table, self._slot(table), int(np.argmax(table["task_tile"])), prices)

    def _rule_under_way(self, table: SeenTable) -> int:
        """The store whose rule the delivery follows."""
        return int(np.argmax(table["task_rule_of" if table.expanded else "task_store"]))


def upgrade_gain(kind: int, prices: Sequence[float]) -> float:
    """The gain of one upgrade point on a piece of the kind."""
    return max((prices[into] for into in UPGRADED_KINDS[kind]), default=0.0) - prices[kind]


def best_upgrade(tile: Sequence[int], prices: Sequence[float]) -> tuple[float, int]:
    return max(((upgrade_gain(kind, prices), kind) for kind in range(BOXED) if tile[kind]), default=(0.0, 0))


def tile_value(tile: Sequence[int], prices: Sequence[float]) -> float:
    return sum(number * prices[kind] for kind, number in enumerate(tile))


def use_gain(part: Part, tile: Sequence[int], prices: Sequence[float]) -> float:
    """The gain of one use of the part on the tile, before coal."""
    if part.function == Function.UPGRADER:
        gains = sorted((upgrade_gain(kind, prices) for kind in range(BOXED) for _ in range(tile[kind])), reverse=True)
        return sum(gain for gain in gains[: part.amount] if gain > 0)
    if part.function == Function.REPEATER:
        return part.amount * max((prices[kind] for kind in KINDS if tile[kind]), default=0.0)
    return max((option_gain(option, tile, prices) for option in part.options), default=0.0)


def option_gain(
    option: tuple[list[tuple[int, ...]], list[tuple[int, ...]]], tile: Sequence[int], prices: Sequence[float]
) -> float:
    """The gain of the option on the tile; minus infinity if its pieces are missing."""
    left = list(tile)
    given = 0.0
    for symbol in option[0]:
        there = [kind for kind in symbol if left[kind]]
        if not there:
            return -np.inf
        kind = min(there, key=prices.__getitem__)
        left[kind] -= 1
        given += prices[kind]
    return _value_of(option[1], prices) - given


def free_slots(factory: Sequence[Part]) -> list[int]:
    """See `slots_that_differ`."""
    return slots_that_differ([not part.function for part in factory])


def _value_of(symbols: Iterable[tuple[int, ...]], prices: Sequence[float]) -> float:
    return sum(max(prices[kind] for kind in symbol) for symbol in symbols)
