"""Settings of a run: documented fields of a dataclass, and options of the command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, field, fields
from functools import partial
from hashlib import sha256
from itertools import product
from math import inf
from pathlib import Path
from typing import Any, TypeVar, cast

import chocofactory_env as cf
from agents.networks.checkpoint import load_checkpoint
from agents.networks.network import Network, make_network
from arena.decks import hashes_of, measured
from arena.options import DEFAULT_GAME
from chocofactory_env import Game
from chocofactory_env.core.cards.generated import is_generated
from chocofactory_env.core.cards.lists import decks_of
from chocofactory_env.core.kernel.variants import GameSet
from chocofactory_env.core.messages import shown
from chocofactory_env.core.reading import ReadError, read_json

T = TypeVar("T")
EXAMPLES = {"network": '{"kind": "mlp"}', "options": '{"difficulty": 3}'}  # of the dictionaries, by setting


def setting(default: T, about: str, least: float = -inf, most: float = inf) -> T:
    """A field of a frozen dataclass with its text for `--help`. A dictionary is given as JSON.

    least, most: limits of the number, or of each number in a tuple; see `check_limits`.
    """
    metadata = {"help": about, "limits": (least, most)}
    if isinstance(default, dict):
        return cast(T, field(default_factory=default.copy, metadata=metadata))
    return field(default=default, metadata=metadata)


def check_limits(config: Any) -> None:
    """ValueError, naming the setting, if a number is outside its limits, or is not a number."""
    for each in fields(config):
        value, (least, most) = getattr(config, each.name), each.metadata["limits"]
        for number in value if isinstance(value, tuple) else (value,):
            if isinstance(number, int | float) and not least <= number <= most:
                expected = f"at least {least}" if most == inf else f"from {least} to {most}"
                raise ValueError(f"{each.name}: expected {expected}, got {number}")


def game_setting() -> str:
    """The setting `game` of a run."""
    return setting(DEFAULT_GAME, "name of the game")


def options_setting() -> dict[str, Any]:
    """The setting `options` of a run, which may give several variants."""
    return setting(
        {}, 'options of the game, as JSON; a list, as in {"difficulty": [0, 3]}, trains on each of its values'
    )


def decks_setting() -> tuple[str, ...]:
    """The setting `decks` of a run."""
    return setting((), "decks to deal from, as generated:100000-100999; without any, the deck of the options")


def variants_of(config: Any) -> list[dict[str, Any]]:
    """The options of each variant of a run, from its settings `players` and `options`."""
    lists = {name: value if isinstance(value, list) else [value] for name, value in config.options.items()}
    return [
        dict(zip((*lists, "num_players"), (*values, players), strict=True))
        for players in config.players
        for values in product(*lists.values())
    ]


def names_of_variants(games: Sequence[Game]) -> list[str]:
    """Name each variant by its number of players and the options that tell it apart: `1,difficulty=3`.

    Options that are None are left out.
    """
    names = []
    for game in games:
        others = [other.options for other in games if other.num_players == game.num_players]
        differing = [
            f"{name}={value}"
            for name, value in game.options.items()
            if value is not None and any(other[name] != value for other in others)
        ]
        names.append(",".join([str(game.num_players), *differing]))
    return names


def games_with_decks(name: str, options: Mapping[str, Any], decks: Sequence[str]) -> GameSet:
    """A game for each deck; without decks, one game."""
    return cf.games(name, decks=decks or None, **options)


def first_network(game: Game, settings: Mapping[str, Any], start: Path | None) -> Network:
    """A new network with these settings, or the one of the checkpoint `start`; with both, that one widened.

    Raises:
        CheckpointError: see `load_checkpoint` and `Checkpoint.network`.
        ValueError: `make_network` does not know the settings, or see `Network.widen`.
    """
    started = None if start is None else load_checkpoint(start).network(game)
    if started is not None and (not settings or settings == started.settings()):
        return started
    network = make_network(game, **settings)
    if started is not None:
        network.widen(started)
    return network


def origin(start: Path | None) -> dict[str, str | None]:
    """The checkpoint that a run starts from, for its `config.json`: path and SHA-256, as another may take its place."""
    digest = None if start is None else sha256(start.read_bytes()).hexdigest()
    return {"start": None if start is None else str(start), "start_sha256": digest}


def note_measured(decks: Sequence[str]) -> None:
    """Warn on stderr about decks held out for measurement, as networks trained on them cannot be measured there."""
    if found := measured(decks or None):
        print(f"note: {len(found)} of the decks are for measurement, the first is {found[0]}", file=sys.stderr)


def about_decks(decks: Sequence[str]) -> dict[str, list[str]]:
    """A checkpoint's field about its training decks, if there are several."""
    return {"decks": list(decks)} if decks else {}


def about_deck_files(load: Callable[..., Game], decks: Sequence[str]) -> dict[str, dict[str, str]]:
    """A field with the hash of each deck that is a file, by path, if there are any. A generated deck has only a name.

    load: takes the option `deck`.

    Raises:
        DeckError, TypeError, ValueError: see `loading.decks_of`, or a file is no deck of the game.
    """
    files = tuple(deck for deck in decks_of(decks) if deck is not None and not is_generated(deck)) if decks else ()
    return {"deck_files": hashes_of(load, files)["decks"]} if files else {}


def about_variants(games: Sequence[Game]) -> dict[str, list[Any]]:
    """A checkpoint's fields about its training variants."""
    names = names_of_variants(games)
    several = {"trained_for_variants": names} if any("=" in name for name in names) else {}
    return {"trained_for_players": sorted({game.num_players for game in games})} | several


def add_settings(
    parser: argparse.ArgumentParser,
    config: type,
    more: Callable[[str], str] = lambda name: "",
) -> None:
    """Add an option for every field of `config`, with default None.

    more: maps a field's name to text that follows its default.
    """
    for each in fields(config):
        default = default_of(each)
        name, text = "--" + each.name.replace("_", "-"), f"{each.metadata['help']} ("
        if isinstance(default, bool):
            parser.add_argument(
                name, action=argparse.BooleanOptionalAction, default=None, help=f"{text}{default}{more(each.name)})"
            )
            continue
        many = isinstance(default, tuple)
        one = (default[0] if default else "") if isinstance(default, tuple) else default
        shown = " ".join(map(str, default)) if isinstance(default, tuple) else default
        parser.add_argument(
            name,
            type=partial(parse_dictionary, EXAMPLES[each.name]) if isinstance(default, dict) else type(one),
            nargs="+" if many else None,
            help=f"{text}{shown}{more(each.name)})",
        )


def parse_dictionary(example: str, text: str) -> dict[str, Any]:
    """Parse a dictionary of the command line; ArgumentTypeError, with an example, for other text."""
    try:
        value: dict[str, Any] = read_json(dict[str, Any], text)
    except ReadError:
        raise argparse.ArgumentTypeError(f"expected JSON, as {example}, got {shown(text)}") from None
    return value


def given(arguments: argparse.Namespace, config: type) -> dict[str, Any]:
    """The fields given on the command line."""
    return {
        each.name: tuple(value) if isinstance(value, list) else value
        for each in fields(config)
        if (value := getattr(arguments, each.name)) is not None
    }


def default_of(each: Field[Any]) -> Any:
    return each.default if each.default_factory is MISSING else each.default_factory()
