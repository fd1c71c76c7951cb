"""The balance report's tables, and that games are noted as they are played."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from balance_reports import REPORTS
from repository import ROOT

import chocofactory_env as cf
from design.candyfactory.balance import SECTIONS, report, settings_for
from design.candyfactory.watch import VERBS, Log, Recorder, Setting, Watch, points_of
from design.watch import Wavering

REPORT = REPORTS["candyfactory"]
Logs = dict[Setting, list[Log]]


@pytest.fixture
def logs() -> Logs:
    return REPORT.logs


@pytest.fixture
def text() -> str:
    return REPORT.text


def test_every_game_and_number_of_players_is_played(logs: Logs) -> None:
    played = {(setting.game, setting.players) for setting in logs}
    assert played == {(game, players) for game in ("full", "plantation", "candy") for players in (2, 3, 4)}


def test_the_report_has_every_table(text: str, logs: Logs) -> None:
    titles = [section.title for section in SECTIONS]
    found = [line[3:] for line in text.splitlines() if line.startswith("## ")]
    assert found == [*titles, "The candy factory alone", "The plantation alone"]
    for recipe in {recipe for games in logs.values() for log in games for recipe in log.recipes}:
        assert f"| `{recipe}` |" in text


def test_points_add_up_to_the_score(logs: Logs) -> None:
    for setting, games in logs.items():
        for seat in (seat for log in games for seat in log.seats):
            if setting.game == "plantation":
                assert seat.score == seat.coins + seat.aboard["sugar"] + 2 * seat.aboard["chocolate"]
            else:
                assert sum(seat.points.values()) == seat.score


def test_points_of_the_worked_example() -> None:
    """SCORE-5"""
    aboard = {"chocolate": 1, "sugar": 1, "plain peanuts": 1, "decorated peanuts": 1, "decorated pretzel": 3}
    points = points_of(aboard, {"peanuts": 1, "pretzel": 3}, coins=2)
    assert points == {"candy": 11, "decoration": 4, "raw goods": 2, "types": 4, "coins": 2}


def test_a_game_is_noted_as_it_was_played(logs: Logs) -> None:
    for setting, games in logs.items():
        halves = ("plantation", "candy") if setting.game == "full" else (setting.game,)
        for log in games:
            assert len(log.seats) == setting.players
            assert any(seat.won for seat in log.seats)
            assert log.level >= log.level_coins >= sum(seat.won for seat in log.seats)
            assert set(log.turns) == set(halves)
            assert log.sold_out <= set(log.recipes)
            for seat in log.seats:
                check_events(seat.events, halves)
                if setting.game == "full":
                    played = sum(n for key, n in seat.events.items() if key[:2] == ("played", "plantation"))
                    assert seat.kept.total() == played - seat.events["dismissed",]
                    assert seat.events["turn", "plantation"] == 9 + sum(
                        number for key, number in seat.events.items() if key[0] == "hired"
                    )
                    assert seat.events["turn", "candy"] == 8 + seat.kept.total()


def check_events(events: Counter[tuple[str, ...]], halves: tuple[str, ...]) -> None:
    for half in halves:
        going = [events["go", half, way] for way in ("bring", "ship")]
        assert sum(going) == events["turn", half]
        assert sum(n for key, n in events.items() if key[:2] == ("stood", half)) == events["turn", half]
        for way in ("bring", "ship"):
            assert events["go", half, way] <= events["capacity", half, way]
            assert events["moved", half, way] <= events["capacity", half, way]
    for key, number in events.items():
        if key[0] == "used":
            assert number <= events["stood", key[1], key[2]]


def test_goods_that_were_shipped_are_aboard_after_the_plantation() -> None:
    """The recorder against the position itself, at the first decision of the candy half."""
    game = Setting("full", 2, 1).load()
    state = game.new(seed=3)
    recorder = Recorder(game, 3, wavering=False)
    agent = cf.make_agent("random", game)
    first: dict[str, Any] | None = None
    while not game.is_over(state):
        player = game.current_player(state)
        action = cf.decide(game, agent, state)
        recorder.before(state, player, action)
        game.apply(state, action)
        recorder.note(state, player, 0.0)
        if first is None and game.to_dict(state)["half"] == "candy":
            first = game.to_dict(state)
    assert first is not None
    assert recorder.log is not None
    for place, seat in enumerate(recorder.log.seats):
        position = first["players"][(game.to_dict(game.new(seed=3))["start_player"] + place) % 2]
        goods: Counter[str] = Counter()
        for truck in position["trucks"]:
            goods.update(truck["goods"])
        shipped: Counter[str] = Counter()
        for (_, good), number in seat.shipped.items():
            shipped[good] += number
        assert shipped == goods
        assert seat.saved == position["coins"]


def test_an_agent_that_wavers_uses_what_it_would_leave() -> None:
    """It plays the last legal action, so it stops at every ability; wavering, it always recruits where it may."""
    game = cf.load("candyfactory", play_forced=False)
    first = game.action_layout.first

    def last(observation: object, mask: np.ndarray) -> int:
        return int(np.flatnonzero(mask)[-1])

    def recruits(epsilon: float) -> tuple[int, int]:
        agent = Wavering(game, last, VERBS, epsilon)
        state = game.new(seed=1)
        done = offered = 0
        while not game.is_over(state):
            offered += int(game.legal_mask(state)[first["recruit"]])
            action = agent.choose(state, game.current_player(state))
            done += action == first["recruit"]
            game.apply(state, action)
        return done, offered

    assert recruits(0.0)[0] == 0
    done, offered = recruits(1.0)
    assert done == offered > 0


def test_a_deck_is_tried(tmp_path: Path) -> None:
    file = tmp_path / "deck.toml"
    shipped = ROOT / "chocofactory_env" / "games" / "candyfactory" / "data" / "recipes.toml"
    file.write_text(shipped.read_text(encoding="utf-8").replace("points = 6", "points = 9"), encoding="utf-8")
    setting = Setting("full", 2, 1, str(file))
    watch = Watch("random", "random")
    log = watch(setting.load(), 0)
    page = report({one: [log, log] for one in settings_for(2, str(file)) if one.game == "full"}, watch, setting.load())
    assert f"--deck {file}" in page
    assert setting.load().deck_hash in page
