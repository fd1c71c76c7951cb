"""The solo benchmark: the protocol, what is kept, what is said. Played on a toy game where the game does not matter."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from interrupted import StopsAfter

import chocofactory_env as cf
from chocofactory_env import Block, ObservationLayout
from chocofactory_env.agents.protocol import make_agent
from chocofactory_env.agents.random_agent import RandomAgent
from chocofactory_env.arena.chocofactory import results, solo_benchmark
from chocofactory_env.arena.chocofactory.clairvoyant import Search
from chocofactory_env.arena.chocofactory.solo_benchmark import (
    DIFFICULTIES,
    SUITE,
    MissedNotes,
    benchmark_of,
    rows_of,
)
from chocofactory_env.arena.games import Entrant, GameSeries, PlaysGames, play_game
from chocofactory_env.arena.play import JOURNAL, Json, Outcome, play
from chocofactory_env.arena.published import Published
from chocofactory_env.arena.results import Places
from chocofactory_env.arena.table import table_of, wilson_interval
from toyrace.game import ToyRace


class SoloRace(ToyRace):
    """With two objectives; the last turns are fewer the higher the difficulty."""

    OBJECTIVES = Block("satisfied", (2,), 1, "at the end", ("far", "rich"))

    def __init__(self, difficulty: int) -> None:
        super().__init__(num_players=1, rounds=6 - difficulty)
        *narrow, wide = self.observation_layout.blocks
        self.own_layout = self.observation_layout
        self.observation_layout = ObservationLayout([*narrow, self.OBJECTIVES, wide])

    def write_raw_observation(self, state: np.ndarray, player: int, out: np.ndarray) -> None:
        own = np.empty(self.own_layout.raw_size, np.uint8)
        super().write_raw_observation(state, player, own)
        out[:-4], out[-2:] = own[:-2], own[-2:]
        out[-4:-2] = state["space"][0, 0] >= 5, state["money"][0, 0] >= 5

    def write_observation(
        self, state: np.ndarray, player: int, out: np.ndarray, scratch: np.ndarray | None = None
    ) -> None:
        raw = np.empty(self.observation_layout.raw_size, np.uint8)
        self.write_raw_observation(state, player, raw)
        out[:] = self.observation_layout.scaled(raw)


def make_random(text: str, game: cf.Game) -> RandomAgent:
    return RandomAgent()


def solo_race(difficulty: int) -> SoloRace:
    return SoloRace(difficulty)


def toy_benchmark(seeds: int = 6, agents: tuple[str, ...] = ("one", "two")) -> GameSeries:
    return replace(benchmark_of(agents, (0, 2), range(seeds)), load=solo_race, make=make_random)


@pytest.fixture(autouse=True)
def _notes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy game notes its objectives."""
    monkeypatch.setattr("chocofactory_env.arena.games.notes_of", MissedNotes)


def played(series: GameSeries) -> Outcome:
    return play(series, PlaysGames(series), progress=False)


# --- the protocol


def test_the_suite_is_that_of_the_tracks() -> None:
    assert range(1000) == SUITE
    assert DIFFICULTIES == (0, 1, 2, 3)
    assert len(benchmark_of(["greedy"]).tasks) == 4000


def test_every_agent_plays_every_seed_at_every_difficulty() -> None:
    tasks = [
        (record["deal"], record["variant"]["difficulty"], *record["agents"])
        for record in played(toy_benchmark()).records
    ]
    assert tasks == [(seed, level, agent) for seed in range(6) for level in (0, 2) for agent in ("one", "two")]


def test_a_game_is_the_game_of_a_match_and_says_what_failed() -> None:
    record = played(toy_benchmark()).records[3 * 4 + 3]
    game, last = SoloRace(2), []
    one = play_game(game, [Entrant("two", RandomAgent())], 3, note=lambda state, *_: last.append(game.clone(state)))
    assert (record["won"], record["scores"], record["decisions"]) == tuple(
        map(list, (one.won, one.scores, one.decisions))
    )
    satisfied = game.observe(last[-1], 0)["satisfied"]
    assert record["notes"]["missed"] == [[int(not done) for done in satisfied]]


# --- what is said


def test_a_row_counts_wins_and_failures_by_hand() -> None:
    def game(deal: int, score: int, missed: list[int], agent: str = "one", difficulty: int = 0) -> Json:
        won = not any(missed)
        return {
            "deal": deal, "variant": {"difficulty": difficulty}, "agents": [agent], "scores": [score], "places": [1],
            "won": [won], "decisions": [1], "seconds": [1.0], "notes": {"missed": [missed]},
        }  # fmt: skip

    games = [game(0, 20, [0, 0]), game(1, 10, [1, 0]), game(2, 6, [1, 1]), game(3, 4, [1, 0])]
    others = [game(0, 1, [0, 0], "two"), game(0, 1, [0, 0], difficulty=2), game(0, 1, [0, 0], "two", 2)]
    row, *_ = rows_of(toy_benchmark(), table_of([*games, *others]))
    assert (row["games"], row["wins"], row["win_rate"], row["money"]) == (4, 1, 0.25, 10.0)
    assert row["win_rate_interval"] == wilson_interval(1, 4)
    assert row["failed"] == {"far": 3, "rich": 1}
    assert row["alone"] == {"far": 2, "rich": 0}


def test_only_seeds_of_which_all_games_were_played_count() -> None:
    series = toy_benchmark()
    part = play(series, StopsAfter(PlaysGames(series), 2 * 4 + 3), progress=False)
    assert [row["games"] for row in rows_of(series, table_of(part.of_whole_deals()))] == [2, 2, 2, 2]


# --- the real game


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three seeds of greedy at two difficulties, with a bound."""
    folder = tmp_path_factory.mktemp("solo")
    series = benchmark_of(["greedy"], (0, 2), range(3))
    solo_benchmark.save(series, play(series, PlaysGames(series), folder, progress=False), {0: 0.9, 2: 0.7}, folder)
    return folder


def test_the_files_hold_what_is_needed_to_play_again(folder: Path) -> None:
    settings, *games = map(json.loads, (folder / JOURNAL).read_text().splitlines())
    assert settings["variants"] == [{"difficulty": 0}, {"difficulty": 2}]
    assert settings["options"]["difficulty"] == 0
    assert settings["seeds"] == {"first": 0, "number": 3}
    assert len(settings["deck"]) == 64
    assert set(settings["versions"]) == {"chocofactory_env", "python", "numpy"}
    for task, found in ((game["task"], game["result"]) for game in games):
        variant = cf.load(settings["game"], **settings["options"] | task["variant"])
        entrant = Entrant("again", make_agent(task["agents"][0], variant))
        one = play_game(variant, [entrant], task["deal"])
        assert (found["won"], found["scores"]) == ([one.won[0]], [one.scores[0]])
        assert found["won"][0] == (not any(found["notes"]["missed"][0]))


def test_the_result_has_every_statistic_and_plot(folder: Path) -> None:
    result = json.loads((folder / "result.json").read_text())
    assert [(row["agent"], row["difficulty"], row["games"]) for row in result["rows"]] == [
        ("greedy", 0, 3),
        ("greedy", 2, 3),
    ]
    objectives = ["money", "special_orders", "chocolate_orders", "orders", "tracks"]
    assert list(result["rows"][0]["failed"]) == objectives
    assert result["bound"] == {"0": 0.9, "2": 0.7}
    assert result["decisions_per_second"]["greedy"] > 0
    plot = (folder / "difficulties.svg").read_text()
    assert "clairvoyant bound" in plot
    assert (folder / "objectives.svg").exists()


def test_solo_games_of_a_results_page_count_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = partial(benchmark_of, difficulties=(0, 3), seeds=range(2))
    monkeypatch.setattr(solo_benchmark, "benchmark_of", few)
    monkeypatch.setattr(results, "CLAIRVOYANT", Search((0, 3), 1, 1))
    shown = results.SoloShown("solo", "Alone", "solo", ("random", "greedy"))
    assert shown.play("chocofactory", Places(tmp_path / "runs", tmp_path)) is None
    before = (tmp_path / "solo.json").read_bytes()
    for name in ("games.PlaysGames.__call__", "chocofactory.clairvoyant.Tries.__call__"):
        monkeypatch.setattr(f"arena.{name}", lambda self, task: pytest.fail(f"{task} is published"))
    assert shown.play("chocofactory", Places(tmp_path / "others", tmp_path)) is None
    assert (tmp_path / "solo.json").read_bytes() == before
    published = Published(tmp_path / "solo.games.xz", anew=["greedy"])
    assert [json.loads(task)["agents"] for task in published.results(few(["random", "greedy"]))] == [["random"]] * 4
