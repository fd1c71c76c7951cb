"""Measure the time of a first game, from the start of Python to its end, and the memory of 4,096 games.

Times are medians of fresh processes; a single run if a library is built. The wheel comes from `make release`, or from
`python -m tools.wheels --out build/release/dist`; without one its rows are left out.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from statistics import median
from time import perf_counter

from chocofactory_env.registry import GAMES

from . import ROOT
from .peers.measure import command_line, print_row

AEC = """
from chocofactory_env import {name}_v0
env = {name}_v0.env(num_players=4)
env.reset(seed=1)
for agent in env.agent_iter():
    observation, _, over, cut, _ = env.last()
    env.step(None if over or cut else env.action_space(agent).sample(mask=observation["action_mask"]))
"""
BATCH = """
import chocofactory_env as cf
batch = cf.make_batch("{name}", 8, num_players=4)
batch.step(batch.reset(seed=1).action_masks.argmax(axis=1))
"""
USES = {
    **{f"{name}, first AEC game": AEC.format(name=name) for name in GAMES},
    **{f"{name}, first step of a batch": BATCH.format(name=name) for name in GAMES},
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

print(-play(1) + play(4096))
"""


def run(program: str, place: Path = ROOT, **variables: str) -> str:
    """Run a program with the package in `place`, and return its output."""
    environment = {**os.environ, "PYTHONPATH": str(place), **variables}
    words = [sys.executable, "-c", program]
    return subprocess.run(words, cwd=place, env=environment, capture_output=True, text=True, check=True).stdout


def print_time(row: str, program: str, repeats: int, place: Path, caches: Path | None, aim: str = "") -> None:
    """Print a program's time; with an empty cache for each run if `caches` is given."""
    times = []
    for _ in range(repeats):
        variables = {} if caches is None else {"CHOCOFACTORY_CACHE_DIR": tempfile.mkdtemp(dir=caches)}
        begun = perf_counter()
        run(program, place, **variables)
        times.append(perf_counter() - begun)
    print_row("start", row, round(median(times), 2), "s", aim)


def main() -> None:
    chosen = command_line(__doc__)
    wheels = sorted((ROOT / "build" / "release" / "dist").glob(f"*linux*{platform.machine()}.whl"))
    with tempfile.TemporaryDirectory() as name:
        folder, wheel = Path(name), Path(name, "wheel")
        if wheels:
            with zipfile.ZipFile(wheels[-1]) as archive:
                archive.extractall(wheel)
        for use, program in USES.items():
            if chosen.only in use:
                if wheels:
                    print_time(f"{use}: from the wheel", program, chosen.repeats, wheel, folder, "aim: < 0.6")
                print_time(f"{use}: from a checkout, empty cache", program, 1, ROOT, folder)
                run(program)
                print_time(f"{use}: from a checkout, warm cache", program, chosen.repeats, ROOT, None)
    for form, scaled in (("raw", False), ("float32", True)):
        if chosen.only in (row := f"4,096 games of 4 players, {form}"):
            more = float(run(MEMORY.format(scaled=scaled)))
            print_row("memory", row, round(more, 1), "MiB", "beyond a batch of one; aim: < 100")


if __name__ == "__main__":
    main()
