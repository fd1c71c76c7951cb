"""Pictures for papers: one panel, and names; and small frames that can be read."""

from __future__ import annotations

from itertools import islice

import pytest
from games_under_test import positions

import chocofactory_env as cf
from chocofactory_env.drawing.check import faults
from chocofactory_env.drawing.scene import Scene, Text, only
from chocofactory_env.view.views import Told, seen_in
from toyrace.game import ToyRace

GAMES = [("chocofactory", 1), ("chocofactory", 4), ("candyfactory", 4), ("schoko", 4)]
SMALL = (640, 400)
LINES = [Told(0, "Player 0 ships 2 sugar into the large truck")] * 4


def sizes(scene: Scene) -> list[float]:
    parts = (part for panel in scene.panels for thing in panel.things for part in thing.parts)
    return [part.size for part in parts if isinstance(part, Text)]


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_words_of_a_small_frame_are_as_large_as_on_the_page(name: str, players: int) -> None:
    game = cf.load(name, num_players=players)
    for state in islice(positions(game, [3], 20), 11):
        scenes = [seen_in(game, state, viewer, SMALL, log=LINES) for viewer in (None, 0)]
        for scene in scenes:
            assert faults(scene) == []
            assert min(sizes(scene)) * min(SMALL[0] / scene.width, SMALL[1] / scene.height) >= 7.5
            assert LINES[0].words in [thing.name for panel in scene.panels for thing in panel.things]
        assert seen_in(game, game.redeal(state, 0, 5), 0, SMALL, log=LINES) == scenes[-1]


def test_a_game_whose_panels_belong_to_nobody_is_drawn_whole_in_a_small_frame() -> None:
    game = ToyRace()
    assert seen_in(game, game.new(1), None, SMALL) == cf.scene_of(game, game.new(1))


def test_one_panel_with_names_as_vectors_and_as_pixels() -> None:
    game = cf.load("schoko", num_players=3)
    scene = cf.panels_of(game, game.new(3), 1, names=["Ann", "Robo", "Zed"])
    drawn = cf.draw(scene, panel="own")
    assert "Robo" in drawn
    assert "Ann" not in drawn
    assert drawn.count("<text") > 10
    name = "Events, share price, and the box"
    alone = only(scene, name)
    assert cf.frame(scene, (306, round(alone.height)), panel=name).shape == (alone.height, 306, 3)
    for wanted in ("rival", "Nobody"):
        with pytest.raises(ValueError, match=r"panel: expected one of 'Under way'.*got"):
            cf.draw(scene, panel=wanted)
