"""The balance report: what it says, that it can be made again, and the agents that waver."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from repository import ROOT

import chocofactory_env as cf
from agents.chocofactory.greedy import GreedyAgent
from arena.balance import Wavering, watch_all
from arena.chocofactory.balance import (
    VERBS,
    Log,
    Setting,
    main,
    report,
    settings_for,
    watch,
)
from arena.chocofactory.money import SOURCES

GAMES = 4


@pytest.fixture(scope="module")
def logs() -> dict[Setting, list[Log]]:
    return watch_all(watch, settings_for(GAMES), progress=False)


@pytest.fixture(scope="module")
def text(logs: dict[Setting, list[Log]]) -> str:
    return report(logs, GAMES)


def test_every_number_of_players_and_every_difficulty_is_played(logs: dict[Setting, list[Log]]) -> None:
    played = {(setting.players, setting.difficulty): len(games) for setting, games in logs.items()}
    assert played == {(2, 0): 4, (3, 0): 4, (4, 0): 4, (1, 0): 2, (1, 1): 2, (1, 2): 2, (1, 3): 2}


def test_the_report_says_what_it_was_made_from(text: str) -> None:
    assert f"`python -m arena.chocofactory.balance --games {GAMES}`" in text
    assert cf.load("chocofactory", num_players=2).deck_hash in text
    assert f"Seeds: 0 to {GAMES - 1} " in text
    assert "numba" in text


def test_the_report_has_every_table(text: str) -> None:
    sections = ["Money", "Seats", "Stores", "Parts", "Employees", "Orders", "Factory Manager, the solo game"]
    assert [line[3:] for line in text.splitlines() if line.startswith("## ")] == sections
    for name in (
        *SOURCES,
        "special orders",
        "chocolate orders",
        "tracks",
        "winner, 5 to 95 %",
        "coal left",
        "operated a day",
        "p if seats were equal",
    ):
        assert name in text


def test_rows_are_as_long_as_their_heads(text: str) -> None:
    for block in text.split("\n\n"):
        if block.startswith("|"):
            assert len({line.count("|") for line in block.splitlines()}) == 1


def test_the_same_games_give_the_same_report(text: str) -> None:
    assert report(watch_all(watch, settings_for(GAMES), progress=False), GAMES) == text


def test_a_game_is_noted_as_it_was_played(logs: dict[Setting, list[Log]]) -> None:
    for setting, games in logs.items():
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
                assert sorted(seat.after_start for seat in log.seats) == list(range(setting.players))


def test_money_adds_up_to_the_score() -> None:
    game = cf.load("chocofactory", num_players=2)
    log = watch(game, 0)
    state = game.new(seed=0)
    agents = [GreedyAgent(game) for _ in range(2)]
    while not game.is_over(state):
        player = game.current_player(state)
        game.apply(state, agents[player](game.observe(state, player), game.legal_mask(state)))
    assert [sum(seat.money) for seat in log.seats] == game.scores(state).tolist()


def test_agents_waver_in_games_of_odd_seeds(logs: dict[Setting, list[Log]]) -> None:
    assert [log.wavering for log in next(iter(logs.values()))] == [False, True, False, True]


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


def test_the_report_goes_to_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, logs: dict[Setting, list[Log]]
) -> None:
    monkeypatch.setattr("arena.chocofactory.balance.watch_all", lambda watch, settings, **workers: logs)
    main(["--games", str(GAMES), "--out", str(tmp_path / "balance.md")])
    assert (tmp_path / "balance.md").read_text(encoding="utf-8") == report(logs, GAMES)


def test_wavering_draws_legal_actions() -> None:
    game = cf.load("chocofactory", num_players=3)
    agent = Wavering(game, GreedyAgent(game), VERBS, 0.5)
    state = game.new(seed=3)
    mask = game.legal_mask(state)
    chosen = {agent.choose(state, game.current_player(state)) for _ in range(40)}
    assert len(chosen) > 1
    assert all(mask[action] == 1 for action in chosen)
    assert chosen <= set(np.flatnonzero(mask).tolist())


@pytest.mark.parametrize(("page", "expansion"), [("balance", None), ("balance-expansion", "master_chocolatier")])
def test_the_pages_were_measured_with_the_shipped_deck(page: str, expansion: str | None) -> None:
    text = (ROOT / "docs" / "chocofactory" / f"{page}.md").read_text(encoding="utf-8")
    assert f"- Deck: `{cf.load('chocofactory', expansion=expansion).deck_hash}`" in text
