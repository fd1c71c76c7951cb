"""A run is a folder: what was asked for, what was measured, and checkpoints from which it goes on.

    config.json         settings, seeds, versions
    metrics.jsonl       one line an evaluation or iteration; TensorBoard's files beside it hold the same numbers
    last.safetensors    all that training goes on from
    best.safetensors    the network that did best in evaluation

A process that is killed loses what came after the last checkpoint: a resumed run cuts the metrics back to it.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, NoReturn, Self

import torch
from filelock import FileLock, Timeout
from torch.utils.tensorboard import SummaryWriter

import chocofactory_env as cf
from agents.checkpoint import Checkpoint, CheckpointError, load_checkpoint, save_checkpoint
from agents.series import differences

CONFIG, METRICS, LAST, BEST = "config.json", "metrics.jsonl", "last.safetensors", "best.safetensors"
LOCK = "lock"  # held by the process at work in the folder; the system lets go of it when the process ends
STOPPED = 130  # exit status of a script that Ctrl-C ended


class RunError(ValueError):
    """A folder that cannot be begun or gone on with; says why."""


class Run:
    """Open the folder of a run, new or gone on with.

    Args:
        folder: made if it is not there.
        config: JSON-able; what makes the run what it is.
        resume: go on from the last checkpoint; else the folder must not hold a run yet.

    Raises:
        RunError: there is a run and `resume` is False; there is none and it is True; it was begun with another config;
            another process is at work in it.
        CheckpointError: the last checkpoint cannot be read.
    """

    def __init__(self, folder: Path, config: Mapping[str, Any], *, resume: bool = False) -> None:
        self.folder = folder
        self.checkpoint: Checkpoint | None = None
        there = (folder / CONFIG).exists()
        if there and not resume:
            raise RunError(f"{folder} holds a run already: go on with --resume, or choose another folder")
        if resume and not there:
            raise RunError(f"{folder} holds no run to resume: expected {CONFIG}")
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = FileLock(folder / LOCK)
        try:
            self._lock.acquire(blocking=False)
        except Timeout as error:
            raise RunError(f"{folder}: another process is at work in it") from error
        try:
            self._open(config, resume)
        except BaseException:
            self._lock.release()
            raise

    def _open(self, config: Mapping[str, Any], resume: bool) -> None:
        folder = self.folder
        if resume:
            self._check(config)
            if (folder / LAST).exists():
                self.checkpoint = load_checkpoint(folder / LAST)
        else:
            text = json.dumps({"config": config, "versions": versions()}, indent=1)
            (folder / CONFIG).write_text(text + "\n", encoding="utf-8")
        done = int(self.checkpoint.about.get("iteration", 0)) if self.checkpoint else 0
        self._cut_metrics(done)
        self._metrics = (folder / METRICS).open("a", encoding="utf-8")
        self._board = SummaryWriter(folder, purge_step=done + 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._metrics.close()
        self._board.close()
        self._lock.release()

    def log(self, iteration: int, values: Mapping[str, float]) -> None:
        """Keep what was measured after `iteration`."""
        self._metrics.write(json.dumps({"iteration": iteration, **values}) + "\n")
        self._metrics.flush()
        for name, value in values.items():
            self._board.add_scalar(name, value, iteration)

    def save(self, name: str, about: Mapping[str, Any], tensors: Mapping[str, Mapping[str, torch.Tensor]]) -> None:
        """Write a checkpoint into the folder."""
        save_checkpoint(self.folder / name, {**about, "versions": versions()}, tensors)

    def metrics(self) -> list[dict[str, Any]]:
        """All that was logged so far."""
        return read_metrics(self.folder)

    def _check(self, config: Mapping[str, Any]) -> None:
        there = json.loads((self.folder / CONFIG).read_text(encoding="utf-8"))["config"]
        said = differences(there, json.loads(json.dumps(config)))
        if said:
            raise RunError(f"{self.folder} was begun with other settings: {'; '.join(said)}")

    def _cut_metrics(self, done: int) -> None:
        path = self.folder / METRICS
        if not path.exists():
            return
        kept = []
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                if json.loads(line)["iteration"] <= done:
                    kept.append(line + "\n")
            except json.JSONDecodeError:  # what a killed process left of its last line
                break
        path.write_text("".join(kept), encoding="utf-8")


def read_metrics(folder: Path) -> list[dict[str, Any]]:
    """What a run has logged, by line."""
    return [json.loads(line) for line in (folder / METRICS).read_text(encoding="utf-8").splitlines()]


# --- optimisers


def optimiser_tensors(optimiser: torch.optim.Optimizer) -> dict[str, torch.Tensor]:
    """The state of an Adam optimiser by number of the parameter and name."""
    return {
        f"{number}.{name}": torch.as_tensor(value)
        for number, state in optimiser.state_dict()["state"].items()
        for name, value in state.items()
    }


def restore_optimiser(optimiser: torch.optim.Optimizer, checkpoint: Checkpoint) -> None:
    """The reverse; CheckpointError if the checkpoint holds another one's."""
    states: dict[int, dict[str, torch.Tensor]] = {}
    for name, tensor in checkpoint.of("optimiser").items():
        number, _, entry = name.partition(".")
        states.setdefault(int(number), {})[entry] = tensor
    parameters: list[torch.Tensor] = [one for group in optimiser.param_groups for one in group["params"]]
    for at, state in states.items():  # of a parameter that was never moved there is none
        there = tuple(state["exp_avg"].shape) if "exp_avg" in state else None
        here = tuple(parameters[at].shape) if at < len(parameters) else None
        if there is None or there != here:
            raise CheckpointError(
                f"{checkpoint.path}: the optimiser's parameter {at} has shape {there}, expected {here}"
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


def end_as_stopped(said: str) -> NoReturn:
    """The end of a script that Ctrl-C has reached."""
    print(said, file=sys.stderr)
    sys.exit(STOPPED)


def versions() -> dict[str, str]:
    return {
        "chocofactory_env": cf.__version__,
        "python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "numba", "torch", "safetensors")},
    }
