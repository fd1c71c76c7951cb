"""The entity network: built of what Chocolate Factory is made of (slots of a factory, orders, stores, kinds of pieces).

B = rows, P = players, A = actions, O = size of an observation, W = width of an entity, T = width of the trunk,
K = kinds of pieces.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from math import prod
from types import MappingProxyType
from typing import Any, Final, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from chocofactory_env import Game, ObservationLayout
from chocofactory_env.games.chocofactory.vocabulary import (
    CHOCOLATE_ORDER_ENTRIES,
    EMPLOYEE_ENTRIES,
    MAX_STAGES,
    NUM_DAYS,
    NUM_SYMBOLS,
    RULE_ENTRIES,
    SHIFTS,
    TRACK_END,
    Effect,
    Function,
    Pattern,
    Phase,
    Store,
    words_of,
)

from ..networks.network import Code, Network, Output, actions_of, begin_even, names_of
from ..settings import Within
from . import demands
from .piece_values import OF_FACTORY, piece_values

PER_PLAYER: Final = (
    "to_move",
    "start_player",
    "drafted",
    "factories",
    "belts",
    "store_rooms",
    "coal",
    "money",
    "orders",
    "order_pay",
    "order_stage",
    "completed",
    "tracks",
    "arrivals",
    "supplied",
    "employees",
    "earned_today",
)  # blocks whose first axis are the players, the observer first
BY_CARD: Final = ("open_boxes", "chocolate_orders")  # whose first axis are the solo game's cards
ENTITIES_OF_PLAYERS: Final = ("factories", "orders", "order_pay", "order_stage")
OTHER_ENTITIES: Final = (
    "task_part",
    "display_parts",
    "display_employees",
    "store_rules",
    "new_rules",
    "extra_employee",
    "offer",
    "offer_pay",
    *BY_CARD,
)
GROWS_WITH_PLAYERS: Final = "arrivals"  # its highest value is the number of players
# What each verb's actions speak of; the others are answered by the trunk alone.
SPEAKS_OF: Final = {
    "draft_part": "display",
    "draft_employee": "employees",
    "place_part": "slots",
    "operate": "slots",
    "assign": "slots",
    "take": "kinds",
    "make": "kinds",
    "chute": "kinds",
    "trade": "kinds",
    "tile": "tiles",
    "fulfil": "orders",
    "deliver": "chocolate_orders",
    "supply": "stores",
    "choose_order": "offers",
}
SYMBOLS: Final = NUM_SYMBOLS  # a part's symbols are numbered from 1
FUNCTIONS: Final = len(Function)  # nothing, and those of a part
FIRST_FUNCTION: Final = 2  # of the columns of a part; cost and amount come before
FIRST_FUNCTIONS: Final = ("nothing", "converter", "upgrader", "repeater", "chute")  # in files that name none
PATTERNS: Final = len(Pattern) + 1  # none, and the nine of a rule
STAGES: Final = MAX_STAGES + 1  # completed stages of an order


class EntityNetwork(Network):
    """Shared encoders of parts, orders, players, stores, kinds and tiles; logits tied to what actions speak of.

    width: of an entity. trunk: of its layers. rounds: of attention, in which entities meet before the trunk reads them.
    prices: sets of prices that it makes of the kinds of pieces; by each it sees what pieces are worth on the own tiles.

    Raises:
        ValueError: the width cannot be divided among the heads of a round.

    Nothing depends on how many players there are, so one network plays with 2, 3 and 4. What a part, a store or an
    order is comes from what it does, so it plays other decks too. The solo game has blocks of its own.
    """

    kind = "entity"
    sizes = MappingProxyType({"rounds": Within(0, 64), "prices": Within(1, 1024)})
    tile_of_slot: Tensor
    each_kind: Tensor
    each_tile: Tensor
    each_store: Tensor
    stages_of_offers: Tensor

    def __init__(self, game: Game, width: int = 64, trunk: int = 256, rounds: int = 0, prices: int = 4) -> None:
        super().__init__()
        layout = game.observation_layout
        self._signature = self.signature(game)
        self._verbs = game.action_layout.verbs
        self._width, self._trunk_width, self._rounds, self._prices = width, trunk, rounds, prices
        self._layouts: dict[int, Layout] = {}
        self.accept(game)
        blocks = {block.name: block for block in layout.blocks}
        self._solo = "chocolate_orders" in blocks
        self._more_rules = "new_rules" in blocks
        self._size_of_demands = demands.OF_STAGES + demands.OF_STORES + (demands.OF_CARDS if self._solo else 0)
        self._makes = PartFeatures(blocks["factories"].entries)
        self._make_encoders(layout, width)
        self._make_rounds(width, rounds, prices)
        self._make_heads(game, width, trunk)

    def _make_encoders(self, layout: ObservationLayout, width: int) -> None:
        blocks = {block.name: block for block in layout.blocks}
        tiles, kinds = blocks["belts"].shape[1:]
        slots = blocks["factories"].shape[1]
        stages, refined = blocks["orders"].shape[2:]
        self.register_buffer("tile_of_slot", one_each(tiles).repeat(slots // tiles, 1), persistent=False)
        self.register_buffer("each_kind", one_each(kinds), persistent=False)
        self.register_buffer("each_tile", one_each(tiles), persistent=False)
        stores = blocks["store_rules"].shape[0]
        self.register_buffer("each_store", one_each(stores), persistent=False)
        self.register_buffer("stages_of_offers", stages_of_offers(stages), persistent=False)
        self.part = nn.Linear(self._makes.size, width)
        self.slot = Encoder(width + kinds + tiles + 3, width)
        self.display = Encoder(width + 1, width)
        self.order = Encoder(stages * refined + stages + STAGES + 1 + kinds, width)
        self.own_order = nn.Linear(2 * refined + 4, width)
        rule = blocks["store_rules"].shape[1] + PATTERNS + (blocks["new_rules"].shape[1] if self._more_rules else 0)
        employee = blocks["display_employees"].shape[1]
        self.store = Encoder(rule + employee + 1 + 6 + stores + 2 + kinds + (1 if self._solo else 0), width)
        self.kind_of_piece = Encoder(2 * kinds + 3 + tiles + self._size_of_demands, width)
        self.tile = Encoder(kinds + 1 + tiles, width)
        self.offered = Encoder(stages * (refined + 1), width)
        scalars = sum(prod(blocks[name].shape[1:]) for name in scalars_of_players(layout))
        self.player = Encoder(scalars + 3 * width, width)

    def _make_rounds(self, width: int, rounds: int, prices: int) -> None:
        kinds, tiles = self.each_kind.shape[0], self.each_tile.shape[0]
        self.mix = nn.ModuleList([Round(width) for _ in range(rounds)])
        self.price = nn.Linear(width, 2 * prices)
        self.coal_price = nn.Linear(3, prices)
        self.slot_values = nn.Linear(prices * (2 * kinds + 2), width)
        self.display_values = nn.Linear(prices * tiles * kinds, width)
        self.kind_values = nn.Linear(prices * (tiles + 5), width)
        self.tile_values = nn.Linear(prices * (kinds + 1), width)

    def _make_heads(self, game: Game, width: int, trunk: int) -> None:
        blocks = {block.name: block for block in game.observation_layout.blocks}
        employee = blocks["display_employees"].shape[1]
        kinds = self.each_kind.shape[0]
        self._globals = [name for name in blocks if name not in (*PER_PLAYER, *OTHER_ENTITIES)]
        trunk_in = sum(blocks[name].size for name in self._globals) + 11 * width + 2 * kinds
        if self._solo:
            card = blocks["chocolate_orders"].shape[1]
            self.chocolate_order = Encoder(card + PATTERNS + kinds, width)
            self.open_box = nn.Linear(blocks["open_boxes"].shape[1], width)
            trunk_in += 2 * width
        if self._more_rules:
            self.extra = Encoder(employee + 1, width)
            trunk_in += width
        self.trunk = nn.Sequential(nn.Linear(trunk_in, trunk), nn.ReLU(), nn.Linear(trunk, trunk), nn.ReLU())
        spoken = sorted((verb for verb, _ in self._verbs if verb in SPEAKS_OF), key=SPEAKS_OF.__getitem__)
        self.query = nn.Linear(trunk, len(spoken) * width)
        self.policy = nn.Linear(trunk, game.num_actions)
        self.value = nn.Sequential(nn.Linear(trunk, 2 * width), nn.GELU(), nn.Linear(2 * width, 1))
        self._spoken = [(entity, list(verbs)) for entity, verbs in groupby(spoken, SPEAKS_OF.__getitem__)]
        begin_even(self.query)
        begin_even(self.policy)

    def signature(self, game: Game) -> dict[str, Any]:
        """Blocks as they are, but for how many players and how many of the solo game's cards there are.

        By block: the shape (of one player's, of one card's), the highest value, the names of the entries.
        """
        return {"actions": actions_of(game), **names_of(self.codes(game))} | {
            block.name: [
                list(block.shape[1:] if block.name in (*PER_PLAYER, *BY_CARD) else block.shape),
                None if block.name == GROWS_WITH_PLAYERS else block.high,
                list(block.entries),
            ]
            for block in game.observation_layout.blocks
        }

    def codes(self, game: Game) -> Mapping[str, Code]:
        return {"functions": Code(words_of(Function), {"part.weight": FIRST_FUNCTION}, FIRST_FUNCTIONS)}

    def accept(self, game: Game) -> None:
        super().accept(game)
        self._layouts[game.observation_layout.raw_size] = Layout(game.observation_layout)

    def settings(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "width": self._width,
            "trunk": self._trunk_width,
            "rounds": self._rounds,
            "prices": self._prices,
        }

    def forward(self, raw: Tensor) -> Output:
        see = Seen(self._layouts[raw.shape[1]], raw)
        own_room = see["store_rooms"][:, 0]  # (B, K)
        slot, display, task_part, parts = self._parts(see)
        order = self._orders(see)
        player = self.player(torch.cat([see.scalars_of_players(), slot.mean(2), slot.amax(2), order.mean(2)], -1))
        own, others = player[:, 0], player[:, 1:]
        if see.layout.players == 1:
            others = torch.zeros_like(player)
        asked, of_orders = self._demands(see)
        entities = {
            "slots": slot[:, 0],
            "orders": order[:, 0] + self.own_order(of_orders).relu(),
            "stores": self.store(self._stores(see, own_room)),
            "kinds": self._kinds(see, own_room, asked),
            "tiles": self._tiles(see),
        }
        if self._solo:
            entities["chocolate_orders"] = self._chocolate_orders(see, own_room)
        entities = self._meet(entities)
        entities["display"] = display
        self._add_values(see, parts, entities)
        entities["employees"] = entities["stores"]
        entities["offers"] = offers = self._offers(see)
        pooled = [
            *(see[name].flatten(1) for name in self._globals),
            own,
            others.mean(1),
            others.amax(1),
            (entities["slots"] * see["task_slot"].unsqueeze(-1)).sum(1),  # the part in use
            task_part,
            entities["display"].mean(1),
            entities["stores"].mean(1),
            offers.mean(1),
            entities["slots"].mean(1),
            entities["orders"].amax(1),
            entities["kinds"].mean(1),
            own_room,
            see["belts"][:, 0].sum(1),
        ]
        if self._solo:
            pooled += [entities["chocolate_orders"].mean(1), self.open_box(see["open_boxes"]).relu().sum(1)]
        if self._more_rules:
            extra = self.extra(torch.cat([see["extra_employee"], see["extra_packet"]], -1))
            entities["employees"] = torch.cat([entities["stores"], extra.unsqueeze(1)], 1)
            pooled.append(extra)
        trunk = self.trunk(torch.cat(pooled, -1))
        return Output(self._logits(trunk, entities), self.value(trunk).squeeze(-1))

    def _demands(self, see: Seen) -> tuple[Tensor, Tensor]:
        """(B, K, D): what is given for one more piece of each kind; (B, orders, F): what each own order lacks."""
        room = see.raw("store_rooms")[:, 0].float()
        refined = room[:, room.shape[1] - see.raw("orders").shape[-1] :]
        stages = demands.stages_of(
            see.raw("orders")[:, 0].float(), see.raw("order_pay")[:, 0].float(), see.raw("order_stage")[:, 0], refined
        )
        tracks = see.raw("tracks")[:, 0].float()
        missing = (see.raw("steps_needed").float() if self._solo else TRACK_END) - tracks
        of_stores = demands.demands_of_stores(
            demands.spaces_of_kinds(see.raw("store_rules").float()),
            see.raw("employees")[:, 0].float(),
            see["supplied"][:, 0],
            missing,
        )
        asked = [demands.demands_of_stages(stages), of_stores]
        if self._solo:
            of_cards = demands.demands_of_cards(see.raw("chocolate_orders").float(), refined)
            asked.append(torch.stack([of_cards.amax(1), of_cards.sum(1)], -1))
        unrefined = room.shape[1] - refined.shape[1]
        of_orders = torch.cat([stages.missing, stages.later, stages.pay, stages.number / demands.POUNDS], -1)
        return functional.pad(torch.cat(asked, -1), (0, 0, unrefined, 0)), of_orders

    def _meet(self, entities: dict[str, Tensor]) -> dict[str, Tensor]:
        """The entities, (B, n, W) each, after rounds in which each attends to all."""
        if not self._rounds:
            return entities
        tokens = torch.cat(list(entities.values()), 1)
        for each in self.mix:
            tokens = each(tokens)
        split = torch.split(tokens, [entity.shape[1] for entity in entities.values()], 1)
        return dict(zip(entities, split, strict=True))

    def _add_values(self, see: Seen, parts: Tensor, entities: dict[str, Tensor]) -> None:
        """Add to slots, display, kinds and tiles what pieces are worth there, by prices that kinds have."""
        tiles = self.each_tile.shape[0]
        slots = self.tile_of_slot.shape[0]
        # (B, K, 2 H): of each set, for what gets to the store room today, and later.
        prices = functional.softplus(self.price(entities["kinds"]))
        prices = torch.unflatten(prices, -1, (-1, 2)).permute(0, 2, 3, 1)
        context = torch.stack([see["coal"][:, 0], see["day"][:, 0], see["shift"][:, 0]], -1)
        coal = functional.softplus(self.coal_price(context) - 1)  # (B, H)
        values = piece_values(parts, see.raw("operated"), see.clock(), prices, coal)  # (B, H, rows, K)
        kept, best, gain, others = torch.split(values, [tiles, tiles, slots, values.shape[2] - OF_FACTORY], 2)
        display, placed = torch.split(torch.unflatten(others, 2, (-1, tiles)), [entities["display"].shape[1], 1], 2)
        here = see.raw("belts")[:, :1]  # (B, 1, tiles, K)
        there = here.repeat(1, 1, slots // tiles, 1)
        of_slots = [
            gain,
            placed[:, :, 0].repeat(1, 1, slots // tiles, 1),
            (gain * (there > 0)).amax(-1, keepdim=True),
            (gain * there).sum(-1, keepdim=True) / 4,
        ]
        of_tiles = [best, (best * here).sum(-1, keepdim=True) / 4]
        of_kinds = [
            prices,
            best,
            (kept * see["task_tile"][:, None, :, None]).sum(2, keepdim=True),
            (best * see["task_tile"][:, None, :, None]).sum(2, keepdim=True),
            (gain * see["task_slot"][:, None, :, None]).sum(2, keepdim=True),
        ]
        found = {
            "slots": self.slot_values(torch.cat(of_slots, -1).transpose(1, 2).flatten(2)),
            "tiles": self.tile_values(torch.cat(of_tiles, -1).transpose(1, 2).flatten(2)),
            "kinds": self.kind_values(torch.cat(of_kinds, 2).permute(0, 3, 1, 2).flatten(2)),
            "display": self.display_values(display.transpose(1, 2).flatten(2)),
        }
        for name, each in found.items():
            entities[name] = (entities[name] + each).relu()

    def _parts(self, see: Seen) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Encoded: all slots, (B, P, slots, W); the display, (B, display, W); the part to be placed, (B, W).

        And the own parts, the display's and this one as they are, (B, slots + display + 1, F).
        """
        players, tiles = see.layout.players, self.each_tile.shape[0]
        parts = see.raw("factories").flatten(1, 2)  # (B, P * slots, F)
        slots = parts.shape[1] // players
        parts = torch.cat([parts, see.raw("display_parts"), see.raw("task_part").unsqueeze(1)], 1)
        shown = [*range(slots), *range(players * slots, parts.shape[1])]
        counts = [players * slots, parts.shape[1] - players * slots - 1, 1]
        placed, offered, in_hand = self.part(self._makes(parts)).split(counts, 1)  # (B, n, W) each
        context = torch.cat(
            [
                see["belts"].repeat(1, 1, slots // tiles, 1),
                self.tile_of_slot.expand(len(parts), players, -1, -1),
                see.of_first_player("operated", "assigned", "task_slot"),
            ],
            -1,
        )
        slot = self.slot(torch.cat([placed.unflatten(1, (players, slots)), context], -1))
        display = self.display(torch.cat([offered, see["part_packets"].unsqueeze(-1)], -1))
        return slot, display, in_hand.squeeze(1).relu(), parts[:, shown]

    def _orders(self, see: Seen) -> Tensor:
        """(B, P, orders, W)"""
        features = [
            see["orders"].flatten(3),
            see["order_pay"],
            one_hot(see.raw("order_stage"), STAGES),
            see.of_first_player("task_order")[:, :, : see.layout.orders],
            see["store_rooms"].unsqueeze(2).expand(-1, -1, see.layout.orders, -1),
        ]
        return cast(Tensor, self.order(torch.cat(features, -1)))

    def _offers(self, see: Seen) -> Tensor:
        """(B, sizes, W): the orders that are offered."""
        stage = torch.cat([see["offer"], see["offer_pay"].unsqueeze(-1)], -1)
        stages = functional.pad(stage, (0, 0, 0, 1))[:, self.stages_of_offers]
        return cast(Tensor, self.offered(stages.flatten(2)))

    def _kinds(self, see: Seen, own_room: Tensor, asked: Tensor) -> Tensor:
        """(B, K, W): what there is of each kind of piece, and what the own orders want of it."""
        kinds = self.each_kind.shape[0]
        wanted = see["orders"][:, 0].sum((1, 2))  # (B, refined)
        wanted = functional.pad(wanted, (kinds - wanted.shape[1], 0))
        features = [
            self.each_kind.expand(len(own_room), -1, -1),
            own_room.unsqueeze(1).expand(-1, kinds, -1),
            own_room.unsqueeze(-1),
            see["task_given"].unsqueeze(-1),
            wanted.unsqueeze(-1),
            see["belts"][:, 0].transpose(1, 2),
            asked,
        ]
        return cast(Tensor, self.kind_of_piece(torch.cat(features, -1)))

    def _tiles(self, see: Seen) -> Tensor:
        """(B, tiles, W)"""
        belt = see["belts"][:, 0]
        features = [belt, see["task_tile"].unsqueeze(-1), self.each_tile.expand(len(belt), -1, -1)]
        return cast(Tensor, self.tile(torch.cat(features, -1)))

    def _stores(self, see: Seen, own_room: Tensor) -> Tensor:
        """(B, stores, F): what each store takes, who stands where, and the employee that comes with it."""
        stores = self.each_store.shape[0]
        rules = see["store_rules"]
        tracks, arrivals = see["tracks"], see["arrivals"]  # (B, P, stores)
        others = tracks[:, 1:] if see.layout.players > 1 else torch.zeros_like(tracks)
        features = [
            rules,
            one_hot(see.raw("store_rules")[..., see.layout.pattern], PATTERNS),
            see["display_employees"],
            see["employee_packets"].unsqueeze(-1),
            tracks[:, 0].unsqueeze(-1),
            others.amax(1).unsqueeze(-1),
            others.mean(1).unsqueeze(-1),
            arrivals[:, 0].unsqueeze(-1),
            arrivals.amax(1).unsqueeze(-1),
            see["supplied"][:, 0].unsqueeze(-1),
            self.each_store.expand(len(rules), -1, -1),
            see["task_store"].unsqueeze(-1),
            see["employees"][:, 0, see.layout.store_of_employee].unsqueeze(-1),
            own_room.unsqueeze(1).expand(-1, stores, -1),
        ]
        if self._more_rules:
            features.append(see["new_rules"])
        if self._solo:
            features.append(see["steps_needed"].unsqueeze(-1))
        return torch.cat(features, -1)

    def _chocolate_orders(self, see: Seen, own_room: Tensor) -> Tensor:
        cards = see["chocolate_orders"]
        pattern = one_hot(see.raw("chocolate_orders")[..., see.layout.pattern_of_order], PATTERNS)
        room = own_room.unsqueeze(1).expand(-1, cards.shape[1], -1)
        return cast(Tensor, self.chocolate_order(torch.cat([cards, pattern, room], -1)))

    def _logits(self, trunk: Tensor, entities: Mapping[str, Tensor]) -> Tensor:
        """(B, A): what the trunk says of each action, and how well what it speaks of answers the verb's query."""
        alone = self.policy(trunk).split([count for _, count in self._verbs], -1)
        queries = self.query(trunk).unflatten(-1, (-1, self._width)).split([len(verbs) for _, verbs in self._spoken], 1)
        answers: dict[str, Tensor] = {}
        for (name, verbs), asked in zip(self._spoken, queries, strict=True):
            if name in entities:
                of_all = products(asked, entities[name]) / self._width**0.5  # (B, verbs, n)
                answers.update(zip(verbs, of_all.unbind(1), strict=True))
        logits = [
            of_verb + functional.pad(answers[verb], (0, count - answers[verb].shape[1])) if verb in answers else of_verb
            for (verb, count), of_verb in zip(self._verbs, alone, strict=True)
        ]
        return torch.cat(logits, -1)


def products(queries: Tensor, entities: Tensor) -> Tensor:
    """(B, q, n): of (B, q, W) and (B, n, W). One query is multiplied out: on a CPU its gradient then takes a third."""
    if queries.shape[1] == 1:
        return (queries * entities).sum(-1).unsqueeze(1)
    return queries @ entities.transpose(1, 2)


class Encoder(nn.Sequential):
    """Two layers, the same for all entities of a sort."""

    def __init__(self, size: int, width: int) -> None:
        super().__init__(nn.Linear(size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())


class Round(nn.Module):
    """Attention among entities, then two layers for each; both added to what was there."""

    HEADS: Final = 2

    def __init__(self, width: int) -> None:
        super().__init__()
        if width % self.HEADS:
            raise ValueError(f"width: expected a multiple of {self.HEADS} where there are rounds, got {width}")
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.ask = nn.Linear(width, 3 * width)  # queries, keys and values
        self.answer = nn.Linear(width, width)
        self.think = nn.Sequential(nn.Linear(width, 2 * width), nn.ReLU(), nn.Linear(2 * width, width))

    def forward(self, tokens: Tensor) -> Tensor:
        """(B, n, W) to (B, n, W)"""
        asked = self.ask(self.before(tokens)).unflatten(-1, (3, self.HEADS, -1)).permute(2, 0, 3, 1, 4)
        query, key, value = asked.unbind(0)  # (B, heads, n, W / heads)
        # Written out: on a CPU it takes less time than torch's own function, whose blocks are for longer sequences.
        weights = (query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5).softmax(-1)
        heard = weights @ value
        tokens = tokens + self.answer(heard.transpose(1, 2).flatten(2))
        return tokens + cast(Tensor, self.think(self.between(tokens)))


class PartFeatures:
    """From a part's numbers to features: cost and amount, its function, and of each option how many of each symbol."""

    def __init__(self, entries: tuple[str, ...]) -> None:
        names = list(entries)
        self._cost, self._function, self._amount = (names.index(name) for name in ("cost", "function", "amount"))
        groups: dict[str, list[int]] = {}
        for at, name in enumerate(names):
            if name.startswith("option"):
                groups.setdefault(name.rpartition(" ")[0], []).append(at)
        self._groups = [(places[0], places[-1] + 1) for places in groups.values()]
        self.size = FIRST_FUNCTION + FUNCTIONS + SYMBOLS * len(groups)

    def __call__(self, parts: Tensor) -> Tensor:
        """(..., F) raw numbers to (..., size) float32."""
        numbers = parts[..., (self._cost, self._amount)] / 10.0
        function = one_hot(parts[..., self._function], FUNCTIONS)
        symbol = torch.arange(1, SYMBOLS + 1, dtype=parts.dtype, device=parts.device)
        counts = [
            (parts[..., first:end, None] == symbol).sum(-2, dtype=torch.uint8) / 2.0 for first, end in self._groups
        ]
        return torch.cat([numbers, function, *counts], -1)


def one_hot(numbers: Tensor, count: int) -> Tensor:
    """(...) raw numbers to (..., count) bool."""
    return numbers.unsqueeze(-1) == torch.arange(count, dtype=numbers.dtype, device=numbers.device)


class Layout:
    """Where the blocks of one layout lie, and what the encoders need to know of it."""

    def __init__(self, layout: ObservationLayout) -> None:
        self.places = {
            block.name: (int(at), block.size, block.shape)
            for block, at in zip(layout.blocks, layout.offsets, strict=True)
        }
        self.scale = torch.from_numpy(layout.scale.copy())
        blocks = {block.name: block for block in layout.blocks}
        self.players = blocks["to_move"].shape[0]
        self.pattern = RULE_ENTRIES.index("pattern + 1")
        self.pattern_of_order = CHOCOLATE_ORDER_ENTRIES.index("pattern + 1")
        first = EMPLOYEE_ENTRIES.index(words_of(Store)[0])
        self.store_of_employee = slice(first, first + len(Store))
        self.orders = blocks["orders"].shape[1]
        self.scalars = scalars_of_players(layout)


def scalars_of_players(layout: ObservationLayout) -> list[str]:
    """The blocks that describe each player, apart from parts and orders."""
    return [block.name for block in layout.blocks if block.name in PER_PLAYER and block.name not in ENTITIES_OF_PLAYERS]


def one_each(count: int) -> Tensor:
    """(count, count) float32: ones on the diagonal. By NumPy, since `torch.eye` is slow where it only makes shapes."""
    return torch.from_numpy(np.eye(count, dtype=np.float32))


def stages_of_offers(most: int) -> Tensor:
    """(sizes, most) int64: where the stages of a small, medium and large order stand among all; past the end: none."""
    total = most * (most + 1) // 2
    first = 0
    rows = []
    for count in range(1, most + 1):
        rows.append([*range(first, first + count), *[total] * (most - count)])
        first += count
    return torch.tensor(rows)


class Seen:
    """The blocks of a batch of observations, by name, scaled to 0 to 1 unless asked for as they are."""

    def __init__(self, layout: Layout, raw: Tensor) -> None:
        self.layout = layout
        self._raw = raw
        self._scaled = raw * layout.scale.to(raw.device)

    def __len__(self) -> int:
        return len(self._raw)

    def clock(self) -> Tensor:
        """(B, 3) int32: pushes left today, whether parts may be operated, whether it is the last day."""
        shift, phase = self.raw("shift")[:, 0].int(), self.raw("phase")
        running = phase[:, int(Phase.RUN)].int()
        shifts = SHIFTS + self.raw("employees")[:, 0, int(Effect.MORE_SHIFTS)].int()
        ahead = (shifts - shift) * (running | phase[:, int(Phase.DRAFT)])
        return torch.stack([ahead, running, (self.raw("day")[:, 0] == NUM_DAYS).int()], -1)

    def raw(self, name: str) -> Tensor:
        """(B, *shape) as they are, unscaled."""
        return self._block(self._raw, name)

    def __getitem__(self, name: str) -> Tensor:
        """(B, *shape) float32."""
        return self._block(self._scaled, name)

    def _block(self, flat: Tensor, name: str) -> Tensor:
        at, size, shape = self.layout.places[name]
        return flat.narrow(1, at, size).view(len(flat), *shape)

    def of_first_player(self, *names: str) -> Tensor:
        """(B, P, n, len(names)): blocks (n,) that describe the observer's n; the other players' are 0."""
        own = torch.stack([self[name] for name in names], -1).unsqueeze(1)
        return functional.pad(own, (0, 0, 0, 0, 0, self.layout.players - 1))

    def scalars_of_players(self) -> Tensor:
        """(B, P, F): all that is seen of each player, apart from entities."""
        return torch.cat(
            [
                self[name].flatten(2) if self[name].dim() > 2 else self[name].unsqueeze(-1)
                for name in self.layout.scalars
            ],
            -1,
        )
