"""The folder of a training run: its settings, measurements, and checkpoints for resuming.

    config.json         settings, seeds, versions
    metrics.jsonl       one line per evaluation or iteration; if tensorboard is installed, its files hold the same
    last.safetensors    the state for resuming; written before the first iteration
    best.safetensors    the best network in evaluations
    curve.svg           the win rates of evaluations, drawn at the end

A killed process loses the work since the last checkpoint, to which a resumed run truncates the metrics. If steps take
less than a minute, the loss is at most a minute. All files are written atomically except the metrics, whose
last line a killed process may leave unfinished.
"""

from __future__ import annotations

import json
import math
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self, TypedDict

import numpy as np
import torch
from tqdm import tqdm

import chocofactory_env as cf
from chocofactory_env import Game
from chocofactory_env.agents.files import check, listed, read_json, read_lines, write_json
from chocofactory_env.agents.networks.checkpoint import Checkpoint, CheckpointError, load_checkpoint, save_checkpoint
from chocofactory_env.arena.games import versions
from chocofactory_env.arena.needs import is_there
from chocofactory_env.arena.play import differences
from chocofactory_env.core.files import held, write_text
from chocofactory_env.core.reading import Count

CONFIG, METRICS, LAST, BEST = "config.json", "metrics.jsonl", "last.safetensors", "best.safetensors"
CURVE = "curve.svg"
SAVE_EVERY_S = 60.0
TOLD = ("decisions", "loss", "held_out/loss", "held_out/agreed", "entropy", "kl", "explained_variance")


class RunError(ValueError):
    """A run cannot begin or resume in a folder. Names the file and the reason."""


class _Iteration(TypedDict):
    iteration: Count


class _Config(TypedDict):
    """The contents of `config.json`."""

    config: dict[str, Any]
    versions: dict[str, str]


class Run:
    """Open the folder of a new or resumed run.

    A run that is to be resumed must `save` a checkpoint `LAST`, a new one before it logs anything.

    Args:
        folder: created if missing.
        config: settings that identify the run, JSON-able.
        resume: resume from the last checkpoint; otherwise the folder must not hold a run yet.
        minutes: the time of this process; None: until the end of the run.

    Raises:
        RunError: there is a run and `resume` is False; there is none and it is True; its config differs; one of its
            files is damaged or missing; another process uses it; the folder holds something else. The folder is left
            unchanged.
        CheckpointError: the last checkpoint cannot be read.
    """

    def __init__(
        self, folder: Path, config: Mapping[str, Any], *, resume: bool = False, minutes: float | None = None
    ) -> None:
        self.folder = folder
        self.checkpoint: Checkpoint | None = None
        self._stopped = False
        self._stepped = self._saved = time.perf_counter()
        self._end, self._longest = self._stepped + 60 * (math.inf if minutes is None else minutes), 0.0
        if resume and not (folder / LAST).exists():
            raise RunError(f"{folder} holds no run to resume: expected {LAST}")
        with ExitStack() as stack:
            stack.enter_context(held(folder, RunError, own=(CONFIG,)))
            self._open(config, resume)
            self._stack = stack.pop_all()

    def _open(self, config: Mapping[str, Any], resume: bool) -> None:
        folder, done = self.folder, 0
        if resume:
            self._check_config(config)
            self.checkpoint = load_checkpoint(folder / LAST)
            done = int(self.checkpoint.entry("iteration"))
        elif (folder / LAST).exists():
            raise RunError(f"{folder} holds a run already: resume it with --resume, or choose another folder")
        lines = read_metrics(folder) if resume else []
        if not resume:
            write_json(folder / CONFIG, {"config": config, "versions": versions("torch", "safetensors")})
        write_text(folder / METRICS, "".join(json.dumps(line) + "\n" for line in lines if line["iteration"] <= done))
        self._metrics = (folder / METRICS).open("a", encoding="utf-8")
        self._board = None
        if is_there("tensorboard"):
            from torch.utils.tensorboard import SummaryWriter

            self._board = SummaryWriter(folder, purge_step=done + 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        with self._stack:
            self._metrics.close()
            if self._board is not None:
                self._board.close()

    def log(self, iteration: int, values: Mapping[str, float]) -> None:
        """Log the measurements after `iteration`, and tell those of an evaluation. What is no number becomes null."""
        numbers = {name: value if math.isfinite(value) else None for name, value in values.items()}
        self._metrics.write(json.dumps({"iteration": iteration, **numbers}, allow_nan=False) + "\n")
        self._metrics.flush()
        if self._board is not None:
            for name, value in values.items():
                self._board.add_scalar(name, value, iteration)
        if told := in_words(values):
            tqdm.write(f"{iteration:5}  {told}", file=sys.stderr)

    def save(self, name: str, about: Mapping[str, Any], tensors: Mapping[str, Mapping[str, torch.Tensor]]) -> None:
        """Write a checkpoint into the folder, after everything logged so far."""
        os.fsync(self._metrics.fileno())
        save_checkpoint(self.folder / name, {**about, "versions": versions("torch", "safetensors")}, tensors)
        self._saved = time.perf_counter()

    # --- when to save, and when to stop

    def iterations(self, done: int, number: int, progress: bool) -> Iterator[int]:
        """Count the iterations that are left; ends early, after one, on Ctrl-C or when the minutes are over."""
        handler = signal.signal(signal.SIGINT, lambda *_: self._stop())
        left = range(done + 1, number + 1)
        try:
            for iteration in tqdm(left, initial=done, total=number, unit="iteration", disable=not progress):
                if self._is_over():
                    break
                yield iteration
        finally:
            signal.signal(signal.SIGINT, handler)

    def is_time_to_save(self) -> bool:
        """Mark the end of an iteration, or of another step; whether it is the last, or the last save is long ago."""
        now = time.perf_counter()
        self._longest, self._stepped = max(self._longest, now - self._stepped), now
        return self._is_over() or now - self._saved >= SAVE_EVERY_S

    def pause(self, save: Callable[[], None]) -> None:
        """Save between two steps if it is time. KeyboardInterrupt if the minutes are over."""
        if self.is_time_to_save():
            save()
        if self._is_over():
            raise KeyboardInterrupt

    def _stop(self) -> None:
        self._stopped = True

    def _is_over(self) -> bool:
        """Whether it was stopped, or another step as long as the longest would end too late; False before the first."""
        return self._stopped or (self._longest > 0 and self._stepped + self._longest > self._end)

    def best_score(self) -> float:
        """The score of the checkpoint `BEST`; -inf without one."""
        path = self.folder / BEST
        return float(load_checkpoint(path).entry("score")) if path.exists() else -math.inf

    def _check_config(self, config: Mapping[str, Any]) -> None:
        there = read_json(self.folder / CONFIG, _Config, RunError, "the settings of a run")["config"]
        if found := differences(there, json.loads(json.dumps(config))):
            further = f"; to train on, begin a new run with --start {self.folder / LAST}" if "start" in config else ""
            raise RunError(f"{self.folder} was begun with other settings: {listed(found)}{further}")


def in_words(values: Mapping[str, float]) -> str:
    """What an evaluation has found; "" if there was none."""
    rates = [f"{name[:-4]} {rate:.0%}" for name, rate in values.items() if name.endswith("/won")]
    others = [f"{name} {round(values[name], 3):,}" for name in TOLD if name in values]
    return ", ".join([f"won {rate}" for rate in rates] + others) if rates or "held_out/loss" in values else ""


def read_metrics(folder: Path) -> list[dict[str, Any]]:
    """Read the lines that a run has logged: the iteration, and numbers by name (None: nan or infinity).

    An unfinished last line is skipped, with a warning on stderr.

    Raises:
        RunError: the file is missing or damaged. Names the line.
    """
    path = folder / METRICS
    lines, _ = read_lines(path, RunError, "what it measured is lost")
    for number, line in enumerate(lines, start=1):
        try:
            check(line, dict[str, float | None])
            check(line, _Iteration)
        except ValueError as error:
            raise RunError(f"{path}, line {number} {error}; expected the numbers of an iteration") from error
    return lines


# --- the curve


def draw_curve(folder: Path, path: Path | None = None) -> None:
    """Draw win rates of a run's evaluations with intervals, by decisions if the run counts them, else by epoch.

    path: by default `CURVE` in the run's folder. Without an evaluation nothing is drawn.
    """
    from chocofactory_env.arena.plots import draw_win_rates  # it needs Matplotlib

    lines = [line for line in read_metrics(folder) if "score" in line]
    counted, unit = ("decisions", "decisions") if lines and "decisions" in lines[0] else ("iteration", "epochs")
    names = [name.removesuffix("/won") for name in (lines[0] if lines else ()) if name.endswith("/won")]
    rates = {
        titled(name): np.array([[line[f"{name}/{what}"] for what in ("won", "low", "high")] for line in lines])
        for name in names
    }
    if rates:
        draw_win_rates([line[counted] for line in lines], rates, path or folder / CURVE, unit)


def titled(name: str) -> str:
    """What an evaluation's name says: `greedy_2` becomes "2 players, against greedy"."""
    variant, *options = name.split(",")
    rival, _, players = variant.rpartition("_")
    return ", ".join([f"{players} players, against {rival}" if rival else "the solo game", *options])


# --- resuming


def adam_tensors(optimiser: torch.optim.Optimizer) -> dict[str, torch.Tensor]:
    """The state of an Adam optimiser, by number of the parameter and name."""
    return {
        f"{number}.{name}": torch.as_tensor(value)
        for number, state in optimiser.state_dict()["state"].items()
        for name, value in state.items()
    }


def restore_adam(optimiser: torch.optim.Optimizer, checkpoint: Checkpoint) -> None:
    """Restore an Adam optimiser; CheckpointError, leaving it unchanged, if the checkpoint does not fit."""
    parameters: list[torch.Tensor] = [one for group in optimiser.param_groups for one in group["params"]]
    states: dict[int, dict[str, torch.Tensor]] = {}
    for name, tensor in checkpoint.of("optimiser").items():
        number, _, entry = name.partition(".")
        states.setdefault(int(number) if number.isdecimal() else -1, {})[entry] = tensor
    for index, state in states.items():  # parameters that were never updated have none
        shape = parameters[index].shape if 0 <= index < len(parameters) else None
        expected = {"step": (), "exp_avg": shape, "exp_avg_sq": shape}
        if {name: tensor.shape for name, tensor in state.items()} != expected:
            raise CheckpointError(f"{checkpoint.path}: optimiser.{index} does not fit: expected shape {shape}")
    optimiser.load_state_dict({**optimiser.state_dict(), "state": states})


def check_games(checkpoint: Checkpoint, game: Game, deck_files: Mapping[str, str]) -> None:
    """CheckpointError unless its games have these cards and rules, and were played by this version."""
    here = {"deck": game.deck_hash, "rules": game.rules_version, "deck_files": dict(deck_files)}
    there = {"deck_files": {}} | {name: value for name, value in checkpoint.about.items() if name in here}
    here["version"], there["version"] = cf.__version__, checkpoint.entry("versions").get("chocofactory_env")
    if found := differences(there, here):
        raise CheckpointError(f"{checkpoint.path}: its games are not those of this run: {listed(found)}")


def generators_of(device: torch.device) -> dict[str, torch.Generator]:
    """The generators from which torch draws."""
    on_gpu = {"cuda": torch.cuda.default_generators[device.index or 0]} if device.type == "cuda" else {}
    return {"generator": torch.default_generator, **on_gpu}


def keep_only(folder: Path, numbers: Sequence[int]) -> None:
    """Delete the other numbered checkpoints in a folder; call it only after saving what no longer names them."""
    for path in folder.glob("*.safetensors"):
        if path.stem.isascii() and path.stem.isdecimal() and int(path.stem) not in numbers:
            path.unlink()


@contextmanager
def unfit(checkpoint: Checkpoint) -> Iterator[None]:
    """Turn an error of restoring what a checkpoint holds into CheckpointError."""
    try:
        yield
    except (AttributeError, KeyError, OverflowError, RuntimeError, TypeError, ValueError) as error:
        raise CheckpointError(f"{checkpoint.path}: not a checkpoint that this run can resume from: {error}") from error


def device_of(name: str) -> torch.device:
    """The named device; ValueError if there is none."""
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise ValueError(f"device: {error}") from error
    if device.type == "cuda" and not torch.cuda.is_available():
        raise ValueError("device: cuda is not available here")
    return device
