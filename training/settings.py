"""The settings of a run: structs, checked by their types when they are made, and command lines made from them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Annotated, Any, NamedTuple, NoReturn, TypeVar

import msgspec
import tyro
from msgspec import Struct

import chocofactory_env as cf
from chocofactory_env import Game
from chocofactory_env.agents.by_game import addition
from chocofactory_env.agents.networks.checkpoint import load_checkpoint
from chocofactory_env.agents.networks.network import Network, make_network
from chocofactory_env.arena.decks import hashes_of, measured
from chocofactory_env.arena.options import DEFAULT_GAME
from chocofactory_env.core.cards.generated import is_generated
from chocofactory_env.core.cards.lists import decks_of
from chocofactory_env.core.kernel.variants import GameSet
from chocofactory_env.core.messages import said
from chocofactory_env.core.reading import ReadError, at_least, between, read, read_json
from chocofactory_env.core.text.printing import reader_may_leave

T = TypeVar("T")
SettingsT = TypeVar("SettingsT", bound="Settings")
TRAINING = __name__.rpartition(".")[0]
STOPPED = 130  # exit status of a command ended by Ctrl-C, or by the end of its minutes

Number = Annotated[int, at_least(1)]
Seed = Annotated[int, at_least(0)]
Share = Annotated[float, between(0, 1)]
Weight = Annotated[float, msgspec.Meta(ge=0)]
Positive = Annotated[float, msgspec.Meta(gt=0)]
Table = Annotated[
    dict[str, Any],
    tyro.constructors.PrimitiveConstructorSpec(
        nargs=1,
        metavar="JSON",
        instance_from_str=lambda words: read_json(dict[str, Any], words[0]),
        is_instance=lambda value: isinstance(value, dict),
        str_from_instance=lambda value: [json.dumps(value)],
    ),
]


EMPTY: dict[str, Any] = msgspec.field(default_factory=dict)  # the default of a Table


class Settings(Struct, frozen=True, kw_only=True):
    """Settings are checked when they are made; ValueError names the setting and what was expected."""

    def __post_init__(self) -> None:
        for field in msgspec.structs.fields(self):
            try:
                read(field.type, getattr(self, field.name))
            except ReadError as error:
                raise ReadError(error.expected, error.found, (field.name, *error.path)) from None


# --- commands


def call(
    program: Callable[..., T],
    name: str,
    arguments: Sequence[str] | None,
    about: str = "",
    on_stop: str = "stopped; run the same command again to resume",
    **given: Any,
) -> T:
    """Call `chocofactory train <name>` with what the command line says, as its signature and docstring describe.

    Ctrl-C, and `KeyboardInterrupt` at the end of its minutes, end the process with status STOPPED; bad input, with its
    message and status 2. on_stop: what is said of a stop. given: arguments whose values here are the defaults.
    """
    prog = f"chocofactory train {name}"
    try:
        with reader_may_leave():
            return tyro.cli(
                partial(program, **given),
                prog=prog,
                args=arguments,
                description=about or None,
                config=(tyro.conf.OmitArgPrefixes,),
            )
    except KeyboardInterrupt as stopped:
        stop(str(stopped) or on_stop)
    except (ImportError, OSError, TypeError, ValueError) as error:
        print(f"{prog}: error: {said(error)}", file=sys.stderr)
        sys.exit(2)


def run_command(
    train: Callable[..., Path | None],
    name: str,
    arguments: Sequence[str] | None,
    kind: type[Settings],
    presets_in: str = "",
) -> None:
    """Call a training program, and print which checkpoint is the best. The name of a preset may come first.

    presets_in: see `presets_of`.
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    game = words[words.index("--game") + 1 :] if "--game" in words else []
    presets = presets_of(kind, game[0] if game else DEFAULT_GAME, presets_in)
    preset = words.pop(0) if words and words[0] in presets else ""
    on_stop = "stopped; --resume continues it"
    about = f"{name} [{' | '.join(presets)}]: start from a preset of the game, whose values are then the defaults below"
    best = call(train, name, words, about if presets else "", on_stop, config=presets.get(preset, kind()))
    if best is None:
        stop(on_stop)
    print(f"best: {best}")


def presets_of(kind: type[SettingsT], game: str, name: str) -> dict[str, SettingsT]:
    """The game's presets by name, from this name in its folder of `training`."""
    presets: Mapping[str, Mapping[str, Any]] = addition(TRAINING, game, name, {})
    return {preset: kind(game=game, **values) for preset, values in presets.items()}


def stop(message: str) -> NoReturn:
    print(message, file=sys.stderr)
    sys.exit(STOPPED)


# --- what is played


class Variant(NamedTuple):
    """A variant to play: its name, its games, one per deck, and its number among variants with as many players."""

    name: str
    games: GameSet
    number: int

    @classmethod
    def all_of(
        cls, game: str, players: Sequence[int], options: Mapping[str, Any], decks: Sequence[str]
    ) -> list[Variant]:
        """Every number of players with every value of options that are lists."""
        lists = {name: value if isinstance(value, list) else [value] for name, value in options.items()}
        chosen = [dict(zip(lists, values, strict=True)) for values in product(*lists.values())]
        sets = [games_with_decks(game, {**each, "num_players": number}, decks) for number in players for each in chosen]
        names = names_of_variants([games.first for games in sets])
        return [cls(*each, number % len(chosen)) for number, each in enumerate(zip(names, sets, strict=True))]


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


def note_measured(decks: Sequence[str]) -> None:
    """Warn on stderr about decks held out for measurement, as networks trained on them cannot be measured there."""
    if found := measured(decks or None):
        print(f"note: {len(found)} of the decks are for measurement, the first is {found[0]}", file=sys.stderr)


# --- where a run starts, and what its checkpoints say


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


def deck_files_of(game: Game, decks: Sequence[str]) -> dict[str, str]:
    """The hash of each deck that is a file, by path. A generated deck has only a name.

    Raises:
        DeckError, TypeError, ValueError: see `loading.decks_of`, or a file is no deck of the game.
    """
    files = tuple(deck for deck in decks_of(decks) if deck is not None and not is_generated(deck)) if decks else ()
    options = {name: value for name, value in game.options.items() if name != "deck"}
    hashes: dict[str, str] = hashes_of(partial(cf.load, game.name, **options), files).get("decks", {})
    return hashes


def about_decks(decks: Sequence[str], deck_files: Mapping[str, str]) -> dict[str, Any]:
    """The fields of a checkpoint or of data about the decks that were played, where there are several."""
    fields = {"decks": list(decks), "deck_files": dict(deck_files)}
    return {name: each for name, each in fields.items() if each}


def about_training(games: Sequence[Game], decks: Sequence[str], deck_files: Mapping[str, str]) -> dict[str, Any]:
    """A checkpoint's fields about the variants and decks that it was trained on."""
    names = names_of_variants(games)
    several = {"trained_for_variants": names} if any("=" in name for name in names) else {}
    players = {"trained_for_players": sorted({game.num_players for game in games})}
    return about_decks(decks, deck_files) | players | several
