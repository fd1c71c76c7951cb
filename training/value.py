"""Learn a value of positions, as used by `expert`, in rounds of playing and fitting.

    python -m training.value --players 1 --out runs/value/solo
    python -m training.value --players 2 --rounds 3 --games 1500 --out runs/value/two --ship

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
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, NamedTuple, Protocol, TypedDict, Unpack, cast

import numpy as np
from msgspec import Meta

import chocofactory_env as cf
from agents.by_game import addition, hook
from agents.files import check, listed, read_json, read_lines, write_json
from agents.protocol import agents_of, decide, reset
from agents.values import LearnedValue, about_value, digest_of_value, write_value
from arena.games import versions
from arena.options import add_workers, workers_of
from arena.play import JOURNAL, JournalError, Json, Task, differences, play
from arena.workers import Workers
from chocofactory_env import Game
from chocofactory_env.core.command import CommandParser, folder_to_write
from chocofactory_env.core.files import write_text
from chocofactory_env.core.reading import Integer

from .cards import FIRST_TRIAL, Trial, write_card
from .settings import add_settings, check_limits, game_setting, given, setting

HELD_OUT = 5  # one of this many games is held out
DIGITS = 4  # decimals of features
ROUND = "round-{}"
NOT_PLAYED_BY = ("rounds", "start", "add", "latest", "ridge")  # settings that do not affect a round's games
VALUE = "value.json"
SECONDS = "seconds.json"  # beside the journal: the round's time so far


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
    subject = hook("training", game, "VALUE")
    if subject is None:
        raise ValueError(f"game {game!r}: training/{game}/__init__.py names no VALUE, so there is nothing to fit")
    return cast(Subject, subject)


@dataclass(frozen=True)
class Config:
    game: str = game_setting()
    players: int = setting(1, "number of players", 1)
    rounds: int = setting(3, "rounds of playing and fitting", 1)
    games: int = setting(1500, "games of a round", HELD_OUT)
    width: int = setting(32, "width of the players' search", 1)
    seed: int = setting(500_000, "seed of the first deal; rounds follow each other", 0)
    start: str = setting(
        "", "file of a value by which the first round is played, in place of the game's own evaluation"
    )
    add: tuple[str, ...] = setting((), "folders of other runs of the game, to whose games the value is fitted too")
    latest: int = setting(0, "rounds to whose games a value is fitted, the latest ones; 0: all", 0)
    ridge: float = setting(300.0, "weight of the penalty on the weights", 0.0)


# --- playing


class _ConfigThere(TypedDict):
    game: str


class _Settings(TypedDict):
    """The settings in a journal's first line that another run must share."""

    series: str
    config: _ConfigThere
    deck: str
    rules: Integer


class _Task(TypedDict):
    deal: Integer
    variant: Integer


class _Line(TypedDict):
    task: _Task
    result: Json


class _Seconds(TypedDict):
    seconds: Annotated[float, Meta(ge=0)]


class _Rows(TypedDict):
    seats: list[Integer]
    stages: list[Integer]
    features: list[list[float]]
    results: list[float]


@dataclass(frozen=True)
class Round:
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
        config = {name: value for name, value in asdict(self.config).items() if name not in NOT_PLAYED_BY}
        game = self.games[0]
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
        game: Any = self.games[0]
        check_rows(result, len(game.value_features), game.value_stages)

    def __call__(self, task: Task) -> Json:
        """Play one game."""
        seed, variant = task["deal"], task["variant"]
        subject, game = subject_of(self.config.game), self.games[variant]
        state = game.new(seed=seed)
        for seat, agent in enumerate(self.agents[variant]):
            reset(agent, cf.agent_seed(game, state, seat, 0))
        rows: list[Row] = []
        while not game.is_over(state):
            seat = game.current_player(state)
            before = game.clone(state)
            game.apply(state, decide(game, self.agents[variant][seat], state))
            row = subject.row_after(game, before, state, seat)
            if row is not None:
                rows.append(row)
        return {
            "seats": [row.seat for row in rows],
            "stages": [row.stage for row in rows],
            "features": [[round(float(number), DIGITS) for number in row.features] for row in rows],
            "results": [subject.result(game, state, row.seat) for row in rows],
        }

    @cached_property
    def games(self) -> list[Game]:
        """The games, by variant."""
        players = self.config.players
        variants = subject_of(self.config.game).variants[players]
        return [cf.load(self.config.game, **{**options, "num_players": players}) for options in variants]

    @cached_property
    def agents(self) -> list[list[Any]]:
        """The agents, by variant and seat."""
        explorer = subject_of(self.config.game).explorer
        return [[explorer(game, self.config.width, self.value) for _ in range(game.num_players)] for game in self.games]


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
    check(record, _Rows)
    number = len(record["seats"])
    lengths = {len(record[name]) for name in ("stages", "features", "results")}
    if lengths != {number} or any(len(row) != features for row in record["features"]):
        raise ValueError(f"does not have {number} rows of {features} features")
    for stage in record["stages"]:
        if not 0 <= stage < stages:
            raise ValueError(f"has a row of stage {stage}, expected 0 to {stages - 1}")


def records_of(folder: Path, like: Round) -> list[Json]:
    """The games of all rounds of another run, with their tasks.

    Raises:
        JournalError: there are none, a journal is damaged, or game, deck or rules differ from those of `like`.
    """
    journals = sorted(folder.glob(f"{ROUND.format('*')}/{JOURNAL}"))
    if not journals:
        raise JournalError(f"{folder}: expected the rounds of a run of `python -m training.value`, got none")
    records: list[Json] = []
    for journal in journals:
        lines, _ = read_lines(journal, JournalError, "its game is left out")
        if lines:
            check_journal(journal, lines[0], like)
        for number, line in enumerate(lines[1:], start=2):
            try:
                check(line, _Line)
                like.check_result(line["task"], line["result"])
            except ValueError as error:
                raise JournalError(f"{journal}, line {number} {error}; expected a game") from error
            records.append(line["task"] | line["result"])
    if not records:
        raise JournalError(f"{folder}: expected the games of a run, got none")
    return records


def check_journal(path: Path, settings: Json, like: Round) -> None:
    """JournalError if game, deck or rules in a journal's settings, the first line, differ from those of `like`."""
    here = {name: value for name, value in like.settings().items() if name in ("series", "deck", "rules")}
    try:
        check(settings, _Settings)
    except ValueError as error:
        raise JournalError(f"{path}, line 1 {error}; expected the settings of a round") from error
    there = {name: settings[name] for name in here}
    found = differences(there | {"game": settings["config"]["game"]}, here | {"game": like.config.game})
    if found:
        raise JournalError(f"{path} cannot be added: {listed(found)}")


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


def mean_result(records: Sequence[Json]) -> float:
    return round(float(np.mean([result for record in records for result in record["results"]])), 3)


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


def play_rounds(config: Config, folder: Path, *, progress: bool = True, **workers: Unpack[Workers]) -> str | None:
    """Play and fit all rounds; the last round's value is the result. Returns a message if it was interrupted.

    workers: see `arena.workers.Workers`.
    """
    check_config(config)
    others = [records_of(Path(each), Round(config, 0, None)) for each in config.add]
    value = Path(config.start) if config.start else None
    records: list[Json] = []
    for number in range(config.rounds):
        series = Round(config, number, value)
        place = folder / ROUND.format(number + 1)
        begun = perf_counter()
        outcome = play(series, series, place, progress=progress, ends=(Exception,), **workers)
        seconds = keep_seconds(place, perf_counter() - begun)
        if outcome.interrupted:
            return outcome.message()
        records += outcome.records
        value = fit_round(config, number, records, others, place, seconds)
    return None


def keep_seconds(place: Path, more: float) -> float:
    """Add to the round's seconds, and return the total. A run that only reads the games adds none."""
    if (place / VALUE).exists():
        return float(about_value(place / VALUE)["seconds"])
    path = place / SECONDS
    before = read_json(path, _Seconds, JournalError, "the seconds of a round")["seconds"] if path.exists() else 0.0
    seconds = round(before + more, 1)
    write_json(path, {"seconds": seconds})
    return seconds


def check_config(config: Config) -> None:
    """ValueError, naming the problem, if nothing could be fitted."""
    check_limits(config)
    variants = subject_of(config.game).variants
    if config.players not in variants:
        numbers = ", ".join(map(str, variants))
        raise ValueError(f"players: {config.game} has values for {numbers} players, got {config.players}")


def fit_round(
    config: Config,
    number: int,
    records: Sequence[Json],
    others: Sequence[Sequence[Json]],
    place: Path,
    seconds: float,
) -> Path:
    """Fit to the games of all rounds so far, or of the latest, write the value, and return its path.

    others: the games of each added run.
    """
    subject = subject_of(config.game)
    game: Any = cf.load(config.game, num_players=config.players)
    prior = subject.prior(game.value_features) * subject.prior_share[config.players]
    features = len(game.value_features)
    fitted = records[-config.latest * config.games :]
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
        "mean": mean_result(records[-config.games :]),
        "explained": explained(trial, data.of(held)),
        "explained_in_training": explained(trial, data.of(~held)),
        "spread": spread_of(trial, data.of(held), game.value_stages),
        "seconds": seconds,
    }
    about = {"config": asdict(config), "deck": game.deck_hash, "rules": game.rules_version, **report}
    value = fit(data, game.value_stages, prior, config.ridge)
    write_value(place / VALUE, game.name, game.value_features, value, about | {"versions": versions()})
    print(json.dumps(report), file=sys.stderr)
    return place / VALUE


# --- shipping


HEAD = """Generated by `python -m training.value ... --ship`; do not edit. The value is [`{name}.json`]({name}.json).
[How values are fitted](../../../docs/training.md#learned-values), [which agents use them](../../../docs/agents.md)."""
LIMITS = "made for these variants and this deck; the trial is a few games of `expert`, which uses this value"
NOTES = """| round | games so far | fitted to | mean of round | explained, held-out games | training games | minutes |
|---:|---:|---:|---:|---|---|---:|
{rounds}

`training/{game}/value.py` says what a result is. Players explore a little in these games.
*Explained* is the share of the results' variance that a fit to four fifths of the games explains, stage by stage."""
TRIED = "expert"  # the agent that plays by the shipped value
TRIAL_DEALS = {1: 40, 2: 20, 3: 5, 4: 3}  # by number of players


def target_of(config: Config) -> Path:
    """The shipped file that the value replaces.

    Raises:
        ValueError: the game ships no values, has no `expert` for the trial, or uses a value fitted to another number of
            players with this one.
        ValueFileError: the shipped file is not a learned value.
    """
    shipped: Callable[[int], Path] | None = addition("agents", config.game, "shipped_value", None)
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


def ship(config: Config, folder: Path) -> Path:
    """Install the last round's value with a card, and return its path. For errors see `target_of`."""
    target = target_of(config)
    rounds = [folder / ROUND.format(number + 1) for number in range(config.rounds)]
    target.parent.mkdir(exist_ok=True)
    target.with_suffix(".md").unlink(missing_ok=True)  # it describes the previous value
    write_text(target, (rounds[-1] / VALUE).read_text(encoding="utf-8"))
    from .recipes import run_command  # it needs torch

    words = trial_of(config)
    trials = [Trial(words, run_command(words))]
    write_text(target.with_suffix(".md"), card(config, target.stem, rounds, trials))
    return target


def trial_of(config: Config) -> tuple[str, ...]:
    """The command that plays TRIED, with the shipped value, against the game's rival on all other seats."""
    agents = [TRIED, *[addition("training", config.game, "RIVAL", "random")] * (config.players - 1)]
    words = ["arena.match", "--game", config.game, "--agents", *agents, "--deals", str(TRIAL_DEALS[config.players])]
    return (*words, "--seed", str(FIRST_TRIAL))


def card(config: Config, name: str, rounds: Sequence[Path], trials: Sequence[Trial]) -> str:
    """The model card."""
    reports = [about_value(place / VALUE) for place in rounds]
    about = reports[-1]
    game: Any = cf.load(config.game, num_players=config.players)
    changed = {key: value for key, value in asdict(config).items() if value != getattr(Config(), key)}
    options = " ".join(
        f"--{key} {' '.join(value) if isinstance(value, tuple) else value}" for key, value in changed.items()
    )
    variants = "; ".join(
        ", ".join(f"{key} {value}" for key, value in options.items()) or "defaults"
        for options in subject_of(config.game).variants[config.players]
    )
    minutes = sum(report["seconds"] for report in reports) / 60
    facts = {
        "Task": f"{config.game}, players {config.players}, deck `{about['deck'][:12]}`, rules {about['rules']}; "
        f"variants in turns: {variants}",
        "Model": f"a weight for each of {len(game.value_features)} features, in {game.value_stages - 1} stages",
        "Data": f"{about['games']:,} games in rounds of {config.games:,}{_fitted(config, about)}",
        "Time": f"{minutes:.0f} minutes in all",
        "Seed": f"{config.seed:,}",
        "Versions": ", ".join(f"{package} {version}" for package, version in about["versions"].items()),
        "Limits": LIMITS,
    }
    rows = "\n".join(
        f"| {report['round']} | {report['games']:,} | {report['fitted'] + report['added']:,} | {report['mean']:.2f} "
        f"| {shares(report['explained'])} | {shares(report['explained_in_training'])} | {report['seconds'] / 60:.0f} |"
        for report in reports
    )
    title = f"`{name}`: the learned value for {f'{config.players} players' if config.players > 1 else 'one player'}"
    made = [f"python -m training.value {options} --out runs/value/{name} --ship"]
    return write_card(title, HEAD.format(name=name), facts, made, NOTES.format(rounds=rows, game=config.game), trials)


def _fitted(config: Config, about: Mapping[str, Any]) -> str:
    """The games that the value is fitted to, in words, unless they are simply those of all rounds."""
    latest = f", fitted to the latest {about['fitted']:,}" if about["fitted"] < about["games"] else ""
    runs = ", ".join(f"`{Path(each).name}`" for each in config.add)
    return latest + (f", and to {about['added']:,} of {runs}" if runs else "")


def shares(explained: Sequence[float | None]) -> str:
    return " ".join("–" if share is None else f"{share:.2f}" for share in explained)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = CommandParser(prog="python -m training.value", description="Fit a value to games.")
    add_settings(parser, Config)
    parser.add_argument("--out", type=folder_to_write, required=True, help="folder of the rounds")
    add_workers(parser)
    parser.add_argument("--ship", action="store_true", help="install the value of the last round, with its card")
    chosen = parser.parse_args(arguments)
    config = Config(**given(chosen, Config))
    try:
        if chosen.ship:
            target_of(config)  # reports problems before hours of play
        stopped = play_rounds(config, chosen.out, **workers_of(chosen))
        if stopped is None and chosen.ship:
            print(ship(config, chosen.out))
    except (ValueError, JournalError) as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        stopped = "stopped; run the same command again to resume"
    if stopped:
        print(stopped)
        sys.exit(130)


if __name__ == "__main__":
    main()
