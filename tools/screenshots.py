"""Take pictures of the table for the README and docs/play.md: `python -m tools.screenshots` writes
docs/images/table-*.png.

It needs the extras `play` and `browser`, and Chromium. The positions come from seeded games of fast agents.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from tqdm import tqdm

import chocofactory_env as cf
from chocofactory_env.core.command import Command
from tools.picture import AGENTS, IMAGES, in_shift

LAPTOP: Final = {"viewport": {"width": 1280, "height": 800}}
DARK: Final = {"color_scheme": "dark"}
PHONE: Final = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 4 / 3,
    "has_touch": True,
    "is_mobile": True,
}
COLOURS: Final = 256  # per file
PATIENCE: Final = 600_000  # milliseconds, for an analysis
NO_HINTS: Final = """if (location.protocol === "http:") localStorage.setItem("chocofactory-hints", '{"on": false}')"""


@dataclass(frozen=True)
class Shot:
    """A game that a person in seat 0 continues from the first position whose `to_dict` satisfies `there`.

    finish: actions before the picture. context: Playwright's, with size and colour scheme. None for `there`: the end.
    """

    game: str
    there: Callable[[dict[str, Any]], bool] | None
    finish: Callable[[Any], None]
    seed: int = 7
    context: dict[str, Any] = field(default_factory=lambda: LAPTOP)
    players: int = 4


def nothing(page: Any) -> None:
    page.wait_for_selector("[data-row=log] .item", state="attached")


def think(page: Any) -> None:
    page.wait_for_selector("#tools :text('Think')")
    page.keyboard.press("t")
    page.wait_for_selector("#panel .agent")
    page.locator("#panel .agent select").first.select_option("mcts")
    page.click("#panel >> text=Ask")
    page.wait_for_selector("#panel tr.best")


def analyse(page: Any) -> None:
    page.click("#tools >> text=Analyse")
    page.wait_for_selector("#panel ol li:nth-child(4)", timeout=PATIENCE)
    page.locator("#panel ol button").first.click()
    page.wait_for_selector(".number")


def form(page: Any) -> None:
    page.select_option("[aria-label=More]", "New game")
    page.wait_for_selector("#new-game[aria-busy=false]")


SHOTS: Final = {
    "table-play": Shot("chocofactory", in_shift(5, 2), nothing),
    "table-start": Shot("chocofactory", in_shift(1, 1), form),
    "table-think": Shot("chocofactory", in_shift(4, 2), think, players=2, context={**LAPTOP, **DARK}),
    "table-replay": Shot("chocofactory", None, analyse, players=2),
    "table-phone": Shot(
        "schoko",
        lambda table: (table["month"], table["task"]) == (2, "bid_price"),
        nothing,
        context={**PHONE, **DARK},
    ),
    "table-phone-run": Shot("chocofactory", in_shift(5, 2), nothing, seed=12, context=PHONE, players=2),
}


def played(shot: Shot) -> cf.GameRecord:
    """The record of the game up to the position. Seat 0 is a person's."""
    game = cf.load(shot.game, num_players=shot.players)
    record = cf.record_game(game, [AGENTS[shot.game]] * shot.players, shot.seed)
    record.agents[0] = None
    if shot.there is None:
        return record
    state = game.new(shot.seed)
    for number, action in enumerate(record.actions):
        if game.current_player(state) == 0 and shot.there(game.to_dict(state)):
            record.actions, record.result = record.actions[:number], None
            return record
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
    file.write_text(played(shot).text(), encoding="utf-8")
    page.wait_for_selector("#new-game button.main")
    page.set_input_files("#file", file)
    page.wait_for_selector("#table .group[data-group]")
    shot.finish(page)
    page.evaluate("document.activeElement.blur()")  # removes the keyboard focus ring
    taken: bytes = page.screenshot()
    return taken


def write_screenshots(names: Sequence[str] = tuple(SHOTS)) -> None:
    """Take pictures of the table into docs/images.

    Args:
        names: of pictures; all unless given.
    """
    from PIL import Image
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as name, server(Path(name)) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for shot in tqdm(names, unit="picture"):
            context = browser.new_context(**SHOTS[shot].context)
            context.add_init_script(NO_HINTS)
            page = context.new_page()
            page.set_default_timeout(PATIENCE)
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


main = Command("python -m tools.screenshots", write_screenshots, ("table-play",), positional=("names",)).run

if __name__ == "__main__":
    main()
