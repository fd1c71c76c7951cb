"""A greedy agent: no search, one look at the table, a sensible move in every phase.

Idea: put a price on one more piece of every kind, then do what gains most. A piece is worth what the player's next
open order stages pay for it, or what today's store gives, or a little for its stage of refinement. Parts are operated
while they gain more than their coal, drafted by what they gain from what the factory can bring to their tile.
It sees only the observation. Cost: about 0.2 ms a decision on one core.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from chocofactory_env import Game

from .protocol import Observation

KINDS = ("bean", "cocoa", "chunks", "fingers", "caramel", "nuts", "boxed")
BEAN, COCOA, CHUNKS, FINGERS, CARAMEL, NUTS, BOXED = range(7)
REFINED = range(CHUNKS, BOXED + 1)
# Symbols on parts, by number + 1 as the observation gives them: the kinds, bar, wrapped, refined, any.
SYMBOL_KINDS: tuple[tuple[int, ...], ...] = (
    (),
    *((kind,) for kind in range(7)),
    (CHUNKS, FINGERS),
    (CARAMEL, NUTS),
    tuple(REFINED),
    tuple(range(7)),
)
UPGRADES = ((COCOA,), (CHUNKS, FINGERS), (CARAMEL, NUTS), (CARAMEL, NUTS), (BOXED,), (BOXED,), ())
CONVERTER, UPGRADER, REPEATER, CHUTE = 1, 2, 3, 4  # the entry `function` of a part
ONE_KIND = 1

# Pounds. What a piece is worth in itself; what a space on a store's track and a coal are worth.
WORTH = (0.3, 0.9, 2.0, 2.0, 3.0, 3.0, 4.2)
SPACE = 1.8
COAL = 0.5
UNWANTED = 0.45  # share of its worth that a piece keeps when nobody asks for it
LATER_STAGE = 0.7  # a stage behind another one counts for less
NEW_STORE = 2.0  # the first space at a store counts towards the prize for variety
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


class Table:
    """The observation in whole numbers, read where it is needed."""

    def __init__(self, observation: Observation, highs: dict[str, int]) -> None:
        self._observation = observation
        self._highs = highs

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
    def factory(self) -> list[Part]:
        return [Part(row) for row in self["factories"][0].tolist()]

    @cached_property
    def open_stages(self) -> list[tuple[int, int, list[int], int]]:
        """(order, stages before it, pieces of all seven kinds, pay) of every stage that is still to be done."""
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
        row = self["employees"][0]
        stores = np.flatnonzero(row[-6:-1])
        if not len(stores) or self["supplied"][0][stores[0]]:
            return None
        return int(stores[0])


class Part:
    """A factory part as the observation shows it."""

    def __init__(self, row: Sequence[int]) -> None:
        self.cost, self.function, self.amount = row[:3]
        options = ((row[3:5], row[5:10]), (row[10:12], row[12:14]))
        self.options = [
            ([SYMBOL_KINDS[s] for s in takes if s], [SYMBOL_KINDS[s] for s in makes if s])
            for takes, makes in options
            if takes[0]
        ]

    def gain(self, brought: set[int]) -> float:
        """What one use gains from the kinds that are brought to its tile, its coal taken off; 0 if it has no use."""
        gains = [0.0]
        for takes, makes in self.options:
            if all(set(symbol) & brought for symbol in takes):
                given = sum(min(WORTH[kind] for kind in symbol if kind in brought) for symbol in takes)
                gains.append(sum(max(WORTH[kind] for kind in symbol) for symbol in makes) - given)
        if self.function == UPGRADER:
            gains += [self.amount * (WORTH[UPGRADES[kind][0]] - WORTH[kind]) for kind in brought if UPGRADES[kind]]
        if self.function == REPEATER:
            gains += [self.amount * WORTH[kind] for kind in brought]
        if self.function == CHUTE:
            return 1.0
        return max(gains) - self.cost * COAL if max(gains) > 0 else 0.0

    def products(self, brought: set[int]) -> set[int]:
        """Kinds that it can make of what is brought."""
        made: set[int] = set()
        for takes, makes in self.options:
            if all(set(symbol) & brought for symbol in takes):
                made |= {kind for symbol in makes for kind in symbol}
        if self.function == UPGRADER:
            made |= {into for kind in brought for into in UPGRADES[kind]}
        return made


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
        legal = np.flatnonzero(mask)
        if len(legal) == 1:
            return int(legal[0])
        table = Table(observation, self._highs)
        task = np.flatnonzero(observation["task"])
        if len(task):
            verb, argument = self._continue(self._tasks[int(task[0])], table, mask)
        else:
            phase = self._phases[int(np.flatnonzero(observation["phase"])[0])]
            verb, argument = getattr(self, f"_{phase}")(table, mask)
        return self._encode(verb, argument)

    def _legal(self, mask: np.ndarray, verb: str) -> list[int]:
        """The legal arguments of a verb."""
        return np.flatnonzero(mask[self._spans[verb]]).tolist()  # type: ignore[no-any-return]

    # --- prices

    def _prices(self, table: Table, have: Sequence[int]) -> list[float]:
        """What one more piece of each kind is worth to the player who has these."""
        asked: list[list[float]] = [[] for _ in KINDS]
        for _, behind, pieces, pay in table.open_stages:
            worth = sum(number * WORTH[kind] for kind, number in enumerate(pieces))
            for kind in REFINED:
                asked[kind] += [pay * LATER_STAGE**behind * WORTH[kind] / worth] * pieces[kind]
        prices = []
        store = self._store_prices(table)
        for kind, offers in enumerate(asked):
            offers.sort(reverse=True)
            wanted = offers[have[kind]] if have[kind] < len(offers) else 0.0
            floor = WORTH[kind] * (UNWANTED if kind in REFINED else 1.0)
            prices.append(max(wanted, store[kind], floor))
        return prices

    def _store_prices(self, table: Table) -> list[float]:
        if table.store is None or table["tracks"][0][table.store] >= 9:
            return [0.0] * len(KINDS)
        return self._worth_to_store(table, table.store)

    def _worth_to_store(self, table: Table, store: int) -> list[float]:
        rule = table["store_rules"][store].tolist()
        accepted, per, spaces = rule[:5], rule[7], (rule[8], rule[8], rule[9], rule[9], rule[10])
        return [0.0, 0.0, *(SPACE * accepts * by / per for accepts, by in zip(accepted, spaces, strict=True))]

    def _holdings(self, table: Table) -> list[int]:
        """Pieces of each kind in the store room and on the belt."""
        return [sum(column) for column in zip(table.room, *table.belt, strict=True)]

    # --- phase 2: expand and recruit

    def _draft(self, table: Table, mask: np.ndarray) -> tuple[str, int]:
        """The card that is furthest ahead of the other cards of its sort."""
        parts = {place: self._part_value(table, place) for place in self._legal(mask, "draft_part")}
        employees = {store: self._employee_value(table, store) for store in self._legal(mask, "draft_employee")}
        choices = []
        for verb, values in (("draft_part", parts), ("draft_employee", employees)):
            if values:
                best = max(values, key=values.__getitem__)
                others = sum(values.values()) / len(values)
                choices.append((values[best] - others, verb, best))
        return max(choices)[1:]

    def _part_value(self, table: Table, place: int) -> float:
        part = Part(table["display_parts"][place].tolist())
        return max(self._slot_value(table, part, slot) for slot in range(8))

    def _slot_value(self, table: Table, part: Part, slot: int) -> float:
        """What the part gains there, less what the part it covers did."""
        brought = self._brought(table.factory, slot)
        covered = table.factory[slot]
        loss = covered.gain(brought) if covered.function else 0.0
        return part.gain(brought) - loss + 0.01 * (slot % 4)

    def _brought(self, factory: Sequence[Part], slot: int) -> set[int]:
        """Kinds that the other parts can bring to the slot's tile."""
        brought = {BEAN}
        for tile in range(slot % 4 + 1):
            at_tile = [factory[s] for s in (tile, tile + 4) if s != slot]
            for part in at_tile * 2:
                brought |= part.products(brought)
        return brought

    def _employee_value(self, table: Table, store: int) -> float:
        """What the effect does, and what the store is worth with what the factory makes."""
        amounts = table["display_employees"][store].tolist()
        value = sum(
            amount * COAL if name == "coal" else EFFECTS[name] * (1 + 0.3 * (amount - 1))
            for name, amount in zip(self._effects, amounts, strict=True)
            if amount
        )
        track = table["tracks"][0][store]
        if track >= 9:
            return value
        prices = self._worth_to_store(table, store)
        made = self._brought(table.factory, 7) | {kind for kind, n in enumerate(self._holdings(table)) if n}
        worth = [price for kind, price in enumerate(prices) if kind in made]
        if worth:
            value += 2 * max(worth) + (NEW_STORE if track == 0 else 0.0)
        if "steps_needed" in self._highs and track < table["steps_needed"][store]:
            value += 4.0
        return value

    # --- phase 3: run factory

    def _run(self, table: Table, mask: np.ndarray) -> tuple[str, int]:
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
        needed = self._needed_in_room(table)
        for kind in self._legal(mask, "chute"):
            if kind in needed:
                return "chute", kind
        return "end_shift", 0

    def _best_use(self, table: Table, mask: np.ndarray, prices: Sequence[float]) -> tuple[float, int]:
        """The part that gains most for its coal."""
        uses = [(0.0, 0)]
        for slot in self._legal(mask, "operate"):
            part, tile = table.factory[slot], table.belt[slot % 4]
            gain = use_gain(part, tile, prices)
            if gain > part.cost * COAL:
                uses.append((gain / max(part.cost, 1), slot))
        return max(uses)

    def _needed_in_room(self, table: Table) -> set[int]:
        """Refined kinds of which the open stages and today's store want more than the store room holds."""
        wanted = [0] * len(KINDS)
        for _, _, pieces, _ in table.open_stages:
            wanted = [a + b for a, b in zip(wanted, pieces, strict=True)]
        store = self._store_prices(table)
        return {kind for kind in REFINED if wanted[kind] > table.room[kind] or store[kind] > 1.0}

    def _helps_now(self, table: Table, prices: Sequence[float]) -> bool:
        """Packers and Decorators wait for a good tile or the last shift; Operators carry needed pieces to the Chute."""
        effect = self._own_effect(table)
        last = table.one("shift") >= 3
        if effect == "double_tile":
            return last or max(tile_worth(tile, prices) for tile in table.belt) >= 6
        if effect == "upgrade_piece":
            return last or max(best_upgrade(tile, prices)[0] for tile in table.belt) >= 1.5
        return last and self._tile_to_move_from(table) is not None

    def _own_effect(self, table: Table) -> str:
        amounts = table["employees"][0][: len(self._effects)]
        return self._effects[int(np.argmax(amounts))]

    def _chute_tile(self, table: Table) -> int | None:
        return next((slot % 4 for slot, part in enumerate(table.factory) if part.function == CHUTE), None)

    def _tile_to_move_from(self, table: Table) -> int | None:
        """A tile with a piece that is needed in the store room, where the Chute does not reach."""
        needed, chute = self._needed_in_room(table), self._chute_tile(table)
        if chute is None:
            return None
        tiles = [tile for tile in range(4) if tile != chute and any(table.belt[tile][kind] for kind in needed)]
        return tiles[-1] if tiles else None

    # --- phases 4 and 5

    def _fulfil(self, table: Table, mask: np.ndarray) -> tuple[str, int]:
        cards = self._legal(mask, "deliver")
        if cards:
            return "deliver", cards[0]
        orders = self._legal(mask, "fulfil")
        if orders:
            pay = self._current_pay(table)
            return "fulfil", max(orders, key=pay.__getitem__)
        if self._legal(mask, "use_employee") and (
            self._own_effect(table) != "skip_stage" or self._order_to_skip(table) is not None
        ):
            return "use_employee", 0
        stores = self._legal(mask, "supply")
        return ("supply", stores[0]) if stores else ("finish_orders", 0)

    def _current_pay(self, table: Table) -> dict[int, int]:
        return {order: pay for order, behind, _, pay in table.open_stages if behind == 0}

    def _order_to_skip(self, table: Table) -> int | None:
        """The order whose next stage pays least, if a better one comes after it."""
        longer = {order for order, behind, _, _ in table.open_stages if behind == 1}
        pay = self._current_pay(table)
        return min(longer, key=pay.__getitem__) if longer else None

    def _agents(self, table: Table, mask: np.ndarray) -> tuple[str, int]:
        stores = self._legal(mask, "supply")
        if not stores:
            return "finish_orders", 0
        tracks = table["tracks"][0]
        return "supply", min(stores, key=lambda store: tracks[store])

    def _cleanup(self, table: Table, mask: np.ndarray) -> tuple[str, int]:
        if self._legal(mask, "finish_cleanup"):
            return "finish_cleanup", 0
        prices = self._prices(table, [max(number - 1, 0) for number in table.room])
        return "trade", min(self._legal(mask, "trade"), key=prices.__getitem__)

    def _replace(self, table: Table, mask: np.ndarray) -> tuple[str, int]:
        """The order that pays most for the work it asks for, among those that the days left allow."""
        days_left = 7 - table.one("day")
        pieces, pay = table["offer"].tolist(), table["offer_pay"].tolist()
        made = self._brought(table.factory, 7)

        def value(size: int) -> float:
            first = (0, 1, 3)[size]
            stages = range(first, first + size + 1)
            work = sum(
                number * (WORTH[kind] if kind in made else 2 * WORTH[kind])
                for stage in stages
                for kind, number in zip(REFINED, pieces[stage], strict=True)
            )
            fits = min(1.0, days_left * 12.0 / work)
            return sum(pay[stage] for stage in stages) / work * fits

        return "choose_order", max(self._legal(mask, "choose_order"), key=value)

    # --- what is under way

    def _continue(self, task: str, table: Table, mask: np.ndarray) -> tuple[str, int]:
        verb = next(
            verb
            for verb in ("place_part", "tile", "option", "take", "make", "fulfil", "stop")
            if self._legal(mask, verb)
        )
        legal = self._legal(mask, verb)
        prices = self._prices(table, self._holdings(table))
        if verb == "place_part":
            part = Part(table["task_part"].tolist())
            return verb, max(legal, key=lambda slot: self._slot_value(table, part, slot))
        if verb == "tile":
            return verb, self._choose_tile(task, table, legal, prices)
        if verb == "option":
            part, tile = table.factory[self._slot(table)], self._tile(table)
            return verb, max(legal, key=lambda option: option_gain(part.options[option], tile, prices))
        if verb == "make":
            return verb, self._choose_make(task, table, legal, prices)
        if verb == "fulfil":
            pay = self._current_pay(table)
            skip = self._order_to_skip(table) if self._own_effect(table) == "skip_stage" else None
            return verb, skip if skip in legal and skip is not None else max(legal, key=pay.__getitem__)
        return self._choose_take(task, table, legal, bool(self._legal(mask, "stop")), prices)

    def _slot(self, table: Table) -> int:
        return int(np.argmax(table["task_slot"]))

    def _tile(self, table: Table) -> list[int]:
        return table.belt[int(np.argmax(table["task_tile"]))]

    def _choose_tile(self, task: str, table: Table, legal: list[int], prices: Sequence[float]) -> int:
        if task == "operate_tile":
            part = table.factory[self._slot(table)]
            own = self._slot(table) % 4
            return max(legal, key=lambda tile: use_gain(part, table.belt[tile], prices) - COAL * (tile != own))
        if task == "decorate_tile":
            return max(legal, key=lambda tile: best_upgrade(table.belt[tile], prices)[0])
        if task == "move_from":
            tile = self._tile_to_move_from(table)
            return tile if tile in legal and tile is not None else legal[-1]
        if task == "move_to":
            chute = self._chute_tile(table)
            return chute if chute in legal and chute is not None else legal[-1]
        return max(legal, key=lambda tile: tile_worth(table.belt[tile], prices))

    def _choose_make(self, task: str, table: Table, legal: list[int], prices: Sequence[float]) -> int:
        """Products are named in the order of kinds, so choose all of them and name the first."""
        if task == "upgrade_make":
            return max(legal, key=prices.__getitem__)
        have = self._holdings(table)
        chosen = []
        for _ in range(table.one("task_left")):
            prices = self._prices(table, have)
            chosen.append(max(legal, key=prices.__getitem__))
            have[chosen[-1]] += 1
        return min(chosen)

    def _choose_take(
        self, task: str, table: Table, legal: list[int], may_stop: bool, prices: Sequence[float]
    ) -> tuple[str, int]:
        if task == "upgrade_take":
            gain, kind = max((upgrade_gain(kind, prices), kind) for kind in legal)
            return ("take", kind) if gain > 0 or not may_stop else ("stop", 0)
        if task in ("repeat_take", "leave_out"):
            return "take", max(legal, key=prices.__getitem__)
        if task == "convert_take":
            return "take", min(legal, key=prices.__getitem__)
        if task in ("reach_take", "move_take"):
            needed = [kind for kind in legal if kind in self._needed_in_room(table)]
            return ("take", needed[0]) if needed or (not may_stop and legal) else ("stop", 0)
        if task == "give_store" and table["store_rules"][self._store_under_way(table)][5] == ONE_KIND + 1:
            return "take", max(legal, key=table.room.__getitem__)
        return "take", legal[0]

    def _store_under_way(self, table: Table) -> int:
        return int(np.argmax(table["task_store"]))


def upgrade_gain(kind: int, prices: Sequence[float]) -> float:
    """What one point gains on a piece of the kind."""
    return max((prices[into] for into in UPGRADES[kind]), default=0.0) - prices[kind]


def best_upgrade(tile: Sequence[int], prices: Sequence[float]) -> tuple[float, int]:
    return max(((upgrade_gain(kind, prices), kind) for kind in range(BOXED) if tile[kind]), default=(0.0, 0))


def tile_worth(tile: Sequence[int], prices: Sequence[float]) -> float:
    return sum(number * prices[kind] for kind, number in enumerate(tile))


def use_gain(part: Part, tile: Sequence[int], prices: Sequence[float]) -> float:
    """What one use of the part on the tile gains, its coal not taken off."""
    if part.function == UPGRADER:
        gains = sorted((upgrade_gain(kind, prices) for kind in range(BOXED) for _ in range(tile[kind])), reverse=True)
        return sum(gain for gain in gains[: part.amount] if gain > 0)
    if part.function == REPEATER:
        return part.amount * max((prices[kind] for kind in range(7) if tile[kind]), default=0.0)
    return max((option_gain(option, tile, prices) for option in part.options), default=0.0)


def option_gain(
    option: tuple[list[tuple[int, ...]], list[tuple[int, ...]]], tile: Sequence[int], prices: Sequence[float]
) -> float:
    """What the option gains on the tile; minus infinity if its pieces are not there."""
    left = list(tile)
    given = 0.0
    for symbol in option[0]:
        there = [kind for kind in symbol if left[kind]]
        if not there:
            return -np.inf
        kind = min(there, key=prices.__getitem__)
        left[kind] -= 1
        given += prices[kind]
    return _worth_of(option[1], prices) - given


def _worth_of(symbols: Iterable[tuple[int, ...]], prices: Sequence[float]) -> float:
    return sum(max(prices[kind] for kind in symbol) for symbol in symbols)
