"""Expert iteration: the network plays, a searching agent labels its decisions, and the network learns the labels.

    python -m training.expert_iteration --players 1 --start runs/imitation-solo/best.safetensors --out runs/expert-solo
    python -m training.expert_iteration --players 2 3 4 --expert mcts:simulations=100 --out runs/expert

Imitation alone shows a network only positions from the expert's play; its own play soon leads to others, and here it
learns from those. Each round has three steps. The network plays games with sampled actions. The expert chooses an
action for every decision, with hidden information resampled, so that it sees no more than a player. The network learns
from all rounds so far. Without `--start`, a new network plays the first round.

A stopped run keeps the expert's answers. Learning is saved every minute.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

import numpy as np
import torch
from torch import Tensor
from tqdm import tqdm

import chocofactory_env as cf
from agents.by_game import addition
from agents.files import check
from agents.networks.checkpoint import Checkpoint, CheckpointError, about_network, load_checkpoint, save_checkpoint
from agents.networks.network import Network
from agents.protocol import HELP, AnyAgent, decide, make_agent, reset, sources_of
from arena.match import versions
from arena.series import Journal, Json, Task
from arena.tasks import WorkersError
from arena.workers import add_ray, cluster, results_of
from chocofactory_env import Game
from chocofactory_env.core.command import CommandParser, folder_to_write
from chocofactory_env.core.kernel.variants import GameSet
from chocofactory_env.core.messages import shown
from chocofactory_env.core.reading import Integer

from .dataset import DatasetError, read_dataset
from .evaluate import evaluated, legal_log_probs, win_rates
from .imitate import Config as Imitation
from .imitate import Imitator, Lessons
from .runs import (
    BEST,
    LAST,
    Run,
    RunError,
    Slice,
    add_minutes,
    device_of,
    end_as_stopped,
    optimiser_tensors,
    restore_optimiser,
)
from .self_play import sample_actions
from .settings import add_settings, check_limits, first_network, game_setting, given, load_game, origin, setting

FIRST_DEAL = 10_000_000_000  # above the deals of evaluations, trials, and benchmarks, for every seed
LEARNING = "learning.safetensors"  # checkpoint within a round
POSITIONS = "positions"  # folder of positions and of the expert's answers
DECISIONS = ("raw", "masks", "actions", "won", "deals")  # of a round: the network's view and the expert's actions
AT_ONCE = 50  # positions per task of the expert; few, so that many workers finish together
HELD_OUT = 20  # one of this many games is held out


@dataclass(frozen=True)
class Config:
    """What a run is made of."""

    game: str = game_setting()
    players: tuple[int, ...] = setting((1,), "numbers of players", least=1)
    options: Mapping[str, Any] = setting({}, "options of the game, as JSON")
    network: Mapping[str, Any] = setting(
        {}, "kind and sizes of the network as JSON; empty: those of --start, else the game's default"
    )
    expert: str = setting("", f"searching agent; empty: the game's own expert. {HELP}")
    rounds: int = setting(10, "rounds of playing and learning", least=1)
    games: int = setting(300, "games in a round for each number of players; at least one is held out", least=2)
    temperature: float = setting(1.0, "sampling temperature of the network's play", least=1e-3)
    epochs: int = setting(2, "passes over all decisions so far in each round", least=1)
    minibatch: int = setting(256, "decisions in a minibatch", least=1)
    learning_rate: float = setting(1e-3, "learning rate at the start of a round; cosine decay to 0", least=0)
    value_weight: float = setting(0.5, "weight of the value loss", least=0)
    evaluate_deals: int = setting(
        200, "deals of an evaluation after each round, against the game's rival or alone", least=1
    )
    seed: int = setting(0, "random seed", least=0)
    device: str = setting("cpu", "or cuda")
    threads: int = setting(2, "threads of torch", least=1)
    processes: int = setting(2, "processes that ask the expert, without a Ray cluster; may change on resuming", least=1)

    @property
    def asked(self) -> str:
        """The expert's name, by default the game's."""
        return self.expert or addition("training", self.game, "EXPERT", "mcts")

    def __post_init__(self) -> None:
        """ValueError for settings with which nothing could be learned."""
        check_limits(self)
        if not self.players or len(set(self.players)) < len(self.players):
            raise ValueError(f"players: expected different numbers, got {self.players}")


# --- playing


class Played(NamedTuple):
    """The K unforced decisions of finished games, in the order of the games."""

    states: np.ndarray  # (K, 1) records
    raw: np.ndarray  # (K, R) of the layout's raw_dtype
    masks: np.ndarray  # (K, A) int8
    won: np.ndarray  # (K,) float32, whether the deciding seat won
    deals: np.ndarray  # (K,) int64


def play(game: Game, network: Network, deals: Sequence[int], temperature: float = 1.0) -> Played:
    """Play the deals in parallel. The network plays all seats, sampling with torch's generator."""
    batch = cf.SelfPlayBatch(game, len(deals), autoreset=False, scaled=False)
    step = batch.reset(seed=list(deals))
    chosen: list[tuple[np.ndarray, ...]] = []  # per step: rows, seats, states, observations, masks
    while not step.dones.all():
        actions = step.action_masks.argmax(1)
        rows = np.flatnonzero(~step.dones & (np.count_nonzero(step.action_masks, axis=1) > 1))
        if len(rows):
            raw, masks = step.observations[rows], step.action_masks[rows]
            states = np.stack([batch.state(row) for row in rows.tolist()])
            chosen.append((rows, step.current_player[rows].copy(), states, raw, masks))
            log_probs = legal_log_probs(network, raw, masks, batch.rules(rows)) / temperature
            actions[rows] = sample_actions(log_probs).cpu().numpy()
        step = batch.step(actions)
    rows, seats, states, raw, masks = (np.concatenate(parts) for parts in zip(*chosen, strict=True))
    won = batch.results(np.arange(len(deals)))["won"]
    by_game = np.argsort(rows, kind="stable")
    return Played(
        *(each[by_game] for each in (states, raw, masks, won[rows, seats].astype(np.float32), np.array(deals)[rows]))
    )


class Positions(NamedTuple):
    """At most AT_ONCE positions of a round."""

    task: Task  # the number of the first one
    states: np.ndarray  # (K, 1) records


class Answers(TypedDict):
    """A journal line after its task: an action for each position."""

    actions: list[Integer]


@dataclass(frozen=True)
class Advice:
    """Asks the expert for an action in each position."""

    variant: str  # the run's settings `game` and `options`, as JSON
    players: int
    expert: str

    def __call__(self, positions: Positions) -> list[int]:
        game, expert = game_and_expert(self.variant, self.players, self.expert)
        actions = []
        for state in positions.states:
            reset(expert, 0)  # makes the answer independent of earlier questions
            actions.append(int(decide(game, expert, np.array(state))))
        return actions


@cache
def game_and_expert(variant: str, players: int, expert: str) -> tuple[Game, AnyAgent]:
    """The game and the expert, one of each per process."""
    name, options = json.loads(variant)
    game = cf.load(name, **{**options, "num_players": players})
    return game, make_agent(expert, game)


@dataclass(frozen=True)
class Questions:
    """The positions of a round for one number of players, as a series that a journal can hold."""

    game: Game
    expert: str
    played: Played

    @property
    def tasks(self) -> list[Task]:
        """The number of each task's first position."""
        return [(first,) for first in range(0, len(self.played.states), AT_ONCE)]

    @cached_property
    def positions(self) -> str:
        """SHA-256 of all positions."""
        return hashlib.sha256(self.played.states.tobytes()).hexdigest()

    def settings(self) -> dict[str, Any]:
        return {
            "series": "expert iteration",
            "game": self.game.name,
            "options": dict(self.game.options),
            "deck": self.game.deck_hash,
            "rules": self.game.rules_version,
            "expert": self.expert,
            **sources_of([self.expert], make_agent, self.game),
            "positions": self.positions,
            "versions": versions(),
        }

    def check_record(self, task: Task, record: Json) -> None:
        """ValueError, naming the field, unless the record has a legal action for each position of the task."""
        check(record, Answers)
        actions, masks = record["actions"], self._of(self.played.masks, task)
        if len(actions) != len(masks):
            raise ValueError(f"has {len(actions)} actions for {len(masks)} positions")
        for number, (action, mask) in enumerate(zip(actions, masks, strict=True)):
            if not 0 <= action < len(mask) or not mask[action]:
                raise ValueError(f"has in actions[{number}] {action}, which is not legal there")

    def asked(
        self, path: Path, config: Config, ray: str | None, progress: bool, pause: Callable[[], None]
    ) -> np.ndarray:
        """(K,) int64: the expert's actions, of which those in a journal beside `path` are reused.

        path: the file for the round's decisions once all are answered.
        pause: called after every answer.

        Raises:
            JournalError: the journal is damaged, or the expert or the rules have changed since it was begun.
            WorkersError: see `results_of`.
        """
        advice = Advice(json.dumps([config.game, dict(config.options)]), self.game.num_players, self.expert)
        # Named by the positions: a GPU may replay a stopped round differently, and then old answers do not apply.
        with Journal(path.with_name(f"{path.stem}-{self.positions[:12]}.jsonl"), self) as journal:
            left = [Positions(t, self._of(self.played.states, t)) for t in self.tasks if t not in journal.records]
            number, unanswered = len(self.played.states), sum(len(each.states) for each in left)
            about = f"{path.stem}: asking"
            bar = tqdm(total=number, initial=number - unanswered, desc=about, unit="position", disable=not progress)
            with bar, results_of(advice, left, None if ray else config.processes, ray) as results:
                for positions, actions in results:
                    journal.add(positions.task, {"actions": actions})
                    bar.update(len(actions))
                    pause()
            answers = [journal.records[task]["actions"] for task in self.tasks]
        return np.array([action for actions in answers for action in actions], np.int64)

    def _of(self, rows: np.ndarray, task: Task) -> np.ndarray:
        return rows[task[0] : task[0] + AT_ONCE]


def play_round(
    config: Config,
    games: Sequence[Game],
    network: Network,
    number: int,
    folder: Path,
    progress: bool,
    ray: str | None = None,
    pause: Callable[[], None] = lambda: None,
) -> None:
    """Play, ask, and save the decisions in a file per number of players. It can be stopped and called again.

    ray: the address of a cluster for the expert; None: this machine.
    pause: called after every answer of the expert.
    """
    torch.set_num_threads(config.threads)
    torch.manual_seed(config.seed * 1000 + number)
    folder.mkdir(exist_ok=True)
    first_deal = FIRST_DEAL + config.seed * 1_000_000 + number * config.games
    for game in games:
        path = file_of(folder, number, game.num_players)
        played = play(game, network, range(first_deal, first_deal + config.games), config.temperature)
        actions = Questions(game, config.asked, played).asked(path, config, ray, progress, pause)
        arrays = (played.raw, played.masks, actions, played.won, played.deals)
        kept = dict(zip(DECISIONS, map(torch.from_numpy, arrays), strict=True))
        save_checkpoint(path, about_network(network, game), {POSITIONS: kept})


def file_of(folder: Path, number: int, players: int) -> Path:
    """The file of a round's decisions: a checkpoint without a network, so that reading validates it."""
    return folder / f"{number}-{players}.safetensors"


def lessons_of(folder: Path, rounds: int, config: Config) -> list[Lessons]:
    """All decisions of the first rounds, by number of players. Every twentieth game of a round is held out.

    Raises CheckpointError if a round's file is missing, damaged or of another game.
    """
    lessons = []
    for players in config.players:
        game = load_game(config, players)
        parts = [decisions_of(file_of(folder, number, players), game) for number in range(1, rounds + 1)]
        held_out = np.concatenate([(part["deals"] - part["deals"].min()) % HELD_OUT == 0 for part in parts])
        raw, masks, actions, won = (torch.cat([part[name] for part in parts]) for name in DECISIONS[:4])
        games, where = GameSet.of(game), (np.flatnonzero(~held_out), np.flatnonzero(held_out))
        lessons.append(Lessons(games, np.zeros(len(raw), np.int64), raw, masks, actions, won, *where, {}))
    return lessons


def decisions_of(path: Path, game: Game) -> dict[str, Tensor]:
    """The decisions in a round's file, by name as in DECISIONS; CheckpointError if they cannot belong to `game`."""
    checkpoint = load_checkpoint(path)
    kept = checkpoint.of(POSITIONS)
    rows = len(kept.get("actions", ()))
    size, actions = game.observation_layout.raw_size, game.num_actions
    raw_dtype = torch.from_numpy(np.empty(0, game.observation_layout.raw_dtype)).dtype
    expected = {
        "raw": (raw_dtype, (rows, size)),
        "masks": (torch.int8, (rows, actions)),
        "actions": (torch.int64, (rows,)),
        "won": (torch.float32, (rows,)),
        "deals": (torch.int64, (rows,)),
    }
    found = {name: (tensor.dtype, tuple(tensor.shape)) for name, tensor in kept.items()}
    if not rows or found != expected:
        raise CheckpointError(f"{path}: expected decisions of {expected}, got {shown(found)}")
    chosen = kept["actions"]
    if not bool(((chosen >= 0) & (chosen < actions)).all()) or not bool(kept["masks"].gather(1, chosen[:, None]).all()):
        raise CheckpointError(f"{path}: it has actions that were not legal")
    return kept


# --- the run


def iterate(
    config: Config,
    folder: Path,
    *,
    start: Path | None = None,
    data: Sequence[Path] = (),
    resume: bool = False,
    ray: str | None = None,
    minutes: float | None = None,
    progress: bool = True,
) -> Path:
    """Play and learn round by round, and return the path of the best checkpoint.

    A stopped run resumes in the same round, with the expert's answers. Ctrl-C raises KeyboardInterrupt, and loses at
    most a minute of learning.

    start: a checkpoint whose network plays the first round.
    data: folders of `training.dataset` with games of the expert, used in every round too.
    ray: the address of a Ray cluster for the expert, in place of `config.processes`; see `arena.workers`.
    minutes: limit after which it saves and raises KeyboardInterrupt.

    Raises:
        RunError, CheckpointError, DatasetError, ValueError: see `Run`, `load_checkpoint`, `read_dataset`, `make_agent`,
            `make_network`.
        JournalError: see `Questions.asked`.
        WorkersError: see `arena.workers.cluster`.
    """
    recorded = [Lessons.of(read_dataset(each, unfinished=True), imitation(config, 0)) for each in data]
    asked = dataclasses.asdict(config) | {"data": [each.settings for each in recorded]}
    games = [load_game(config, players) for players in config.players]
    torch.manual_seed(config.seed)
    network = first_network(games[0], config.network, start).to(device_of(config.device))
    config = dataclasses.replace(config, network=network.settings())
    for game in [*games, *(each.game for each in recorded)]:
        make_agent(config.asked, game)
        network.accept(game)
    part = Slice(minutes)
    with Run(folder, asked | origin(start), resume=resume, free=["processes"]) as run, cluster(ray):
        run.evaluations("score")  # finds a missing file before hours of play, as below a damaged one
        if run.checkpoint is None:
            about = {**about_network(network, games[0]), "trained_for_players": list(config.players), "iteration": 0}
            run.save(LAST, about, {"network": network.state_dict()})
        done = 0 if run.checkpoint is None else run.checkpoint.entry("iteration")
        if 0 < done < config.rounds:
            lessons_of(folder / POSITIONS, done, config)
        for number in range(done + 1, config.rounds + 1):
            learned = load_checkpoint(folder / LAST)
            learned.resume(network, games[0])
            begun = learning_of(folder, number)
            if begun is None:
                pause = partial(part.pause, lambda: None)  # the journal saves every answer
                play_round(config, games, network.eval(), number, folder / POSITIONS, progress, ray, pause)
            imitator = Imitator(imitation(config, number), [*lessons_of(folder / POSITIONS, number, config), *recorded])
            begin_round(imitator, learned, begun)
            save = partial(imitator.save, run, LEARNING, round=number)
            measured = learn_round(config, imitator, games, progress, partial(part.pause, save))
            save_round(run, imitator, number, measured)
            part.step()
            print(progress_line(number, measured), file=sys.stderr)
    return folder / BEST


def learning_of(folder: Path, number: int) -> Checkpoint | None:
    """The checkpoint of a round stopped while learning, if there is one."""
    path = folder / LEARNING
    checkpoint = load_checkpoint(path) if path.exists() else None
    return checkpoint if checkpoint is not None and checkpoint.entry("round") == number else None


def begin_round(imitator: Imitator, learned: Checkpoint, begun: Checkpoint | None) -> None:
    """Restore what was learned in earlier rounds, or in this round before it was stopped."""
    if begun is not None:
        imitator.resume_from(begun)
        return
    learned.resume(imitator.network, imitator.lessons[0].game)
    restore_optimiser(imitator.optimiser, learned)


def learn_round(
    config: Config, imitator: Imitator, games: Sequence[Game], progress: bool, pause: Callable[[], None]
) -> dict[str, float]:
    """Learn from all decisions so far, and return the measurements. pause: called between minibatches."""
    measured: dict[str, float] = {}
    while imitator.epoch < config.epochs:
        measured = imitator.learn(progress, pause)
    measured |= evaluated(imitator.network.eval(), games, config.evaluate_deals)
    measured["decisions"] = sum(len(each.actions) for each in imitator.lessons)
    return measured


def save_round(run: Run, imitator: Imitator, number: int, measured: Mapping[str, float]) -> None:
    """Save the measurements and the checkpoint, also as the best one if no earlier round scored as high."""
    about = imitator.about() | {"iteration": number, "score": measured["score"]}
    tensors = {"network": imitator.network.state_dict()}
    if all(measured["score"] > line["score"] for line in run.evaluations("score")):
        run.save(BEST, about, tensors)
    run.log(number, measured)
    run.save(LAST, about, {**tensors, "optimiser": optimiser_tensors(imitator.optimiser)})
    (run.folder / LEARNING).unlink(missing_ok=True)


def imitation(config: Config, number: int) -> Imitation:
    """The settings of a round's imitation."""
    return Imitation(
        network=config.network,
        epochs=config.epochs,
        minibatch=config.minibatch,
        learning_rate=config.learning_rate,
        value_weight=config.value_weight,
        evaluate_deals=config.evaluate_deals,
        seed=config.seed * 1000 + number,
        device=config.device,
        threads=config.threads,
    )


def progress_line(number: int, measured: Mapping[str, float]) -> str:
    return (
        f"round {number}: {measured['decisions']:,} decisions, loss {measured['loss']:.3f},"
        f" held out {measured['held_out/loss']:.3f}, agreed {measured['held_out/agreed']:.1%},"
        f" won: {win_rates(measured)}"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = CommandParser(prog="python -m training.expert_iteration", description="Learn from a searcher.")
    parser.add_argument("--out", type=folder_to_write, required=True, help="folder of the run")
    parser.add_argument("--start", type=Path, help="checkpoint to start from")
    parser.add_argument("--data", type=Path, nargs="+", default=(), help="games of the expert to learn from as well")
    parser.add_argument("--resume", action="store_true", help="resume the run in the folder")
    add_minutes(parser)
    add_ray(parser)
    add_settings(parser, Config)
    chosen = parser.parse_args(arguments)
    try:
        config = Config(**given(chosen, Config))
        best = iterate(
            config,
            chosen.out,
            start=chosen.start,
            data=chosen.data,
            resume=chosen.resume,
            ray=chosen.ray,
            minutes=chosen.minutes,
        )
    except (RunError, CheckpointError, WorkersError, DatasetError, ValueError) as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        end_as_stopped("stopped; --resume continues it")
    print(f"best: {best}")


if __name__ == "__main__":
    main()
