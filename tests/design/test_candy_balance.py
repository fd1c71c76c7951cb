"""The balance report's tables, and that games are noted as they are played."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from balance_reports import REPORTS

import chocofactory_env as cf
from design.candyfactory.balance import SECTIONS
from design.candyfactory.watch import VERBS, Recorder, Setting, points_of
from design.watch import Wavering

REPORT = REPORTS["candyfactory"]


def test_every_game_and_number_of_players_is_played() -> None:
    played = {(setting.game, setting.players) for setting in REPORT.logs}
    assert played == {(game, players) for game in ("full", "plantation", "candy") for players in (2, 3, 4)}


def test_the_report_has_every_table() -> None:
    titles = [section.title for section in SECTIONS]
    found = [line[3:] for line in REPORT.text.splitlines() if line.startswith("## ")]
    assert found == [*titles, "The candy factory alone", "The plantation alone"]
    for recipe in {recipe for games in REPORT.logs.values() for log in games for recipe in log.recipes}:
        assert f"| `{recipe}` |" in REPORT.text


def test_points_add_up_to_the_score() -> None:
    for setting, games in REPORT.logs.items():
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


def test_a_game_is_noted_as_it_was_played() -> None:
    for setting, games in REPORT.logs.items():
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
        position = first["seats"][(game.to_dict(game.new(seed=3))["start_player"] + place) % 2]
        goods: Counter[str] = Counter()
        for truck in recorder._goods(position)[1:]:
            goods.update(truck)
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
