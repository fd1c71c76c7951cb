"""Explaining a game: its money, what counts as a regret, what is compared, and that nothing hidden is seen."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chocofactory_games import Position, action_numbers, load
from drawn import texts_of

import chocofactory_env as cf
from chocofactory_env.agents.chocofactory.planner import PlannerAgent
from chocofactory_env.agents.protocol import make_agent
from chocofactory_env.arena import explain
from chocofactory_env.arena.chocofactory.judge import SCALE, PlannerJudge
from chocofactory_env.arena.chocofactory.money import SOURCES
from chocofactory_env.arena.explain import Books, record_of
from chocofactory_env.arena.judge import points
from chocofactory_env.arena.regret import (
    DEALS,
    Decision,
    Played,
    RegretFinder,
    Terms,
    Trial,
    largest,
    lines_to_compare,
    turns_of,
)
from toyrace.game import ToyRace

QUICK = Terms(tries=1, deals=2, check=0, width=2)


@cache
def played_by(*agents: str, seed: int = 3, **options: Any) -> Played:
    return Played.of(record_of(load(num_players=len(agents), **options), agents, seed), agents)


@dataclass(frozen=True)
class From(Played):
    """A game that goes on from a position."""

    position: np.ndarray | None = None

    def begin(self, game: Any) -> Any:
        return game.clone(self.position)


def going_on(position: Position, *said: str) -> From:
    game, state = position.build()
    numbers = action_numbers(game)
    names = ("–",) * game.num_players
    return From(lambda: game, 0, tuple(numbers[words] for words in said), names, position=state)


def some_turns(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Explanations look at the first turns only."""
    monkeypatch.setattr(explain, "turns_of", lambda played, judge: turns_of(played, judge)[:number])


# --- the money


def test_money_by_source_and_day_is_the_games_own() -> None:
    game, played = load(num_players=2), played_by("greedy", "random")
    end = record_of(game, ("greedy", "random"), 3).replay()
    books = Books.of(played, game)
    assert books.over
    assert list(books.sources.values()) == game.score_sheets(end).T.tolist()
    assert (
        [sum(of_seat) for of_seat in zip(*books.sources.values(), strict=True)]
        == books.scores
        == game.scores(end).tolist()
    )
    assert [by_day[-1] for by_day in books.standings] == game.standings(end).tolist()
    assert [len(by_day) for by_day in books.standings] == [6, 6]
    assert [place == 1 for place in books.places] == books.won == game.won(end).tolist()
    table = explain.account_table(books, played.names)
    assert all(word in table for word in ("greedy", "random", *SOURCES, *map(str, books.scores)))


def test_alone_it_is_told_how_the_objectives_stand() -> None:
    game, played = load(num_players=1, difficulty=1), played_by("greedy", difficulty=1)
    end = record_of(game, ("greedy",), 3).replay()
    books, seat = Books.of(played, game), game.to_dict(end)["players"][0]
    standing = {one["objective"]: one for one in books.objectives}
    assert [one["satisfied"] for one in books.objectives] == game.observe(end, 0)["satisfied"].astype(bool).tolist()
    assert all(one["satisfied"] for one in books.objectives) == books.won[0]
    assert standing["money"]["there_is"] == {"": seat["money"]}
    assert standing["orders"]["there_is"] == seat["completed"]
    assert standing["tracks"]["there_is"] == seat["track"]
    table = explain.objective_table(books)
    assert f"{seat['money']}  " in table
    assert "special orders" in table


# --- what counts as a regret


def test_what_is_done_later_in_the_turn_is_not_regretted() -> None:
    """Better at 4 and still possible at 6, where it is done: there is nothing to regret."""
    trials = {4: Trial(1, [9.0, 0.0], [5.0, 0.0]), 6: Trial(1, [9.0, 0.0], [9.0, 0.0])}
    assert lines_to_compare([0] * 4 + [2, 3, 1], trials) == {}


def test_a_chance_that_stays_open_is_missed_once_and_at_last() -> None:
    trials = {
        0: Trial(1, [9.0, 0.0], [5.0, 0.0]),
        2: Trial(1, [9.0, 0.0], [5.0, 0.0]),
        3: Trial(3, [4.0, 0.0], [2.0, 0.0]),
    }
    lines = lines_to_compare([2, 0, 4, 5], trials)
    assert lines == {2: ((1,), (4,)), 3: ((3,), (5,))}


def test_a_better_start_is_compared_with_the_best_that_followed() -> None:
    trials = {0: Trial(1, [9.0, 0.0], [2.0, 0.0]), 2: Trial(3, [6.0, 0.0], [4.0, 0.0])}
    assert lines_to_compare([7, 8, 5], trials) == {0: ((1,), (7, 8, 3)), 2: ((3,), (5,))}


def test_of_the_largest_regrets_those_that_are_sure_come_first() -> None:
    def regret(number: int, *values: float) -> Decision:
        gains = np.array([[value, 0.0] for value in values])
        return Decision(number, "day 1", "run", 0, 0, lines=((1,), (0,)), gains=gains)

    wide, sure, none = regret(1, -10, 40, 30), regret(2, 9, 10, 11), regret(3, -3, -3, -3)
    assert largest([wide, sure, none, Decision(4, "day 1", "run", 0, 0)], 9) == [sure, wide]
    assert largest([wide, sure, none], 1) == [sure]


def test_an_order_left_on_the_last_day_is_the_largest_regret() -> None:
    """Player 0 fulfils what it can, player 1 does not: at stake are the game and the pay of the order."""
    position = Position(num_players=2).phase("fulfil", day=6)
    for seat, (order, room) in enumerate([("tea-room", {"caramel": 1, "nuts": 1}), ("pharmacy", {"nuts": 2})]):
        position.player(seat, store_room=room, orders=[(order, 0)], employee="clerk")
    played = going_on(position, "fulfil order 0", "finish orders", "finish orders")
    told = explain.explain(played, replace(QUICK, check=2), progress=False)
    assert [one.player for one in told.decisions if one.gains is not None] == [1]
    worst = told.top[0]
    assert worst.lines is not None
    assert worst.played_out is not None
    assert worst.gains is not None
    assert (worst.number, worst.player, worst.phase, worst.chapter) == (2, 1, "fulfil", "day 6")
    assert told.game.describe(worst.lines[0][0]) in ("fulfil order 0", "use employee")
    assert worst.regret.mean > 10
    assert worst.regret.error == 0  # nothing is hidden any more
    assert np.array_equal(worst.played_out, worst.gains)
    line = next(line for line in told.text().splitlines() if line.startswith("2 "))
    assert "finish orders" in line
    assert str(worst.regret) in line
    shown = told._repr_html_()  # in notebooks
    assert "finish orders" in shown
    assert shown.count("<svg") == len(told.top)


# --- what is compared


def test_what_follows_a_line_follows_its_last_action_in_its_own_position() -> None:
    """Deals are common to all decisions of a turn, so lines of one can be compared with lines of the next."""
    played = played_by("greedy", "random")
    finder = RegretFinder(played, QUICK)
    pairs = [(turn[0].number, turn[-1].number) for turn in finder.turns[2::4] if len(turn) > 1]
    assert len(pairs) > 3
    for first, last in pairs:
        line = played.actions[first : last + 1]
        assert np.array_equal(finder.outlooks(first, line, DEALS), finder.outlooks(last, line[-1:], DEALS))


def test_a_search_says_what_it_would_have_done() -> None:
    """The only action that is tried beside the one played."""
    finder = RegretFinder(played_by("greedy", "random"), replace(QUICK, search="planner:width=4"))
    for turn in finder.turns[:2]:
        for decision in turn:
            planner = PlannerAgent(finder.game, width=4)
            state = finder.game.redeal(finder.positions[decision.number], decision.player, 0)
            said = planner.choose(state, decision.player)
            assert finder._tried(decision).found in (said, decision.played)


def test_chances_of_all_seats_are_together_one() -> None:
    game = load(num_players=4)
    judge, state = PlannerJudge(game, 2), game.new(1)
    chances = [judge.outlook(state, seat)[0] for seat in range(4)]
    assert sum(chances) == pytest.approx(100)
    assert points(np.array([30.0, 15.0]), SCALE) == pytest.approx([73.1, 26.9], abs=0.05)
    assert points(np.array([1e4, 0.0]), SCALE) == pytest.approx([100, 0])


def test_play_goes_on_for_as_many_days_as_asked() -> None:
    game = load(num_players=2)
    state = game.new(1)
    action = int(np.flatnonzero(game.legal_mask(state))[0])
    for days, day in ((0, 2), (1, 3), (3, 5), (4, None), (None, None)):
        after = PlannerJudge(game, 2, days).played_on(state, game.current_player(state), [action], seed=1)
        assert game.is_over(after) == (day is None)
        assert day is None or game.to_dict(after)["day"] == day


# --- the whole


def short_record(tmp_path: Path, actions: int) -> Path:
    """Of a game that was left on its first day."""
    path = tmp_path / "short.json"
    cf.record_game(load(num_players=2), make_agent("greedy", load(num_players=2)), 3, max_actions=actions).write(path)
    return path


def test_the_number_of_processes_changes_nothing(tmp_path: Path) -> None:
    played = Played.of(cf.GameRecord.read(short_record(tmp_path, 16)))
    terms = replace(QUICK, seed=4)
    one, two = (explain.explain(played, terms, top=2, processes=n, progress=False).to_dict() for n in (1, 2))
    assert one == two
    assert one["planned"] == len(one["decisions"]) > 5
    assert one != explain.explain(played, replace(terms, seed=5), top=2, progress=False).to_dict()


def test_agents_are_those_of_the_record_unless_they_are_named() -> None:
    record = record_of(load(num_players=2), ("greedy", "random"), 3)
    assert Played.of(record).names == ("greedy", "random")
    assert Played.of(record, ("a", "b")).names == ("a", "b")
    record.agents = ["\u202e", None]
    assert Played.of(record).names == ("\\u202e", "–")


def test_the_command_line_plays_records_explains_and_writes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    some_turns(monkeypatch, 2)
    record, told, plot = (tmp_path / name for name in ("game.json", "why.json", "game.svg"))
    common = [str(record), "--agents", "greedy", "random", "--width", "2", "--tries", "1", "--deals", "2", "--top", "2"]
    files = ["--json", str(told), "--plot", str(plot), "--check", "2"]
    explain.main([*common, "--play", "3", *files])
    said = capsys.readouterr().out
    assert "corner shop" in said
    assert "day 6" in said
    data = json.loads(told.read_text(encoding="utf-8"))
    assert data["settings"]["deck"] == load(num_players=2).deck_hash
    assert data["settings"]["terms"]["tries"] == 1
    assert data["settings"]["agents"] == ["greedy", "random"]
    assert sum(map(sum, data["result"]["sources"].values())) == sum(data["result"]["scores"])
    assert {one["number"] for one in data["decisions"]} >= set(data["top"])
    assert {"player 0 (greedy)", "player 1 (random)", "regret, points (95 % intervals)"} <= texts_of(plot)
    again = tmp_path / "again.json"
    explain.main([*common, "--check", "2", "--json", str(again)])
    assert again.read_bytes() == told.read_bytes()


def test_bad_input_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken, foreign, short = tmp_path / "broken.json", tmp_path / "foreign.json", short_record(tmp_path, 3)
    broken.write_text(short.read_text(encoding="utf-8")[:-40], encoding="utf-8")
    cf.record_game(ToyRace(), lambda observation, mask: int(mask.argmax()), 1).write(foreign)
    for arguments, said in (
        ([broken], ("broken.json: Expecting ',' delimiter", "expected JSON")),
        ([foreign], ("foreign.json, game: 'toyrace'", "whose positions can be judged")),
        ([short, "--agents", "greedy"], ("short.json is a game of 2", "got 1")),
        ([short, "--search", "oracle"], ("unknown agent 'oracle'",)),
    ):
        with pytest.raises(SystemExit) as left:
            explain.main(list(map(str, arguments)))
        assert left.value.code == 2
        error = capsys.readouterr().err
        assert all(words in error for words in said), error
