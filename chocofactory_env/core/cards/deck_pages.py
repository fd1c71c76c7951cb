"""Shared parts of the pages of cards: tables in Markdown with names and provenance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from .deck import OURS, CheckedDeck

SOURCE_WORDS = {source: source for source in ("rulebook", "report", *OURS)} | {"help": "online help"}


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
    words = [" ".join(filter(None, (SOURCE_WORDS[deck.sources[identifier]], deck.clauses[identifier])))]
    for what, lists in (("report", deck.reported), ("reconstructed", deck.reconstructed)):
        if lists[identifier]:
            words.append(f"{what}: {', '.join(lists[identifier])}")
    return "; ".join(words)


def how_far_published(deck: CheckedDeck, identifier: str) -> str:
    """A column of the summary."""
    source = deck.sources[identifier]
    if source in ("report", *OURS):
        return source
    return "in part" if deck.reported[identifier] or deck.reconstructed[identifier] else "published"


def summary(deck: CheckedDeck, tables: Mapping[str, Sequence[str]], known: Collection[str] = ()) -> Iterator[str]:
    """Count the cards of each table, by title, and by how far they are published."""
    columns = ["published", "in part", "report", "reconstructed"]
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
        yield "Of a card that is published or reported in part, the last column of its table names the other fields."
        yield "A card of which less is published counts as reconstructed; its [note](#notes) says what is published."
        yield ""


def notes(deck: CheckedDeck, known: Collection[str] = ()) -> Iterator[str]:
    yield ""
    yield "## Notes"
    yield ""
    for identifier, note in deck.notes.items():
        report = deck.addresses[identifier] and f"Report: {deck.addresses[identifier]}."
        if (note or report) and identifier not in known:
            yield f"- `{identifier}`: {' '.join(filter(None, (note, report)))}"
