"""The benchmark: who plays what, what an entry holds, and which files are rejected. Played on the toy game."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import markdown  # type: ignore[import-untyped]  # its types are no requirement
import numpy as np
import pytest
import toy_agents
from exit_status import status_of
from interrupted import StopsAfter
from repository import ROOT

import chocofactory_env as cf
from chocofactory_env.arena import benchmark, entries, tracks
from chocofactory_env.arena.entries import EntryError, read_entry
from chocofactory_env.arena.games import PlaysGames
from chocofactory_env.arena.match import RESULT
from chocofactory_env.arena.play import JOURNAL
from chocofactory_env.arena.report import as_code, as_text
from chocofactory_env.training import rivals, value
from toyrace.game import ToyRace

SMALL: dict[str, Any] = {
    "protocol": 3,
    "tracks": {
        "alone": {"options": {"num_players": 1}, "first_deal": 5, "deals": 2},
        "two": {"options": {"num_players": 2, "rounds": 3}, "opponent": "random", "first_deal": 7, "deals": 2},
        "three": {"options": {"num_players": 3}, "opponent": "random", "first_deal": 7, "deals": 1},
    },
}
EXTENSIONS = ["admonition", "tables", "attr_list"]  # as on the site, and one that sites often add
GAMES_OF_TRACKS = {"alone": 2, "two": 4, "three": 3}
AGENT = "toy_agents:first"


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy in place of every game, with a small protocol."""

    def load(name: str, **options: Any) -> ToyRace:
        assert name == "toyrace"
        return ToyRace(**options)

    monkeypatch.setattr(cf, "load", load)
    monkeypatch.setattr(tracks, "DEFAULT", SMALL)


def run(*words: object) -> int:
    return status_of(benchmark.main, "--game", "toyrace", *words)


@pytest.fixture
def entry(small: None, tmp_path: Path) -> Path:
    assert run(AGENT, "--out", tmp_path) == 0
    return tmp_path / RESULT


# --- what is played


def test_the_agent_takes_every_seat_of_every_deal(entry: Path) -> None:
    lines = (entry.parent / "three" / JOURNAL).read_text(encoding="utf-8").splitlines()[1:]
    seated = [(game["deal"], game["agents"]) for game in (json.loads(line)["task"] for line in lines)]
    assert seated == [(7, [AGENT if seat == own else "random" for seat in range(3)]) for own in range(3)]


def test_an_entry_holds_settings_deals_versions_and_games(entry: Path) -> None:
    read = read_entry(entry)
    assert (read["game"], read["protocol"], read["agent"], read["timed"]) == ("toyrace", 3, AGENT, False)
    assert {name: result["summary"]["games"] for name, result in read["tracks"].items()} == GAMES_OF_TRACKS
    settings = read["tracks"]["two"]["settings"]
    assert settings["options"] == {"num_players": 2, "rounds": 3, "start_player": None}
    assert settings["seeds"] == {"first": 7, "number": 2}
    assert set(settings["versions"]) == {"chocofactory_env", "python", "numpy"}
    assert json.loads(entry.read_text(encoding="utf-8"))["tracks"]["two"]["settings"]["sources"].keys() == {AGENT}


def test_a_summary_counts_the_agents_own_seats() -> None:
    games = entries.PlayedGames(
        scores=[[9, 4], [5, 6], [1, 2], [3, 0]],
        decisions=[[1, 1]] * 4,
        places=[1, 1, 2, 2],
        won=[True, True, False, False],
    )
    found = entries.summary_of(games, players=2, decks=np.zeros(4, int))
    assert [found[name] for name in ("games", "wins", "win_rate", "place")] == [4, 2, 0.5, 1.5]
    assert found["score"] == (9 + 6 + 1 + 0) / 4


def test_an_interrupted_benchmark_makes_no_entry(
    small: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("chocofactory_env.arena.benchmark.PlaysGames", lambda one: StopsAfter(PlaysGames(one), 3))
    assert run(AGENT, "--out", tmp_path) == 130
    assert "two: 3 of 4 games are played" in capsys.readouterr().out
    assert not (tmp_path / RESULT).exists()


def test_some_tracks_and_deals_can_be_tried(small: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(AGENT, "--out", tmp_path, "--tracks", "two", "--deals", "1") == 0
    assert re.search(r"^two +2 ", capsys.readouterr().out, re.MULTILINE)
    with pytest.raises(
        EntryError, match=r"at tracks\.two was played with other settings.*seeds\.number is 1 there and 2"
    ):
        read_entry(tmp_path / RESULT)


@pytest.mark.parametrize(
    ("words", "timed", "work"),
    [
        (["mcts:simulations=5"], False, "simulations=5"),
        (["mcts:time_s=0.5"], True, "time_s=0.5"),
        ([AGENT, "--timed", "--work", "none"], True, "none"),
        (["random"], False, "default settings"),
    ],
)
def test_what_bounds_the_work_follows_from_settings_or_is_said(
    words: list[str], timed: bool, work: str, small: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen: list[benchmark.About] = []
    original = benchmark.entry_of

    def entry_of(played: benchmark.Benchmark, about: benchmark.About, *rest: Any) -> entries.Entry:
        seen.append(about)
        return original(played, about, *rest)

    monkeypatch.setattr(benchmark, "entry_of", entry_of)
    monkeypatch.setattr(benchmark.Benchmark, "play", lambda *_, **__: iter(()))
    assert run(*words, "--out", tmp_path) == 0
    assert [(about.timed, about.work) for about in seen] == [(timed, work)]


# --- what is read


def changed(path: Path, change: Callable[[Any], None]) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    change(data)
    entries.write_entry(path, data)


def setting(*keys: Any, value: Any) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        for key in keys[:-1]:
            data = data[key]
        data[keys[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (setting("format", value=2), "has format 2; expected 1"),
        (setting("score", value=2), "has an unknown field 'score'; expected some of .*agent"),
        (setting("tracks", "two", "rank", value=1), "at tracks.two has an unknown field 'rank'"),
        (setting("game", value="os:system"), "is of game 'os:system'; expected the name of a registered game"),
        (setting("protocol", value=2), "is of protocol 2; the game has protocol 3"),
        (setting("tracks", value={}), "has no track"),
        (
            lambda data: data["tracks"].update(four=data["tracks"]["two"]),
            "has track 'four'; there are: alone, two, three",
        ),
        (setting("agent", value="random"), "tracks.alone was played with other settings .* agents is"),
        (setting("tracks", "two", "settings", "deck", value="x"), 'tracks.two .* deck is "x" there and "toy-1" here'),
        (setting("tracks", "two", "settings", "options", "rounds", value=4), r"options\.rounds is 4 there and 3 here"),
        (setting("tracks", "two", "settings", "options", value={}), r"options\.num_players is null there and 2 here"),
        (setting("tracks", "two", "settings", "tables", value=[["random", AGENT]]), "tables is"),
        (setting("tracks", "two", "games", "won", value=[True]), "expected 4 each"),
        (setting("tracks", "two", "games", "scores", value=[[1]] * 4), "not 2 numbers, one a seat"),
        (setting("tracks", "two", "games", "places", value=[0] * 4), r"places\[0\] 0, which is not an integer"),
        (setting("tracks", "two", "summary", "wins", value=9), r"does not follow from its games: summary\.wins is 9"),
        (setting("tracks", "two", "ms_a_decision", value=-1), r"ms_a_decision -1, which is not"),
        (setting("tracks", "two", "games", "places", value=[3] * 4), "places beyond 2"),
        (setting("tracks", "two", "games", "places", value=[1] * 4), "won without place 1, or the reverse"),
        (setting("tracks", "two", "games", "decisions", value=[[-1, 1]] * 4), r"decisions\[0\]\[0\] -1"),
        (setting("processes", value=0), "processes 0, which is not"),
        (setting("name", value=""), "has no name"),
        *(
            (setting("link", value=link), "has link .*; expected http://HOST/PATH")
            for link in ("javascript:alert(1)", "//h", "http://me:pw@h/", "http://h/a b", "http://h/<b>", "h")
        ),
    ],
)
def test_a_file_that_is_no_entry_of_the_protocol_is_rejected(
    change: Callable[[Any], None], said: str, entry: Path
) -> None:
    read_entry(entry)
    changed(entry, change)
    with pytest.raises(EntryError, match=f"{re.escape(str(entry))} .*{said}"):
        read_entry(entry)


def test_options_that_came_later_do_not_matter(entry: Path) -> None:
    changed(entry, lambda data: data["tracks"]["two"]["settings"]["options"].pop("start_player"))
    assert read_entry(entry)["tracks"].keys() == GAMES_OF_TRACKS.keys()


# --- games played again


def test_the_games_of_an_entry_are_the_same_again(entry: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(benchmark.CHECK.run, entry, "--trust", "--games", 100) == 0
    assert "all games are the same" in capsys.readouterr().out
    assert status_of(benchmark.CHECK.run, "nowhere.json") == 2
    assert "nowhere.json: No such file" in capsys.readouterr().err


def test_a_game_that_was_not_played_so_is_named(entry: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed(entry, setting("tracks", "two", "games", "decisions", 3, value=[1, 99]))
    assert status_of(benchmark.CHECK.run, entry, "--trust", "--games", 100) == 1
    assert "two, deal 8, seat 1: decisions is" in capsys.readouterr().out
    assert len(benchmark.check_games(read_entry(entry), 100, seed=1, progress=False)) == 1
    assert benchmark.check_games(read_entry(entry), 0, seed=1, progress=False) == []


def test_another_agent_under_the_same_name_is_found(entry: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = read_entry(entry)
    read["tracks"]["two"]["settings"]["sources"] = {AGENT: "0"}  # type: ignore[typeddict-unknown-key]  # of series alone
    monkeypatch.setattr(toy_agents, "first", toy_agents.last)
    assert any(text.startswith(f"sources.{AGENT}") for text in benchmark.other_conditions(read))
    assert len(benchmark.check_games(read, 100, seed=1, progress=False)) > 0


# --- the page


def named(entry: entries.Entry, name: str, rates: Mapping[str, float], timed: bool = False) -> entries.Entry:
    played: Any = {
        track: {**entry["tracks"][track], "summary": {**entry["tracks"][track]["summary"], "win_rate": rate}}
        for track, rate in rates.items()
    }
    return entries.Entry(**{**entry, "name": name, "timed": timed, "tracks": played})


def test_entries_are_ranked_by_the_mean_over_numbers_of_players(entry: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    more = {**SMALL["tracks"], "also": {**SMALL["tracks"]["two"]}}
    monkeypatch.setattr(tracks, "DEFAULT", {"protocol": 3, "tracks": more})
    one = read_entry(entry)
    one["tracks"]["also"] = one["tracks"]["two"]
    protocol = tracks.protocol_of("toyrace")
    wide = named(one, "wide", {"alone": 0.9, "two": 0.2, "also": 0.4, "three": 0.3})  # 0.9, 0.3, 0.3
    many = named(one, "many", {"alone": 0.4, "two": 0.8, "also": 0.8, "three": 0.1})  # 0.4, 0.8, 0.1
    clock = named(one, "clock", {"alone": 1, "two": 1, "also": 1, "three": 1}, timed=True)
    part = named(one, "part", {"alone": 1.0})
    assert entries.mean_win_rate(wide, protocol) == pytest.approx(0.5)
    assert entries.mean_win_rate(part, protocol) is None
    order = [(rank, each["name"]) for rank, each in entries.ranked([part, many, clock, wide], protocol)]
    assert order == [(1, "wide"), (2, "many"), (None, "clock"), (None, "part")]


def test_the_page_shows_the_entries_and_tracks_of_games_that_have_entries(
    entry: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed(entry, setting("name", value="first | only"))
    (tmp_path / "benchmark").mkdir()
    (tmp_path / "benchmark" / "first.json").write_bytes(entry.read_bytes())
    monkeypatch.setattr(entries, "entries_folder", lambda name: tmp_path / name)
    text = entries.page()
    assert "| `two` | `num_players=2`, `rounds=3` | `random` on all other seats | 7 to 8 | 4 |" in text
    assert r"| 1 | `first \| only` |" in text
    assert "schoko" not in text


# --- the protocol of the real game


def test_every_track_of_the_real_game_can_be_played() -> None:
    protocol = tracks.protocol_of("chocofactory")
    for track in protocol.tracks.values():
        track.series("chocofactory", "random").check()
        assert bool(track.opponent) == (track.players > 1)
        assert "time_s" not in track.opponent


def test_nothing_trains_or_is_chosen_on_deals_of_the_benchmark() -> None:
    last = max(track.first_deal + track.deals for track in tracks.protocol_of("chocofactory").tracks.values())
    recipes = tomllib.loads((ROOT / "training" / "chocofactory" / "recipes.toml").read_text(encoding="utf-8"))
    of_all = [" ".join(command.split()) for recipe in recipes.values() for command in recipe["commands"]]
    commands = [command for command in of_all if command.startswith("training.dataset")]
    seeds = [int(found[1]) for line in commands if (found := re.search(r"--seed (\d+)", line))]
    assert len(seeds) == len(commands) > 0
    firsts = [rivals.FIRST_DEAL, value.Config().seed]
    assert min([*seeds, *firsts]) >= 100_000 >= last


# --- what strangers write


HOSTILE = [
    "<script>alert(1)</script>",
    "<!-- end -->",
    "x](javascript:alert(1)) [y",
    "![x](http://h/x.png)",
    "`` ` <b>",
    r"\` <b>",
    "a | b",
    "{{ x }} $x$ &lt;b&gt; @you #1 ~x~ **b** _i_ !x",
]


@pytest.mark.parametrize("field", ["name", "author", "work"])
@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("link", ["", "https://example.org/a_b?c=d&e=f#g"])
def test_a_strangers_words_stay_words_on_the_page(field: str, text: str, link: str, entry: Path) -> None:
    changed(entry, lambda data: data.update({"name": "n", "author": "a", "work": "w", "link": link, field: text}))
    (line,) = entries.entry_lines("toyrace", [read_entry(entry)])[2:]
    assert len(re.split(r"(?<!\\)\|", line)) == 10
    shown = markdown.markdown(
        "\n".join(["| a | b | c | d | e | f | g | h |", "|---" * 8 + "|", line]), extensions=EXTENSIONS
    )
    found = Tags()
    found.feed(shown)
    assert found.tags == {"table", "thead", "tbody", "tr", "th", "td"} | ({"a"} if link else {"code"} & found.tags)
    assert text in found.text.replace(r"\|", "|")  # in code, where repository browsers read it as the sign alone
    assert found.links == ([link] if link else [])


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags, self.links, self.text = set[str](), list[str | None](), ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.links += [value for name, value in attributes if name in ("href", "src")]

    def handle_data(self, data: str) -> None:
        self.text += data


def test_ordinary_words_are_published_as_they_are() -> None:
    words = "plans of 128 positions, of 16 in the draft; as `expert:network=true` (my_agents, 95 %)"
    assert as_text(words) == words
    assert as_code("expert:network=true,value=a/b_c.json") == "`expert:network=true,value=a/b_c.json`"


@pytest.mark.parametrize("field", ["name", "author", "link", "work", "machine"])
@pytest.mark.parametrize("text", ["a\nb", "a\x1b[31m", "a\u202eb", "a\u200bb", "a\x00", " a", "x" * 301])
def test_words_that_are_no_printable_line_are_refused(field: str, text: str, entry: Path) -> None:
    changed(entry, setting(field, value=text))
    with pytest.raises(EntryError, match=f"has {field} .*; expected"):
        read_entry(entry)


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("a program's result", "expected this agent's entry"),
        ('{"settings": {}}', "expected this agent's entry"),
        (None, "is another entry: agent is"),
    ],
)
@pytest.mark.parametrize("beside", [False, True])
def test_the_result_of_another_program_or_agent_is_not_overwritten(
    file: str | None, said: str, beside: bool, entry: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """beside: games of this track are in the folder, too."""
    out = tmp_path / "out"
    (out / "two" if beside else out).mkdir(parents=True)
    (out / RESULT).write_bytes(entry.read_bytes() if file is None else file.encode())
    before = (out / RESULT).read_bytes()
    assert run("random", "--tracks", "two", "--out", out) == 2
    assert (said if beside else "expected an empty or new folder") in capsys.readouterr().err
    assert (out / RESULT).read_bytes() == before
    assert not list(out.glob("*/games.jsonl"))


def test_the_same_command_again_writes_its_entry_anew(small: None, tmp_path: Path) -> None:
    for _ in range(2):
        assert run(AGENT, "--out", tmp_path, "--tracks", "two") == 0
        assert (tmp_path / RESULT).exists()
