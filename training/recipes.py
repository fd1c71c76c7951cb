"""Recipes: lists of commands, with seeds, that train a network from scratch.

    chocofactory train recipes small --out runs/small            # a solo player in five minutes
    chocofactory train recipes solo players --ship               # remakes the shipped networks, with their cards

After Ctrl-C, run the same command again to resume; after a kill, too, once the step under way has ended. `--minutes 10`
stops after ten minutes in the same way. `--show` prints the commands, which can be run by hand, with their progress.
`--ship` installs the network and its curve, plays the trials, and writes the card. A game's recipes are in
`training/<game>/recipes.toml`.
"""

from __future__ import annotations

import os
import platform
import shlex
import signal
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec
import torch
import tyro
from msgspec import Struct

from chocofactory_env.agents.by_game import AGENTS, addition
from chocofactory_env.agents.files import listed, read_json, write_json
from chocofactory_env.agents.networks.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from chocofactory_env.arena.play import differences
from chocofactory_env.core.files import held
from chocofactory_env.core.reading import need, one_of, read

from .cards import Card, Made, Trial, card_of
from .runs import BEST, LAST, draw_curve
from .settings import STOPPED, TRAINING, Seed, call

KEPT = "recipe.json"  # in a recipe's folder: what is done of it
RESUMED = ("training.ppo", "training.imitate")  # commands that continue with `--resume`
PREFIX = "python -m chocofactory_env."  # of a command; the commands of recipes leave it out
MOST_SEEDS = 10  # of the commands of a recipe


class Recipe(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Commands of this project, with placeholders for folder, seed, device and game; see `recipes.toml`."""

    title: str
    game: str
    commands: list[str]
    trials: list[Trial] = []  # of the shipped network
    limits: str = ""  # for the card

    def words(self, folder: Path, seed: int, device: str) -> list[list[str]]:
        """The words of each command, with its placeholders filled."""
        seeds = range(seed, seed + MOST_SEEDS)
        places = {"game": self.game, "out": folder.as_posix(), "seed": seed, "seeds": seeds, "device": device}
        return [[word.format(**places) for word in shlex.split(command)] for command in self.commands]


@cache
def recipes() -> dict[str, Recipe]:
    """The recipes of all games by name."""
    files = sorted(Path(__file__).parent.glob("*/recipes.toml"))
    tables = [tomllib.loads(file.read_text(encoding="utf-8")) for file in files]
    return {name: read(Recipe, table) for each in tables for name, table in each.items()}


class RecipeError(ValueError):
    """The folder holds another recipe, or a command failed."""


class _Kept(Struct):
    """The contents of `recipe.json`."""

    commands: list[str]  # of the recipe, with their seeds; paths are relative to the folder, which may be moved
    done: dict[str, Made]  # by command


class RecipeRun:
    """A recipe in a folder; RecipeError if the folder belongs to another recipe or seed."""

    def __init__(self, recipe: Recipe, folder: Path, seed: int = 0, device: str = "cpu") -> None:
        self.recipe, self.folder, self.seed = recipe, folder, seed
        self.words = recipe.words(folder, seed, device)
        self.names = [shlex.join(words) for words in recipe.words(Path(), seed, device)]
        self.done: dict[str, Made] = {}
        self._read()

    @property
    def network(self) -> Path:
        """The best checkpoint of the last command's run."""
        return out_of(self.words[-1]) / BEST

    def steps(self) -> list[Made]:
        """All commands with their progress."""
        begun = [self.done.get(name, Made("", 0.0, 0, False)) for name in self.names]
        return [
            msgspec.structs.replace(made, command=shlex.join(words))
            for made, words in zip(begun, self.words, strict=True)
        ]

    def run(self, end: float | None = None) -> None:
        """Run the unfinished commands. end: see `run_command`.

        Raises:
            RecipeError: one of them failed, another process uses the folder, or it holds something else.
            KeyboardInterrupt: it was stopped, or the time is over.
        """
        with held(self.folder, RecipeError, own=(KEPT,)):
            self._read()
            for name, words, step in zip(self.names, self.words, self.steps(), strict=True):
                if not step.finished:
                    self._run_command(name, words, step, end)

    def _run_command(self, name: str, words: list[str], before: Made, end: float | None) -> None:
        print(f"$ {PREFIX}{before.command}", file=sys.stderr)
        resumed = words[0] in RESUMED and (out_of(words) / LAST).exists()
        begun, finished = perf_counter(), False
        try:
            run_command([*words, *(["--resume"] if resumed else [])], end)
            finished = True
        finally:
            minutes = round(before.minutes + (perf_counter() - begun) / 60, 2)
            self.done[name] = Made(before.command, minutes, before.slices + 1, finished)
            write_json(self.folder / KEPT, msgspec.to_builtins(_Kept(self.names, self.done)))

    def _read(self) -> None:
        if (self.folder / KEPT).exists():
            kept = read(_Kept, read_json(self.folder / KEPT, _Kept, RecipeError, "what is done of a recipe"))
            if found := differences(dict(enumerate(kept.commands)), dict(enumerate(self.names))):
                raise RecipeError(f"{self.folder} was begun with another recipe: {listed(found)}")
            self.done = kept.done


def out_of(words: Sequence[str]) -> Path:
    """The output folder of a command."""
    return Path(words[words.index("--out") + 1])


def run_command(words: Sequence[str], end: float | None = None) -> None:
    """Run a command of this project to its end. Each process gets one thread of torch, as two on a core are far slower.

    end: time of `perf_counter` at which it is stopped, as on Ctrl-C, which reaches the command too.

    Raises:
        RecipeError: it failed.
        KeyboardInterrupt: it was stopped.
    """
    stopped = False

    def stop(*_: Any) -> None:
        nonlocal stopped
        stopped = True

    handler = signal.signal(signal.SIGINT, stop)
    try:
        environment, module = {**os.environ, "OMP_NUM_THREADS": "1"}, words[0].replace("training", TRAINING, 1)
        with subprocess.Popen([sys.executable, "-m", module, *words[1:]], env=environment) as process:
            try:
                process.wait(timeout=None if end is None else max(0.0, end - perf_counter()))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGINT)
                process.wait()
    finally:
        signal.signal(signal.SIGINT, handler)
    if stopped or process.returncode in (STOPPED, -signal.SIGINT):  # the latter before it has begun its work
        raise KeyboardInterrupt
    if process.returncode:
        raise RecipeError(f"{PREFIX}{shlex.join(words)} failed (exit status {process.returncode}): see above")


# --- shipping


def install(name: str, run: RecipeRun, folder: Path | None = None) -> Path:
    """Install network and curve, play the trials of the shipped network, and write the card; return the network.

    The network is stored in bfloat16, which takes half the bytes; the trials play it so.

    folder: the target; None: `CHECKPOINTS` in `agents/<game>/__init__.py`.

    Raises:
        CheckpointError: the run has no network that can be read.
        RecipeError: the game names no folder.
    """
    recipe = run.recipe
    folder = folder or addition(AGENTS, recipe.game, "CHECKPOINTS", None)
    if folder is None:
        raise RecipeError(f"{recipe.game}: expected a folder CHECKPOINTS in agents/{recipe.game}/__init__.py, got none")
    checkpoint, shipped = load_checkpoint(run.network), folder / f"{name}.safetensors"
    folder.mkdir(exist_ok=True)
    card_of(shipped).unlink(missing_ok=True)  # it describes the previous network
    network = {name: tensor.to(torch.bfloat16) for name, tensor in checkpoint.of("network").items()}
    save_checkpoint(shipped, checkpoint.about, {"network": network})
    draw_curve(run.network.parent, shipped.with_suffix(".svg"))
    trials = [trial.played(recipe.game) for trial in recipe.trials]
    card(run, checkpoint, sha256(shipped.read_bytes()).hexdigest(), trials).write(shipped)
    return shipped


def card(run: RecipeRun, checkpoint: Checkpoint, digest: str, trials: list[Trial]) -> Card:
    """The card of the network in a checkpoint."""
    about, made = checkpoint.about, run.steps()
    before = any(words[0] == "training.imitate" for words in run.words)
    data = f"{about['iteration']} epochs of imitation"
    if "decisions" in about:
        start = "after imitation" if before else "from the network of another recipe"
        data = f"{about['decisions']:,} decisions of the last run of PPO, {start}"
    return Card(
        title=run.recipe.title,
        kind="network",
        game=about["game"],
        players=about["trained_for_players"],
        variants=about.get("trained_for_variants", []),
        deck=about["deck"],
        decks=about.get("decks", []),
        rules=about["rules"],
        model=about["network"],
        parameters=sum(tensor.numel() for tensor in checkpoint.of("network").values()),
        digest=digest,
        data=data,
        minutes=round(sum(step.minutes for step in made), 1),
        machine=f"{platform.machine()}, {os.cpu_count()} cores",
        seed=run.seed,
        versions=about["versions"],
        limits=run.recipe.limits,
        made=made,
        trials=trials,
    )


def progress(step: Made) -> str:
    """A command's time, in words."""
    if not step.slices:
        return "not begun"
    slices = f" in {step.slices} slices" if step.slices > 1 else ""
    return f"{step.minutes:.1f} min{slices}{'' if step.finished else ' so far'}"


def program(
    names: tyro.conf.Positional[tuple[str, ...]],
    *,
    out: Path | None = None,
    seed: Seed = 0,
    device: str = "cpu",
    minutes: float | None = None,
    ship: bool = False,
    show: bool = False,
) -> Mapping[str, Path]:
    """Train networks from nothing; after a stop, the same command goes on. Returns the network of each recipe.

    Args:
        names: recipes
        out: folder of one recipe (runs/NAME)
        seed: seed of the first command; others count up
        device: device of the steps that can use a GPU, cpu or cuda
        minutes: stop after this time, as on Ctrl-C
        ship: play the trials; make agents/GAME/checkpoints/NAME and its card
        show: print the commands and their progress
    """
    for name in names:
        need(name in recipes(), one_of(recipes()), name, "names")
        need(not ship or bool(recipes()[name].trials), "a recipe with trials, as only such are shipped", name, "names")
    need(len(names) == 1 or (bool(names) and out is None), "one recipe with --out", names, "names")
    end = None if minutes is None else perf_counter() + 60 * minutes
    runs = {name: RecipeRun(recipes()[name], out or Path("runs") / name, seed, device) for name in names}
    made = {}
    for name, run in runs.items():
        if show:
            print("\n".join(f"{PREFIX}{step.command}  # {progress(step)}" for step in run.steps()))
            print("\n".join(trial.command(run.recipe.game) for trial in run.recipe.trials))
            continue
        run.run(end)
        made[name] = install(name, run) if ship else run.network
    return made


def main(arguments: Sequence[str] | None = None) -> None:
    for name, network in call(program, "recipes", arguments).items():
        print(f"{name}: {network}")


if __name__ == "__main__":
    main()
