"""The folder of a training run: its settings, measurements, and checkpoints for resuming.

    config.json         settings, seeds, versions
    metrics.jsonl       one line per evaluation or iteration; TensorBoard's files beside it hold the same numbers
    last.safetensors    the state for resuming; written before the first iteration
    best.safetensors    the best network in evaluations

A killed process loses the work since the last checkpoint, to which a resumed run truncates the metrics. If steps take
less than a minute, the loss is at most a minute (`Slice`). All files are written atomically except the metrics, whose
last line a killed process may leave unfinished.
"""

from __future__ import annotations

import json
import math
import os
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NoReturn, Self, TypedDict

import torch
from torch.utils.tensorboard import SummaryWriter

from agents.files import check, listed, read_json, read_lines, write_json
from agents.networks.checkpoint import Checkpoint, CheckpointError, load_checkpoint, save_checkpoint
from arena.games import versions
from arena.play import differences
from chocofactory_env.core.files import held, write_text
from chocofactory_env.core.messages import shown
from chocofactory_env.core.reading import Count

CONFIG, METRICS, LAST, BEST = "config.json", "metrics.jsonl", "last.safetensors", "best.safetensors"
STOPPED = 130  # exit status of a script ended by Ctrl-C, or by the end of its slice
SAVE_EVERY_S = 60.0
ANEW = "put it back, or begin anew in another folder"


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

    A new run must `save` a checkpoint `LAST` before it logs anything: metrics without that checkpoint mean that it was
    lost.

    Args:
        folder: created if missing.
        config: settings that identify the run, JSON-able.
        resume: resume from the last checkpoint; otherwise the folder must not hold a run yet.

    Raises:
        RunError: there is a run and `resume` is False; there is none and it is True; its config differs; one of its
            files is damaged or missing; another process uses it; the folder holds something else. The folder is left
            unchanged.
        CheckpointError: the last checkpoint cannot be read.
    """

    def __init__(self, folder: Path, config: Mapping[str, Any], *, resume: bool = False) -> None:
        self.folder = folder
        self.checkpoint: Checkpoint | None = None
        if resume and not (folder / CONFIG).exists():
            raise RunError(f"{folder} holds no run to resume: expected {CONFIG}")
        with ExitStack() as stack:
            stack.enter_context(held(folder, RunError, own=(CONFIG,)))
            self._open(config, resume)
            self._stack = stack.pop_all()

    def _open(self, config: Mapping[str, Any], resume: bool) -> None:
        folder = self.folder
        if resume:
            self._check_config(config)
            self.checkpoint = self._last()
        elif (folder / CONFIG).exists():
            raise RunError(f"{folder} holds a run already: resume it with --resume, or choose another folder")
        else:
            write_json(folder / CONFIG, {"config": config, "versions": versions("torch", "safetensors")})
        done = int(self.checkpoint.entry("iteration")) if self.checkpoint else 0
        self._cut_metrics(done)
        self._metrics = (folder / METRICS).open("a", encoding="utf-8")
        self._board = SummaryWriter(folder, purge_step=done + 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        with self._stack:
            self._metrics.close()
            self._board.close()

    def log(self, iteration: int, values: Mapping[str, float]) -> None:
        """Log the measurements after `iteration`. nan, such as the spread of one value, becomes null."""
        numbers = {name: value if math.isfinite(value) else None for name, value in values.items()}
        self._metrics.write(json.dumps({"iteration": iteration, **numbers}, allow_nan=False) + "\n")
        self._metrics.flush()
        for name, value in values.items():
            self._board.add_scalar(name, value, iteration)

    def save(self, name: str, about: Mapping[str, Any], tensors: Mapping[str, Mapping[str, torch.Tensor]]) -> None:
        """Write a checkpoint into the folder, after everything logged so far."""
        os.fsync(self._metrics.fileno())
        save_checkpoint(self.folder / name, {**about, "versions": versions("torch", "safetensors")}, tensors)

    def metrics(self) -> list[dict[str, Any]]:
        """All lines logged so far."""
        return read_metrics(self.folder)

    def evaluations(self, measure: str) -> list[dict[str, Any]]:
        """The lines logged so far that have this measure. The best of them belongs to the checkpoint `BEST`.

        Raises:
            RunError: there are such lines, but `BEST` is missing.
        """
        found = [line for line in self.metrics() if line.get(measure) is not None]
        if found and not (self.folder / BEST).is_file():
            raise RunError(f"{self.folder / BEST} is missing, and {METRICS} shows that there was one: {ANEW}")
        return found

    def _check_config(self, config: Mapping[str, Any]) -> None:
        there = read_json(self.folder / CONFIG, _Config, RunError, "the settings of a run")["config"]
        here = json.loads(json.dumps(config))
        found = differences(there, here)
        if found:
            last = self.folder / LAST
            can_start = "start" in config and last.exists()
            further = f"; to train on, begin a new run with --start {last}" if can_start else ""
            raise RunError(f"{self.folder} was begun with other settings: {listed(found)}{further}")

    def _last(self) -> Checkpoint | None:
        """The last checkpoint; None if the run was stopped before its first one."""
        if (self.folder / LAST).exists():
            return load_checkpoint(self.folder / LAST)
        for name in (METRICS, BEST):
            path = self.folder / name
            if path.exists() and path.stat().st_size:
                raise RunError(f"{self.folder / LAST} is missing, and {name} shows that the run was under way: {ANEW}")
        return None

    def _cut_metrics(self, done: int) -> None:
        path = self.folder / METRICS
        lines = read_metrics(self.folder) if os.path.lexists(path) else []
        if done and not lines:
            raise RunError(f"{path} is missing or empty, and {LAST} is of iteration {done}: {ANEW}")
        write_text(path, "".join(json.dumps(line) + "\n" for line in lines if line["iteration"] <= done))


class Slice:
    """Decides when a process working on a run saves, and when it ends.

    minutes: its time; None: until the end of the run.
    """

    def __init__(self, minutes: float | None = None) -> None:
        self._end = math.inf if minutes is None else time.perf_counter() + 60 * minutes
        self._stepped = self._saved = time.perf_counter()
        self._longest = 0.0

    def step(self) -> None:
        """Mark the end of a step, such as an iteration."""
        now = time.perf_counter()
        self._longest, self._stepped = max(self._longest, now - self._stepped), now

    def is_over(self) -> bool:
        """Whether another step as long as the longest would end too late; False before the first step."""
        return self._longest > 0 and self._stepped + self._longest > self._end

    def should_save(self) -> bool:
        return time.perf_counter() - self._saved >= SAVE_EVERY_S

    def saved(self) -> None:
        self._saved = time.perf_counter()

    def pause(self, save: Callable[[], None]) -> None:
        """Mark the end of a step, and save if it is time. KeyboardInterrupt if the slice is over."""
        self.step()
        if self.should_save() or self.is_over():
            save()
            self.saved()
        if self.is_over():
            raise KeyboardInterrupt


def add_minutes(parser: ArgumentParser) -> None:
    """Add the option for `Slice`."""
    parser.add_argument("--minutes", type=float, help="stop after this time, as on Ctrl-C; continue with --resume")


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


# --- optimisers


def optimiser_tensors(optimiser: torch.optim.Optimizer) -> dict[str, torch.Tensor]:
    """The state of an Adam optimiser, by number of the parameter and name."""
    return {
        f"{number}.{name}": torch.as_tensor(value)
        for number, state in optimiser.state_dict()["state"].items()
        for name, value in state.items()
    }


def restore_optimiser(optimiser: torch.optim.Optimizer, checkpoint: Checkpoint) -> None:
    """Restore an Adam optimiser; CheckpointError, leaving it unchanged, if the checkpoint does not fit."""
    parameters: list[torch.Tensor] = [one for group in optimiser.param_groups for one in group["params"]]
    shapes = {str(number): tuple(parameter.shape) for number, parameter in enumerate(parameters)}
    states: dict[int, dict[str, torch.Tensor]] = {}
    for name, tensor in checkpoint.of("optimiser").items():
        number, _, entry = name.partition(".")
        expected = {"step": (), "exp_avg": shapes.get(number), "exp_avg_sq": shapes.get(number)}.get(entry)
        if expected is None or tuple(tensor.shape) != expected or tensor.dtype != torch.float32:
            found = f"{tensor.dtype} of shape {tuple(tensor.shape)}"
            raise CheckpointError(
                f"{checkpoint.path}: tensor {shown(f'optimiser.{name}')}: expected"
                f" {f'float32 of shape {expected}' if expected is not None else 'none'}, got {found}"
            )
        if entry != "exp_avg" and bool((tensor < 0).any()):
            raise CheckpointError(f"{checkpoint.path}: tensor {shown(f'optimiser.{name}')} is less than 0")
        states.setdefault(int(number), {})[entry] = tensor
    for at, state in states.items():  # parameters that were never updated have none
        if len(state) < 3:
            raise CheckpointError(
                f"{checkpoint.path}: the optimiser's parameter {at} has {', '.join(sorted(state))},"
                " expected exp_avg, exp_avg_sq, step"
            )
    optimiser.load_state_dict({**optimiser.state_dict(), "state": states})


def device_of(name: str) -> torch.device:
    """The named device; ValueError if there is none."""
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise ValueError(f"device: {error}") from error
    if device.type == "cuda" and not torch.cuda.is_available():
        raise ValueError("device: cuda is not available here")
    return device


def end_as_stopped(message: str) -> NoReturn:
    """End a script that Ctrl-C has stopped."""
    print(message, file=sys.stderr)
    sys.exit(STOPPED)
