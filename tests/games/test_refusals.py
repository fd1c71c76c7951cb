"""Decks and positions that do not fit are refused, with the place of the mistake: the cases of `<game>/refusals.txt`.

Some cases are those of clauses: CANDY-7, SHORT-5, START-4, SALE-7, STAFF-5, SET-4, SET-5, SET-8, SET-9.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import candyfactory_decks
import chocofactory_decks
import pytest
from all_games import NAMES, load, steps
from damaged_decks import Tables, write
from refusals import Json, cases, change, nested, refusal
from schoko_decks import shipped

from chocofactory_env.core.errors import DeckError
from chocofactory_env.games.candyfactory.cards import load_cards as load_candy
from chocofactory_env.games.chocofactory.cards import load_cards
from chocofactory_env.games.schoko.cards import load_cards as load_schoko

READ: dict[str, Callable[..., Any]] = dict(zip(NAMES, (load_cards, load_candy, load_schoko), strict=True))
DECKS: dict[str, Tables] = dict(
    zip(NAMES, (chocofactory_decks.SHIPPED, candyfactory_decks.SHIPPED, shipped()), strict=True)
)
EXPANSION = chocofactory_decks.EXPANSION


@pytest.mark.parametrize(("name", "section", "changes", "message"), cases("deck"))
def test_a_mistake_in_a_deck_is_refused(name: str, section: str, changes: str, message: str, tmp_path: Path) -> None:
    """With the file's name first, also where it does not fit the tables of another."""
    expansion = EXPANSION if section.endswith("expansion") else None
    tables = copy.deepcopy(DECKS[name] if expansion is None else chocofactory_decks.EXPANDED[EXPANSION])
    change(tables, changes)
    path = write(tmp_path / "my_deck.toml", tables if expansion is None else {EXPANSION: tables})
    with pytest.raises(DeckError) as refused:
        READ[name](path, *([expansion] if expansion else []))
    assert message in str(refused.value)
    assert str(refused.value).startswith(str(path))


@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_is_not_there_and_a_path_that_is_none_are_refused(name: str) -> None:
    with pytest.raises(DeckError, match=r"nowhere\.toml: expected a file that can be read"):
        READ[name]("nowhere.toml")
    with pytest.raises(TypeError, match="deck: expected the path of a TOML file"):
        READ[name](3)


# --- positions


@cache
def position(name: str, section: str) -> tuple[Any, Json]:
    """The game, and a position of the section's name, or a first one; never change it."""
    if section != "position":
        return of_schoko(section.removeprefix("position: "))
    game = load(name, num_players=2)
    return game, game.to_dict(game.new(1))


def of_schoko(section: str) -> tuple[Any, Json]:
    """The first position of this task after month 1; nobody is bankrupt."""
    game = load("schoko", num_players=3, leader=0)
    return first(
        game,
        lambda data: (
            data["task"] == section and data["month"] >= 2 and not any(each["out"] for each in data["players"])
        ),
    )


def first(game: Any, holds: Callable[[Json], bool]) -> tuple[Any, Json]:
    """The first position of some random game of which this holds."""
    for seed in range(50):
        for state, _ in steps(game, seed):
            data = game.to_dict(state)
            if holds(data):
                return game, data
    raise AssertionError("no such position")


@pytest.mark.parametrize(("name", "section", "changes", "message"), cases("position"))
def test_a_field_that_does_not_fit_is_named(name: str, section: str, changes: str, message: str) -> None:
    game, data = position(name, section)
    assert message in refusal(game, change(copy.deepcopy(data), changes))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", [None, [], "state", 3, nested(5000)], ids=["null", "list", "text", "number", "deep"])
def test_what_is_no_object_is_refused(name: str, value: Any) -> None:
    assert refusal(load(name, num_players=2), value).startswith("state: expected an object, got ")
