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
from agents.protocol import make_agent
from agents.random_agent import RandomAgent
from arena.chocofactory import results, solo_benchmark
from arena.chocofactory.clairvoyant import Search
from arena.chocofactory.solo_benchmark import (
    DIFFICULTIES,
    SUITE,
    Benchmark,
    BenchmarkWorker,
    Row,
    decisions_per_second,
    play_benchmark,
    read_bound,
    rows_of,
)
from arena.games import Entrant, play_game
from arena.kept import Kept
from arena.results import Places
from arena.series import JOURNAL, JournalError, Outcome, play_series
from arena.table import wilson_interval
from chocofactory_env import Block, ObservationLayout
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


def toy_benchmark(
    seeds: int = 6, agents: tuple[str, ...] = ("one", "two"), difficulties: tuple[int, ...] = (0, 2)
) -> Benchmark:
    return Benchmark(agents, difficulties, range(seeds), SoloRace, make_random)


# --- the protocol


def test_the_protocol_is_version_2_on_a_thousand_seeds_of_every_difficulty() -> None:
    assert solo_benchmark.PROTOCOL == 2
    assert range(1000) == SUITE
    assert DIFFICULTIES == (0, 1, 2, 3)
    benchmark = Benchmark(("greedy",))
    assert len(benchmark.tasks) == 4000
    assert benchmark.of_protocol
    assert not Benchmark(("greedy",), seeds=range(999)).of_protocol


def test_every_agent_plays_every_seed_at_every_difficulty(tmp_path: Path) -> None:
    outcome = play_benchmark(toy_benchmark(), tmp_path, progress=False)
    assert list(outcome.records) == [(seed, level, agent) for seed in range(6) for level in (0, 2) for agent in (0, 1)]
    played = [(record["seed"], record["difficulty"], record["agent"]) for record in outcome.records.values()]
    assert played == [(seed, level, agent) for seed in range(6) for level in (0, 2) for agent in ("one", "two")]


def test_a_game_is_the_game_of_a_match_and_says_what_failed(tmp_path: Path) -> None:
    record = play_benchmark(toy_benchmark(), tmp_path, progress=False).records[3, 2, 1]
    game, last = SoloRace(2), []
    play = play_game(game, [Entrant("two", RandomAgent())], 3, note=lambda state, *_: last.append(game.clone(state)))
    assert (record["won"], record["money"], record["decisions"]) == (play.won[0], play.scores[0], *play.decisions)
    far, rich = game.observe(last[-1], 0)["satisfied"]
    assert record["failed"] == [name for name, done in (("far", far), ("rich", rich)) if not done]


# --- the journal; more of it in test_arena


def test_a_game_that_was_not_played_so_is_refused(tmp_path: Path) -> None:
    play_benchmark(toy_benchmark(), tmp_path, progress=False)
    lines = (tmp_path / JOURNAL).read_text().splitlines()
    for changes, said in [({"failed": "far"}, "failed 'far', which is not a list"), ({"agent": "x"}, "agent 'x'")]:
        changed = [*lines[:2], json.dumps(json.loads(lines[2]) | changes), *lines[3:]]
        (tmp_path / JOURNAL).write_text("\n".join(changed) + "\n")
        with pytest.raises(JournalError, match=rf"games\.jsonl, line 3 has {said}"):
            play_benchmark(toy_benchmark(), tmp_path, progress=False)


# --- what is said


def test_a_row_counts_wins_and_failures_by_hand() -> None:
    games = [
        {"won": True, "money": 20, "failed": []},
        {"won": False, "money": 10, "failed": ["far"]},
        {"won": False, "money": 6, "failed": ["far", "rich"]},
        {"won": False, "money": 4, "failed": ["far"]},
    ]
    others = [{"agent": "b", "difficulty": 1, **games[0]}, {"agent": "a", "difficulty": 2, **games[0]}]
    row = Row.of("a", 1, [{"agent": "a", "difficulty": 1, **game} for game in games] + others, ("far", "rich"))
    assert (row.games, row.wins, row.win_rate, row.money) == (4, 1, 0.25, 10.0)
    assert row.win_rate_interval == wilson_interval(1, 4)
    assert row.failed == {"far": 3, "rich": 1}
    assert row.alone == {"far": 2, "rich": 0}


def test_only_seeds_of_which_all_games_were_played_count(tmp_path: Path) -> None:
    benchmark = toy_benchmark()
    play = StopsAfter(BenchmarkWorker(benchmark), 2 * 4 + 3)
    part = play_series(tmp_path, benchmark, play, progress=False)
    assert [row.games for row in rows_of(benchmark, part)] == [2, 2, 2, 2]
    assert rows_of(benchmark, replace(part, records={})) == []


def test_speed_is_the_median_over_games() -> None:
    times = [("a", 10, 1.0), ("a", 10, 5.0), ("a", 10, 0.5), ("b", 10, 0.0)]
    records = [{"agent": agent, "decisions": number, "seconds": seconds} for agent, number, seconds in times]
    outcome = Outcome({(place,): record for place, record in enumerate(records)}, interrupted=False)
    assert decisions_per_second(outcome) == {"a": 10.0, "b": None}


def test_a_bound_is_read_by_difficulty(tmp_path: Path) -> None:
    path = tmp_path / "bound.json"
    path.write_text('{"1": 0.5, "0": 1}')
    assert list(read_bound(path).items()) == [(0, 1.0), (1, 0.5)]


@pytest.mark.parametrize("text", ["[0.5]", '{"easy": 0.5}', '{"0": "all"}', '{"0": 1.5}', "{"])
def test_a_bound_that_is_none_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "bound.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"bound\.json .*expected win rates by difficulty"):
        read_bound(path)


# --- the command line, on the real game


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three seeds of greedy at two difficulties, with a bound."""
    folder, bound = tmp_path_factory.mktemp("solo"), tmp_path_factory.mktemp("bound") / "bound.json"
    bound.write_text('{"0": 0.9, "2": 0.7}')
    run(["greedy", "--difficulties", "2", "0", "--seeds", "3", "--bound", str(bound), "--out", str(folder)])
    return folder


def run(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        solo_benchmark.main(arguments)
    assert stopped.value.code == 0


def test_the_files_hold_what_is_needed_to_play_again(folder: Path) -> None:
    settings, *games = map(json.loads, (folder / JOURNAL).read_text().splitlines())
    assert (settings["protocol"], settings["difficulties"]) == (2, [0, 2])
    assert [options["difficulty"] for options in settings["options"]] == [0, 2]
    assert settings["seeds"] == {"first": 0, "number": 3}
    assert len(settings["deck"]) == 64
    assert set(settings["versions"]) == {"chocofactory_env", "python", "numpy"}
    for game in games:
        seed, difficulty, agent = game["task"]
        variant = cf.load(settings["game"], **settings["options"][settings["difficulties"].index(difficulty)])
        entrant = Entrant("again", make_agent(settings["agents"][agent], variant))
        play = play_game(variant, [entrant], seed)
        assert (game["won"], game["money"]) == (play.won[0], play.scores[0])
        assert game["won"] == (not game["failed"])


def test_the_result_has_every_statistic_and_plot(folder: Path) -> None:
    result = json.loads((folder / "result.json").read_text())
    assert [(row["agent"], row["difficulty"], row["games"]) for row in result["rows"]] == [
        ("greedy", 0, 3),
        ("greedy", 2, 3),
    ]
    objectives = ["money", "special_orders", "chocolate_orders", "orders", "tracks"]
    assert list(result["rows"][0]["failed"]) == objectives
    assert result["bound"] == {"0": 0.9, "2": 0.7}
    assert result["of_protocol"] is False
    assert result["decisions_per_second"]["greedy"] > 0
    plot = (folder / "difficulties.svg").read_text()
    assert "clairvoyant bound" in plot
    assert (folder / "objectives.svg").exists()


def test_the_bound_can_change_without_playing_again(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (folder / JOURNAL).read_bytes()
    run(["greedy", "--difficulties", "0", "2", "--seeds", "3", "--out", str(folder)])
    assert (folder / JOURNAL).read_bytes() == before
    assert "no special orders" in capsys.readouterr().out
    assert "clairvoyant bound" not in (folder / "difficulties.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["random", "random"], "no two agents"),
        (["nobody"], "unknown agent 'nobody'"),
        (["random", "--seeds", "1001"], "--seeds: expected at most 1,000"),
        (["random", "--difficulties", "9"], "invalid choice: 9"),
        (["random", "--bound", "nowhere.json"], "nowhere.json"),
        (["random"], "agents is"),
    ],
)
def test_what_cannot_be_played_is_refused(
    arguments: list[str], said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        solo_benchmark.main([*arguments, "--out", str(folder)])
    assert said in capsys.readouterr().err


def test_solo_games_of_a_results_page_count_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solo_benchmark, "Benchmark", partial(Benchmark, difficulties=(0, 3), seeds=range(2)))
    monkeypatch.setattr(results, "CLAIRVOYANT", Search((0, 3), 1, 1))
    series = results.SoloSeries("solo", "Alone", "solo", ("random", "greedy"))
    assert series.play("chocofactory", Places(tmp_path / "runs", tmp_path)) is None
    before = (tmp_path / "solo.json").read_bytes()
    for name in ("solo_benchmark.BenchmarkWorker.__call__", "clairvoyant.Tries.__call__"):
        monkeypatch.setattr(f"arena.chocofactory.{name}", lambda self, task: pytest.fail(f"{task} is kept"))
    assert series.play("chocofactory", Places(tmp_path / "others", tmp_path)) is None
    assert (tmp_path / "solo.json").read_bytes() == before
    kept = Kept(tmp_path / "solo.games.xz", anew=["greedy"])
    games = kept.games(Benchmark(("random", "greedy"), (0, 3), range(2)))
    assert [record["agent"] for record in games.values()] == ["random"] * 4
