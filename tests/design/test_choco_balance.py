"""The balance report's tables, that games are noted as they are played, and the agents that waver."""

from __future__ import annotations

from pathlib import Path

import pytest
from balance_reports import GAMES, REPORTS

import chocofactory_env as cf
from agents.chocofactory.greedy import GreedyAgent
from arena.chocofactory.money import SOURCES
from design.chocofactory import balance
from design.chocofactory.watch import VERBS, Watch
from design.watch import Wavering

REPORT = REPORTS["chocofactory"]


def test_every_number_of_players_and_every_difficulty_is_played() -> None:
    played = {(setting.players, setting.difficulty): len(games) for setting, games in REPORT.logs.items()}
    several = {(players, 0): GAMES for players in (2, 3, 4)}
    alone = {(1, level): 2 for level in range(4)}
    assert played == several | alone


def test_the_report_has_every_table() -> None:
    sections = ["Money", "Seats", "Stores", "Parts", "Employees", "Orders", "Factory Manager, the solo game"]
    assert [line[3:] for line in REPORT.text.splitlines() if line.startswith("## ")] == sections
    for name in (
        *SOURCES,
        "special orders",
        "chocolate orders",
        "tracks",
        "winner, 5 to 95 %",
        "coal left",
        "operated a day",
        "p if places were equal",
    ):
        assert name in REPORT.text


def test_a_game_is_noted_as_it_was_played() -> None:
    for setting, games in REPORT.logs.items():
        for log in games:
            assert len(log.seats) == setting.players
            for seat in log.seats:
                assert len(seat.parts) == len(seat.employees) == 6
                assert set(seat.parts) <= set(log.parts)
                assert set(seat.employees) <= set(log.employees)
                assert set(seat.completed) <= set(seat.held)
                assert sum(seat.owned.values()) <= 8 * 6
                assert set(seat.operated) <= set(seat.owned)
            assert all(taken in offered for taken, offered in log.offers)
            assert sum(len(seat.held) - 3 for seat in log.seats) == len(log.offers)
            if setting.players == 1:
                assert len(log.cards) == 7 + setting.difficulty
                assert log.seats[0].won == (not log.failed)
            else:
                assert sum(seat.won for seat in log.seats) == 1


def test_money_adds_up_to_the_score() -> None:
    game = cf.load("chocofactory", num_players=2)
    log = Watch("greedy")(game, 0)
    state = game.new(seed=0)
    start = game.current_player(state)
    agents = [GreedyAgent(game) for _ in range(2)]
    while not game.is_over(state):
        player = game.current_player(state)
        game.apply(state, agents[player](game.observe(state, player), game.legal_mask(state)))
    scores = game.scores(state).tolist()
    assert [sum(seat.money) for seat in log.seats] == [seat.score for seat in log.seats]
    assert [seat.score for seat in log.seats] == [*scores[start:], *scores[:start]]


def test_an_agent_wavers_over_cards_only_and_by_its_seed() -> None:
    game = cf.load("chocofactory", num_players=2)
    steady, wavering = GreedyAgent(game), Wavering(game, GreedyAgent(game), VERBS, 1.0)

    def play(seed: int) -> list[int]:
        wavering.reset(seed)
        state = game.new(seed=1)
        actions = []
        while not game.is_over(state):
            observation, mask = game.observe(state, game.current_player(state)), game.legal_mask(state)
            actions.append(wavering.choose(state, game.current_player(state)))
            if game.decode(actions[-1])[0] not in VERBS:
                assert actions[-1] == steady(observation, mask)
            game.apply(state, actions[-1])
        return actions

    assert play(5) == play(5)
    assert play(5) != play(6)


def test_a_report_in_a_folder_that_is_not_there_is_refused_before_it_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("design.balance.watch_all", lambda *_, **__: pytest.fail("games are played"))
    with pytest.raises(SystemExit) as stopped:
        balance.main(["--out", str(tmp_path / "nowhere" / "page.md")])
    assert stopped.value.code == 2
    assert "page.md: expected a file in a folder that is there" in capsys.readouterr().err


def test_a_report_that_is_stopped_says_that_nothing_is_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("design.balance.watch_all", stop)
    with pytest.raises(SystemExit) as stopped:
        balance.main(["--games", "2"])
    assert stopped.value.code == 130
    assert "the games of a report are not kept" in capsys.readouterr().err
