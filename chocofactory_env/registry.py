"""Games by name, and their environments. Only strings: importing the package imports and compiles no game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import gymnasium

from .core.cards.generated import GeneratedDeck, is_generated
from .core.cards.lists import Decks, decks_of
from .core.game import Game
from .core.messages import hint, shown

if TYPE_CHECKING:
    from .core.kernel.variants import GameSet

# The package of the games has the name of the function `cf.games`. Its first import binds the name to the package, so
# that import comes before `cf` takes the function over; later imports leave the name alone.
import_module(f"{__package__}.games")

NAMESPACE: Final = "ChocoFactory"
VERSION: Final = "v0"  # CONTRIBUTING.md says when it rises
ENVS: Final = f"{__package__}.envs"
NAME = re.compile(r"[a-z][a-z0-9_]*")
ENVIRONMENT = re.compile(r"[A-Za-z][A-Za-z0-9]*")


class UnknownGameError(ValueError):
    """No game is registered under this name."""


class Registered(NamedTuple):
    """A registered game: its target, and the names of its environments."""

    target: str  # "module:attribute"
    aec: str  # in PettingZoo
    versus: str  # in Gymnasium: one seat against others
    solo: str | None = None  # in Gymnasium: the one-player game, if there is one
    # Defaults for parallel environments, as plain values: registered games are sent to other processes.
    parallel_options: Mapping[str, Any] = {}
    title: str | None = None  # for people; the name unless given
    players: tuple[int, int] | None = None  # the fewest and the most; None: unknown until variants are loaded

    @property
    def in_gymnasium(self) -> list[str]:
        """The names of its Gymnasium environments, with those in text."""
        seats = [each for each in (self.versus, self.solo) if each is not None]
        return [*seats, *map(in_text, seats)]


GAMES: dict[str, Registered] = {
    "chocofactory": Registered(
        "chocofactory_env.games.chocofactory.game:ChocolateFactory",
        aec="ChocolateFactory",
        versus="Versus",
        solo="FactoryManager",
        parallel_options={"mode": "simultaneous"},
        title="Chocolate Factory",
        players=(1, 4),
    ),
    "candyfactory": Registered(
        "chocofactory_env.games.candyfactory.game:CandyFactory",
        aec="CandyFactory",
        versus="CandyFactoryVersus",
        title="Chocolate Factory (Manfredini)",
        players=(2, 4),
    ),
    "schoko": Registered(
        "chocofactory_env.games.schoko.game:Schoko",
        aec="Schoko",
        versus="SchokoVersus",
        title="Schoko & Co.",
        players=(2, 4),
    ),
}


def parallel_options(name: str) -> Mapping[str, Any]:
    """The default options of the game's parallel environments."""
    return GAMES[name].parallel_options if name in GAMES else {}


def players_of(name: str) -> list[int]:
    """The numbers of players that a game allows. If they are not registered, its variants are tried."""
    known = GAMES[name].players if name in GAMES else None
    if known is not None:
        return list(range(known[0], known[1] + 1))
    from .core.kernel.rules import MAX_SEATS  # late, so that importing the package stays cheap

    found = []
    for players in range(1, MAX_SEATS + 1):
        with suppress(TypeError, ValueError):
            if load(name, num_players=players).num_players == players:
                found.append(players)
    return found


def load(name: str, **options: Any) -> Game:
    """Load the variant of a game with these options.

    Args:
        name: the name of a registered game, or `"module:attribute"` for any other. The attribute is called with the
            options, and checks them.

    Raises:
        UnknownGameError: no game has this name, there is no such attribute, or it makes no game.
        TypeError: `name` is not a string.
        TypeError, ValueError: an option is unknown or has a bad value (raised by the game).
    """
    make = _found(name)
    if not callable(make):
        raise UnknownGameError(f"game {shown(name)}: expected a class or function that makes games, got {shown(make)}")
    game = make(**options)
    if not hasattr(game, "action_layout"):
        raise UnknownGameError(f"game {shown(name)}: expected that this makes a game, got {shown(game)}")
    return cast(Game, game)


def games(name: str, *, decks: Decks = None, **options: Any) -> GameSet:
    """List games: every combination of the values of the options, on every deck.

    The list is lazy: games with the first deck are loaded at once, and files of decks are checked; a generated deck is
    drawn when its game is needed. Games of one list share their actions. Every constructor of environments takes the
    list; the seed of a deal then chooses the game, and `reset(options=...)` restricts the choice.

    Args:
        name: as for `load`.
        decks: decks, as `"generated:100000-100999"` or a list of names, ranges, files, and None for the shipped deck.
        options: as for `load`; a list has several values. The last option, or else the deck, varies fastest.

    Raises:
        UnknownGameError: as from `load`.
        DeckError, TypeError, ValueError: a game cannot be loaded, or does not fit the first; the message names its
            values by their places in the lists.
    """
    from .core.kernel.variants import GameSet  # late, so that importing the package stays cheap

    sets: dict[str, Any] = {key: value for key, value in options.items() if isinstance(value, list) and key != "deck"}
    for option, values in sets.items():
        if not values:
            raise ValueError(f"{option}: expected a value, or one or more in a list, got none")
    if decks is not None:
        if "deck" in options:
            raise TypeError("decks: expected either deck, for one, or decks, got both")
        sets["deck"] = decks_of(decks)
    found = GameSet(partial(load, name, **{key: value for key, value in options.items() if key not in sets}), sets)
    listed = sets.get("deck", [None])
    for number in range(len(found)):
        if number % len(listed) and not is_generated(listed[number % len(listed)]):
            found[number]  # those with the first deck have been loaded
    return found


def check_registered(name: str) -> None:
    """Check the name of a game that a file gives, before `load`, which runs any "module:attribute".

    Raises:
        UnknownGameError: no game is registered under this name.
    """
    if name not in GAMES:
        there_are = f"there are: {', '.join(sorted(GAMES))}"
        raise UnknownGameError(f"unknown game {shown(name)}{hint(name, GAMES)}; {there_are}")


def generate_deck(name: str, seed: int, *, stray: int = 0) -> GeneratedDeck:
    """Generate deck `seed` of a game, as `load(name, deck=f"generated:{seed}")` plays it, as tables to save and edit.

    Args:
        seed: 0 to 999,999,999. By convention, 0 to 99,999 are for evaluation, and higher seeds for training.
        stray: how far the deck strays from the shipped one. 0: only what no source shows varies, within tight bounds.
            1: published numbers also vary, and distributions are wider.

    Raises:
        UnknownGameError: no game has this name.
        TypeError, ValueError: invalid seed or stray, or the game has no generated decks.
    """
    generator = getattr(_found(name), "deck_generator", None)
    if generator is None:
        raise ValueError(f"game {shown(name)}: it has no generated decks")
    return cast(GeneratedDeck, generator.deck(seed, stray=stray))


def _found(name: str) -> Any:
    """The class or function that makes the game."""
    if not isinstance(name, str):
        raise TypeError(f"name: expected a game's name, got {shown(name)}")
    if name not in GAMES and ":" not in name:
        there_are = f"there are: {', '.join(sorted(GAMES))}, and others as MODULE:ATTRIBUTE"
        raise UnknownGameError(f"unknown game {shown(name)}{hint(name, GAMES)}; {there_are}")
    module, _, attribute = (GAMES[name].target if name in GAMES else name).partition(":")
    if not all(part.isidentifier() for part in module.split(".")):
        raise UnknownGameError(
            f"game {shown(name)}: expected the full name of a module before ':', got {shown(module)}"
        )
    try:
        home = import_module(module)
    except ModuleNotFoundError as error:
        if not f"{module}.".startswith(f"{error.name}."):
            raise  # the game exists, but not a module that it imports
        raise UnknownGameError(f"game {shown(name)}: {error}") from error
    if not hasattr(home, attribute):
        raise UnknownGameError(f"game {shown(name)}: module {module!r} has no attribute {attribute!r}")
    return getattr(home, attribute)


def register(
    name: str,
    target: str,
    *,
    aec: str | None = None,
    versus: str | None = None,
    solo: str | None = None,
    parallel_options: Mapping[str, Any] | None = None,
    title: str | None = None,
) -> None:
    """Register a game for `cf.load(name)`, `cf.make_batch(name, ...)`, environments, agents, arena, and training.

    Registering the same game again does nothing. Every process must register the game, by importing the module that
    calls this.

    Args:
        name: the game's name, in lower case.
        target: `"module:attribute"`; called with the options, it returns a `core.game.Game`. Imported on first use.
        aec: name of the PettingZoo environments `ChocoFactory/<aec>-v0`, AEC and parallel; by default, `name` in camel
            case.
        versus: name of the Gymnasium environment of one seat against others; by default, `<aec>Versus`.
        solo: name of the Gymnasium environment of the one-player game, if the game has one.
        parallel_options: default options of the game in parallel environments.
        title: the game's name for people, shown by the table in the browser; by default, `name`.

    Raises:
        TypeError: a name or the target is not a string.
        ValueError: an invalid name or target, or another game has the name, or that of an environment.
    """
    for what, value in {"name": name, "target": target}.items():
        if not isinstance(value, str):
            raise TypeError(f"{what}: expected a string, got {shown(value)}")
    for what, each in {"aec": aec, "versus": versus, "solo": solo, "title": title}.items():
        if not (each is None or isinstance(each, str)):
            raise TypeError(f"{what}: expected a string or None, got {shown(each)}")
    if not NAME.fullmatch(name):
        raise ValueError(f"name: expected lower-case letters, digits and underscores, got {shown(name)}")
    module, colon, attribute = target.partition(":")
    if not (module and colon and attribute):
        raise ValueError(f'target: expected "module:attribute", got {shown(target)}')
    aec = aec or name.title().replace("_", "")
    game = Registered(target, aec, versus or f"{aec}Versus", solo, dict(parallel_options or {}), title)
    for environment in (game.aec, game.versus, game.solo):
        if environment is not None and not ENVIRONMENT.fullmatch(environment):
            raise ValueError(f"environments: expected letters and digits, got {shown(environment)}")
    if game.versus == game.solo:
        raise ValueError(f"environments: expected two names, got {game.versus!r} for versus and for solo")
    if len(set(game.in_gymnasium)) < len(game.in_gymnasium):
        raise ValueError(f"environments: expected names that differ, got {', '.join(game.in_gymnasium)}")
    if GAMES.get(name, game) != game:
        raise ValueError(f"name: {name!r} is {GAMES[name]} already, got {game}")
    for other, there in GAMES.items():
        taken = {there.aec, *there.in_gymnasium} & {game.aec, *game.in_gymnasium}
        if other != name and taken:
            raise ValueError(f"environments: {', '.join(sorted(taken))} belong to {other!r}")
    GAMES[name] = game
    register_environments(name)


def environment_id(environment: str) -> str:
    """`"ChocoFactory/Versus-v0"` for `"Versus"`."""
    return f"{NAMESPACE}/{environment}-{VERSION}"


def in_text(environment: str) -> str:
    """The name of the environment in text of a Gymnasium environment."""
    return f"{environment}Text"


def register_environments(name: str) -> None:
    """Register the game's environments with Gymnasium, and with PettingZoo if its version has a registry."""
    game = GAMES[name]
    for environment, kind in ((game.solo, "solo"), (game.versus, "versus")):
        if environment is not None and environment_id(in_text(environment)) not in gymnasium.registry:
            gymnasium.register(
                environment_id(in_text(environment)),
                entry_point=f"{ENVS}.text:make_{kind}",
                kwargs={"games": name},
                disable_env_checker=True,
            )
        if environment is not None and environment_id(environment) not in gymnasium.registry:
            gymnasium.register(
                environment_id(environment),
                entry_point=f"{ENVS}.seat:make_{kind}",
                vector_entry_point=f"{ENVS}.vector:make_{kind}",
                kwargs={"games": name},
                # Both would slow down every step. Our environments check the order of calls, and tests run `check_env`.
                disable_env_checker=True,
                order_enforce=False,
            )
    try:
        import pettingzoo
        from pettingzoo import aec_registry, parallel_registry  # since 1.27
    except ImportError:
        return
    identifier = environment_id(game.aec)
    if identifier not in aec_registry:
        pettingzoo.register("aec", identifier, entry_point=f"{ENVS}.aec:AECGameEnv", kwargs={"games": name})
    if identifier not in parallel_registry:
        entry_point = f"{ENVS}.parallel:ParallelGameEnv"
        pettingzoo.register("parallel", identifier, entry_point=entry_point, kwargs={"games": name})
