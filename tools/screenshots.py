"""Take pictures of the table for the README and docs/play.md: `python -m tools.screenshots` writes
docs/images/table-*.png.

It needs the extras `play` and `browser`, and Chromium. The positions come from seeded games of fast agents.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import chocofactory_env as cf
from tools.picture import AGENTS, IMAGES, in_shift

WIDE: Final = {"viewport": {"width": 1440, "height": 900}}
FORM: Final = {**WIDE, "device_scale_factor": 1000 / 1440}
LAPTOP: Final = {"viewport": {"width": 1280, "height": 800}}
DARK: Final = {"color_scheme": "dark"}
PHONE: Final = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 4 / 3,
    "has_touch": True,
    "is_mobile": True,
}
COLOURS: Final = 256  # per file
PATIENCE: Final = 600_000  # milliseconds, for regrets
AT_REST: Final = """
() => {
  const { at } = document.querySelector("#play").dataset;
  return document.querySelector("#replay output").textContent.startsWith(`${at} of`);
}
"""  # a replay shows what its slider says


NO_HINTS: Final = """if (location.protocol === "http:") localStorage.setItem("chocofactory-hints", '{"on": false}')"""


@dataclass(frozen=True)
class Shot:
    """A game that a person in seat 0 continues from the first position whose `to_dict` satisfies `there`.

    finish: actions before the picture. context: Playwright's, with size and colour scheme.
    replayed: show the whole game as a replay instead. hints: offer them, as to a new player.
    """

    game: str
    options: dict[str, Any]
    seed: int
    there: Callable[[dict[str, Any]], bool]
    finish: Callable[[Any], None]
    context: dict[str, Any] = field(default_factory=lambda: WIDE)
    players: int = 2
    replayed: bool = False
    hints: bool = False


# --- actions on the page


def nothing(page: Any) -> None:
    page.wait_for_selector("#turns li")


def think(page: Any) -> None:
    page.click("#advice > summary")
    page.locator("#advice [aria-label=Agent]").select_option("mcts")
    page.click("text=What would it do?")
    page.wait_for_selector("#advice .best")
    page.evaluate("document.querySelector('#side').scrollTop = document.querySelector('#advice').offsetTop - 60")


def regrets(page: Any) -> None:
    page.click("text=Analyse the game")
    page.wait_for_selector("#replay ol li:nth-child(3)", timeout=PATIENCE)
    page.get_by_label("Jump to").select_option(label="day 3")
    page.wait_for_function(AT_REST)


def stories(page: Any) -> None:
    page.click("text=Since my last move")
    page.evaluate("document.querySelector('#side').scrollTop = document.querySelector('#turns').offsetTop - 60")


def about(page: Any) -> None:
    """Show what a card on offer is, and what playing it would change."""
    page.hover("#own .thing.legal >> nth=2")
    page.wait_for_selector("#about .then")


def first_day(page: Any) -> None:
    page.click("#guide button:text('Show hints')")
    page.wait_for_selector("#guide .main")


def account(page: Any) -> None:
    page.click("text=Analyse the game")
    page.wait_for_selector("#replay .curve", timeout=PATIENCE)
    page.wait_for_selector("#replay ol li:nth-child(3)", timeout=PATIENCE)
    page.click("#replay >> text=Last")
    page.wait_for_selector("#outcome:not([hidden])")
    page.evaluate("document.querySelector('#side').scrollTop = document.querySelector('#outcome h3').offsetTop - 60")


def form(page: Any) -> None:
    page.click("#to-tables")
    page.click("text=Close the file")
    page.select_option("#game", "chocofactory")
    page.wait_for_selector("#new-game[aria-busy=false] .now:has-text('planner')")


SHOTS: Final = {
    "table-play": Shot("chocofactory", {}, 12, in_shift(5, 2), nothing),
    "table-start": Shot("schoko", {}, 7, lambda table: table["month"] == 2, form, FORM),
    "table-first-day": Shot("candyfactory", {}, 7, lambda table: True, first_day, LAPTOP, hints=True),
    "table-about": Shot(
        "candyfactory",
        {},
        7,
        lambda table: (table["half"], table["step"]) == ("candy", "play"),
        about,
        {**LAPTOP, **DARK},
        players=3,
    ),
    "table-stories": Shot(
        "chocofactory",
        {},
        7,
        lambda table: (table["day"], table["phase"]) == (3, "draft"),
        stories,
        LAPTOP,
        players=4,
    ),
    "table-think": Shot("chocofactory", {}, 7, in_shift(4, 2), think),
    "table-account": Shot("schoko", {}, 7, lambda table: False, account, {**WIDE, **DARK}, replayed=True),
    "table-replay": Shot("chocofactory", {}, 7, lambda table: False, regrets, replayed=True),
    "table-phone": Shot(
        "schoko",
        {},
        7,
        lambda table: (table["month"], table["task"]) == (2, "bid_price"),
        nothing,
        {**PHONE, **DARK},
    ),
    "table-phone-run": Shot("chocofactory", {}, 12, in_shift(5, 2), nothing, PHONE),
}


# --- games, the server, the browser


def played(shot: Shot) -> tuple[cf.GameRecord, int]:
    """The record of a game, and the number of actions before the picture; 0 for a replay."""
    game = cf.load(shot.game, num_players=shot.players, **shot.options)
    record = cf.record_game(game, [cf.make_agent(AGENTS[shot.game], game) for _ in range(shot.players)], shot.seed)
    if shot.replayed:
        return record, 0
    state = game.new(shot.seed)
    for number, action in enumerate(record.actions):
        if game.current_player(state) == 0 and shot.there(game.to_dict(state)):
            return record, number
        game.apply(state, action)
    raise ValueError(f"{shot.game}: no position of the game with seed {shot.seed} is the one that is asked for")


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """Start a server, and yield its address."""
    command = [sys.executable, "-m", "chocofactory_env.play", "--no-browser", "--port", "0", "--folder", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as made:
        assert made.stdout is not None
        try:
            yield next(line for line in made.stdout if "http" in line).rpartition(" ")[2].strip()
        finally:
            made.kill()


def take(page: Any, shot: Shot, file: Path) -> bytes:
    """Take the picture, as PNG."""
    record, number = played(shot)
    file.write_text(record.text(), encoding="utf-8")
    page.wait_for_selector("#new-game button.main")
    page.set_input_files("#file", file)
    if shot.replayed:
        page.click("text=Watch the replay")
    else:
        page.fill("#at", str(number))
        for seat in range(1, shot.players):
            page.locator(f"[data-seat='{seat}'] [aria-label=Agent]").select_option(AGENTS[shot.game])
        page.click("#new-game button.main")
        page.wait_for_selector("#play:not([data-decision=''])")
    shot.finish(page)
    page.wait_for_timeout(1500)  # until animations have ended
    page.evaluate("document.activeElement.blur()")  # removes the keyboard focus ring
    taken: bytes = page.screenshot()
    return taken


def main() -> None:
    from PIL import Image
    from playwright.sync_api import sync_playwright

    wanted = sys.argv[1:] or list(SHOTS)
    with tempfile.TemporaryDirectory() as name, server(Path(name)) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for shot in wanted:
            context = browser.new_context(**SHOTS[shot].context)
            if not SHOTS[shot].hints:
                context.add_init_script(NO_HINTS)
            page = context.new_page()
            page.goto(address)
            taken = take(page, SHOTS[shot], Path(name) / "game.json")
            picture = (
                Image.open(BytesIO(taken))
                .convert("RGB")
                .quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=3, dither=Image.Dither.NONE)
            )
            picture.save(IMAGES / f"{shot}.png", optimize=True)
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
