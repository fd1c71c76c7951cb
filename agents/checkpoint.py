"""Checkpoints of networks: one safetensors file each, with all that is to be known about it as JSON in its header."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from chocofactory_env import Game

from .network import Network, make_network

FORMAT = "chocofactory_env network 1"
NETWORK = "network."  # before the names of the network's own tensors


class CheckpointError(ValueError):
    """A file that is no checkpoint, is damaged, or does not fit the game; says which file and what was expected."""


@dataclass(frozen=True)
class Checkpoint:
    """about: JSON-able, `network` (its settings), `game`, `options`, `deck` and what the training adds."""

    path: Path
    about: dict[str, Any]
    tensors: dict[str, Tensor]

    def network(self, game: Game) -> Network:
        """The network, ready for `game`.

        Raises:
            CheckpointError: it was trained for another game, or for observations or actions of another make.
        """
        if self.about.get("game") != game.name:
            raise CheckpointError(f"{self.path}: trained for {self.about.get('game')!r}, not for {game.name!r}")
        try:
            network = make_network(game, **self.about["network"])
            network.check(self.about["layout"], game)
            own = self.of("network")
            network.load_state_dict(own)
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            raise CheckpointError(f"{self.path} does not fit {game.name} with {dict(game.options)}: {error}") from error
        return network

    def of(self, owner: str) -> dict[str, Tensor]:
        """The tensors of one owner ("network", …), without its name."""
        return {name.removeprefix(f"{owner}."): it for name, it in self.tensors.items() if name.startswith(f"{owner}.")}


def about_network(network: Network, game: Game) -> dict[str, Any]:
    """What a checkpoint says of a network and of the game it is for."""
    return {
        "network": network.settings(),
        "layout": network.signature(game),
        "game": game.name,
        "options": dict(game.options),
        "deck": game.deck_hash,
    }


def save_checkpoint(path: Path, about: Mapping[str, Any], tensors: Mapping[str, Mapping[str, Tensor]]) -> None:
    """Write tensors, by owner and name, in place of what `path` held; whole or not at all."""
    named = {
        f"{owner}.{name}": tensor.detach().cpu().contiguous()
        for owner, mine in tensors.items()
        for name, tensor in mine.items()
    }
    new = path.with_name(path.name + ".new")
    save_file(named, new, {"format": FORMAT, "about": json.dumps(about, allow_nan=False)})
    new.replace(path)


def load_checkpoint(path: Path | str) -> Checkpoint:
    """Raises:
    CheckpointError: there is no such file, it is not whole, or it is something else.
    """
    path = Path(path)
    try:
        with safe_open(path, "pt") as file:
            header = file.metadata() or {}
            if header.get("format") != FORMAT:
                raise CheckpointError(f"{path}: expected format {FORMAT!r}, got {header.get('format')!r}")
            about = json.loads(header["about"])
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a dictionary
    except (OSError, SafetensorError, KeyError, json.JSONDecodeError) as error:
        raise CheckpointError(f"{path}: no checkpoint can be read from it: {error}") from error
    return Checkpoint(path, cast(dict[str, Any], about), tensors)
