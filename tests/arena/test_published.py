"""Games of published results count again where nothing has changed. Played on the toy game."""

from __future__ import annotations

import json
import lzma
from functools import partial
from pathlib import Path
from shutil import rmtree

import pytest

import chocofactory_env as cf
from chocofactory_env.agents.protocol import AnyAgent
from chocofactory_env.agents.random_agent import RandomAgent
from chocofactory_env.arena.games import PlaysGames
from chocofactory_env.arena.play import JournalError, Json, Task
from chocofactory_env.arena.published import Published
from chocofactory_env.arena.tournament import Round, Tournament
from toyrace.game import ToyRace

AGENTS = ("a", "b", "c")
FILE = "toys.games.xz"


def make(text: str, game: cf.Game) -> AnyAgent:
    return RandomAgent()


def staged(agents: tuple[str, ...] = AGENTS, **options: int) -> Tournament:
    load = partial(ToyRace, num_players=3, **options)
    return Tournament(load, agents, 3, range(1), make, neighbour_games=12)


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The agents of the games that were really played."""
    games: list[list[str]] = []
    play = PlaysGames.__call__

    def plays(self: PlaysGames, task: Task) -> Json:
        games.append(list(task["agents"]))
        return play(self, task)

    monkeypatch.setattr(PlaysGames, "__call__", plays)
    return games


def run(folder: Path, tournament: Tournament, anew: tuple[str, ...] = ()) -> list[Round]:
    """Run a tournament with the kept games of the folder, but without its journals, and keep its games."""
    rmtree(folder / "runs", ignore_errors=True)
    published = Published(folder / FILE, anew)
    rounds = tournament.play(folder / "runs", progress=False, published=published)
    published.keep(rounds)
    return rounds


def records(rounds: list[Round]) -> list[list[Json]]:
    return [each.outcome.records for each in rounds]


def test_the_same_tournament_plays_nothing_again(tmp_path: Path, played: list[list[str]]) -> None:
    first = run(tmp_path, staged())
    before, file = len(played), (tmp_path / FILE).read_bytes()
    assert before == sum(len(each.series.tasks) for each in first)
    again = run(tmp_path, staged())
    assert len(played) == before
    assert records(again) == records(first)
    assert (tmp_path / FILE).read_bytes() == file


def test_a_further_agent_plays_only_its_own_games(tmp_path: Path, played: list[list[str]]) -> None:
    run(tmp_path, staged(AGENTS[:2]))
    played.clear()
    run(tmp_path, staged())
    assert played
    assert all("c" in agents for agents in played), "a and b had played the deals of both rounds"


def test_games_of_an_agent_named_or_with_a_new_network_are_played_again(
    tmp_path: Path, played: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def digests(value: str) -> None:
        monkeypatch.setattr("chocofactory_env.arena.games.sources_of", lambda *_: {"sources": {"a": "1", "b": value}})

    digests("2")
    run(tmp_path, staged())
    for anew, value in [(("b",), "2"), ((), "3")]:
        played.clear()
        digests(value)
        rounds = run(tmp_path, staged(), anew)
        of_all = [list(record["agents"]) for each in records(rounds) for record in each]
        assert sorted(played) == sorted(agents for agents in of_all if "b" in agents)
    played.clear()
    run(tmp_path, staged())
    assert not played, "the new games are kept"


def test_an_interrupted_tournament_keeps_its_games(
    tmp_path: Path, played: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    play = PlaysGames.__call__

    def stops(self: PlaysGames, task: Task) -> Json:
        if len(played) == 5:
            raise KeyboardInterrupt
        return play(self, task)

    with monkeypatch.context() as patch:
        patch.setattr(PlaysGames, "__call__", stops)
        assert run(tmp_path, staged())[-1].outcome.interrupted
    rounds = run(tmp_path, staged())
    assert len(played) == sum(len(each.series.tasks) for each in rounds)


def test_an_interrupted_tournament_does_not_replace_games_of_other_settings(
    tmp_path: Path, played: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(tmp_path, staged())
    before = (tmp_path / FILE).read_bytes()

    def stops(self: PlaysGames, task: Task) -> Json:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(PlaysGames, "__call__", stops)
        assert run(tmp_path, staged(rounds=4))[-1].outcome.interrupted
    assert (tmp_path / FILE).read_bytes() == before


def test_games_with_other_settings_do_not_count(
    tmp_path: Path, played: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    run(tmp_path, staged())
    before = len(played)
    rounds = run(tmp_path, staged(rounds=4))
    assert f"{FILE}: these games do not count: options.rounds is " in capsys.readouterr().err
    assert len(played) - before == sum(len(each.series.tasks) for each in rounds)


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    run(tmp_path, staged())
    path = tmp_path / FILE
    whole = path.read_bytes()
    settings, game, *rest = lzma.decompress(whole).splitlines()
    other = json.dumps(json.loads(game) | {"result": {}}).encode()
    for content, message in [
        (b"", "is empty"),
        (b"no xz", "expected a journal"),
        (whole[:-20], "unfinished"),
        (lzma.compress(b"\n".join([settings, b"{}", *rest])), "line 2: .*task"),
        (lzma.compress(b"\n".join([b"[]", game, *rest])), "line 1: .*expected a journal"),
        (lzma.compress(b"\n".join([settings, other, *rest])), "the game of task "),
    ]:
        path.write_bytes(content)
        with pytest.raises(JournalError, match=message):
            run(tmp_path, staged())
