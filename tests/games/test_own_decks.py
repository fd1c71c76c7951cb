"""Decks of one's own, of every game: tables replace the shipped ones, and the hash is that of what is played."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from all_games import NAMES
from damaged_decks import write
from refusals import change
from test_refusals import DECKS, READ

import chocofactory_env as cf

EVERY = pytest.mark.parametrize("name", NAMES)


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
        assert source in ("rulebook", "help", "reconstructed"), card
        assert source != "reconstructed" or not cards.clauses[card], card


# What does not influence play, and what does.
SAME = {
    "chocofactory": (
        'parts.5.name = "Another Name" ; parts.5.note = "A note."',
        'parts.5.source = "help" ; parts.5.reconstructed = ["cost", "options"]',
        '- parts.5.reconstructed ; parts.5.source = "reconstructed"',
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
