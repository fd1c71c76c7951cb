"""The games that an environment plays, and what a reset chooses among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import signature
from typing import Any, Final, NamedTuple, TypeAlias

from ..core.cards.lists import decks_of
from ..core.checks import UnknownOptionError
from ..core.game import Game, State
from ..core.kernel.variants import LISTS, GameSet, Places
from ..core.messages import hint, shown
from ..registry import games as games_named

STATE: Final = "state"  # key of `reset(options=...)`: the position with which the game begins

Games: TypeAlias = str | Game | Sequence[Game]


def games_of(games: Games, options: Mapping[str, Any], environment: type) -> GameSet:
    """The games of a name with `options`, as `cf.games` lists them, a loaded game, or a list of games.

    Raises:
        UnknownOptionError (a TypeError): there is no such option, or the games are loaded and take none.
        DeckError, TypeError, ValueError: see `cf.games`.
    """
    if isinstance(games, str):
        try:
            return games_named(games, **options)
        except UnknownOptionError as error:
            known = (*own_options(environment), *LISTS.values(), *error.known)
            raise UnknownOptionError.of(error.option, known) from None
    found = GameSet.of(games)
    for option in options:
        because = ": a loaded game has its own options" if option in ("decks", *found.first.options) else ""
        raise UnknownOptionError.of(option, own_options(environment), because)
    return found


def with_players(games: Games, options: Mapping[str, Any], players: int) -> dict[str, Any]:
    """The options, with this number of players for games given by name, unless they say another."""
    return {"num_players": players, **options} if isinstance(games, str) else dict(options)


def own_options(environment: type) -> list[str]:
    """The environment's own options, without those of its games."""
    parameters = list(signature(environment).parameters.values())
    return [each.name for each in parameters if each.name != "games" and each.kind is not each.VAR_KEYWORD]


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


def check_reset_options(
    options: Mapping[str, Any] | None, own: tuple[str, ...], games: GameSet, environment: type
) -> Places:
    """Return which declared values `reset(options=...)` chooses. `own` are the other keys that it takes.

    Raises:
        TypeError: not a dictionary or None, or an unknown key; the message says where the option belongs.
        TypeError, ValueError: a value that was not declared.
    """
    check_is_mapping(options)
    known = (*own, *reset_names(games))
    for key in options or ():
        if key not in known:
            belongs = where_it_belongs(key, games.first, environment) or hint(key, known)
            there_are = ", ".join(known) or "no options"
            raise TypeError(f"reset(options=...): unknown key {shown(key)}{belongs}; reset() takes {there_are}")
    return places_of(games, options)


def check_is_mapping(options: Any) -> None:
    """TypeError unless the `options` of a reset are a dictionary or None."""
    if not (options is None or isinstance(options, Mapping)):
        raise TypeError(f"reset(options=...): expected a dictionary or None, got {shown(options)}")


def where_it_belongs(key: Any, game: Game, environment: type) -> str:
    """Advice if a key of `reset(options=...)` is an option of the constructor, else an empty string."""
    if key in (*own_options(environment), *game.options):
        return f", which is an option of the environment: make(..., {key}=...)"
    return ""


class Start(NamedTuple):
    """The position with which a game begins."""

    number: int  # of its game in the list
    state: State  # a copy


def start_of(games: GameSet, number: int, options: Mapping[str, Any] | None, seed: Any) -> Start | None:
    """The start that `reset(options={"state": ...})` asks for; None without one. `number`: of the present game.

    Raises:
        TypeError: no position; or a seed, or a choice of values, beside it.
        ValueError: the position is of no game of the list, or its game is over.
    """
    if not options or options.get(STATE) is None:
        return None
    beside = [name for name in reset_names(games) if name in options] + ["a seed"] * (seed is not None)
    if beside:
        raise TypeError(f"reset(): a position fixes the game, so expected nothing beside it, got {', '.join(beside)}")
    state = options[STATE]
    number = games.number_of(state, number)
    if games[number].is_over(state):
        raise ValueError("reset(options=...): expected a position to play on from, got one whose game is over")
    return Start(number, games[number].clone(state))
