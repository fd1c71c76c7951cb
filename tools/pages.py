"""Write the pages of the site into `build/pages`: `python -m tools.pages`.

`build/pages` has the tracked files where the repository has them, and beside them the pages that are generated. So a
link leads to the same file in a repository browser and on the site.

A game lists its pages as `PAGES` in its module `display.pages`: name -> a function that returns the lines. Its
module `view` draws its cards with `every_card`.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Collection, Iterable, Iterator
from importlib import import_module
from itertools import product
from pathlib import Path

from tqdm import tqdm

from chocofactory_env.arena import entries
from chocofactory_env.arena.results import results_of_game
from chocofactory_env.drawing.theme import THEMES
from chocofactory_env.view.layout import alone

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
        signs, cards = import_module(f"chocofactory_env.games.{game}.view").every_card()
        for (card, row), theme in product(cards.items(), THEMES):
            yield folder / "cards" / f"{card}-{theme}.svg", alone(signs, row, theme)
        for name, lines in import_module(f"chocofactory_env.games.{game}.display.pages").PAGES.items():
            yield folder / f"{name}.md", "\n".join(with_pictures(lines(), cards)) + "\n"
        yield folder / "clauses.md", NOT_SEARCHED + clauses.page(clauses.collect(game))
        yield folder / "results.md", NOT_SEARCHED + results_of_game(game).page()
    yield Path("docs/entries.md"), NOT_SEARCHED + entries.page()
    yield models.PAGE.relative_to(ROOT), NOT_SEARCHED + models.page()


def with_pictures(lines: Iterable[str], drawn: Collection[str]) -> Iterator[str]:
    """The lines of a page; in its tables, the pictures of the cards that are `drawn` stand before their names."""
    for line in lines:
        _, identifier, *rest = line.split("`", 2) if line.startswith("| `") else ("", "")
        if identifier in drawn:
            pictures = "".join(f"![](cards/{identifier}-{theme}.svg#only-{theme})" for theme in THEMES)
            yield f"| `{identifier}` | {pictures}<br>{rest[0][3:]}"
        else:
            yield line


def write(target: Path) -> None:
    """Write all pages of the site into the folder `target`, in place of what is there."""
    shutil.rmtree(target, ignore_errors=True)
    for path in tracked():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, target / path)
    for page, text in tqdm(generated(), unit="page"):
        (target / page).parent.mkdir(exist_ok=True)
        (target / page).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(SITE_PAGES)
