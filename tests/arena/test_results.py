"""The results that the site shows: made from the shipped decks, and the page says what the files say."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chocofactory_env.agents.protocol import make_agent
from chocofactory_env.arena import results
from chocofactory_env.arena.report import Step, sentences, steps_of
from chocofactory_env.arena.results import Results, Shown, results_of_game
from tools.clauses import shipped_games

SERIES = [
    pytest.param(game, one, id=f"{game}: {one.name}")
    for game in shipped_games()
    for one in results_of_game(game).series
]


@pytest.mark.parametrize(("game", "series"), SERIES)
def test_a_series_is_whole_and_its_agents_play_the_shipped_deck(game: str, series: Shown) -> None:
    variant, folder = series.tournament(game).load(), results_of_game(game).folder
    for agent in series.agents:
        make_agent(agent, variant)
    data = series.result(folder)
    assert data is not None
    assert not data["interrupted"]
    assert data["settings"]["deck"] == variant.deck_hash
    assert (folder / f"{series.name}.svg").exists()


def test_a_series_is_played_and_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agents = ("random", "greedy", "planner:width=1")
    small = Shown("small", "A small one", "2 players", agents, games=2, neighbour_games=4)
    other = Shown("other", "Another one", "3 players", agents[:2], 3, games=2, neighbour_games=4)
    made = Results("chocofactory", "some agents", (small, other), ("By hand.",))
    monkeypatch.setattr(results, "results_of_game", lambda game: made)
    monkeypatch.setattr(results, "docs_folder", lambda: tmp_path / "docs")
    results.main(["--only", "small"])
    text = made.page()
    assert text.index("| agent | 2 players | ms a decision |") < text.index("\n## ")
    assert "- **A small one.** `" in text
    assert text.index("## What follows") < text.index("By hand.") < text.index("## A small one")
    assert text.index("## A small one") < text.index("random – greedy")
    assert "Another one" not in text
    assert (made.folder / "small.svg").read_text(encoding="utf-8").count("<svg") == 1 + len(small.plots)
    before = [(made.folder / f"small{ending}").read_bytes() for ending in (".json", ".svg", results.GAMES)]
    results.main([])
    text = made.page()
    assert "| agent | 2 players | 3 players | ms a decision |" in text
    assert [(made.folder / f"small{ending}").read_bytes() for ending in (".json", ".svg", results.GAMES)] == before
    played = json.loads((made.folder / "small.json").read_text(encoding="utf-8"))
    assert played["games"] == 3 * 2 + 2 * sum(len(each["tables"]) for each in played["further"])
    assert replace(small, agents=agents[:2]).result(made.folder) is None, "a result of other agents is not shown"
    assert "the game has rules" not in text
    played["settings"]["rules"] = 1
    (made.folder / "small.json").write_text(json.dumps(played), encoding="utf-8")
    assert "rules 1 (the game has rules 2 now)" in made.page()


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
TOGETHER = Shown("together", "Two players", "2 players", ("c", "a", "d", "b"))


def test_neighbours_are_told_apart_where_the_interval_leaves_out_a_half() -> None:
    """a and b have the same rating, rounding aside."""
    steps = steps_of(TOURNAMENT)
    assert [(step.agent, step.other) for step in steps] == [("a", "b"), ("b", "c"), ("c", "d")]
    assert [step.sign for step in steps] == ["≈", ">", "<"]
    assert str(steps[1]) == "`b` wins 75.0 % [70.0, 80.0] of 200 games against `c`"


def test_words_name_the_first_step_and_those_that_are_in_doubt() -> None:
    assert sentences(steps_of(TOURNAMENT)) == (
        "`a` ≈ `b` > `c` < `d`. `a` wins 48.0 % [41.0, 55.0] of 200 games against `b` "
        "(about 4,704 more would separate them). `c` wins 40.0 % [33.0, 47.0] of 200 games against `d`."
    )
    certain = Step("a", "b", 200, 0.6, 0.53, 0.67)
    assert sentences([certain, replace(certain, agent="b", other="c")]) == f"`a` > `b` > `c`. {certain}."


def test_the_leading_table_has_every_agent_once() -> None:
    assert results.leading_table([(TOGETHER, TOURNAMENT), (replace(TOGETHER, column="again"), TOURNAMENT)]) == [
        "| agent | 2 players | again | ms a decision |",
        "| --- | ---: | ---: | ---: |",
        "| `a` | 100.0 ± 25.0 | 100.0 ± 25.0 | 20.00 |",
        "| `b` | 100.0 ± 25.0 | 100.0 ± 25.0 | 0.50 |",
        "| `c` | -90.0 ± 25.0 | -90.0 ± 25.0 | – |",
        "| `d` | -110.0 ± 25.0 | -110.0 ± 25.0 | 1,000.00 |",
    ]
