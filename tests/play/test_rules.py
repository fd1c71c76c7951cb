"""Clauses and hints that the page shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from at_table import client_of

import chocofactory_env as cf
from chocofactory_env.core.compiled import CompiledGame
from chocofactory_env.play.rules import form_of, pages_of
from chocofactory_env.play.session import House
from chocofactory_env.registry import GAMES

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
