"""Recipes: from nothing to a trained network, by commands that follow each other.

    python -m training.recipes small --out runs/small            # a solo player in a quarter of an hour
    python -m training.recipes solo players --ship                # remakes agents/checkpoints/, with its cards

After Ctrl-C or a kill the same command goes on where it stopped. `--ship` also plays the trials and puts network, curve
and card in place. All that a recipe does are commands that can be run by hand, `--show` prints them. The recipes are in
`recipes.toml`.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shlex
import signal
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from agents.checkpoint import Checkpoint, CheckpointError, load_checkpoint, save_checkpoint
from agents.learned import SHIPPED
from agents.series import differences, write_json

from .curves import draw_run
from .runs import BEST, CONFIG

ROOT = Path(__file__).resolve().parent.parent
RUNS = Path("runs")
KEPT = "recipe.json"  # in the folder of a recipe: which commands are done, and what they took
RESUMED = ("training.",)  # commands that want to be told to go on


@dataclass(frozen=True)
class Recipe:
    """Commands of this project, with places for the folder, the seed and what was learned; see `recipes.toml`."""

    title: str
    commands: tuple[str, ...]
    result: str  # the folder of the last run, under the recipe's
    trials: tuple[str, ...] = ()  # of which the card shows what they print
    limits: str = ""  # what the card says beside it

    @classmethod
    def of(cls, title: str, commands: Sequence[str], trials: Sequence[str] = (), **others: str) -> Recipe:
        """From the file, in which a command may stand on several lines."""
        commands, trials = (tuple(" ".join(each.split()) for each in some) for some in (commands, trials))
        return cls(title, commands, trials=trials, **others)


RECIPES = {
    name: Recipe.of(**said)
    for name, said in tomllib.loads(Path(__file__).with_name("recipes.toml").read_text(encoding="utf-8")).items()
}


@dataclass
class Kitchen:
    """Carries out a recipe in a folder."""

    recipe: Recipe
    folder: Path
    seed: int

    def __post_init__(self) -> None:
        """ValueError if the folder holds another recipe's work."""
        self._path = self.folder / KEPT
        self._asked: dict[str, Any] = {"commands": list(self.recipe.commands), "seed": self.seed}
        self._done: dict[str, dict[str, Any]] = {}
        if self._path.exists():
            kept = json.loads(self._path.read_text(encoding="utf-8"))
            said = differences(kept["asked"], self._asked)
            if said:
                raise ValueError(f"{self.folder} was begun with another recipe: {'; '.join(said)}")
            self._done = kept["done"]

    def cook(self) -> bool:
        """Run the commands that are not done; False if it was stopped or one of them failed."""
        return all(self._run(command) is not None for command in self.recipe.commands)

    def try_out(self) -> bool:
        """Run the trials, and keep what they print."""
        return all(self._run(trial) is not None for trial in self.recipe.trials)

    @property
    def network(self) -> Path:
        return self.folder / self.recipe.result / BEST

    def words(self, command: str) -> list[str]:
        """A command as it is run, without Python's name."""
        return shlex.split(command.format(out=self.folder.as_posix(), seed=self.seed))

    def minutes(self, command: str) -> float:
        return float(self._done[command]["seconds"]) / 60

    def printed(self, command: str) -> str:
        return str(self._done[command]["printed"])

    def _run(self, command: str) -> str | None:
        """What it prints, now or when it was run before; None if it was stopped or failed."""
        before = self._done.get(command, {"seconds": 0.0})
        if "printed" in before:
            return self.printed(command)
        words = self.words(command)
        print(f"$ python -m {shlex.join(words)}", file=sys.stderr)
        if words[0].startswith(RESUMED) and (Path(words[words.index("--out") + 1]) / CONFIG).exists():
            words.append("--resume")
        begun = perf_counter()
        printed = run(words)
        self._done[command] = {"seconds": round(before["seconds"] + perf_counter() - begun, 1)}
        if printed is not None:
            self._done[command]["printed"] = printed
        self.folder.mkdir(parents=True, exist_ok=True)
        write_json(self._path, {"asked": self._asked, "done": self._done})
        return printed


def run(words: Sequence[str]) -> str | None:
    """Run a command of this project to its end, and return what it printed; None if it was stopped or failed.

    Ctrl-C reaches the command too, which ends in its own way. Each of its processes gets one thread of torch: two that
    have to share a core are many times slower than one.
    """
    stopped = False

    def stop(*_: Any) -> None:
        nonlocal stopped
        stopped = True

    handler = signal.signal(signal.SIGINT, stop)
    try:
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-m", *words], stdout=subprocess.PIPE, text=True, check=False, env=environment
        )
    finally:
        signal.signal(signal.SIGINT, handler)
    return None if stopped or done.returncode else done.stdout.strip()


# --- what is shipped


def ship(name: str, kitchen: Kitchen, folder: Path = SHIPPED) -> bool:
    """Put network, curve and card in place; False if the trials were stopped. The trials are of what is shipped."""
    folder.mkdir(exist_ok=True)
    checkpoint = load_checkpoint(kitchen.network)
    save_checkpoint(folder / f"{name}.safetensors", checkpoint.about, {"network": checkpoint.of("network")})
    draw_run(kitchen.network.parent, folder / f"{name}.svg")
    if not kitchen.try_out():
        return False
    (folder / f"{name}.md").write_text(card(name, kitchen, checkpoint), encoding="utf-8")
    return True


CARD = """# {title}

Generated by `python -m training.recipes {name} --ship`; do not edit. The network is
[`{name}.safetensors`]({name}.safetensors); the agent `learned` plays it.

{facts}

## How it was trained

```
{commands}
```

![Games won while training]({name}.svg)

Points are evaluations on the same deals, with 95 % intervals. The best of them is shipped, so its own score flatters;
the trials below are on deals that were used for nothing else.

## Trials

{trials}"""


def card(name: str, kitchen: Kitchen, checkpoint: Checkpoint) -> str:
    """The model card."""
    about = checkpoint.about
    network = ", ".join(f"{key} {value}" for key, value in about["network"].items())
    numbers = sum(tensor.numel() for tensor in checkpoint.of("network").values())
    minutes = sum(kitchen.minutes(command) for command in kitchen.recipe.commands)
    options = ", ".join(f"{key} {value}" for key, value in about["options"].items() if key != "num_players")
    facts = {
        "Network": f"{network}; {numbers:,} parameters ([training](../../docs/training.md))",
        "Trained for": f"players {about['trained_for_players']}, {options}, deck `{about['deck'][:12]}`",
        "Experience": f"{about['decisions']:,} decisions of PPO, after imitation; seed {kitchen.seed}",
        "Time": f"{minutes:.0f} minutes in all on one core ({platform.machine()})",
        "Versions": ", ".join(f"{package} {version}" for package, version in about["versions"].items()),
        "Limits": kitchen.recipe.limits,
    }
    commands = [
        f"python -m {shlex.join(kitchen.words(command))}  # {kitchen.minutes(command):.1f} min"
        for command in kitchen.recipe.commands
    ]
    trials = [
        f"```\n$ python -m {shlex.join(kitchen.words(trial))}\n{kitchen.printed(trial)}\n```\n"
        for trial in kitchen.recipe.trials
    ]
    return CARD.format(
        name=name,
        title=kitchen.recipe.title,
        facts="\n".join(f"- **{fact}**: {said}." for fact, said in facts.items()),
        commands="\n".join(commands),
        trials="\n".join(trials),
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m training.recipes", description="Train a network from nothing.")
    parser.add_argument("recipes", choices=RECIPES, nargs="+")
    parser.add_argument("--out", type=Path, help="folder of one recipe (runs/NAME)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--ship", action="store_true", help="play the trials; make agents/checkpoints/NAME and its card"
    )
    parser.add_argument("--show", action="store_true", help="print the commands and do nothing")
    chosen = parser.parse_args(arguments)
    if chosen.out is not None and len(chosen.recipes) > 1:
        parser.error("--out is for one recipe")
    for name in chosen.recipes:
        try:
            kitchen = Kitchen(RECIPES[name], chosen.out or RUNS / name, chosen.seed)
        except ValueError as error:
            parser.error(str(error))
        if chosen.show:
            for command in (*kitchen.recipe.commands, *kitchen.recipe.trials):
                print(f"python -m {shlex.join(kitchen.words(command))}")
            continue
        if chosen.ship and not kitchen.recipe.trials:
            parser.error(f"{name} is not shipped: it has no trials")
        try:
            if not kitchen.cook() or (chosen.ship and not ship(name, kitchen)):
                sys.exit("stopped; the same command goes on")
        except CheckpointError as error:
            parser.error(str(error))
        print(f"{name}: {kitchen.network}")


if __name__ == "__main__":
    main()
