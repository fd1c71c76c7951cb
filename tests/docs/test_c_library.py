"""The rules as a C library: the examples for C and JavaScript play the same games as Python, on every platform here."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

import pytest
from in_browser import CHROMIUM
from playwright.sync_api import sync_playwright
from repository import ROOT

import chocofactory_env as cf
from chocofactory_env import c_library
from chocofactory_env.core.build import built_for, missing
from chocofactory_env.core.compiled import CompiledGame
from chocofactory_env.core.library import entries_of
from chocofactory_env.core.targets import here

pytestmark = [
    pytest.mark.programs,
    pytest.mark.skipif(bool(missing()), reason="no library is built here"),
]
GAMES: Final = ("candyfactory", "chocofactory", "schoko")
ZIG: Final = f"{sys.executable} -m ziglang cc"
ARM: Final = Path("/usr/aarch64-linux-gnu")  # Debian's libc6-arm64-cross
WINE: Final = shutil.which("wine64") or shutil.which("wine64", path="/usr/lib/wine")
# What `make -C examples/c` is told for a platform, and whether its programs run here.
PLATFORMS: Final = {
    here(): ([f"CC={shutil.which('cc') or ZIG}"], True),
    "linux-aarch64": (
        [f"CC={ZIG} -target aarch64-linux-gnu", f"RUN=qemu-aarch64 -L {ARM}"],
        bool(shutil.which("qemu-aarch64")) and ARM.is_dir(),
    ),
    "windows-amd64": ([f"CC={ZIG} -target x86_64-windows-gnu", "EXE=.exe", f"RUN={WINE}"], bool(WINE)),
}
on_games = pytest.mark.parametrize("game", GAMES)


def last_lines(*words: str) -> list[str]:
    """The last two lines that a command prints: decisions per second, and the digest."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "VIRTUAL_ENV": sys.prefix, "WINEDEBUG": "-all"}
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-2:]


@cache
def digest_in_python(game: str) -> str:
    loaded(game)
    built_for(game, [*(target for target, (_, runs) in PLATFORMS.items() if runs), "wasm32"])  # compiled once for all
    return last_lines(sys.executable, "examples/play.py", game)[-1]


@on_games
@pytest.mark.parametrize("target", PLATFORMS)
def test_games_played_from_c_have_the_digest_of_python(game: str, target: str) -> None:
    words, runs = PLATFORMS[target]
    if not (runs and shutil.which("make")):
        pytest.skip(f"programs for {target} cannot be built or run here")
    expected = digest_in_python(game)
    command = [
        "make",
        "--no-print-directory",
        "-C",
        "examples/c",
        f"GAME={game}",
        f"TARGET={target}",
        "DECISIONS=100000",
    ]
    speed, digest = last_lines(*command, f"PYTHON={sys.executable}", *words)
    assert re.fullmatch(r"\d+ decisions/s", speed)
    assert digest == expected


@on_games
@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")
def test_games_played_from_javascript_have_the_digest_of_python(game: str) -> None:
    expected = digest_in_python(game)
    speed, digest = last_lines("node", "examples/js/play.mjs", game, "100000")
    assert re.fullmatch(r"\d+ decisions/s", speed)
    assert digest == expected


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
def test_the_page_plays_every_game_and_shows_speed_and_scores(tmp_path: Path) -> None:
    (tmp_path / "js").symlink_to(ROOT / "examples" / "js")
    expected = {game: digest_in_python(game) for game in GAMES}
    for game in GAMES:
        c_library.write(loaded(game), ["wasm32"], tmp_path / "libraries")
    handler = partial(SimpleHTTPRequestHandler, directory=tmp_path)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, sync_playwright() as started:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"]).new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/js/index.html?libraries=../libraries/")
        for game in GAMES:
            page.select_option("#game", game)
            page.click("#play")
            page.wait_for_selector("#play:not([disabled])")
            assert re.fullmatch(r"\d+ games, [\d,]+ decisions/s", page.inner_text("#said"))
            rows = page.locator("#scores tbody tr").all_inner_texts()
            assert [row.split("\t")[0] for row in rows] == [str(seat) for seat in range(loaded(game).num_players)]
            assert page.inner_text("#digest") == expected[game]
        server.shutdown()


def loaded(game: str) -> CompiledGame:
    made = cf.load(game)
    assert isinstance(made, CompiledGame)
    return made


@on_games
def test_the_header_declares_and_explains_every_entry(game: str) -> None:
    loaded(game)
    _, *functions = c_library.header(game).partition('extern "C" {')[2].split("\n/* ")
    form = re.compile(r"(?s)^\S.* \*/\nstruct (\w+) \{\n.*\n\};\n\w+ (\w+)\(const struct (\w+) \*arrays.*;\n")
    named = [found.groups() if (found := form.search(function)) else () for function in functions]
    assert named == [(f"{game}_{entry.symbol}",) * 3 for entry in entries_of(game)]
