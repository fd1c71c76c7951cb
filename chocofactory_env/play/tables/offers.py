"""Games that can be played, their options as a form, and variants, which tables share."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from threading import Lock
from typing import Any, Final

from ...core.game import Game
from ...core.messages import shown
from ...registry import GAMES, load
from ..protocol import Refusal
from .rules import form_of

MOST_GAMES: Final = 64  # cached variants
MOST_PLAYERS: Final = 8
NO_OPTION: Final = ("deck",)  # only the command line may name files
KINDS: Final = {"int": "number", "bool": "flag", "str": "text"}


class Offers:
    """Variants by their options. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._own: dict[str, Game] = {}  # variants of the command line
        self._games: dict[str, Game] = {}  # others, the latest MOST_GAMES

    def with_files(self, name: str, options: Mapping[str, Any]) -> Game:
        """The variant of the command line, perhaps with the user's deck. It is offered from now on.

        TypeError, ValueError: no such game or variant.
        """
        game = load(name, **options)
        self._own[_key(name, without_files(game.options))] = game
        return game

    def game(self, name: str, options: Mapping[str, Any]) -> Game:
        """The variant. Refusal if there is no such game or option, in the latter case with the game's own words."""
        if name not in GAMES:
            raise Refusal(f"game: no game {shown(name)}; there are: {', '.join(GAMES)}", "game")
        for option in NO_OPTION:
            if options.get(option) is not None:
                raise Refusal(f"options.{option}: files are named on the command line alone", f"options.{option}")
        given = without_files(options)
        with self._lock:
            key = _key(name, given)
            if key in self._own:
                return self._own[key]
            if key not in self._games:
                try:
                    made = load(name, **given)
                except (TypeError, ValueError) as error:
                    raise Refusal(f"options: {error}", "options") from None
                whole = _key(name, without_files(made.options))
                made = self._own[whole] if whole in self._own else self._games.setdefault(whole, made)
                self._games[key] = made
                while len(self._games) > MOST_GAMES:
                    del self._games[next(iter(self._games))]
                return made
            return self._games[key]

    def players(self, name: str) -> list[int]:
        """The numbers of players that a game allows."""
        found = []
        for number in range(1, MOST_PLAYERS + 1):
            try:
                self.game(name, {"num_players": number})
            except Refusal:
                continue
            found.append(number)
        return found


def without_files(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that a browser may see."""
    return {name: value for name, value in options.items() if name not in NO_OPTION}


def _key(name: str, options: Mapping[str, Any]) -> str:
    return json.dumps([name, dict(options)], sort_keys=True)


def titles() -> dict[str, str]:
    """The games' titles for people, by name."""
    return {name: game.title or name for name, game in GAMES.items()}


def described_options(game: Game, players: list[int]) -> list[dict[str, Any]]:
    """The options of the variant as a form: each one's type, value, and choices in words."""
    variant = getattr(game, "variant", None)
    hints = {one.name: str(one.type) for one in fields(variant)} if is_dataclass(variant) else {}
    choices: dict[str, Any] = dict(getattr(game, "choices", dict)())
    choices["num_players"] = {number: str(number) for number in players}
    options = {**{name: getattr(variant, name) for name in hints}, **game.options}
    _, words = form_of(game.name)
    found = []
    for name, value in without_files(options).items():
        described = described_option(name, value, hints.get(name, type(value).__name__), choices.get(name))
        label, explained = words.get(name, (name.removeprefix("num_").replace("_", " "), ""))
        found.append({**described, "label": label, "explained": explained})
    return found


def described_option(name: str, value: Any, hint: str, choices: Mapping[Any, str] | None) -> dict[str, Any]:
    """hint: the type annotation. choices: words for few values; `...` stands for others."""
    known = [] if choices is None else [one for one in choices if one is not ...]
    return {
        "name": name,
        "kind": KINDS.get(hint.partition(" ")[0], "text"),
        "value": value,
        "choices": known or None,
        "words": [choices[one] for one in known] if choices else None,
        "others": choices.get(...) if choices else None,
        "optional": "None" in hint,
    }
