"""The results that `docs/` shows: made from the shipped decks, and the page says what the files say."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import chocofactory_env as cf
from agents.protocol import make_agent
from arena.chocofactory import results
from arena.ladder import Step, sentences, steps_of
from arena.series import RESULT

MADE = [one for one in results.SERIES if one.result() is not None]
NOT_MADE = [one.name for one in results.SERIES if one not in MADE]


@pytest.mark.skipif(bool(NOT_MADE), reason=f"not made yet by python -m arena.chocofactory.results: {NOT_MADE}")
def test_the_page_is_what_the_files_say() -> None:
    assert results.PAGE.read_text(encoding="utf-8") == results.page()


@pytest.mark.parametrize("series", results.SERIES, ids=lambda one: one.name)
def test_the_agents_of_a_series_play_its_variant(series: results.Series) -> None:
    game = cf.load("chocofactory", num_players=series.players, **series.options)
    for agent in series.agents:
        make_agent(agent, game)
    assert len(set(series.agents)) == len(series.agents)


@pytest.mark.parametrize("series", [pytest.param(one, id=one.name) for one in MADE])
def test_a_series_is_whole_and_of_the_shipped_deck(series: results.Series) -> None:
    data = json.loads((results.SHOWN / series.name / RESULT).read_text(encoding="utf-8"))
    game = cf.load("chocofactory", num_players=series.players, **series.options)
    assert not data["interrupted"]
    assert data["settings"]["deck"] == game.deck_hash
    for plot in series.plots:
        assert (results.SHOWN / series.name / f"{plot}.svg").exists()


def in_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "GAMES", folder / "runs")
    monkeypatch.setattr(results, "SHOWN", folder / "shown")
    monkeypatch.setattr(results, "PAGE", folder / "results.md")


def test_a_series_is_played_and_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_folder(tmp_path, monkeypatch)
    monkeypatch.setattr(results, "GAMES_OF_A_PAIR", 2)
    monkeypatch.setattr(results, "GAMES_OF_NEIGHBOURS", 4)
    agents = ("random", "greedy", "planner:width=1")
    small = results.Series("small", "A small one", "2 players", 2, agents)
    other = results.Series("other", "Another one", "3 players", 3, agents[:2])
    monkeypatch.setattr(results, "SERIES", (small, other))
    results.main(["--only", "small"])
    text = (tmp_path / "results.md").read_text(encoding="utf-8")
    assert text.index("| agent | 2 players | ms a decision |") < text.index("\n## ")
    assert "- **A small one.** `" in text
    assert text.index("## What follows") < text.index("## A small one") < text.index("random – greedy")
    assert "Another one" not in text
    assert (tmp_path / "shown" / "small" / "ratings.svg").exists()
    results.main([])
    text = (tmp_path / "results.md").read_text(encoding="utf-8")
    assert "| agent | 2 players | 3 players | ms a decision |" in text
    played = json.loads((tmp_path / "shown" / "small" / RESULT).read_text(encoding="utf-8"))
    assert played["games"] == 3 * 2 + 2 * sum(len(each["tables"]) for each in played["further"])
    assert replace(small, agents=agents[:2]).result() is None, "a result of other agents is not shown"


# --- what is said of the numbers, by hand


def pairing(games: int, one: str, other: str, rate: float, low: float, high: float) -> dict[str, Any]:
    sides = [
        {"agent": one, "win_rate": rate, "win_rate_interval": [low, high]},
        {"agent": other, "win_rate": 1 - rate, "win_rate_interval": [1 - high, 1 - low]},
    ]
    return {"games": games, "sides": sides}


TOURNAMENT: dict[str, Any] = {
    "ratings": [
        {"agent": agent, "points": points, "interval": [points - 20, points + 30]}
        for agent, points in {"c": -90.0, "a": 100.0, "d": -110.0, "b": 100.0001}.items()
    ],
    "pairings": [
        pairing(200, "b", "a", 0.52, 0.45, 0.59),
        pairing(200, "c", "b", 0.25, 0.2, 0.3),
        pairing(48, "b", "d", 0.9, 0.8, 0.95),
        pairing(200, "c", "d", 0.4, 0.33, 0.47),
    ],
    "decisions_per_second": {"a": 50.0, "b": 2000.0, "c": None, "d": 1.0},
}
ALONE: dict[str, Any] = {
    "rows": [
        {"agent": agent, "difficulty": level, "win_rate": rate, "win_rate_interval": [rate - 0.05, rate + 0.05]}
        for agent, rate in {"x": 0.2, "a": 0.36, "y": 0.3}.items()
        for level in (0, 3)
    ],
    "decisions_per_second": {"x": 10.0, "a": 4.0},
}
TOGETHER = results.Series("together", "Two players", "2 players", 2, ("c", "a", "d", "b"))
SOLO = results.Series("solo", "The solo game", "alone, difficulty", 1, ("x", "a", "y"))


def test_neighbours_are_told_apart_where_the_interval_leaves_out_a_half() -> None:
    """a and b have the same rating, rounding aside."""
    steps = steps_of(TOURNAMENT)
    assert [(step.agent, step.other) for step in steps] == [("a", "b"), ("b", "c"), ("c", "d")]
    assert [step.sign for step in steps] == ["≈", ">", "<"]
    assert str(steps[1]) == "`b` wins 75.0 % [70.0, 80.0] of 200 games against `c`"


def test_words_name_the_first_step_and_those_that_are_in_doubt() -> None:
    [words] = TOGETHER.words(TOURNAMENT)
    assert words == (
        "- **Two players.** `a` ≈ `b` > `c` < `d`. `a` wins 48.0 % [41.0, 55.0] of 200 games against `b`. "
        "`c` wins 40.0 % [33.0, 47.0] of 200 games against `d`."
    )
    certain = Step("a", "b", 200, 0.6, 0.53, 0.67)
    assert sentences([certain, replace(certain, agent="b", other="c")]) == f"`a` > `b` > `c`. {certain}."


def test_solo_agents_are_told_apart_where_their_intervals_do_not_overlap() -> None:
    assert SOLO.words(ALONE)[1] == (
        "- **Alone, difficulty 3.** `a` 36.0 % [31.0, 41.0] ≈ `y` 30.0 % [25.0, 35.0] ≈ `x` 20.0 % [15.0, 25.0]."
    )
    apart = [{**row, "win_rate_interval": [row["win_rate"] - 0.01, row["win_rate"] + 0.01]} for row in ALONE["rows"]]
    assert SOLO.words({"rows": apart})[0].count(" > ") == 2


def test_the_leading_table_has_every_agent_once() -> None:
    assert results.leading_table([(TOGETHER, TOURNAMENT), (SOLO, ALONE)]) == [
        "| agent | 2 players | alone, difficulty 0 | alone, difficulty 3 | ms a decision |",
        "| --- | ---: | ---: | ---: | ---: |",
        "| `a` | 100.0 ± 25.0 | 36.0 % ± 5.0 | 36.0 % ± 5.0 | 20.00 |",
        "| `b` | 100.0 ± 25.0 | – | – | 0.50 |",
        "| `c` | -90.0 ± 25.0 | – | – | – |",
        "| `d` | -110.0 ± 25.0 | – | – | 1,000.00 |",
        "| `x` | – | 20.0 % ± 5.0 | 20.0 % ± 5.0 | 100.00 |",
        "| `y` | – | 30.0 % ± 5.0 | 30.0 % ± 5.0 | – |",
    ]
