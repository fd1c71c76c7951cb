"""Positions as data: a value is read as it is or refused with the path to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chocofactory_env.core.errors import StateError
from chocofactory_env.core.positions.reading import Fault, Reader, difference, named, numbered, refuse, repeated

DATA: dict[str, Any] = {"coins": 3, "seats": [{"name": "red"}, {"name": "blue"}], "open": True, "none": None}


def test_values_are_read_as_they_are() -> None:
    read = Reader(DATA)
    assert read["coins"].integer(0, 3) == 3
    assert [seat["name"].index(("blue", "red")) for seat in read["seats"].items(2)] == [1, 0]
    assert read["open"].flag() is True
    assert [value.value for value in read.by(("open", "coins"))] == [True, 3]
    assert read["none"].optional(lambda r: r.integer(0, 9)) == -1
    assert read["coins"].optional(lambda r: r.integer(0, 9)) == 3


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda r: r["lid"], "state: expected a table with 'lid', got "),
        (lambda r: r["coins"]["lid"], "state.coins: expected a table with 'lid', got 3"),
        (lambda r: r["coins"].integer(0, 2), "state.coins: expected a whole number from 0 to 2, got 3"),
        (lambda r: r["open"].integer(0, 2), "state.open: expected a whole number from 0 to 2, got True"),
        (lambda r: r["coins"].flag(), "state.coins: expected true or false, got 3"),
        (lambda r: r["seats"].items(3), "state.seats: expected a list of 3 entries, got "),
        (lambda r: r["seats"].items(0, 1), "state.seats: expected a list of at most 1 entries, got "),
        (lambda r: r["coins"].items(3), "state.coins: expected a list of 3 entries, got 3"),
        (
            lambda r: r["seats"].items(2)[1]["name"].index(("red",)),
            "state.seats[1].name: expected one of red",
        ),
        (lambda r: r["coins"].index(("red",), "the id of a card"), "state.coins: expected the id of a card, got 3"),
        (lambda r: r["coins"].equals(4), "state.coins: expected 4, got 3"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_path(wrong: Callable[[Reader], Any], message: str) -> None:
    with pytest.raises(StateError) as refused:
        wrong(Reader(DATA))
    assert str(refused.value).startswith(message)


def test_a_reader_of_a_game_keeps_its_methods_along_the_path() -> None:
    class Cards(Reader):
        def card(self) -> int:
            return self.index(("red", "blue"), "the id of a card")

    assert [seat["name"].card() for seat in Cards(DATA)["seats"].items(2)] == [0, 1]


@pytest.mark.parametrize(
    ("given", "understood", "fault"),
    [
        ({"a": [1, 2]}, {"a": [1, 2]}, None),
        ({"a": [1, 2]}, {"a": [1, 3]}, Fault("a[1]", "3", 2)),
        ({"a": True}, {"a": 1}, Fault("a", "1", True)),
        ({"a": 1.0}, {"a": 1}, Fault("a", "1", 1.0)),
        ({"a": [1]}, {"a": [1, 2]}, Fault("a", "[1, 2]", [1])),
        ({}, {"a": 1}, Fault("", "a table with 'a'", {})),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1}}, Fault("a", "no unknown key", "c")),
    ],
)
def test_the_first_difference_is_found(given: Any, understood: Any, fault: Fault | None) -> None:
    assert difference(given, understood) == fault


def test_a_fault_is_refused_and_none_is_not() -> None:
    refuse(None, "state.")
    with pytest.raises(StateError, match=r"^state\.coins: expected 3, got 4$"):
        refuse(Fault("coins", "3", 4), "state.")


def test_entries_come_with_their_paths() -> None:
    cards = [*numbered("deck", ["a", None, "b"]), *named("shown", {"left": "a", "right": None})]
    assert cards == [("deck[0]", "a"), ("deck[2]", "b"), ("shown.left", "a")]
    assert list(repeated(cards)) == [("shown.left", "a")]
