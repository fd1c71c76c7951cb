"""Expert iteration: the network plays, a searching agent says what it would have done, and the network learns that.

    python -m training.expert_iteration --players 1 --out runs/expert-solo
    python -m training.expert_iteration --players 2 3 4 --expert mcts:simulations=100 --out runs/expert

Imitation alone shows a network positions in which the expert has played well; on its own it soon comes into others.
Here it learns in the positions to which its own play leads: in each round it plays games, drawing its actions; at every
decision the expert is asked, too, and is handed a position dealt afresh, so that it cannot see more than a player. Then
the network learns from the decisions of all rounds so far. In a share of the games the expert's actions are played; in
the first round, if there is no network to start from, in all.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tqdm import tqdm

import chocofactory_env as cf
from agents.checkpoint import CheckpointError, load_checkpoint
from agents.dataset import DatasetError, read_dataset
from agents.learned import LearnedAgent
from agents.match import agent_seed
from agents.network import make_network
from agents.protocol import AnyAgent, decide, make_agent, reset
from agents.series import Task, results_of
from chocofactory_env import Game

from .evaluate import evaluated
from .imitate import Config as Imitation
from .imitate import Imitator, Lessons
from .runs import BEST, LAST, Run, RunError, optimiser_tensors, restore_optimiser
from .settings import add_settings, given, setting

FIRST_DEAL = 30_000_000  # apart from those of evaluation and of the benchmarks
POSITIONS = "positions"  # the folder of what was played
HELD_OUT = 20  # of so many games one is not learned from


@dataclass(frozen=True)
class Config:
    """What a run is made of."""

    players: tuple[int, ...] = setting((1,), "numbers of players; 1 is the solo game")
    options: Mapping[str, Any] = setting({}, "of the game, JSON")
    network: Mapping[str, Any] = setting({"kind": "entity"}, "JSON: kind and sizes; those of the start, if any")
    expert: str = setting("planner", "an agent that searches, see agents.protocol.make_agent")
    rounds: int = setting(10, "of playing and learning")
    games: int = setting(300, "played in each round for each number of players")
    experts_share: float = setting(0.1, "of the games, in which the expert's actions are played")
    epochs: int = setting(2, "passes over all decisions so far, in each round")
    minibatch: int = setting(1024, "decisions")
    learning_rate: float = setting(1e-3, "at the start of a round, falls to 0 along half a cosine")
    value_weight: float = setting(0.5, "of the error in who wins")
    evaluate_deals: int = setting(200, "after each round, against `greedy` or alone")
    seed: int = setting(0, "of everything")
    device: str = setting("cpu", "or cuda")
    threads: int = setting(2, "of torch")
    processes: int = setting(2, "that play")

    def __post_init__(self) -> None:
        """ValueError for settings with which nothing could be learned."""
        if self.games < 2:
            raise ValueError(f"games: expected at least 2, one of them to hold out, got {self.games}")
        for name in ("rounds", "epochs", "minibatch", "evaluate_deals", "threads", "processes"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}: expected at least 1, got {getattr(self, name)}")
        if self.seed < 0:
            raise ValueError(f"seed: expected 0 or more, got {self.seed}")


# --- playing


@dataclass(frozen=True)
class Lesson:
    """Plays a game; a task is the deal and the number of players.

    player: the network that plays; None: the expert does.
    """

    options: str  # of the game, as JSON
    expert: str
    player: Path | None
    experts_share: float

    def __call__(self, task: Task) -> dict[str, Any]:
        """The decisions that were not forced, (K, …): what was seen, what the expert would do, who won."""
        deal, players = task
        game, expert = table(self.options, players, self.expert)
        rng = np.random.default_rng((deal, players))
        learner = None
        if self.player is not None and rng.random() >= self.experts_share:
            learner = LearnedAgent(game, self.player, sample=True)
            learner.reset(agent_seed(deal, players, 0))
        raw, masks, actions, seats = [], [], [], []
        state = game.new(seed=deal)
        while not game.is_over(state):
            mask, seat = game.legal_mask(state), game.current_player(state)
            if np.count_nonzero(mask) == 1:
                game.apply(state, int(mask.argmax()))
                continue
            observation = game.observe(state, seat)
            reset(expert, 0)  # it answers for this position, whatever was played before
            action = decide(game, expert, state)
            raw.append(np.rint(np.asarray(observation) * game.observation_layout.high).astype(np.uint8))
            masks.append(mask)
            actions.append(action)
            seats.append(seat)
            game.apply(state, action if learner is None else learner(observation, mask))
        won = np.asarray(game.won(state), np.float32)
        return {
            "raw": np.array(raw),
            "masks": np.array(masks),
            "actions": np.array(actions, np.int64),
            "won": won[seats],
            "deals": np.full(len(actions), deal, np.int64),
        }


@cache
def table(options: str, players: int, expert: str) -> tuple[Game, AnyAgent]:
    """One for each process."""
    torch.set_num_threads(1)
    game = cf.load("chocofactory", num_players=players, **json.loads(options))
    return game, make_agent(expert, game)


def play_round(lesson: Lesson, tasks: Sequence[Task], folder: Path, name: str, processes: int, progress: bool) -> None:
    """Play, and keep the decisions in a file for each number of players."""
    played: dict[Task, dict[str, Any]] = {}
    bar = tqdm(total=len(tasks), desc=f"{name}: playing", unit="game", disable=not progress)
    with bar, results_of(lesson, list(tasks), processes) as results:
        for task, record in results:
            played[task] = record
            bar.update()
    folder.mkdir(exist_ok=True)
    for players in sorted({players for _, players in tasks}):
        games = [played[task] for task in tasks if task[1] == players]
        arrays = {key: np.concatenate([game[key] for game in games]) for key in games[0]}
        new = folder / f"{name}-{players}.new.npz"
        np.savez(new, **arrays)  # type: ignore[arg-type]  # NumPy's stub takes every keyword for `allow_pickle`
        new.replace(folder / f"{name}-{players}.npz")


def lessons_of(folder: Path, rounds: int, config: Config) -> list[Lessons]:
    """All decisions of the first rounds, by number of players; of each round every twentieth game is held out."""
    lessons = []
    for players in config.players:
        parts = [np.load(folder / f"{number}-{players}.npz") for number in range(1, rounds + 1)]
        held_out = np.concatenate([(part["deals"] - part["deals"].min()) % HELD_OUT == 0 for part in parts])
        raw, masks, actions, won = (
            torch.from_numpy(np.concatenate([part[key] for part in parts]))
            for key in ("raw", "masks", "actions", "won")
        )
        game = cf.load("chocofactory", num_players=players, **config.options)
        lessons.append(Lessons(game, raw, masks, actions, won, np.flatnonzero(~held_out), np.flatnonzero(held_out), {}))
    return lessons


# --- the run


def iterate(
    config: Config,
    folder: Path,
    *,
    start: Path | None = None,
    data: Sequence[Path] = (),
    resume: bool = False,
    progress: bool = True,
) -> Path:
    """Play and learn round by round, and return the path of the best checkpoint.

    A run that is stopped goes on with the round in which it was; of Ctrl-C the caller hears by KeyboardInterrupt.

    start: a checkpoint whose network plays the first round.
    data: folders of `agents.dataset`, games of the expert, that are learned from in every round too.

    Raises:
        RunError, CheckpointError, DatasetError, ValueError: see `Run`, `load_checkpoint`, `read_dataset`, `make_agent`,
            `make_network`.
    """
    recorded = [Lessons.of(read_dataset(each, unfinished=True), imitation(config, 0)) for each in data]
    asked = dataclasses.asdict(config) | {
        "start": None if start is None else str(start),
        "data": [each.settings for each in recorded],
    }
    games = [cf.load("chocofactory", num_players=players, **config.options) for players in config.players]
    if start is not None:
        config = dataclasses.replace(config, network=load_checkpoint(start).network(games[0]).settings())
    network = make_network(games[0], **config.network)
    for game in [*games, *(each.game for each in recorded)]:
        make_agent(config.expert, game)
        network.accept(game)
    with Run(folder, asked, resume=resume) as run:
        done = 0 if run.checkpoint is None else int(run.checkpoint.about["iteration"])
        best = max((line["score"] for line in run.metrics()), default=-1.0)
        for number in range(done + 1, config.rounds + 1):
            player = start if number == 1 else folder / LAST
            tasks = [
                (FIRST_DEAL + config.seed * 1_000_000 + number * config.games + deal, players)
                for players in config.players
                for deal in range(config.games)
            ]
            lesson = Lesson(json.dumps(dict(config.options)), config.expert, player, config.experts_share)
            play_round(lesson, tasks, folder / POSITIONS, str(number), config.processes, progress)
            lessons = [*lessons_of(folder / POSITIONS, number, config), *recorded]
            imitator = Imitator(imitation(config, number), lessons)
            if player is not None:
                checkpoint = load_checkpoint(player)
                imitator.network.load_state_dict(checkpoint.network(games[0]).state_dict())
                restore_optimiser(imitator.optimiser, checkpoint)
            measured: dict[str, float] = {}
            for _ in range(config.epochs):
                measured = imitator.learn(progress)
            measured |= evaluated(imitator.network.eval(), games, config.evaluate_deals)
            measured["decisions"] = sum(len(each.actions) for each in imitator.lessons)
            about = imitator.about() | {"iteration": number, "score": measured["score"]}
            tensors = {"network": imitator.network.state_dict()}
            if measured["score"] > best:
                best = measured["score"]
                run.save(BEST, about, tensors)
            run.log(number, measured)
            run.save(LAST, about, {**tensors, "optimiser": optimiser_tensors(imitator.optimiser)})
            print(said(number, measured), file=sys.stderr)
    return folder / BEST


def imitation(config: Config, number: int) -> Imitation:
    """How the network learns in a round."""
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


def said(number: int, measured: Mapping[str, float]) -> str:
    won = ", ".join(f"{name[:-4]} {rate:.0%}" for name, rate in measured.items() if name.endswith("/won"))
    return (
        f"round {number}: {measured['decisions']:,} decisions, loss {measured['loss']:.3f},"
        f" held out {measured['held_out/loss']:.3f}, agreed {measured['held_out/agreed']:.1%}, won: {won}"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m training.expert_iteration", description="Learn from a searcher.")
    parser.add_argument("--out", type=Path, required=True, help="folder of the run")
    parser.add_argument("--start", type=Path, help="checkpoint to start from")
    parser.add_argument("--data", type=Path, nargs="+", default=(), help="games of the expert to learn from as well")
    parser.add_argument("--resume", action="store_true", help="go on with the run in the folder")
    add_settings(parser, Config)
    chosen = parser.parse_args(arguments)
    try:
        config = Config(**given(chosen, Config))
        best = iterate(config, chosen.out, start=chosen.start, data=chosen.data, resume=chosen.resume)
    except (RunError, CheckpointError, DatasetError, ValueError) as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        sys.exit("stopped; --resume goes on with the round")
    print(f"best: {best}")


if __name__ == "__main__":
    main()
