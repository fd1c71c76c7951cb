"""Write the pages of the site into `build/pages`: `python -m tools.pages`.

`build/pages` has the tracked files where the repository has them, and beside them the pages that are generated. So a
link leads to the same file in a repository browser and on the site.

A game lists its pages as `PAGES` in its module `display.pages`: name -> a function that returns the lines.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from chocofactory_env.arena import entries, language
from chocofactory_env.arena.results import Places, results_of_game

from . import ROOT, clauses, models

SITE_PAGES = ROOT / "build" / "pages"
NOT_SEARCHED = "---\nsearch:\n  exclude: true\n---\n\n"  # front matter of pages that nobody reads through
NOT_SHOWN = ("*.xz", "*.safetensors", "*.ttf", ".*", "chocofactory_env/*.md")


def tracked() -> list[str]:
    """The paths of the repository's files that the site shows, also of those that are not yet added to it."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "."]
    command += [f":(exclude){pattern}" for pattern in NOT_SHOWN]
    found = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    return [path for path in found if path and (ROOT / path).exists()]


def generated() -> Iterator[tuple[Path, str]]:
    """Yield the path in the repository and the text of every generated page."""
    for game in clauses.shipped_games():
        folder = clauses.DOCS.relative_to(ROOT) / game
        for name, lines in import_module(f"chocofactory_env.games.{game}.display.pages").PAGES.items():
            yield folder / f"{name}.md", "\n".join(lines()) + "\n"
        yield folder / "clauses.md", NOT_SEARCHED + clauses.page(clauses.collect(game))
        yield folder / "results.md", results_of_game(game).page(Places.of(game))
    yield Path("docs/entries.md"), entries.page() + language.section()
    yield models.PAGE.relative_to(ROOT), models.page()


def write(target: Path) -> None:
    """Write all pages of the site into the folder `target`, in place of what is there."""
    shutil.rmtree(target, ignore_errors=True)
    for path in tracked():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, target / path)
    for page, text in generated():
        (target / page).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(SITE_PAGES)
