"""A network that sees what each legal action would change, by the compiled rules and evaluation.

`ChocolateFactory.afterstates` computes them from positions. A trunk reads the observation and the features of now.
One small layer, the same for all actions, reads the changes that an action makes and answers the trunk with a logit.
B = rows, L = legal actions of all rows, A = actions, F = features, S = bytes seen of a row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from chocofactory_env import Game, RowRules

from ..networks.network import CODES, Network, Output, actions_of, begin_even, blocks_of, dtype_of_passes, joined
from ..networks.threads import fill_shares, shares_of

SHARPER: Final = 4.0  # changes are small beside the features themselves


class AfterstateNetwork(Network):
    """For all variants of the solo game, or of several players. Without `rules`, the deck is the one accepted last.

    width: of an action's layers. trunk: of its second layer; the first has twice as much.
    """

    kind = "afterstates"

    def __init__(self, game: Game, width: int = 64, trunk: int = 128) -> None:
        super().__init__()
        self._signature = self.signature(game)
        self._width, self._trunk = width, trunk
        self._views: dict[int, View] = {}  # by raw and seen size
        self._kept: dict[View, tuple[object, tuple[Tensor, Tensor]]] = {}  # scaled weights, and of which state
        self.accept(game)
        after = game.afterstates()  # type: ignore[attr-defined]  # of Chocolate Factory
        features = after.features
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
        codes = {"features": list(after.names)}
        return {"actions": actions_of(game), "evaluation": after.evaluation, CODES: codes, **blocks_of(after.room)}

    def codes(self, game: Game) -> Mapping[str, Mapping[str, int]]:
        """The features, which the trunk reads after the observation."""
        after = game.afterstates()  # type: ignore[attr-defined]  # of Chocolate Factory
        return {"features": {"body.0.weight": after.room.size, "changes.weight": 0}}

    def accept(self, game: Game) -> None:
        super().accept(game)
        view = View(game)
        self._views[view.raw_size] = self._views[view.seen_size] = view

    def widen(self, narrow: Network) -> None:
        super().widen(narrow)
        before: int = narrow.settings()["width"]
        with torch.no_grad():
            for query in self.query.parameters():
                query[:before] *= (self._width / before) ** 0.5  # by which `forward` divides
                query[before:] = 0

    def settings(self) -> dict[str, Any]:
        return {"kind": self.kind, "width": self._width, "trunk": self._trunk}

    def see(
        self,
        raw: Tensor,
        states: np.ndarray,
        seats: np.ndarray,
        rules: RowRules | None = None,
        out: Tensor | None = None,
    ) -> Tensor:
        """(B, S) uint8: raw observations, and the afterstates of each decision."""
        return self._views[raw.shape[1]].see(raw, states, seats, rules, out)

    def size_seen(self, game: Game) -> int:
        size: int = self._views[game.observation_layout.raw_size].seen_size
        return size

    def forward(self, *seen: Tensor) -> Output:
        after, dtype = self._views[seen[0].shape[1]].afterstates, dtype_of_passes(seen[0].device)
        trunk = self.body[1:](joined([self._first_layer(each) for each in seen]))
        rows, actions = (every_of if self.fixed else legal_of)(seen, after.actions, 1 + after.features)
        codes, changes = actions[:, 0].long(), actions[:, 1:].view(torch.int8).to(dtype)
        numbers = (codes - 1).clamp_min(0) if self.fixed else codes - 1
        weight = self.changes.weight * (SHARPER / after.change_steps)
        hidden = functional.linear(changes, weight, self.changes.bias)
        hidden = hidden + self.context(trunk).index_select(0, rows) + self.of_action(numbers)
        answers = self.answer(hidden.relu())  # (L, W)
        logits = (answers * self.query(trunk).index_select(0, rows)).sum(-1) / self._width**0.5
        if self.fixed:
            logits = logits.masked_fill(codes == 0, 0)
        policy = self.policy(trunk)
        policy = policy.index_put((rows, numbers), logits.to(policy.dtype), accumulate=True)
        return Output(policy, self.value(trunk).squeeze(-1))

    def _first_layer(self, seen: Tensor) -> Tensor:
        """(B, H) of (B, S), before the activation."""
        view, dtype = self._views[seen.shape[1]], dtype_of_passes(seen.device)
        observed, now, _ = seen.tensor_split([view.raw_size, view.raw_size + view.afterstates.features], dim=1)
        first: Any = self.body[0]
        of_bytes, of_features = self._scaled(view, first.weight)
        trunk = functional.linear(observed.to(dtype), of_bytes, first.bias)
        return trunk + functional.linear(now.view(torch.int8).to(dtype), of_features)

    def _scaled(self, view: View, weight: Tensor) -> tuple[Tensor, Tensor]:
        """`View.weights`, kept between passes in inference mode: for one row they cost as much as all else."""
        if self.fixed or not torch.is_inference_mode_enabled() or weight.is_inference():
            self._kept.clear()  # the weight may change now, and fused optimisers do not count it as a new version
            return view.weights(weight)
        state = weight.data_ptr(), weight._version
        if view not in self._kept or self._kept[view][0] != state:
            self._kept[view] = state, view.weights(weight)
        return self._kept[view][1]


def legal_of(seen: Sequence[Tensor], most: int, size: int) -> tuple[Tensor, Tensor]:
    """The legal actions of all rows: their rows, (L,), and their bytes, (L, size), at the end of `seen`."""
    rows, actions, before = [], [], 0
    for part in seen:
        wide = part.shape[1]
        of_part, places = part[:, wide - most * size :].view(-1, most, size)[:, :, 0].nonzero(as_tuple=True)
        first = (of_part + 1) * wide + (places - most) * size
        every = part.contiguous().view(-1).unfold(0, size, 1)  # the bytes from each one on; nothing is copied
        rows.append(of_part + before)
        actions.append(every.index_select(0, first))
        before += len(part)
    return joined(rows), joined(actions)


def every_of(seen: Sequence[Tensor], most: int, size: int) -> tuple[Tensor, Tensor]:
    """As `legal_of`, but of all places for actions, so that L is fixed; the first byte of an unused one is 0."""
    actions = joined([part[:, part.shape[1] - most * size :].reshape(-1, size) for part in seen])
    return torch.arange(len(actions) // most, device=actions.device).unsqueeze(1).expand(-1, most).flatten(), actions


class View:
    """How observations of one variant are seen.

    raw_size, seen_size: R and S.
    """

    def __init__(self, game: Game) -> None:
        layout = game.observation_layout
        self.afterstates = game.afterstates()  # type: ignore[attr-defined]  # of Chocolate Factory
        self.raw_size, self.seen_size = layout.raw_size, layout.raw_size + self.afterstates.size
        room, places = self.afterstates.room, self.afterstates.places  # all entries take one byte
        self._room, self._places = room.size, torch.from_numpy(places)
        self._scale = torch.from_numpy(self.afterstates.scale)

    def see(
        self, raw: Tensor, states: np.ndarray, seats: np.ndarray, rules: RowRules | None, out: Tensor | None
    ) -> Tensor:
        """(B, S), as `AfterstateNetwork.see`."""
        rules = rules or self.afterstates.rules(len(raw))
        seen = torch.empty((len(raw), self.seen_size), dtype=torch.uint8) if out is None else out
        seen[:, : self.raw_size] = raw
        shares = shares_of(len(raw), torch.get_num_threads())
        of_rows = seen.numpy()
        fill_shares(self._fill, [(states[rows], seats[rows], rules.of(rows), of_rows[rows]) for rows in shares])
        return seen

    def _fill(self, states: np.ndarray, seats: np.ndarray, rules: RowRules, seen: np.ndarray) -> None:
        """Write the afterstates into `seen`, (B, S) uint8, after the observations."""
        after = np.empty((len(states), self.afterstates.size), np.uint8)  # contiguous, as the compiled code expects
        self.afterstates.fill(states, seats, after, rules)
        seen[:, self.raw_size :] = after

    def weights(self, weight: Tensor) -> tuple[Tensor, Tensor]:
        """The first layer's weights for unscaled bytes: (H, R) for raw observations, (H, F) for features.

        weight: (H, O of the room + F). Scaling weights is cheaper than scaling a batch.
        """
        with torch.inference_mode(False):  # else tensors moved to a GPU while acting could not be learned through
            self._places, self._scale = self._places.to(weight.device), self._scale.to(weight.device)
        observed = weight.index_select(1, self._places) * self._scale
        return observed, weight[:, self._room :] / self.afterstates.present_steps
