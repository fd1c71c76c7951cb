"""Learn a task of the arena with an algorithm, and keep a network at every fifth of the budget.

    python -m training.tasks duel ppo_afterstates --seed 0 --out runs/tasks
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Final

import msgspec
import tyro

import chocofactory_env as cf
from chocofactory_env.agents.networks.checkpoint import about_network, save_checkpoint
from chocofactory_env.arena.tasks import LearningTask

from .ppo import Config, Learner, presets_of
from .settings import Seed, call

POINTS: Final = 5  # networks that are kept
Learns = Callable[[LearningTask, int, Path], None]  # (task, seed, folder of the networks)


def maskable_ppo(task: LearningTask, seed: int, folder: Path) -> None:
    """Learn with sb3-contrib's MaskablePPO in the task's own environment."""
    from . import sb3

    rollout = sb3.GAMES * sb3.ROLLOUT
    sb3.train(task.env, task.options, task.budget // rollout * rollout, seed, folder / "run")
    for network in (folder / "run" / "checkpoints").glob("*.zip"):
        network.rename(folder / f"{network.stem.split('_')[2]}.zip")
    rmtree(folder / "run")


def ppo(task: LearningTask, seed: int, folder: Path, *, network: str) -> None:
    """Learn with `training.ppo` by self-play, with the game's preset `task` if it has one."""
    options = {name: value for name, value in task.options.items() if name not in ("num_players", "reward")}
    config = msgspec.structs.replace(
        presets_of(task.of).get("task", Config(game=task.of)),
        players=(task.game.num_players,),
        options=options,
        network={"kind": network},
        seed=seed,
        threads=1,
    )
    config = msgspec.structs.replace(config, iterations=task.budget // (config.games * config.steps))
    learner = Learner(config)
    marks = {math.ceil(config.iterations * point / POINTS) for point in range(1, POINTS + 1)}
    while learner.iteration < config.iterations:
        learner.iterate()
        if learner.iteration in marks:
            about = about_network(learner.network, learner.tables[0].game)
            path = folder / f"{learner.decisions}.safetensors"
            save_checkpoint(path, about, {"network": learner.network.state_dict()})


ALGORITHMS: Final[Mapping[str, Learns]] = {
    "maskable_ppo": maskable_ppo,
    "ppo_mlp": partial(ppo, network="mlp"),
    "ppo_afterstates": partial(ppo, network="afterstates"),
}


def program(task: tyro.conf.Positional[str], algorithm: tyro.conf.Positional[str], *, out: Path, seed: Seed = 0, share: float = 1.0) -> Path:
    folder = out / f"{task}-{algorithm}-{seed}"
    if folder.exists():
        return folder
    learned = cf.task(task)
    learned = replace(learned, budget=int(learned.budget * share))
    out.mkdir(parents=True, exist_ok=True)
    new = Path(mkdtemp(prefix=".new-", dir=out))
    ALGORITHMS[algorithm](learned, seed, new)
    new.rename(folder)
    return folder


def main(arguments: Sequence[str] | None = None) -> None:
    print(call(program, "tasks", arguments))


if __name__ == "__main__":
    main()
