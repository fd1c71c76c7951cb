"""Load the game of an environment, or one game for each of its decks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from inspect import signature
from os import PathLike
from typing import Any, Final

from ..core.cards.generated import PREFIX, is_generated, seed_and_stray
from ..core.checks import UnknownOptionError
from ..core.game import Game
from ..core.kernel.variants import LISTS, GameSet, Places
from ..core.messages import shown
from ..registry import load

RANGE: Final = re.compile(rf"{PREFIX}([0-9]{{1,9}})-([0-9]{{1,9}})((?:,.*)?)")
MOST_DECKS: Final = 1_000_000
SHIPPED: Final = "shipped"  # the name of the game's own deck, which None stands for

Decks = str | PathLike[str] | Sequence[str | PathLike[str] | None] | None


def game_of(game: Game | str, options: Mapping[str, Any], environment: type) -> Game:
    """Return the game, or load the game of that name with `options`, which are the game's options only.

    Raises:
        UnknownOptionError (a TypeError): there is no such option, or the game is already loaded and takes none.
    """
    if not isinstance(game, str):
        for option in options:
            because = ": a loaded game has its own options" if option in game.options else ""
            raise UnknownOptionError.of(option, own_options(environment), because)
        return game
    try:
        return load(game, **options)
    except UnknownOptionError as error:
        raise UnknownOptionError.of(error.option, (*own_options(environment), *error.known)) from None


def games_of(
    game: Game | GameSet | str,
    options: Mapping[str, Any],
    environment: type,
    decks: Decks = None,
    **defaults: Any,
) -> GameSet:
    """Like `game_of`, with every deck of `decks` and every value of options that are lists.

    `defaults` are options for a game given by name. Generated decks are drawn when they are first dealt; all other
    values are checked at once.

    Raises:
        TypeError: `decks` with a loaded game, or with `deck`.
        DeckError, TypeError, ValueError: a deck cannot be played; the message names its place in the list.
    """
    if isinstance(game, GameSet):
        return game
    if isinstance(game, str):
        options = {**defaults, **options}
    sets = {option: value for option, value in options.items() if isinstance(value, list) and option != "deck"}
    for option, values in sets.items():
        if not values:
            raise ValueError(f"{option}: expected a value, or one or more in a list, got none")
    if decks is None and (not sets or not isinstance(game, str)):
        return GameSet.of(game_of(game, options, environment))
    if not isinstance(game, str):
        raise TypeError("decks: expected the name of a game, got a loaded game, which has its own deck")
    if "deck" in options:
        raise TypeError("decks: expected either deck, for one, or decks, got both")
    if decks is not None:
        sets["deck"] = decks_of(decks)
    games = GameSet(partial(_with_values, game, options, environment), sets)
    listed = sets.get("deck", [None])
    for number in range(len(games)):
        if number % len(listed) and not is_generated(listed[number % len(listed)]):
            games[number]  # those with the first deck have been loaded
    return games


def reset_names(games: GameSet) -> tuple[str, ...]:
    """The keys of `reset(options=...)` that choose between the games."""
    return tuple(LISTS.get(option, option) for option in games.sets)


def places_of(games: GameSet, options: Mapping[str, Any] | None) -> Places:
    """The places of the values that `reset(options=...)` chooses: one value, several in a list, or None for all.

    Raises:
        TypeError, ValueError: a value that was not declared.
    """
    places: dict[str, list[int] | None] = {}
    for option in games.sets:
        name = LISTS.get(option, option)
        if options and name in options:
            given = options[name]
            listed = given if given is None or isinstance(given, list) else [given]
            if listed is not None and option == "deck":
                listed = decks_of(listed)
            places[option] = None if listed is None else games.places(option, listed)
    return places


def _with_values(name: str, options: Mapping[str, Any], environment: type, **values: Any) -> Game:
    return game_of(name, {**options, **values}, environment)


def decks_of(decks: Any) -> list[Any]:
    """List the decks that `decks` names: `"generated:100-199"` is a hundred, and `"shipped"` the game's own, as None.

    Raises:
        TypeError: `decks` is neither a deck nor a list of decks.
        ValueError: there is no deck, a range that goes down, or more than MOST_DECKS decks.
        DeckError: there is no generated deck of that name.
    """
    given = [decks] if isinstance(decks, str | PathLike) else decks
    if not isinstance(given, Sequence):
        raise TypeError(f'decks: expected decks in a list, or a range as "{PREFIX}100-199", got {shown(decks)}')
    listed: list[Any] = []
    for deck in given:
        listed.extend(_in_range(deck))
        if len(listed) > MOST_DECKS:
            raise ValueError(f"decks: expected at most {MOST_DECKS:,}, got more with {shown(deck)}")
    if not listed:
        raise ValueError("decks: expected one or more, got none")
    return listed


def _in_range(deck: Any) -> Iterable[Any]:
    if deck == SHIPPED:
        return [None]
    found = RANGE.fullmatch(deck) if isinstance(deck, str) else None
    if found is None:
        if is_generated(deck):
            seed_and_stray(deck)
        return [deck]
    first, last = int(found[1]), int(found[2])
    if last < first:
        raise ValueError(f"decks: expected a range from the lower seed to the higher, got {shown(deck)}")
    seed_and_stray(f"{PREFIX}{last}{found[3]}")
    return (f"{PREFIX}{seed}{found[3]}" for seed in range(first, min(last, first + MOST_DECKS) + 1))


def own_options(environment: type) -> list[str]:
    """The environment's own options, without those of its game."""
    parameters = list(signature(environment).parameters.values())
    return [each.name for each in parameters if each.name != "name" and each.kind is not each.VAR_KEYWORD]


def solo_games_of(
    game: Game | GameSet | str, options: Mapping[str, Any], environment: type, decks: Decks = None
) -> GameSet:
    """Like `games_of`, for one player.

    Raises:
        ValueError: the game has more than one player.
    """
    games = games_of(game, options, environment, decks, num_players=1)
    if games.first.num_players != 1:
        players = games.first.num_players
        raise ValueError(f"this environment is for one player, the game has {players}: use Versus or AEC")
    return games


def versus_games_of(
    game: Game | GameSet | str, options: Mapping[str, Any], environment: type, decks: Decks = None
) -> GameSet:
    """Like `games_of`, for several players, two by default.

    Raises:
        ValueError: the game has one player.
    """
    games = games_of(game, options, environment, decks, num_players=2)
    if games.first.num_players < 2:
        raise ValueError("this environment is for two players or more, the game has one: use SoloEnv")
    return games
