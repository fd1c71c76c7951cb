"""Measure the time of a first game, from the start of Python to the end of the game, and the memory of 4,096 games.

Every figure is from fresh processes: the median of the repeats, or a single run if a library is built. Processor
time of all processes is given as well, as it depends less on other work on the machine. The wheel comes from
`make release`, or from `python -m tools.wheels --out build/release/dist`; without one its rows are left out.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import perf_counter

from . import ROOT
from .measure import command_line, print_row
from .peers.__main__ import VENVS, FailedError, python_of

AEC = """
from chocofactory_env import {name}_v0
env = {name}_v0.env(num_players=4)
env.reset(seed=1)
for agent in env.agent_iter():
    observation, _, over, cut, _ = env.last()
    env.step(None if over or cut else env.action_space(agent).sample(mask=observation["action_mask"]))
"""
SOLO = """
import gymnasium
import chocofactory_env
env = gymnasium.make("ChocoFactory/FactoryManager-v0")
_, info = env.reset(seed=1)
over = False
while not over:
    _, _, over, _, info = env.step(env.action_space.sample(mask=info["action_mask"]))
"""
BATCH = """
import chocofactory_env as cf
batch = cf.make_batch("{name}", 8, num_players=4)
batch.step(batch.reset(seed=1).action_masks.argmax(axis=1))
"""
GAMES = ("chocofactory", "candyfactory", "schoko")
USES = {
    **{f"{name}, first AEC game": AEC.format(name=name) for name in GAMES},
    "chocofactory, first solo game": SOLO,
    **{f"{name}, first step of a batch": BATCH.format(name=name) for name in GAMES},
}
AIMS = {  # for a checkout with an empty cache, on two idle cores
    "chocofactory, first AEC game": "aim: first step < 15",
    "chocofactory, first step of a batch": "aim: < 20",
}
PEERS = {
    "open_spiel": """
import pyspiel
state = pyspiel.load_game("backgammon").new_initial_state()
while not state.is_terminal():
    state.apply_action(state.chance_outcomes()[0][0] if state.is_chance_node() else state.legal_actions()[0])
""",
    "pgx": """
import jax, pgx
env = pgx.make("backgammon")
step, state = jax.jit(env.step), jax.jit(env.init)(jax.random.key(0))
for number in range(2000):
    if state.terminated:
        break
    state = step(state, state.legal_action_mask.argmax(), jax.random.key(number))
""",
}
MEMORY = """
import resource
import chocofactory_env as cf

def play(num_envs):
    batch = cf.make_batch("chocofactory", num_envs, num_players=4, scaled={scaled})
    sample, step = cf.LegalSampler(1), batch.reset(seed=1)
    for _ in range(100):
        step = batch.step(sample(step.action_masks))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

print(play(1), play(4096))
"""


def environment(place: Path, cache: Path | None) -> dict[str, str]:
    """Environment variables of a process that finds the package in `place`. cache: None for the user's."""
    named = {} if cache is None else {"CHOCOFACTORY_CACHE_DIR": str(cache)}
    return {**os.environ, "PYTHONPATH": str(place), **named}


def run(program: str, place: Path = ROOT, python: Path | str = sys.executable, cache: Path | None = None) -> str:
    """Run a program, and return its output."""
    command, variables = [python, "-c", program], environment(place, cache)
    return subprocess.run(command, cwd=place, env=variables, capture_output=True, text=True, check=True).stdout


def print_time(
    row: str,
    program: str,
    repeats: int = 1,
    place: Path = ROOT,
    python: Path | str = sys.executable,
    caches: Path | None = None,
    aim: str = "",
) -> None:
    """Print a program's time and processor time; with an empty cache for each run if `caches` is given."""
    times = []
    for _ in range(repeats):
        cache = None if caches is None else new(caches)
        before, begun = getrusage(RUSAGE_CHILDREN), perf_counter()
        run(program, place, python, cache)
        seconds, after = perf_counter() - begun, getrusage(RUSAGE_CHILDREN)
        times.append((seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
    seconds, processor = map(median, zip(*times, strict=True))
    print_row("start", row, round(seconds, 2), "s", "; ".join(filter(None, [f"processors: {processor:.2f} s", aim])))


def print_times(folder: Path, wheel: Path | None, only: str, repeats: int) -> None:
    """Time each use: the wheel with an empty cache, and a checkout with a warm and an empty one."""
    for name, use in USES.items():
        if wheel and only in (row := f"{name}: from the wheel, empty cache"):
            print_time(row, use, repeats, wheel, caches=folder, aim="aim: < 0.6")
    for name, use in USES.items():
        if only in (row := f"{name}: from a checkout, warm cache"):
            run(use)
            print_time(row, use, repeats)
    print_times_of_peers(only, repeats)
    for name, use in USES.items():
        if only in (row := f"{name}: from a checkout, empty cache"):
            print_time(row, use, caches=folder, aim=AIMS.get(name, ""))


def new(folder: Path) -> Path:
    return Path(tempfile.mkdtemp(dir=folder))


def print_times_of_peers(only: str, repeats: int) -> None:
    """Time a first game of backgammon, with the first legal action each, in libraries that can be installed."""
    for name, use in PEERS.items():
        if only not in (row := f"{name}, first game of backgammon"):
            continue
        try:
            print_time(row, use, repeats, VENVS, python_of(name, VENVS))
        except (FailedError, subprocess.CalledProcessError) as error:
            print(f"{name}: {error}", file=sys.stderr)


def main() -> None:
    chosen = command_line(__doc__)
    wheels = sorted((ROOT / "build" / "release" / "dist").glob(f"*linux*{platform.machine()}.whl"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = folder / "wheel" if wheels else None
        if wheel:
            with zipfile.ZipFile(wheels[-1]) as archive:
                archive.extractall(wheel)
        print_times(folder, wheel, chosen.only, chosen.repeats)
    for form, scaled in (("raw", False), ("float32", True)):
        if chosen.only in (row := f"4,096 games of 4 players, {form}"):
            before, after = map(float, run(MEMORY.format(scaled=scaled)).split())
            print_row("memory", row, round(after - before, 1), "MiB", "beyond a batch of one; aim: < 100")


if __name__ == "__main__":
    main()
