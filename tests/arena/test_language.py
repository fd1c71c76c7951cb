"""The benchmark for agents that answer in text: games, judge, costs, and the results that the page shows."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scripted_text import chat_endpoint

import chocofactory_env as cf
from chocofactory_env.agents.protocol import make_agent
from chocofactory_env.arena import tracks
from chocofactory_env.arena.benchmark import main
from chocofactory_env.arena.decks import names_of
from chocofactory_env.arena.entries import entries_of, read_entry, text_lines
from chocofactory_env.arena.explain import explain
from chocofactory_env.arena.games import Entrant, play_game
from chocofactory_env.arena.language import PlaysInText, TextSeries, cost_of
from chocofactory_env.arena.play import play
from chocofactory_env.arena.regret import Played, Terms, judged
from chocofactory_env.arena.tracks import protocol_of

SCRIPTED = "chocofactory_env.agents.readers:ScriptedReader:agent={}"


SHORT = {
    "options": {"num_players": 2, "months": 6},
    "opponent": "random",
    "first_deal": 3,
    "deals": 1,
    "text": True,
}


def short(**more: Any) -> dict[str, Any]:
    return {"protocol": 1, "tracks": {"text": {**SHORT, **more}}}


def in_text(agent: str) -> TextSeries:
    series = protocol_of("schoko").tracks["text"].series("schoko", agent)
    assert isinstance(series, TextSeries)
    return series


def quick(game: str, agent: str) -> TextSeries:
    """One deal of the first track in text, without a judge."""
    track = next(each for each in protocol_of(game).tracks.values() if each.text)
    series = track.series(game, agent, deals=1)
    assert isinstance(series, TextSeries)
    return replace(series, judge={})


@pytest.mark.parametrize(
    ("game", "agent"),
    [("chocofactory", "random"), ("chocofactory", "greedy"), ("chocofactory", "planner:width=4"), ("schoko", "random")],
)
def test_scripted_players_have_the_results_of_their_own_entries(game: str, agent: str, tmp_path: Path) -> None:
    series = quick(game, SCRIPTED.format(agent))
    outcome = play(series, PlaysInText(series), tmp_path, progress=False)
    loaded = series.game
    for record in outcome.records:
        names = agent, series.tables[0][1]
        entrants = [Entrant(name, make_agent(name, loaded)) for name in names]
        plain = play_game(loaded, entrants, record["deal"], record["rotation"])
        assert (record["scores"], record["won"]) == (list(plain.scores), list(plain.won))
        counts = record["answers"]["counts"]
        assert counts["first_try"] == counts["decisions"] == counts["answers"]


def test_a_decision_is_judged_as_in_an_explanation() -> None:
    load = partial(cf.load, "chocofactory", num_players=2)
    game, actions = load(), list[int]()
    entrants = [Entrant(name, make_agent(name, game)) for name in ("random", "greedy")]
    play_game(game, entrants, 7, before=lambda _state, _seat, action: actions.append(action))
    del actions[70:]
    settings: dict[str, Any] = {"search": "greedy", "tries": 1, "deals": 2, "width": 1, "check": 0}
    found = judged(load, 7, actions, 0, settings)
    explained = explain(Played(load, 7, tuple(actions), ("", "")), Terms(**settings), top=0, progress=False)
    expected = [(one.phase, one.regret.mean) for one in explained.decisions if one.player == 0]
    assert [phase for phase, _ in found] == [phase for phase, _ in expected]
    np.testing.assert_allclose([regret for _, regret in found], [regret for _, regret in expected])
    assert any(regret for _, regret in found)


def test_a_game_is_judged_on_the_deck_that_it_was_dealt_from() -> None:
    series = TextSeries(
        partial(cf.load, "chocofactory", num_players=2),
        ((SCRIPTED.format("greedy"), "greedy"),),
        range(1, 2),
        decks=names_of("generated:0-1"),
        judge={"search": "greedy", "tries": 1, "deals": 2, "width": 1, "check": 0},
    )
    regrets = PlaysInText(series)(series.tasks[0])["answers"]["regrets"]
    assert {regret for _, regret in regrets.values()} == {0.0}  # `greedy` has done what `greedy` would do


def last_move(messages: list[dict[str, Any]]) -> str:
    """Of the position that was asked about last."""
    return str(messages[-1]["content"].splitlines()[-1].partition(":")[0])


def test_a_model_behind_an_endpoint_is_played_resumed_and_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tracks, "DEFAULT", short())
    out = tmp_path / "out"
    with chat_endpoint(last_move) as url:
        command = [f"llm:model=stub,url={url},answer_tokens=50", "--game", "schoko", "--out", str(out)]
        main(command)
        printed = capsys.readouterr().out
        main(command)  # everything is played already
        assert capsys.readouterr().out == printed
    result = read_entry(out / "result.json")["tracks"]["text"]
    summary, games = result["summary"]["answers"], result["games"]
    assert (len(games["won"]), summary["legal_at_first_try"]) == (2, 1.0)
    assert summary["tokens"] == 8 * summary["counts"]["answers"] > 100  # as the endpoint counts
    transcript = (out / "text" / "transcripts" / "3-0.jsonl").read_text().splitlines()
    assert len(transcript) == games["answers"][0]["counts"]["answers"]
    assert last_move(json.loads(transcript[0])["messages"]) == json.loads(transcript[0])["answer"]
    assert result["settings"]["seeds"] == {"first": 3, "number": 1}
    (row,) = text_lines("schoko", [read_entry(out / "result.json")])[2:]
    assert "100.0 %" in row


def test_a_budget_is_for_all_games_and_what_was_played_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tracks, "DEFAULT", short())
    with chat_endpoint(last_move) as url:
        agent = f"llm:model=stub,url={url}"
        main([agent, "--game", "schoko", "--out", str(tmp_path / "whole")])
        games = read_entry(tmp_path / "whole" / "result.json")["tracks"]["text"]["games"]
        first = games["answers"][0]["counts"]["answers"]
        with pytest.raises(SystemExit) as ended:
            main([f"{agent},most_requests={first}", "--game", "schoko", "--out", str(tmp_path / "part")])
    assert ended.value.code == 1
    assert f"the budget of {first} requests is spent" in capsys.readouterr().err
    assert len((tmp_path / "part" / "text" / "games.jsonl").read_text().splitlines()) == 2  # the settings and a game


def test_costs_are_estimated_without_a_request(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tracks, "DEFAULT", short(deals=2))
    for memory in ("none", "all"):
        agent = f"llm:model=x,url=http://127.0.0.1:1/v1,memory={memory},answer_tokens=10"
        main([agent, "--game", "schoko", "--deals", "50", "--dry-run"])
    none, everything = capsys.readouterr().out.splitlines()
    assert none.startswith("4 games: about ")
    assert none.endswith("in answers")
    cost = cost_of([in_text(agent)])
    assert everything == str(cost)
    assert cost.most_answer_tokens == 10 * cost.requests


def test_costs_of_ones_own_reader_heed_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracks, "DEFAULT", short())
    none, everything = (cost_of([in_text(f"my_agents:Reader:memory={memory}")]) for memory in ("none", "all"))
    assert everything.prompt_tokens > 2 * none.prompt_tokens


def test_what_does_not_belong_to_the_track_is_refused() -> None:
    series = quick("schoko", SCRIPTED.format("random"))
    task = series.tasks[0]
    result = PlaysInText(series)(task)
    series.check_result(task, json.loads(json.dumps(result)))
    changes: tuple[dict[str, Any], ...] = (
        {"counts": {"answers": -1}},
        {"counts": {"answers": 1}},
        {"regrets": {"draft": []}},
    )
    for change in changes:
        with pytest.raises(ValueError, match=next(iter(change))):
            series.check_result(task, {**result, "answers": {**result["answers"], **change}})


def test_committed_results_are_of_the_tracks_as_they_stand_and_follow_from_their_games() -> None:
    found = entries_of("chocofactory", "language")
    assert [entry["name"] for entry in found] == ["greedy", "planner", "random"]
    assert all(entry["tracks"].keys() == {"text-greedy", "text-planner"} for entry in found)
