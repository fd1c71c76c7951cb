"""Write the generated pages of all games: `python -m tools.pages`.

A game lists its pages as `PAGES` in its module `display.pages`: name -> a function that returns the lines. They go to
`docs/<game>/<name>.md`, beside the table of clauses (`tools.clauses`). Result files give the tables of
`docs/benchmark.md` and `docs/language-models.md`, and model cards give `docs/models.md`. Measurements of tournaments
and texts of clauses go to the package.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import chocofactory_env as cf
from arena import entries, language
from arena.report import markdown_table

from . import ROOT, clauses, models

DEAL = 1  # of the transcript
TABLE = re.compile(r"^\| cards \|.*\n\|[-| :]+\|\n((?:\|.*\n)+)", re.MULTILINE)  # in a card list


def pages() -> Iterator[tuple[Path, str]]:
    """Yield the file and the text of every generated page."""
    for game in clauses.shipped_games():
        folder = clauses.DOCS / game
        for name, lines in import_module(f"chocofactory_env.games.{game}.display.pages").PAGES.items():
            yield folder / f"{name}.md", "\n".join(lines()) + "\n"
        yield clauses.page_of(game), clauses.page(clauses.collect(game))
    yield entries.page_file(), entries.page()
    yield language.page_file(), language.page()
    yield with_part(clauses.DOCS / "logs" / "language-models.md", "transcript", ["", *transcript()])
    yield models.PAGE, models.page()
    yield with_part(clauses.DOCS / "provenance.md", "provenance", provenance())
    yield from measured()
    yield from clauses.files_of_words()


def with_part(page: Path, name: str, lines: list[str]) -> tuple[Path, str]:
    """The page and its text, with `lines` between its marks."""
    place = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    text = "\n".join(lines)
    return page, place.sub(lambda marks: f"{marks[1]}{text}\n\n{marks[2]}", page.read_text(encoding="utf-8"))


def transcript() -> list[str]:
    """`greedy` answers in text as a language model would, in a solo game: first question, all answers, result."""
    game = cf.load("chocofactory", num_players=1)
    agent, state = language.StandIn(game, "greedy", "none"), game.new(DEAL)
    agent.listener = heard = language.Listener([])
    while not game.is_over(state):
        game.apply(state, cf.decide(game, agent, state))
    talk = [json.loads(line) for line in heard.lines]
    answers = ", ".join(game.describe(int(each["answer"])) for each in talk)
    result = "won" if game.won(state)[0] else "lost"
    return [
        "```text",
        talk[0]["messages"][-1]["content"],
        "```",
        "",
        f"Its {len(talk)} answers: {answers}.",
        "",
        f"The game ended with £{game.scores(state)[0]} and was {result}.",
    ]


def provenance() -> list[str]:
    """The number of published cards of each game, from the card lists."""
    found = []
    for game in clauses.shipped_games():
        table = TABLE.search((clauses.DOCS / game / "card-list.md").read_text(encoding="utf-8"))
        if table is None:
            raise ValueError(f"docs/{game}/card-list.md: expected a table that begins with '| cards |', got none")
        link = f"[`{game}`]({game}/cards.md)"
        found += [[link, *(cell.strip() for cell in line.strip("| ").split("|"))] for line in table[1].splitlines()]
    columns = ["game", "cards", "in all", "published", "in part", "reconstructed"]
    return markdown_table(columns, found, text_columns=(0, 1))


def measured() -> Iterator[tuple[Path, str]]:
    """`agents/<game>/measured.json` of every game: {players: {agent: [rating, milliseconds per decision]}}."""
    for game in clauses.shipped_games():
        found = {}
        for file in sorted(clauses.DOCS.glob(f"{game}/results/*-players.json")):
            result = json.loads(file.read_text(encoding="utf-8"))
            found[str(result["settings"]["options"]["num_players"])] = dict(_measured_agents(result))
        if found:
            text = json.dumps(dict(sorted(found.items())), indent=None, separators=(",", ":"))
            yield ROOT / "agents" / game / "measured.json", text + "\n"


def _measured_agents(result: dict[str, Any]) -> Iterator[tuple[str, tuple[int, float]]]:
    for each in sorted(result["ratings"], key=lambda each: -each["points"]):
        rate = result["decisions_per_second"][each["agent"]]
        yield each["agent"], (round(each["points"]), float(f"{1000 / rate:.2g}"))


def main() -> None:
    for file, text in pages():
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
