"""What pieces are worth on a factory's tiles, and what is given for them: against plain computations."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pytest
import torch
from chocofactory_games import load
from torch import Tensor

import chocofactory_env as cf
from agents.chocofactory import demands
from agents.chocofactory import piece_values as module
from agents.chocofactory.greedy import SeenTable
from agents.chocofactory.piece_values import OF_FACTORY, piece_values
from agents.networks import threads as threads_module
from chocofactory_env.games.chocofactory.vocabulary import (
    EMPLOYEE_ENTRIES,
    KINDS_OF_SYMBOL,
    NUM_STORES,
    NUM_TILES,
    PART_ENTRIES,
    REFINED,
    UPGRADED_KINDS,
    Function,
    Kind,
    Pattern,
)

KINDS = len(Kind)
EVERY = pytest.mark.parametrize("options", [{"num_players": 1}, {"num_players": 3}], ids=["solo", "three"])


def seen_in(game: cf.Game, number: int = 16, every: int = 9) -> cf.Tensors:
    """Raw observations of random games, by block."""
    batch = cf.make_batch(game, number, scaled=False)
    step, choose = batch.reset(seed=3), cf.LegalSampler(3)
    raw = []
    for at in range(300):
        if at % every == 0:
            raw.append(step.observations.copy())
        step = batch.step(choose(step.action_masks))
    return game.observation_layout.tensors(np.concatenate(raw))


def inputs_of(seen: cf.Tensors, rows: list[int], heads: int = 2) -> list[Tensor]:
    """Of `piece_values`, with random prices and clocks; the display's parts are the others."""
    random = np.random.default_rng(5)
    parts = np.concatenate([seen["factories"][rows, 0], seen["display_parts"][rows]], 1)
    clock = np.stack([random.integers(4, size=len(rows)), *random.integers(2, size=(2, len(rows)))], 1)
    return [
        torch.from_numpy(parts),
        torch.from_numpy(random.integers(2, size=(len(rows), 8)).astype(np.uint8)),
        torch.from_numpy(clock.astype(np.int32)),
        torch.from_numpy(random.uniform(0, 3, (len(rows), heads, 2, KINDS)).astype(np.float32)),
        torch.from_numpy(random.uniform(0, 0.5, (len(rows), heads)).astype(np.float32)),
    ]


class Way:
    """The same values by plain recursion, piece by piece."""

    def __init__(self, parts: np.ndarray, operated: np.ndarray, clock: np.ndarray, prices: np.ndarray, coal: float):
        self.parts = [dict(zip(PART_ENTRIES, row.tolist(), strict=True)) for row in parts]
        self.operated, self.prices, self.coal = operated, prices, coal
        self.pushes, self.running, self.last = clock.tolist()
        self.kept, self.best, self.used = map(lru_cache(None), (self._kept, self._best, self._used))

    def _kept(self, tile: int, level: int, kind: int) -> float:
        if tile == NUM_TILES - 1 or (self.last and level >= self.pushes):
            onward = self.price(level + 1, kind)
        else:
            onward = self.best(tile + 1, level + 1, kind)
        chute = any(self.parts[slot]["function"] == Function.CHUTE for slot in (tile, tile + NUM_TILES))
        return max(onward, self.price(level, kind)) if chute else onward

    def price(self, level: int, kind: int) -> float:
        return float(self.prices[0 if self.last or level <= self.pushes else 1, kind])

    def works(self, slot: int, level: int) -> bool:
        return level > 0 or bool(self.running and not self.operated[slot])

    def _best(self, tile: int, level: int, kind: int) -> float:
        slots = [slot for slot in (tile, tile + NUM_TILES) if self.works(slot, level)]
        return max([self.kept(tile, level, kind), *(self.used(slot, level, kind) for slot in slots)])

    def _used(self, slot: int, level: int, kind: int) -> float:
        """By the slot's part, after which the other one may use what it has made."""
        other = (slot + NUM_TILES) % (2 * NUM_TILES)
        worth = [self.kept(slot % NUM_TILES, level, each) for each in range(KINDS)]
        if self.works(other, level):
            worth = [max(kept, self.use(self.parts[other], each, worth)) for each, kept in enumerate(worth)]
        return self.use(self.parts[slot], kind, worth)

    def use(self, part: dict[str, int], kind: int, worth: list[float]) -> float:
        cost = part["cost"] * self.coal
        if part["function"] == Function.REPEATER:
            return worth[kind] * (1 + part["amount"]) - cost
        if part["function"] == Function.UPGRADER:
            reached: set[int] = set()
            front = {kind}
            for _ in range(part["amount"]):
                front = {after for before in front for after in UPGRADED_KINDS[before]}
                reached |= front
            return max((worth[after] - cost for after in reached), default=-1e4)
        if part["function"] != Function.CONVERTER:
            return -1e4
        values = [-1e4]
        for option in ("option 1", "option 2"):
            takes, makes = (
                [KINDS_OF_SYMBOL[symbol - 1] for name, symbol in part.items() if f"{option} {what}" in name and symbol]
                for what in ("take", "make")
            )
            if any(kind in each for each in takes):
                values.append((sum(max(worth[one] for one in each) for each in makes) - cost) / len(takes))
        return max(values)


@EVERY
def test_values_are_those_of_a_plain_recursion(options: dict[str, Any]) -> None:
    seen = seen_in(load(**options))
    rows = list(range(0, len(seen["day"]), 20))
    inputs = inputs_of(seen, rows)
    parts, operated, clock, prices, coal = (each.numpy() for each in inputs)
    found = piece_values(*inputs).numpy()
    for row in range(len(rows)):
        for head in range(prices.shape[1]):
            way = Way(parts[row], operated[row], clock[row], prices[row, head], float(coal[row, head]))
            values = found[row, head]
            for kind in range(KINDS):
                for tile in range(NUM_TILES):
                    kept = way.kept(tile, 0, kind)
                    assert values[tile, kind] == pytest.approx(kept, abs=1e-4)
                    assert values[NUM_TILES + tile, kind] == pytest.approx(way.best(tile, 0, kind), abs=1e-4)
                    worth = [way.kept(tile, 0, each) for each in range(KINDS)]
                    for place, part in enumerate(way.parts[8:]):
                        gain = max(way.use(part, kind, worth) - kept, 0)
                        assert values[OF_FACTORY + place * NUM_TILES + tile, kind] == pytest.approx(gain, abs=1e-4)
                for slot in range(2 * NUM_TILES):
                    gain = max(way.used(slot, 0, kind) - way.kept(slot % NUM_TILES, 0, kind), 0)
                    busy = way.running and operated[row, slot]
                    assert values[2 * NUM_TILES + slot, kind] == pytest.approx(0 if busy else gain, abs=1e-4)


def test_gradients_are_those_of_small_steps() -> None:
    """The values are linear in the prices between kinks, so almost all small steps do as the gradient says."""
    seen = seen_in(load(num_players=1))
    parts, operated, clock, prices, coal = inputs_of(seen, list(range(0, len(seen["day"]), 3)))
    prices, coal = prices.requires_grad_(), coal.requires_grad_()
    torch.manual_seed(4)
    values = piece_values(parts, operated, clock, prices, coal)
    weights = torch.randn_like(values)
    torch.autograd.backward((values * weights).sum())
    to_prices, to_coal = torch.randn_like(prices), torch.randn_like(coal)
    step = 1e-3
    with torch.no_grad():
        ahead, back = (
            piece_values(parts, operated, clock, prices + sign * to_prices, coal + sign * to_coal)
            for sign in (step, -step)
        )
    assert prices.grad is not None
    assert coal.grad is not None
    found = ((ahead - back).double() * weights / (2 * step)).sum((1, 2, 3))
    expected = (prices.grad * to_prices).sum((1, 2, 3)) + (coal.grad * to_coal).sum(1)
    close = torch.isclose(found, expected.double(), rtol=0.02, atol=0.2)
    assert close.float().mean() > 0.8
    assert expected.abs().max() > 1


def test_its_operators_are_what_torch_expects() -> None:
    """Shapes, strides and gradients of the compiled code, as `torch.compile` relies on them."""
    parts, operated, clock, prices, coal = inputs_of(seen_in(load(num_players=1)), [0, 9, 30])
    prices = prices.transpose(2, 3).contiguous().transpose(2, 3).requires_grad_()  # strides as in the network
    # The checks that compare outputs are left out: ways that no piece can take are not filled.
    checks = ("test_schema", "test_autograd_registration", "test_faketensor")
    inputs = (parts, operated, clock, prices, coal.requires_grad_(), True)
    assert set(torch.library.opcheck(module._values, inputs, test_utils=checks).values()) == {"SUCCESS"}


def test_threads_share_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = inputs_of(seen_in(load(num_players=1)), list(range(0, 400, 3)))
    found = []
    for threads, fewest in ((1, 1), (3, 20)):
        monkeypatch.setattr(torch, "get_num_threads", lambda count=threads: count)
        monkeypatch.setattr(threads_module, "FEWEST_ROWS_A_THREAD", fewest)
        prices, coal = (each.clone().requires_grad_() for each in inputs[3:])
        parts, operated, clock = inputs[:3]
        values = piece_values(parts, operated, clock, prices, coal)
        values.square().sum().backward()  # type: ignore[no-untyped-call]  # torch's
        found.append([values.detach(), piece_values(*inputs), prices.grad, coal.grad])
    assert len(threads_module.shares_of(len(inputs[0]), 3)) == 3
    assert all(map(torch.equal, *found))


@EVERY
def test_demands_of_stages_are_those_of_the_open_stages(options: dict[str, Any]) -> None:
    game = load(**options)
    seen = seen_in(game)
    room = torch.from_numpy(seen["store_rooms"][:, 0, -len(REFINED) :].astype(np.float32))
    orders, pays, done = (
        torch.from_numpy(seen[name][:, 0].astype(np.float32)) for name in ("orders", "order_pay", "order_stage")
    )
    stages = demands.stages_of(orders, pays, done, room)
    found = demands.demands_of_stages(stages).numpy()
    highs = {block.name: 1 for block in game.observation_layout.blocks}
    for row in range(0, len(room), 5):
        table = SeenTable({name: block[row] for name, block in seen.items()}, highs)
        expected = np.zeros((KINDS, 3))
        for _, before, wanted, pay in table.open_stages:
            lacking = [max(want - have, 0) for want, have in zip(wanted, table.room, strict=True)]
            for kind in range(KINDS):
                if before == 0 and lacking[kind]:
                    expected[kind, 0] = max(expected[kind, 0], pay / sum(wanted))
                    expected[kind, 1] = max(expected[kind, 1], pay / sum(lacking))
                    expected[kind, 2] += lacking[kind]
        assert found[row, :, :3] == pytest.approx(expected[KINDS - len(REFINED) :] / demands.POUNDS, abs=1e-5)


def test_demands_of_stores_and_cards_are_those_of_their_rules() -> None:
    game = load(num_players=1)
    seen = seen_in(game)
    tensors = {name: torch.from_numpy(block.astype(np.float32)) for name, block in seen.items()}
    missing = tensors["steps_needed"] - tensors["tracks"][:, 0]
    spaces = demands.spaces_of_kinds(tensors["store_rules"])
    stores = demands.demands_of_stores(spaces, tensors["employees"][:, 0], tensors["supplied"][:, 0], missing).numpy()
    room = tensors["store_rooms"][:, 0, KINDS - len(REFINED) :]
    cards = demands.demands_of_cards(tensors["chocolate_orders"], room).numpy()
    highs = {block.name: 1 for block in game.observation_layout.blocks}
    double = EMPLOYEE_ENTRIES.index("double_supply")
    for row in range(0, len(room), 5):
        table = SeenTable({name: block[row] for name, block in seen.items()}, highs)
        for place, kind in enumerate(REFINED):
            by_store = [
                rule.spaces[kind] / rule.per if kind in rule.accepted and rule.per else 0.0 for rule in table.rules
            ]
            today = 0.0 if table.store is None else by_store[table.store]
            today *= max(1, seen["employees"][row, 0, double])
            asked = [float(missing[row, store] > 0) for store in range(NUM_STORES)]
            anywhere = max(worth * wanted for worth, wanted in zip(by_store, asked, strict=True))
            of_asked = 0.0 if table.store is None else today * asked[table.store]
            assert stores[row, place] == pytest.approx([today, of_asked, anywhere])
        for card, asks in enumerate(seen["chocolate_orders"][row].tolist()):
            number, pattern, *kinds, delivered = asks
            held = room[row].tolist()
            for place in range(len(REFINED)):
                wanted = kinds[place] if pattern == Pattern.EXACT_MIX + 1 else number
                have = sum(have for have, kind in zip(held, kinds, strict=True) if kind)
                have = held[place] if pattern == Pattern.EXACT_MIX + 1 else have
                lacks = not delivered and kinds[place] and have < wanted
                assert cards[row, card, place] == pytest.approx(1 / number if lacks else 0)
