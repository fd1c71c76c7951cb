"""The results that the site shows: made from the shipped decks, and the page says what the files say."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest

import chocofactory_env as cf
from chocofactory_env.agents.by_game import addition
from chocofactory_env.agents.protocol import make_agent
from chocofactory_env.arena import results
from chocofactory_env.arena.chocofactory.results import SoloShown
from chocofactory_env.arena.games import PlaysGames
from chocofactory_env.arena.report import Step, sentences, steps_of
from chocofactory_env.arena.results import Places, Results, Shown, TournamentShown, results_of_game
from tools.clauses import shipped_games

GAMES = [game for game in shipped_games() if addition("arena", game, "RESULTS", "")]
SERIES = [pytest.param(game, one, id=f"{game}: {one.name}") for game in GAMES for one in results_of_game(game).series]


def load(game: str, series: Shown) -> cf.Game:
    options = {"num_players": series.players, **series.options} if isinstance(series, TournamentShown) else {}
    return cf.load(game, **{"num_players": 1} | options)


@pytest.mark.parametrize(("game", "series"), SERIES)
def test_the_agents_of_a_series_play_its_variant(game: str, series: Shown) -> None:
    variant = load(game, series)
    for agent in series.agents:
        make_agent(agent, variant)
    assert len(set(series.agents)) == len(series.agents)


@pytest.mark.parametrize(("game", "series"), SERIES)
def test_a_series_is_whole_and_of_the_shipped_deck(game: str, series: Shown) -> None:
    places = Places.of(game)
    data = series.result(places)
    if data is None:
        pytest.skip(f"not made yet by python -m chocofactory_env.arena.results --game {game} --only {series.name}")
    assert not data["interrupted"]
    assert data["settings"]["deck"] == load(game, series).deck_hash
    assert (places.shown / f"{series.name}.svg").exists()


def test_a_series_is_played_and_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = Places(tmp_path / "runs", tmp_path / "shown")
    agents = ("random", "greedy", "planner:width=1")
    small = TournamentShown("small", "A small one", "2 players", agents, 2, games=2, neighbour_games=4)
    other = TournamentShown("other", "Another one", "3 players", agents[:2], 3, games=2, neighbour_games=4)
    made = Results("chocofactory", "some agents", (small, other), ("By hand.",))
    monkeypatch.setattr(results, "results_of_game", lambda game: made)
    monkeypatch.setattr(Places, "of", lambda game: places)
    results.main(["--only", "small"])
    text = made.page(places)
    assert text.index("| agent | 2 players | ms a decision |") < text.index("\n## ")
    assert "- **A small one.** `" in text
    assert text.index("## What follows") < text.index("By hand.") < text.index("## A small one")
    assert text.index("## A small one") < text.index("random – greedy")
    assert "Another one" not in text
    assert (tmp_path / "shown" / "small.svg").read_text(encoding="utf-8").count("<svg") == 1 + len(small.plots)
    results.main([])
    text = made.page(places)
    assert "| agent | 2 players | 3 players | ms a decision |" in text
    played = json.loads((tmp_path / "shown" / "small.json").read_text(encoding="utf-8"))
    assert played["games"] == 3 * 2 + 2 * sum(len(each["tables"]) for each in played["further"])
    before = [(places.shown / name).read_bytes() for name in ("small.json", "small.svg", "other.games.xz")]
    rmtree(places.games)
    with monkeypatch.context() as patch:
        patch.setattr(PlaysGames, "__call__", lambda self, task: pytest.fail(f"{task} is published"))
        results.main([])
    assert [(places.shown / name).read_bytes() for name in ("small.json", "small.svg", "other.games.xz")] == before
    assert replace(small, agents=agents[:2]).result(places) is None, "a result of other agents is not shown"
    assert "Played under" not in text
    played["settings"]["rules"] = 1
    (tmp_path / "shown" / "small.json").write_text(json.dumps(played), encoding="utf-8")
    old = "**Played under rules 1 (the game has rules 2 now)**: a small one.\n"
    assert old in made.page(places).partition("\n| agent |")[0]


def test_unknown_series_and_games_without_results_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        results.main(["--only", "five-players"])
    assert "there is no 'five-players'; there are: two-players" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        results.main(["--game", "toyrace.game:ToyRace"])
    assert "no results are made of game 'toyrace.game:ToyRace'" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        results.main(["--anew", "expert:width=3"])
    assert "--anew: there is no 'expert:width=3'; there are: expert, " in capsys.readouterr().err


def test_games_of_a_run_that_has_begun_are_not_taken_for_new_ones(tmp_path: Path) -> None:
    places = Places(tmp_path / "runs", tmp_path / "shown")
    (tmp_path / "runs" / "small").mkdir(parents=True)
    assert places.published("small").anew == ()
    with pytest.raises(ValueError, match=r"--anew: .*small has games of an earlier run, which would count: delete"):
        places.published("small", ["greedy"])


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
TOGETHER = TournamentShown("together", "Two players", "2 players", ("c", "a", "d", "b"), 2)
SOLO = SoloShown("solo", "The solo game", "solo, difficulty", ("x", "a", "y"))


def test_neighbours_are_told_apart_where_the_interval_leaves_out_a_half() -> None:
    """a and b have the same rating, rounding aside."""
    steps = steps_of(TOURNAMENT)
    assert [(step.agent, step.other) for step in steps] == [("a", "b"), ("b", "c"), ("c", "d")]
    assert [step.sign for step in steps] == ["≈", ">", "<"]
    assert str(steps[1]) == "`b` wins 75.0 % [70.0, 80.0] of 200 games against `c`"


def test_words_name_the_first_step_and_those_that_are_in_doubt() -> None:
    [words] = TOGETHER.words(TOURNAMENT)
    assert words == (
        "- **Two players.** `a` ≈ `b` > `c` < `d`. `a` wins 48.0 % [41.0, 55.0] of 200 games against `b` "
        "(about 4,704 more would separate them). `c` wins 40.0 % [33.0, 47.0] of 200 games against `d`. "
        "No three agents beat each other in a circle."
    )
    certain = Step("a", "b", 200, 0.6, 0.53, 0.67)
    assert sentences([certain, replace(certain, agent="b", other="c")]) == f"`a` > `b` > `c`. {certain}."


def test_solo_agents_are_told_apart_where_their_intervals_do_not_overlap() -> None:
    assert SOLO.words(ALONE)[1] == (
        "- **Solo, difficulty 3.** `a` 36.0 % [31.0, 41.0] ≈ `y` 30.0 % [25.0, 35.0] ≈ `x` 20.0 % [15.0, 25.0]."
    )
    apart = [{**row, "win_rate_interval": [row["win_rate"] - 0.01, row["win_rate"] + 0.01]} for row in ALONE["rows"]]
    assert SOLO.words({"rows": apart})[0].count(" > ") == 2


def test_the_leading_table_has_every_agent_once() -> None:
    assert results.leading_table([(TOGETHER, TOURNAMENT), (SOLO, ALONE)]) == [
        "| agent | 2 players | solo, difficulty 0 | solo, difficulty 3 | ms a decision |",
        "| --- | ---: | ---: | ---: | ---: |",
        "| `a` | 100.0 ± 25.0 | 36.0 % ± 5.0 | 36.0 % ± 5.0 | 20.00 |",
        "| `b` | 100.0 ± 25.0 | – | – | 0.50 |",
        "| `c` | -90.0 ± 25.0 | – | – | – |",
        "| `d` | -110.0 ± 25.0 | – | – | 1,000.00 |",
        "| `x` | – | 20.0 % ± 5.0 | 20.0 % ± 5.0 | 100.00 |",
        "| `y` | – | 30.0 % ± 5.0 | 30.0 % ± 5.0 | – |",
    ]
