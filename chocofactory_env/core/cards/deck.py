"""Decks: tables of cards from TOML files, with provenance for every card, checked as a whole and hashed.

A game describes its tables by `TableCheck`s. In a file, an expansion's tables stand under the expansion's name.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..messages import shortened, shown
from .checks import (
    IDENTIFIER,
    MAX_ID,
    MAX_PATH,
    Card,
    Check,
    Field,
    Fields,
    Place,
    one_of,
    optional,
    sequence,
    table_of,
    text,
)
from .toml_file import read_toml

Tables = dict[str, list[Card]]

OURS = ("reconstructed", "generated")  # sources of cards without a published field
# Fields that do not influence play.
ABOUT = ("name", "source", "reconstructed", "clause", "note")
COMMON: Fields = {
    "id": Field(
        text(
            rf"(?=.{{1,{MAX_ID}}}$){IDENTIFIER.pattern}",
            f"an id of lower-case letters, digits and single hyphens, at most {MAX_ID}",
        )
    ),
    "name": Field(text(r"\S(.{0,38}\S)?", "a name of 1 to 40 characters")),
    "source": Field(
        text("rulebook|help|reconstructed|generated", "'rulebook', 'help', 'reconstructed' or 'generated'")
    ),
    # Fields of a published card that the source does not show.
    "reconstructed": optional(sequence(text("[a-z_]+", "the name of a field"), 1, 9), []),
    "clause": optional(text(r"[A-Z]+-([0-9]+(\.[0-9]+)?|[A-Z]+)", "a clause id such as 'PART-8' or 'PART-8.1'"), ""),
    "note": optional(text(r"(?s).{1,500}", "a note of 1 to 500 characters"), ""),
}


def check_provenance(card: Card, place: Place, beside: Sequence[str] = ()) -> None:
    """Check that `reconstructed` names fields of this card, each once, and none unless the card is published.

    beside: names of what no field says, such as the table of the card.
    """
    listed, place = card["reconstructed"], place.at("reconstructed")
    if listed and card["source"] in OURS:
        raise place.error(f"no list where the whole card is {card['source']}", listed)
    fields = [*(key for key in card if key not in ("id", *ABOUT)), *beside]
    for index, name in enumerate(listed):
        if name not in fields:
            raise place.at(index).error(one_of(fields), name)
        if name in listed[:index]:
            raise place.at(index).error("every field once", name)


_read: dict[tuple[Path, tuple[str, ...], str], tuple[Tables, dict[str, str]]] = {}  # by folder, names, and expansion


class TableCheck(NamedTuple):
    """The checks of one table of a deck."""

    card: Check  # for each card
    whole: Callable[[list[Card], Place], None]  # for all cards together
    sorted_by: str = ""  # cards are numbered by this field, then by their order in the file


TableChecks = Mapping[str, TableCheck]


def check_single(cards: list[Card], place: Place) -> None:
    """The table has exactly one card."""
    if len(cards) != 1:
        raise place.error("1 table", len(cards))


def check_tables(value: Any, file: str, checks: TableChecks, expansion: str = "") -> Tables:
    """Check the tables of a file, or of one expansion in it, as parsed from TOML; `DeckError` for any mistake."""
    given = table_of(value, Place(file, expansion))
    for name in given:
        if name not in checks:
            known = f"one of the tables {', '.join(checks)}"
            raise Place(file, expansion).at(name).error(known, found="an unknown table")
    return {name: check_table(checks[name], it, Place(file, full_name(name, expansion))) for name, it in given.items()}


def check_table(check: TableCheck, value: Any, place: Place) -> list[Card]:
    """Check one table, and return its cards in the order of their numbers."""
    if not isinstance(value, list):
        raise place.error(f"a list of tables, each under [[{place.table}]]", value)
    cards = [check.card(item, place.item(index, item)) for index, item in enumerate(value)]
    if check.sorted_by:
        cards.sort(key=lambda item: item[check.sorted_by])
    check.whole(cards, place)
    return cards


def check_complete(tables: Tables, files: Mapping[str, str], checks: TableChecks) -> None:
    """Check that no table is missing. `files`: the file of each table."""
    for name in checks:
        if name not in tables:
            raise Place(and_of(files.values()) or "deck", name).error("this table", found="nothing")


def check_ids(*decks: tuple[Tables, Mapping[str, str], str]) -> None:
    """Check that ids are unique over all tables in play. `decks`: tables, their files, and their expansion."""
    seen: dict[str, str] = {}
    for tables, files, expansion in decks:
        for name, table in tables.items():
            for item in table:
                if item["id"] in seen:
                    place = Place(files[name], full_name(name, expansion), repr(item["id"]), "id")
                    found = f"that of a card in {shortened(seen[item['id']], MAX_PATH)}"
                    raise place.error("an id that no other card of the deck has", found=found)
                seen[item["id"]] = f"{full_name(name, expansion)} of {files[name]}"


def and_of(files: Iterable[str]) -> str:
    return " and ".join(sorted(set(files)))


def full_name(table: str, expansion: str) -> str:
    """The header of a table in a file: [[master_chocolatier.parts]]."""
    return f"{expansion}.{table}" if expansion else table


def path_of(deck: str | os.PathLike[str]) -> str:
    """The path; TypeError for anything else."""
    path = os.fspath(deck) if isinstance(deck, os.PathLike) else deck
    if not isinstance(path, str):
        raise TypeError(f"deck: expected the path of a TOML file, or None, got {shown(path)}")
    return str(Path(path))


def hash_of(tables: Tables) -> str:
    """The SHA-256 of everything that influences play: the cards by number, without the fields in ABOUT."""
    playing = {
        name: [{key: value for key, value in card.items() if key not in ABOUT} for card in table]
        for name, table in tables.items()
    }
    return hashlib.sha256(json.dumps(playing, sort_keys=True).encode()).hexdigest()


def read_files(
    folder: Path, names: Sequence[str], checks: TableChecks, expansion: str = ""
) -> tuple[Tables, dict[str, str]]:
    """The tables of the files in `folder`, and the file of each. Files are read once per process."""
    key = folder, tuple(names), expansion
    if key not in _read:
        _read[key] = _tables_of_files(folder, names, checks, expansion)
    tables, files = _read[key]
    return dict(tables), dict(files)


def _tables_of_files(
    folder: Path, names: Sequence[str], checks: TableChecks, expansion: str
) -> tuple[Tables, dict[str, str]]:
    tables: Tables = {}
    files: dict[str, str] = {}
    for name in names:
        given = read_toml(folder / name)
        replace_tables(tables, files, given, f"{expansion}/{name}" if expansion else name, checks, expansion)
    return tables, files


def replace_tables(
    tables: Tables, files: dict[str, str], given: Any, file: str, checks: TableChecks, expansion: str = ""
) -> None:
    """Replace tables by those of `file`, parsed as `given`."""
    content = check_tables(given, file, checks, expansion)
    tables.update(content)
    files.update(dict.fromkeys(content, file))


@dataclass(frozen=True, eq=False)
class CheckedDeck:
    """A checked deck of any game. Ids are unique over the whole deck.

    `hash` is the SHA-256 of everything that influences play: the contents and ids of all cards, in the order of their
    numbers, on which a deal depends. Names, provenance, notes, and the layout of the files do not count.
    """

    array: np.ndarray  # (1,) the game's record of cards for compiled functions, read-only
    names: Mapping[str, str]  # id -> name
    sources: Mapping[str, str]  # id -> "rulebook", "help" (the online help), "reconstructed" or "generated"
    reconstructed: Mapping[str, Sequence[str]]  # id -> fields of a published card that its source does not show
    clauses: Mapping[str, str]  # id -> clause of the rules, or ""
    notes: Mapping[str, str]  # id -> note, or ""
    hash: str

    @cached_property
    def record(self) -> Any:
        """The tables as a record with attributes, with and without compiling: `cards.record.parts[3].cost`."""
        return self.array.view(np.recarray)[0]


def about(tables: Tables) -> dict[str, Any]:
    """The fields of a `CheckedDeck` that describe its cards."""
    cards = [card for table in tables.values() for card in table]
    by_key = {key: {card["id"]: card[key] for card in cards} for key in ABOUT}
    return {
        "names": by_key["name"],
        "sources": by_key["source"],
        "reconstructed": by_key["reconstructed"],
        "clauses": by_key["clause"],
        "notes": by_key["note"],
    }
