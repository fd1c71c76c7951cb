"""Load the game of an environment, or the games with several decks between which its deals choose."""

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
from ..core.kernel.variants import GameSet
from ..core.messages import shown
from ..registry import load

RANGE: Final = re.compile(rf"{PREFIX}(\d{{1,9}})-(\d{{1,9}})((?:,.*)?)")
MOST_DECKS: Final = 1_000_000

Decks = str | PathLike[str] | Sequence[str | PathLike[str] | None] | None


def game_of(game: Game | str, options: Mapping[str, Any], environment: type) -> Game:
    """Return the game, or load the game of that name with `options`, the ones that are not the environment's own.

    Raises:
        UnknownOptionError: (a TypeError) neither has the option, or the game is already loaded and takes none.
    """
    if not isinstance(game, str):
        for option in options:
            because = ": the game was given loaded, with its own options" if option in game.options else ""
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
    """Like `game_of`, with every deck of `decks`. `defaults` are options for a game that is given by name.

    Decks that are files are checked at once, generated ones are drawn when they are first dealt.

    Raises:
        TypeError: `decks` with a loaded game, or with `deck`.
        DeckError, TypeError, ValueError: a deck that cannot be played, by its place in the list.
    """
    if isinstance(game, GameSet):
        return game
    if isinstance(game, str):
        options = {**defaults, **options}
    if decks is None:
        return GameSet.of(game_of(game, options, environment))
    if not isinstance(game, str):
        raise TypeError("decks: the game was given loaded, with its own deck; give its name instead")
    if "deck" in options:
        raise TypeError("decks: expected either deck, for one, or decks, got both")
    listed = decks_of(decks)
    games = GameSet(partial(_with_values, game, options, environment), {"deck": listed})
    for number, deck in enumerate(listed):
        if not is_generated(deck):
            games[number]
    return games


def _with_values(name: str, options: Mapping[str, Any], environment: type, **values: Any) -> Game:
    return game_of(name, {**options, **values}, environment)


def decks_of(decks: Any) -> list[Any]:
    """Every deck that is named: `"generated:100-199"` names a hundred.

    Raises:
        TypeError: neither a deck nor a list of decks.
        ValueError: no deck, a range that goes down, or more than MOST_DECKS.
        DeckError: no name of a generated deck.
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
