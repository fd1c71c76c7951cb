"""Learn a task of the arena with an algorithm, and judge the network at every fifth of the budget.

    chocofactory train tasks duel ppo_afterstates --seed 0 --out runs/tasks

The folder gets `duel-ppo_afterstates.json`, the learning curves of all seeds (`arena.curves`), and the networks, in
`duel-ppo_afterstates-0/` by number of decisions. What is there already is not made again: the same command resumes our
PPO where it was stopped; MaskablePPO begins anew. docs/tasks.md has results.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from shutil import rmtree
from typing import Any, Final

import msgspec
import tyro

import chocofactory_env as cf
from chocofactory_env.agents.files import read_json, write_json
from chocofactory_env.agents.networks.checkpoint import save_network
from chocofactory_env.arena.curves import Curve, Curves, Point, no_curves, read_curves
from chocofactory_env.arena.entries import DECIMALS
from chocofactory_env.arena.games import versions
from chocofactory_env.arena.tasks import LearningTask
from chocofactory_env.core.reading import need, one_of

from .ppo import Config, Learner, train
from .runs import LAST, read_metrics
from .settings import Seed, call, presets_of

POINTS: Final = 5  # networks that are kept and judged
LEARNED: Final = "learned.json"  # of a finished run: what learning took
Learns = Callable[[LearningTask, int, int, Path], float]  # (task, decisions, seed, folder of the networks) to seconds


def maskable_ppo(task: LearningTask, decisions: int, seed: int, folder: Path) -> float:
    """Learn with sb3-contrib's MaskablePPO in the task's own environment, as `training.sb3` does."""
    from . import sb3

    rollout, run = sb3.GAMES * sb3.ROLLOUT, folder / "run"
    rmtree(run, ignore_errors=True)  # of a learner that was stopped
    begun = time.process_time()
    sb3.train(task.env, out=run, option=task.options, steps=decisions // rollout * rollout, seed=seed)
    for network in (run / "checkpoints").glob("*.zip"):
        network.rename(folder / f"{network.stem.split('_')[2]}.zip")
    rmtree(run)
    return time.process_time() - begun


def ppo(task: LearningTask, decisions: int, seed: int, folder: Path, *, network: str) -> float:
    """Learn with `training.ppo` by self-play, with the settings of the game's preset `duel` if it has one."""
    options = dict(task.options)
    options.pop("reward", None)  # ours has its own
    decks = options.pop("decks", None)
    config = msgspec.structs.replace(
        presets_of(Config, task.of, "PPO").get("duel", Config(game=task.of)),
        players=(options.pop("num_players", task.game.num_players),),
        options=options,
        decks=(decks,) if decks else (),
        network={"kind": network},
        rival_share=0.0,
        seed=seed,
        threads=1,
    )
    iterations = decisions // (config.games * config.steps)
    config = msgspec.structs.replace(config, iterations=iterations, evaluate_every=iterations)
    marks = {math.ceil(iterations * point / POINTS) for point in range(1, POINTS + 1)}

    def keep(learner: Learner) -> None:
        if learner.iteration in marks:
            save_network(folder / f"{learner.decisions}.safetensors", learner.network, learner.groups[0].game)

    run = folder / "run"
    if train(config, run, resume=(run / LAST).exists(), after=keep) is None:
        raise KeyboardInterrupt
    return sum(line["seconds_of_processors"] or 0.0 for line in read_metrics(run))


ALGORITHMS: Final[Mapping[str, Learns]] = {
    "maskable_ppo": maskable_ppo,
    "ppo_mlp": partial(ppo, network="mlp"),
    "ppo_afterstates": partial(ppo, network="afterstates"),
}


def judged(task: LearningTask, network: Path) -> Point:
    """Judge a network that an algorithm has kept."""
    policy: Any = f"learned:checkpoint={network}"
    if network.suffix == ".zip":
        from sb3_contrib import MaskablePPO

        policy = MaskablePPO.load(network, device="cpu")
    result = task.evaluate(policy, name="learner", progress=False)
    own, figure = result.agents()[0], task.figure(result)
    value, low, high = (round(number, DECIMALS) for number in figure[1:])
    return Point(int(network.stem), own["games"], own["wins"], round(own["score"], DECIMALS), value, low, high)


def learned(task: LearningTask, algorithm: str, seed: int, share: float, folder: Path) -> float | None:
    """Learn, unless the folder has the networks already; returns the seconds of the processor that it took."""
    done = folder / LEARNED
    if not done.exists():
        folder.mkdir(parents=True, exist_ok=True)
        seconds = ALGORITHMS[algorithm](task, int(task.budget * share), seed, folder)
        write_json(done, {"seconds": round(seconds, 1)})
    taken: dict[str, float | None] = read_json(done, dict[str, float | None], ValueError, "what learning took")
    return taken["seconds"]


def program(
    task: tyro.conf.Positional[str],
    algorithm: tyro.conf.Positional[str],
    *,
    out: Path,
    seed: Seed = 0,
    share: float = 1.0,
) -> Curves:
    """Learn a task, and judge the network at every fifth of the budget.

    Args:
        task: name of the task
        algorithm: maskable_ppo (needs stable-baselines3 and sb3-contrib), ppo_mlp, or ppo_afterstates
        out: folder of the curves and the networks
        seed: random seed
        share: share of the budget to learn from, above 0

    Raises:
        ValueError: there is no such task, algorithm or share, or the folder's curves are of another version.
    """
    of = cf.task(task)
    need(algorithm in ALGORITHMS, one_of(ALGORITHMS), algorithm, "algorithm")
    need(0 < share <= 1, "a number above 0, and at most 1", share, "share")
    name = f"{of.name}-{algorithm}"
    path, folder = out / f"{name}.json", out / f"{name}-{seed}"
    curves = read_curves(path) if path.exists() else no_curves(of, algorithm)
    if all(run.seed != seed for run in curves.runs):
        seconds = learned(of, algorithm, seed, share, folder)
        networks = sorted(folder.glob("[0-9]*"), key=lambda network: int(network.stem))
        more = ("torch", "stable-baselines3", "sb3-contrib") if algorithm == "maskable_ppo" else ("torch",)
        points = [judged(of, network) for network in networks]
        curves = curves.with_run(Curve(seed, seconds, versions(*more), points))
        curves.write(path)
    return curves


def main(arguments: Sequence[str] | None = None) -> None:
    for run in call(program, "tasks", arguments).runs:
        last = run.points[-1]
        print(f"seed {run.seed}: {last.value:.3f} [{last.low:.3f}, {last.high:.3f}] after {last.decisions:,} decisions")


if __name__ == "__main__":
    main()
