"""Networks over sets of entities: a shared encoder for each sort, pooled into a trunk; logits tied to entities.

What the sorts of a game are: `entities.entities_of`. B = rows, P = players, W = width of an entity,
A = actions, S = bytes that are seen of an observation.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from types import MappingProxyType
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from chocofactory_env import Game

from ..settings import Within
from .entities import PLAYERS, Entities, entities_of
from .inputs import Columns, Inputs, joined, stacked
from .network import Code, Network, Output, actions_of, begin_even, names_of


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
        entities = entities_of(game)
        view = self._views[game.observation_layout.raw_size]
        self.encoders = nn.ModuleDict(
            {
                name: Encoder(inputs.shape[-1] + (2 * width * len(view.by_player) if name == PLAYERS else 0), width)
                for name, inputs in view.inputs.items()
                if name != ALONE
            }
        )
        pooled = 3 + len(view.shared) + len(view.focus)
        self.alone = nn.Linear(view.inputs[ALONE].shape[-1], trunk)
        self.pooled = nn.Linear(pooled * width, trunk, bias=False)
        self.body = nn.Sequential(nn.ReLU(), nn.Linear(trunk, trunk // 2), nn.ReLU())
        self._verbs = game.action_layout.verbs
        spoken = sorted(
            (verb for verb, _ in self._verbs if verb in entities.speaks_of), key=entities.speaks_of.__getitem__
        )
        self._spoken = [(name, list(verbs)) for name, verbs in groupby(spoken, entities.speaks_of.__getitem__)]
        self.query = nn.Linear(trunk // 2, len(spoken) * width)
        self.policy = nn.Linear(trunk // 2, game.num_actions)
        self.value = nn.Sequential(nn.Linear(trunk // 2, 2 * width), nn.ReLU(), nn.Linear(2 * width, 1))
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
        view = View(entities_of(game), game.observation_layout.raw_size)
        self._views[view.raw_size] = self._views[view.seen_size] = view

    def settings(self) -> dict[str, Any]:
        return {"kind": self.kind, "width": self._width, "trunk": self._trunk}

    def see(self, raw: Tensor) -> Tensor:
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
        entities: dict[str, Tensor] = {}
        for name, encoder in self.encoders.items():
            if name != PLAYERS:
                encoded = encoder(view.inputs[name](seen))
                entities |= dict(zip(view.names[name], encoded.split(view.counts[name], 1), strict=True))
        pooled = self._players(view, entities, seen)
        pooled += [entities[name].mean(1) for name in view.shared]
        for name, places in view.focus.items():
            own = entities[name]
            pooled.append((own[:, : len(places)] * seen[:, places].unsqueeze(-1)).sum(1))
        trunk = self.body(self.alone(view.inputs[ALONE](seen).flatten(1)) + self.pooled(torch.cat(pooled, -1)))
        return Output(self._logits(trunk, entities), self.value(trunk).squeeze(-1))

    def _players(self, view: View, entities: dict[str, Tensor], seen: Tensor) -> list[Tensor]:
        """The observer, and mean and most of the others, (B, W) each; leaves the observer's own in `entities`."""
        parts = [view.inputs[PLAYERS](seen)]
        for name in view.by_player:
            each = torch.unflatten(entities[name], 1, (view.players, -1))  # (B, P, n, W)
            parts += [each.mean(2), each.amax(2)]
            entities[name] = each[:, 0]
        players = self.encoders[PLAYERS](torch.cat(parts, -1))
        own, others = players[:, 0], players[:, 1:]
        if view.players == 1:
            others = torch.zeros_like(players)
        return [own, others.mean(1), others.amax(1)]

    def _logits(self, trunk: Tensor, entities: Mapping[str, Tensor]) -> Tensor:
        """(B, A): what the trunk says of each action, and how well what it speaks of answers the verb's query."""
        alone = self.policy(trunk).split([count for _, count in self._verbs], -1)
        queries = torch.unflatten(self.query(trunk) / self._width**0.5, -1, (-1, 1, self._width))
        answers: dict[str, Tensor] = {}
        for (name, verbs), asked in zip(
            self._spoken, torch.split(queries, [len(verbs) for _, verbs in self._spoken], 1), strict=True
        ):
            if name in entities:
                # Written out: on a CPU it takes a third of what products of many small matrices take.
                of_all = (asked * entities[name].unsqueeze(1)).sum(-1)  # (B, verbs, n)
                answers.update(zip(verbs, of_all.unbind(1), strict=True))
        logits = []
        for (verb, count), of_verb in zip(self._verbs, alone, strict=True):
            known = answers[verb][:, :count] if verb in answers else of_verb[:, :0]
            logits.append(of_verb + functional.pad(known, (0, count - known.shape[1])))
        return torch.cat(logits, -1)


class Encoder(nn.Sequential):
    """Two layers, the same for all entities of a sort."""

    def __init__(self, size: int, width: int) -> None:
        super().__init__(nn.Linear(size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())


ALONE = "alone"


class View:
    """How observations of one layout are read."""

    def __init__(self, entities: Entities, raw_size: int) -> None:
        self.raw_size = raw_size
        self.seen_size = raw_size + sum(block.size * (1 + block.wide) for block in entities.computed)
        self.compute = entities.compute
        sorts = entities.sorts
        self.players = len(sorts[PLAYERS].columns.at)
        self.by_player = [name for name, sort in sorts.items() if sort.by_player]
        self.shared = [name for name, sort in sorts.items() if not sort.by_player and name != PLAYERS]
        self.focus = {name: torch.from_numpy(sort.focus) for name, sort in sorts.items() if sort.focus is not None}
        self.names: dict[str, list[str]] = {}
        self.counts: dict[str, list[int]] = {}
        flat: dict[str, list[Columns]] = {}
        for name, sort in sorts.items():
            columns = sort.columns.flat()
            flat.setdefault(sort.encoder, []).append(columns)
            self.names.setdefault(sort.encoder, []).append(name)
            self.counts.setdefault(sort.encoder, []).append(len(columns.at))
        self.inputs = {name: Inputs(stacked(each)) for name, each in flat.items()}
        self.inputs[ALONE] = Inputs(joined(entities.alone))

    def to(self, device: torch.device) -> View:
        if self.inputs[ALONE].base.device != device:
            for inputs in self.inputs.values():
                inputs.to(device)
            self.focus = {name: places.to(device) for name, places in self.focus.items()}
        return self
