"""Decks: tables of cards from TOML files, with provenance for every card, read by types and hashed.

A game declares the type of its deck, with a list of cards for each table, and a function that checks what holds between
cards. In a file, an expansion's tables stand under the expansion's name.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar

import msgspec
import numpy as np
from msgspec import UNSET, Struct

from ..errors import DeckError
from ..messages import hint, shortened, shown
from ..reading import ReadError, Step, entries, field_at, need, one_of, read, text
from .toml_file import MAX_PATH, read_toml

OURS = ("reconstructed", "generated")  # sources of cards without a published field
# fields that do not influence play
ABOUT = ("name", "source", "reported", "address", "reconstructed", "clause", "note")
MAX_ID = 60

Identifier = Annotated[
    str,
    text(
        rf"(?=.{{1,{MAX_ID}}}\Z)[a-z0-9]+([-_][a-z0-9]+)*",
        f"an id of lower-case letters and digits, joined by single - or _, at most {MAX_ID}",
    ),
]
FieldName = Annotated[str, text("[a-z_]+", "the name of a field")]


class Table(Struct, forbid_unknown_fields=True):
    """A table within a card."""

    in_words: ClassVar[str] = "a table"


class Card(Table, kw_only=True):
    """What every card has. Cards are numbered by `sorted_by`, then by their order in the file."""

    sorted_by: ClassVar[str] = ""
    beside: ClassVar[tuple[str, ...]] = ()  # what `reported` and `reconstructed` may name, though no field says it

    id: Identifier
    name: Annotated[str, text(r"\S(.{0,38}\S)?", "a name of 1 to 40 characters")]
    source: Literal["rulebook", "help", "report", "reconstructed", "generated"]
    # fields of a published card that a report alone shows: a public account of a game with the printed cards
    reported: Annotated[list[FieldName], entries(1, 9)] = []
    address: Annotated[str, text(r"\S(?s:.{0,198}\S)?", "an address of 1 to 200 characters")] = ""  # of the report
    # fields of a published or reported card that no source shows
    reconstructed: Annotated[list[FieldName], entries(1, 9)] = []
    clause: Annotated[str, text(r"[A-Z]+-([0-9]+(\.[0-9]+)?|[A-Z]+)", "a clause id such as 'PART-8' or 'PART-8.1'")] = (
        ""
    )
    note: Annotated[str, text(r"(?s:.{1,500})", "a note of 1 to 500 characters")] = ""

    def __post_init__(self) -> None:
        need_printable(self.name, "name")
        need_printable(self.note, "note")
        need_printable(self.address, "address")
        self._check_fields("reported", ("rulebook", "help"))
        self._check_fields("reconstructed", ("rulebook", "help", "report"))
        is_reported = self.source == "report" or bool(self.reported)
        need(bool(self.address) == is_reported, "an address just if something is reported", self.address, "address")
        self.check()

    def check(self) -> None:
        """What holds within a card of this type, as calls of `need`."""

    def _check_fields(self, key: str, sources: Sequence[str]) -> None:
        """The list names fields of this card, each once, and none unless the card is from one of the sources."""
        listed = getattr(self, key)
        if not listed:
            return
        need(self.source in sources, f"no list where the whole card is {self.source}", listed, key)
        known = [*(field for field in playing([self])[0] if field != "id"), *self.beside]
        for index, name in enumerate(listed):
            if name not in known:
                raise ReadError(one_of(known), shown(name) + hint(name, known), (key, index))
            need(name not in listed[:index], "every field once", name, key, index)


def need_printable(value: str, *path: Step) -> None:
    """Text is shown on terminals and pages, so it has printable characters and line ends alone."""
    if not value.isprintable():
        need(value.replace("\n", "").isprintable(), "text that is printable", value, *path)


def need_field(card: Struct, key: str, limits: tuple[int, int] | bool, of: str) -> None:
    """The card has this field, a number within the limits, just if there are limits. `of`: what decides about that."""
    value = getattr(card, key)
    if limits is False:
        need(value is UNSET, f"no such field for {of}", value, key)
        return
    need(value is not UNSET, f"this field for {of}", value, key, found="nothing")
    if limits is not True:
        low, high = limits
        need(low <= value <= high, f"an integer {low}..{high} for {of}", value, key)


# --- a deck in play

Tables = dict[str, list[Card]]
D = TypeVar("D", bound=Struct)


def playing(cards: Sequence[Card]) -> list[dict[str, Any]]:
    """What of the cards influences play, as JSON takes it: all but the fields in ABOUT, and words by number."""
    found: list[dict[str, Any]] = msgspec.to_builtins(cards, enc_hook=int)
    for card, fields in zip(cards, found, strict=True):
        for key in ABOUT:
            del fields[key]
        if tag := card.__struct_config__.tag_field:
            fields[tag] = getattr(card, tag)
    return found


def hash_of(tables: Mapping[str, Sequence[Card]]) -> str:
    """The SHA-256 of everything that influences play: the cards by number, without the fields in ABOUT."""
    numbered = msgspec.json.encode({name: playing(table) for name, table in tables.items()}, order="sorted")
    # spaced as by `json.dumps`, whose hashes are published: no id has a comma or a colon
    return hashlib.sha256(numbered.replace(b",", b", ").replace(b":", b": ")).hexdigest()


@dataclass(frozen=True)
class Source(Generic[D]):
    """The tables of a deck of this type, or of an expansion, and the file of each."""

    kind: type[D]
    expansion: str = ""
    tables: Tables = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)

    def replaced(self, given: Any, file: str) -> Source[D]:
        """With the tables that the file gives, parsed as `given`. Raises DeckError."""
        kinds = kinds_of(self.kind)
        with self.placed(file, given):
            need(isinstance(given, dict), "a table", given)
            for name in (name for name in given if name not in kinds):
                found = f"an unknown table{hint(name, kinds)}"
                raise ReadError(f"one of the tables {', '.join(kinds)}", found, (name,))
            read_tables = {name: self._cards(name, kinds[name], table) for name, table in given.items()}
        files = {**self.files, **dict.fromkeys(read_tables, file)}
        return replace(self, tables={**self.tables, **read_tables}, files=files)

    def _cards(self, name: str, kind: Any, value: Any) -> list[Card]:
        need(isinstance(value, list), f"a list of tables, each under [[{self.header(name)}]]", value, name)
        try:
            cards: list[Card] = read(kind, value)
        except ReadError as error:
            found = error.found if error.path else str(len(value))
            raise ReadError(error.expected, found, (name, *error.path)) from None
        return sorted(cards, key=attrgetter(cards[0].sorted_by)) if cards and cards[0].sorted_by else cards

    def header(self, table: str) -> str:
        """The header of a table in a file: [[master_chocolatier.parts]]."""
        return f"{self.expansion}.{table}".strip(".")

    def checked(self, check: Callable[[D], None]) -> D:
        """The deck, with which a game can be played according to `check`. Raises DeckError."""
        deck = self.kind(**self.tables)
        with self.placed():
            check(deck)
        return deck

    @contextmanager
    def placed(self, file: str = "", given: Any = None) -> Iterator[None]:
        """Raise a ReadError as a DeckError with its place.

        A path begins with the name of a table, or of several. Then it has the card, or its index in the table of
        `given`, and the way to the field. file: of all tables, instead of those of the deck.
        """
        try:
            yield
        except ReadError as error:
            first, *rest = error.path or ("",)
            names = [first] if isinstance(first, str) else first
            there = and_of(file or self.files[name] for name in names)
            where = [" and ".join(self.header(field_at([name])) for name in names)]
            if rest and isinstance(rest[0], int | Card):
                where.append(_card_in_words(rest.pop(0), given and given[first]))
            place = ": ".join(filter(None, [shortened(there, MAX_PATH), " ".join(where), field_at(rest)]))
            raise DeckError(f"{place}: expected {error.expected}, got {error.found}") from None


def _card_in_words(card: int | Card, table: Any) -> str:
    """A card by its id, or by its number in the table if it has no sound id."""
    if isinstance(card, Card):
        return repr(card.id)
    try:
        return repr(read(Identifier, table[card]["id"]))
    except (KeyError, TypeError, ReadError):
        return f"number {card + 1}"


def check_ids(*sources: Source[Any]) -> None:
    """Check that ids are unique over all tables in play. Raises DeckError."""
    seen: dict[str, tuple[Source[Any], str]] = {}
    for source in sources:
        for name, table in source.tables.items():
            for card in table:
                if card.id in seen:
                    other, there = seen[card.id]
                    found = f"that of a card in {other.header(there)} of {shortened(other.files[there], MAX_PATH)}"
                    with source.placed():
                        raise ReadError("an id that no other card of the deck has", found, (name, card, "id"))
                seen[card.id] = source, name


@cache
def kinds_of(kind: type[Struct]) -> dict[str, Any]:
    """The types of the tables of a deck of this type."""
    return {each.name: each.type for each in msgspec.structs.fields(kind)}


def and_of(files: Iterable[str]) -> str:
    return " and ".join(sorted(set(files)))


@cache
def shipped(kind: type[D], folder: Path, names: tuple[str, ...], expansion: str = "") -> Source[D]:
    """The tables of the files in `folder`. Files are read once per process."""
    source = Source(kind, expansion)
    for name in names:
        source = source.replaced(read_toml(folder / name), f"{expansion}/{name}".strip("/"))
    return source


def path_of(deck: str | os.PathLike[str]) -> str:
    """The path; TypeError for anything else, DeckError for an empty text."""
    path = os.fspath(deck) if isinstance(deck, os.PathLike) else deck
    if not isinstance(path, str):
        raise TypeError(f"deck: expected the path of a TOML file, or None, got {shown(path)}")
    if not path:  # which `Path` takes for the current folder
        raise DeckError("deck: expected the path of a TOML file, or None, got ''")
    return str(Path(path))


@dataclass(frozen=True, eq=False)
class CheckedDeck:
    """A checked deck of any game. Ids are unique over the whole deck.

    `hash` is the SHA-256 of everything that influences play: the contents and ids of all cards, in the order of their
    numbers, on which a deal depends. Names, provenance, notes, and the layout of the files do not count.
    """

    array: np.ndarray  # (1,) the game's record of cards for compiled functions, read-only
    names: Mapping[str, str]  # id -> name
    sources: Mapping[str, str]  # id -> "rulebook", "help" (the online help), "report", "reconstructed" or "generated"
    reported: Mapping[str, Sequence[str]]  # id -> fields of a published card that only a report shows
    addresses: Mapping[str, str]  # id -> address of the report, or ""
    reconstructed: Mapping[str, Sequence[str]]  # id -> fields of a published or reported card that no source shows
    clauses: Mapping[str, str]  # id -> clause of the rules, or ""
    notes: Mapping[str, str]  # id -> note, or ""
    hash: str

    @cached_property
    def record(self) -> Any:
        """The tables as a record with attributes, with and without compiling: `cards.record.parts[3].cost`."""
        return self.array.view(np.recarray)[0]

    def row(self, table: str, card: str) -> Any:
        """The row of a card, by its id, in a table of the record."""
        return getattr(self.record, table)[getattr(self, table).index(card)]


def about(tables: Mapping[str, Sequence[Card]]) -> dict[str, Any]:
    """The fields of a `CheckedDeck` that tell of its cards: all but `array`."""
    cards = [card for table in tables.values() for card in table]
    return {
        "names": {card.id: card.name for card in cards},
        "sources": {card.id: card.source for card in cards},
        "reported": {card.id: card.reported for card in cards},
        "addresses": {card.id: card.address for card in cards},
        "reconstructed": {card.id: card.reconstructed for card in cards},
        "clauses": {card.id: card.clause for card in cards},
        "notes": {card.id: card.note for card in cards},
        "hash": hash_of(tables),
    }
