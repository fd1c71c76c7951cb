"""Learn a value of positions, as used by `expert`, in rounds of playing and fitting.

    chocofactory train value --players 1 --out runs/value/solo
    chocofactory train value --players 2 --rounds 3 --games 1500 --out runs/value/two --ship

In every round, agents play each other by the value of the round before, with some random decisions. The first round
uses the game's own evaluation, or `--start`. Features of positions are recorded with their results. Then a value is
fitted to the games of all rounds: linear in the features, with weights that change smoothly from stage to stage (ridge
regression). A fifth of the games of every variant is held out to measure how much of the results it explains.

A game takes part through `training/<game>/value.py` (see `Subject`) and the names of its features. Each round keeps its
games in a journal: after Ctrl-C, run the same command again to resume.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, NamedTuple, Protocol, TypedDict, cast

import msgspec
import numpy as np
from msgspec import Struct

import chocofactory_env as cf
from chocofactory_env import Game
from chocofactory_env.agents.by_game import AGENTS, addition, hook
from chocofactory_env.agents.files import listed, read_lines
from chocofactory_env.agents.protocol import agents_of, decide, reset
from chocofactory_env.agents.values import LearnedValue, about_value, digest_of_value, write_value
from chocofactory_env.arena.games import versions
from chocofactory_env.arena.options import DEFAULT_GAME
from chocofactory_env.arena.play import JOURNAL, JournalError, Json, Task, differences, play
from chocofactory_env.core.files import write_text
from chocofactory_env.core.kernel.variants import GameSet
from chocofactory_env.core.reading import Integer, at_least, need, read

from .cards import Card, Made, Trial, card_of
from .rivals import rival_of
from .settings import TRAINING, Number, Positive, Seed, Settings, call, games_with_decks, note_measured

HELD_OUT = 5  # one of this many games is held out
DIGITS = 4  # decimals of features
STRIDE = 7_919  # decks from one game of a variant to its next, so that few games are from all parts of a long list
ROUND = "round-{}"
NOT_PLAYED_BY = ("rounds", "start", "add", "latest", "ridge")  # settings that do not affect a round's games
VALUE = "value.json"


class Row(NamedTuple):
    """A valued position: the seat, the stage of the game, and the features, (F,) float32."""

    seat: int
    stage: int
    features: np.ndarray


class Subject(Protocol):
    """A game's part in this: `VALUE` in `training/<game>/__init__.py` names one. P = number of players."""

    variants: Mapping[int, Sequence[Mapping[str, Any]]]  # by P: options of the variants to play in turn
    prior_share: Mapping[int, float]  # by P: the share of `prior` to which the fit is added

    def prior(self, features: Sequence[str]) -> np.ndarray:
        """(F,): the weights that reproduce the game's own evaluation."""

    def explorer(self, game: Game, width: int, value: Path | None) -> Any:
        """An agent that plays by a value, or by the game's own evaluation, with some random decisions.

        width: of its search.
        """

    def row_after(self, game: Game, before: Any, state: Any, seat: int) -> Row | None:
        """The row of `seat`'s decision that led from `before` to `state`; None if it is not valued."""

    def result(self, game: Game, state: Any, seat: int) -> float:
        """A seat's result in a finished game, the target of the fit."""


def subject_of(game: str) -> Subject:
    """The game's subject; ValueError if it has none."""
    subject = hook(TRAINING, game, "VALUE")
    if subject is None:
        raise ValueError(f"game {game!r}: training/{game}/__init__.py names no VALUE, so there is nothing to fit")
    return cast(Subject, subject)


class Config(Settings, frozen=True, kw_only=True):
    """What a run is made of."""

    game: str = DEFAULT_GAME  # name of the game
    players: Number = 1  # number of players
    rounds: Number = 3  # rounds of playing and fitting
    games: Annotated[int, at_least(HELD_OUT)] = 1500  # games of a round
    width: Number = 32  # width of the players' search
    seed: Seed = 500_000  # seed of the first deal; rounds follow each other
    start: str = ""  # file of a value by which the first round is played, in place of the game's own evaluation
    add: tuple[str, ...] = ()  # folders of other runs of the game, to whose games the value is fitted too
    decks: tuple[str, ...] = ()  # decks to deal from, as generated:100000-100999; without any, the game's own
    latest: Seed = 0  # rounds to whose games a value is fitted, the latest ones; 0: all
    ridge: Positive = 300.0  # weight of the penalty on the weights; without it the fit has no single solution


# --- playing


class Rows(Struct):
    """The valued positions of a game: each one's seat, stage and features, and the seat's result."""

    seats: list[Integer]
    stages: list[Integer]
    features: list[list[float]]
    results: list[float]
    seconds: float  # that the game took


class _Of(Struct):
    game: str


class _Shared(Struct):
    """The settings in a journal's first line that a run to be added must share."""

    series: str
    config: _Of
    deck: str
    rules: Integer


class _Task(TypedDict):
    deal: Integer
    variant: Integer


class _Line(Struct):
    task: _Task
    result: Json


class Round(Struct, frozen=True, dict=True):
    """The games of one round, as a series. A task names the deal, and the number of the variant."""

    config: Config
    number: int
    value: Path | None

    @property
    def tasks(self) -> list[Task]:
        variants = len(subject_of(self.config.game).variants[self.config.players])
        first = self.config.seed + self.number * self.config.games
        return [{"deal": seed, "variant": seed % variants} for seed in range(first, first + self.config.games)]

    def settings(self) -> dict[str, Any]:
        config = {name: value for name, value in msgspec.to_builtins(self.config).items() if name not in NOT_PLAYED_BY}
        game = self.games[0].first
        return {
            "series": "value",
            "round": self.number,
            "value": None if self.value is None else digest_of_value(self.value),
            "config": config,
            "deck": game.deck_hash,
            "rules": game.rules_version,
            "versions": versions(),
        }

    def check_result(self, task: Task, result: Json) -> None:
        game: Any = self.games[0].first
        check_rows(result, len(game.value_features), game.value_stages)

    def __call__(self, task: Task) -> Json:
        """Play one game."""
        begun, seed, variant = perf_counter(), task["deal"], task["variant"]
        subject, games = subject_of(self.config.game), self.games[variant]
        game = games[seed // len(self.games) * STRIDE % len(games)]
        agents = [subject.explorer(game, self.config.width, self.value) for _ in range(game.num_players)]
        state = game.new(seed=seed)
        for seat, agent in enumerate(agents):
            reset(agent, cf.agent_seed(game, state, seat, 0))
        rows: list[Row] = []
        while not game.is_over(state):
            seat = game.current_player(state)
            before = game.clone(state)
            game.apply(state, decide(game, agents[seat], state))
            row = subject.row_after(game, before, state, seat)
            if row is not None:
                rows.append(row)
        return {
            "seats": [row.seat for row in rows],
            "stages": [row.stage for row in rows],
            "features": [[round(float(number), DIGITS) for number in row.features] for row in rows],
            "results": [subject.result(game, state, row.seat) for row in rows],
            "seconds": round(perf_counter() - begun, 3),
        }

    @cached_property
    def games(self) -> list[GameSet]:
        """The games of each variant, one per deck."""
        config = self.config
        variants = subject_of(config.game).variants[config.players]
        numbered = [{**options, "num_players": config.players} for options in variants]
        return [games_with_decks(config.game, each, config.decks) for each in numbered]


# --- fitting


class Data(NamedTuple):
    """N rows. All rows of a game are held out together."""

    features: np.ndarray  # (N, F) float32
    stages: np.ndarray  # (N,)
    results: np.ndarray  # (N,) float32
    held_out: np.ndarray  # (N,) bool

    def of(self, rows: np.ndarray) -> Data:
        return Data(*(column[rows] for column in self))


def data_of(records: Sequence[Json], features: int) -> Data:
    """The rows of games. records: include their tasks."""
    rows = [len(record["stages"]) for record in records]
    flat = [row for record in records for row in record["features"]]
    return Data(
        np.array(flat, np.float32).reshape(-1, features),
        np.array([stage for record in records for stage in record["stages"]], np.int64),
        np.array([result for record in records for result in record["results"]], np.float32),
        np.repeat(held_out([record["variant"] for record in records]), rows),
    )


def held_out(variants: Sequence[int]) -> np.ndarray:
    """(G,) bool: a fifth of the games of each variant. variants: of every game.

    Each variant starts at a different game, so that if variants have one game each, some are held out, but not all.
    """
    held = np.zeros(len(variants), np.bool_)
    for variant in set(variants):
        games = np.flatnonzero(np.array(variants) == variant)
        held[games[-variant % HELD_OUT :: HELD_OUT]] = True
    return held


def check_rows(record: Json, features: int, stages: int) -> None:
    """ValueError unless a record holds positions with these numbers of features and stages."""
    rows: Rows = read(Rows, record)
    number = len(rows.seats)
    lengths = {len(rows.stages), len(rows.features), len(rows.results)}
    if lengths != {number} or any(len(row) != features for row in rows.features):
        raise ValueError(f"does not have {number} rows of {features} features")
    for stage in rows.stages:
        need(0 <= stage < stages, f"0 to {stages - 1}", stage, "stages")


def records_of(folder: Path, like: Round) -> list[Json]:
    """The games of all rounds of another run, with their tasks.

    Raises:
        JournalError: there are none, a journal is damaged, or game, deck or rules differ from those of `like`.
    """
    journals = sorted(folder.glob(f"{ROUND.format('*')}/{JOURNAL}"))
    if not journals:
        raise JournalError(f"{folder}: expected the rounds of a run of `chocofactory train value`, got none")
    here, records = read(_Shared, like.settings()), list[Json]()
    for journal in journals:
        lines, _ = read_lines(journal, JournalError, "its game is left out")
        for number, line in enumerate(lines, start=1):
            try:
                if number == 1:
                    there = read(_Shared, line)
                    found = listed(differences(*map(msgspec.to_builtins, (there, here))))
                    need(there == here, "games like those of this run", there, found=found)
                else:
                    task, rows = read(_Line, line).task, line["result"]
                    like.check_result(task, rows)
                    records.append(task | rows)
            except ValueError as error:
                raise JournalError(f"{journal}, line {number}: {error}") from error
    if not records:
        raise JournalError(f"{folder}: expected the games of a run, got none")
    return records


def with_run(data: Data, other: Data) -> Data:
    """Combine two runs, shifting the other's results to the mean of this one in every stage.

    Only differences between positions matter to an agent, and games with another number of players have another mean.
    """
    results = other.results.copy()
    for stage in np.intersect1d(data.stages, other.stages):
        results[other.stages == stage] += mean_in(data, stage) - mean_in(other, stage)
    moved = other._replace(results=results)
    return Data(*(np.concatenate(columns) for columns in zip(data, moved, strict=True)))


def mean_in(data: Data, stage: int) -> np.float32:
    mean: np.float32 = data.results[data.stages == stage].mean()
    return mean


def fit(data: Data, stages: int, prior: np.ndarray, ridge: float) -> LearnedValue:
    """Fit a value to the results by ridge regression.

    A feature's weight in a stage is a + b u + c (u^2 - 1/2), where u goes from -1 in the first stage to 1 in the last
    valued one. Each stage has its own constant. prior: (F,) weights to which the fit is added. Features are first
    divided by their standard deviation, so that the penalty treats all alike.
    """
    mean, deviation = data.features.mean(0), data.features.std(0) + 0.05
    varies = data.features.std(0) > 1e-6
    x = ((data.features - mean) / deviation)[:, varies].astype(np.float64)
    bends = bends_of(data.stages, stages)
    each = np.eye(stages)[data.stages] * 5.0
    z = np.concatenate([x * bends[:, [term]] for term in range(3)] + [each], axis=1)
    y = data.results - data.features @ prior
    found = np.linalg.solve(z.T @ z + ridge * np.eye(z.shape[1]), z.T @ (y - y.mean()))
    number = int(varies.sum())
    terms = found[: 3 * number].reshape(3, number)
    weights = np.zeros((stages, len(mean)))
    weights[:, varies] = (bends_of(np.arange(stages), stages) @ terms) / deviation[varies]
    constant = y.mean() + 5.0 * found[3 * number :] - weights @ mean
    return LearnedValue(constant.astype(np.float32), (weights + prior).astype(np.float32))


def bends_of(at: np.ndarray, stages: int) -> np.ndarray:
    """(N, 3): 1, u and u^2 - 1/2 of each stage. The last stage is not valued, as its results are known."""
    u = 2.0 * at / max(1, stages - 2) - 1.0
    return np.stack([np.ones_like(u), u, u * u - 0.5], axis=1)


def predicted(value: LearnedValue, data: Data) -> np.ndarray:
    """(N,) float32: the value of each row."""
    return np.asarray(value.constant[data.stages] + (data.features * value.weights[data.stages]).sum(1))


def explained(value: LearnedValue, data: Data) -> list[float | None]:
    """The share of the results' variance that a value explains, by stage; None without rows."""
    found = predicted(value, data)
    shares: list[float | None] = []
    for stage in range(int(data.stages.max()) + 1):
        rows = data.stages == stage
        if not rows.any():
            shares.append(None)
            continue
        left = np.square(data.results[rows] - found[rows]).mean()
        shares.append(round(float(1.0 - left / max(1e-9, data.results[rows].var())), 3))
    return shares


def spread_of(value: LearnedValue, data: Data, stages: int) -> list[float]:
    """(S,): the standard deviation of the results from the value, by stage; at least 1."""
    found = predicted(value, data)
    spread = [1.0] * stages
    for stage in np.unique(data.stages).tolist():
        rows = data.stages == stage
        spread[stage] = max(1.0, round(float(np.sqrt(np.square(data.results[rows] - found[rows]).mean())), 3))
    return spread


# --- rounds


def play_rounds(config: Config, folder: Path, *, progress: bool = True, **workers: Any) -> str | None:
    """Play and fit all rounds; the last round's value is the result. Returns a message if it was interrupted.

    workers: see `arena.workers.Workers`.
    """
    variants = subject_of(config.game).variants
    numbers = ", ".join(map(str, variants))
    need(config.players in variants, f"{numbers}, for which {config.game} has values", config.players, "players")
    note_measured(config.decks)
    others = [records_of(Path(each), Round(config, 0, None)) for each in config.add]
    value = Path(config.start) if config.start else None
    records: list[Json] = []
    for number in range(config.rounds):
        series = Round(config, number, value)
        place = folder / ROUND.format(number + 1)
        outcome = play(series, series, place, progress=progress, ends=(Exception,), **workers)
        if outcome.interrupted:
            return outcome.message()
        records += outcome.records
        value = fit_round(config, number, records, others, place)
    return None


def fit_round(
    config: Config,
    number: int,
    records: Sequence[Json],
    others: Sequence[Sequence[Json]],
    place: Path,
) -> Path:
    """Fit to the games of all rounds so far, or of the latest, write the value, and return its path.

    others: the games of each added run.
    """
    subject = subject_of(config.game)
    game: Any = cf.load(config.game, num_players=config.players)
    prior = subject.prior(game.value_features) * subject.prior_share[config.players]
    features = len(game.value_features)
    latest, fitted = records[-config.games :], records[-config.latest * config.games :]
    data = data_of(fitted, features)
    for other in others:
        data = with_run(data, data_of(other, features))
    held = data.held_out
    trial = fit(data.of(~held), game.value_stages, prior, config.ridge)
    report = {
        "round": number + 1,
        "games": len(records),
        "fitted": len(fitted),
        "added": sum(map(len, others)),
        "rows": len(data.stages),
        "mean": round(float(np.mean([result for record in latest for result in record["results"]])), 3),
        "explained": explained(trial, data.of(held)),
        "explained_in_training": explained(trial, data.of(~held)),
        "spread": spread_of(trial, data.of(held), game.value_stages),
        "seconds": round(sum(record["seconds"] for record in latest), 1),
    }
    about = {"config": msgspec.to_builtins(config), "deck": game.deck_hash, "rules": game.rules_version, **report}
    value = fit(data, game.value_stages, prior, config.ridge)
    write_value(place / VALUE, game.name, game.value_features, value, about | {"versions": versions()})
    print(json.dumps(report), file=sys.stderr)
    return place / VALUE


# --- shipping


LIMITS = "made for these variants and decks; the trial is a few games of `expert`, which uses this value"
TRIED = "expert"  # the agent that plays by the shipped value
TRIAL_DEALS = {1: 40, 2: 20, 3: 5, 4: 3}  # by number of players


def target_of(config: Config) -> Path:
    """The shipped file that the value replaces.

    Raises:
        ValueError: the game ships no values, has no `expert` for the trial, or uses a value fitted to another number of
            players with this one.
        ValueFileError: the shipped file is not a learned value.
    """
    shipped: Callable[[int], Path] | None = addition(AGENTS, config.game, "shipped_value", None)
    place = f"game {config.game!r}: agents/{config.game}/__init__.py"
    if shipped is None:
        raise ValueError(f"{place} names no shipped_value")
    if TRIED not in agents_of(config.game):
        raise ValueError(f"{place} names no agent {TRIED!r}, which plays the trial of a shipped value")
    target: Path = shipped(config.players)
    fitted_to = about_value(target)["config"]["players"] if target.exists() else config.players
    if fitted_to != config.players:
        raise ValueError(
            f"{target.name} is fitted to games of {fitted_to} players, not {config.players}, and shipped for both"
        )
    return target


def install(config: Config, folder: Path) -> Path:
    """Install the last round's value with a card, and return its path. For errors see `target_of`."""
    target = target_of(config)
    rounds = [folder / ROUND.format(number + 1) / VALUE for number in range(config.rounds)]
    target.parent.mkdir(exist_ok=True)
    card_of(target).unlink(missing_ok=True)  # it describes the previous value
    write_text(target, rounds[-1].read_text(encoding="utf-8"))
    agents = [TRIED, *[rival_of(config.game)] * (config.players - 1)]
    trial = Trial(agents=agents, deals=TRIAL_DEALS[config.players]).played(config.game)
    card(config, target, [about_value(place) for place in rounds], [trial]).write(target)
    return target


def card(config: Config, target: Path, reports: Sequence[Mapping[str, Any]], trials: list[Trial]) -> Card:
    """The card of the value in `target`. reports: what the files of all rounds say about themselves."""
    about, game = reports[-1], cast(Any, cf.load(config.game, num_players=config.players))
    options = subject_of(config.game).variants[config.players]
    features, stages = len(game.value_features), game.value_stages - 1
    changed = {name: value for name, value in about["config"].items() if value != getattr(Config(), name)}
    words = " ".join(f"--{key} {' '.join(it) if isinstance(it, list) else it}" for key, it in changed.items())
    minutes = round(sum(report["seconds"] for report in reports) / 60, 1)
    kept = ("round", "games", "fitted", "added", "mean", "explained", "explained_in_training")
    return Card(
        title=f"`{target.stem}`: the learned value for {config.players} player{'s' if config.players > 1 else ''}",
        kind="value",
        game=config.game,
        players=[config.players],
        variants=[", ".join(f"{key} {value}" for key, value in each.items()) or "defaults" for each in options],
        deck=about["deck"],
        decks=list(config.decks),
        rules=about["rules"],
        model={"features": features, "stages": stages},
        parameters=features * stages,
        digest=digest_of_value(target),
        data=f"{about['games']:,} games in rounds of {config.games:,}{_fitted(config, about)}",
        minutes=minutes,
        seed=config.seed,
        versions=about["versions"],
        limits=LIMITS,
        made=[Made(f"training.value {words} --out runs/value/{target.stem} --ship", minutes)],
        rounds=[{name: each[name] for name in kept} | {"minutes": round(each["seconds"] / 60, 1)} for each in reports],
        trials=trials,
    )


def _fitted(config: Config, about: Mapping[str, Any]) -> str:
    """The games that the value is fitted to, in words, unless they are simply those of all rounds."""
    latest = f", fitted to the latest {about['fitted']:,}" if about["fitted"] < about["games"] else ""
    runs = ", ".join(f"`{Path(each).name}`" for each in config.add)
    return latest + (f", and to {about['added']:,} of {runs}" if runs else "")


def program(
    config: Config,
    out: Path,
    *,
    processes: Number | None = None,
    ray: str | None = None,
    time_out: float | None = None,
    ship: bool = False,
) -> str:
    """Fit a value to games, in rounds of playing and fitting. After a stop, the same command goes on.

    Args:
        config: settings
        out: folder of the rounds
        processes: how many play (1; on a Ray cluster as many as it has CPUs)
        ray: play on a Ray cluster, at auto, HOST:PORT or ray://HOST:PORT; local starts one of this machine
        time_out: seconds that a game may take
        ship: install the value of the last round, with its card
    """
    if ship:
        target_of(config)  # reports problems before hours of play
    stopped = play_rounds(config, out, processes=processes, ray=ray, time_out=time_out)
    if stopped:
        raise KeyboardInterrupt(stopped)
    return str(install(config, out) if ship else out / ROUND.format(config.rounds) / VALUE)


def main(arguments: Sequence[str] | None = None) -> None:
    print(call(program, "value", arguments, config=Config()))


if __name__ == "__main__":
    main()
