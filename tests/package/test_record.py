"""Games on file: exact replay, and refusal of all that is not the game that was played."""

from __future__ import annotations

import json
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from games_under_test import GAMES_AND_EXPANSION, GameMaker, toy, with_players

import chocofactory_env as cf
from chocofactory_env import GameRecord, RecordError, record_game
from chocofactory_env.core.agents.agent import AnyAgent
from chocofactory_env.envs.versus import RandomOpponent
from toyrace.game import ToyRace


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    record_game(toy(num_players=2), RandomOpponent(), seed=7).write(path)
    return path


def edit(path: Path, line: int, **changes: Any) -> None:
    """Change keys of one line, counted from 1, or from the end if negative."""
    lines = path.read_text().splitlines()
    at = line - 1 if line > 0 else line
    lines[at] = json.dumps({**json.loads(lines[at]), **changes})
    path.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize(("make", "players"), with_players(GAMES_AND_EXPANSION, [1, 2, 4]))
def test_a_game_is_replayed_exactly(make: GameMaker, players: int, tmp_path: Path) -> None:
    game = make(num_players=players)
    record = record_game(game, [RandomOpponent() for _ in range(players)], seed=3)
    path = tmp_path / "game.jsonl"
    record.write(path)
    again = GameRecord.read(path)
    assert again == record
    state = again.replay()
    assert game.is_over(state)
    assert again.result is not None
    assert again.result["scores"] == game.scores(state).tolist()
    by_hand = game.new(3)
    for each in again.actions:
        assert each.player == game.current_player(by_hand)
        assert each.description == game.describe(each.action)
        game.apply(by_hand, each.action)
    assert by_hand.tobytes() == state.tobytes() == again.replay(game).tobytes()
    assert record_game(game, [RandomOpponent() for _ in range(players)], seed=3) == record


def test_the_file_is_one_json_object_a_line(written: Path) -> None:
    lines = [json.loads(line) for line in written.read_text().splitlines()]
    assert lines[0] == {
        "schema": 1,
        "game": "toyrace",
        "options": {"num_players": 2, "rounds": 5, "start_player": None},
        "deck": "toy-1",
        "rules": 1,
        "package": cf.__version__,
        "seed": 7,
    }
    assert set(lines[1]) == {"number", "player", "action", "description"}
    assert set(lines[-1]) == {"actions", "over", "scores", "ranking", "won"}
    assert [path.name for path in written.parent.iterdir()] == ["game.jsonl"]


def test_a_game_left_before_its_end_says_so(tmp_path: Path) -> None:
    record = record_game(toy(), RandomOpponent(), seed=1, max_actions=4)
    record.write(tmp_path / "part.jsonl")
    state = GameRecord.read(tmp_path / "part.jsonl").replay()
    assert not toy().is_over(state)
    assert record.result is not None
    assert record.result["over"] is False
    assert len(record.actions) == 4


def test_a_game_can_be_recorded_step_by_step(tmp_path: Path) -> None:
    game = toy(num_players=3)
    record, state = GameRecord.begin(game, 5), game.new(5)
    with pytest.raises(ValueError, match="finish"):
        record.write(tmp_path / "early.jsonl")
    while not game.is_over(state):
        action = int(np.flatnonzero(game.legal_mask(state))[-1])
        record.add(game, state, action)
        game.apply(state, action)
    record.finish(game, state)
    assert record.replay(game).tobytes() == state.tobytes()


def check_refused(path: Path, line: int, problem: str, expected: str, game: Any = None) -> None:
    with pytest.raises(RecordError) as caught:
        GameRecord.read(path).replay(game)
    error = caught.value
    assert (error.file, error.line) == (str(path), line)
    assert problem in error.problem
    assert expected in error.expected
    assert str(error) == f"{path}, line {line}: {error.problem}; expected {error.expected}"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize(
    ("changes", "problem", "expected"),
    [
        ({"schema": 2}, "schema is 2", "schema 1"),
        ({"game": "nonsense"}, "unknown game", "can be loaded"),
        ({"game": "os:system", "options": {"command": "false"}}, "unknown game 'os:system'", "can be loaded"),
        ({"options": {"nonsense": 1}}, "nonsense", "can be loaded"),
        ({"options": {"num_players": 2}}, "options", "rounds"),
        ({"deck": "other"}, "played with another deck (hash 'other')", "hash 'toy-1'"),
        ({"deck": "other"}, "", "cf.load('toyrace', ..., deck=FILE), and call record.replay(game)"),
        ({"rules": 2}, "rules 2", "1"),
        ({"seed": -1}, "seed -1", "a seed"),
        ({"seed": "7"}, "seed is '7'", "a whole number"),
        ({"extra": 1}, "keys", "schema, game"),
    ],
)
def test_a_changed_header_is_refused(written: Path, changes: dict[str, Any], problem: str, expected: str) -> None:
    edit(written, 1, **changes)
    check_refused(written, 1, problem, expected)


def test_a_record_of_earlier_rules_is_refused(tmp_path: Path) -> None:
    """DRAFT-5: since version 2 a run may end without the Engineer's shift."""
    path = tmp_path / "game.jsonl"
    record_game(cf.load("chocofactory", num_players=2), RandomOpponent(), seed=7, max_actions=20).write(path)
    GameRecord.read(path).replay()
    edit(path, 1, rules=1)
    check_refused(path, 1, "rules 1", "2, those of the game that replays")


@pytest.mark.parametrize(
    ("changes", "problem", "expected"),
    [
        ({"number": 5}, "action number 5", "number 3"),
        ({"player": 3}, "player 3 acts", "player"),
        ({"action": 99}, "action 99", "0..6"),
        ({"action": -1}, "action -1", "0..6"),
        ({"description": "fly"}, "'fly'", "'"),
        ({"action": True}, "action is True", "a whole number"),
        ({"extra": 1}, "keys", "number, player"),
    ],
)
def test_a_changed_action_is_refused(written: Path, changes: dict[str, Any], problem: str, expected: str) -> None:
    edit(written, 5, **changes)
    check_refused(written, 5, problem, expected)


def test_an_illegal_action_is_refused(written: Path) -> None:
    edit(written, 2, action=2, description="move 3")
    check_refused(written, 2, "illegal action 2 (move 3) on turn 0", "a legal action")


@pytest.mark.parametrize("key", ["scores", "ranking", "won", "over"])
def test_a_changed_result_is_refused(written: Path, key: str) -> None:
    value = json.loads(written.read_text().splitlines()[-1])[key]
    lines = len(written.read_text().splitlines())
    edit(written, -1, **{key: [*value[::-1], 0] if isinstance(value, list) else not value})
    check_refused(written, lines, key, "")


def test_a_cut_or_broken_file_is_refused(written: Path) -> None:
    whole = written.read_text().splitlines()
    written.write_text("\n".join(whole[:-1]) + "\n")
    check_refused(written, len(whole) - 1, "without a result", "scores")
    written.write_text("\n".join(whole[:4] + whole[5:]) + "\n")
    check_refused(written, 5, "action number 4", "number 3")
    written.write_text("\n".join(whole[:3])[:-4])
    check_refused(written, 3, "no JSON", "one JSON object")
    written.write_text("")
    check_refused(written, 1, "empty", "schema")
    written.write_text("[1]\n")
    check_refused(written, 1, "list", "one JSON object")
    written.write_bytes(b"\xff\xfe\n")
    check_refused(written, 1, "no JSON", "one JSON object")


def test_actions_after_the_end_are_refused(written: Path) -> None:
    whole = written.read_text().splitlines()
    number = len(whole) - 2
    extra = json.dumps({"number": number, "player": 0, "action": 5, "description": "rest"})
    result = json.dumps({**json.loads(whole[-1]), "actions": number + 1})
    written.write_text("\n".join([*whole[:-1], extra, result]) + "\n")
    check_refused(written, number + 2, "after the end", "the result")


# --- a record may come from a stranger


@pytest.mark.parametrize("deck", ["/dev/zero", "my_deck.toml", None, 5])
def test_a_record_that_names_a_deck_is_refused_and_no_file_is_opened(
    written: Path, deck: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hash tells which deck it is; a path would let a record choose what is read."""
    edit(written, 1, game="chocofactory", options={"deck": deck})
    monkeypatch.setattr(cf.record, "load", lambda *args, **options: pytest.fail("loaded"))
    check_refused(written, 1, "options name the deck", "load the game with its deck: replay(game)")


def replaced(path: Path, line: int, old: str, new: str) -> None:
    lines = path.read_text().splitlines()
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new, 1)
    path.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize(
    ("line", "old", "new", "problem", "expected"),
    [
        (1, '"seed": 7', '"seed": ' + "9" * 4_000, "a number of 4,000 digits", "one JSON object"),
        (1, '"seed": 7', '"seed": ' + "9" * 20, "a number of 20 digits, more than the 19 allowed", "one JSON object"),
        (1, '"seed": 7', '"seed": ' + "9" * 19, "seed 9999999999999999999", "a seed of this game"),
        (1, '"seed": 7', '"seed": NaN', "NaN is not a JSON number", "one JSON object"),
        (1, '"options": {', '"options": {"deep": ' + "[" * 50_000, "more than 8 levels", "less deep"),
        (1, '"options": {', '"options": {"deep": "\\"' + "[" * 50_000 + '", ', "options", "a game and options"),
        (1, '"game": "toyrace"', '"game": "toyrace", "game": "toyrace"', "duplicate key 'game'", "one JSON object"),
        (1, '"game": "toyrace"', '"game": "' + "a" * 50_000 + '"', "unknown game 'aaa", "a game and options"),
        (1, '"deck": "toy-1"', '"deck": "' + "a" * 50_000 + '"', "deck (hash 'aaa", "toy-1"),
        (2, '"action": ', '"action": "', "no JSON", "one JSON object"),
        (2, '"action": ', '"action": 99999', "action 99999", "0..6"),
        (2, '"description": "', '"description": "' + "a" * 50_000, "is called 'aaa", "'"),
        (2, '"number"', '"' + "a" * 50_000 + '": 0, "number"', "keys aaa", "keys number, player"),
        (2, "{", "\ufeff{", "a byte order mark", "UTF-8 without one"),
        (2, '"description": "', '"description": "' + "a" * 100_000, "a line of 100,0", "at most 100,000"),
        (-1, '"won": [', '"won": [1, ', "won is [1, ", "True"),
    ],
)
def test_what_a_stranger_may_write_is_refused_in_few_words(
    written: Path, line: int, old: str, new: str, problem: str, expected: str
) -> None:
    count = len(written.read_text().splitlines())
    line = line if line > 0 else count + 1 + line
    replaced(written, line, old, new)
    with pytest.raises(RecordError) as caught:
        GameRecord.read(written).replay()
    assert caught.value.line == line
    assert problem in caught.value.problem
    assert expected in caught.value.expected
    assert len(str(caught.value)) < len(str(written)) + 1_000


def test_numbers_are_not_taken_for_true_and_false(written: Path) -> None:
    result = json.loads(written.read_text().splitlines()[-1])
    edit(written, -1, won=[int(won) for won in result["won"]])
    check_refused(written, result["actions"] + 2, "won is [", str(result["won"]))


@pytest.mark.skipif(os.name != "posix", reason="devices and pipes are files of POSIX systems")
def test_only_a_regular_file_is_read(tmp_path: Path) -> None:
    """A pipe without a writer and an endless device would never end."""
    os.mkfifo(tmp_path / "pipe")
    for path, kind in ((Path("/dev/zero"), "device"), (tmp_path / "pipe", "pipe"), (tmp_path, "folder")):
        check_refused(path, 1, f"the file is a {kind}", "a regular file")


def test_a_file_that_is_too_large_is_refused(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = written.stat().st_size
    monkeypatch.setattr(cf.record, "MAX_BYTES", size)
    GameRecord.read(written)
    monkeypatch.setattr(cf.record, "MAX_BYTES", size - 1)
    check_refused(written, 1, f"{size:,}", f"at most {size - 1:,} bytes")


@pytest.mark.parametrize("name", ["a\0b", "\0"])
def test_a_name_that_no_file_can_have_is_refused(name: str) -> None:
    check_refused(Path(name), 1, "no file can have this name: ", "the name of a file")


def test_a_missing_file_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        GameRecord.read(tmp_path / "missing.jsonl")


def test_another_game_is_refused(written: Path) -> None:
    check_refused(written, 1, "options", "'num_players': 3", ToyRace(num_players=3))
    assert GameRecord.read(written).replay(ToyRace(num_players=2)) is not None


def test_a_wrong_number_of_agents_is_refused() -> None:
    with pytest.raises(ValueError, match="2 agents"):
        record_game(toy(num_players=2), [RandomOpponent()] * 3, seed=0)


class Searcher:
    """Chooses the last legal action, and keeps the positions that it was given."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.seen: list[int] = []
        self.seeds: list[int] = []

    def reset(self, seed: int) -> None:
        self.seeds.append(seed)

    def choose(self, state: Any, player: int) -> int:
        self.seen.append(self.game.seed_of(state))
        return int(np.flatnonzero(self.game.legal_mask(state))[-1])


@pytest.mark.parametrize("make", GAMES_AND_EXPANSION)
def test_agents_that_search_are_recorded_and_see_redealt_positions(make: GameMaker) -> None:
    game = make(num_players=2)
    searcher = Searcher(game)
    agents: list[AnyAgent] = [searcher, RandomOpponent()]
    record = record_game(game, agents, seed=3)
    assert record == record_game(game, agents, seed=3)
    assert game.is_over(record.replay(game))
    assert searcher.seen
    assert 3 not in searcher.seen
    assert len(searcher.seeds) == 2
    assert record_game(game, Searcher(game), seed=3, max_actions=5).result is not None


@pytest.mark.parametrize("agents", ["random", ["random", "random"]])
def test_agents_are_made_by_name(agents: Any) -> None:
    game = toy()
    record = record_game(game, agents, seed=3)
    assert game.is_over(record.replay(game))
    with pytest.raises(ValueError, match="unknown agent 'nobody'"):
        record_game(game, "nobody", seed=3)


@pytest.mark.parametrize("agents", [[RandomOpponent(), None], 3])
def test_what_is_no_agent_is_refused(agents: Any) -> None:
    with pytest.raises(TypeError, match=r"agent [01]: expected a callable"):
        record_game(toy(), agents, seed=0)
    with pytest.raises(TypeError, match="integer"):
        record_game(toy(), lambda observation, mask: 2.5, seed=0)  # type: ignore[arg-type]  # the mistake
    with pytest.raises(TypeError, match="seed"):
        record_game(toy(), RandomOpponent(), seed=True)


def test_an_agent_that_errs_is_not_recorded() -> None:
    class Stubborn:
        def __call__(self, observation: Any, mask: np.ndarray) -> int:
            return -1

        def __repr__(self) -> str:
            return "Stubborn()"

    with pytest.raises(
        cf.IllegalActionError, match=r"^agent Stubborn\(\) \(seat 1, deal 0, decision 0\): illegal action -1"
    ):
        record_game(toy(), Stubborn(), seed=0)


def test_an_error_of_an_agents_own_keeps_its_type_and_gets_a_note() -> None:
    class Broken:
        def __call__(self, observation: Any, mask: np.ndarray) -> int:
            raise KeyError("nowhere")

        def __repr__(self) -> str:
            return "Broken()"

    with pytest.raises(KeyError) as raised:
        record_game(toy(), Broken(), seed=0)
    assert raised.value.__notes__ == ["It was raised by agent Broken() (seat 1, deal 0, decision 0)."]
