"""Series over several decks: which deck a game has, what results say of it, and intervals that count decks."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from exit_status import status_of

import chocofactory_env as cf
from chocofactory_env.agents.protocol import make_agent
from chocofactory_env.arena import decks, entries, tournament, tracks
from chocofactory_env.arena.games import Entrant, play_game
from chocofactory_env.arena.play import JOURNAL
from toyrace.game import ToyRace

DECKS = ("generated:0", "generated:1,stray=1")
Main = Callable[[Sequence[str]], None]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("main", "words"),
    [
        (tournament.main, ("random", "greedy", "--deals", 2)),
        (tournament.main, ("random", "greedy", "--deals", 1, "--neighbour-games", 4)),
    ],
)
def test_a_series_deals_from_its_decks_in_turn(main: Main, words: tuple[object, ...], tmp_path: Path) -> None:
    assert status_of(main, *words, "--decks", *DECKS, "--out", tmp_path) == 0
    hashes = {deck: cf.load("chocofactory", deck=deck).deck_hash for deck in DECKS}
    games = []
    for journal in sorted(tmp_path.rglob(JOURNAL)):
        settings, *lines = map(json.loads, journal.read_text(encoding="utf-8").splitlines())
        assert settings["decks"] == hashes
        games += lines
    assert {game["task"]["deck"] for game in games} == set(DECKS)
    for line in games:
        task, found = line["task"], line["result"]
        names, rotation, deal = task["agents"], task["rotation"], task["deal"]
        game = cf.load("chocofactory", deck=DECKS[deal % 2], num_players=len(names))
        table = [names[(seat + rotation) % len(names)] for seat in range(len(names))]
        play = play_game(game, [Entrant(name, make_agent(name, game)) for name in table], deal, rotation)
        assert task["deck"] == DECKS[deal % 2]
        assert found["scores"] == list(play.scores)
    first = journal.read_bytes()
    assert status_of(main, *words, "--decks", *DECKS, "--out", tmp_path) == 0, "the same command resumes"
    assert journal.read_bytes() == first
    assert status_of(main, *words, "--decks", "generated:0", "--out", tmp_path) == 2, "with other decks it does not"


def test_a_match_and_a_tournament_over_decks_by_function(tmp_path: Path) -> None:
    game = cf.load("candyfactory", num_players=2)
    result = cf.play_match(game, ["random", "greedy"], range(4), decks="generated:5-6", progress=False)
    dealt = [record["deck"] for record in result.outcome.records]
    assert dealt == [f"generated:{5 + deal % 2}" for deal in range(4) for _ in range(2)]
    hashes = {deck: cf.load("candyfactory", deck=deck).deck_hash for deck in ("generated:5", "generated:6")}
    assert result.to_dict()["settings"]["decks"] == hashes
    of_match = result.games["score"].tolist()
    found = cf.play_tournament(
        game, ["random", "greedy"], range(4), decks="generated:5-6", out=tmp_path, progress=False
    )
    assert found.games["score"].tolist() == of_match
    assert found.to_dict()["by_deck"].keys() == {"random", "greedy"}
    assert found.to_dict()["by_deck"]["greedy"].keys() == hashes.keys()


def test_a_deck_of_ones_own_plays_beside_the_shipped_one(tmp_path: Path) -> None:
    cf.generate_deck("schoko", 3, stray=1).save(tmp_path / "own.toml")
    own = str(tmp_path / "own.toml")
    game = cf.load("schoko", num_players=2)
    result = cf.play_match(game, ["random", "random"], range(2), decks=[None, own], progress=False)
    assert result.series.hashes["decks"] == {
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
        ({}, ["random"] * 2, "generated:\uff11-\u0663", cf.DeckError, "generated:SEED"),
        ({}, ["random"] * 2, "generated:2-1", ValueError, "from the lower seed to the higher"),
    ],
)
def test_what_cannot_be_played_over_decks_is_refused(
    game: dict[str, Any], agents: list[Any], of: Any, error: type[Exception], words: str
) -> None:
    loaded = cf.load("candyfactory", num_players=2, **game)
    with pytest.raises(error, match=words):
        cf.play_match(loaded, agents, range(1), decks=of, progress=False)


def test_decks_for_measurement_are_told_from_those_for_training() -> None:
    assert decks.measured(["generated:99999", "generated:100000,stray=1", "own.toml", None]) == ["generated:99999"]
    assert decks.measured(None) == []
    twice = ["generated:99999-100001", "generated:100001-100002"]
    assert decks.measured(twice) == ["generated:99999"]
    assert decks.each_once(twice) == tuple(f"generated:{number}" for number in range(99_999, 100_003))


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
    from chocofactory_env.arena import benchmark

    monkeypatch.setattr(cf, "load", lambda name, deck=None, **options: ToyRace(**options))
    monkeypatch.setattr(tracks, "DEFAULT", OVER_DECKS)
    assert status_of(benchmark.main, "random", "--game", "toyrace", "--out", tmp_path) == 0
    entry = entries.read_entry(tmp_path / "result.json")
    assert entry["tracks"]["two-near"]["settings"]["decks"] == {"generated:0": "toy-1", "generated:1": "toy-1"}  # type: ignore[typeddict-item]
    track = tracks.protocol_of("toyrace").tracks["two-near"]
    assert track.decks_of_games(6).tolist() == [1, 1, 0, 0, 1, 1]
    head, _, row = entries.deck_lines("toyrace", [entry])
    assert head == "| agent | two | two-near | gap |"
    won = [entry["tracks"][name]["summary"]["win_rate"] for name in ("two", "two-near")]
    assert f"{100 * (won[0] - won[1]):+.1f} ±" in row
    assert [rank for rank, _ in entries.ranked([entry], tracks.protocol_of("toyrace"))] == [1]
    entry["trained_on"] = ["generated:90000-100000"]
    assert [rank for rank, _ in entries.ranked([entry], tracks.protocol_of("toyrace"))] == [None]
    assert "trained on measurement decks" in entries.entry_lines("toyrace", [entry])[-1]
    del entry["trained_on"], entry["tracks"]["two-near"]
    assert [rank for rank, _ in entries.ranked([entry], tracks.protocol_of("toyrace"))] == [1]
