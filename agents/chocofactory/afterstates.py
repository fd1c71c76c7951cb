"""A network that sees what each legal action would change, by the compiled rules and evaluation.

`ChocolateFactory.afterstates` says the afterstates. A trunk reads the observation and the features of the position. One
small layer, the same for all actions, reads the changes that an action makes and answers the trunk with a logit.
B = rows, L = legal actions of all rows, A = actions, F = features, S = bytes seen of a row.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn

from chocofactory_env import Game, RowRules

from ..networks.network import Code, Network, Output, actions_of, begin_even, names_of, numbers_of
from ..networks.threads import fill_shares, shares_of

SHARPER: Final = 4.0  # changes are small beside the features themselves


class AfterstateNetwork(Network):
    """For all variants of the solo game, or of several players. Without `rules`, the deck is the one accepted last.

    width: of an action's layers. trunk: of its second layer; the first has twice as much.
    """

    kind = "afterstates"
    reads_cards = True
    scale: Tensor

    def __init__(self, game: Game, width: int = 64, trunk: int = 128) -> None:
        super().__init__()
        self._signature = self.signature(game)
        self._width, self._trunk = width, trunk
        self._views: dict[int, View] = {}  # by the sizes of what they see, before and after `see`
        self.accept(game)
        after = game.afterstates()  # type: ignore[attr-defined]  # of Chocolate Factory
        features = after.features
        self.register_buffer("scale", torch.from_numpy(after.room.scale), persistent=False)
        sizes = after.room.size + features, 2 * trunk
        self.body = nn.Sequential(nn.Linear(*sizes), nn.ReLU(), nn.Linear(2 * trunk, trunk), nn.ReLU())
        self.policy = nn.Linear(trunk, game.num_actions)
        self.changes = nn.Linear(features, width)
        self.context = nn.Linear(trunk, width, bias=False)
        self.of_action = nn.Embedding(game.num_actions, width)
        self.answer = nn.Sequential(nn.Linear(width, width), nn.ReLU())
        self.query = nn.Linear(trunk, width)
        self.value = nn.Linear(trunk, 1)
        nn.init.zeros_(self.of_action.weight)
        for layer in (self.policy, self.query):
            begin_even(layer)

    def signature(self, game: Game) -> dict[str, Any]:
        """Every block for which there is room, and what features are computed by."""
        after = game.afterstates()  # type: ignore[attr-defined]  # of Chocolate Factory
        return {"actions": actions_of(game), "evaluation": after.evaluation, **names_of(self.codes(game))} | {
            block.name: [list(block.shape), block.high, list(block.entries)] for block in after.room.blocks
        }

    def codes(self, game: Game) -> Mapping[str, Code]:
        """The features, which the trunk reads after the observation."""
        after = game.afterstates()  # type: ignore[attr-defined]  # of Chocolate Factory
        return {"features": Code(after.names, {"body.0.weight": after.room.size, "changes.weight": 0}, after.names)}

    def accept(self, game: Game) -> None:
        super().accept(game)
        view = View(game)
        self._views[view.raw_size] = self._views[view.seen_size] = view

    def settings(self) -> dict[str, Any]:
        return {"kind": self.kind, "width": self._width, "trunk": self._trunk}

    def see(self, raw: Tensor, rules: RowRules | None = None) -> Tensor:
        """(B, S) uint8 of (B, R): raw observations, and the afterstates of each."""
        view = self._views[raw.shape[1]]
        return raw if raw.shape[1] == view.seen_size else view.see(raw, rules)

    def size_seen(self, game: Game) -> int:
        size: int = self._views[game.observation_layout.raw_size].seen_size
        return size

    def forward(self, raw: Tensor) -> Output:
        """Takes what `see` gives, too."""
        seen = self.see(raw)
        view = self._views[seen.shape[1]]
        after = view.afterstates
        observed = view.in_room(seen) * self.scale
        now, actions = seen[:, view.raw_size :].tensor_split([after.features], dim=1)
        trunk = self.body(torch.cat([observed, now.view(torch.int8) / after.present_steps], -1))
        actions = torch.unflatten(actions, 1, (after.actions, -1))  # (B, M, 1 + F)
        rows, places = actions[..., 0].nonzero(as_tuple=True)  # (L,)
        numbers = actions[rows, places, 0].long() - 1
        changes = actions[rows, places, 1:].view(torch.int8) / after.change_steps
        hidden = self.changes(changes * SHARPER) + self.context(trunk)[rows] + self.of_action(numbers)
        answers = self.answer(hidden.relu())  # (L, W)
        logits = (answers * self.query(trunk)[rows]).sum(-1) / self._width**0.5
        policy = self.policy(trunk)
        policy = policy.index_put((rows, numbers), logits.to(policy.dtype), accumulate=True)
        return Output(policy, self.value(trunk).squeeze(-1))


class View:
    """How observations of one variant are seen.

    raw_size, seen_size: R and S.
    """

    def __init__(self, game: Game) -> None:
        layout = game.observation_layout
        self.afterstates = game.afterstates()  # type: ignore[attr-defined]  # of Chocolate Factory
        self.raw_size, self.seen_size = layout.raw_size, layout.raw_size + self.afterstates.size
        self._narrow = 2 * layout.size - layout.raw_size
        self._room, self._places = self.afterstates.room.size, torch.from_numpy(self.afterstates.places)

    def see(self, raw: Tensor, rules: RowRules | None) -> Tensor:
        """(B, S) of (B, R)."""
        rules = rules or self.afterstates.rules(len(raw))
        observed = np.ascontiguousarray(raw.cpu().numpy())
        after = np.empty((len(raw), self.afterstates.size), np.uint8)
        shares = shares_of(len(raw), torch.get_num_threads())
        fill_shares(self.afterstates.fill, [(observed[share], after[share], rules.of(share)) for share in shares])
        return torch.cat([raw, torch.from_numpy(after).to(raw.device)], 1)

    def in_room(self, seen: Tensor) -> Tensor:
        """(B, O of the room), of (B, S): the numbers observed, where all variants have them."""
        numbers = numbers_of(seen[:, : self.raw_size], self._narrow).float()
        room = numbers.new_zeros(len(seen), self._room)
        self._places = self._places.to(seen.device)
        return room.index_copy(1, self._places, numbers)
