"""A greedy agent: no search, one look at the table, a sensible move in every phase.

Idea: price one more piece of each kind in the store room by the pay of the player's next open stages, the spaces of
today's store, in the solo game the demands of the cards, or else a little by its refinement. A piece on the belt is
worth the best that the parts ahead of it can make of it. Then take the action that gains most for its coal, and draft
the part that adds most to the value of a bean. Cost: about 0.2 ms per decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from chocofactory_env import Game
from chocofactory_env.games.chocofactory.vocabulary import (
    EXPANSION_DECK,
    NONE,
    NUM_DAYS,
    NUM_TILES,
    OWN_ORDERS,
    SHIFTS,
    TRACK_END,
    UPGRADED_KINDS,
    Function,
    Pattern,
    Task,
    phase_of,
)

from .draft import slots_that_differ
from .table import (
    ABOVE_AND_BELOW,
    BEAN,
    BOXED,
    COAL,
    COCOA,
    KINDS,
    LAST_TILE,
    PIECE_VALUES,
    REFINED,
    TILES,
    Deck,
    Kinds,
    Part,
    Rule,
    Table,
    value_of,
)

# Values in pounds.
SPACE = 1.8  # of a space on a store's track
UNWANTED = 0.45  # share of its value that an unwanted piece keeps
LATER_STAGE = 0.7  # discount per stage that must be done first
NEW_STORE = 3.0  # bonus for the first space at a store, towards the prize for variety
COMPLETED = 2.0  # bonus for a completed order, towards the prize for most orders
WORK_A_DAY = 8.0  # value of the pieces that a day can bring for one order
AT_HAND = 0.5  # share of the work saved by pieces at hand
NOT_YET = 0.5  # share of a delivery that counts while none of its pieces are there
IDLE = 0.1  # share of a part's gain on pieces that do not reach it yet
MORE = 0.3  # share of an effect added by a second use or a greater amount
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
    """Deterministic."""

    def __init__(self, game: Game) -> None:
        self._game, self._deck = game, Deck(game)
        self._spans = {
            verb: slice(first, first + dict(game.action_layout.verbs)[verb])
            for verb, first in game.action_layout.first.items()
        }

    def choose(self, state: Any, player: int) -> int:
        mask = self._game.legal_mask(state)
        legal = np.flatnonzero(mask)
        if len(legal) == 1:
            return int(legal[0])
        table = Table(state, player, self._deck)
        task = Task(table.task["kind"])
        if task == Task.BORROW:
            verb, argument = "supply", self._choose_rule(table, self._legal(mask, "supply"))
        elif task != Task.NOTHING:
            verb, argument = self._continue(task, table, mask)
        else:
            verb, argument = getattr(self, f"_{phase_of(state).name.lower()}")(table, mask)
        return self._game.action_layout.encode(verb, argument)

    def _legal(self, mask: np.ndarray, verb: str) -> list[int]:
        """The legal arguments of a verb."""
        return np.flatnonzero(mask[self._spans[verb]]).tolist()

    # --- prices

    def _prices(self, table: Table, have: Sequence[int]) -> list[float]:
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

    def _asked(self, table: Table, order: int) -> bool:
        """Solo: whether the cards demand the order itself. Special Orders follow the three own ones."""
        return order >= OWN_ORDERS or table.sizes_missing[order]

    def _weight(self, table: Table, order: int) -> float:
        """The weight of the order's pay. In the solo game, the cards demand some orders and some money."""
        if not table.solo:
            return 1.0
        if self._asked(table, order):
            return ASKED_ORDER
        return 1.0 if table.money_missing else SPARE_ORDER

    def _asked_by_cards(self, table: Table, have: Sequence[int]) -> list[list[float]]:
        """The offers of chocolate orders for pieces of each kind."""
        asked: list[list[float]] = [[] for _ in KINDS]
        for order in table.chocolate_orders:
            pattern = Pattern(order["pattern"])
            wanted = [kind for kind in REFINED if int(order["kinds"]) >> kind & 1]
            if pattern == Pattern.ONE_KIND:
                wanted = [max(wanted, key=have.__getitem__)]
            for kind in wanted:
                pieces = {Pattern.EXACT_MIX: order["set_pieces"][kind], Pattern.ALL_DIFFERENT: 1}.get(
                    pattern, order["number"]
                )
                asked[kind] += [ASKED_PIECE] * int(pieces)
        return asked

    def _store_prices(self, table: Table) -> list[float]:
        if table.store is None or table.tracks[table.store] >= TRACK_END:
            return [0.0] * len(KINDS)
        return self._values_to_store(table, table.store)

    def _rules_for(self, table: Table, store: int) -> list[Rule]:
        """The rules that apply at the store: its own, or those that it may borrow (MC-4)."""
        if table.rules[store].pattern != Pattern.OTHER_STORE:
            return [table.rules[store]]
        return [
            rule for other, rule in enumerate(table.rules) if other != store and rule.pattern != Pattern.OTHER_STORE
        ]

    def _space(self, table: Table, store: int) -> float:
        """The value of a space on the store's track."""
        if not table.solo:
            return SPACE
        if table.steps_missing[store]:
            return ASKED_STEP
        return SPARE_STEP if table.tracks[store] < SPARE_SPACES else 0.0

    def _values_to_store(self, table: Table, store: int) -> list[float]:
        space, have = self._space(table, store), self._holdings(table)
        spaces = [rule.spaces_of_pieces(have) for rule in self._rules_for(table, store)]
        return [space * max(by_rule) for by_rule in zip(*spaces, strict=True)]

    def _holdings(self, table: Table) -> list[int]:
        """Pieces of each kind in the store room and on the belt."""
        return [sum(column) for column in zip(table.room, *table.belt, strict=True)]

    # --- phase 2: expand and recruit

    def _draft(self, table: Table, mask: np.ndarray) -> tuple[str, int]:
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

    def _part_value(self, table: Table, place: int) -> float:
        part = self._deck.part(table["display_parts"][place])
        values = [self._slot_value(table.factory, part, slot) for slot in free_slots(table.factory)]
        return BEANS * (NUM_DAYS + 1 - table.day) * max(values)

    def _slot_value(self, factory: tuple[Part, ...], part: Part, slot: int) -> float:
        """What the part on that slot adds to a bean's value, plus a little for pieces that do not reach it yet."""
        rebuilt = (*factory[:slot], part, *factory[slot + 1 :])
        covered = factory[slot]
        idle = part.idle_gain - (covered.idle_gain if covered.function else 0.0) - (covered.function == Function.CHUTE)
        return bean_value(rebuilt) - bean_value(factory) + IDLE * idle + 0.001 * (slot % NUM_TILES)

    def _employee_value(self, table: Table, store: int) -> float:
        """The value of the effect, and of the store given what the factory makes."""
        effect, amount = self._deck.effect(table["display_employees"][store])
        each = ALONE if store == EXPANSION_DECK else {}
        if effect in each or effect == "coal":
            value = each.get(effect, COAL) * amount
        else:
            value = EFFECTS[effect] * (1 + MORE * (amount - 1)) if amount else 0.0
        if store == EXPANSION_DECK:
            return value
        track = table.tracks[store]
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

    def _made(self, table: Table) -> set[int]:
        """The kinds that the factory can make from beans."""
        brought = {BEAN}
        for both in ABOVE_AND_BELOW:
            for part in [table.factory[slot] for slot in both] * 2:
                brought |= part.products(brought)
        return brought

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
        for kind in self._legal(mask, "chute"):
            if kind in self._needed_in_room(table):
                return "chute", kind
        return "end_shift", 0

    def _left_values(self, table: Table, slot: int | None, tile: int, prices: Sequence[float]) -> list[float]:
        """The value of pieces on the tile after a use of the part on the slot."""
        last = table.last_tile[tile]
        values = list(prices)
        if tile < last:
            values = belt_values(table.factory, prices, table.coal_price, tile + 1, last)
        for other in ABOVE_AND_BELOW[tile]:
            if other != slot and table.factory[other].function and not table.operated[other]:
                values = table.factory[other].uses(values, table.coal_price)
        return values

    def _best_use(self, table: Table, mask: np.ndarray, prices: Sequence[float]) -> tuple[float, int]:
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

    def _best_carrying(self, table: Table, slot: int, tile: int, prices: Sequence[float]) -> tuple[float, int, int]:
        """The best carry from the tile: its gain, the kind of piece, and the target tile."""
        here = self._left_values(table, slot, tile, prices)
        there = [here if other == tile else self._left_values(table, slot, other, prices) for other in TILES]
        kinds = [kind for kind in KINDS if table.belt[tile][kind]]
        return max(
            ((there[other][kind] - here[kind], kind, other) for kind in kinds for other in TILES if other != tile),
            default=(0.0, 0, 0),
        )

    def _needed_in_room(self, table: Table) -> set[int]:
        """The refined kinds that open stages and today's store want more of than the store room holds."""
        wanted = [0] * len(KINDS)
        for _, _, pieces, _ in table.open_stages:
            wanted = [a + b for a, b in zip(wanted, pieces, strict=True)]
        store = self._store_prices(table)
        return {kind for kind in REFINED if wanted[kind] > table.room[kind] or store[kind] > 1.0}

    def _helps_now(self, table: Table, prices: Sequence[float]) -> bool:
        """Packers and Decorators wait for a good tile or the last shift; Operators carry needed pieces to the Chute."""
        last = table.shift >= SHIFTS
        if table.effect == "double_tile":
            return last or max(tile_value(tile, prices) for tile in table.belt) >= 6
        if table.effect == "upgrade_piece":
            return last or max(best_upgrade(tile, prices)[0] for tile in table.belt) >= 1.5
        return last and self._tile_to_move_from(table) is not None

    def _chute_tile(self, table: Table) -> int | None:
        return next(
            (slot % NUM_TILES for slot, part in enumerate(table.factory) if part.function == Function.CHUTE), None
        )

    def _tile_to_move_from(self, table: Table) -> int | None:
        """A tile out of the Chute's reach with a piece that is needed in the store room."""
        needed, chute = self._needed_in_room(table), self._chute_tile(table)
        if chute is None:
            return None
        tiles = [tile for tile in TILES if tile != chute and any(table.belt[tile][kind] for kind in needed)]
        return tiles[-1] if tiles else None

    # --- phases 4 and 5

    def _fulfil(self, table: Table, mask: np.ndarray) -> tuple[str, int]:
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
            table.effect != "skip_stage" or self._order_to_skip(table) is not None
        ):
            return "use_employee", 0
        stores = [store for store in self._legal(mask, "supply") if self._space(table, store) > 0]
        return ("supply", stores[0]) if stores else ("finish_orders", 0)

    def _choose_rule(self, table: Table, legal: list[int]) -> int:
        """The store whose rule moves the marker furthest."""
        earned = table.own("earned_today")
        return max(legal, key=lambda store: table.rules[store].most_spaces(table.room, earned))

    def _current_pay(self, table: Table) -> dict[int, int]:
        return {order: pay for order, behind, _, pay in table.open_stages if behind == 0}

    def _order_to_skip(self, table: Table) -> int | None:
        """The order whose next stage pays least, if a better stage follows it."""
        longer = {order for order, behind, _, _ in table.open_stages if behind == 1}
        pay = self._current_pay(table)
        return min(longer, key=pay.__getitem__) if longer else None

    def _agents(self, table: Table, mask: np.ndarray) -> tuple[str, int]:
        stores = self._legal(mask, "supply")
        if not stores:
            return "finish_orders", 0
        return "supply", min(stores, key=table.tracks.__getitem__)

    def _cleanup(self, table: Table, mask: np.ndarray) -> tuple[str, int]:
        if self._legal(mask, "finish_cleanup"):
            return "finish_cleanup", 0
        prices = self._prices(table, [max(number - 1, 0) for number in table.room])
        return "trade", min(self._legal(mask, "trade"), key=prices.__getitem__)

    def _replace(self, table: Table, mask: np.ndarray) -> tuple[str, int]:
        """The order that pays most for its work, among those that can be done in the days left."""
        days_left = NUM_DAYS + 1 - table.day
        made, have = self._made(table), self._holdings(table)

        def value(size: int) -> float:
            stages = list(table.stages_of(table["offer"][size]))
            asked = [sum(pieces[kind] for pieces, _ in stages) for kind in REFINED]
            work = sum(
                (number - AT_HAND * min(number, have[kind])) * PIECE_VALUES[kind] * (1.0 if kind in made else 2.0)
                for kind, number in zip(REFINED, asked, strict=True)
            )
            fits: float = min(1.0, days_left * WORK_A_DAY / work)
            gain: float = sum(pay for _, pay in stages) + COMPLETED
            needed = 2.0 if table.solo and table.sizes_missing[size] else 1.0
            return float(needed * gain / (work + 1.0) * fits)

        return "choose_order", max(self._legal(mask, "choose_order"), key=value)

    # --- what is under way

    def _continue(self, task: Task, table: Table, mask: np.ndarray) -> tuple[str, int]:
        verb = next(
            verb
            for verb in ("place_part", "tile", "option", "take", "make", "fulfil", "stop")
            if self._legal(mask, verb)
        )
        legal = self._legal(mask, verb)
        prices = self._prices(table, self._holdings(table))
        if verb == "place_part":
            part = self._deck.part(int(table.task["card"]))
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
            skip = self._order_to_skip(table) if table.effect == "skip_stage" else None
            return verb, skip if skip in legal and skip is not None else max(legal, key=pay.__getitem__)
        return self._choose_take(task, table, legal, bool(self._legal(mask, "stop")), prices)

    def _prices_there(self, table: Table, prices: list[float]) -> list[float]:
        """The prices on the tile in use, if there is one."""
        if table.task["tile"] == NONE:
            return prices
        slot = self._slot(table) if table.task["slot"] != NONE else None
        return self._left_values(table, slot, int(table.task["tile"]), prices)

    def _slot(self, table: Table) -> int:
        return int(table.task["slot"])

    def _tile(self, table: Table) -> list[int]:
        return table.belt[int(table.task["tile"])]

    def _choose_tile(self, task: Task, table: Table, legal: list[int], prices: Sequence[float]) -> int:
        if task == Task.OPERATE_TILE:
            part = table.factory[self._slot(table)]
            own = self._slot(table) % NUM_TILES
            return max(legal, key=lambda tile: use_gain(part, table.belt[tile], prices) - COAL * (tile != own))
        if task == Task.DECORATE_TILE:
            return max(legal, key=lambda tile: best_upgrade(table.belt[tile], prices)[0])
        if task == Task.MOVE_FROM:
            tile = self._tile_to_move_from(table)
            return tile if tile in legal and tile is not None else legal[-1]
        if task == Task.MOVE_TO and table.task["slot"] != NONE:
            kind, here = int(table.task["last_take"]), int(table.task["tile"])
            return max(
                legal, key=lambda tile: self._left_values(table, self._slot(table), tile, prices)[kind] - (tile == here)
            )
        if task == Task.MOVE_TO:
            chute = self._chute_tile(table)
            return chute if chute in legal and chute is not None else legal[-1]
        return max(legal, key=lambda tile: tile_value(table.belt[tile], prices))

    def _choose_make(self, task: Task, table: Table, legal: list[int], prices: Sequence[float]) -> int:
        """Choose all products and name the first, since they must be named in the order of kinds."""
        if task == Task.UPGRADE_MAKE:
            return max(legal, key=prices.__getitem__)
        have = self._holdings(table)
        chosen = []
        for _ in range(table.task["left"]):
            prices = self._prices_there(table, self._prices(table, have))
            chosen.append(max(legal, key=prices.__getitem__))
            have[chosen[-1]] += 1
        return min(chosen)

    def _choose_take(
        self, task: Task, table: Table, legal: list[int], may_stop: bool, prices: Sequence[float]
    ) -> tuple[str, int]:
        if task == Task.UPGRADE_TAKE:
            gain, kind = max((upgrade_gain(kind, prices), kind) for kind in legal)
            return ("take", kind) if gain > 0 or not may_stop else ("stop", 0)
        if task in (Task.REPEAT_TAKE, Task.LEAVE_OUT):
            return "take", max(legal, key=prices.__getitem__)
        if task == Task.CONVERT_TAKE and any(
            table.task["open"][symbol] for _, symbol in table.factory[self._slot(table)].carries
        ):
            _, kind, _ = self._carrying(table, self._prices(table, self._holdings(table)))
            return "take", kind if kind in legal else legal[0]
        if task == Task.CONVERT_TAKE:
            return "take", min(legal, key=prices.__getitem__)
        if task in (Task.REACH_TAKE, Task.MOVE_TAKE):
            needed = [kind for kind in legal if kind in self._needed_in_room(table)]
            if needed or not may_stop:
                return "take", needed[0] if needed else min(legal, key=prices.__getitem__)
            return "stop", 0
        if task == Task.GIVE_STORE and table.rules[self._rule_under_way(table)].pattern == Pattern.ONE_KIND:
            return "take", max(legal, key=table.room.__getitem__)
        return "take", legal[0]

    def _carrying(self, table: Table, prices: Sequence[float]) -> tuple[float, int, int]:
        """`_best_carrying` of the part in use."""
        return self._best_carrying(table, self._slot(table), int(table.task["tile"]), prices)

    def _rule_under_way(self, table: Table) -> int:
        """The store whose rule the delivery follows."""
        return int(table.task["rule_of"])


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


def option_gain(option: tuple[Kinds, Kinds], tile: Sequence[int], prices: Sequence[float]) -> float:
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
    return value_of(option[1], prices) - given


def free_slots(factory: Sequence[Part]) -> list[int]:
    """See `slots_that_differ`."""
    return slots_that_differ([not part.function for part in factory])
