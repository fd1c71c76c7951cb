"""What the pages of cards of all games have in common: tables in Markdown with names and provenance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from .deck import CheckedDeck

SOURCE_WORDS = {"rulebook": "rulebook", "help": "online help", "reconstructed": "reconstructed"}


def table(
    deck: CheckedDeck, title: str, heads: str, rows: Iterable[tuple[str, ...]], known: Collection[str] = ()
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
        yield f"| `{identifier}` | {deck.names[identifier]} | {' | '.join(words)} | {provenance(deck, identifier)} |"
    yield ""


def provenance(deck: CheckedDeck, identifier: str) -> str:
    """The source with the clause, as "rulebook SET-3; reconstructed: deck"."""
    source = " ".join(filter(None, (SOURCE_WORDS[deck.sources[identifier]], deck.clauses[identifier])))
    fields = ", ".join(deck.reconstructed[identifier])
    return f"{source}; reconstructed: {fields}" if fields else source


def how_far_published(deck: CheckedDeck, identifier: str) -> str:
    """A column of the summary."""
    if deck.sources[identifier] == "reconstructed":
        return "reconstructed"
    return "in part" if deck.reconstructed[identifier] else "published"


def summary(deck: CheckedDeck, tables: Mapping[str, Sequence[str]], known: Collection[str] = ()) -> Iterator[str]:
    """How many cards of each table, by title, are published in part or whole, and how many reconstructed."""
    columns = ("published", "in part", "reconstructed")
    yield f"| cards | in all | {' | '.join(columns)} |"
    yield "|---|---|---|---|---|"
    for title, identifiers in tables.items():
        counts = Counter(how_far_published(deck, identifier) for identifier in identifiers if identifier not in known)
        if counts:
            yield f"| {title} | {counts.total()} | {' | '.join(str(counts[column]) for column in columns)} |"
    yield ""
    if not known:
        yield "Of a card that is published in part, the last column of its table names the reconstructed fields."
        yield "A card of which less is published counts as reconstructed; its [note](#notes) says what is published."
        yield ""


def notes(deck: CheckedDeck, known: Collection[str] = ()) -> Iterator[str]:
    yield ""
    yield "## Notes"
    yield ""
    for identifier, note in deck.notes.items():
        if note and identifier not in known:
            yield f"- `{identifier}`: {note}"
