"""Record agents' games for imitation and offline learning: every decision is a row of a Parquet file.

    chocofactory train dataset --agents planner greedy --deals 100 --processes 2 --out runs/data/two-players
    chocofactory train dataset --agents planner random --of planner --deals 500 --out runs/data/planner
    chocofactory train dataset --agents planner --option difficulty=1 --deals 500 --out runs/data/solo

A deal is played once for every rotation of the seats, as in a match. The data are written in parts: after Ctrl-C, run
the same command again to resume. `docs/datasets.md` describes the columns.

    data = read_dataset("runs/data/two-players")
    data.check(game)
    data.observations, data.masks, data.actions, data.won
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Annotated, Any, Self, TypedDict, Unpack

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from tqdm import tqdm

import chocofactory_env as cf
from chocofactory_env import Game
from chocofactory_env.agents.files import check, listed, read_json, write_json
from chocofactory_env.agents.protocol import AnyAgent, make_agent, sources_of
from chocofactory_env.arena.decks import names_of
from chocofactory_env.arena.games import GameSeries, PlaysGames, play_game, versions
from chocofactory_env.arena.options import DEFAULT_GAME
from chocofactory_env.arena.play import Task, differences, results_of
from chocofactory_env.arena.workers import Workers
from chocofactory_env.core import reading
from chocofactory_env.core.agents.agent import REDEAL_SEED
from chocofactory_env.core.command import Command, Count, Options, OutFolder, Seed
from chocofactory_env.core.files import held, opened, whole
from chocofactory_env.core.reading import Integer, at_least, between
from chocofactory_env.core.text.words import counted

from .settings import about_decks, deck_files_of, note_measured

FORMAT = 3  # of the files; 3 added the column `position`
SERIES = "dataset"
SETTINGS = "dataset.json"
PARTS = "part-*.parquet"
COMMAND = "`chocofactory train dataset`"
FIRST_DEAL = 100_000
DEALS_PER_PART = 20
MOST_NUMBERS = 2**16  # limit on the size of an observation, and on actions
COMPRESSION = "zstd"
COMPRESSION_LEVEL = 6  # a quarter smaller than level 3, and fast compared with the games
VECTORS = ("observation", "position", "mask")


class DatasetError(ValueError):
    """A folder or file does not hold the expected data. Names it, what is wrong and what was expected."""


class _Seeds(TypedDict):
    first: Integer
    number: reading.Count


class _Block(TypedDict):
    first: reading.Count
    shape: list[Annotated[int, between(1, MOST_NUMBERS)]]
    high: Integer


class _Observation(TypedDict):
    size: Annotated[int, between(1, MOST_NUMBERS)]
    blocks: dict[str, _Block]


class Settings(TypedDict):
    """The fields of `dataset.json` that a reader needs, see `Export.settings`."""

    series: str
    format: Integer
    game: str
    options: dict[str, Any]
    deck: str
    rules: Integer
    actions: Annotated[int, between(1, MOST_NUMBERS)]
    observation: _Observation
    position: Annotated[int, between(1, MOST_NUMBERS)]
    agents: list[str]
    seeds: _Seeds
    deals_per_part: Annotated[int, at_least(1)]


def schema_of(settings: Mapping[str, Any], part: int | None = None) -> pa.Schema:
    """The columns, none of them nullable; of a part, with metadata that say what it belongs to."""
    columns = {
        "deal": pa.int64(),
        "rotation": pa.int8(),
        "episode": pa.int64(),
        "seat": pa.int8(),
        "step": pa.int32(),
        "agent": pa.dictionary(pa.int32(), pa.string()),
        "observation": _vector(cf.ObservationLayout.raw_dtype, settings["observation"]["size"]),
        "position": _vector(np.dtype(np.uint8), settings["position"]),
        "mask": _vector(np.dtype(np.int8), settings["actions"]),
        "action": pa.int32(),
        "won": pa.bool_(),
        "place": pa.int8(),
        "score": pa.int32(),
        "margin": pa.float64(),
        "standing": pa.int32(),
        "last": pa.bool_(),
    }
    metadata = None if part is None else {"dataset": json.dumps(settings), "part": str(part)}
    return pa.schema([pa.field(name, kind, nullable=False) for name, kind in columns.items()], metadata)


def _vector(dtype: np.dtype[Any], size: int) -> pa.DataType:
    return pa.list_(pa.field("element", pa.from_numpy_dtype(dtype), nullable=False), size)


# --- what to play


@dataclass(frozen=True)
class Export:
    """The games to play and the decisions to write. A task is the number of a part, a file of some deals.

    of: the agents whose decisions are written; None: all.
    forced: whether to write decisions with one legal action, too.
    decks: names and ranges of decks, used in turn, see `arena.decks.deck_of`; `load` then takes `deck`.
    """

    load: Callable[..., Game]
    agents: tuple[str, ...]
    deals: range
    of: tuple[str, ...] | None = None
    forced: bool = False
    deals_per_part: int = DEALS_PER_PART
    make: Callable[[str, Game], AnyAgent] = make_agent
    decks: tuple[str, ...] = ()

    @property
    def tasks(self) -> range:
        return range(_parts(len(self.deals), self.deals_per_part))

    @cached_property
    def series(self) -> GameSeries:
        """All games."""
        return GameSeries(self.load, (self.agents,), self.deals, self.make, names_of(self.decks or None))

    def games_of(self, part: int) -> list[Task]:
        """The games of a part, as tasks of the series."""
        number = self.deals_per_part * len(self.agents)
        return self.series.tasks[part * number : (part + 1) * number]

    @property
    def written(self) -> list[str]:
        """The names of the agents whose decisions are written."""
        return [name for name in dict.fromkeys(self.agents) if self.of is None or name in self.of]

    def check(self) -> None:
        """TypeError or ValueError if the game, a deck or an agent cannot be made, or they do not fit together."""
        absent = sorted(set(self.of or ()) - set(self.agents))
        if absent:
            raise ValueError(f"of: {', '.join(absent)} plays no game; there are: {', '.join(self.agents)}")
        game = self.series.game_of(0)
        if len(self.agents) != game.num_players:
            raise ValueError(f"{game.num_players} seats need as many agents, got {len(self.agents)}")
        for agent in self.agents:
            self.make(agent, game)
        deck_files_of(game, self.decks)

    def settings(self) -> dict[str, Any]:
        """The settings of all parts, as JSON restores them; they determine the content."""
        game = self.series.game_of(0)  # with the first deck
        settings = {
            "format": FORMAT,
            "series": SERIES,
            **settings_of(game),
            **about_decks(self.decks, deck_files_of(game, self.decks)),
            "agents": self.agents,
            **sources_of(self.agents, self.make, game),
            "of": self.written,
            "forced": self.forced,
            "seeds": {"first": self.deals.start, "number": len(self.deals)},
            "deals_per_part": self.deals_per_part,
            "versions": {**versions(), "pyarrow": pa.__version__},
        }
        plain: dict[str, Any] = json.loads(json.dumps(settings))
        return plain


def settings_of(game: Game) -> dict[str, Any]:
    """The settings that follow from the game. Its options leave out the deck's path; the hash identifies it."""
    layout = game.observation_layout
    blocks = zip(layout.blocks, layout.raw_offsets.tolist(), strict=True)
    return {
        "game": game.name,
        "options": {name: value for name, value in game.options.items() if name != "deck"},
        "deck": game.deck_hash,
        "rules": game.rules_version,
        "actions": game.num_actions,
        "position": game.blank_states(1).nbytes,
        "observation": {
            "size": layout.raw_size,
            "dtype": layout.raw_dtype.name,
            "blocks": {
                block.name: {"first": first, "shape": list(block.shape), "high": block.high} for block, first in blocks
            },
        },
    }


def _parts(deals: int, deals_per_part: int) -> int:
    return -(-deals // deals_per_part)


# --- recording


class DecisionRecorder:
    """Records the decisions of a game, by seat; `before` of `play_game`."""

    def __init__(self, game: Game, forced: bool) -> None:
        self.decisions: list[list[dict[str, Any]]] = [[] for _ in range(game.num_players)]
        self._game = game
        self._forced = forced
        self._step = 0

    def __call__(self, state: Any, player: int, action: int) -> None:
        """Record what is known of a row before the game is over."""
        game, layout = self._game, self._game.observation_layout
        mask = game.legal_mask(state)
        if self._forced or np.count_nonzero(mask) > 1:
            observation = np.empty(layout.raw_size, layout.raw_dtype)
            game.write_raw_observation(state, player, observation)
            row = {
                "step": self._step,
                "observation": observation,
                "position": game.redeal(state, player, REDEAL_SEED).view(np.uint8),
                "mask": mask,
                "action": action,
                "standing": int(game.standings(state)[player]),
                "last": False,
            }
            self.decisions[player].append(row)
        self._step += 1


@dataclass
class PartMaker:
    """Plays the games of a part and makes its file. Each process has one."""

    export: Export

    def __call__(self, part: int) -> bytes:
        rows = [row for task in self.export.games_of(part) for row in self._rows_of_game(task)]
        schema, file = schema_of(self._settings, part), pa.BufferOutputStream()
        columns = [_column([row[field.name] for row in rows], field.type) for field in schema]
        pq.write_table(
            pa.table(columns, schema=schema),
            file,
            compression=COMPRESSION,
            compression_level=COMPRESSION_LEVEL,
            use_dictionary=[name for name in ATTRIBUTES if name not in VECTORS],
            write_page_checksum=True,
        )
        content: bytes = file.getvalue().to_pybytes()
        return content

    def _rows_of_game(self, task: Task) -> Iterator[dict[str, Any]]:
        game, deal, rotation = self._plays.game_of(task), task["deal"], task["rotation"]
        recorder = DecisionRecorder(game, self.export.forced)
        play = play_game(game, self._plays.entrants_of(task), deal, rotation, before=recorder)
        payoffs = game.payoffs(play.end).tolist()
        for seat, decisions in enumerate(recorder.decisions):
            if not decisions or play.names[seat] not in self.export.written:
                continue
            decisions[-1]["last"] = True
            of_seat = {
                "deal": deal,
                "rotation": rotation,
                "episode": self.export.deals.index(deal) * len(play.names) + rotation,
                "seat": seat,
                "agent": play.names[seat],
                "won": play.won[seat],
                "place": play.places[seat],
                "score": payoffs[seat],
                "margin": margin(payoffs, seat),
            }
            yield from (of_seat | decision for decision in decisions)

    @cached_property
    def _plays(self) -> PlaysGames:
        return PlaysGames(self.export.series)

    @cached_property
    def _settings(self) -> dict[str, Any]:
        return self.export.settings()


def margin(payoffs: Sequence[int], seat: int) -> float:
    """A seat's payoff less the mean of the others'; nan without others."""
    others = [other for at, other in enumerate(payoffs) if at != seat]
    return payoffs[seat] - sum(others) / len(others) if others else float("nan")


def _column(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    if not pa.types.is_fixed_size_list(kind):
        return pa.array(values, kind)
    flat = np.concatenate(values) if values else np.empty(0, kind.value_type.to_pandas_dtype())
    return pa.FixedSizeListArray.from_arrays(pa.array(flat), type=kind)


# --- the folder


def path_of(folder: Path, part: int) -> Path:
    return folder / f"part-{part:05}.parquet"


def write_dataset(
    folder: Path,
    export: Export,
    *,
    progress: bool = True,
    **workers: Unpack[Workers],
) -> bool:
    """Play and write the parts missing from `folder`. Returns whether all are there at the end.

    Ctrl-C ends it early, and drops an unfinished part. workers: see `arena.workers.Workers`.

    Raises:
        DatasetError: the folder has other settings, a broken part, or foreign files; or another process uses it.
        TaskError, WorkersError: see `results_of`.
    """
    with held(folder, DatasetError, own=(SETTINGS, PARTS)):
        _begin(folder, export.settings())
        left = [task for task in export.tasks if not path_of(folder, task).exists()]
        games, missing = (sum(len(export.games_of(part)) for part in parts) for parts in (export.tasks, left))
        try:
            with tqdm(total=games, initial=games - missing, unit="game", disable=not progress) as bar:
                for task, content in results_of(PartMaker(export), left, **workers):
                    with whole(path_of(folder, task)) as path:
                        path.write_bytes(content)
                    bar.update(len(export.games_of(task)))
        except KeyboardInterrupt:
            return False
    return True


def _begin(folder: Path, settings: dict[str, Any]) -> None:
    """Write the settings, or check that the folder has the same, and whole parts of them."""
    file = folder / SETTINGS
    if os.path.lexists(file) and (found := differences(read_settings(folder), settings)):
        raise DatasetError(f"{file} was written with other settings: {listed(found)}")
    for part, path in _there(folder, settings).items():
        with _opened(path, part, settings):
            pass
    if not file.exists():
        write_json(file, settings)


def _there(folder: Path, settings: Mapping[str, Any]) -> dict[int, Path]:
    """The paths of the parts that there are, by number."""
    names = {path.name for path in folder.glob(PARTS)}
    numbers = range(min(_parts(settings["seeds"]["number"], settings["deals_per_part"]), 10**5))  # of five digits
    return {part: path_of(folder, part) for part in numbers if path_of(folder, part).name in names}


def read_settings(folder: Path) -> dict[str, Any]:
    """Read `dataset.json`.

    Raises:
        DatasetError: it is missing or invalid.
    """
    file, expected = folder / SETTINGS, f"a folder that {COMMAND} wrote"
    settings: dict[str, Any] = read_json(file, dict[str, Any], DatasetError, expected)
    if (settings.get("series"), settings.get("format")) != (SERIES, FORMAT):
        raise DatasetError(f"{file} is not of series {SERIES!r} in format {FORMAT}; expected {expected}")
    try:
        check(settings, Settings)
    except ValueError as error:
        raise DatasetError(f"{file} {error}; expected {expected}") from error
    return settings


@contextmanager
def _opened(path: Path, part: int, settings: Mapping[str, Any]) -> Iterator[pq.ParquetFile]:
    """Open a part, and check that it belongs to these settings; DatasetError if not, or if reading it fails."""
    expected = schema_of(settings, part)
    try:
        with opened(path) as content, pq.ParquetFile(content, page_checksum_verification=True) as file:
            schema = file.schema_arrow
            if not schema.equals(expected) or schema.metadata != expected.metadata:
                raise DatasetError(f"{path} has other columns or settings; expected part {part} of {SETTINGS} here")
            yield file
    except (OSError, pa.ArrowException) as error:
        raise DatasetError(
            f"{path} cannot be read: {error}; expected a whole part, which {COMMAND} writes anew when this file is gone"
        ) from error


# --- reading


@dataclass(frozen=True, eq=False)
class Dataset:
    """N decisions, by game, seat and time. The arrays belong to the caller.

    R is the size of a raw observation in bytes, S that of a position, A the number of actions. The next row is the same
    seat's next decision, unless `last`. Returns are those of the row's seat at the end of the game.
    """

    settings: dict[str, Any]
    deals: np.ndarray  # (N,) int64: the seed of the deal
    rotations: np.ndarray  # (N,) int8
    episodes: np.ndarray  # (N,) int64: the number of the game
    seats: np.ndarray  # (N,) int8
    steps: np.ndarray  # (N,) int32: the number of the decision in the game, all seats together
    agents: np.ndarray  # (N,) int8: an index of `names`
    observations: np.ndarray  # (N, R) uint8, unscaled
    positions: np.ndarray  # (N, S) uint8: the bytes of the position, redealt for the seat
    masks: np.ndarray  # (N, A) int8: 1 where an action is legal
    actions: np.ndarray  # (N,) int32
    won: np.ndarray  # (N,) bool
    places: np.ndarray  # (N,) int8: 1 = first
    scores: np.ndarray  # (N,) int32: as the reward "score" counts them, `game.payoffs`
    margins: np.ndarray  # (N,) float64: that less the mean of the others'; not a number where there are none
    standings: np.ndarray  # (N,) int32: `game.standings` before the decision
    last: np.ndarray  # (N,) bool: whether it is the seat's last row of the game

    def __len__(self) -> int:
        return len(self.actions)

    @property
    def names(self) -> tuple[str, ...]:
        """The agents that played."""
        return _names(self.settings)

    @cached_property
    def layout(self) -> cf.ObservationLayout:
        """Of the observations: `scaled(observations)` is what agents see, `views(observations)` names them."""
        blocks = self.settings["observation"]["blocks"]
        return cf.ObservationLayout(
            cf.Block(name, tuple(block["shape"]), block["high"], meaning="") for name, block in blocks.items()
        )

    def check(self, game: Game) -> None:
        """Check that the observations and actions are those of `game`, and that decks in files are as they were.

        Raises:
            DatasetError: game, options, deck, rules or layout differ, or a deck's file. Names the difference.
            DeckError: a deck's file cannot be played.
        """
        here = settings_of(game)
        found = differences({key: self.settings.get(key) for key in here}, here) or self._changed_deck_files()
        if found:
            raise DatasetError(f"the data are of another game: {listed(found)}")

    def _changed_deck_files(self) -> list[str]:
        there = self.settings.get("deck_files", {})
        game = cf.load(self.settings["game"], **self.settings["options"])
        return differences(there, deck_files_of(game, list(there)), "deck_files")

    def rows(self, which: slice | np.ndarray) -> Self:
        """Some of the rows: views for a slice, copies for indices or an (N,) bool mask."""
        return replace(self, **{name: getattr(self, name)[which] for name in ATTRIBUTES.values()})

    def of(self, agent: str) -> Self:
        """The rows of an agent; ValueError if it did not play."""
        if agent not in self.names:
            raise ValueError(f"{agent!r} played no game; there are: {', '.join(self.names)}")
        return self.rows(self.agents == self.names.index(agent))

    def trajectories(self) -> Iterator[slice]:
        """The rows of each seat of each game."""
        ends = [0, *(np.flatnonzero(self.last) + 1).tolist()]
        return map(slice, ends[:-1], ends[1:])


# By column; both are in the same order.
ATTRIBUTES = dict(
    zip(
        schema_of({"observation": {"size": 1}, "position": 1, "actions": 1}).names,
        [each.name for each in fields(Dataset)][1:],
        strict=True,
    )
)


def read_dataset(folder: str | Path, *, unfinished: bool = False) -> Dataset:
    """Read all rows of a folder into memory.

    Args:
        unfinished: accept incomplete data.

    Raises:
        DatasetError: the folder or a part is missing, broken, or invalid. Names the file.
    """
    folder = Path(folder)
    settings = read_settings(folder)
    there, parts = _there(folder, settings), _parts(settings["seeds"]["number"], settings["deals_per_part"])
    if len(there) < parts and not unfinished:
        first = next(part for part in range(parts) if part not in there)
        raise DatasetError(
            f"{folder}: {parts - len(there)} of {parts} parts are missing, the first is {path_of(folder, first).name}; "
            f"expected all: {COMMAND} with the same settings writes them, and unfinished=True reads what there is"
        )
    return Dataset(settings, **_arrays(there, settings))


def _arrays(paths: Mapping[int, Path], settings: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """All parts concatenated, by attribute."""
    schema, names = schema_of(settings), _names(settings)
    tables = [schema.empty_table()]
    for part, path in paths.items():
        with _opened(path, part, settings) as file:
            tables.append(file.read().replace_schema_metadata())
    table = pa.concat_tables(tables).unify_dictionaries()
    return {ATTRIBUTES[name]: _values(table[name].combine_chunks(), names) for name in schema.names}


def _names(settings: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(settings["agents"]))


def _values(column: Any, names: tuple[str, ...]) -> np.ndarray:
    """A copy of a column's values, (N,) or (N, size); the agent of each row as its index in `names`."""
    if pa.types.is_dictionary(column.type):
        places = np.array([names.index(name) for name in column.dictionary.to_pylist()], np.int8)
        codes: np.ndarray = places[np.asarray(column.indices)]
        return codes
    if pa.types.is_fixed_size_list(column.type):
        return np.array(column.flatten()).reshape(len(column), column.type.list_size)
    return np.array(column)


# --- the command line


class Written:
    """The data of a folder, which may not be complete."""

    interrupted = True  # where parts are missing

    def __init__(self, folder: Path, export: Export) -> None:
        self._there = [part for part in export.tasks if path_of(folder, part).exists()]
        self._folder, self._export = folder, export

    def __str__(self) -> str:
        paths = [path_of(self._folder, part) for part in self._there]
        rows = sum(pq.read_metadata(path).num_rows for path in paths)
        size = sum(path.stat().st_size for path in paths)
        games = sum(len(self._export.games_of(part)) for part in self._there)
        return f"{rows:,} decisions of {games:,} games in {counted(len(paths), 'file')}, {size / 1e6:,.1f} MB"

    def message(self) -> str:
        """What is missing, in words; "" if nothing is."""
        parts, there = len(self._export.tasks), len(self._there)
        stopped = f"stopped after {there} of {parts} parts; run the same command again to resume"
        return stopped if there < parts else ""


def write(
    agents: Sequence[str],
    out: OutFolder,
    game: str = DEFAULT_GAME,
    option: Options = {},  # noqa: B006
    decks: Sequence[str] = (),
    of: Sequence[str] = (),
    deals: Count = 100,
    seed: Seed = FIRST_DEAL,
    forced: bool = False,
    deals_per_part: Count = DEALS_PER_PART,
    **workers: Unpack[Workers],
) -> Written:
    """Write agents' games as data.

    Args:
        agents: one for each seat, as NAME or NAME:KEY=VALUE,..., or MODULE:FACTORY.
        out: folder of the data.
        game: its name, or MODULE:ATTRIBUTE for a game of your own.
        option: an option of the game; repeat it for more.
        decks: deal from these decks in turn: shipped, files, and names and ranges as generated:0-199,stray=1.
        of: write the decisions of these agents only.
        deals: number of deals, each played once for every rotation of the seats.
        seed: seed of the first deal; those below 100,000 are for measurement.
        forced: write decisions with one legal action, too.
        deals_per_part: how many deals a file holds.
    """
    load = partial(cf.load, game, **{"num_players": len(agents), **option})
    deals_of = range(seed, seed + deals)
    export = Export(load, tuple(agents), deals_of, tuple(of) or None, forced, deals_per_part, decks=tuple(decks))
    export.check()
    note_measured(export.decks)
    write_dataset(Path(out), export, **workers)
    return Written(Path(out), export)


EXAMPLES = (
    "--agents planner greedy --deals 100 --processes 2 --out runs/data/two-players",
    "--agents planner --option difficulty=1 --deals 500 --out runs/data/solo",
)


main = Command("chocofactory train dataset", write, EXAMPLES).run


if __name__ == "__main__":
    main()
