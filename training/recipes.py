"""Recipes: sequences of commands that train a network from scratch.

    python -m training.recipes small --out runs/small            # a solo player within ten minutes
    python -m training.recipes solo players --ship    # remakes the shipped networks, with their cards

After Ctrl-C, run the same command again to resume; after a kill, too, once the step under way has ended. `--minutes 10`
stops after ten minutes in the same way. `--show` prints the commands, which can be run by hand, with their progress.
`--ship` installs network and curve, plays the trials, and writes the card. A game's recipes are in
`training/<game>/recipes.toml`.
"""

from __future__ import annotations

import json
import os
import platform
import shlex
import signal
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from shutil import copyfile
from time import perf_counter
from typing import Annotated, Any, TypedDict

from msgspec import Meta

from agents.by_game import addition
from agents.files import listed, read_json, write_json
from agents.networks.checkpoint import Checkpoint, CheckpointError, load_checkpoint
from arena.play import differences
from chocofactory_env.core.command import CommandParser, folder_to_write, seed_of_deal
from chocofactory_env.core.files import held, whole, write_text
from chocofactory_env.core.reading import at_least

from . import ROOT
from .cards import Trial, write_card
from .curves import draw_run
from .runs import BEST, CONFIG, STOPPED

RUNS = Path("runs")
KEPT = "recipe.json"  # in a recipe's folder: the finished commands, and their times
RESUMED = "training."  # commands that continue with `--resume`
MOST_SEEDS = 10  # of the commands of a recipe


@dataclass(frozen=True)
class Recipe:
    """Commands of this project, with placeholders for folder, seed, device and network; see `recipes.toml`."""

    title: str
    game: str
    commands: tuple[str, ...]
    trials: tuple[str, ...] = ()  # commands whose output is shown on the card
    limits: str = ""  # limits on the card

    @classmethod
    def of(cls, title: str, game: str, commands: Sequence[str], trials: Sequence[str] = (), **others: str) -> Recipe:
        """Make a recipe from its table in the file, where a command may span several lines."""
        commands, trials = (tuple(" ".join(each.split()) for each in some) for some in (commands, trials))
        return cls(title, game, commands, trials=trials, **others)


def read_recipes() -> dict[str, Recipe]:
    """The recipes of all games by name, from `recipes.toml` in the games' folders."""
    return {
        name: Recipe.of(**values)
        for path in sorted(Path(__file__).parent.glob("*/recipes.toml"))
        for name, values in tomllib.loads(path.read_text(encoding="utf-8")).items()
    }


RECIPES = read_recipes()


class RecipeError(ValueError):
    """The folder holds another recipe, or a step failed."""


class _Done(TypedDict):
    """A command in `recipe.json`, with its seconds so far."""

    seconds: Annotated[float, Meta(ge=0)]


class _DoneToItsEnd(_Done, total=False):
    slices: Annotated[int, at_least(1)]  # processes that it took so far; 1 if missing
    printed: str


class _Asked(TypedDict):
    asked: dict[str, Any]
    done: dict[str, _DoneToItsEnd]


class _Kept(_Asked, total=False):
    """The contents of `recipe.json`."""

    tried: str  # digest of the network that played the trials


@dataclass
class RecipeRun:
    """Runs a recipe in a folder.

    device: for the commands that have a placeholder for it.
    minutes: limit after which it stops, as on Ctrl-C.

    Raises:
        RecipeError: the folder belongs to another recipe or seed.
    """

    recipe: Recipe
    folder: Path
    seed: int = 0
    device: str = "cpu"
    minutes: float | None = None

    def __post_init__(self) -> None:
        self._end = None if self.minutes is None else perf_counter() + 60 * self.minutes
        self._path = self.folder / KEPT
        self._asked: dict[str, Any] = {"seed": self.seed, "commands": dict(enumerate(self.recipe.commands, start=1))}
        self._done: dict[str, dict[str, Any]] = {}  # output and seconds, by command
        self._tried = ""
        self._read()

    def _read(self) -> None:
        if self._path.exists():
            kept = read_json(self._path, _Kept, RecipeError, "what is done of a recipe")
            found = differences(kept["asked"], json.loads(json.dumps(self._asked)))
            if found:
                raise RecipeError(f"{self.folder} was begun with another recipe: {listed(found)}")
            self._done = kept["done"]
            self._tried = kept.get("tried", "")

    def run(self) -> None:
        """Run the unfinished commands.

        Raises:
            RecipeError: one of them failed, another process uses the folder, or it holds something else.
            KeyboardInterrupt: it was stopped.
        """
        with held(self.folder, RecipeError, own=(KEPT,)):
            self._read()
            self._keep()
            for command in self.recipe.commands:
                self._run_command(self.words(command))

    def try_out(self, network: str) -> None:
        """Run the trials of the shipped network that are missing. Raises like `run`.

        network: its digest, which names folders of trials. Trials of another network are played again.
        """
        with held(self.folder, RecipeError):
            self._read()
            trials = [self.words(trial, network) for trial in self.recipe.trials]
            if self._tried != network:
                for words in trials:
                    self._done.pop(shlex.join(words), None)
                self._tried = network
            for words in trials:
                self._run_command(words)

    @property
    def network(self) -> Path:
        """The best checkpoint of the last command's run."""
        return out_of(self.words(self.recipe.commands[-1])) / BEST

    def words(self, command: str, network: str = "NETWORK") -> list[str]:
        """A command with its placeholders filled, without Python's name."""
        places = {
            "game": self.recipe.game,
            "out": self.folder.as_posix(),
            "seed": self.seed,
            "seeds": range(self.seed, self.seed + MOST_SEEDS),
            "device": self.device,
            "network": network,
        }
        return [word.format(**places) for word in shlex.split(command)]

    def outcome(self, words: Sequence[str]) -> tuple[float, str]:
        """The minutes and the output of a finished command."""
        done = self._done[shlex.join(words)]
        return done["seconds"] / 60, done["printed"]

    def progress(self, words: Sequence[str]) -> str:
        """The progress of a command: its time and slices so far."""
        if (done := self._done.get(shlex.join(words))) is None:
            return "not begun"
        slices = done.get("slices", 1)
        state = "" if "printed" in done else " so far"
        return f"{done['seconds'] / 60:.1f} min{f' in {slices} slices' if slices > 1 else ''}{state}"

    def _run_command(self, words: list[str]) -> None:
        name = shlex.join(words)
        before = self._done.get(name, {"seconds": 0.0, "slices": 0})
        if "printed" in before:
            return
        print(f"$ python -m {name}", file=sys.stderr)
        begun_before = words[0].startswith(RESUMED) and "--out" in words and (out_of(words) / CONFIG).exists()
        begun = perf_counter()
        printed = None
        try:
            printed = run_command([*words, *(["--resume"] if begun_before else [])], self._end)
        finally:
            seconds = round(before["seconds"] + perf_counter() - begun, 1)
            self._done[name] = {"seconds": seconds, "slices": before.get("slices", 1) + 1}
            if printed is not None:
                self._done[name]["printed"] = printed
            self._keep()

    def _keep(self) -> None:
        write_json(self._path, {"asked": self._asked, "done": self._done, "tried": self._tried})


def out_of(words: Sequence[str]) -> Path:
    """The output folder of a command."""
    return Path(words[words.index("--out") + 1])


def run_command(words: Sequence[str], end: float | None = None) -> str:
    """Run a command of this project to its end, and return its output.

    end: time of `perf_counter` at which it is stopped, as on Ctrl-C.

    Ctrl-C reaches the command too, which stops in its own way. Each of its processes gets one thread of torch, since
    two threads on one core are many times slower than one.

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
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
        process = subprocess.Popen([sys.executable, "-m", *words], stdout=subprocess.PIPE, text=True, env=environment)
        with process:
            try:
                printed, _ = process.communicate(timeout=None if end is None else max(0.0, end - perf_counter()))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGINT)
                printed, _ = process.communicate()
    finally:
        signal.signal(signal.SIGINT, handler)
    if stopped or process.returncode == STOPPED:
        raise KeyboardInterrupt
    if process.returncode:
        raise RecipeError(f"python -m {shlex.join(words)} failed (exit status {process.returncode}): see above")
    return printed.strip()


# --- shipping


def checkpoints_of(game: str) -> Path:
    """The folder of the game's shipped networks; RecipeError if there is none."""
    folder: Path | None = addition("agents", game, "CHECKPOINTS", None)
    if folder is None:
        raise RecipeError(f"{game}: expected a folder CHECKPOINTS in agents/{game}/__init__.py, got none")
    return folder


def ship(name: str, run: RecipeRun, folder: Path | None = None) -> None:
    """Install network and curve, play the trials of the shipped network, and write the card.

    folder: the target; None: `checkpoints_of` the game.

    Raises:
        CheckpointError, RecipeError, KeyboardInterrupt: see `load_checkpoint`, `RecipeRun.run`.
    """
    folder = checkpoints_of(run.recipe.game) if folder is None else folder
    checkpoint = load_checkpoint(run.network)
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.md").unlink(missing_ok=True)  # it describes the previous network
    with whole(folder / f"{name}.safetensors") as path:
        copyfile(run.network, path)  # saving the same network again would change its bytes
    try:
        draw_run(run.network.parent, folder / f"{name}.svg")
    except ValueError as error:  # a run without evaluations has a network, but no curve
        print(f"no curve: {error}", file=sys.stderr)
    digest = digest_of(folder / f"{name}.safetensors")
    run.try_out(digest)
    write_text(folder / f"{name}.md", card(name, run, checkpoint, digest))


def digest_of(path: Path) -> str:
    """The digest by which a card and its trials identify the network."""
    return sha256(path.read_bytes()).hexdigest()[:12]


HEAD = """Generated by `python -m training.recipes {name} --ship`; do not edit. The network is
[`{name}.safetensors`]({name}.safetensors); the agent `{agent}` plays it."""
CURVE = """![Games won while training]({name}.svg)

Points are evaluations on the same deals, with 95 % intervals. The best of them is shipped, so its own score flatters;
the trials below are on other deals."""


def card(name: str, run: RecipeRun, checkpoint: Checkpoint, digest: str) -> str:
    """The model card."""
    about = checkpoint.about
    network = ", ".join(f"{key} {value}" for key, value in about["network"].items())
    numbers = sum(tensor.numel() for tensor in checkpoint.of("network").values())
    commands = [run.words(command) for command in run.recipe.commands]
    trials = [run.words(trial, digest) for trial in run.recipe.trials]
    minutes = [run.outcome(words)[0] for words in commands]
    agent = "learned:decks=true" if "decks" in about else "learned"
    facts = {
        "Task": task_of(about),
        "Model": f"{network}; {numbers:,} parameters ([training](../../../docs/training.md)); SHA-256 `{digest}…`",
        "Data": experience([words[0] for words in commands], about),
        "Time": f"{sum(minutes):.0f} minutes in all ({platform.machine()}, {os.cpu_count()} cores)",
        "Seed": str(run.seed),
        "Versions": ", ".join(f"{package} {version}" for package, version in about["versions"].items()),
        "Limits": run.recipe.limits,
    }
    made = [f"python -m {shlex.join(words)}  # {run.progress(words)}" for words in commands]
    tried = [Trial(tuple(words), run.outcome(words)[1]) for words in trials]
    head, curve = HEAD.format(name=name, agent=agent), CURVE.format(name=name)
    return write_card(run.recipe.title, head, facts, made, curve, tried)


def task_of(about: Mapping[str, Any]) -> str:
    """The task of a network, from its checkpoint."""
    players = ", ".join(map(str, about["trained_for_players"]))
    variants = about.get("trained_for_variants", [])
    varying = {option.partition("=")[0] for name in variants for option in name.split(",")[1:]}
    options = "".join(
        f", {key} {value}"
        for key, value in about["options"].items()
        if value is not None and key not in ("num_players", "deck", *varying)
    )
    options += f" (variants {'; '.join(variants)})" if variants else ""
    deck = f"decks {' '.join(about['decks'])}" if "decks" in about else f"deck `{about['deck'][:12]}`"
    rules = f", rules {about['rules']}" if "rules" in about else ""  # older files lack it
    return f"{about['game']}, players {players}{options}, {deck}{rules}"


def experience(programs: Sequence[str], about: Mapping[str, Any]) -> str:
    """The data that the last command trained on, from the programs of all commands and the checkpoint."""
    if "decisions" in about:
        before = "after imitation" if "training.imitate" in programs else "from the network of another recipe"
        return f"{about['decisions']:,} decisions of the last run of PPO, {before}"
    return f"{about['iteration']} epochs of imitation"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = CommandParser(prog="python -m training.recipes", description="Train a network from nothing.")
    parser.add_argument("recipes", choices=RECIPES, nargs="+")
    parser.add_argument("--out", type=folder_to_write, help="folder of one recipe (runs/NAME)")
    parser.add_argument("--seed", type=seed_of_deal, default=0)
    parser.add_argument("--device", default="cpu", help="device of the steps that can use a GPU: cpu, or cuda")
    parser.add_argument("--minutes", type=float, help="stop after this time, as on Ctrl-C")
    parser.add_argument(
        "--ship", action="store_true", help="play the trials; make agents/GAME/checkpoints/NAME and its card"
    )
    parser.add_argument("--show", action="store_true", help="print the commands and their progress")
    chosen = parser.parse_args(arguments)
    if chosen.out is not None and len(chosen.recipes) > 1:
        parser.error("--out is for one recipe")
    for name in chosen.recipes if chosen.ship else ():
        if not RECIPES[name].trials:
            parser.error(f"{name} is not shipped: it has no trials")
    try:
        runs = {
            name: RecipeRun(RECIPES[name], chosen.out or RUNS / name, chosen.seed, chosen.device, chosen.minutes)
            for name in chosen.recipes
        }
        for name, run in runs.items():
            if chosen.show:
                for command in (*run.recipe.commands, *run.recipe.trials):
                    print(f"python -m {shlex.join(run.words(command))}  # {run.progress(run.words(command))}")
                continue
            run.run()
            if chosen.ship:
                ship(name, run)
            print(f"{name}: {run.network}")
    except (RecipeError, CheckpointError) as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        print("stopped; run the same command again to resume", file=sys.stderr)
        sys.exit(STOPPED)


if __name__ == "__main__":
    main()
