"""Checkpoints of networks: one safetensors file each, described by JSON in its header.

A checkpoint may be damaged or made by a stranger, so everything is checked before use: first the header, then the
network it describes against the tensors in the file. Only then is a network allocated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict

import safetensors.torch
import torch
from safetensors import SafetensorError
from torch import Tensor, nn

from chocofactory_env import Game
from chocofactory_env.core.files import read_file, whole
from chocofactory_env.core.messages import shortened, shown
from chocofactory_env.core.reading import Count, Integer, at_least

from ..files import check, listed, parsed
from .network import Network, make_network

FORMAT = "chocofactory_env network 2"
MOST_BYTES = 4 * 2**30  # of a file
MOST_HEADER = 2**20  # bytes of its header; shipped ones take ten thousand
DECK_HASH = re.compile("[0-9a-f]{64}")


class CheckpointError(ValueError):
    """A file is not a checkpoint, is damaged, or does not fit the game. Names the file and what was expected."""


class _TensorEntry(TypedDict):
    """A tensor in the safetensors header. The library checks shapes and offsets against the file."""

    dtype: Literal["F64", "F32", "F16", "BF16", "I64", "I32", "I16", "I8", "U8", "BOOL"]
    shape: list[Count]
    data_offsets: list[Count]


class _Options(TypedDict):
    """The option that every game has."""

    num_players: Annotated[int, at_least(1)]


class _Needed(TypedDict):
    network: dict[str, Integer | str]  # kind and sizes
    layout: dict[str, Any]
    game: str
    options: _Options
    deck: str  # `Game.deck_hash`


class About(_Needed, total=False):
    """The JSON in the header: required fields, and those that training adds. Further fields are allowed."""

    rules: Count  # the version of the game's rules; some older files lack it
    versions: dict[str, str]
    trained_for_players: list[Count]
    trained_for_variants: list[str]  # if they differ in more than players: `1,difficulty=3`
    decks: list[str]  # names and ranges of the training decks, if there were several
    iteration: Count
    decisions: Count
    step: Count
    minibatches_of_epoch: Count
    losses_of_epoch: float
    score: float
    selves: list[Count]
    generators: list[dict[str, Any]]


@dataclass(frozen=True)
class Checkpoint:
    """The contents of a checkpoint. about: see `About`."""

    path: Path
    about: dict[str, Any]
    tensors: dict[str, Tensor]

    def network(self, game: Game) -> Network:
        """Build the network for `game`.

        Raises:
            CheckpointError: it was trained for another game, or for other layouts of observations or actions; its
                deck is not the hash of a deck; or its tensors do not match the network in the header. Sizes are
                compared before the network is allocated.
        """
        if self.about["game"] != game.name:
            raise CheckpointError(f"{self.path}: trained for {shown(self.about['game'])}, not for {game.name!r}")
        settings = self.about["network"]
        try:
            with torch.device("meta"):  # shapes without memory
                expected = make_network(game, **settings)
            expected.check(self.about["layout"], game)
            _check_deck(self.about["deck"], game)
            tensors = expected.grown(self.about["layout"], game, self.of("network"))
        except (TypeError, ValueError, RuntimeError, IndexError) as error:
            misfit = f"it does not fit {game.name} with {dict(game.options)}: {error}"
            raise CheckpointError(f"{self.path}: {_trained_for(self.about)}; {misfit}") from error
        self._compare(expected, "network", tensors)
        network = make_network(game, **settings)
        network.load_state_dict(tensors)
        network.trained_decks = tuple(self.about.get("decks", ()))
        return network

    def resume(self, network: Network, game: Game) -> None:
        """Load this checkpoint's tensors into `network`, from which training resumes.

        Raises:
            CheckpointError: like `network`, or the kind or size differs. The network is left unchanged.
        """
        there = self.network(game)
        if there.settings() != network.settings():
            raise CheckpointError(f"{self.path}: expected a network {network.settings()}, got {there.settings()}")
        network.load_state_dict(there.state_dict())

    def restore(self, module: nn.Module, owner: str) -> None:
        """Load the tensors of `owner` into a module.

        Raises:
            CheckpointError: they do not match the module, which is left unchanged.
        """
        tensors = self.of(owner)
        self._compare(module, owner, tensors)
        module.load_state_dict(tensors)

    def _compare(self, module: nn.Module, owner: str, tensors: Mapping[str, Tensor]) -> None:
        expected = {name: _form(tensor) for name, tensor in module.state_dict().items()}
        found = {name: _form(tensor) for name, tensor in tensors.items()}
        wrong = [
            f"tensor {shown(f'{owner}.{name}')}: expected {expected.get(name, 'none')}, got {found.get(name, 'none')}"
            for name in dict.fromkeys([*expected, *found])
            if expected.get(name) != found.get(name)
        ]
        if wrong:
            raise CheckpointError(f"{self.path} does not hold the network that it describes: {listed(wrong)}")

    def of(self, owner: str) -> dict[str, Tensor]:
        """The tensors of one owner ("network", …), without its prefix."""
        return {name.removeprefix(f"{owner}."): it for name, it in self.tensors.items() if name.startswith(f"{owner}.")}

    def entry(self, name: str) -> Any:
        """An optional field of `about`; CheckpointError if this checkpoint lacks it."""
        if name not in self.about:
            raise CheckpointError(f"{self.path}: the header lacks the field about.{name}")
        return self.about[name]


def _trained_for(about: Mapping[str, Any]) -> str:
    """The variants that a network was trained for, in words, as far as its checkpoint knows them."""
    players = about.get("trained_for_players", [about["options"]["num_players"]])
    variants = [
        (number, dict(option.partition("=")[::2] for option in options))
        for number, *options in (name.split(",") for name in about.get("trained_for_variants", ()))
    ]
    values: dict[str, list[Any]] = {"num_players": players}
    for option in dict.fromkeys(option for _, options in variants for option in options):
        differing = {number for number, options in variants if option in options}
        found = [options.get(option, "None") for number, options in variants if number in differing]
        values[option] = list(dict.fromkeys(found))
    return "trained for " + shortened("; ".join(f"{name} {', '.join(map(str, of))}" for name, of in values.items()))


def _check_deck(deck: str, game: Game) -> None:
    """ValueError if `deck` cannot be the hash of one of the game's decks. Networks may play decks other than theirs."""
    if DECK_HASH.fullmatch(game.deck_hash) and not DECK_HASH.fullmatch(deck):
        raise ValueError(f"deck: expected 64 hexadecimal digits, got {shown(deck)}")


def _form(tensor: Tensor) -> str:
    return f"{str(tensor.dtype).removeprefix('torch.')} of shape {tuple(tensor.shape)}"


def about_network(network: Network, game: Game) -> dict[str, Any]:
    """The header fields for a network and its game."""
    return {
        "network": network.settings(),
        "layout": network.signature(game),
        "game": game.name,
        "options": dict(game.options),
        "deck": game.deck_hash,
        "rules": game.rules_version,
    }


def save_network(path: Path, network: Network, game: Game) -> None:
    """Write a network that has learned this game, and nothing to resume from; see `save_checkpoint`."""
    save_checkpoint(path, about_network(network, game), {"network": network.state_dict()})


def save_checkpoint(path: Path, about: Mapping[str, Any], tensors: Mapping[str, Mapping[str, Tensor]]) -> None:
    """Write tensors, by owner and name, to `path`, atomically.

    Raises:
        CheckpointError: a tensor holds nan or infinity, so it could not be loaded. `path` is left unchanged.
    """
    named = {
        f"{owner}.{name}": tensor.detach().cpu().contiguous()
        for owner, mine in tensors.items()
        for name, tensor in mine.items()
    }
    text = json.dumps(about, allow_nan=False)
    _check_numbers(path, named)
    with whole(path) as new:
        header = {"format": FORMAT, "about": text, "sha256": digest_of(text, named)}
        safetensors.torch.save_file(named, new, header)


def load_checkpoint(path: Path | str) -> Checkpoint:
    """Read a whole checkpoint. This takes about twice the memory of the file.

    Raises:
        CheckpointError: the file is missing, truncated, changed since it was written, not a checkpoint, or holds
            numbers that no network has.
    """
    path = Path(path)
    try:
        content = read_file(path, MOST_BYTES)
        header = _header(content)
    except OSError as error:
        raise CheckpointError(f"{path}: no checkpoint can be read from it: {error.strerror}") from error
    except ValueError as error:
        raise CheckpointError(f"{path}: no checkpoint can be read from it: its header {error}") from error
    if header.get("format") != FORMAT:
        raise CheckpointError(f"{path}: expected format {FORMAT!r}, got {shown(header.get('format'))}")
    if header.keys() != (fields := {"format", "about", "sha256"}):
        raise CheckpointError(f"{path}: expected the header's fields {sorted(fields)}, got {shown(sorted(header))}")
    try:
        about = parsed(header["about"], About)
    except ValueError as error:
        raise CheckpointError(f"{path}: the field about of its header {error}") from error
    try:
        tensors = safetensors.torch.load(content)
    except (SafetensorError, KeyError, TypeError, ValueError, RuntimeError) as error:
        raise CheckpointError(f"{path}: no checkpoint can be read from it: {shortened(str(error))}") from error
    if digest_of(header["about"], tensors) != header["sha256"]:
        raise CheckpointError(f"{path}: it has changed since it was written: its SHA-256 is not that of its header")
    _check_numbers(path, tensors)
    return Checkpoint(path, about, {name: _of_training(tensor) for name, tensor in tensors.items()})


def _of_training(tensor: Tensor) -> Tensor:
    """The tensor as training has it. Shipped networks are stored in bfloat16, and compute in float32."""
    return tensor.float() if tensor.dtype == torch.bfloat16 else tensor


def _header(content: bytes) -> dict[str, str]:
    """The metadata of a safetensors file. ValueError if it is invalid, worded as the end of a sentence."""
    size = int.from_bytes(content[:8], "little")
    if len(content) < 8 or size > len(content) - 8:
        raise ValueError(f"is longer than the file, which has {len(content):,} bytes: it is cut off, or something else")
    if size > MOST_HEADER:
        raise ValueError(f"has {size:,} bytes, expected at most {MOST_HEADER:,}")
    entries = parsed(content[8 : 8 + size], dict[str, Any])
    metadata: dict[str, str] = entries.pop("__metadata__", {})
    check({"__metadata__": metadata}, dict[str, dict[str, str]])
    check(entries, dict[str, _TensorEntry])
    return metadata


def digest_of(about: str, tensors: Mapping[str, Tensor]) -> str:
    """SHA-256 of a checkpoint: the JSON in its header, and names, dtypes, shapes and bytes of the tensors."""
    digest = sha256(about.encode("utf-8", "surrogatepass"))
    for name, tensor in sorted(tensors.items()):
        digest.update(f"\n{name}: {_form(tensor)}\n".encode("utf-8", "surrogatepass"))
        digest.update(tensor.reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()


def _check_numbers(path: Path, tensors: Mapping[str, Tensor]) -> None:
    wrong = [
        f"tensor {shown(name)} holds nan or infinity"
        for name, tensor in tensors.items()
        if tensor.is_floating_point() and not bool(torch.isfinite(tensor).all())
    ]
    if wrong:
        raise CheckpointError(f"{path}: {listed(wrong)}; expected numbers")
