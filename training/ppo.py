"""Proximal policy optimisation by self-play over native batches, with masked actions.

    python -m training.ppo solo --out runs/solo
    python -m training.ppo players --out runs/players --start runs/imitation/best.safetensors
    python -m training.ppo solo --out runs/solo --resume

`training/<game>/__init__.py` defines a game's presets and its rival.

One network plays all seats. In an iteration, every game plays `steps` decisions, whichever seats move
(`training.self_play`); then the network trains on all its decisions for some epochs.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import torch
from torch import Tensor
from tqdm import tqdm

import chocofactory_env as cf
from agents.files import listed
from agents.networks.checkpoint import CheckpointError, about_network, load_checkpoint, save_checkpoint
from agents.networks.network import Network, look, make_network, masked
from arena.options import game_named
from arena.play import differences
from chocofactory_env.core.command import CommandParser, folder_to_write

from .evaluate import evaluated, win_rates
from .ppo_config import Config, presets_of
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
from .self_play import Clocks, Rollout, Variant, autocast, collect_all, games_of
from .settings import (
    about_deck_files,
    about_decks,
    about_variants,
    add_settings,
    first_network,
    given,
    note_measured,
    origin,
    variants_of,
)

MEASURED = ("policy_loss", "value_loss", "entropy", "kl", "clipped")  # of a minibatch
LEAST_LOG_PROB = -80.0  # lower clamp in the entropy: `exp` is ten times slower if the float32 result is denormal
PAST = "past"  # folder of past selves
OWED = "owed"  # name of `returns_so_far` in checkpoints, kept for old ones


class Learner:
    """The network, its optimiser, and the training loop."""

    def __init__(self, config: Config, start: Path | None) -> None:
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        self.config = config
        self.device = device_of(config.device)
        self.variants = Variant.all_of(config)
        game = self.variants[0].games.first
        self._deck_files = about_deck_files(partial(cf.load, config.game, **variants_of(config)[0]), config.decks)
        self.network = first_network(game, config.network, start).to(self.device)
        self.tables = [table for variant in self.variants for table in games_of(config, variant, self.network)]
        self.past = make_network(game, **self.network.settings())
        for table in self.tables:
            self.past.accept(table.game)
        self.past.to(self.device).load_state_dict(self.network.state_dict())
        self._run: Any = torch.compile(self.network) if config.compile else self.network
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=config.learning_rate, eps=1e-5, fused=True)
        self.rng = np.random.default_rng(config.seed)
        self.iteration = 0
        self.decisions = 0
        self.selves: list[int] = []  # iterations after which a self was remembered

    def iterate(self) -> dict[str, float]:
        """Do one iteration, and return its measurements."""
        begun = time.perf_counter()
        clocks = Clocks()
        config = self.config
        done = self.iteration / max(1, config.iterations)
        for table in self.tables:
            table.reset_rival(self.iteration)
        collect_all(self.tables, self._run, self.past, clocks)
        rollouts = [table.rollout() for table in self.tables]
        collected = time.perf_counter()
        self.optimiser.param_groups[0]["lr"] = between(config.learning_rate, config.last_learning_rate, done)
        entropy = between(config.entropy, config.last_entropy, done)
        with clocks["learning"]:
            measured = self._learn(rollouts, entropy)
        self.iteration += 1
        decisions = sum(rollout.decisions for rollout in rollouts)
        self.decisions += decisions
        seconds = time.perf_counter() - begun
        for variant in self.variants:
            tables = [table for table in self.tables if table.variant is variant]
            if any(table.returns for table in tables):
                returns, won = (
                    np.concatenate([each for of_table in kept for each in of_table])
                    for kept in zip(*((table.returns, table.won) for table in tables), strict=True)
                )
                measured |= {
                    f"return/{variant.name}": float(returns.mean()),
                    f"won_sampled/{variant.name}": float(won.mean()),
                }
        return measured | {
            "decisions": self.decisions,
            "decisions_per_s": decisions / seconds,
            "collecting_share": (collected - begun) / seconds,
            "outside_network_share": 1 - (clocks["acting"].seconds + clocks["learning"].seconds) / seconds,
            **{f"{name}_share": clock.seconds / seconds for name, clock in clocks.items()},
            "learning_rate": self.optimiser.param_groups[0]["lr"],
        }

    def _learn(self, rollouts: Sequence[Rollout], entropy_weight: float) -> dict[str, float]:
        config = self.config
        learnable = [rollout.learn.flatten().nonzero().squeeze(-1) for rollout in rollouts]
        of_all = torch.cat(
            [rollout.advantages.flatten()[which] for rollout, which in zip(rollouts, learnable, strict=True)]
        )
        if len(of_all) < 2:
            raise RunError(f"a rollout has {len(of_all)} decisions to learn from: expected more games, or more steps")
        mean, spread = of_all.mean(), of_all.std() + 1e-8
        sums = torch.zeros(len(MEASURED), device=self.device)
        batches = 0
        for _ in range(config.epochs):
            of_epoch = [
                self._update(rollout, which, mean, spread, entropy_weight)
                for rollout, which in self._minibatches(rollouts, learnable)
            ]
            sums += torch.stack(of_epoch).sum(0)
            batches += len(of_epoch)
            # The only synchronization with a GPU in an epoch.
            if 0 < config.max_kl < float(torch.stack(of_epoch)[:, MEASURED.index("kl")].mean()):
                break
        values = torch.cat([r.values.flatten()[which] for r, which in zip(rollouts, learnable, strict=True)])
        returns = values + of_all
        return dict(zip(MEASURED, (sums / batches).tolist(), strict=True)) | {
            "explained_variance": float(1 - (returns - values).var() / (returns.var() + 1e-8)),
            "epochs": batches / max(1, sum(math.ceil(len(which) / config.minibatch) for which in learnable)),
        }

    def _minibatches(
        self, rollouts: Sequence[Rollout], learnable: Sequence[Tensor]
    ) -> Iterator[tuple[Rollout, Tensor]]:
        """One pass in random order. Each minibatch comes from one group of games."""
        parts = []
        for rollout, which in zip(rollouts, learnable, strict=True):
            shuffled = which[torch.from_numpy(self.rng.permutation(len(which))).to(which.device)]
            parts += [(rollout, part) for part in torch.split(shuffled, self.config.minibatch)]
        for number in self.rng.permutation(len(parts)).tolist():
            yield parts[number]

    def _update(self, rollout: Rollout, which: Tensor, mean: Tensor, spread: Tensor, entropy_weight: float) -> Tensor:
        """Do one optimiser step, and return MEASURED."""
        config, device = self.config, self.device
        seen, masks, actions, old_log_prob, old_value, advantage = (
            part.flatten(0, 1).index_select(0, which) for part in rollout[:6]
        )
        returns = old_value + advantage
        advantage = (advantage - mean) / spread
        with autocast(config, device):
            output = self._run(seen)
        log_probs = masked(output.logits.float(), masks)
        value = output.value.float()
        change = log_probs.gather(-1, actions.unsqueeze(-1)).squeeze(-1) - old_log_prob
        ratio = change.exp()
        policy_loss = -torch.min(ratio * advantage, ratio.clamp(1 - config.clip, 1 + config.clip) * advantage).mean()
        value_loss = (value - returns).square().mean()
        likely = log_probs.clamp_min(LEAST_LOG_PROB)
        entropy = -(likely.exp() * likely).sum(-1).mean()
        loss = policy_loss + config.value_weight * value_loss - entropy_weight * entropy
        self.optimiser.zero_grad()
        loss.backward()
        if self.iteration < config.warm_up:
            for name, parameter in self.network.named_parameters():
                if not name.startswith("value."):
                    parameter.grad = None
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), config.max_norm)
        self.optimiser.step()
        with torch.no_grad():
            kl, clipped = (ratio - 1 - change).mean(), ((ratio - 1).abs() > config.clip).float().mean()
            return torch.stack([policy_loss, value_loss, entropy, kl, clipped])

    # --- past selves

    def remember(self, folder: Path) -> None:
        """Save the present network as a past self, and drop the oldest if there are too many."""
        folder.mkdir(exist_ok=True)
        about = about_network(self.network, self.tables[0].game)
        save_checkpoint(folder / f"{self.iteration}.safetensors", about, {"network": self.network.state_dict()})
        self.selves = [*self.selves, self.iteration][-self.config.most_selves :]

    def forget(self, folder: Path) -> None:
        """Delete the files of dropped selves; call it only after saving a checkpoint without them."""
        for path in folder.glob("*.safetensors"):
            if path.stem.isascii() and path.stem.isdecimal() and int(path.stem) not in self.selves:
                path.unlink()

    def meet_a_past_self(self, folder: Path) -> None:
        if self.selves:
            chosen = int(self.rng.choice(self.selves))
            self._meet(folder / f"{chosen}.safetensors")

    def _meet(self, path: Path) -> None:
        """Load the network of a file as the past self; CheckpointError if it cannot play the present games."""
        load_checkpoint(path).restore(self.past, "network")
        self._check_plays(self.past, path)

    def _check_plays(self, network: Network, path: Path) -> None:
        for table in self.tables:
            try:
                observations, masks, movers = table.look()
                asked = np.flatnonzero(movers >= 0)
                of_asked = table.positions()[asked], movers[asked].astype(np.int32)
                look(network, observations[asked], masks[asked], *of_asked, table.rules(asked))
            except ValueError as error:
                raise CheckpointError(f"{path}: {error}") from error

    # --- resuming

    def tensors(self) -> dict[str, dict[str, Tensor]]:
        """All tensors that training resumes from, by owner and name."""
        tables = {
            table.name: {
                **{name: torch.from_numpy(kept) for name, kept in table.batch.snapshot().items()},
                "seats": torch.from_numpy(table.seats.copy()),
                OWED: torch.from_numpy(table.returns_so_far.copy()),
            }
            for table in self.tables
        }
        return {
            "network": self.network.state_dict(),
            "past": self.past.state_dict(),
            "optimiser": optimiser_tensors(self.optimiser),
            "torch": {name: draws.get_state() for name, draws in self._generators().items()},
            **tables,
        }

    def _generators(self) -> dict[str, torch.Generator]:
        """The generators from which actions are sampled."""
        generators = {"generator": torch.default_generator}
        if self.device.type == "cuda":
            generators["cuda"] = torch.cuda.default_generators[self.device.index or 0]
        return generators

    def about(self) -> dict[str, Any]:
        return {
            **about_network(self.network, self.tables[0].game),
            **about_decks(self.config.decks),
            **self._deck_files,
            **about_variants([variant.games.first for variant in self.variants]),
            "iteration": self.iteration,
            "decisions": self.decisions,
            "selves": self.selves,
            "generators": [self.rng.bit_generator.state, *(table.rng.bit_generator.state for table in self.tables)],
        }

    def resume_from(self, path: Path) -> None:
        """Restore from a file made of `tensors` and `about`; CheckpointError if it does not fit these games."""
        checkpoint = load_checkpoint(path)
        about = checkpoint.about
        game = self.tables[0].game
        files = self._deck_files.get("deck_files")
        here = {"deck": game.deck_hash, "deck_files": files, "rules": game.rules_version, "version": cf.__version__}
        there = {
            "deck": about.get("deck"),
            "deck_files": about.get("deck_files", files),  # which older checkpoints lack
            "rules": about.get("rules"),
            "version": about.get("versions", {}).get("chocofactory_env"),
        }
        if found := differences(there, here):  # stored games are bytes that need the same rules and cards
            raise CheckpointError(f"{path}: its games are not those of this run: {listed(found)}")
        checkpoint.resume(self.network, game)
        try:
            checkpoint.restore(self.past, "past")
            restore_optimiser(self.optimiser, checkpoint)
            for name, draws in self._generators().items():
                draws.set_state(checkpoint.of("torch")[name])
            for table in self.tables:
                kept = {name: it.numpy() for name, it in checkpoint.of(table.name).items()}
                table.restore(kept.pop("seats"), kept.pop(OWED), kept)
            first, *others = about["generators"]
            self.rng.bit_generator.state = first
            for table, state in zip(self.tables, others, strict=True):
                table.rng.bit_generator.state = state
            self.iteration, self.decisions, self.selves = about["iteration"], about["decisions"], about["selves"]
            for number in self.selves:
                self._meet(path.parent / PAST / f"{number}.safetensors")
            checkpoint.restore(self.past, "past")
            for network in (self.network, self.past):
                self._check_plays(network, path)
        except CheckpointError:
            raise
        except (AttributeError, IndexError, KeyError, OverflowError, RuntimeError, TypeError, ValueError) as error:
            raise CheckpointError(f"{path}: not a checkpoint that this run can resume from: {error}") from error


def between(first: float, last: float, done: float) -> float:
    return first + (last - first) * min(1.0, done)


# --- the run


def train(
    config: Config,
    folder: Path,
    *,
    start: Path | None = None,
    resume: bool = False,
    minutes: float | None = None,
    progress: bool = True,
) -> Path | None:
    """Train, and return the path of the best checkpoint; None if it was stopped, which happens between iterations.

    start: a checkpoint whose network is trained further. minutes: limit after which it stops, as on Ctrl-C.

    Raises:
        RunError, CheckpointError, ValueError: see `Run`, `load_checkpoint`, `Config`.
    """
    learner = Learner(config, start)
    asked = dataclasses.asdict(config) | origin(start)
    stopped, part = Event(), Slice(minutes)
    with Run(folder, asked, resume=resume) as run:

        def save() -> None:
            run.save(LAST, learner.about(), learner.tensors())
            learner.forget(folder / PAST)
            part.saved()

        best = max((line["score"] for line in run.evaluations("score")), default=-math.inf)
        if run.checkpoint is not None:
            learner.resume_from(folder / LAST)
        else:
            save()
        handler = signal.signal(signal.SIGINT, lambda *_: stopped.set())
        bar = tqdm(total=config.iterations, initial=learner.iteration, unit="iteration", disable=not progress)
        try:
            while learner.iteration < config.iterations and not stopped.is_set() and not part.is_over():
                measured = learner.iterate()
                bar.update()
                bar.set_postfix_str(f"{measured['decisions_per_s']:,.0f} decisions/s")
                due = learner.iteration % config.evaluate_every == 0 or learner.iteration == config.iterations
                if learner.iteration % config.remember_every == 0 and config.past_share and not config.against:
                    learner.remember(folder / PAST)
                    learner.meet_a_past_self(folder / PAST)
                if due:
                    games = [variant.games for variant in learner.variants]
                    measured |= evaluated(learner.network, games, config.evaluate_deals, config.opponent)
                    if measured["score"] > best:
                        best = measured["score"]
                        run.save(BEST, learner.about() | {"score": best}, {"network": learner.network.state_dict()})
                    bar.write(progress_line(learner.iteration, measured), file=sys.stderr)
                run.log(learner.iteration, measured)
                part.step()
                if due or part.is_over() or part.should_save() or stopped.is_set():
                    save()
        finally:
            signal.signal(signal.SIGINT, handler)
            bar.close()
    return folder / BEST if learner.iteration == config.iterations else None


def progress_line(iteration: int, measured: Mapping[str, float]) -> str:
    return (
        f"{iteration:5}  {measured['decisions']:>11,} decisions  won: {win_rates(measured)}"
        f"  entropy {measured['entropy']:.2f}  kl {measured['kl']:.3f}  explained {measured['explained_variance']:.2f}"
    )


def preset_values(presets: Mapping[str, Config], name: str) -> str:
    """The presets' values of a setting that differ from its default, in words."""
    default = getattr(Config(), name)
    values = {preset: getattr(config, name) for preset, config in presets.items()}
    return "".join(f"; {preset}: {value}" for preset, value in values.items() if value != default)


def main(arguments: Sequence[str] | None = None) -> None:
    presets = presets_of(game_named(arguments))
    parser = CommandParser(prog="python -m training.ppo", description="Train by self-play.")
    about_preset = "preset of the game to start from" if presets else argparse.SUPPRESS
    parser.add_argument("preset", choices=presets or None, nargs="?", help=about_preset)
    parser.add_argument("--out", type=folder_to_write, required=True, help="folder of the run")
    parser.add_argument("--start", type=Path, help="checkpoint to start from")
    parser.add_argument("--resume", action="store_true", help="resume the run in the folder")
    add_minutes(parser)
    add_settings(parser, Config, more=partial(preset_values, presets))
    chosen = parser.parse_args(arguments)
    if chosen.preset is not None and not presets:
        parser.error(f"{chosen.game} has no presets, got {chosen.preset!r}; choose the settings, such as --players 2")
    try:
        config = dataclasses.replace(presets.get(chosen.preset, Config()), **given(chosen, Config))
        note_measured(config.decks)
        best = train(config, chosen.out, start=chosen.start, resume=chosen.resume, minutes=chosen.minutes)
    except (ImportError, RunError, CheckpointError, TypeError, ValueError) as error:
        parser.error(str(error))
    if best is None:
        end_as_stopped("stopped; --resume continues it")
    print(f"best: {best}")


if __name__ == "__main__":
    main()
