"""Sets of variants, such as a thousand decks: a batch or an environment chooses one of them for each deal."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from hashlib import sha256
from math import prod
from operator import index
from os import PathLike, fspath
from typing import Any, Final, NamedTuple, Self, overload

import numpy as np

from ..cards.ahead import FEWEST, MOST, Drawing
from ..cards.generated import Generator, is_generated
from ..cards.kept import keeping
from ..checks import UnknownOptionError, as_array
from ..game import Game, State
from ..messages import shown
from ..observation.layout import Block, ObservationLayout, merged_layout
from .rng import WORDS, draw_variant

GAMES_KEPT: Final = 256  # loaded games of a set; the least recently used are dropped
LISTS: Final = {"deck": "decks"}  # option -> the argument that lists its values, if their names differ
Places = Mapping[str, list[int] | None]  # option -> indices of its chosen values; None or missing: all
FEWEST_SLOTS: Final = 1024  # least number of slots of a batch


class GameSet(Sequence[Game]):
    """A list of games that share their actions. The seed of a deal decides which game is dealt. `cf.games` makes it.

    Args:
        load: returns the game for one value of each option in `sets`.
        sets: option -> its values. There is a game for every combination; the last option varies fastest.

    Attributes:
        first: game 0.
        shapes: one game for each number of players and observation layout.
        observation_layout: has room for the observations of every game; entries that a game lacks are 0.
        varies: whether there are several shapes.
        fewest_players, most_players: over the games.

    Games with the first deck are loaded at once, every other game when it is needed.

    Raises:
        TypeError, ValueError: a game cannot be loaded, or does not fit the first.
    """

    def __init__(self, load: Callable[..., Game], sets: Mapping[str, Sequence[Any]]) -> None:
        self._load = load
        self.sets = dict(sets)
        self._size = prod(map(len, self.sets.values()))
        self._kinds = {option: _kind(values) for option, values in self.sets.items()}
        self.first = self._loaded(0)
        self._kept = {0: self.first}
        self.observation_layout, self.shapes = self.first.observation_layout, [self.first]
        self._find_shapes()
        self.varies = len(self.shapes) > 1
        for each in self.shapes:
            self.padded(each)  # raises if a game cannot be
        players = [each.num_players for each in self.shapes]
        self.fewest_players, self.most_players = min(players), max(players)

    def _find_shapes(self) -> None:
        numbers = range(self._size) if "deck" not in self.sets else self.numbers({"deck": [0]})
        for number in () if numbers is None else map(int, numbers[1:]):
            game = self._alike(number)
            self._keep(number, game)
            self.observation_layout = self._room_for(number, game)
            if all(_shape(game) != _shape(each) for each in self.shapes):
                self.shapes.append(game)

    @classmethod
    def of(cls, games: Game | Sequence[Game]) -> GameSet:
        """A list of one game, or of the given ones, among which `reset(options={"number": 0})` chooses.

        Raises:
            TypeError: neither a game nor a list of games.
            ValueError: the list is empty, or a game does not fit the first.
        """
        if isinstance(games, GameSet):
            return games
        listed = list(games) if isinstance(games, Sequence) else [games]
        for place, game in enumerate(listed):
            if isinstance(game, GameSet) or not hasattr(game, "observation_layout"):
                if isinstance(games, Sequence):
                    raise TypeError(f"games[{place}]: expected a game, as `cf.load` returns, got {shown(game)}")
                raise TypeError(f"games: expected a game's name, a game, or a list of games, got {shown(game)}")
        if not listed:
            raise ValueError("games: expected one or more in the list, got none")
        if isinstance(games, Sequence):
            return cls(partial(_numbered, listed), {"number": list(range(len(listed)))})
        return cls(partial(_itself, games), {})

    def __len__(self) -> int:
        return self._size

    def __repr__(self) -> str:
        return f"GameSet({len(self)} games of {self.first.name!r}, varying {', '.join(self.sets) or 'nothing'})"

    @overload
    def __getitem__(self, number: int) -> Game: ...

    @overload
    def __getitem__(self, number: slice) -> list[Game]: ...

    def __getitem__(self, number: int | slice) -> Game | list[Game]:
        if isinstance(number, slice):
            return [self[each] for each in range(len(self))[number]]
        number = index(number)
        if not -len(self) <= number < len(self):
            raise IndexError(f"number of a game: expected 0 to {len(self) - 1}, got {number}")
        number %= len(self)
        game = self._kept.pop(number, None) or self._checked(number)
        self._keep(number, game)
        return game

    def _keep(self, number: int, game: Game) -> None:
        self._kept[number] = game
        if len(self._kept) > GAMES_KEPT:
            del self._kept[next(iter(self._kept))]

    @cached_property
    def digest(self) -> bytes:
        """A SHA-256 of what the numbers of the games stand for: the rules, the first game, and the lists of values.

        Only the first deck counts with its cards, the others with their names; but every game of a list of loaded ones.
        """
        options = {name: value for name, value in self.first.options.items() if name not in ("deck", *self.sets)}
        lists = {name: [_key(value)[1] for value in values] for name, values in self.sets.items() if len(values) > 1}
        alone = {name: _key(self.sets[name][0])[1] for name in self.sets if name not in lists and name != "deck"}
        rules = [self.first.name, self.first.rules_version, {**options, **alone}, self.first.deck_hash]
        loaded = [[dict(game.options), game.deck_hash] for game in self] if "number" in self.sets else []
        return sha256(json.dumps([*rules, lists, *loaded], sort_keys=True, default=repr).encode()).digest()

    def draw_decks(self, numbers: Sequence[int]) -> Drawing | None:
        """Draw the generated decks of these games if they are many and not kept; those of the others follow."""
        generator: Generator | None = getattr(self.first, "deck_generator", None)
        if generator is None or "deck" not in self.sets:
            return None
        wanted = self._decks_to_draw(generator, numbers)
        if len(wanted) < FEWEST:
            return None
        others = self._decks_to_draw(generator, range(min(len(self), MOST)))
        drawing = Drawing(generator.module, list(dict.fromkeys([*wanted, *others])))
        drawing.wait_for(len(wanted), self.first.name)
        return drawing

    def _decks_to_draw(self, generator: Generator, numbers: Iterable[int]) -> list[tuple[str, ...]]:
        """The arguments of `load_cards` for the generated decks that are not kept."""
        found = {}
        for number in numbers:
            options = {**self.first.options, **self.values(number)}
            if is_generated(options["deck"]):
                words = tuple(filter(None, (options[name] for name in ("deck", *generator.options))))
                found[words] = generator.file_of(*words)
        return [words for words, file in found.items() if file and not file.exists()]

    def padded(self, game: Game) -> Any:
        """The game, which is in the set, with observations in `observation_layout`."""
        own: Any = game
        layout = self.observation_layout
        return own.padded(layout) if self.varies and own.observation_layout.blocks != layout.blocks else own

    def number_of(self, state: State, likely: int) -> int:
        """The number of the game whose position this is: `likely`, or another one.

        In a set of more than GAMES_KEPT games, only those in memory are tried: loading all might take hours.

        Raises:
            TypeError, ValueError: it is not a position of any of these games.
        """
        others = list(range(len(self)) if len(self) <= GAMES_KEPT else self._kept)
        refused: ValueError | None = None
        for number in (likely, *others):
            try:
                self[number].is_over(state)
            except ValueError as error:
                refused = refused or error
            else:
                return number
        if len(others) < len(self):
            raise ValueError(f"{refused}; or first choose the game of the position by another reset") from refused
        assert refused is not None
        raise refused

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
        """`values` as shown in `infos`, with decks as strings; also for lists of one value."""
        found = self.values(number)
        if "deck" in found:
            found["deck"] = "shipped" if found["deck"] is None else str(found["deck"])
        return found

    def columns(self, numbers: Sequence[int]) -> dict[str, np.ndarray]:
        """`labels` of K games, as (K,) arrays: int64 if labels are integers, else objects."""
        labels = [self.labels(number) for number in numbers]
        return {name: np.array([each[name] for each in labels], kind) for name, kind in self._kinds.items()}

    def draw(self, seed: int, numbers: np.ndarray | None = None) -> int:
        """The number of the game that this seed deals, one of `numbers` (None: of all games)."""
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
        """(K,) int32: the numbers of the games with the chosen values, in order; None for all games."""
        if all(places.get(option) is None for option in self.sets):
            return None
        axes = [places.get(option) or range(len(values)) for option, values in self.sets.items()]
        lengths = tuple(map(len, self.sets.values()))
        return np.ravel_multi_index(np.ix_(*axes), lengths).ravel().astype(np.int32)

    def places_of_numbers(self, numbers: np.ndarray) -> Places:
        """The inverse of `numbers`. No numbers mean all games."""
        axes = np.unravel_index(numbers, tuple(map(len, self.sets.values()))) if len(numbers) else ()
        return {option: np.unique(axis).tolist() for option, axis in zip(self.sets, axes, strict=False)}

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
        """The places of the game's values in the lists, as `decks[3]`."""
        return ", ".join(f"{LISTS.get(option, option)}[{place}]" for option, place in self._places(number).items())

    def _checked(self, number: int) -> Game:
        game = self._alike(number)
        if self._room_for(number, game) is not self.observation_layout:
            raise ValueError(f"{self._where(number)}: its observations have another layout than with the first deck")
        return game

    def _alike(self, number: int) -> Game:
        """Load a game that shares its actions with the first."""
        game = self._loaded(number)
        for trait in ("name", "num_actions", "simultaneous"):
            one, other = getattr(self.first, trait), getattr(game, trait)
            if one != other:
                raise ValueError(f"{self._where(number)}: expected the {trait} of the first game, {one}, got {other}")
        one, other = self.first.num_players, game.num_players
        if min(one, other) == 1 < max(one, other):
            raise ValueError(f"{self._where(number)}: games of {other} and {one} players cannot share an environment")
        return game

    def _room_for(self, number: int, game: Game) -> ObservationLayout:
        """The set's layout, made larger if the game needs it."""
        try:
            layout = merged_layout(self.observation_layout, game.observation_layout)
        except ValueError as error:
            raise ValueError(f"{self._where(number)}: the games cannot share an environment: {error}") from error
        if layout.blocks != game.observation_layout.blocks and not hasattr(game, "padded"):
            raise ValueError(f"{self._where(number)}: its observations have another layout than those of the first")
        return layout


def _itself(game: Game) -> Game:
    return game


def _numbered(games: Sequence[Game], number: int) -> Game:
    return games[number]


def _shape(game: Game) -> tuple[int, tuple[Block, ...]]:
    return game.num_players, game.observation_layout.blocks


def _kind(values: Sequence[Any]) -> type:
    """The dtype of a column of values."""
    kinds = set(map(type, values))
    return {frozenset([int]): np.int64, frozenset([bool]): np.bool_}.get(frozenset(kinds), object)


def _key(value: Any) -> tuple[type, Any]:
    """A key to compare values: True is not 1, but NumPy's integers equal integers, and paths equal strings."""
    plain = fspath(value) if isinstance(value, PathLike) else int(value) if isinstance(value, np.integer) else value
    return type(plain), plain if isinstance(plain, str | int | float | None) else repr(plain)


class RowRules(NamedTuple):
    """The card tables of the games in B rows, for compiled code. S = number of decks held.

    `SelfPlayBatch.rules` returns it.
    """

    tables: np.ndarray  # (S,) records that rules and observations read
    slots: np.ndarray  # (B,) int32, each row's index into `tables`

    @classmethod
    def alone(cls, game: Game, rows: int) -> RowRules | None:
        """The same game in all rows; None if it is not compiled."""
        tables = getattr(game, "tables", None)
        return None if tables is None else cls(tables, np.zeros(rows, np.int32))

    def of(self, rows: np.ndarray | slice) -> Self:
        """The rules of some rows."""
        return self._replace(slots=self.slots[rows])


def as_rules(rules: Any, game: Any, rows: int) -> RowRules:
    """The rules of so many rows of this game, with any decks, for its compiled code.

    Raises:
        TypeError: not `RowRules`.
        ValueError: tables of another game, another number of rows, or a row without a table.
    """
    if not isinstance(rules, RowRules) or not isinstance(rules.tables, np.ndarray):
        raise TypeError(f"rules: expected RowRules, got {shown(rules)}")
    tables, kind = rules.tables, game.tables.dtype
    if tables.ndim != 1 or tables.dtype != kind or not tables.flags.c_contiguous:
        raise ValueError(f"rules.tables: expected (S,) tables of {game.name}, got {tables.shape} {shown(tables.dtype)}")
    return RowRules(tables, as_array("rules.slots", rules.slots, (rows,), np.int32, 0, len(tables) - 1))


class LoadedVariants:
    """The loaded variants as arrays for compiled code. V = number of variants, S = slots for loaded ones.

    A batch of N rows has at least 2 N slots, enough for every row's variant and that of its next game.

    Attributes:
        tables: (S,) records that rules and observations read.
        blanks: (S,) undealt positions, which hold only the options of the variant.
        slots: (V,) int32, slot of each variant; -1 if it is not loaded.
        scale: (O,) float32, the factors that scale observations.
        choices: (C,) int32, variants for rows whose deals are restricted; `row_info` says which part is a row's.
    """

    def __init__(self, games: GameSet, num_envs: int) -> None:
        first: Any = games.first
        if not hasattr(first, "tables"):
            raise TypeError(f"{first.name}: a batch of several variants needs a compiled game")
        self._games = games
        size = min(len(games), max(2 * num_envs, FEWEST_SLOTS))
        self.tables = np.empty(size, first.tables.dtype)  # NumPy asks for large pages, which it does not for zeros
        self.blanks = np.zeros(size, first.blank_states(1).dtype)
        self.scale = games.observation_layout.scale
        self.slots = np.full(len(games), -1, np.int32)
        self.choices = np.zeros(1, np.int32)
        self._chosen: list[Places] = [{}] * num_envs
        self._held = np.full(size, -1, np.int64)  # the variant in each slot
        self._next = 0
        self._drawing: Drawing | None = None
        self.load([0], [])

    def choose(self, rows: np.ndarray, places: Places, row_info: np.ndarray) -> None:
        """Restrict the next deals in `rows` to these values. Other rows and options keep their restrictions."""
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

    def choose_again(self, choices: np.ndarray, row_info: np.ndarray) -> None:
        """Take over the `choices` of an equal batch, and its `row_info`, which points into them."""
        self.choices = choices
        known: dict[tuple[int, int], Places] = {}
        pairs = zip(row_info["first_choice"].tolist(), row_info["num_choices"].tolist(), strict=True)
        for row, bounds in enumerate(pairs):
            if bounds not in known:
                known[bounds] = self._games.places_of_numbers(choices[bounds[0] : sum(bounds)])
            self._chosen[row] = known[bounds]

    def rules_of(self, numbers: np.ndarray) -> RowRules:
        """The rules of loaded variants, by their numbers (B,). They hold until the next `load`."""
        return RowRules(self.tables, self.slots[numbers])

    def load(self, wanted: Iterable[int], in_use: Iterable[int]) -> None:
        """Load the `wanted` variants, replacing variants that are not `in_use`."""
        kept, missing = set(in_use), [variant for variant in wanted if self.slots[variant] < 0]
        self._drawing = self._games.draw_decks(missing) or self._drawing
        with keeping():
            for variant in missing:
                game: Any = self._games[variant]
                while self._held[self._next] in kept:
                    self._next = (self._next + 1) % len(self._held)
                slot = self._next
                if self._held[slot] >= 0:
                    self.slots[self._held[slot]] = -1
                self.tables[slot], self.blanks[slot] = self._games.padded(game).tables[0], game.blank_states(1)[0]
                self._held[slot], self.slots[variant] = variant, slot
                self._next = (slot + 1) % len(self._held)
