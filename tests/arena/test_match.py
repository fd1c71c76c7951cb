"""Matches: seat rotation, what is counted, and what is written down. Played on a toy game, so nothing is compiled."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import chocofactory_env as cf
from chocofactory_env.agents.random_agent import RandomAgent
from chocofactory_env.arena import games, report
from chocofactory_env.arena.games import Entrant, GameSeries, play_game
from chocofactory_env.arena.match import Result, play_match
from chocofactory_env.arena.play import JOURNAL, JournalError, Json, Outcome
from toyrace.game import ToyRace


class FirstAction:
    """Always the lowest legal number; remembers its settings and the seeds it was reset with."""

    def __init__(self, game: cf.Game | None = None, **settings: Any) -> None:
        self.settings = settings
        self.seeds: list[int] = []

    def reset(self, seed: int) -> None:
        self.seeds.append(seed)

    def __call__(self, observation: cf.Tensors, mask: np.ndarray) -> int:
        return int(np.flatnonzero(mask)[0])


def randoms(count: int) -> list[Entrant]:
    return [Entrant("random", RandomAgent()) for _ in range(count)]


def played(names: Sequence[str], won: Sequence[bool], scores: Sequence[int], deal: int = 0, **more: str) -> Json:
    places = [1 if each else 2 for each in won]
    numbers = {"decisions": [2] * len(won), "seconds": [0.01] * len(won), "notes": {}}
    return {
        "deal": deal,
        "agents": list(names),
        "scores": [*scores],
        "places": places,
        "won": [*won],
        **numbers,
        **more,
    }


def result_of(records: Sequence[Json], planned: int = 0, decks: Sequence[str] = (), *, stopped: bool = False) -> Result:
    """A match of these games."""
    game = ToyRace(num_players=len(records[0]["agents"]))
    outcome = Outcome([(record, {}) for record in records], planned=planned, interrupted=stopped)
    return Result(game, GameSeries(lambda: game, (("a", "b"),), range(2), decks=tuple(decks)), outcome)


def test_every_deal_is_played_once_from_every_seat() -> None:
    first, game = FirstAction(), ToyRace(num_players=3)
    result = play_match(game, [Entrant("first", first), *randoms(2)], range(5), progress=False)
    rows = result.games[result.games["agent"] == "first"]
    seats = zip(rows["deal"], rows["seat"], strict=True)
    assert sorted(seats) == [(seed, seat) for seed in range(5) for seat in range(3)]
    assert result.outcome.planned == result.games["game"].nunique() == 15
    seats_and_rotations = [(seed, rotation) for seed in range(5) for rotation in range(3)]
    assert first.seeds == [cf.agent_seed(game, game.new(seed), at, at) for seed, at in seats_and_rotations]


class Compiling:
    """Chooses the first action, which takes as long as `seconds` tells, all of it to compile."""

    seconds = 0.0

    def __call__(self, observation: cf.Tensors, mask: np.ndarray) -> int:
        start = time.perf_counter()
        time.sleep(0.01)
        Compiling.seconds += time.perf_counter() - start
        return int(mask.argmax())


def test_the_time_of_a_decision_is_without_that_of_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "seconds_building", lambda: Compiling.seconds)
    taken: list[float] = []
    agents = [Entrant("compiling", Compiling()), Entrant("compiling", Compiling())]
    play_game(ToyRace(num_players=2), agents, 5, note=lambda state, player, seconds: taken.append(seconds))
    assert Compiling.seconds > 0.01
    assert 0 < sum(taken) < Compiling.seconds / 2


def test_the_public_function_takes_names_factories_of_ones_own_and_agents() -> None:
    def first(observation: cf.Tensors, mask: np.ndarray) -> int:
        return int(mask.argmax())

    game = ToyRace(num_players=3)
    result = cf.play_match(game, ["random", "test_match:FirstAction", first], deals=range(3), progress=False)
    assert [one["agent"] for one in result.agents()] == ["random", "test_match:FirstAction", "first"]
    assert [line.split(":")[0] for line in result.times()][-1] == "first"
    assert repr(result).startswith(result.table())
    assert "better than" not in repr(result), "it is a match of three"


@pytest.mark.parametrize(
    ("wins", "said"),
    [
        (12, "at this win rate that takes about 174 more games"),
        (10, "not told apart: each won as much as the other"),
        (16, "a is better than b"),
    ],
)
def test_a_match_of_two_says_whether_they_are_told_apart(wins: int, said: str) -> None:
    result = result_of([played("ab", (deal < wins, deal >= wins), (1, 0), deal) for deal in range(20)])
    assert said in repr(result).splitlines()[3]
    assert (wins == 16) == (result.agents()[0]["win_rate_interval"].low > 0.5)


def test_the_verdict_counts_decks() -> None:
    """Two decks that differ say nothing about a third."""
    games = [(deal, deck, deck == "x" or deal % 4 == 1) for deal, deck in enumerate("xy" * 20)]
    records = [played("ab", (won, not won), (10 * won, 0), deal, deck=deck) for deal, deck, won in games]
    assert "is better" in result_of([record | {"deck": ""} for record in records]).verdict()
    assert result_of(records, decks="xy").verdict() == "not told apart on these decks"
    assert result_of(records[:1], decks="xy").verdict() == "not told apart on these decks", "stopped after one game"
    shared = [record | {"won": [True, True]} for record in records]
    assert result_of(shared, decks="xy").verdict() == "not told apart on these decks", "a shared victory counts half"


def test_seats_agents_and_deals_must_be_there() -> None:
    with pytest.raises(
        ValueError, match=r"^expected the agent of the only seat, got \['random', 'first'\]; to compare"
    ):
        play_match(ToyRace(num_players=1), ["random", "first"], [0])
    with pytest.raises(ValueError, match="expected an agent for each of 3 seats, got \\['random', 'random'\\]"):
        play_match(ToyRace(num_players=3), ["random", "random"], [0])
    with pytest.raises(TypeError, match=r"deals: expected the seeds of the deals, such as range\(10\), got 2"):
        play_match(ToyRace(num_players=2), randoms(2), 2)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="one or more, got none"):
        play_match(ToyRace(num_players=2), randoms(2), [])
    with pytest.raises(TypeError, match=r"^deals\[1\]: expected a whole number, got 'b'$"):
        play_match(ToyRace(num_players=2), randoms(2), [0, "b"])  # type: ignore[list-item]
    with pytest.raises(ValueError, match=r"^deals\[0\]: expected 0 to \d+, got -1$"):
        play_match(ToyRace(num_players=2), randoms(2), [-1])
    with pytest.raises(ValueError, match=r"^deals: expected each deal once, got 7 twice$"):
        play_match(ToyRace(num_players=2), randoms(2), [7, 8, 7])
    with pytest.raises(TypeError, match="expected names or agents, got"):
        play_match(ToyRace(num_players=2), ["random", FirstAction], [0])  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"deck": "shipped"}, TypeError, "argument 'deck' (did you mean 'decks'?); options are: decks, out, "),
        ({"ends": ()}, TypeError, "unexpected keyword argument 'ends'; options are: decks, out, "),
        ({"folder": "runs"}, TypeError, "unexpected keyword argument 'folder'; options are: decks, out, "),
        ({"processes": 0}, ValueError, "processes: expected 1 or more, got 0"),
        ({"processes": "2"}, TypeError, "processes: expected a whole number, got '2'"),
        ({"time_out": 0}, ValueError, "time_out: expected a number above 0, got 0"),
        ({"time_out": "5"}, TypeError, "time_out: expected a number, got '5'"),
    ],
)
def test_what_is_wrong_about_the_workers_is_said_by_its_name(
    given: dict[str, Any], error: type[Exception], said: str
) -> None:
    game = ToyRace(num_players=2)
    with pytest.raises(error, match=re.escape(said)):
        play_match(game, ["random", "flat_mc"], [0], **given)
    with pytest.raises(error, match=re.escape(said)):
        cf.play_tournament(game, ["random", "flat_mc"], range(1), **given)


def test_only_a_match_with_a_folder_says_that_it_goes_on(tmp_path: Path) -> None:
    def stop(observation: cf.Tensors, mask: np.ndarray) -> int:
        raise KeyboardInterrupt

    game = ToyRace(num_players=2)
    part = play_match(game, ["random", stop], [0, 1], progress=False)
    assert part.outcome.message() == "0 of 4 games are played"
    part = play_match(game, ["random", stop], [0, 1], out=tmp_path, progress=False)
    assert part.outcome.message() == "0 of 4 games are played; run the same command again to go on"


def test_an_agent_object_sits_on_one_seat_only() -> None:
    shared = Entrant("random", RandomAgent())
    with pytest.raises(ValueError, match="agents: expected an object for each seat, got one twice"):
        play_match(ToyRace(num_players=2), [shared, shared], [0])


def test_a_match_of_objects_goes_on_in_its_folder_and_names_all_its_deals(tmp_path: Path) -> None:
    game, deals = ToyRace(num_players=2), [7, 3, 11]
    pair: list[Any] = [FirstAction(), RandomAgent()]
    found = play_match(game, pair, deals, out=tmp_path, progress=False)
    journal = (tmp_path / JOURNAL).read_bytes()
    again = play_match(game, [FirstAction(), RandomAgent()], deals, out=tmp_path, progress=False)
    assert (tmp_path / JOURNAL).read_bytes() == journal
    assert again.outcome == found.outcome
    assert [agent["agent"] for agent in again.agents()] == ["FirstAction", "RandomAgent"]
    settings = json.loads((tmp_path / "result.json").read_text())["settings"]
    assert settings["seeds"] == deals
    with pytest.raises(JournalError, match="seeds is "):
        play_match(game, [FirstAction(), RandomAgent()], [7, 4, 11], out=tmp_path, progress=False)


def test_the_score_of_a_single_deal_has_no_interval() -> None:
    result = play_match(ToyRace(num_players=2), ["random", "random"], [0])
    assert "nan" not in result.table()
    row = result.agents()[0]
    assert f"{row['score']:.1f}  " in result.table()


def test_random_agents_play_every_legal_action_and_no_other() -> None:
    agent = RandomAgent(seed=1)
    mask = np.array([0, 1, 0, 1, 1], np.int8)
    assert {agent({}, mask) for _ in range(100)} == {1, 3, 4}


class Stubborn(FirstAction):
    """Gives one answer from its third decision on."""

    def __init__(self, answer: Any) -> None:
        super().__init__()
        self.answer = answer
        self.decisions = 0

    def __call__(self, observation: cf.Tensors, mask: np.ndarray) -> int:
        self.decisions += 1
        return super().__call__(observation, mask) if self.decisions < 3 else self.answer


@pytest.mark.parametrize("note", [None, lambda state, player, action: ToyRace().describe(action)])
@pytest.mark.parametrize(
    ("answer", "error", "said"),
    [(99, cf.IllegalActionError, "illegal action 99"), (None, TypeError, "an action is an integer in 0..")],
)
def test_an_agent_that_answers_badly_is_named_with_seat_deal_and_decision(
    answer: Any, error: type[Exception], said: str, note: Any
) -> None:
    entrants = [Entrant("first", FirstAction()), Entrant("my_agents:Stubborn", Stubborn(answer))]
    where = r"^agent 'my_agents:Stubborn' \(seat 0, deal 7, rotation 1, decision \d+\): "
    with pytest.raises(error, match=where + said):
        play_game(ToyRace(), entrants, seed=7, rotation=1, before=note)


# --- what it shows in notebooks


def test_tables_say_what_they_are_given() -> None:
    drawn = report.html_table(["agent", "wins"], [["<a>", "1"], ["b & c", "2"]])
    rows = [[cell.text for cell in row] for row in ET.fromstring(drawn)]
    assert rows == [["agent", "wins"], ["<a>", "1"], ["b & c", "2"]]
    sides = [[cell.attrib["align"] for cell in row] for row in ET.fromstring(drawn)]
    assert sides == [["left", "right"]] * 3
    assert report.fixed("a < b") == "<pre>a &lt; b</pre>"
    assert report.folded("a < b", "<svg/>") == "<details><summary>a &lt; b</summary><svg/></details>"


def test_a_match_shows_its_agents() -> None:
    game = ToyRace(num_players=2)
    entrants = [Entrant("first", RandomAgent()), Entrant("second", RandomAgent())]
    result = play_match(game, entrants, range(2), progress=False)
    drawn, *below = ET.fromstring(f"<div>{result._repr_html_()}</div>")
    rows = [[(cell.text or "").strip() for cell in row] for row in drawn]
    assert [row[1] for row in rows] == ["agent", "first", "second"]
    assert [row[2] for row in rows] == ["games", "4", "4"]
    assert rows[0][-1] == "ms a decision"
    assert [line.text for line in below] == [result.verdict()]
    stopped = result_of(result.outcome.records, planned=8, stopped=True)
    assert "4 of 8 games are played" in stopped._repr_html_()
