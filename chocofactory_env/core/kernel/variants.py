"""Variants of a game among which a batch or an environment chooses for each deal, such as a thousand decks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from math import prod
from os import PathLike, fspath
from typing import Any, Final

import numpy as np

from ..checks import UnknownOptionError
from ..game import Game
from ..messages import shown
from .rng import WORDS, draw_variant

GAMES_KEPT: Final = 256  # loaded games of a set; the least recently used are dropped
LISTS: Final = {"deck": "decks"}  # option -> the argument that lists its values, if their names differ
Places = Mapping[str, list[int] | None]  # option -> places of its chosen values; None or missing: all
FEWEST_SLOTS: Final = 1024  # least number of slots of a batch


class GameSet:
    """Games that differ in some options and share all shapes. A seed always deals the same one of them.

    Args:
        load: returns the game for one value of each option in `sets`.
        sets: option -> its values. The set has a game for every combination; the last option varies fastest.

    `first`, game 0, is loaded at once, every other game when it is needed.

    Raises:
        TypeError, ValueError: a game cannot be loaded, or its shapes are not those of the first.
    """

    def __init__(self, load: Callable[..., Game], sets: Mapping[str, Sequence[Any]]) -> None:
        self._load = load
        self.sets = dict(sets)
        self._size = prod(map(len, self.sets.values()))
        self._kinds = {option: _kind(values) for option, values in self.sets.items()} if self._size > 1 else {}
        self.first = self._loaded(0)
        self._kept = {0: self.first}

    @classmethod
    def of(cls, game: Game) -> GameSet:
        """A set with this game alone."""
        return cls(partial(_itself, game), {})

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, number: int) -> Game:
        game = self._kept.pop(number, None) or self._checked(number)
        self._kept[number] = game
        if len(self._kept) > GAMES_KEPT:
            del self._kept[next(iter(self._kept))]
        return game

    def _places(self, number: int) -> dict[str, int]:
        """Option -> index of the game's value among the option's values."""
        places = {}
        for option, values in reversed(self.sets.items()):
            number, places[option] = divmod(number, len(values))
        return {option: places[option] for option in self.sets}

    def values(self, number: int) -> dict[str, Any]:
        """Option -> value, for the game with this number."""
        return {option: self.sets[option][place] for option, place in self._places(number).items()}

    def labels(self, number: int) -> dict[str, Any]:
        """`values` as `infos` show them, with decks as strings; empty for a set of one game."""
        found = self.values(number) if self._size > 1 else {}
        if "deck" in found:
            found["deck"] = "shipped" if found["deck"] is None else str(found["deck"])
        return found

    def columns(self, numbers: Sequence[int]) -> dict[str, np.ndarray]:
        """`labels` of K games, as (K,) arrays: int64 if labels are integers, else objects."""
        labels = [self.labels(number) for number in numbers]
        return {name: np.array([each[name] for each in labels], kind) for name, kind in self._kinds.items()}

    def draw(self, seed: int, numbers: np.ndarray | None = None) -> int:
        """Number of the game that this seed deals, among `numbers` (None: among all games)."""
        drawn = draw_variant(np.zeros(WORDS, np.uint32), seed, len(self) if numbers is None else len(numbers))
        return drawn if numbers is None else int(numbers[drawn])

    def places(self, option: str, values: Sequence[Any]) -> list[int]:
        """Indices of `values` in the set of `option`.

        Raises:
            ValueError: `values` is empty, or a value is not in the set.
        """
        name, declared = LISTS.get(option, option), [_key(value) for value in self.sets[option]]
        if not values:
            raise ValueError(f"{name}: expected one or more of the declared values, got none")
        known, wanted = set(declared), set()
        for value in values:
            key = _key(value)
            if key not in known:
                raise ValueError(
                    f"{name}: expected values of the declared {shown(self.sets[option])}, got {shown(value)}"
                )
            wanted.add(key)
        return [place for place, key in enumerate(declared) if key in wanted]

    def numbers(self, places: Places) -> np.ndarray | None:
        """(K,) int32, numbers of the games that have the chosen values, in order; None for all games."""
        if all(places.get(option) is None for option in self.sets):
            return None
        axes = [places.get(option) or range(len(values)) for option, values in self.sets.items()]
        lengths = tuple(map(len, self.sets.values()))
        return np.ravel_multi_index(np.ix_(*axes), lengths).ravel().astype(np.int32)

    def _loaded(self, number: int) -> Game:
        try:
            return self._load(**self.values(number))
        except UnknownOptionError:
            raise
        except (TypeError, ValueError) as error:
            if not self.sets:
                raise
            raise type(error)(f"{self._where(number)}: {error}") from error

    def _where(self, number: int) -> str:
        """Where the game's values stand in the lists, as `decks[3]`."""
        return ", ".join(f"{LISTS.get(option, option)}[{place}]" for option, place in self._places(number).items())

    def _checked(self, number: int) -> Game:
        game = self._loaded(number)
        for shape in ("name", "num_players", "num_actions", "simultaneous"):
            one, other = getattr(self.first, shape), getattr(game, shape)
            if one != other:
                raise ValueError(f"{self._where(number)}: expected the {shape} of the first game, {one}, got {other}")
        if game.observation_layout.blocks != self.first.observation_layout.blocks:
            raise ValueError(f"{self._where(number)}: its observations have another layout than those of the first")
        return game


def _itself(game: Game) -> Game:
    return game


def _kind(values: Sequence[Any]) -> type:
    """The dtype of a column of values."""
    kinds = set(map(type, values))
    return {frozenset([int]): np.int64, frozenset([bool]): np.bool_}.get(frozenset(kinds), object)


def _key(value: Any) -> tuple[type, Any]:
    """A key to compare values: True is not 1, but NumPy's integers equal integers, and paths equal strings."""
    plain = fspath(value) if isinstance(value, PathLike) else int(value) if isinstance(value, np.integer) else value
    return type(plain), plain if isinstance(plain, str | int | float | None) else repr(plain)


class LoadedVariants:
    """The loaded variants as arrays for compiled code. V = number of variants, S = slots for loaded ones.

    A batch of N rows has at least 2 N slots: enough for the variant of every row and the one of its next game.

    Attributes:
        tables: (S,) records that rules and observations read.
        blanks: (S,) undealt positions, which hold only the options of the variant.
        slots: (V,) int32, slot of each variant; -1 if it is not loaded.
        choices: (C,) int32, variants among which rows with a choice deal.
    """

    def __init__(self, games: GameSet, num_envs: int) -> None:
        first: Any = games.first
        if not hasattr(first, "tables"):
            raise TypeError(f"{first.name}: a batch of several variants needs a compiled game")
        self._games = games
        size = min(len(games), max(2 * num_envs, FEWEST_SLOTS))
        self.tables = np.empty(size, first.tables.dtype)  # NumPy asks for large pages, which it does not for zeros
        self.blanks = np.zeros(size, first.blank_states(1).dtype)
        self.slots = np.full(len(games), -1, np.int32)
        self.choices = np.zeros(1, np.int32)
        self._chosen: list[Places] = [{}] * num_envs
        self._held = np.full(size, -1, np.int64)  # the variant in each slot
        self._next = 0
        self.load([0], [])

    def choose(self, rows: np.ndarray, places: Places, row_info: np.ndarray) -> None:
        """Restrict the games of the next deals in `rows`. Other rows and options keep their choices."""
        merged: dict[int, Places] = {}
        for row in rows.tolist():
            before = self._chosen[row]
            self._chosen[row] = merged.setdefault(id(before), {**before, **places})
        kept, first = [], 0
        by_choice: dict[int, tuple[int, int]] = {}
        for row, chosen in enumerate(self._chosen):
            if id(chosen) not in by_choice:
                numbers = self._games.numbers(chosen)
                kept.append(np.zeros(0, np.int32) if numbers is None else numbers)
                by_choice[id(chosen)] = first, len(kept[-1])
                first += len(kept[-1])
            row_info["first_choice"][row], row_info["num_choices"][row] = by_choice[id(chosen)]
        self.choices = np.concatenate([*kept, np.zeros(1, np.int32)])

    def load(self, wanted: Iterable[int], in_use: Iterable[int]) -> None:
        """Load the `wanted` variants, replacing variants that are not `in_use`."""
        kept = set(in_use)
        for variant in wanted:
            if self.slots[variant] >= 0:
                continue
            game: Any = self._games[variant]
            while self._held[self._next] in kept:
                self._next = (self._next + 1) % len(self._held)
            slot = self._next
            if self._held[slot] >= 0:
                self.slots[self._held[slot]] = -1
            self.tables[slot], self.blanks[slot] = game.tables[0], game.blank_states(1)[0]
            self._held[slot], self.slots[variant] = variant, slot
            self._next = (slot + 1) % len(self._held)
