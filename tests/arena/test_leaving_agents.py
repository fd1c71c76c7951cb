"""An agent that calls `sys.exit`, or leaves in another way, is named wherever it plays."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Never

import gymnasium
import numpy as np
import pytest
from processes import run
from repository import HELPERS, ROOT

import chocofactory_env as cf
from chocofactory_env.arena.games import play_game
from chocofactory_env.arena.match import play_match
from chocofactory_env.arena.play import TaskError, results_of
from chocofactory_env.core.agents.agent import Consideration
from toyrace.game import ToyRace

HERE = Path(__file__).stem


def leave(how: str) -> Never:
    if how == "exit":
        sys.exit(3)
    raise {"generator": GeneratorExit, "interrupt": KeyboardInterrupt, "own": OwnEnd}[how]


class OwnEnd(BaseException):
    """No Exception, as the ends that some libraries define."""


class Leaves:
    """Plays the first legal action, and leaves where `where` says."""

    def __init__(self, game: cf.Game, where: str = "call", how: str = "exit") -> None:
        self._where, self._how = where, how
        if where == "make":
            leave(how)
        if where == "tell":
            self.observe_move = self._told

    def reset(self, seed: int) -> None:
        if self._where == "reset":
            leave(self._how)

    def __call__(self, observation: Any, mask: np.ndarray) -> int:
        if self._where == "call":
            leave(self._how)
        return int(mask.argmax())

    def _told(self, move: object) -> None:
        leave(self._how)


class Searches(Leaves):
    def choose(self, state: Any, player: int) -> int:
        leave(self._how)


@pytest.fixture
def game() -> Any:
    return ToyRace(num_players=2)


@pytest.mark.parametrize(
    ("how", "error", "said"),
    [
        ("exit", RuntimeError, r"raised SystemExit\(3\), which would end the program"),
        ("generator", RuntimeError, r"raised GeneratorExit\(\), which would end the program"),
        ("own", OwnEnd, None),
    ],
)
@pytest.mark.parametrize("where", ["call", "reset", "tell"])
def test_a_match_names_who_would_have_ended_the_program(
    game: Any, where: str, how: str, error: type[BaseException], said: str | None
) -> None:
    with pytest.raises(error, match=said) as ended:
        play_match(game, ["random", f"{HERE}:Leaves:where={where},how={how}"], [7])
    assert any("Leaves:where" in note and "deal 7" in note for note in ended.value.__notes__)


def test_a_match_that_an_agent_interrupts_says_who_it_was(game: Any, capsys: pytest.CaptureFixture[str]) -> None:
    result = play_match(game, ["random", f"{HERE}:Leaves:how=interrupt"], [7])
    assert result.interrupted
    assert "stopped at the turn of agent" in capsys.readouterr().err


class Considers(Leaves):
    def consider(self, observation: Any, mask: Any) -> Consideration:
        leave(self._how)


@pytest.mark.parametrize("how", ["exit", "generator"])
def test_every_call_of_an_agent_is_guarded(game: Any, how: str) -> None:
    state = game.new(seed=1)
    silent = Leaves(game, "none", how)
    leaves, searching, told = Leaves(game, "call", how), Searches(game, "choose", how), Leaves(game, "tell", how)
    calls: list[Callable[[], Any]] = [
        lambda: cf.decide(game, leaves, state),
        lambda: cf.decide(game, searching, state),
        lambda: cf.consider(game, leaves, state),
        lambda: cf.consider(game, Considers(game, "none", how), state),
        lambda: cf.reset_agent(Leaves(game, "reset", how), 1),
        lambda: cf.tell(game, {0: told}, state, int(game.legal_mask(state).argmax())),
        lambda: cf.record_game(game, [silent, leaves], 1),
        lambda: cf.record_game(game, searching, 1),
        lambda: cf.record_game(game, Leaves(game, "reset", how), 1),
    ]
    for call in calls:
        with pytest.raises(RuntimeError, match=r"raised (SystemExit|GeneratorExit)"):
            call()


def play_on(env: Any) -> None:
    _, info = env.reset(seed=1)
    for _ in range(20):
        _, _, _, _, info = env.step(info["action_mask"].argmax(axis=-1))


@pytest.mark.parametrize("where", ["call", "reset"])
def test_opponents_of_environments_are_named(where: str) -> None:
    real = cf.load("schoko", num_players=2)
    opponents = [Leaves(real, where), *([Searches(real, "choose")] if where == "call" else [])]
    for opponent in opponents:
        env = gymnasium.make("ChocoFactory/SchokoVersus-v0", num_players=2, opponents=opponent, seat=1)
        with pytest.raises(RuntimeError, match=r"raised SystemExit\(3\)"):
            play_on(env)
    vector = gymnasium.make_vec(
        "ChocoFactory/SchokoVersus-v0", 2, num_players=2, seat=1, opponents=cf.PerGame(lambda: Leaves(real, where))
    )
    with pytest.raises(RuntimeError, match=r"raised SystemExit\(3\)"):
        play_on(vector)


def test_an_agent_that_leaves_when_it_is_made_or_imported_cannot_be_made(
    game: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValueError, match="failed with SystemExit: 3"):
        cf.make_agent(f"{HERE}:Leaves:where=make", game)
    (tmp_path / "leaves_at_import.py").write_text("import sys\nsys.exit(3)\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match="cannot be imported: SystemExit: 3"):
        cf.make_agent("leaves_at_import:make", game)


@pytest.mark.parametrize("how", ["exit", "generator", "interrupt", "own"])
def test_workers_name_the_task_and_the_agent(game: Any, how: str) -> None:
    """In a process that Ctrl-C does not reach, KeyboardInterrupt is the agent's, too."""
    with pytest.raises(TaskError, match=r"^\{'deal': \d\}: .*agent 'leaving'"):
        list(results_of(PlaysDeal(how), [{"deal": 1}, {"deal": 2}], processes=2))


class PlaysDeal:
    def __init__(self, how: str) -> None:
        self._how = how

    def __call__(self, task: Any) -> Any:
        from chocofactory_env.arena.games import Entrant

        game = ToyRace(num_players=2)
        return play_game(game, [Entrant("leaving", Leaves(game, "call", self._how))] * 2, task["deal"])


def test_a_tournament_ends_with_a_line_that_names_it(tmp_path: Path) -> None:
    words = ["random", f"{HERE}:Leaves", "--game", "schoko", "--deals", "1", "--out", str(tmp_path)]
    done = run(
        "-m", "chocofactory_env.arena", "tournament", *words, path=[HELPERS, ROOT / "examples", Path(__file__).parent]
    )
    assert done.returncode == 1
    assert f"agent '{HERE}:Leaves' (seat" in done.stdout
    assert "raised SystemExit(3), which would end the program" in done.stdout
