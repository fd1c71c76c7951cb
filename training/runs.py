"""A run is a folder: what was asked for, what was measured, and checkpoints from which it is resumed.

    config.json         settings, seeds, versions
    metrics.jsonl       one line an evaluation or iteration; TensorBoard's files beside it hold the same numbers
    last.safetensors    all that training resumes from; it is there from the beginning
    best.safetensors    the network that did best in evaluation

A process that is killed loses what came after the last checkpoint: a resumed run cuts the metrics back to it. Where a
step takes less than a minute, that is at most a minute (`Slice`).
All files are written whole or not at all, but for the metrics, whose last line a killed process may leave unfinished.
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

from agents.files import Count, check, listed, read_json, read_lines, write_json
from agents.networks.checkpoint import Checkpoint, CheckpointError, load_checkpoint, save_checkpoint
from arena.match import versions
from arena.series import differences
from chocofactory_env.core.files import held, write_text
from chocofactory_env.core.messages import shown

CONFIG, METRICS, LAST, BEST = "config.json", "metrics.jsonl", "last.safetensors", "best.safetensors"
STOPPED = 130  # exit status of a script that Ctrl-C ended, or the end of its slice
SAVE_EVERY_S = 60.0
ANEW = "put it back, or begin anew in another folder"


class RunError(ValueError):
    """A folder that cannot be begun or resumed; says which file and why."""


class _Config(TypedDict):
    """What `config.json` holds."""

    config: dict[str, Any]
    versions: dict[str, str]


class Run:
    """Open the folder of a run, new or resumed.

    A new run is to `save` a checkpoint `LAST` before it logs anything: where there are metrics and no such checkpoint,
    it was lost.

    Args:
        folder: made if it is not there.
        config: JSON-able; what makes the run what it is.
        resume: resume from the last checkpoint; else the folder must not hold a run yet.

    Raises:
        RunError: there is a run and `resume` is False; there is none and it is True; it was begun with another config;
            one of its files is damaged or missing; another process is at work in it; it holds something else. The
            folder stays as it is.
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
        """Keep what was measured after `iteration`; what is no number, such as the spread of one value, as null."""
        numbers = {name: value if math.isfinite(value) else None for name, value in values.items()}
        self._metrics.write(json.dumps({"iteration": iteration, **numbers}, allow_nan=False) + "\n")
        self._metrics.flush()
        for name, value in values.items():
            self._board.add_scalar(name, value, iteration)

    def save(self, name: str, about: Mapping[str, Any], tensors: Mapping[str, Mapping[str, torch.Tensor]]) -> None:
        """Write a checkpoint into the folder, after all that was logged before it."""
        os.fsync(self._metrics.fileno())
        save_checkpoint(self.folder / name, {**about, "versions": versions("torch", "safetensors")}, tensors)

    def metrics(self) -> list[dict[str, Any]]:
        """All that was logged so far."""
        return read_metrics(self.folder)

    def evaluations(self, measure: str) -> list[dict[str, Any]]:
        """The lines logged so far that have this number; the best of them belongs to the checkpoint `BEST`.

        Raises:
            RunError: there are some, and `BEST` is missing.
        """
        found = [line for line in self.metrics() if line.get(measure) is not None]
        if found and not (self.folder / BEST).is_file():
            raise RunError(f"{self.folder / BEST} is missing, and {METRICS} shows that there was one: {ANEW}")
        return found

    def _check_config(self, config: Mapping[str, Any]) -> None:
        there = read_json(self.folder / CONFIG, _Config, RunError, "the settings of a run")["config"]
        found = differences(there, json.loads(json.dumps(config)))
        if found:
            raise RunError(f"{self.folder} was begun with other settings: {listed(found)}")

    def _last(self) -> Checkpoint | None:
        """None if the run was stopped before it wrote its first checkpoint."""
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
    """When a process that works on a run is to save, and when it is to end.

    minutes: for how long it works; None: to the end of the run.
    """

    def __init__(self, minutes: float | None = None) -> None:
        self._end = math.inf if minutes is None else time.perf_counter() + 60 * minutes
        self._stepped = self._saved = time.perf_counter()
        self._longest = 0.0

    def step(self) -> None:
        """Say that a step of the run is done: an iteration, or what else is not divided."""
        now = time.perf_counter()
        self._longest, self._stepped = max(self._longest, now - self._stepped), now

    def is_over(self) -> bool:
        """Whether another step as long as the longest would end too late; never before the first one."""
        return self._longest > 0 and self._stepped + self._longest > self._end

    def should_save(self) -> bool:
        return time.perf_counter() - self._saved >= SAVE_EVERY_S

    def saved(self) -> None:
        self._saved = time.perf_counter()

    def pause(self, save: Callable[[], None]) -> None:
        """Say that a step is done, and save if it is time. KeyboardInterrupt if the slice is over."""
        self.step()
        if self.should_save() or self.is_over():
            save()
            self.saved()
        if self.is_over():
            raise KeyboardInterrupt


def add_minutes(parser: ArgumentParser) -> None:
    """The option for `Slice`."""
    parser.add_argument("--minutes", type=float, help="end after so long, as after Ctrl-C; --resume goes on")


def read_metrics(folder: Path) -> list[dict[str, Any]]:
    """What a run has logged, by line: the iteration, and numbers by name (None: nan or infinity).

    A last line without an end is left out, with a warning on stderr.

    Raises:
        RunError: the file is missing or damaged; names the line.
    """
    path = folder / METRICS
    lines, _ = read_lines(path, RunError, "what it measured is lost")
    for number, line in enumerate(lines, start=1):
        try:
            check(line, dict[str, float | None])
            check(line.get("iteration"), Count, "iteration")
        except ValueError as error:
            raise RunError(f"{path}, line {number} {error}; expected the numbers of an iteration") from error
    return lines


# --- optimisers


def optimiser_tensors(optimiser: torch.optim.Optimizer) -> dict[str, torch.Tensor]:
    """The state of an Adam optimiser by number of the parameter and name."""
    return {
        f"{number}.{name}": torch.as_tensor(value)
        for number, state in optimiser.state_dict()["state"].items()
        for name, value in state.items()
    }


def restore_optimiser(optimiser: torch.optim.Optimizer, checkpoint: Checkpoint) -> None:
    """The reverse; CheckpointError if the checkpoint holds another one's, and the optimiser stays as it is."""
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
    for at, state in states.items():  # of a parameter that was never moved there is none
        if len(state) < 3:
            raise CheckpointError(
                f"{checkpoint.path}: the optimiser's parameter {at} has {', '.join(sorted(state))},"
                " expected exp_avg, exp_avg_sq, step"
            )
    optimiser.load_state_dict({**optimiser.state_dict(), "state": states})


def device_of(name: str) -> torch.device:
    """ValueError if there is no such device here."""
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise ValueError(f"device: {error}") from error
    if device.type == "cuda" and not torch.cuda.is_available():
        raise ValueError("device: cuda is not available here")
    return device


def end_as_stopped(message: str) -> NoReturn:
    """The end of a script that Ctrl-C has reached."""
    print(message, file=sys.stderr)
    sys.exit(STOPPED)


def check_maker(checkpoint: Checkpoint, maker: str) -> None:
    """CheckpointError unless the checkpoint is of this kind of training."""
    made_by = checkpoint.about.get("made_by")
    if made_by != maker:
        raise CheckpointError(f"{checkpoint.path}: expected a checkpoint of {maker}, got one of {made_by!r}")
