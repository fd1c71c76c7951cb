"""Map every clause of a game's rules page to the functions that implement it and the tests that check it.

`make site` shows them on the page `docs/<game>/clauses.md`. Tests find clauses without code or tests.

A citation is the literal id (`RUN-3`, `XP-LEVY`). Ranges (`RUN-1..9`), which describe a whole file, do not count.

- Code cites in docstrings and comments of a module's functions, classes and constants, and in comments above them. A
  module's own docstring does not count, since it implements no rule.
- Data cite anywhere in their text.
- Tests cite in the name (`test_run_3_...`), and anywhere in their text.
"""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

from chocofactory_env.registry import GAMES

from . import ROOT

DOCS = ROOT / "docs"
PACKAGE = ROOT / "chocofactory_env" / "games"
TESTS = ROOT / "tests" / "games"

DEFINITION = re.compile(r"^(?:- |\| )\*\*([A-Z]+-(?:\d+|[A-Z]+))\*\*")
HEADING = re.compile(r"^## (.+)")
RANGE = re.compile(r"\b[A-Z]+-\d+ ?(?:\.\.\.?|–|…|-|to )(?: ?[A-Z]+-)? ?\d+\b")
LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")
RULINGS = re.compile(r" ?\(J( [^)]*)?\)|(?<=\()J[:,] ")  # marks of rulings, which the site explains
MARKS = re.compile(r"[*`]")
STRING = re.compile(r'(?<!")"(?!"")[^"\n]*"')  # no docstring
CITATION = re.compile(r"\b([A-Z]+-(?:\d+|[A-Z]+))\b")


@dataclass(frozen=True, order=True)
class Place:
    """The place of a citation: a file, relative to the root, and a name in it ("" for the whole file)."""

    path: str
    name: str

    def link(self) -> str:
        file = Path(self.path)
        whole = file.name if file.parent.name == "data" else f"{file.parent.name}/{file.name}"
        label = f"{file.stem}.{self.name}" if self.name else whole
        return f"[`{label}`](../../{self.path})"


@dataclass
class Clauses:
    """`chapters`: heading -> ids, in the order of the rules page."""

    chapters: dict[str, list[str]]
    code: dict[str, set[Place]] = field(default_factory=lambda: defaultdict(set))
    tests: dict[str, set[Place]] = field(default_factory=lambda: defaultdict(set))

    def ids(self) -> list[str]:
        return [clause for ids in self.chapters.values() for clause in ids]

    def unknown(self) -> dict[str, set[Place]]:
        """Cited ids with a known prefix that are not on the rules page."""
        known = set(self.ids())
        prefixes = {prefix(clause) for clause in known}
        return {
            clause: places
            for cited in (self.code, self.tests)
            for clause, places in cited.items()
            if clause not in known and prefix(clause) in prefixes
        }


def prefix(clause: str) -> str:
    return clause.split("-", maxsplit=1)[0]


def shipped_games() -> list[str]:
    """The package's games, without others that the process may have registered."""
    return sorted(name for name, game in GAMES.items() if game.target.startswith("chocofactory_env.games."))


def collect(game: str) -> Clauses:
    """Collect the clauses of the rules page, with their citations in the game's folders."""
    clauses = Clauses(chapters((DOCS / game / "rules.md").read_text(encoding="utf-8")))
    for path in sorted((PACKAGE / game).rglob("*.py")):
        for clause, name in cited_by_code(path.read_text(encoding="utf-8")):
            clauses.code[clause].add(place(path, name))
    for path in sorted((PACKAGE / game).rglob("*.toml")):
        for clause in citations(path.read_text(encoding="utf-8")):
            clauses.code[clause].add(place(path, ""))
    prefixes = sorted({prefix(clause) for clause in clauses.ids()})
    for path in sorted((TESTS / game).rglob("test_*.py")):
        for clause, name in cited_by_tests(path.read_text(encoding="utf-8"), prefixes):
            clauses.tests[clause].add(place(path, name))
    return clauses


def place(path: Path, name: str) -> Place:
    return Place(path.relative_to(ROOT).as_posix(), name)


def chapters(rules: str) -> dict[str, list[str]]:
    """The ids at the start of list items and table rows of the rules page, by heading."""
    found: dict[str, list[str]] = {}
    heading = ""
    for line in rules.splitlines():
        if match := HEADING.match(line):
            heading = match[1]
        elif match := DEFINITION.match(line):
            found.setdefault(heading, []).append(match[1])
    return found


def citations(text: str) -> set[str]:
    return set(CITATION.findall(RANGE.sub("", text)))


def cited_by_code(source: str) -> Iterator[tuple[str, str]]:
    """Yield (clause, name of the module's definition that cites it)."""
    return ((clause, name) for name, text in definitions(source) for clause in citations(STRING.sub("", text)))


def cited_by_tests(source: str, prefixes: Iterable[str]) -> Iterator[tuple[str, str]]:
    in_name = re.compile(rf"(?:^|_)({'|'.join(prefixes).lower()})_(\d+)(?=_|$)")
    for name, text in definitions(source):
        if name.startswith("test"):
            named = {f"{chapter.upper()}-{number}" for chapter, number in in_name.findall(name)}
            yield from ((clause, name) for clause in citations(text) | named)


def definitions(source: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of every function, class and constant of a module, with what stands above it."""
    lines, end = source.splitlines(), 0
    for node in ast.parse(source).body:
        text = "\n".join(lines[end : node.end_lineno])
        end = node.end_lineno or end
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, text
            case ast.AnnAssign(target=target) | ast.Assign(targets=[target]):
                yield ast.unparse(target), text


def page(clauses: Clauses) -> str:
    lines = [
        "# Clauses in code and tests",
        "",
        "Where code, card files and tests cite each clause of the [rules](rules.md).",
    ]
    for heading, ids in clauses.chapters.items():
        lines += ["", f"## [{heading}](rules.md#{anchor(heading)})", ""]
        lines += ["| clause | followed in | held by |", "|---|---|---|"]
        lines += [f"| {clause} | {links(clauses.code[clause])} | {links(clauses.tests[clause])} |" for clause in ids]
    return "\n".join(lines) + "\n"


def anchor(heading: str) -> str:
    """GitHub's anchor of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def links(places: Iterable[Place]) -> str:
    return ", ".join(each.link() for each in sorted(places)) or "–"


# --- the words of clauses, for the package


def files_of_words() -> Iterator[tuple[Path, str]]:
    """`games/<game>/data/clauses.json`: texts of clauses by id, which the table in the browser shows beside moves."""
    for game in shipped_games():
        found = words_of((DOCS / game / "rules.md").read_text(encoding="utf-8"))
        yield PACKAGE / game / "data" / "clauses.json", json.dumps(found, indent=0, ensure_ascii=False) + "\n"


def words_of(rules: str) -> dict[str, str]:
    """The text of every clause of a rules page, without markup."""
    lines = rules.splitlines()
    return {
        match[1]: _words(lines, number, match.end())
        for number, line in enumerate(lines)
        if (match := DEFINITION.match(line))
    }


def _words(lines: Sequence[str], number: int, begin: int) -> str:
    """The text of the clause in this line: a table row, or a list item with the table that it announces."""
    if lines[number].startswith("|"):
        return _plain(_row(lines[number][begin:]))
    rest = lines[number + 1 :]
    item = [lines[number][begin:], *takewhile(lambda line: line.startswith("  ") and "|" not in line, rest)]
    words = " ".join(map(str.strip, item))
    if words.endswith(":"):
        table = takewhile(lambda line: "|" in line or not line, rest[len(item) - 1 :])
        rows = [line for line in table if line and not set(line) <= set("| -:")]
        words += " " + "; ".join(map(_row, rows[1:]))
    return _plain(words)


def _row(line: str) -> str:
    return ", ".join(cell.strip() for cell in line.split("|") if cell.strip())


def _plain(words: str) -> str:
    plain = MARKS.sub("", RULINGS.sub("", LINK.sub(r"\1", words)))
    return " ".join(plain.replace("_", " ").split())
