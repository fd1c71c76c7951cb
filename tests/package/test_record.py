"""Games on file: exact replay, and refusal of all that is not the game that was played."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from games_under_test import GAMES_AND_EXPANSION, GameMaker, candyfactory, chocofactory, expanded, toy, with_players
from hypothesis import example, given, settings
from hypothesis import strategies as st
from long_runs import amount
from toy_agents import Searcher

import chocofactory_env as cf
from chocofactory_env import GameRecord, RecordError, record_game
from chocofactory_env.core.agents.agent import AnyAgent
from chocofactory_env.core.jit import COMPILED
from chocofactory_env.envs.opponents import RandomOpponent
from toyrace.game import ToyRace

EXAMPLES = amount("CF_RECORDS", 100 if COMPILED else 20, 5_000)


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    record_game(toy(num_players=2), RandomOpponent(), seed=7).write(path)
    return path


def edit(path: Path, **changes: Any) -> None:
    """Change fields of the document; a function makes the new value from the old one."""
    document = json.loads(path.read_text())
    made = {name: change(document[name]) if callable(change) else change for name, change in changes.items()}
    path.write_text(json.dumps(document | made))


@pytest.mark.parametrize(("make", "players"), with_players(GAMES_AND_EXPANSION, [1, 2, 4]))
def test_a_game_is_replayed_exactly(make: GameMaker, players: int, tmp_path: Path) -> None:
    game = make(num_players=players)
    record = record_game(game, [RandomOpponent() for _ in range(players)], seed=3)
    record.write(tmp_path / "game.json")
    again = GameRecord.read(tmp_path / "game.json")
    assert again == record
    state = again.replay()
    assert game.is_over(state)
    assert again.result is not None
    assert again.result.scores == game.scores(state).tolist()
    by_hand = game.new(3)
    for action in again.actions:
        game.apply(by_hand, action)
    assert by_hand.tobytes() == state.tobytes() == again.replay(game).tobytes()
    assert record_game(game, [RandomOpponent() for _ in range(players)], seed=3) == record


def test_the_file_is_one_json_document(written: Path) -> None:
    document = json.loads(written.read_text())
    actions, result = document.pop("actions"), document.pop("result")
    assert document == {
        "schema": 2,
        "game": "toyrace",
        "options": {"num_players": 2, "rounds": 5, "start_player": None},
        "deck": "toy-1",
        "rules": 1,
        "seed": 7,
        "package": cf.__version__,
        "agents": [],
    }
    assert set(map(type, actions)) == {int}
    assert set(result) == {"over", "scores", "ranking", "won"}
    assert [path.name for path in written.parent.iterdir()] == ["game.json"]


def lines_of_release_0_1(game: Any, record: GameRecord) -> bytes:
    """The record as release 0.1 wrote it."""
    about = json.loads(record.text())
    lines = [{"schema": 1} | {name: about[name] for name in ("game", "options", "deck", "rules", "package", "seed")}]
    state = game.new(record.seed)
    for number, action in enumerate(record.actions):
        player, words = game.current_player(state), game.describe(action)
        lines.append({"number": number, "player": player, "action": action, "description": words})
        game.apply(state, action)
    lines.append({"actions": len(record.actions), **about["result"]})
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def test_a_record_of_release_0_1_is_read(written: Path) -> None:
    record = GameRecord.read(written)
    lines = lines_of_release_0_1(toy(num_players=2), record)
    assert GameRecord.parse(lines) == record
    for damaged in (lines[:-40], lines.rpartition(b'{"actions')[0], lines.replace(b'"action": ', b'"action": -')):
        with pytest.raises(RecordError):
            GameRecord.parse(damaged)
    fourth = b"\n".join(line for number, line in enumerate(lines.splitlines()) if number != 4)
    with pytest.raises(RecordError):
        GameRecord.parse(fourth).replay()


def test_a_game_left_before_its_end_says_so(tmp_path: Path) -> None:
    record = record_game(toy(), RandomOpponent(), seed=1, max_actions=4)
    record.write(tmp_path / "part.json")
    state = GameRecord.read(tmp_path / "part.json").replay()
    assert not toy().is_over(state)
    assert record.result is not None
    assert record.result.over is False
    assert len(record.actions) == 4


def test_any_actions_of_a_game_can_be_recorded() -> None:
    game = toy(num_players=3)
    state, actions = game.new(5), []
    while not game.is_over(state):
        actions.append(np.flatnonzero(game.legal_mask(state))[-1])
        game.apply(state, actions[-1])
    record = GameRecord.of(game, 5, actions, state, ["greedy", None, None])
    again = GameRecord.parse(record.text().encode())
    assert again == record
    assert again.replay(game).tobytes() == state.tobytes()


@pytest.mark.parametrize(
    ("actions", "agents", "said"),
    [
        ([0, 1.7], (), r"actions\[1\]: expected a whole number, got 1\.7"),
        ([True], (), r"actions\[0\]: expected a whole number, got True"),
        ([-1], (), r"actions\[0\]: expected 0 or more, got -1"),
        ([], ["greedy"], "agents: expected none or 2, one a seat, got 1"),
    ],
)
def test_only_a_record_that_can_be_read_is_made(actions: list[Any], agents: list[str], said: str) -> None:
    game = cf.load("chocofactory", num_players=2)
    with pytest.raises((TypeError, ValueError), match=said):
        GameRecord.of(game, 1, actions, game.new(1), agents)


def check_refused(path: Path, place: str, problem: str, expected: str, game: Any = None) -> None:
    with pytest.raises(RecordError) as caught:
        GameRecord.read(path).replay(game)
    error = caught.value
    assert (error.file, error.place) == (str(path), place)
    assert problem in error.problem
    assert expected in error.expected
    where = f"{path}, {place}" if place else str(path)
    assert str(error) == f"{where}: {error.problem}; expected {error.expected}"
    assert len(str(error)) < len(str(path)) + 1_500
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize(
    ("changes", "place", "problem", "expected"),
    [
        ({"schema": 3}, "schema", "3", "2"),
        ({"game": "nonsense"}, "game", "unknown game", "can be loaded"),
        ({"game": "os:system", "options": {"command": "false"}}, "game", "unknown game 'os:system'", "can be loaded"),
        ({"game": "a" * 50_000}, "game", "'aaa", "at most 1000 printable"),
        ({"options": {"nonsense": 1}}, "game", "nonsense", "can be loaded"),
        ({"options": {"num_players": 2}}, "options", "{'num_players': 2}", "rounds"),
        ({"options": {"num_players": [2]}}, "options.num_players", "[2]", "true or false or an integer"),
        ({"deck": "other"}, "deck", "another deck (hash 'other')", "hash 'toy-1'"),
        ({"deck": "other"}, "deck", "", "cf.load('toyrace', ..., deck=FILE), and call record.replay(game)"),
        ({"rules": 2}, "rules", "2", "1, as the game"),
        ({"seed": -1}, "seed", "-1", "an integer 0.."),
        ({"seed": 1 << 63}, "seed", "9223372036854775808", "an integer 0.."),
        ({"seed": "7"}, "seed", "'7'", "an integer"),
        ({"agents": ["random"]}, "agents", "1 of them", "none or 2"),
        ({"agents": ["\x1b[31m", None]}, "agents[0]", "'\\x1b[31m'", "printable"),
        ({"actions": [True]}, "actions[0]", "True", "an integer"),
        ({"actions": {}}, "actions", "{}", "a list"),
        (
            {"actions": lambda actions: [2, *actions[1:]]},
            "actions[0]",
            "illegal action 2 (move 3) on turn 0",
            "a legal",
        ),
        ({"actions": lambda actions: [*actions[:3], 99]}, "actions[3]", "action 99 (no such action)", "a legal action"),
        ({"actions": lambda actions: actions[:-1]}, "result.over", "True", "False"),
        ({"result": {"over": True}}, "result.scores", "nothing", "this field, a list"),
        ({"result": lambda result: {**result, "scores": [0, 0]}}, "result.scores", "", "as the game is played"),
        ({"result": lambda result: {**result, "ranking": [1, 1]}}, "result.ranking", "", "as the game is played"),
        ({"result": lambda result: {**result, "won": True}}, "result.won", "", "a list"),
        ({"result": lambda result: {**result, "over": False}}, "result.over", "", "as the game is played"),
        ({"extra": 1}, "extra", "an unknown field", "one of the fields schema, game"),
    ],
)
def test_a_changed_field_is_refused(
    written: Path, changes: dict[str, Any], place: str, problem: str, expected: str
) -> None:
    edit(written, **changes)
    check_refused(written, place, problem, expected)


def test_actions_after_the_end_are_refused(written: Path) -> None:
    actions = json.loads(written.read_text())["actions"]
    edit(written, actions=[*actions, 5])
    check_refused(written, f"actions[{len(actions)}]", "the game is over", "a legal action")


# --- a record may come from a stranger


@pytest.mark.parametrize("deck", ["/dev/zero", "my_deck.toml", None, 5])
def test_a_record_that_names_a_deck_is_refused_and_no_file_is_opened(
    written: Path, deck: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hash tells which deck it is; a path would let a record choose what is read."""
    edit(written, game="chocofactory", options={"deck": deck})
    monkeypatch.setattr(cf.record, "load", lambda *args, **options: pytest.fail("loaded"))
    check_refused(written, "options", "they name the deck", "load the game with its deck: replay(game)")


@cache
def documents() -> list[dict[str, Any]]:
    """Records of a few games."""
    games = [toy(num_players=2), chocofactory(num_players=1), candyfactory(num_players=3), expanded(num_players=3)]
    return [json.loads(record_game(game, "random", seed=3).text()) for game in games]


def with_options(text: str) -> Callable[[], bytes]:
    return lambda: json.dumps(documents()[0]).replace('"options": {', '"options": {"x": ' + text + ", ").encode()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda parts: st.lists(parts, max_size=4) | st.dictionaries(st.text(max_size=9), parts, max_size=4),
    max_leaves=10,
)
PATHS = st.sampled_from(["/dev/zero", "/", "", "missing.toml", "\0", "generated:3", "generated:x", 5, None])


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A record with other values in some places, and perhaps with other bytes."""
    document = json.loads(json.dumps(draw(st.sampled_from(documents()))))
    for _ in range(draw(st.integers(0, 2))):
        part = draw(st.sampled_from([document, document, document["options"], document["result"], document["actions"]]))
        if isinstance(part, list):
            at = draw(st.integers(0, len(part)))
            part[at : at + draw(st.integers(0, 2))] = draw(st.lists(st.integers(-1, 130) | JSON, max_size=2))
        else:
            key = draw(st.sampled_from([*part, "deck"]) | st.text(max_size=9))
            part[key] = draw(PATHS | st.integers(0, 9) | JSON)
        if not all(isinstance(document.get(name), dict | list) for name in ("options", "result", "actions")):
            break
    content = json.dumps(document).encode()
    if draw(st.integers(0, 3)):
        return content
    at = draw(st.integers(0, len(content)))
    return content[:at] + draw(st.binary(max_size=3)) + content[at + draw(st.integers(0, 3)) :]


@pytest.mark.slow
@settings(max_examples=EXAMPLES, deadline=None, derandomize=True, database=None)
@given(st.binary(max_size=60) | JSON.map(lambda value: json.dumps(value).encode()) | damaged())
@example(b"")
@example(b"\xff\xfe\n")
@example(b"\xef\xbb\xbf{}")
@example(b'{"schema": 1,')
@example(b'{"schema": 1, "game": "toyrace"}\n[]')
@example(b"[" * 100_000)
@example(b'{"a":' * 100_000)
@example(with_options("[" * 50_000))
@example(with_options("NaN"))
@example(with_options("1e999"))
@example(with_options("9" * 30))
@example(with_options("9" * 5_000))
@example(with_options('"\\ud800"'))
@example(with_options('"\\u0000"'))
@example(with_options('{"a": {}}'))
@example(with_options('"' + "a" * 50_000 + '"'))
@example(lambda: json.dumps({**documents()[0], "a" * 50_000: 0}).encode())
@example(lambda: json.dumps({**documents()[0], "\x1b[31m`": 0}).encode())
@example(lambda: json.dumps({**documents()[0], "\x1b - at `$.\x1b": 0}).encode())
@example(lambda: json.dumps({**documents()[0], "options": {"name": "toyrace"}}).encode())
@example(lambda: json.dumps(documents()[0]).replace('"seed": 3', '"seed": ' + "9" * 19).encode())
@example(lambda: json.dumps(documents()[0]).replace('"seed": 3', '"seed": 3.0').encode())
def test_whatever_a_file_holds_it_is_replayed_or_refused_with_its_place(given: bytes | Callable[[], bytes]) -> None:
    content = given if isinstance(given, bytes) else given()
    error = refusal_of(content)
    if error is None:
        record = GameRecord.parse(content)
        assert GameRecord.parse(record.text().encode()) == record
    else:
        assert error.file == "a file"
        assert error.problem
        assert error.expected
        assert len(str(error)) < 1_500
        assert str(error).isprintable()


def refusal_of(content: bytes) -> RecordError | None:
    try:
        GameRecord.parse(content, "a file").replay()
    except RecordError as error:
        return error
    return None


def test_only_a_regular_file_of_a_bounded_size_is_read(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_refused(written.parent, "", "the file is a folder", "a regular file")
    check_refused(Path("a\0b"), "", "no file can have this name: ", "the name of a file")
    with pytest.raises(FileNotFoundError):
        GameRecord.read(written.parent / "missing.json")
    size = written.stat().st_size
    monkeypatch.setattr(cf.record, "MAX_BYTES", size)
    GameRecord.read(written)
    monkeypatch.setattr(cf.record, "MAX_BYTES", size - 1)
    check_refused(written, "", f"{size:,}", f"at most {size - 1:,} bytes")


def test_another_game_is_refused(written: Path) -> None:
    check_refused(written, "options", "'num_players': 2", "'num_players': 3", ToyRace(num_players=3))
    assert GameRecord.read(written).replay(ToyRace(num_players=2)) is not None


def test_a_wrong_number_of_agents_is_refused() -> None:
    with pytest.raises(ValueError, match="2 agents"):
        record_game(toy(num_players=2), [RandomOpponent()] * 3, seed=0)


@pytest.mark.parametrize("make", GAMES_AND_EXPANSION)
def test_agents_that_search_are_recorded_and_see_redealt_positions(make: GameMaker) -> None:
    game = make(num_players=2)
    searcher = Searcher(game)
    agents: list[AnyAgent] = [searcher, RandomOpponent()]
    record = record_game(game, agents, seed=3)
    assert record == record_game(game, agents, seed=3)
    assert game.is_over(record.replay(game))
    assert searcher.seen
    seeds = {game.seed_of(np.frombuffer(seen, game.new(3).dtype)) for seen in searcher.seen}
    assert 3 not in seeds
    assert len(searcher.seeds) == 2
    shared, start = Searcher(game), game.new(3)  # by all seats, and told of the deal once
    assert record_game(game, shared, seed=3, max_actions=5).result is not None
    assert shared.seen[0] == game.redeal(start, game.current_player(start), 0).tobytes()
    assert record_game(game, shared, seed=3, max_actions=0).actions == []
    assert len(shared.seeds) == 2


@pytest.mark.parametrize("agents", ["random", ["random", "random"]])
def test_agents_are_made_by_name(agents: Any) -> None:
    game = toy()
    record = record_game(game, agents, seed=3)
    assert game.is_over(record.replay(game))
    assert record.agents == ["random", "random"]
    with pytest.raises(ValueError, match="unknown agent 'nobody'"):
        record_game(game, "nobody", seed=3)


@pytest.mark.parametrize("agents", [[RandomOpponent(), None], 3])
def test_what_is_no_agent_is_refused(agents: Any) -> None:
    with pytest.raises(TypeError, match=r"agent [01]: expected a callable"):
        record_game(toy(), agents, seed=0)
    with pytest.raises(TypeError, match="integer"):
        record_game(toy(), lambda observation, mask: 2.5, seed=0)  # type: ignore[arg-type]  # the mistake


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
