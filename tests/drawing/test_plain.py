"""Buttons, last moves, and the scene of a game that has no own one."""

from __future__ import annotations

import numpy as np
import pytest
from games_under_test import pick, toy
from scenes import actions, example

from chocofactory_env.drawing.check import faults
from chocofactory_env.drawing.plain import LOG_LINES, Choice, buttons, scene_of, scene_of_text, with_log
from chocofactory_env.drawing.scene import Panel, Scene


def log_of(scene: Scene) -> list[str]:
    return [thing.name for thing in scene.panels[-1].things]


def test_buttons_flow_in_rows() -> None:
    words = ["end", "finish the shift", *map(str, range(30)), "a choice in very many words " * 8, "Donau" * 30]
    choices = [Choice(word.strip(), number, marked=number == 3) for number, word in enumerate(words)]
    things, bottom = buttons(choices, 12, 30, 396)
    scene = Scene("title", (Panel("Your move", 8, 40, 420, bottom + 8, things),))
    assert faults(scene) == []
    assert [thing.action for thing in things] == list(range(len(words)))
    assert [thing.name for thing in things if thing.marked] == ["1"]
    assert max(thing.y + thing.height for thing in things) == bottom
    assert len({thing.y for thing in things}) < len(things) / 3
    assert buttons([], 12, 30, 396) == ((), 30)


@pytest.mark.parametrize("lines", [1, 40, 200])
@pytest.mark.parametrize("choices", [0, 5, 300])
def test_scenes_of_words_have_room_for_all(lines: int, choices: int) -> None:
    table = "\n".join(f"line {number} " + "word " * (number % 40) for number in range(lines))
    scene = scene_of_text("title", table, [Choice(f"choice {number}", number) for number in range(choices)])
    assert faults(scene) == []
    assert actions(scene) == set(range(choices))
    assert scene.height >= 800
    shown = " ".join(thing.name for panel in scene.panels for thing in panel.things if thing.action is None)
    assert shown.split() == table.split()
    logged = with_log(scene, ["a move"])
    assert faults(logged) == []
    assert log_of(logged) == ["a move"]


def test_the_log_shows_the_newest_lines_that_it_has_room_for() -> None:
    scene = example()
    lines = [f"Player {number % 2}: move {number}" for number in range(LOG_LINES)]
    logged = with_log(scene, lines)
    assert faults(logged) == []
    assert logged.panels[:-1] == scene.panels
    assert log_of(logged) == lines[-7:]
    long = with_log(scene, ["first", "words " * 40])
    assert faults(long) == []
    assert " ".join(log_of(long)) == "first " + ("words " * 40).strip()
    assert with_log(scene, []) == scene
    full = Scene("title", (Panel("all", 852, 40, 420, 700, ()),))
    assert with_log(full, lines) == full


@pytest.mark.parametrize("players", [1, 2, 4])
def test_a_game_without_a_scene_of_its_own_can_be_seen_and_played(players: int) -> None:
    game = toy(num_players=players)
    state, rng = game.new(1), np.random.default_rng(0)
    while not game.is_over(state):
        mover = game.current_player(state)
        for player in (None, *range(players)):
            scene = scene_of(game, state, player)
            assert faults(scene) == []
            legal = set(np.flatnonzero(game.legal_mask(state)).tolist()) if player == mover else set()
            assert actions(scene) == legal
            assert scene_of(game, game.redeal(state, player or 0, 7), player) == scene
        action = pick(game.legal_mask(state), rng)
        assert game.move_in_words(state, action) == f"Player {mover}: {game.describe(action)}"
        game.apply(state, action)
    assert "the game is over" in scene_of(game, state).title
    with pytest.raises(ValueError, match="player"):
        scene_of(game, state, players)
