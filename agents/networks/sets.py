"""Networks over sets of entities: a shared encoder for each sort, pooled into a trunk; logits tied to entities.

What the sorts of a game are: `entities.entities_of`. B = rows, P = players, W = width of an entity,
A = actions, S = bytes that are seen of an observation.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from chocofactory_env import Game, RowRules

from ..settings import Within
from .entities import PLAYERS, Entities, entities_of
from .inputs import Columns, Inputs, joined, stacked
from .network import Code, Network, Output, actions_of, begin_even, names_of
from .pooling import Answer, Answers, Pool, Pools


class Own(NamedTuple):
    """Where the observer's entities of a sort are among those of its encoder."""

    encoder: int
    first: int
    length: int


class SetsNetwork(Network):
    """Encoders of entities, pooled; `width` of an entity, `trunk` of its first layer.

    Nothing depends on how many entities a sort has, so one network plays with any number of players.

    Raises:
        ValueError: the game has no entities, see `entities_of`.
    """

    kind = "sets"
    sizes = MappingProxyType({"trunk": Within(2, 2**16)})  # its second layer has half of it

    def __init__(self, game: Game, width: int = 32, trunk: int = 192) -> None:
        super().__init__()
        self._signature = self.signature(game)
        self._width, self._trunk = width, trunk
        self._views: dict[int, View] = {}
        self.accept(game)
        view = self._views[game.observation_layout.raw_size]
        self.encoders = nn.ModuleDict(
            {
                name: Encoder(columns + (len(view.pools_of_players.table) * width if name == PLAYERS else 0), width)
                for name, columns in view.columns.items()
                if name != ALONE
            }
        )
        self.alone = nn.Linear(view.columns[ALONE], trunk)
        self.pooled = nn.Linear(len(view.pools.table) * width, trunk, bias=False)
        self.body = nn.Sequential(nn.ReLU(inplace=True), nn.Linear(trunk, trunk // 2), nn.ReLU(inplace=True))
        self.query = nn.Linear(trunk // 2, len(view.queries) * width)
        self.policy = nn.Linear(trunk // 2, game.num_actions)
        self.value = nn.Sequential(nn.Linear(trunk // 2, 2 * width), nn.ReLU(inplace=True), nn.Linear(2 * width, 1))
        begin_even(self.query)
        begin_even(self.policy)

    @classmethod
    def signature(cls, game: Game) -> dict[str, Any]:
        """Blocks as they are, but for how many players there are."""
        entities = entities_of(game)
        return {"actions": actions_of(game), **names_of(entities.codes)} | {
            block.name: [
                list(block.shape[1:] if block.name in entities.free_axes else block.shape),
                None if block.name in entities.free_highs else block.high,
                list(block.entries),
            ]
            for block in game.observation_layout.blocks
        }

    @classmethod
    def codes(cls, game: Game) -> Mapping[str, Code]:
        return entities_of(game).codes

    def accept(self, game: Game) -> None:
        super().accept(game)
        view = View(game, entities_of(game))
        self._views[view.raw_size] = self._views[view.seen_size] = view

    def settings(self) -> dict[str, Any]:
        return {"kind": self.kind, "width": self._width, "trunk": self._trunk}

    def see(self, raw: Tensor, rules: RowRules | None = None) -> Tensor:
        """(B, S) uint8 of (B, R): raw observations and the bytes that are computed from them, once for each."""
        view = self._views[raw.shape[1]]
        if view.compute is None or raw.shape[1] == view.seen_size:
            return raw
        computed = torch.from_numpy(view.compute(raw.cpu().numpy()))
        return torch.cat([raw, computed.to(raw.device)], 1)

    def size_seen(self, game: Game) -> int:
        return self._views[game.observation_layout.raw_size].seen_size

    def forward(self, raw: Tensor) -> Output:
        """Takes what `see` gives, too."""
        seen = self.see(raw)
        view = self._views[seen.shape[1]].to(seen.device)
        inputs = dict(zip(view.columns, view.inputs(seen), strict=True))
        entities = [self.encoders[name](inputs[name]) for name in view.encoders]
        of_players = view.pools_of_players(entities, seen).flatten(2)
        entities.append(self.encoders[PLAYERS](torch.cat([inputs[PLAYERS], of_players], -1)))
        pooled = view.pools(entities, seen).flatten(1)
        trunk = self.body(self.alone(inputs[ALONE].flatten(1)) + self.pooled(pooled))
        queries = torch.unflatten(self.query(trunk) / self._width**0.5, -1, (-1, self._width))
        return Output(view.answers(self.policy(trunk), queries, entities), self.value(trunk).squeeze(-1))


class Encoder(nn.Sequential):
    """Two layers, the same for all entities of a sort."""

    def __init__(self, size: int, width: int) -> None:
        super().__init__(nn.Linear(size, width), nn.ReLU(inplace=True), nn.Linear(width, width), nn.ReLU(inplace=True))

    def forward(self, inputs: Tensor) -> Tensor:
        """(B, n, W) of (B, n, k). Flat within: what works in place on a view is copied when it is differentiated."""
        encoded = inputs.flatten(0, 1)
        for layer in self:
            encoded = layer(encoded)
        return encoded.view(*inputs.shape[:2], -1)


ALONE = "alone"


class View(nn.Module):
    """How observations of one layout are read: the inputs of each encoder, and what becomes of its entities.

    columns: of each encoder, of PLAYERS and of ALONE. encoders: those of entities, in the order in which pools and
    answers number them; the players come after them. queries: the verbs that ask, in order.
    """

    def __init__(self, game: Game, entities: Entities) -> None:
        super().__init__()
        self.raw_size = game.observation_layout.raw_size
        self.seen_size = self.raw_size + sum(block.size * (1 + block.wide) for block in entities.computed)
        self.compute = entities.compute
        flat: dict[str, list[Columns]] = {}
        own: dict[str, Own] = {}
        for name, sort in entities.sorts.items():
            columns = sort.columns.flat()
            before = flat.setdefault(sort.encoder, [])
            encoder, first = list(flat).index(sort.encoder), sum(len(each.at) for each in before)
            own[name] = Own(encoder, first, sort.columns.at.shape[1 if sort.by_player else 0])
            before.append(columns)
        if list(flat)[-1] != PLAYERS:
            raise ValueError(f"expected the sort {PLAYERS!r} last, got {list(flat)}")
        sorts = {name: stacked(each) for name, each in flat.items()} | {ALONE: joined(entities.alone)}
        self.columns = {name: columns.at.shape[-2] for name, columns in sorts.items()}
        self.encoders = [name for name in flat if name != PLAYERS]
        self.inputs = Inputs([*sorts.values()])
        self._describe_pools(entities, own)
        self._describe_answers(game, entities, own)

    def _describe_pools(self, entities: Entities, own: Mapping[str, Own]) -> None:
        sorts = entities.sorts
        encoder, _, players = own[PLAYERS]
        by_player = [own[name] for name, sort in sorts.items() if sort.by_player]
        self.pools_of_players = Pools(
            [Pool(each.encoder, way, each.first, each.length) for each in by_player for way in ("mean", "most")],
            players=players,
        )
        pools = [Pool(encoder, "mean", 0, 1), *(Pool(encoder, way, 1, players - 1) for way in ("mean", "most"))]
        for name, sort in sorts.items():
            if not sort.by_player and name != PLAYERS:
                pools.append(Pool(own[name].encoder, "mean", own[name].first, own[name].length))
        flags: list[int] = []
        for name, sort in sorts.items():
            if sort.focus is not None:
                pools.append(Pool(own[name].encoder, "in use", own[name].first, len(sort.focus), len(flags)))
                flags += sort.focus.tolist()
        self.pools = Pools(pools, flags)

    def _describe_answers(self, game: Game, entities: Entities, own: Mapping[str, Own]) -> None:
        verbs, speaks_of = game.action_layout.verbs, entities.speaks_of
        self.queries = sorted((verb for verb, _ in verbs if verb in speaks_of), key=speaks_of.__getitem__)
        answers, action = [], 0
        for verb, count in verbs:
            if verb in speaks_of and speaks_of[verb] in own:
                encoder, first, most = own[speaks_of[verb]]
                answers.append(Answer(encoder, self.queries.index(verb), first, min(count, most), action))
            action += count
        self.answers = Answers(answers)
