"""The generated pages of all games: `python -m tools.pages` writes them.

A game of the package lists its pages in its module `display.pages`, as `PAGES`: name -> a function that returns the
lines. They go to `docs/<game>/<name>.md`, and beside them the table of clauses (`tools.clauses`). The tables of
`docs/benchmark.md` and `docs/language-models.md` are made from the files of results, `docs/models.md` from the cards of
models, and the table of `docs/provenance.md` from the pages of cards. `tools.transcript` plays the game of
`docs/logs/language-models.md`. What tournaments measured goes to the package, and so do the words of clauses.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from arena import entries, language

from . import clause_words, clauses, measured, models, provenance, transcript


def pages() -> Iterator[tuple[Path, str]]:
    """The file and the text of every generated page."""
    for game in clauses.shipped_games():
        folder = clauses.DOCS / game
        for name, lines in import_module(f"chocofactory_env.games.{game}.display.pages").PAGES.items():
            yield folder / f"{name}.md", "\n".join(lines()) + "\n"
        yield clauses.page_of(game), clauses.page(clauses.collect(game))
    yield entries.page_file(), entries.page()
    yield language.page_file(), language.page()
    yield transcript.PAGE, transcript.page()
    yield models.PAGE, models.page()
    yield provenance.PAGE, provenance.page()
    yield from measured.files()
    yield from clause_words.files()


def main() -> None:
    for file, text in pages():
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
