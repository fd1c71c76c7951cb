"""Games that can be played, and their options as a form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Final

from ..core.game import Game
from ..core.messages import shown
from ..registry import GAMES, load
from .protocol import Refusal
from .rules import form_of

DECK: Final = ("Deck", "A file with cards of your own, or generated:NUMBER.")
KINDS: Final = {"int": "number", "bool": "flag", "str": "text"}


def game_of(name: str, options: Mapping[str, Any]) -> Game:
    """The variant. Refusal if there is no such game or option, in the latter case with the game's own words."""
    if name not in GAMES and ":" not in name:
        raise Refusal(f"game: no game {shown(name)}; there are: {', '.join(GAMES)}")
    try:
        return load(name, **options)
    except (TypeError, ValueError) as error:
        raise Refusal(f"options: {error}") from None


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
    words = {"deck": DECK, **words}
    found = []
    for name, value in options.items():
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
    }
