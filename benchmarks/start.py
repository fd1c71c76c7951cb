"""How long a first game takes, from the start of Python to its end, and the memory of 4,096 games.

The wheel is that of `make release`; without one its rows are left out.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from time import perf_counter

from .measure import command_line, print_row
from .peers.__main__ import VENVS, FailedError, python_of

ROOT = Path(__file__).resolve().parent.parent
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
batch = cf.make_batch("chocofactory", 8, num_players=4)
batch.step(batch.reset(seed=1).action_masks.argmax(axis=1))
"""
USES = {
    **{f"{name}, first AEC game": AEC.format(name=name) for name in ("chocofactory", "candyfactory", "schoko")},
    "chocofactory, first solo game": SOLO,
    "chocofactory, first step of a batch": BATCH,
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


def run(program: str, place: Path = ROOT, python: Path | str = sys.executable, cache: str = "") -> tuple[float, str]:
    """Seconds from the start of Python to its end, and what the program printed. The user's cache unless given."""
    environment = {**os.environ, "PYTHONPATH": str(place)}
    if cache:
        environment["CHOCOFACTORY_CACHE_DIR"] = cache
    command = [python, "-c", program]
    begun = perf_counter()
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=True)
    return perf_counter() - begun, done.stdout


def start(folder: Path) -> None:
    """Each use in fresh processes: from the wheel with an empty cache, from a checkout with an empty and a warm one."""
    wheels = sorted((ROOT / "build" / "release" / "dist").glob("*-cp*.whl"))  # of `make release`
    installed = folder / "wheel"
    if wheels:
        with zipfile.ZipFile(wheels[-1]) as archive:
            archive.extractall(installed)
    for name, use in USES.items():
        with tempfile.TemporaryDirectory(dir=folder) as cache:
            if wheels:
                seconds, _ = run(use, installed, cache=cache)
                print_row("start", f"{name}: from the wheel, empty cache", round(seconds, 2), "s", "aim: < 2")
            for when in ("empty cache", "warm cache"):
                seconds, _ = run(use, cache=cache)
                print_row("start", f"{name}: from a checkout, {when}", round(seconds, 2), "s")


def start_of_peers() -> None:
    """The first game of backgammon, as chosen by the first legal action, where these libraries can be installed."""
    for name, use in PEERS.items():
        try:
            python = python_of(name, VENVS)
            seconds, _ = run(use, VENVS, python)
        except (FailedError, subprocess.CalledProcessError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            continue
        print_row("start", f"{name}, first game of backgammon", round(seconds, 2), "s")


def main() -> None:
    command_line(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        start(Path(folder))
    start_of_peers()
    for form, scaled in (("raw", False), ("float32", True)):
        before, after = map(float, run(MEMORY.format(scaled=scaled))[1].split())
        note = "beyond a batch of one; aim: < 100"
        print_row("memory", f"4,096 games of 4 players, {form}", round(after - before, 1), "MiB", note)


if __name__ == "__main__":
    main()
