"""A game as one HTML file: complete, small, and asking for nothing."""

from __future__ import annotations

import base64
import json
import re
import shutil
import zlib
from pathlib import Path
from typing import Any

import pytest

import chocofactory_env as cf
from arena import draw
from chocofactory_env.drawing.plain import panels_of
from chocofactory_env.play.tables.replays import Replay
from chocofactory_env.play.views.game_page import page_of

PLAYED = [("chocofactory", "greedy"), ("candyfactory", "greedy"), ("schoko", "manager")]
NAMES = ["Ann", "Robo", "Zed", "Dora"]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def replay_of(name: str, agent: str, players: int = 4) -> Replay:
    game = cf.load(name, num_players=players)
    return Replay(game, cf.record_game(game, cf.make_agent(agent, game), 3), NAMES[:players])


def data_of(page: str) -> Any:
    found = re.search(r'<script type="text/plain" id="data">([^<]*)</script>', page)
    assert found is not None
    return json.loads(zlib.decompress(base64.b64decode(found[1])))


@pytest.mark.parametrize(("name", "agent"), PLAYED)
def test_a_whole_game_is_below_two_megabytes_and_holds_every_position(name: str, agent: str) -> None:
    replay = replay_of(name, agent)
    page = page_of(replay)
    assert len(page) < 2_000_000
    assert not re.search(r"""(?:src|href)\s*=|url\((?!data:)|import\s|fetch\(""", page)
    data, end = data_of(page), len(replay.actions)
    [view] = data["views"]
    assert len(view["frames"]) == end + 1
    for at in range(0, end + 1, 37):
        panels = [data["panels"][number] for number in view["frames"][at]]
        seen = panels_of(replay.game, replay.states[at], None).panels
        assert [panel[:2] for panel in panels] == [[one.role, one.owner] for one in seen]
        assert [len(panel[5]) for panel in panels] == [len(one.things) + 1 for one in seen]
    assert [tuple(story.values()) for story in view["stories"]] == replay.stories(None, end)
    amounts = [one["amounts"] for one in data["over"]["accounts"]]
    assert [sum(of_seat) for of_seat in zip(*amounts, strict=True)] == data["over"]["scores"]


@pytest.mark.parametrize(("name", "agent"), PLAYED)
def test_a_page_of_all_seats_shows_each_what_it_may_know(name: str, agent: str) -> None:
    replay = replay_of(name, agent, 2)
    page = page_of(replay, [None, 0, 1])
    assert len(page) < 1_000_000
    data = data_of(page)
    assert [view["eyes"] for view in data["views"]] == ["what lies open", "Ann", "Robo"]
    for viewer, view in zip([None, 0, 1], data["views"], strict=True):
        alone = data_of(page_of(replay, [viewer]))
        for key in ("titles", "lines", "stories"):
            assert view[key] == alone["views"][0][key]
        for at in range(0, len(view["frames"]), 37):
            drawn, expected = (
                [[panel[:5], [one["tiles"][tile] for tile in panel[5]]] for panel in panels]
                for one, panels in (
                    (data, [data["panels"][number] for number in view["frames"][at]]),
                    (alone, [alone["panels"][number] for number in alone["views"][0]["frames"][at]]),
                )
            )
            assert drawn == expected


def test_the_command_writes_a_page_a_panel_and_a_gif(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from PIL import Image

    record, page, panel, video = (tmp_path / name for name in ("a.json", "a.html", "a.png", "a.gif"))
    game = cf.load("chocofactory", num_players=2)
    cf.record_game(game, cf.make_agent("greedy", game), 3, max_actions=40).write(record)
    words = ["--record", str(record), "--names", "Ann", "Robo"]
    for more in (["--page", page], ["--panel", "own", "--seat", "1", "--out", panel], ["--video", video]):
        draw.main([*words, *map(str, more)])
    assert "Robo" in str(data_of(page.read_text(encoding="utf-8"))["views"][0]["stories"])
    with Image.open(panel) as picture:
        assert picture.size[0] == 840
    with Image.open(video) as moving:
        assert moving.size == (640, 400)
        assert getattr(moving, "n_frames", 1) > 3
    for wrong, said in ((["--names", "Ann"], "expected 2, got 1"), (["--video", tmp_path / "a.avi"], ".gif")):
        with pytest.raises(SystemExit):
            draw.main(["--record", str(record), *map(str, wrong)])
        assert said in capsys.readouterr().err


@pytest.mark.programs
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")
def test_it_is_looked_through_by_keyboard_without_a_server(tmp_path: Path) -> None:
    playwright = pytest.importorskip("playwright.sync_api")
    from in_browser import Problems

    replay, file, problems, asked = replay_of("candyfactory", "greedy", 2), tmp_path / "a.html", Problems(), []
    replay.analysis = {
        "curve": [{"at": 0, "chances": [50, 50]}, {"at": 9, "chances": [80, 20]}],
        "regrets": [{"at": 9, "seat": 0, "words": "Ann slept", "better": "Ann works", "regret": 3.0, "error": 1.0}],
    }
    file.write_text(page_of(replay, [None, 0, 1]), encoding="utf-8")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        problems.of(page)
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri())
        page.wait_for_selector("#board svg")
        scores = sorted(replay.game.scores(replay.states[-1]).tolist(), reverse=True)
        assert page.locator("#result > table tbody td:nth-child(3)").all_inner_texts() == list(map(str, scores))
        accounts = data_of(file.read_text(encoding="utf-8"))["over"]["accounts"]
        assert page.locator("#result .accounts tbody tr").count() == len(accounts)
        for key, at in (("ArrowRight", 1), ("PageDown", 11), ("ArrowLeft", 10), ("End", len(replay.actions))):
            page.keyboard.press(key)
            assert page.inner_text("#count").startswith(f"{at} of")
        assert page.locator("#stories .now").count() == 1
        page.click("text=Ann slept")
        assert page.inner_text("#count").startswith("9 of")
        assert page.locator("#analysis .curve text").all_text_contents()[:3] == ["0 %", "50 %", "100 %"]
        page.focus("#analysis .curve [aria-label^='Action 0: ']")
        page.keyboard.press("Enter")
        assert page.inner_text("#count").startswith("0 of")
        page.click("text=Ann slept")
        page.select_option("#eyes", label="Ann")
        assert page.inner_text("#count").startswith("9 of")
        assert page.locator("#board svg[aria-label='Ann (you)']").count() == 1
        browser.close()
    assert not problems
    assert [url for url in asked if not url.startswith("data:")] == [file.as_uri()]
