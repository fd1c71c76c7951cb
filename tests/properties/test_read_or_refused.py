"""Whatever it is, it is read or refused with its place: options, decks and positions of every game.

The cases of decks and positions are in `tests/games/<game>/refusals.txt`; some are those of clauses: CANDY-7, SHORT-5,
START-4, SALE-7, STAFF-5, SET-4, SET-5, SET-8, SET-9.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import candyfactory_decks
import chocofactory_decks
import pytest
from all_games import NAMES, load, steps
from damaged_decks import Tables, write
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import Json, cases, change, nested, refusal
from schoko_decks import shipped

import chocofactory_env as cf
from chocofactory_env.core.errors import DeckError
from chocofactory_env.games.candyfactory.cards import load_cards as load_candy
from chocofactory_env.games.chocofactory.cards import load_cards
from chocofactory_env.games.schoko.cards import load_cards as load_schoko

EVERY = pytest.mark.parametrize("name", NAMES)

# --- options ----------------------------------------------------------------------------------------------------

LONGEST_MESSAGE = 400
EXPANDED = {"expansion": "master_chocolatier"}
NAMED = "expected 'generated:SEED' with a seed from 0 to 999,999,999"
REFUSED: list[tuple[str, dict[str, Any], type[Exception], str]] = [
    *(("chocofactory", {"num_players": number}, ValueError, "num_players: expected 1 to 4") for number in (0, 5)),
    *(("candyfactory", {"num_players": number}, ValueError, "num_players: expected 2 to 4") for number in (1, 5)),
    *(("schoko", {"num_players": number}, ValueError, "num_players: expected 2 to 4") for number in (1, 5)),
    ("chocofactory", {"num_players": 1, "difficulty": 13}, ValueError, "difficulty: expected 0 to 12"),
    ("chocofactory", {"num_players": 2, "difficulty": 1}, ValueError, "difficulty"),
    *(
        (
            "chocofactory",
            {"num_players": number, "solo_money": "completed"},
            ValueError,
            f"solo_money: only the solo game has it, got 'completed' for {number} players",
        )
        for number in (2, 3, 4)
    ),
    ("chocofactory", {"num_players": 1, "solo_money": "all"}, ValueError, "solo_money must be one of 'paid', 'compl"),
    ("chocofactory", {"num_players": 1, "solo_money": True}, ValueError, "solo_money must be one of 'paid', 'compl"),
    ("chocofactory", {"mode": "together"}, ValueError, "mode must be one of 'turns', 'simultaneous', got 'together'"),
    *(("chocofactory", {"sides": sides}, ValueError, "sides: expected") for sides in ("AB", "AAAAAA", 3)),
    *(("chocofactory", {"sides": sides}, ValueError, "need an expansion") for sides in ("C", "D", "ABCAA", "DDDDD")),
    *(
        ("chocofactory", {"sides": sides, **EXPANDED}, ValueError, 'sides: expected "A", "B", "C", "D", "random"')
        for sides in ("E", "ABCDE", "AB", "", 3)
    ),
    *(
        ("chocofactory", {"expansion": name}, ValueError, 'expansion: expected None or "master_chocolatier"')
        for name in ("master chocolatier", "", True, 1)
    ),
    *(("candyfactory", {"game": game}, ValueError, "game: expected one of ") for game in ("short", ["full"])),
    ("candyfactory", {"start_player": 2}, ValueError, "start_player: expected 0 to 1"),
    ("schoko", {"num_players": 3, "leader": 3}, ValueError, "leader"),
    ("schoko", {"upset": "none"}, ValueError, "upset"),
    *((name, {"play_forced": 1}, TypeError, "play_forced: expected True or False, got 1") for name in NAMES),
    ("schoko", {"moths": 8}, TypeError, "moths"),
    *(
        ("schoko", {"deck": f"generated:{seed}"}, DeckError, f"^generated:{seed}: {NAMED}")
        for seed in ("\uff11", "\u0661,stray=1", "1,stray=\uff11", "", "x", "-1", "017", "1,stray=2", "1 ")
    ),
]


@pytest.mark.parametrize(("name", "options", "error", "match"), REFUSED, ids=str)
def test_options_that_do_not_fit_are_refused(
    name: str, options: dict[str, Any], error: type[Exception], match: str
) -> None:
    with pytest.raises(error, match=match):
        cf.load(name, **options)


OPTIONS = sorted({option for name in NAMES for option in cf.load(name).options} - {"deck"} | {"mode", "solo_money"})
WORDS = ("A", "random", "ABABA", "simultaneous", "completed", "master_chocolatier", "full", "candy", "no_upset")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 13) | st.integers() | st.floats() | st.sampled_from(WORDS) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)


@settings(deadline=None)
@given(
    name=st.sampled_from(NAMES),
    options=st.dictionaries(st.sampled_from(OPTIONS) | st.text(min_size=1, max_size=9), VALUES, max_size=3),
)
def test_whatever_the_options_are_they_are_kept_or_one_is_refused_by_name(name: str, options: dict[str, Any]) -> None:
    kept, refusal = options, ""
    try:
        game = cf.load(name, **options)
        kept = {option: game.options.get(option, value) for option, value in options.items()}
    except (TypeError, ValueError) as error:
        refusal = str(error)
    assert kept == options | {option: kept[option] for option, value in options.items() if value is None}  # its default
    assert re.match("|".join([*OPTIONS, "unexpected keyword argument", "$"]), refusal), refusal
    assert len(refusal) < LONGEST_MESSAGE


# --- decks ------------------------------------------------------------------------------------------------------

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


@EVERY
def test_a_file_that_is_not_there_and_a_path_that_is_none_are_refused(name: str) -> None:
    with pytest.raises(DeckError, match=r"nowhere\.toml: expected a file that can be read"):
        READ[name]("nowhere.toml")
    with pytest.raises(TypeError, match="deck: expected the path of a TOML file"):
        READ[name](3)


@EVERY
def test_a_deck_written_anew_and_an_empty_one_are_the_shipped_deck(name: str, tmp_path: Path) -> None:
    for tables in (DECKS[name], {}):
        cards = READ[name](write(tmp_path / "my_deck.toml", tables))
        assert cards.hash == READ[name]().hash
        assert cards.array.tobytes() == READ[name]().array.tobytes()


@EVERY
def test_every_card_has_a_name_and_says_whether_it_is_published(name: str) -> None:
    cards = READ[name]()
    assert cards.sources.keys() == cards.names.keys()
    for card, source in cards.sources.items():
        assert cards.names[card], card
        assert source in ("rulebook", "help", "report", "reconstructed"), card
        assert source != "reconstructed" or not cards.clauses[card], card


# What does not influence play, and what does.
SAME = {
    "chocofactory": (
        'parts.5.name = "Another Name" ; parts.5.note = "A note."',
        'parts.5.source = "help" ; parts.5.reconstructed = ["cost", "options"]',
        '- parts.5.reconstructed ; parts.5.source = "reconstructed"',
        'parts.5.source = "report" ; parts.5.address = "https://example.org/a-game"',
        '- parts.5.reconstructed ; parts.5.reported = ["cost"] ; parts.5.address = "a letter"',
        "stores.0 <> stores.1",
        "parts.5.options.1.makes.0 <> parts.5.options.1.makes.1",
    ),
    "candyfactory": (
        'trucks.0.name = "Another Name" ; trucks.0.note = "A note."',
        "workers.0.numbers.0 <> workers.0.numbers.7",
        "boards.0 <> boards.1 ; specialists.0 <> specialists.5",
    ),
    "schoko": ('contracts.0.name = "Another Kiosk" ; contracts.0.note = "A remark."', "events.0 <> events.1"),
}
OTHER = {
    "chocofactory": (
        'parts.5.id = "another-id"',
        "parts.5.cost = 2",
        "parts.5.options.0 <> parts.5.options.1",
        "orders.0 <> orders.1",
        "setup.0.coal = [5, 6, 7, 8, 9, 11]",
        "demands.0.stores.palace_boutique = 3",
    ),
    "candyfactory": ("trucks.0.places = 6", "recipes.0 <> recipes.1", 'recipes.0.id = "other"'),
    "schoko": ("setup.0.cash = 120", "contracts.0 <> contracts.1"),
}
CHANGES = [
    (name, each, same) for same, table in ((True, SAME), (False, OTHER)) for name in table for each in table[name]
]


@pytest.mark.parametrize(("name", "changes", "same"), CHANGES)
def test_the_hash_covers_what_influences_play_and_nothing_else(
    name: str, changes: str, same: bool, tmp_path: Path
) -> None:
    tables = change(copy.deepcopy(DECKS[name]), changes)
    assert (READ[name](write(tmp_path / "my_deck.toml", tables)).hash == READ[name]().hash) == same


# Game -> a change of the shipped deck, and where the record shows it.
REPLACED = [
    ("chocofactory", "orders", "orders.0.stages.0.pay = 9", lambda record: record.orders[0].stages[0].pay, 9),
    ("candyfactory", "trucks", "trucks.0.places = 9", lambda record: record.places.tolist(), [7, 9, 3, 4, 3]),
    ("schoko", "setup", "setup.0.staff = [5, 5, 5, 5]", lambda record: record.staff.tolist(), [5, 5, 5, 5]),
]


@pytest.mark.parametrize(("name", "table", "changes", "read", "expected"), REPLACED)
def test_a_table_in_the_deck_replaces_the_shipped_one(
    name: str, table: str, changes: str, read: Any, expected: Any, tmp_path: Path
) -> None:
    own = change({table: copy.deepcopy(DECKS[name][table])}, changes)
    cards = READ[name](write(tmp_path / "own.toml", own))
    assert read(cards.record) == expected
    assert cards.names == READ[name]().names


@EVERY
def test_a_game_is_played_with_the_deck(name: str, tmp_path: Path) -> None:
    path = write(tmp_path / "my_deck.toml", change(copy.deepcopy(DECKS[name]), OTHER[name][0]))
    game = cf.load(name, deck=str(path))
    data = game.to_dict(game.new(1))
    assert game.options["deck"] == str(path)
    with pytest.raises(cf.StateError, match=r"state\.deck"):
        cf.load(name).from_dict(data)


# --- positions --------------------------------------------------------------------------------------------------


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


@EVERY
@pytest.mark.parametrize("value", [None, [], "state", 3, nested(5000)], ids=["null", "list", "text", "number", "deep"])
def test_what_is_no_object_is_refused(name: str, value: Any) -> None:
    assert refusal(load(name, num_players=2), value).startswith("state: expected an object, got ")
