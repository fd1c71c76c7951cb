"""Recipes: from nothing to a trained network, by commands that follow each other.

    python -m training.recipes small --out runs/small            # a solo player in a quarter of an hour
    python -m training.recipes solo players --ship    # remakes the shipped networks, with their cards

After Ctrl-C the same command goes on where it stopped; after a kill too, when the step that it had begun has ended.
`--ship` puts network and curve in place, plays the trials, and writes the card. The recipes are in `recipes.toml`, and
their steps are commands that can be run by hand; `--show` prints them.
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
from hashlib import sha256
from pathlib import Path
from shutil import copyfile
from time import perf_counter
from typing import Annotated, Any, TypedDict

from agents.files import held, listed, read_json, write_json
from agents.chocofactory import CHECKPOINTS as SHIPPED
from agents.networks.checkpoint import Checkpoint, CheckpointError, load_checkpoint
from agents.settings import Within
from arena.series import differences
from chocofactory_env.core.files import whole, write_text

from .curves import draw_run
from .runs import BEST, CONFIG, STOPPED

ROOT = Path(__file__).resolve().parent.parent
RUNS = Path("runs")
KEPT = "recipe.json"  # in the folder of a recipe: which commands are done, and what they took
RESUMED = "training."  # commands that want to be told to go on


@dataclass(frozen=True)
class Recipe:
    """Commands of this project, with places for the folder, the seed and what was learned; see `recipes.toml`."""

    title: str
    commands: tuple[str, ...]
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


class RecipeError(ValueError):
    """A folder of another recipe, or a step that failed; says which."""


class _Done(TypedDict):
    """What `recipe.json` keeps of a command: the seconds it took so far."""

    seconds: Annotated[float, Within(0)]


class _DoneToItsEnd(_Done, total=False):
    printed: str


class _Kept(TypedDict):
    """What `recipe.json` holds."""

    asked: dict[str, Any]
    done: dict[str, _DoneToItsEnd]


@dataclass
class Kitchen:
    """Carries out a recipe in a folder.

    Raises:
        RecipeError: the folder holds the work of another recipe or seed.
    """

    recipe: Recipe
    folder: Path
    seed: int = 0

    def __post_init__(self) -> None:
        self._path = self.folder / KEPT
        self._asked: dict[str, Any] = {"seed": self.seed, "commands": dict(enumerate(self.recipe.commands, start=1))}
        self._done: dict[str, dict[str, Any]] = {}  # by command as it is run: what it printed, and the seconds it took
        self._read()

    def _read(self) -> None:
        if self._path.exists():
            kept = read_json(self._path, _Kept, RecipeError, "what is done of a recipe")
            found = differences(kept["asked"], json.loads(json.dumps(self._asked)))
            if found:
                raise RecipeError(f"{self.folder} was begun with another recipe: {listed(found)}")
            self._done = kept["done"]

    def cook(self) -> None:
        """Run the commands that are not done.

        Raises:
            RecipeError: one of them failed, or another process is at work in the folder. KeyboardInterrupt: it was
                stopped.
        """
        with held(self.folder, RecipeError):
            self._read()
            for command in self.recipe.commands:
                self._run(self.words(command))

    def try_out(self, network: str) -> None:
        """Run the trials of the shipped network, whose name is in the names of their folders; raises as `cook`."""
        with held(self.folder, RecipeError):
            self._read()
            for trial in self.recipe.trials:
                self._run(self.words(trial, network))

    @property
    def network(self) -> Path:
        """The best of the last command's run."""
        return out_of(self.words(self.recipe.commands[-1])) / BEST

    def words(self, command: str, network: str = "NETWORK") -> list[str]:
        """A command as it is run, without Python's name."""
        return [
            word.format(out=self.folder.as_posix(), seed=self.seed, network=network) for word in shlex.split(command)
        ]

    def told(self, words: Sequence[str]) -> tuple[float, str]:
        """What a command that is done took, in minutes, and what it printed."""
        done = self._done[shlex.join(words)]
        return done["seconds"] / 60, done["printed"]

    def _run(self, words: list[str]) -> None:
        name = shlex.join(words)
        before = self._done.get(name, {"seconds": 0.0})
        if "printed" in before:
            return
        print(f"$ python -m {name}", file=sys.stderr)
        begun_before = words[0].startswith(RESUMED) and (out_of(words) / CONFIG).exists()
        begun = perf_counter()
        printed = None
        try:
            printed = run([*words, *(["--resume"] if begun_before else [])])
        finally:
            self._done[name] = {"seconds": round(before["seconds"] + perf_counter() - begun, 1)}
            if printed is not None:
                self._done[name]["printed"] = printed
            write_json(self._path, {"asked": self._asked, "done": self._done})


def out_of(words: Sequence[str]) -> Path:
    """The folder that a command writes."""
    return Path(words[words.index("--out") + 1])


def run(words: Sequence[str]) -> str:
    """Run a command of this project to its end, and return what it printed.

    Ctrl-C reaches the command too, which ends in its own way. Each of its processes gets one thread of torch: two that
    have to share a core are many times slower than one.

    Raises:
        RecipeError: it failed. KeyboardInterrupt: it was stopped.
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
    if stopped or done.returncode == STOPPED:
        raise KeyboardInterrupt
    if done.returncode:
        raise RecipeError(f"python -m {shlex.join(words)} failed (exit status {done.returncode}): see above")
    return done.stdout.strip()


# --- what is shipped


def ship(name: str, kitchen: Kitchen, folder: Path = SHIPPED) -> None:
    """Put network and curve in place, play the trials of what is shipped, and write the card.

    Raises:
        CheckpointError, RecipeError, KeyboardInterrupt: see `load_checkpoint`, `Kitchen.cook`.
    """
    checkpoint = load_checkpoint(kitchen.network)
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.md").unlink(missing_ok=True)  # it tells of the network before
    with whole(folder / f"{name}.safetensors") as path:
        copyfile(kitchen.network, path)  # written anew, the same network has other bytes
    draw_run(kitchen.network.parent, folder / f"{name}.svg")
    digest = digest_of(folder / f"{name}.safetensors")
    kitchen.try_out(digest)
    write_text(folder / f"{name}.md", card(name, kitchen, checkpoint, digest))


def digest_of(path: Path) -> str:
    """By which a card and its trials know the network."""
    return sha256(path.read_bytes()).hexdigest()[:12]


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
the trials below are on deals on which the network was neither trained nor chosen.

## Trials

{trials}"""


def card(name: str, kitchen: Kitchen, checkpoint: Checkpoint, digest: str) -> str:
    """The model card."""
    about = checkpoint.about
    network = ", ".join(f"{key} {value}" for key, value in about["network"].items())
    numbers = sum(tensor.numel() for tensor in checkpoint.of("network").values())
    players = ", ".join(map(str, about["trained_for_players"]))
    options = "".join(
        f", {key} {value}"
        for key, value in about["options"].items()
        if value is not None and key not in ("num_players", "deck")
    )
    commands = [kitchen.words(command) for command in kitchen.recipe.commands]
    trials = [kitchen.words(trial, digest) for trial in kitchen.recipe.trials]
    minutes = [kitchen.told(words)[0] for words in commands]
    facts = {
        "Network": f"{network}; {numbers:,} parameters ([training](../../docs/training.md)); SHA-256 `{digest}…`",
        "Trained for": f"players {players}{options}, deck `{about['deck'][:12]}`",
        "Experience": f"{about['decisions']:,} decisions of PPO, after imitation; seed {kitchen.seed}",
        "Time": f"{sum(minutes):.0f} minutes in all ({platform.machine()}, {os.cpu_count()} cores)",
        "Versions": ", ".join(f"{package} {version}" for package, version in about["versions"].items()),
        "Limits": kitchen.recipe.limits,
    }
    return CARD.format(
        name=name,
        title=kitchen.recipe.title,
        facts="\n".join(f"- **{fact}**: {said}." for fact, said in facts.items()),
        commands="\n".join(
            f"python -m {shlex.join(words)}  # {took:.1f} min" for words, took in zip(commands, minutes, strict=True)
        ),
        trials="\n".join(f"```\n$ python -m {shlex.join(words)}\n{kitchen.told(words)[1]}\n```\n" for words in trials),
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m training.recipes", description="Train a network from nothing.")
    parser.add_argument("recipes", choices=RECIPES, nargs="+")
    parser.add_argument("--out", type=Path, help="folder of one recipe (runs/NAME)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--ship", action="store_true", help="play the trials; make agents/chocofactory/checkpoints/NAME and its card"
    )
    parser.add_argument("--show", action="store_true", help="print the commands and do nothing")
    chosen = parser.parse_args(arguments)
    if chosen.out is not None and len(chosen.recipes) > 1:
        parser.error("--out is for one recipe")
    if chosen.seed < 0:
        parser.error("--seed: expected 0 or more")
    for name in chosen.recipes if chosen.ship else ():
        if not RECIPES[name].trials:
            parser.error(f"{name} is not shipped: it has no trials")
    try:
        kitchens = {name: Kitchen(RECIPES[name], chosen.out or RUNS / name, chosen.seed) for name in chosen.recipes}
        for name, kitchen in kitchens.items():
            if chosen.show:
                for command in (*kitchen.recipe.commands, *kitchen.recipe.trials):
                    print(f"python -m {shlex.join(kitchen.words(command))}")
                continue
            kitchen.cook()
            if chosen.ship:
                ship(name, kitchen)
            print(f"{name}: {kitchen.network}")
    except (RecipeError, CheckpointError) as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        print("stopped; the same command goes on", file=sys.stderr)
        sys.exit(STOPPED)


if __name__ == "__main__":
    main()
