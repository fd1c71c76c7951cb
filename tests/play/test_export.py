"""A game as one HTML file: complete, small, and asking for nothing."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import msgspec
import pytest

import chocofactory_env as cf
from chocofactory_env.arena import draw
from chocofactory_env.play.export import page_of
from chocofactory_env.play.playing import Playing

PLAYED = [("chocofactory", "greedy"), ("candyfactory", "greedy"), ("schoko", "manager")]
NAMES = ["Ann", "Robo", "Zed", "Dora"]


def played(name: str, agent: str, players: int = 4) -> Playing:
    game = cf.load(name, num_players=players)
    return Playing.of(game, cf.record_game(game, cf.make_agent(agent, game), 3), NAMES[:players])


def data_of(page: str) -> Any:
    found = re.search(r'<script type="text/plain" id="data">([^<]*)</script>', page)
    assert found is not None
    return json.loads(zlib.decompress(base64.b64decode(found[1])))


@pytest.mark.parametrize(("name", "agent"), PLAYED)
def test_a_whole_game_is_below_two_megabytes_and_holds_every_position(name: str, agent: str) -> None:
    playing = played(name, agent)
    page = page_of(playing)
    assert len(page) < 2_000_000
    assert not re.search(r"""(?:src|href)\s*=\s*["']|url\((?!data:)|^import\s|fetch\(""", page, re.MULTILINE)
    data = data_of(page)
    [view] = data["views"]
    assert len(view["trees"]) == len(playing.states)
    for at in range(0, len(playing.states), 37):
        tree = view["trees"][at]
        groups = [{**group, "rows": [data["rows"][row] for row in group["rows"]]} for group in tree["groups"]]
        assert {**tree, "groups": groups} == msgspec.to_builtins(playing.view(None, at))


def test_a_page_of_all_seats_shows_each_what_it_may_know() -> None:
    playing = played("schoko", "manager", 2)
    data = data_of(page_of(playing, [None, 0, 1]))
    assert [view["eyes"] for view in data["views"]] == ["what lies open", "Ann", "Robo"]
    assert [view["trees"][0]["viewer"] for view in data["views"]] == [None, 0, 1]


def test_the_command_writes_a_page_and_a_moving_picture(tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    record = tmp_path / "game.json"
    cf.record_game(cf.load("candyfactory", game="plantation"), "greedy", 3).write(record)
    page, video = tmp_path / "game.html", tmp_path / "game.gif"
    draw.main(["--record", str(record), "--names", "Ann", "Robo", "--page", str(page), "--all-seats"])
    assert data_of(page.read_text(encoding="utf-8"))["names"] == ["Ann", "Robo"]
    draw.main(["--record", str(record), "--video", str(video)])
    assert video.read_bytes().startswith(b"GIF89a")
