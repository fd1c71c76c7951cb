"""docs/rewards.md: what a bankrupt seat earns, in decks with other loans."""

from __future__ import annotations

from pathlib import Path

import pytest
from damaged_decks import write
from repository import ROOT
from schoko_decks import setup, shipped

import chocofactory_env as cf


@pytest.mark.parametrize(("loans", "loan"), [(13, 50), (4, 7), (0, 250)])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_seat_that_is_out_earns_as_the_page_says(tmp_path: Path, players: int, loans: int, loan: int) -> None:
    page = (ROOT / "docs" / "rewards.md").read_text(encoding="utf-8")
    said = "-`loan` × (`loans` + P - n), a solvent seat its score, at least -`loan` × `loans`"
    assert said.replace("-", "\u2212") in " ".join(page.split())
    tables = shipped()
    setup(tables).update({"loans": loans, "loan": loan})
    game = cf.load("schoko", num_players=players, deck=write(tmp_path / "deck.toml", tables))
    state = game.new(seed=1)
    for seat in range(players - 1):
        state["players"]["out"][0, seat] = seat + 1
    assert game.payoffs(state)[:-1].tolist() == [-loan * (loans + players - n) for n in range(1, players)]
    for field, number in {"cash": 0, "shares": 0, "loans": loans}.items():
        state["players"][field][0, players - 1] = number
    assert game.payoffs(state)[-1] == -loan * loans
