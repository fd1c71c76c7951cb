"""What the page's form offers can be played."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

import pytest

from chocofactory_env.play.tables import offers as offers_module
from chocofactory_env.play.tables.offers import Offers, described_options, titles, without_files
from chocofactory_env.registry import GAMES

OFFERS = Offers()
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("chocofactory", {"num_players": 1}),
    ("chocofactory", {"num_players": 3, "expansion": "master_chocolatier"}),
    ("candyfactory", {"num_players": 2}),
    ("schoko", {"num_players": 4}),
]


@pytest.mark.parametrize(
    ("name", "options"), VARIANTS, ids=[f"{name}-{given['num_players']}" for name, given in VARIANTS]
)
def test_every_choice_is_a_variant_and_has_words(name: str, options: dict[str, Any]) -> None:
    variant: Any = OFFERS.game(name, options)
    game = variant
    described = described_options(game, [1, 2, 3, 4])
    assert {one["name"] for one in described} == {field.name for field in fields(variant.variant)}
    assert ("mode" in variant.choices()) == any(one["name"] == "mode" for one in described)
    assert {one["name"] for one in described if not one["explained"]} == set()
    for one in described:
        assert "_" not in one["label"]
        assert not re.search(r"[A-Z]-\d|`|None|seed", one["explained"])
        if one["kind"] != "flag":
            assert one["value"] in one["choices"]
            assert len(one["choices"]) == len(one["words"])
    for option, choices in variant.choices().items():
        for value in [each for each in choices if each is not ...]:
            made = variant.variant.from_options({**without_files(game.options), option: value})
            assert getattr(made, option) == value
        bad: Any = "no such value"
        with pytest.raises((TypeError, ValueError)):
            variant.variant.from_options({option: bad})


def test_sides_may_be_written() -> None:
    sides = next(one for one in described_options(OFFERS.game("chocofactory", {}), [2]) if one["name"] == "sides")
    assert "ABBAA" in sides["others"]


def test_games_have_titles_of_their_own() -> None:
    assert list(titles()) == list(GAMES)
    assert len(set(titles().values())) == len(GAMES)


def test_the_variant_of_the_command_line_is_offered_however_many_others_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the shipped deck would be played instead."""
    monkeypatch.setattr(offers_module, "MOST_GAMES", 2)
    offers = Offers()
    own = offers.with_files("candyfactory", {"deck": "generated:17", "num_players": 3})
    assert offers.players("candyfactory") == [2, 3, 4]
    for options in (without_files(own.options), {"num_players": 3}):
        assert offers.game("candyfactory", options) is own
