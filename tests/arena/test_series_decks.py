"""Series over several decks: which deck a game has, what results say of it, and intervals that count decks."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import chocofactory_env as cf
from agents.protocol import make_agent
from arena import decks, entries, match, staged, statistics, tournament
from arena.chocofactory import solo_benchmark
from arena.match import Entrant, Play, play_game
from arena.series import JOURNAL
from arena.statistics import Games
from toyrace.game import ToyRace

DECKS = ("generated:0", "generated:1,stray=1")
Main = Callable[[list[str]], None]


def command(main: Main, *words: object) -> int:
    with pytest.raises(SystemExit) as end:
        main([*map(str, words)])
    return int(end.value.code or 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("main", "words"),
    [
        (tournament.main, ("random", "greedy", "--deals", 2)),
        (staged.main, ("random", "greedy", "--games", 2, "--neighbour-games", 4)),
        (solo_benchmark.main, ("random", "greedy", "--difficulties", 0, "--seeds", 2)),
    ],
)
def test_a_series_deals_from_its_decks_in_turn(main: Main, words: tuple[object, ...], tmp_path: Path) -> None:
    assert command(main, *words, "--decks", *DECKS, "--out", tmp_path) == 0
    hashes = {deck: cf.load("chocofactory", deck=deck).deck_hash for deck in DECKS}
    games = []
    for journal in sorted(tmp_path.rglob(JOURNAL)):
        settings, *lines = map(json.loads, journal.read_text(encoding="utf-8").splitlines())
        assert settings["decks"] == hashes
        games += lines
    assert {game["deck"] for game in games} == set(DECKS)
    for record in games:
        deal, *_, rotation = record["task"]
        game = cf.load("chocofactory", deck=DECKS[deal % 2], num_players=len(record.get("agents", "1")))
        names = record.get("agents") or [record["agent"]]
        seated = names if len(names) == 1 or rotation == 0 else names[::-1]
        turned = 0 if len(names) == 1 else rotation
        play = play_game(game, [Entrant(name, make_agent(name, game)) for name in seated], deal, turned)
        assert record["deck"] == DECKS[deal % 2]
        assert record.get("scores", [record.get("money")]) == list(play.scores)
    first = journal.read_bytes()
    assert command(main, *words, "--decks", *DECKS, "--out", tmp_path) == 0, "the same command resumes"
    assert journal.read_bytes() == first
    assert command(main, *words, "--decks", "generated:0", "--out", tmp_path) == 2, "with other decks it does not"


def test_a_match_and_a_tournament_over_decks_by_function(tmp_path: Path) -> None:
    game = cf.load("candyfactory", num_players=2)
    result = cf.play_match(game, ["random", "greedy"], range(4), decks="generated:5-6", progress=False)
    assert [play.deck for play in result.plays] == [f"generated:{5 + deal % 2}" for deal in range(4) for _ in range(2)]
    hashes = {deck: cf.load("candyfactory", deck=deck).deck_hash for deck in ("generated:5", "generated:6")}
    assert result.to_dict()["decks"] == hashes
    of_match = [play.scores for play in result.plays]
    found = cf.play_tournament(
        game, ["random", "greedy"], range(4), decks="generated:5-6", folder=tmp_path, progress=False
    )
    assert [tuple(each) for each in found.games.scores.tolist()] == of_match
    assert found.to_dict()["by_deck"].keys() == {"random", "greedy"}
    assert found.to_dict()["by_deck"]["greedy"].keys() == hashes.keys()


def test_a_deck_of_ones_own_plays_beside_the_shipped_one(tmp_path: Path) -> None:
    cf.generate_deck("schoko", 3, stray=1).save(tmp_path / "own.toml")
    own = str(tmp_path / "own.toml")
    game = cf.load("schoko", num_players=2)
    result = cf.play_match(game, ["random", "random"], range(2), decks=[None, own], progress=False)
    assert result.hashes == {
        "shipped": game.deck_hash,
        own: cf.load("schoko", deck="generated:3,stray=1").deck_hash,
    }


class Searching:
    def choose(self, state: Any, player: int) -> int:
        raise AssertionError("never asked")


@pytest.mark.parametrize(
    ("game", "agents", "of", "error", "words"),
    [
        ({}, ["random", Searching()], "generated:0-1", TypeError, "the name of an agent that reads cards"),
        ({"deck": "generated:1"}, ["random"] * 2, "generated:0", TypeError, "with a deck of its own"),
        ({}, ["random"] * 2, ["generated:0", "generated:0"], ValueError, "each deck once, got generated:0 twice"),
        ({}, ["random"] * 2, "generated:2-1", ValueError, "from the lower seed to the higher"),
    ],
)
def test_what_cannot_be_played_over_decks_is_refused(
    game: dict[str, Any], agents: list[Any], of: Any, error: type[Exception], words: str
) -> None:
    loaded = cf.load("candyfactory", num_players=2, **game)
    with pytest.raises(error, match=words):
        cf.play_match(loaded, agents, range(1), decks=of, progress=False)


def test_the_command_reports_decks_that_there_are_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(match.main, "--agents", "random", "random", "--decks", "generated:x") == 2
    assert "generated:SEED" in capsys.readouterr().err


def records_of(won: list[bool], decks_of_deals: list[str]) -> Games:
    """Deals that "a" wins or loses from both seats."""
    records = [
        {"deal": deal, "deck": deck, "agents": names, "won": [(name == "a") == one for name in names], "notes": {},
         "scores": [1, 2], "places": [1, 2], "decisions": [1, 1], "seconds": [1.0, 1.0]}
        for deal, (one, deck) in enumerate(zip(won, decks_of_deals, strict=True))
        for names in (["a", "b"], ["b", "a"])
    ]  # fmt: skip
    return Games.of("ab", records)


def test_intervals_of_a_tournament_count_decks() -> None:
    """The winner depends on the deck alone, so 200 deals of four decks say little."""
    won = [deck < 2 for deck in range(4)] * 50
    of_decks = statistics.summaries(records_of(won, ["w", "x", "y", "z"] * 50))[0]
    of_deals = statistics.summaries(records_of(won, ["w"] * 200))[0]
    assert of_decks.win_rate == of_deals.win_rate == 0.5
    assert of_decks.win_rate_interval == pytest.approx((0, 1), abs=0.01)
    assert of_deals.win_rate_interval == pytest.approx((0.45, 0.55), abs=0.01)
    all_won = statistics.summaries(records_of([True] * 4, ["w", "x", "y", "z"]))[0]
    assert all_won.win_rate_interval == match.wilson_interval(8, 8), "not narrower, where no deck differs"


def test_intervals_and_verdict_of_a_match_count_decks() -> None:
    plays = [
        Play(seed, 0, ("a", "b"), (10, 0) if won else (0, 10), (1, 2), (won, not won), (1, 1), (0.0, 0.0), deck)
        for seed in range(40)
        for won, deck in ([(True, "x"), (seed % 4 == 1, "y")][seed % 2],)
    ]
    one = match.Result(ToyRace(num_players=2), tuple(range(40)), 40, plays)
    two = replace(one, hashes={"x": "1", "y": "2"}, plays=plays)
    by_game, by_deck = (result.standings()[0].win_rate_interval for result in (one, two))
    assert by_game == match.wilson_interval(30, 40)
    assert by_deck == pytest.approx((0, 1)), "two decks that differ say nothing about a third"
    assert "is better" in one.verdict()
    assert two.verdict() == "not told apart on these decks"
    shared = replace(two, plays=[replace(play, won=(True, True)) for play in plays])
    assert shared.verdict() == "not told apart on these decks", "a shared victory counts half"


def test_of_one_deck_the_score_of_a_match_has_an_interval_over_deals() -> None:
    plays = [
        Play(seed, 0, ("a", "b"), (seed, 0), (1, 2), (True, False), (1, 1), (0.0, 0.0), deck)
        for seed, deck in enumerate(["x"] * 20)
    ]
    one = match.Result(ToyRace(num_players=2), tuple(range(20)), 20, plays, hashes={"x": "1"})
    without = replace(one, plays=[replace(play, deck=None) for play in plays], hashes={})
    assert one.standings() == without.standings()
    assert one.verdict() == without.verdict()


def test_deals_do_not_make_a_difference_over_several_decks_significant() -> None:
    of_decks = statistics.pairing(records_of([True, True, True, False] * 50, ["w", "x", "y", "z"] * 50), 0, 1)
    assert of_decks.more_games is None


def test_the_gap_is_the_difference_of_two_means_with_both_chances() -> None:
    rng = np.random.default_rng(0)
    one, other = rng.normal(0.6, 0.1, 400), rng.normal(0.5, 0.1, 400)
    many = np.arange(400)
    found, interval = statistics.gap((one, many), (other, many))
    assert found == pytest.approx(0.1, abs=0.02)
    half = 1.96 * 0.1 * 2**0.5 / 20 * 2**0.5  # decks are resampled, and so is the one deal of each
    assert interval.high - interval.low == pytest.approx(2 * half, rel=0.35)


def test_decks_for_measurement_are_told_from_those_for_training() -> None:
    assert decks.measured(["generated:99999", "generated:100000,stray=1", "own.toml", None]) == ["generated:99999"]
    assert decks.measured(None) == []


OVER_DECKS: dict[str, Any] = {
    "protocol": 3,
    "tracks": {
        "two": {"options": {"num_players": 2}, "opponent": "random", "first_deal": 7, "deals": 3},
        "two-near": {
            "options": {"num_players": 2}, "opponent": "random", "first_deal": 7, "deals": 3,
            "decks": "generated:0-1", "like": "two",
        },
    },
}  # fmt: skip


def test_an_entry_has_tracks_over_decks_and_the_gap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from arena import benchmark

    monkeypatch.setattr(cf, "load", lambda name, deck=None, **options: ToyRace(**options))
    monkeypatch.setattr(entries, "DEFAULT", OVER_DECKS)
    assert command(benchmark.main, "random", "--game", "toyrace", "--out", tmp_path) == 0
    entry = entries.read_entry(tmp_path / "result.json")
    assert entry["tracks"]["two-near"]["settings"]["decks"] == {"generated:0": "toy-1", "generated:1": "toy-1"}  # type: ignore[typeddict-item]
    track = entries.protocol_of("toyrace").tracks["two-near"]
    assert track.decks_of_games(6).tolist() == [1, 1, 0, 0, 1, 1]
    head, _, row = entries.deck_lines("toyrace", [entry])
    assert head == "| agent | two | two-near | gap |"
    won = [entry["tracks"][name]["summary"]["win_rate"] for name in ("two", "two-near")]
    assert f"{100 * (won[0] - won[1]):+.1f} ±" in row
    assert [rank for rank, _ in entries.ranked([entry], entries.protocol_of("toyrace"))] == [1]
    entry["trained_on"] = ["generated:90000-100000"]
    assert [rank for rank, _ in entries.ranked([entry], entries.protocol_of("toyrace"))] == [None]
    assert "trained on measurement decks" in entries.entry_lines("toyrace", [entry])[-1]
    del entry["trained_on"], entry["tracks"]["two-near"]
    assert [rank for rank, _ in entries.ranked([entry], entries.protocol_of("toyrace"))] == [1]
