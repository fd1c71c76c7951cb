"""What the page of a deck's cards is made of: Markdown tables with the provenance of every card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from .deck import CheckedDeck

SOURCE_WORDS: Final = {"rulebook": "rulebook", "help": "online help", "reconstructed": "reconstructed"}


def table(
    cards: CheckedDeck, title: str, heads: str, rows: Iterable[tuple[str, ...]], known: Collection[str] = ()
) -> Iterator[str]:
    """A section with one Markdown table: a row begins with an id, to which name and provenance are added.

    Cards whose ids are `known` are left out, and so is a section without cards.
    """
    rows = [row for row in rows if row[0] not in known]
    if not rows:
        return
    yield f"## {title}"
    yield ""
    yield f"| id | name | {heads} | source |"
    yield f"|{'---|' * (heads.count('|') + 4)}"
    for identifier, *words in rows:
        yield f"| `{identifier}` | {cards.names[identifier]} | {' | '.join(words)} | {provenance(cards, identifier)} |"
    yield ""


def provenance(cards: CheckedDeck, identifier: str) -> str:
    """`online help EMP-2`, `rulebook PART-8.3; reconstructed: deck`."""
    source = " ".join(filter(None, (SOURCE_WORDS[cards.sources[identifier]], cards.clauses[identifier])))
    fields = ", ".join(cards.reconstructed[identifier])
    return f"{source}; reconstructed: {fields}" if fields else source


def how_far_published(cards: CheckedDeck, identifier: str) -> str:
    """A column of the summary."""
    if cards.sources[identifier] == "reconstructed":
        return "reconstructed"
    return "in part" if cards.reconstructed[identifier] else "published"


def counts(cards: CheckedDeck, tables: Mapping[str, Iterable[str]], known: Collection[str] = ()) -> Iterator[str]:
    """A table of how many cards are published, in part or whole, and how many reconstructed; `tables`: title -> ids."""
    columns = ("published", "in part", "reconstructed")
    yield f"| cards | in all | {' | '.join(columns)} |"
    yield "|---|---|---|---|---|"
    for title, identifiers in tables.items():
        found = Counter(how_far_published(cards, identifier) for identifier in identifiers if identifier not in known)
        if found:
            yield f"| {title} | {found.total()} | {' | '.join(str(found[column]) for column in columns)} |"


def notes(cards: CheckedDeck, known: Collection[str] = ()) -> Iterator[str]:
    yield ""
    yield "## Notes"
    yield ""
    for identifier, note in cards.notes.items():
        if note and identifier not in known:
            yield f"- `{identifier}`: {note}"
