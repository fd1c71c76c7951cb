"""Networks that see an observation and give every action a logit and the position a value.

`mlp` takes the flat vector of any game. A game may bring kinds of its own (`NETWORKS` and `NETWORK` in
`agents/<game>/__init__.py`). B = rows, A = actions, O = size of an observation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, Final, NamedTuple

import numpy as np
import torch
from msgspec import Meta
from torch import Tensor, nn
from torch.nn import functional

import chocofactory_env as cf
from chocofactory_env import Game, ObservationLayout, RowRules
from chocofactory_env.core.messages import shortened, shown
from chocofactory_env.core.observation.layout import merged_layout, places_in
from chocofactory_env.core.reading import between

from ..by_game import AGENTS, addition, find
from ..files import check, listed

WIDTH: Final = between(1, 2**16)  # of a layer
MOST_PLAYERS: Final = 64  # more than any game has
CODES: Final = "codes"  # in a signature, by code: the names that inputs stand for, in order


class Output(NamedTuple):
    logits: Tensor  # (B, A) float32, before any mask
    value: Tensor  # (B,) float32


class Network(nn.Module):
    """What all kinds have in common: they take decisions of every layout that they have accepted.

    `forward(*seen)`: (B, S) uint8, as `see` writes them, to `Output`; the layout is known by S. Decisions of several
    layouts share a pass; their rows follow each other in the output.
    """

    kind: str
    fixed = False  # whether shapes inside a pass may depend on B alone, as in a CUDA graph
    sizes: Mapping[str, Meta] = MappingProxyType({})  # ranges of settings that are no widths
    trained_decks: tuple[str, ...] = ()  # names and ranges of decks, if it was trained on several
    _signature: dict[str, Any]

    def accept(self, game: Game) -> None:
        """Take observations of `game` from now on.

        Raises:
            ValueError: they are of another make than those the network was built for; says which blocks differ.
        """
        self.check(self._signature, game)

    def see(
        self,
        raw: Tensor,
        states: np.ndarray,
        seats: np.ndarray,
        rules: RowRules | None = None,
        out: Tensor | None = None,
    ) -> Tensor:
        """(B, S) uint8: what the network reads of B decisions, on the CPU, where games are.

        raw: (B, R) uint8, the raw observations.
        states, seats: (B,) positions, and (B,) int32, who decides in them; -1 where nobody does.
        rules: the game that each row plays, which may differ from the accepted one in the deck; None: that one.
        out: (B, S) uint8 on the CPU to write to, and to return.
        """
        return raw if out is None else out.copy_(raw)

    def size_seen(self, game: Game) -> int:
        """S, for a game that was accepted."""
        return game.observation_layout.raw_size

    def signature(self, game: Game) -> dict[str, Any]:
        """What the game must have in common with the one that the network was built for, JSON-able."""
        raise NotImplementedError

    def codes(self, game: Game) -> Mapping[str, Mapping[str, int]]:
        """Inputs that stand for names, of which a later version of the game may have more.

        By code: the parameters that read them, and the first of their columns in each. The signature has the names.
        """
        return {}

    def check(self, there: Mapping[str, Any], game: Game) -> None:
        """ValueError if a signature is not that of `game`, naming what differs. Codes may have fewer names."""
        here = dict(self.signature(game))
        if CODES in here and fewer(there.get(CODES), here[CODES]):
            there = {**there, CODES: here[CODES]}
        found = [
            f"{shortened(name)}: {shown(there.get(name))} in the network, {shown(here.get(name))} in the game"
            for name in dict.fromkeys([*there, *here])
            if there.get(name) != here.get(name)
        ]
        if found:
            raise ValueError(f"built for other observations or actions: {listed(found, most=5)}")

    def grown(self, there: Mapping[str, Any], game: Game, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """The tensors of a file with this signature, with columns of zeros for names that codes have got since."""
        grown = dict(tensors)
        for code, inputs in self.codes(game).items():
            known, names = there[CODES][code], self.signature(game)[CODES][code]
            places = torch.tensor([names.index(name) for name in known], dtype=torch.long)
            for parameter, first in inputs.items():
                if len(known) < len(names) and parameter in grown:
                    before, named, after = grown[parameter].tensor_split([first, first + len(known)], dim=1)
                    columns = named.new_zeros(len(named), len(names)).index_copy(1, places, named)
                    grown[parameter] = torch.cat([before, columns, after], 1)
        return grown

    def widen(self, narrow: Network) -> None:
        """Take over a narrower network of this kind, and play as it does: its units do not read the new ones yet.

        Raises:
            ValueError: it is of another kind, made for other observations, or not narrower.
        """
        theirs = dict(narrow.named_parameters())
        fits = (narrow.kind, narrow._signature) == (self.kind, self._signature) and all(
            all(one <= other for one, other in zip(theirs[name].shape, mine.shape, strict=True))
            for name, mine in self.named_parameters()
        )
        if not fits:
            raise ValueError(f"network: {self.settings()} cannot take over {narrow.settings()}")
        with torch.no_grad():
            for name, mine in self.named_parameters():
                mine[: len(theirs[name])] = 0
                mine[tuple(map(slice, theirs[name].shape))] = theirs[name]

    def settings(self) -> dict[str, Any]:
        """What `make_network` needs to build it again, JSON-able."""
        raise NotImplementedError


def kinds_for(game: str) -> dict[str, type[Network]]:
    """The kinds of networks for the game of this name."""
    own: Mapping[str, str] = addition(AGENTS, game, "NETWORKS", {})
    return {**{name: find(place, f"{AGENTS}.{game}") for name, place in own.items()}, "mlp": FlatNetwork}


def make_network(game: Game, kind: str | None = None, **settings: int) -> Network:
    """A network for `game`. Kinds of a game's own may serve other variants of it too (`Network.accept`).

    kind: None is what the game's folder names as NETWORK, else `mlp`.

    Raises:
        ValueError: there is no such kind, or it has no such setting or not of such a value.
    """
    kinds = kinds_for(game.name)
    if kind is None:
        kind = addition(AGENTS, game.name, "NETWORK", FlatNetwork.kind)
    if str(kind) not in kinds:
        raise ValueError(f"unknown network {shown(kind)}; there are: {', '.join(kinds)}")
    made = kinds[kind]
    for name, value in settings.items():
        try:
            check(value, Annotated[int, made.sizes.get(name, WIDTH)])
        except ValueError as error:
            raise ValueError(f"network {kind!r}: {shortened(name)} {error}") from error
    try:
        return made(game, **settings)
    except TypeError as error:
        raise ValueError(f"network {kind!r}: {error}") from error


def masked(logits: Tensor, masks: Tensor) -> Tensor:
    """Log-probabilities of the legal actions, (B, A); the others' are so low that they are never sampled."""
    return functional.log_softmax(logits.masked_fill(masks == 0, -1e9), dim=-1)


def check_likely(log_probs: Tensor, masks: Tensor) -> None:
    """ValueError if in some row no legal action has a probability: the weights have diverged, or are damaged.

    log_probs: what `masked` gives.
    """
    if not bool(((log_probs.exp() * masks).sum(-1) > 0.5).all()):  # 1 but for rounding; nan is refused too
        raise ValueError("its weights are so large that no legal action has a probability")


def look(
    network: Network,
    raw: np.ndarray,
    masks: np.ndarray,
    states: np.ndarray,
    seats: np.ndarray,
    rules: RowRules | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Log-probabilities of the legal actions in each row, (B, A), and values, (B,), by the network on its device.

    masks: (B, A) int8. The other arguments are those of `Network.see`.
    ValueError if no legal action of some row has a probability, see `check_likely`.
    """
    device = next(network.parameters()).device
    legal = torch.from_numpy(masks).to(device)
    with torch.inference_mode():
        output = network(network.see(torch.from_numpy(raw), states, seats, rules).to(device))
        log_probs = masked(output.logits, legal)
        check_likely(log_probs, legal)
    return log_probs.cpu().numpy(), output.value.cpu().numpy()


# --- flat


class FlatNetwork(Network):
    """Two hidden layers over the flat vector, of one layout or of games of several numbers of players.

    width: of a layer. players: the most that there is room for, so that with 4 it plays with two, three, and four; 0:
    as many as `game` has.
    """

    kind = "mlp"
    sizes = MappingProxyType({"players": between(0, MOST_PLAYERS)})
    scale: Tensor

    def __init__(self, game: Game, width: int = 256, players: int = 0) -> None:
        super().__init__()
        self._width, self._players = width, players
        self._room = self._room_for(game)
        self._signature = self.signature(game)
        self._views: dict[int, tuple[int, Tensor]] = {}  # by raw size: entries of one byte, and where all lie
        self.register_buffer("scale", torch.from_numpy(self._room.scale), persistent=False)
        self.body = nn.Sequential(nn.Linear(self._room.size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy = nn.Linear(width, game.num_actions)
        self.value = nn.Linear(width, 1)
        begin_even(self.policy)
        self.accept(game)

    def accept(self, game: Game) -> None:
        try:
            super().accept(game)
        except ValueError as error:
            raise ValueError(f"{error}; with the setting players an mlp takes several numbers of players") from error
        layout = game.observation_layout
        self._views[layout.raw_size] = layout.narrow, torch.from_numpy(places_in(self._room, layout))

    def signature(self, game: Game) -> dict[str, Any]:
        """Every block for which there is room."""
        return {"actions": actions_of(game), **blocks_of(self._room_for(game))}

    def _room_for(self, game: Game) -> ObservationLayout:
        if not self._players:
            return game.observation_layout
        return merged_layout(_with_players(game, self._players).observation_layout, game.observation_layout)

    def settings(self) -> dict[str, Any]:
        return {"kind": self.kind, "width": self._width} | ({"players": self._players} if self._players else {})

    def forward(self, *raw: Tensor) -> Output:
        hidden = self.body(joined([self._numbers(each) for each in raw]) * self.scale)
        return Output(self.policy(hidden), self.value(hidden).squeeze(-1))

    def _numbers(self, raw: Tensor) -> Tensor:
        """(B, O) of the room."""
        narrow, places = self._views[raw.shape[1]]
        numbers = numbers_of(raw, narrow)
        if len(places) < self._room.size:
            with torch.inference_mode(False):  # else places moved to a GPU while acting could not be learned through
                places = places.to(raw.device)
            self._views[raw.shape[1]] = narrow, places
            numbers = numbers.new_zeros(len(raw), self._room.size).index_copy(1, places, numbers)
        return numbers


def _with_players(game: Game, players: int) -> Game:
    """The game for so many players, without options whose values are only for others, as `months` of `schoko`."""
    try:
        return cf.load(game.name, **{**game.options, "num_players": players})
    except ValueError:
        options = {name: value for name, value in game.options.items() if _allows(game, players, name, value)}
        return cf.load(game.name, **{**options, "num_players": players})


def _allows(game: Game, players: int, option: str, value: Any) -> bool:
    try:
        cf.load(game.name, **{option: value, "num_players": players})
    except ValueError:
        return False
    return True


def numbers_of(raw: Tensor, narrow: int) -> Tensor:
    """(B, O) numbers of raw observations, (B, R) uint8, of which so many entries take one byte, the others two."""
    if narrow == raw.shape[1]:
        return raw
    wide = raw[:, narrow::2] + 256.0 * raw[:, narrow + 1 :: 2]
    return torch.cat([raw[:, :narrow].float(), wide], -1)


def joined(parts: Sequence[Tensor]) -> Tensor:
    """The rows of all parts; of a single one without a copy."""
    return parts[0] if len(parts) == 1 else torch.cat(list(parts))


def dtype_of_passes(device: torch.device) -> torch.dtype:
    """What numbers become before a product: bfloat16 under autocast, which holds every byte exactly, else float32."""
    return torch.get_autocast_dtype(device.type) if torch.is_autocast_enabled(device.type) else torch.float32


def actions_of(game: Game) -> list[list[Any]]:
    """The verbs, and how many arguments each has."""
    return [[verb, count] for verb, count in game.action_layout.verbs]


def blocks_of(layout: ObservationLayout) -> dict[str, Any]:
    """By name: the shape, the highest value, and the names of the entries of each block."""
    return {block.name: [list(block.shape), block.high, list(block.entries)] for block in layout.blocks}


def fewer(known: Any, codes: Mapping[str, list[str]]) -> bool:
    """Whether a file's codes are these, each with some of the names in their order."""
    return (
        isinstance(known, dict)
        and known.keys() == codes.keys()
        and all(
            isinstance(known[code], list) and known[code] == [name for name in names if name in known[code]]
            for code, names in codes.items()
        )
    )


def begin_even(layer: nn.Linear) -> None:
    """All actions start out about as likely as each other."""
    nn.init.orthogonal_(layer.weight, 0.01)
    nn.init.zeros_(layer.bias)
