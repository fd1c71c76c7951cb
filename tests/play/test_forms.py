"""What the page's form offers can be played."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

import pytest

from chocofactory_env.play.agents import described_agents
from chocofactory_env.play.forms import described_options, game_of, players_of, titles
from chocofactory_env.play.protocol import AskedSeat, Refusal
from chocofactory_env.play.session import seats_of
from chocofactory_env.registry import GAMES

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
    game: Any = game_of(name, options)
    described = [one for one in described_options(game, [1, 2, 3, 4]) if one["name"] != "deck"]
    assert {one["name"] for one in described} == {field.name for field in fields(game.variant)}
    assert {one["name"] for one in described if not one["explained"]} == set()
    for one in described:
        assert "_" not in one["label"]
        assert not re.search(r"[A-Z]-\d|`|None|seed", one["explained"])
        if one["kind"] != "flag":
            assert one["value"] in one["choices"]
            assert len(one["choices"]) == len(one["words"])
    for option, choices in game.variant.choices().items():
        for value in [each for each in choices if each is not ...]:
            given = {key: one for key, one in game.options.items() if key != "deck"}
            assert getattr(game.variant.from_options({**given, option: value}), option) == value


def test_games_have_titles_of_their_own_and_numbers_of_players() -> None:
    assert list(titles()) == list(GAMES)
    assert len(set(titles().values())) == len(GAMES)
    assert players_of("candyfactory") == [2, 3, 4]
    with pytest.raises(Refusal, match="no game 'chess'"):
        game_of("chess", {})


@pytest.mark.parametrize(("game", "best"), [("chocofactory", "expert"), ("candyfactory", "learned")])
def test_agents_are_offered_with_style_rating_and_time_strongest_first(game: str, best: str) -> None:
    agents = described_agents(game, 2)
    assert agents[0]["name"] == best
    assert all(len(one["style"]) > 20 for one in agents)
    assert "llm" not in {one["name"] for one in agents}
    good = next(one for one in agents if one["name"] == "greedy")
    assert {"agent", "rating", "milliseconds"} <= good["measured"][0].keys()


def test_equal_names_are_told_apart() -> None:
    greedy = AskedSeat(agent="greedy")
    made = [seat.name for seat in seats_of([AskedSeat(name="Ann"), greedy, AskedSeat(), greedy])]
    assert made == ["Ann", "greedy 1", "Player 2", "greedy 3"]
