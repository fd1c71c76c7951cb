"""The table's server in another process, and a real browser that opens its page."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, ConsoleMessage, Page

ROOT = Path(__file__).parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
LONGEST: Final = 120_000  # milliseconds for a page; the server may have to compile a game first
WIDE: Final = {"width": 1440, "height": 900}
PHONE: Final = {"width": 390, "height": 844}

# Takes choices at random until the game is over or enough moves were made, and waits until this browser is asked again.
# Returns the number of moves. Curtains are opened before a move.
PLAY: Final = """
async ([seed, most, longest]) => {
  const random = () => ((seed = (1103515245 * seed + 12345) % 2147483648) >> 8) / 8388608;
  const said = document.body.dataset, curtain = document.getElementById("curtain"), end = Date.now() + longest;
  let last = "", moves = 0;
  const ready = async () => {
    while (!curtain.open && said.over !== "true" && (!said.decision || said.decision === last)) {
      if (Date.now() > end) throw new Error(`nothing happened after ${moves} moves`);
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
  };
  while (moves < most) {
    await ready();
    if (curtain.open) {
      curtain.querySelector("button").click();
      while (curtain.open) await new Promise((resolve) => setTimeout(resolve, 3));
      continue;
    }
    if (said.over === "true") break;
    last = said.decision;
    const offered = [...document.querySelectorAll("#table [data-role=choose] [data-action]")];
    if (!offered.length) throw new Error("nothing is offered");
    offered[Math.floor(random() * offered.length)].click();
    moves += 1;
  }
  await ready();
  return moves;
}
"""


@contextmanager
def server(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The process, and the address that it prints."""
    command = [sys.executable, "-m", "chocofactory_env.play", "--no-browser", "--folder", str(folder), *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT) as made:
        assert made.stdout is not None
        try:
            yield made, next(line for line in made.stdout if "http" in line).rpartition(" ")[2].strip()
        finally:
            made.kill()


class Problems(list[str]):
    """Problems of a page: errors of its scripts, and violations of its Content-Security-Policy."""

    def of(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.append(str(error)))
        page.on("console", self.heard)

    def heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.append(message.text)


# Settings of an experienced player: no hints.
EXPERIENCED: Final = """
if (location.protocol === "http:") localStorage.setItem("chocofactory-hints", '{"on": false}');
"""


@contextmanager
def opened(
    browser: Browser, address: str, problems: Problems | None = None, *, new: bool = False, **context: Any
) -> Iterator[Page]:
    """A page in a fresh browser context. new: for a person who has never played."""
    made = browser.new_context(**{"viewport": WIDE, **context})
    made.set_default_timeout(LONGEST)
    if not new:
        made.add_init_script(EXPERIENCED)
    page = made.new_page()
    found = Problems() if problems is None else problems
    found.of(page)
    page.goto(address)
    try:
        yield page
        if problems is None:
            assert not found, found
    finally:
        made.close()


def start(page: Page, game: str, seats: list[str], seed: int = 7, /, **options: str) -> None:
    """Fill in the form and press Start. Seats are `person` or an agent's name."""
    page.wait_for_selector("#new-game button.main")
    if page.input_value("#game") != game:
        page.select_option("#game", game)
        described(page)
    page.evaluate("document.querySelector('#more').open = true")
    for name, value in {"num_players": str(len(seats)), **options}.items():
        page.select_option(f"#option-{name}", value)
        described(page)
    for number, seat in enumerate(seats):
        row = page.locator(f"[data-seat-row='{number}']")
        row.locator("[data-who]").select_option("person" if seat == "person" else "agent")
        if seat != "person":
            row.locator("[aria-label=Agent]").select_option(seat)
    page.fill("#seed", str(seed))
    page.click("#new-game button.main")
    page.wait_for_selector("#table .group[data-group], #curtain[open]")


def described(page: Page) -> None:
    """Wait until the form matches the choice."""
    page.wait_for_selector("#new-game[aria-busy=false]")


def hurry(page: Page) -> None:
    """Make agents move at once."""
    page.wait_for_selector("#tools .speed", state="attached")
    page.evaluate("const one = document.querySelector('.speed'); one.value = 5; one.dispatchEvent(new Event('input'))")


def play(page: Page, seed: int = 1, most: int = 10_000) -> int:
    """Take choices at random until this browser is asked again; returns the number of moves."""
    moves: int = page.evaluate(PLAY, [seed, most, LONGEST])
    return moves
