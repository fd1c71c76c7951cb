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
from chocofactory_env.arena.explain import explain
from chocofactory_env.arena.games import Entrant, play_game
from chocofactory_env.arena.language import (
    PlaysInText,
    TextSeries,
    cost_of,
    main,
    record_of,
    results_of_game,
    summary_of,
)
from chocofactory_env.arena.play import play
from chocofactory_env.arena.regret import Played, Terms, judged

SCRIPTED = "chocofactory_env.agents.readers:ScriptedReader:agent={}"


SHORT = {
    "options": {"num_players": 2, "months": 6},
    "opponents": ["random"],
    "first_deal": 3,
    "deals": 1,
}


def short(**more: Any) -> dict[str, Any]:
    return {"protocol": 1, "tracks": {"language": {**SHORT, **more}}}


def quick(game: str, agent: str) -> TextSeries:
    """One deal against the first opponent, without a judge."""
    series = TextSeries.of(game, agent, deals=1)
    return replace(series, judge={}, tables=series.tables[:1])


@pytest.mark.parametrize(
    ("game", "agent"),
    [("chocofactory", "random"), ("chocofactory", "greedy"), ("chocofactory", "planner:width=4"), ("schoko", "random")],
)
def test_scripted_players_have_the_results_of_their_own_entries(game: str, agent: str, tmp_path: Path) -> None:
    series = quick(game, SCRIPTED.format(agent))
    outcome = play(series, PlaysInText(series), tmp_path, progress=False)
    loaded = series.game
    for record in map(record_of, outcome.records):
        names, seat = (agent, record["opponent"]), record["seat"]
        plain = play_game(loaded, [Entrant(name, make_agent(name, loaded)) for name in names], record["deal"], seat)
        assert (record["scores"], record["won"]) == (list(plain.scores), plain.won[seat])
        assert record["counts"]["first_try"] == record["counts"]["decisions"] == record["counts"]["answers"]


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


def last_move(messages: list[dict[str, Any]]) -> str:
    """Of the position that was asked about last."""
    return str(messages[-1]["content"].splitlines()[-1].partition(":")[0])


def test_a_model_behind_an_endpoint_is_played_resumed_and_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(tracks.DEFAULTS, "LANGUAGE", short())
    out = tmp_path / "out"
    with chat_endpoint(last_move) as url:
        command = ["--game", "schoko", "--agent", f"llm:model=stub,url={url},answer_tokens=50", "--out", str(out)]
        main(command)
        printed = capsys.readouterr().out
        main(command)  # everything is played already
        assert capsys.readouterr().out == printed
    result = json.loads((out / "result.json").read_text())
    counts, games = result["summary"]["all"]["counts"], result["games"]
    assert (len(games), result["summary"]["all"]["legal_at_first_try"]) == (2, 1.0)
    assert result["summary"]["all"]["tokens"] == 8 * counts["answers"] > 100  # as the endpoint counts
    transcript = (out / "transcripts" / "3-random-0.jsonl").read_text().splitlines()
    assert len(transcript) == games[0]["counts"]["answers"]
    assert last_move(json.loads(transcript[0])["messages"]) == json.loads(transcript[0])["answer"]
    assert result["settings"]["seeds"] == {"first": 3, "number": 1}
    assert "legal at first try" in printed


def test_a_budget_is_for_all_games_and_what_was_played_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(tracks.DEFAULTS, "LANGUAGE", short())
    with chat_endpoint(last_move) as url:
        agent = f"llm:model=stub,url={url}"
        main(["--game", "schoko", "--agent", agent, "--out", str(tmp_path / "whole")])
        first = json.loads((tmp_path / "whole" / "result.json").read_text())["games"][0]["counts"]["answers"]
        with pytest.raises(SystemExit) as ended:
            main(["--game", "schoko", "--agent", f"{agent},most_requests={first}", "--out", str(tmp_path / "part")])
    assert ended.value.code == 1
    assert f"the budget of {first} requests is spent" in capsys.readouterr().err
    assert len((tmp_path / "part" / "games.jsonl").read_text().splitlines()) == 2  # the settings and a game


def test_costs_are_estimated_without_a_request(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(tracks.DEFAULTS, "LANGUAGE", short(deals=2))
    for memory in ("none", "all"):
        agent = f"llm:model=x,url=http://127.0.0.1:1/v1,memory={memory},answer_tokens=10"
        main(["--game", "schoko", "--agent", agent, "--deals", "50", "--dry-run"])
    none, everything = capsys.readouterr().out.splitlines()
    assert none.startswith("4 games: about ")
    assert none.endswith("in answers")
    cost = cost_of(TextSeries.of("schoko", agent, deals=2))
    assert everything == str(cost)
    assert cost.most_answer_tokens == 10 * cost.requests
    with pytest.raises(SystemExit):
        main(["--game", "schoko", "--agent", agent, "--deals", "0", "--dry-run"])
    assert "--deals: expected 1 or more, got 0" in capsys.readouterr().err


def test_costs_of_ones_own_reader_heed_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(tracks.DEFAULTS, "LANGUAGE", short())
    none, everything = (
        cost_of(TextSeries.of("schoko", f"my_agents:Reader:memory={memory}")) for memory in ("none", "all")
    )
    assert everything.prompt_tokens > 2 * none.prompt_tokens


def test_what_does_not_belong_to_the_track_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--agent", "greedy", "--dry-run"])
    assert "agent: expected one that answers in text" in capsys.readouterr().err
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


@pytest.mark.parametrize("file", results_of_game("chocofactory"))
def test_committed_results_are_of_the_track_as_it_stands_and_follow_from_their_games(file: str) -> None:
    result: dict[str, Any] = results_of_game("chocofactory")[file]
    settings = result["settings"]
    series = TextSeries.of("chocofactory", settings["agent"])
    now = json.loads(json.dumps(series.settings()))
    for name in ("protocol", "game", "options", "deck", "rules", "opponents", "judge", "seeds"):
        assert settings[name] == now[name], name
    games = result["games"]
    tasks = [(task["deal"], task["agents"][1 - task["rotation"]], task["rotation"]) for task in series.tasks]
    assert [(one["deal"], one["opponent"], one["seat"]) for one in games] == tasks
    assert result["summary"]["all"] == json.loads(json.dumps(summary_of(games)))
    assert result["summary"].keys() == {*series.opponents, "all"}
