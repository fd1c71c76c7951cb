"""The results that `docs/` shows: made from the shipped decks, and the page says what the files say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import chocofactory_env as cf
from agents.protocol import make_agent
from arena.chocofactory import results
from arena.series import RESULT

MADE = [one for one in results.SERIES if (results.SHOWN / one.name / RESULT).exists()]


def test_the_page_is_what_the_files_say() -> None:
    assert MADE
    assert results.PAGE.read_text(encoding="utf-8") == results.page()


@pytest.mark.parametrize("series", MADE, ids=lambda one: one.name)
def test_a_series_is_whole_and_of_the_shipped_deck(series: results.Series) -> None:
    data = json.loads((results.SHOWN / series.name / RESULT).read_text(encoding="utf-8"))
    game = cf.load("chocofactory", num_players=series.players, **series.options)
    assert not data["interrupted"]
    assert data["settings"]["deck"] == game.deck_hash
    assert data["settings"]["agents"] == list(series.agents)
    for agent in series.agents:
        make_agent(agent, game)
    for plot in series.plots:
        assert (results.SHOWN / series.name / f"{plot}.svg").exists()


def test_a_series_is_played_and_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "GAMES", tmp_path / "runs")
    monkeypatch.setattr(results, "SHOWN", tmp_path / "shown")
    monkeypatch.setattr(results, "PAGE", tmp_path / "results.md")
    small = results.Series("small", "A small one", 2, ("random", "greedy"), 1)
    monkeypatch.setattr(results, "SERIES", (small,))
    results.main(["--only", "small"])
    text = (tmp_path / "results.md").read_text(encoding="utf-8")
    assert "## A small one" in text
    assert "greedy" in text
    assert (tmp_path / "shown" / "small" / "ratings.svg").exists()
