"""The balance report: what it says, that it can be made again, and that games are noted as they are played."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from repository import ROOT

import chocofactory_env as cf
from arena.balance import Wavering, watch_all
from arena.candyfactory.balance import SECTIONS, main, report, settings_for
from arena.candyfactory.watch import VERBS, Log, Recorder, Setting, Watch, points_of

GAMES = 4
RANDOM = Watch("random", "random")
Logs = dict[Setting, list[Log]]


def watched() -> Logs:
    return watch_all(RANDOM, settings_for(GAMES), progress=False)


@pytest.fixture(scope="module")
def logs() -> Logs:
    return watched()


@pytest.fixture(scope="module")
def text(logs: Logs) -> str:
    return report(logs, RANDOM, cf.load("candyfactory"))


def test_every_game_and_number_of_players_is_played(logs: Logs) -> None:
    played = {(setting.game, setting.players): len(games) for setting, games in logs.items()}
    assert played == {(game, players): GAMES for game in ("full", "plantation", "candy") for players in (2, 3, 4)}


def test_the_report_says_what_it_was_made_from(text: str) -> None:
    command = f"python -m arena.candyfactory.balance --games {GAMES} --agent random --plantation-agent random"
    assert f"`{command}`" in text
    assert cf.load("candyfactory").deck_hash in text
    assert f"Seeds: 0 to {GAMES - 1} " in text


def test_the_report_has_every_table(text: str, logs: Logs) -> None:
    titles = [section.title for section in SECTIONS]
    found = [line[3:] for line in text.splitlines() if line.startswith("## ")]
    assert found == [*titles, "The candy factory alone", "The plantation alone"]
    for recipe in {recipe for games in logs.values() for log in games for recipe in log.recipes}:
        assert f"| `{recipe}` |" in text


def test_rows_are_as_long_as_their_heads(text: str) -> None:
    tables = [block for block in text.split("\n\n") if block.startswith("|")]
    assert tables
    for block in tables:
        assert len({line.count("|") for line in block.splitlines()}) == 1, block


def test_the_same_games_give_the_same_report(text: str) -> None:
    assert report(watched(), RANDOM, cf.load("candyfactory")) == text


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


def test_agents_waver_in_games_of_odd_seeds(logs: Logs) -> None:
    assert all([log.wavering for log in games] == [False, True, False, True] for games in logs.values())


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


def test_the_report_goes_to_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, logs: Logs, text: str) -> None:
    monkeypatch.setattr("arena.candyfactory.balance.watch_all", lambda watch, settings, **workers: logs)
    arguments = ["--games", str(GAMES), "--agent", "random", "--plantation-agent", "random"]
    main([*arguments, "--out", str(tmp_path / "balance.md")])
    assert (tmp_path / "balance.md").read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--games", "1"], "at least 2 games"),
        (["--agent", "nobody"], "unknown agent 'nobody'"),
        (["--agent", "random", "--deck", "no_such.toml"], "no_such.toml"),
    ],
)
def test_bad_arguments_are_refused(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
    assert words in capsys.readouterr().err


def test_a_deck_is_tried(tmp_path: Path) -> None:
    file = tmp_path / "deck.toml"
    shipped = ROOT / "chocofactory_env" / "games" / "candyfactory" / "data" / "recipes.toml"
    file.write_text(shipped.read_text(encoding="utf-8").replace("points = 6", "points = 9"), encoding="utf-8")
    setting = Setting("full", 2, 1, str(file))
    log = RANDOM(setting.load(), 0)
    page = report({one: [log, log] for one in settings_for(2, str(file)) if one.game == "full"}, RANDOM, setting.load())
    assert f"--deck {file}" in page
    assert setting.load().deck_hash in page


def test_the_page_was_measured_with_the_shipped_deck() -> None:
    text = (ROOT / "docs" / "candyfactory" / "balance.md").read_text(encoding="utf-8")
    assert f"- Deck: `{cf.load('candyfactory').deck_hash}`" in text
