"""Write the pages of the site into `build/pages`: `python -m tools.pages`.

`build/pages` has the tracked files where the repository has them, and beside them the pages that are generated. So a
link leads to the same file in a repository browser and on the site.

A game lists its pages as `PAGES` in its module `display.pages`: name -> a function that returns the lines. If not all
its cards are in the game by default, `WITH_ALL_CARDS` there has the options with which they are.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Collection, Iterable, Iterator
from importlib import import_module
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

from tqdm import tqdm

import chocofactory_env as cf
from chocofactory_env.arena import entries
from chocofactory_env.arena.results import results_of_game
from chocofactory_env.core.command import Command
from chocofactory_env.drawing.theme import THEMES
from chocofactory_env.view.layout import alone
from chocofactory_env.view.tree import Row, Sign

from . import ROOT, clauses, models

SITE_PAGES = ROOT / "build" / "pages"
NOT_SEARCHED = "---\nsearch:\n  exclude: true\n---\n\n"  # front matter: a search is to find what explains, not tables
NOT_SHOWN = ("*.xz", "*.safetensors", "*.ttf", ".*", "chocofactory_env/*.md")


def tracked() -> list[str]:
    """The paths of the repository's files that the site shows, also of those that are not yet added to it."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "."]
    command += [f":(exclude){pattern}" for pattern in NOT_SHOWN]
    found = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    return [path for path in found if path and (ROOT / path).exists()]


def generated() -> Iterator[tuple[Path, str]]:
    """Yield the path in the repository and the text of every generated page, and of the pictures of cards."""
    for game in clauses.shipped_games():
        folder = clauses.DOCS.relative_to(ROOT) / game
        signs, cards = cards_of(game)
        for (card, row), theme in product(cards.items(), THEMES):
            yield folder / "cards" / f"{card}-{theme}.svg", alone(signs, row, theme)
        for name, lines in declared(game).PAGES.items():
            yield folder / f"{name}.md", with_pictures(lines(), cards)
        yield folder / "clauses.md", NOT_SEARCHED + clauses.page(clauses.collect(game))
        yield folder / "results.md", NOT_SEARCHED + results_of_game(game).page()
    yield Path("docs/entries.md"), NOT_SEARCHED + entries.page()
    yield models.PAGE.relative_to(ROOT), NOT_SEARCHED + models.page()


def declared(game: str) -> ModuleType:
    """The module in which a game declares its pages."""
    return import_module(f"chocofactory_env.games.{game}.display.pages")


def cards_of(name: str) -> tuple[dict[str, Sign], dict[str, Row]]:
    """The signs of a game, and every shipped card by its id."""
    game: Any = cf.load(name, **getattr(declared(name), "WITH_ALL_CARDS", {}))
    parts = game.view(game.new(seed=0))
    return parts.signs, dict(parts.deck())


def with_pictures(lines: Iterable[str], drawn: Collection[str]) -> str:
    """A page: in its tables, the pictures of those cards that are `drawn` stand before their names."""

    def before(found: re.Match[str]) -> str:
        pictures = [f"![](cards/{found[1]}-{theme}.svg#only-{theme})" for theme in THEMES]
        return found[0] + "".join([*pictures, "<br>"] if found[1] in drawn else [])

    return re.sub(r"^\| `(.+?)` \| ", before, "\n".join(lines) + "\n", flags=re.MULTILINE)


def write(target: Path) -> None:
    """Write all pages of the site into the folder `target`, in place of what is there."""
    shutil.rmtree(target, ignore_errors=True)
    for path in tracked():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, target / path)
    for page, text in tqdm(generated(), unit="page"):
        (target / page).parent.mkdir(exist_ok=True)
        (target / page).write_text(text, encoding="utf-8")


def write_site() -> None:
    """Write the pages of the site into build/pages: the tracked files, and beside them those that are generated."""
    write(SITE_PAGES)


main = Command("python -m tools.pages", write_site, ("",)).run

if __name__ == "__main__":
    main()
