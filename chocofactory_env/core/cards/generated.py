"""Generated decks: cards drawn from a game's distributions by a seed, the same on every machine.

`generated:17` is deck 17 near the shipped one; `generated:17,stray=1` is deck 17 far from it. A game declares its
distributions in `data/generated.toml`, and a `Section` for every table to draw. A table that the static filter rejects
is drawn again from the next stream, so the name alone determines the deck.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeGuard, TypeVar

import msgspec
import numpy as np
from numpy.random import PCG64

from ..checks import as_integer
from .deck import CheckedDeck, D, check_ids, kinds_of, path_of, shipped
from .kept import deck_folder, is_keeping, keep, read_kept
from .toml_file import read_toml, toml_text, unfit

PREFIX: Final = "generated:"
NAME: Final = re.compile(rf"{PREFIX}(0|[1-9][0-9]{{0,8}})(?:,stray=([0-9]))?")
MAX_SEED: Final = 999_999_999
STRAYS: Final = ("near", "far")  # tables of `generated.toml`, by `stray`; a later one overrides the earlier ones
DISTRIBUTIONS: Final = "generated.toml"
MARK: Final = "*"  # suffix of a generated card's name, visible in texts and pictures
MAX_REDRAWS: Final = 2_000
# Fields that a generated card does not keep.
PUBLISHED_ONLY: Final = ("reported", "address", "reconstructed", "clause", "note")

Shares = Mapping[str, Any]  # the distributions of one `stray`: weights by value, templates, and numbers
Raw = dict[str, Any]  # a table or card as TOML gives it
Name = str | os.PathLike[str]  # the path of a deck's file, or the name of a generated deck
T = TypeVar("T")
C = TypeVar("C", bound=CheckedDeck)
RAW_BITS: Final = 256  # raw numbers that are drawn at once


class Weights(dict[str, int]):
    """Weights by word, or by number written as a word."""

    @cached_property
    def words(self) -> list[str]:
        """Each word as often as its weight says."""
        return [word for word, weight in self.items() for _ in range(weight)]

    @cached_property
    def numbers(self) -> list[int]:
        return [int(word) for word in self.words]

    @cached_property
    def ranges(self) -> list[range]:
        """As `numbers`, to do something so often."""
        return [range(number) for number in self.numbers]


class Draws:
    """Integers from PCG64, whose stream NumPy guarantees for all versions and machines."""

    def __init__(self, *stream: int) -> None:
        self.raw = chain.from_iterable(raw_numbers(stream)).__next__  # the next one, 0 to 2^32 - 1

    def below(self, n: int) -> int:
        """0 to n - 1, for n up to 2^32."""
        return self.raw() * n >> 32

    def one_of(self, values: Sequence[T]) -> T:
        """One of the values, all equally likely. Also of a single one a number is drawn."""
        return values[self.raw() * len(values) >> 32]

    def word(self, weights: Weights) -> str:
        """Draw one of the keys, in proportion to the weights."""
        return self.one_of(weights.words)

    def number(self, weights: Weights) -> int:
        return self.one_of(weights.numbers)

    def sample(self, urn: Mapping[str, int], number: int) -> list[str]:
        """Draw `number` words without replacement from an urn, which holds `urn[word]` of each."""
        left = list(Weights(urn).words)
        return [left.pop(self.below(len(left))) for _ in range(number)]

    def row(self, rows: Sequence[Sequence[Any]]) -> Any:
        """Draw one of the rows `[weight, value]`, and return its value."""
        left = self.below(sum(weight for weight, _ in rows))
        for weight, value in rows:
            left -= weight
            if left < 0:
                return value
        raise AssertionError("weights that add up to nothing")

    def filled(self, template: Any) -> Any:
        """Copy the template, replacing every `{ draw = [[weight, value], ...] }` by a drawn value."""
        if isinstance(template, Mapping):
            if template.keys() == {"draw"}:
                return self.filled(self.row(template["draw"]))
            return {key: self.filled(value) for key, value in template.items()}
        if isinstance(template, list):
            return [self.filled(value) for value in template]
        return template


def raw_numbers(stream: Sequence[int]) -> Iterator[list[int]]:
    """The upper halves of the numbers of a stream, so many at once."""
    bits = PCG64(np.array(stream, np.uint32))
    while True:
        yield (bits.random_raw(RAW_BITS) >> np.uint64(32)).tolist()


def weighted(value: Any) -> Any:
    """The value of a TOML file, with every table of numbers as `Weights`."""
    if isinstance(value, list):
        return [weighted(each) for each in value]
    if not isinstance(value, dict):
        return value
    is_weights = all(isinstance(each, int) for each in value.values())
    return Weights(value) if is_weights else {key: weighted(each) for key, each in value.items()}


class Section(NamedTuple):
    """How one table is drawn.

    draw: draws the table, given the shipped cards; unchanged cards are the shipped objects.
    fault: says why play with the table would be degenerate, else "". It also gets the shipped table.
    file: stem of the shipped table's file, if it is not the table's name.
    """

    draw: Callable[[Draws, Shares, Sequence[Raw]], list[Raw]]
    fault: Callable[[Sequence[Raw], Shares, Sequence[Raw]], str] = lambda cards, shares, shipped: ""
    file: str = ""


@dataclass(frozen=True)
class GeneratedDeck:
    """A generated deck as TOML tables, to read, edit, and save.

    tables: name -> table, for the tables that differ from the shipped ones. The caller may change them.
    """

    game: str
    name: str  # the value for `load(deck=...)`
    tables: dict[str, list[Raw]]

    def to_toml(self) -> str:
        """The deck as the text of a TOML file."""
        return f"# Deck {self.name} of {self.game}, drawn by chocofactory_env.\n\n{toml_text(self.tables)}"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the deck to a file for `load(deck=path)`. Raises OSError."""
        Path(path).write_text(self.to_toml(), encoding="utf-8")


@dataclass(frozen=True)
class Generator:
    """Draws the decks of one game.

    data: the folder of the shipped deck and of its distributions.
    module: the name of the module with the game's `load_cards`.
    sections: table -> how it is drawn.
    options: those of the game, besides the deck, by which its cards differ: further arguments of its `load_cards`.
    """

    game: str
    data: Path
    module: str
    sections: Mapping[str, Section]
    options: Sequence[str] = ()

    def cards(
        self, kind: type[C], dtype: np.dtype[Any], make: Callable[..., C], path: Name | None, *options: str | None
    ) -> C:
        """The cards that `make` reads or draws; those of a generated deck may be kept, and are if it is asked for.

        kind, dtype: the class of the cards, and of their array. options: the values of `options`.
        """
        if not is_generated(path):
            return make(path, *options)
        file = self.file_of(path, *options)
        cards: C | None = read_kept(file, kind, dtype) if file else None
        if cards is None:
            cards = make(path, *options)
            if file and is_keeping():
                keep(file, cards)
        return cards

    def checked(self, kind: type[D], check: Callable[[D], None], path: Name | None) -> D:
        """The shipped deck of this type, with the tables of the file or of the generated deck. Raises DeckError."""
        source = shipped(kind, self.data, tuple(f"{table}.toml" for table in kinds_of(kind)))
        if path is not None:
            source = source.replaced(*read_deck(path, self))
        deck: D = source.checked(check)
        check_ids(source)
        return deck

    def file_of(self, name: str, *options: str | None) -> Path | None:
        """The file in which a deck is kept, if any can be kept."""
        folder = deck_folder(self.game, self.data)
        words = "-".join(map(str, [*seed_and_stray(name), *filter(None, options)]))
        return folder and folder / f"{words}.deck"

    def deck(self, seed: int, *, stray: int = 0) -> GeneratedDeck:
        """Draw deck `seed`, near the shipped one (`stray=0`) or far from it (1). Raises TypeError or ValueError."""
        seed = as_integer("seed", seed, 0, MAX_SEED)
        stray = as_integer("stray", stray, 0, len(STRAYS) - 1)
        return GeneratedDeck(self.game, deck_name(seed, stray), msgspec.to_builtins(self.tables(seed, stray)))  # a copy

    def tables(self, seed: int, stray: int) -> dict[str, list[Raw]]:
        """The tables that differ from the shipped ones. Do not change them: their cards may be shared."""
        shares = shares_of(self.data / DISTRIBUTIONS, stray)
        drawn = {}
        for number, (table, section) in enumerate(self.sections.items()):
            shipped = shipped_table(self.data / f"{section.file or table}.toml", table)
            cards = self._redrawn(section, (seed, stray, number), shares, shipped)
            if cards != list(shipped):
                drawn[table] = cards
        return drawn

    def _redrawn(self, section: Section, stream: Sequence[int], shares: Shares, shipped: Sequence[Raw]) -> list[Raw]:
        fault = ""
        for attempt in range(MAX_REDRAWS):
            cards = section.draw(Draws(*stream, attempt), shares, shipped)
            fault = section.fault(cards, shares, shipped)
            if not fault:
                return cards
        raise RuntimeError(f"{self.game}: no deck in {MAX_REDRAWS} draws; the last one: {fault}")


def deck_name(seed: int, stray: int = 0) -> str:
    return f"{PREFIX}{seed}" + (f",stray={stray}" if stray else "")


def is_generated(deck: object) -> TypeGuard[str]:
    return isinstance(deck, str) and deck.startswith(PREFIX)


def seed_and_stray(name: str) -> tuple[int, int]:
    """Seed and stray of a generated deck's name. Raises DeckError if it is not such a name."""
    found = NAME.fullmatch(name)
    stray = int(found[2] or 0) if found else 0
    if found is None or stray >= len(STRAYS):
        strays = " or ".join(f"',stray={number}'" for number in range(len(STRAYS)))
        expected = f"'{PREFIX}SEED' with a seed from 0 to {MAX_SEED:,}, and maybe {strays}"
        raise unfit(name, expected, "another name")
    return int(found[1]), stray


def read_deck(deck: Name, generator: Generator) -> tuple[Raw, str]:
    """Read a TOML file, or draw a generated deck. Returns the deck's tables, and its name in messages.

    Raises:
        DeckError: the file does not exist or is not TOML, or there is no such generated deck.
        TypeError: `deck` is not a path.
    """
    if is_generated(deck):
        return generator.tables(*seed_and_stray(str(deck))), str(deck)
    file = path_of(deck)
    return read_toml(file), file


def as_generated(card: Raw, **fields: Any) -> Raw:
    """Copy the card with these fields, and mark it as generated. Returns the card itself if nothing changes.

    The name loses its article and what follows a comma, so that the mark fits into pictures.
    """
    if all(card.get(key) == value for key, value in fields.items()):
        return card
    kept = {key: value for key, value in card.items() if key not in PUBLISHED_ONLY}
    name = card["name"].removeprefix("A ").partition(",")[0]
    return {**kept, **fields, "name": name + MARK, "source": "generated"}


def new_card(kind: str, number: int, **fields: Any) -> Raw:
    """Make a wholly generated card: `new_card("Order", 3, ...)` is "Order 3*"."""
    identifier = f"{kind.lower().replace(' ', '-')}-{number}"
    return {"id": identifier, "name": f"{kind} {number}{MARK}", **fields, "source": "generated"}


def is_published(card: Raw) -> bool:
    """Whether a source shows the card; a report must show the whole of it."""
    return card["source"] in ("rulebook", "help") or (card["source"] == "report" and "reconstructed" not in card)


def varied(draws: Draws, card: Raw, steps: Mapping[str, Weights]) -> Raw:
    """Add a step, drawn by weights, to each field in `steps` that the card has. No number falls below 1."""
    changes = {field: max(1, card[field] + draws.number(weights)) for field, weights in steps.items() if field in card}
    return as_generated(card, **changes)


@lru_cache
def shares_of(path: Path, stray: int) -> Shares:
    """The distributions, by table and key. Later tables of STRAYS, up to `stray`, override earlier ones by key."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    merged: Raw = {}
    for name in STRAYS[: stray + 1]:
        for table, keys in tables[name].items():
            merged[table] = {**merged.get(table, {}), **weighted(keys)}
    return merged


@lru_cache
def shipped_table(path: Path, table: str) -> Sequence[Raw]:
    cards: list[Raw] = read_toml(path)[table]
    return tuple(cards)
