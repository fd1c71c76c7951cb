"""Shared parts of the pages of cards: tables in Markdown with names and provenance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from .deck import OURS, CheckedDeck

SOURCE_WORDS = {"rulebook": "rulebook", "help": "online help"} | {source: source for source in OURS}


def head(title: str, game: str) -> Iterator[str]:
    """The head of a game's page of cards."""
    yield f"# {title}"
    yield ""
    yield f"Printed by `python -m chocofactory_env.games.{game}.display.describe_cards`, for any deck."
    yield "[Provenance](../provenance.md) says what is published; [own decks](decks.md) says how to write a deck."
    yield ""


def table(
    deck: CheckedDeck, title: str, heads: str, rows: Iterable[tuple[str, ...]], known: Collection[str] = ()
) -> Iterator[str]:
    """A section with one Markdown table. Each row begins with an id; name and provenance are added.

    Cards whose ids are `known` are left out, as is a section without cards.
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
    """The source with the clause, such as "rulebook SET-3; reconstructed: deck"."""
    source = " ".join(filter(None, (SOURCE_WORDS[deck.sources[identifier]], deck.clauses[identifier])))
    fields = ", ".join(deck.reconstructed[identifier])
    return f"{source}; reconstructed: {fields}" if fields else source


def how_far_published(deck: CheckedDeck, identifier: str) -> str:
    """A column of the summary."""
    if deck.sources[identifier] in OURS:
        return deck.sources[identifier]
    return "in part" if deck.reconstructed[identifier] else "published"


def summary(deck: CheckedDeck, tables: Mapping[str, Sequence[str]], known: Collection[str] = ()) -> Iterator[str]:
    """Count the cards of each table, by title, that are published in part or in full, and the reconstructed ones."""
    columns = ["published", "in part", "reconstructed"]
    if "generated" in deck.sources.values():
        columns.append("generated")
    yield f"| cards | in all | {' | '.join(columns)} |"
    yield f"|{'---|' * (len(columns) + 2)}"
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
