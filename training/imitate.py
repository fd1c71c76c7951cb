"""Behaviour cloning: a network learns an agent's decisions from games written by `training.dataset`.

    chocofactory train dataset --agents planner --deals 2000 --seed 100000 --out runs/data/solo
    chocofactory train imitate --data runs/data/solo --out runs/imitation-solo
    chocofactory train ppo solo --start runs/imitation-solo/best.safetensors --out runs/solo

The policy learns the action by cross-entropy over the legal actions, and the value learns whether the seat won, by
squared error. Data for several numbers of players go into one network. Some deals are held out, and `best` is the
network with the least policy loss on them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from tqdm import tqdm

from chocofactory_env import Game
from chocofactory_env.agents.networks.checkpoint import Checkpoint, about_network
from chocofactory_env.agents.networks.network import Network, make_network, masked
from chocofactory_env.arena.decks import place_of
from chocofactory_env.core.kernel.variants import GameSet, LoadedVariants, RowRules
from chocofactory_env.core.reading import need
from chocofactory_env.registry import check_registered

from .dataset import Dataset, DatasetError, read_dataset
from .rivals import evaluated
from .runs import BEST, LAST, Run, adam_tensors, device_of, restore_adam
from .settings import EMPTY, Number, Seed, Settings, Share, Table, Weight, about_training, games_with_decks, run_command

WEIGHT_DECAY = 1e-4


class Config(Settings, frozen=True, kw_only=True):
    """What a run is made of."""

    network: Table = EMPTY  # kind and sizes, as {"kind": "mlp", "width": 64}; empty: the game's default
    epochs: Number = 8  # passes over the data
    minibatch: Number = 256  # decisions in a minibatch
    learning_rate: Weight = 1e-3  # learning rate at the start; cosine decay to 0
    value_weight: Weight = 0.5  # weight of the value loss
    held_out: Share = 0.05  # share of the deals held out, at least one deal
    of: str = ""  # learn only the decisions of this agent; empty: of all agents
    evaluate_deals: Seed = 50  # deals of an evaluation after each epoch, against the game's rival or alone; 0: none
    seed: Seed = 0  # random seed
    device: str = "cpu"  # or cuda
    threads: Number = 2  # threads of torch


@dataclass
class Lessons:
    """The decisions of games for one number of players, split into training and held-out rows."""

    games: GameSet  # one per deck
    data: Dataset
    learned: np.ndarray  # row numbers for training
    held_out: np.ndarray

    @property
    def game(self) -> Game:
        """The game with the first deck."""
        return self.games.first

    @property
    def settings(self) -> dict[str, Any]:
        """Of the data, JSON-able."""
        return {**self.data.settings, "decisions": len(self.data)}

    def seen(self, network: Network, rows: np.ndarray) -> Tensor:
        """(B, S): what the network sees of these rows."""
        raw, states, seats = (column[rows] for column in (self.data.observations, self.data.positions, self.data.seats))
        states = states.view(self.game.blank_states(1).dtype)[:, 0]
        return network.see(torch.from_numpy(raw), states, seats.astype(np.int32), self._rules(rows))

    @cached_property
    def _loaded(self) -> LoadedVariants:
        """The loaded variants, with a slot per deck: a deck's tables are small beside the decisions of a deal."""
        return LoadedVariants(self.games, len(self.data))

    def _rules(self, rows: np.ndarray) -> RowRules | None:
        """The card tables of these rows' games; None if the game is not compiled."""
        if len(self.games) == 1:
            return RowRules.alone(self.game, len(rows))
        numbers = place_of(self.data.deals[rows], len(self.games))
        self._loaded.load(np.unique(numbers).tolist(), in_use=())
        return self._loaded.rules_of(numbers)

    @classmethod
    def of(cls, data: Dataset, config: Config) -> Lessons:
        """Make lessons from data.

        Raises:
            DatasetError: they were written with another version of the game.
            UnknownGameError: their game is not registered.
        """
        settings = data.settings
        check_registered(settings["game"])
        games = games_with_decks(settings["game"], settings["options"], settings.get("decks", ()))
        data.check(games.first)
        if config.of:
            data = data.of(config.of)
        deals = np.unique(data.deals)
        chosen = np.random.default_rng(config.seed).permutation(deals)[: max(1, round(config.held_out * len(deals)))]
        held_out = np.isin(data.deals, chosen)
        if not 0 < held_out.sum() < len(held_out):
            raise DatasetError(
                f"{len(data)} decisions of {len(deals)} deals: expected some to learn from and some to hold out"
                f" (held_out is {config.held_out})"
            )
        return cls(games, data, np.flatnonzero(~held_out), np.flatnonzero(held_out))


class Imitator:
    """The network, its optimiser, and the training loop."""

    def __init__(self, config: Config, lessons: Sequence[Lessons]) -> None:
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        self.config = config
        self.lessons = lessons
        self.device = device_of(config.device)
        self.network: Network = make_network(lessons[0].game, **config.network).to(self.device)
        for each in lessons:
            self.network.accept(each.game)
        self.optimiser = torch.optim.AdamW(
            self.network.parameters(), lr=config.learning_rate, weight_decay=WEIGHT_DECAY
        )
        minibatches = sum(-(-len(each.learned) // config.minibatch) for each in lessons)
        self._steps = max(1, config.epochs * minibatches)
        self.epoch = 0
        self.step = 0
        self._done, self._total = 0, 0.0  # minibatches of the current epoch, and the sum of their losses

    def learn(self, progress: bool, pause: Callable[[], None] = lambda: None) -> dict[str, float]:
        """Do one epoch, or the rest of one. pause: called between minibatches."""
        begun, processor = time.perf_counter(), time.process_time()
        rng = np.random.default_rng((self.config.seed, self.epoch))
        parts = self._parts([each.learned for each in self.lessons], rng)
        left = parts[self._done :]
        self.network.train()
        for each, rows in tqdm(left, desc=f"epoch {self.epoch + 1}", unit="minibatch", disable=not progress):
            share = self.step / self._steps
            self.optimiser.param_groups[0]["lr"] = self.config.learning_rate * 0.5 * (1 + np.cos(np.pi * share))
            loss, value_loss, _ = self._losses(each, rows)
            self.optimiser.zero_grad()
            torch.autograd.backward(loss + self.config.value_weight * value_loss)
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
            self.optimiser.step()
            self.step += 1
            self._done += 1
            self._total += float(loss.detach())
            pause()
        mean = self._total / len(parts)
        self.epoch += 1
        self._done, self._total = 0, 0.0
        seconds = time.perf_counter() - begun
        number = sum(len(rows) for _, rows in left)
        times = {"seconds": seconds, "seconds_of_processors": time.process_time() - processor}
        return {"loss": mean, "decisions_per_s": number / seconds, **times, **self._held_out()}

    def _held_out(self) -> dict[str, float]:
        """On held-out deals: the mean loss, and how often the likeliest action is the agent's."""
        loss = value_loss = agreed = number = 0.0
        with torch.inference_mode():
            for each, rows in self._parts([each.held_out for each in self.lessons], None):
                mean, value, hits = self._losses(each, rows)
                loss += float(mean) * len(rows)
                value_loss += float(value) * len(rows)
                agreed += float(hits)
                number += len(rows)
        return {
            "held_out/loss": loss / number,
            "held_out/agreed": agreed / number,
            "held_out/value_loss": value_loss / number,
        }

    def _losses(self, each: Lessons, rows: np.ndarray) -> tuple[Tensor, Tensor, Tensor]:
        data, output = each.data, self.network(each.seen(self.network, rows).to(self.device))
        columns = data.masks[rows], data.actions[rows].astype(np.int64), data.won[rows].astype(np.float32)
        masks, actions, won = (torch.from_numpy(column).to(self.device) for column in columns)
        log_probs = masked(output.logits, masks)
        return (
            functional.nll_loss(log_probs, actions),
            functional.mse_loss(output.value, won),
            (log_probs.argmax(-1) == actions).sum(),
        )

    def _parts(self, rows: Sequence[np.ndarray], rng: np.random.Generator | None) -> list[tuple[Lessons, np.ndarray]]:
        """Minibatches, each of one number of players; shuffled if given a generator."""
        parts: list[tuple[Lessons, np.ndarray]] = []
        for each, these in zip(self.lessons, rows, strict=True):
            order = these if rng is None else rng.permutation(these)
            parts += [
                (each, order[at : at + self.config.minibatch]) for at in range(0, len(order), self.config.minibatch)
            ]
        return parts if rng is None else [parts[at] for at in rng.permutation(len(parts)).tolist()]

    @property
    def decks(self) -> list[str]:
        """The names of the decks of all lessons."""
        return list(dict.fromkeys(deck for each in self.lessons for deck in each.settings.get("decks", ())))

    def about(self) -> dict[str, Any]:
        return {
            **about_network(self.network, self.lessons[0].game),
            **about_training([each.game for each in self.lessons], self.decks, {}),
            "iteration": self.epoch,
            "step": self.step,
            "minibatches_of_epoch": self._done,
            "losses_of_epoch": self._total,
        }

    def save(self, run: Run, name: str) -> None:
        """Save everything that training resumes from."""
        tensors = {"network": self.network.state_dict(), "optimiser": adam_tensors(self.optimiser)}
        run.save(name, self.about(), tensors)

    def resume_from(self, checkpoint: Checkpoint) -> None:
        """Restore from a checkpoint; CheckpointError if it does not fit."""
        checkpoint.resume(self.network, self.lessons[0].game)
        restore_adam(self.optimiser, checkpoint)
        self.epoch, self.step = checkpoint.entry("iteration"), checkpoint.entry("step")
        self._done = checkpoint.entry("minibatches_of_epoch")
        self._total = checkpoint.entry("losses_of_epoch")


def imitate(
    config: Config,
    data: tuple[Path, ...],
    out: Path,
    *,
    resume: bool = False,
    minutes: float | None = None,
    progress: bool = True,
) -> Path:
    """Learn from games of agents; return the path of the best checkpoint. Ctrl-C loses at most a minute.

    Args:
        config: settings
        data: folders of training.dataset, one for each variant; unfinished ones are accepted
        out: folder of the run
        resume: resume the run in the folder
        minutes: stop after this time, as on Ctrl-C; continue with --resume
        progress: show a progress bar

    Raises:
        RunError, CheckpointError, DatasetError, ValueError: see `Run`, `read_dataset`, `make_network`.
        KeyboardInterrupt: the minutes are over.
    """
    need(len(data) > 0, "folders of training.dataset", data, "data")
    lessons = [Lessons.of(read_dataset(each, unfinished=True), config) for each in data]
    imitator = Imitator(config, lessons)
    asked = msgspec.to_builtins(config) | {"data": [each.settings for each in lessons]}
    with Run(out, asked, resume=resume, minutes=minutes) as run:
        best = run.best_score()
        if run.checkpoint is not None:
            imitator.resume_from(run.checkpoint)
        else:
            imitator.save(run, LAST)

        while imitator.epoch < config.epochs:
            measured = imitator.learn(progress, partial(run.pause, partial(imitator.save, run, LAST)))
            if config.evaluate_deals:
                games = [each.games for each in lessons]
                measured |= evaluated(imitator.network.eval(), games, config.evaluate_deals)
            if -measured["held_out/loss"] > best:
                best = -measured["held_out/loss"]
                run.save(BEST, imitator.about() | {"score": best}, {"network": imitator.network.state_dict()})
            run.log(imitator.epoch, measured)
            imitator.save(run, LAST)
    return out / BEST


def main(arguments: Sequence[str] | None = None) -> None:
    run_command(imitate, "imitate", arguments, Config)


if __name__ == "__main__":
    main()
