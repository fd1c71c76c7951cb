"""What the page's form offers can be played; clauses and hints that the page shows."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from at_table import client_of

import chocofactory_env as cf
from chocofactory_env.core.compiled import CompiledGame
from chocofactory_env.play.agents import described_agents
from chocofactory_env.play.forms import described_options, game_of, titles
from chocofactory_env.play.protocol import AskedSeat, Refusal
from chocofactory_env.play.rules import form_of, pages_of
from chocofactory_env.play.session import House, seats_of
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


def test_games_have_titles_of_their_own() -> None:
    assert list(titles()) == list(GAMES)
    assert len(set(titles().values())) == len(GAMES)
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


SHIPPED = ["chocofactory", "candyfactory", "schoko"]


@pytest.mark.parametrize("name", SHIPPED)
def test_every_phase_has_hints_of_few_sentences_with_clauses(name: str) -> None:
    game, pages = cf.load(name), pages_of(name)
    assert isinstance(game, CompiledGame)
    hints = pages["hints"]
    assert {phase for hint in hints for phase in hint["phases"]} == set(game.rules_in_brief()[1])
    for hint in hints:
        assert 1 <= len(re.findall(r"[.?!](?: |$)", hint["words"])) <= 3, hint
        assert set(hint["clauses"]) <= set(pages["clauses"])


@pytest.mark.parametrize("name", SHIPPED)
def test_clauses_are_said_without_marks(name: str) -> None:
    for clause, words in pages_of(name)["clauses"].items():
        assert len(words) > 3, clause
        assert not re.search(r"\*\*|`|\(J|\]\(|\|", words), (clause, words)


@pytest.mark.parametrize("name", SHIPPED)
def test_the_form_says_what_a_game_is_and_how_long_it_takes(name: str) -> None:
    about, options = form_of(name)
    assert re.search(r"\d+ choices", about) or "choices each" in about
    later = {"mode", "solo_money"} if name == "chocofactory" else set()  # which a game's options lack at their default
    assert options.keys() == cf.load(name).options.keys() - {"deck"} | later


def test_the_server_has_them_for_its_games_alone(tmp_path: Path) -> None:
    client = client_of(House(tmp_path))
    for name in GAMES:
        assert client.get(f"/rules/{name}").json() == pages_of(name)
    assert client.get("/rules/none").status_code == 404
