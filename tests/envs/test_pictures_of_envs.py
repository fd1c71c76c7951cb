"""Frames and windows of every environment, and that nothing else changes with them."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo.test
import pytest
from games_under_test import GAMES, WITH_SOLO_GAME, GameMaker, pick, toy
from gymnasium.wrappers import HumanRendering, RecordVideo
from gymnasium.wrappers.vector import HumanRendering as VectorHumanRendering
from gymnasium.wrappers.vector import RecordVideo as VectorRecordVideo
from processes import output

from chocofactory_env.drawing import frames
from chocofactory_env.drawing.window import Window
from chocofactory_env.envs import pictures
from chocofactory_env.envs.aec import AECGameEnv
from chocofactory_env.envs.pictures import LOG_LINES
from chocofactory_env.envs.seat import SeatEnv
from chocofactory_env.envs.vector import SeatVectorEnv
from chocofactory_env.view.views import Told, scene_of, seen_in

SIZE = (320, 200)
FRAME = (200, 320, 3)
SMALL: dict[str, Any] = {"render_mode": "rgb_array", "render_size": SIZE}


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "RENDER_FPS", 0)  # pygame's clock does not wait


def shown_windows(monkeypatch: pytest.MonkeyPatch) -> list[np.ndarray]:
    """The frames that windows show from now on."""
    shown: list[np.ndarray] = []
    real = Window.show

    def show(window: Window, frame: np.ndarray) -> None:
        shown.append(frame)
        real(window, frame)

    monkeypatch.setattr(Window, "show", show)
    return shown


def play_on(env: SeatEnv, steps: int, rng: np.random.Generator) -> Iterator[tuple[Any, float, bool]]:
    for _ in range(steps):
        observation, reward, over, _, _ = env.step(pick(env.action_masks(), rng))
        yield observation, reward, over
        if over:
            env.reset()


@pytest.mark.parametrize("make", GAMES)
def test_aec_frames_are_a_spectators_with_the_last_moves(make: GameMaker) -> None:
    game = make(num_players=2)
    env = AECGameEnv(game, **SMALL)
    env.reset(seed=1)
    rng, lines = np.random.default_rng(0), []
    for _ in range(12):
        observation = env.last()[0]
        assert observation is not None
        action = pick(observation["action_mask"], rng)
        lines.append(Told(game.current_player(env.game_state), game.move_in_words(env.game_state, action)))
        env.step(action)
    scene = seen_in(game, env.game_state, None, SIZE, log=[line for line in lines if line.words][-LOG_LINES:])
    assert any(panel.name == "Last moves" for panel in scene.panels)
    frame = env.render()
    assert np.array_equal(frame, frames.frame(scene, SIZE))
    assert frame.shape == FRAME
    assert frame.dtype == np.uint8
    env.reset(seed=1)
    assert np.array_equal(env.render(), frames.frame(seen_in(game, env.game_state, None, SIZE), SIZE))  # no old move


@pytest.mark.parametrize("make", GAMES)
def test_versus_frames_are_the_learners(make: GameMaker) -> None:
    env = SeatEnv(make(num_players=2), seat=1, **SMALL)
    env.reset(seed=3)
    list(play_on(env, 5, np.random.default_rng(0)))
    display = env._display
    assert display is not None
    scene = seen_in(env.game, env.game_state, 1, SIZE, log=list(display.lines))
    assert np.array_equal(env.render(), frames.frame(scene, SIZE))
    scene = scene_of(env.game, env.game_state, 1)
    assert any(thing.action is not None for panel in scene.panels for thing in panel.things)
    assert any(line.seat == 0 for line in display.lines)  # the opponent's moves, too


@pytest.mark.parametrize("make", GAMES)
@pytest.mark.parametrize("mode", ["rgb_array", "human"])
def test_a_render_mode_changes_nothing_else(make: GameMaker, mode: str) -> None:
    def play(**options: Any) -> list[tuple[bytes, float, bool]]:
        env = SeatEnv(make(num_players=2), reward="shaped", **options)
        env.reset(seed=3)
        seen = [(step[0].tobytes(), *step[1:]) for step in play_on(env, 8, np.random.default_rng(0))]
        env.close()
        return seen

    assert play(render_mode=mode, render_size=SIZE) == play()


@pytest.mark.parametrize("make", WITH_SOLO_GAME)
def test_a_window_shows_every_position(make: GameMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = shown_windows(monkeypatch)
    env = SeatEnv(make(num_players=1), render_mode="human", render_size=SIZE)
    env.reset(seed=1)
    list(play_on(env, 3, np.random.default_rng(0)))
    assert len(shown) == 4
    assert env.render() is None
    assert len({one.tobytes() for one in shown}) == 4
    env.close()
    env.close()


def test_a_window_shows_the_moves_of_opponents_too(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = shown_windows(monkeypatch)
    env = SeatEnv(toy(num_players=3, start_player=0), seat=0, render_mode="human", render_size=SIZE)
    env.reset(seed=1)
    rng = np.random.default_rng(0)
    for _ in range(4):
        env.step(pick(env.action_masks(), rng))
    assert len(shown) > 1 + 4


def test_a_window_that_its_user_closes_stays_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    import pygame

    env = SeatEnv(toy(num_players=1), render_mode="human", render_size=SIZE)
    other = SeatEnv(toy(num_players=1), render_mode="human", render_size=SIZE)
    env.reset(seed=1)
    other.reset(seed=1)
    assert env._display is not None
    assert env._display.window is not None
    assert other._display is not None
    assert other._display.window is not None
    window = env._display.window
    pygame.event.post(pygame.event.Event(pygame.WINDOWCLOSE, window=window._window))
    list(play_on(other, 1, np.random.default_rng(0)))  # the events of all windows come in one queue
    assert window.closed
    assert not other._display.window.closed
    shown = shown_windows(monkeypatch)
    list(play_on(env, 3, np.random.default_rng(0)))
    assert shown == []
    other.close()


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_have_windows_and_lines_of_their_own(duplicate: Callable[[Any], Any]) -> None:
    env = SeatEnv(toy(num_players=1), render_mode="human", render_size=SIZE)
    env.reset(seed=1)
    list(play_on(env, 2, np.random.default_rng(0)))
    copied = duplicate(env)
    assert copied._display.lines == env._display.lines  # type: ignore[union-attr]  # in this mode it has one
    list(play_on(copied, 2, np.random.default_rng(0)))
    assert copied._display.lines != env._display.lines  # type: ignore[union-attr]  # in this mode it has one
    assert copied.game_state.tobytes() != env.game_state.tobytes()
    copied.close()
    list(play_on(env, 1, np.random.default_rng(0)))
    env.close()


@pytest.mark.parametrize("players", [1, 3])
def test_rows_are_drawn_as_their_learners_see_them(players: int) -> None:
    envs = SeatVectorEnv(toy(num_players=players), 3, render_mode="rgb_array")
    envs.reset(seed=5)
    for _ in range(4):
        envs.step(envs.action_masks().argmax(axis=1))
    rendered = envs.render()
    assert rendered is not None
    assert [frame.shape for frame in rendered] == [(800, 1280, 3)] * 3
    for row, (frame, seat) in enumerate(zip(rendered, envs.seats.tolist(), strict=True)):
        assert np.array_equal(frame, pictures.frame_of(envs.game, envs.state(row), seat))
    with pytest.raises(ValueError, match="render_mode must be one of None, 'ansi', 'rgb_array', got 'human'"):
        SeatVectorEnv(toy(), 2, render_mode="human")


@pytest.mark.parametrize("many", [False, True], ids=["one", "many"])
def test_gymnasium_records_videos_and_opens_windows(many: bool, tmp_path: Path) -> None:
    def make(name: str) -> Any:
        return gymnasium.make_vec(name, 2, render_mode="rgb_array") if many else gymnasium.make(name, **SMALL)

    recording = VectorRecordVideo if many else RecordVideo
    film: Any = recording(make("ChocoFactory/Versus-v0"), str(tmp_path / "films"), fps=5)
    window: Any = (VectorHumanRendering if many else HumanRendering)(make("ChocoFactory/FactoryManager-v0"))
    window.metadata["render_fps"] = 1000
    for env in (film, window):
        env.reset(seed=1)
        env.step(env.unwrapped.action_masks().argmax(axis=-1))
        env.close()
    assert [path.stat().st_size > 1000 for path in (tmp_path / "films").glob("*.mp4")] == [True]


@pytest.mark.filterwarnings("ignore")  # PettingZoo's, about observations that are dictionaries
def test_passes_pettingzoos_render_test() -> None:
    pettingzoo.test.render_test(lambda **options: AECGameEnv(toy(num_players=3), render_size=SIZE, **options))


MAKERS: list[Any] = [
    lambda **options: AECGameEnv(toy(), **options),
    lambda **options: SeatEnv(toy(), **options),
]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    ("option", "value", "error", "match"),
    [
        ("render_mode", "film", ValueError, "render_mode"),
        ("render_size", (10, 800), ValueError, r"render_size\[0\].*64"),
        ("render_size", (800, 9000), ValueError, r"render_size\[1\]"),
        ("render_size", (800, 600.5), TypeError, "render_size"),
        ("render_size", 800, TypeError, "render_size.*width, height"),
        ("render_size", "ab", TypeError, "render_size"),
        ("render_size", (800, 600, 3), TypeError, "render_size"),
    ],
)
def test_other_modes_and_sizes_are_refused(
    make: Callable[..., Any], option: str, value: Any, error: type[Exception], match: str
) -> None:
    with pytest.raises(error, match=match):
        make(**{"render_mode": "rgb_array", option: value})


def test_what_is_not_installed_is_named_with_its_extra() -> None:
    code = """
import sys
from toyrace.game import ToyRace
from chocofactory_env.envs.seat import SeatEnv
def say(make):
    try: make()
    except ImportError as error: print(error)
env = SeatEnv(ToyRace(num_players=1), render_mode="rgb_array")
env.reset(seed=1)
for module in ("resvg_py", "PIL", "pygame"):
    sys.modules[module] = None
    say(env.render)
    say(lambda: SeatEnv(ToyRace(num_players=1), render_mode="human"))
    del sys.modules[module]
"""
    said = output("-c", f"import sys\n{code}", path=sys.path, CHOCOFACTORY_RULES="python").splitlines()
    needs = 'which is not installed: pip install "chocofactory-env[render]"'
    assert said == [
        *[f"a picture needs resvg-py, {needs}"] * 2,
        *[f"a picture needs pillow, {needs}"] * 2,
        f"a window needs pygame-ce, {needs}",
    ]
