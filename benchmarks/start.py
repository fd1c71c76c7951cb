"""How long the first use takes with an empty cache and after, and the memory of 4,096 games."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from .measure import command_line, print_row

ROOT = Path(__file__).resolve().parent.parent
TIMED = """
import time
start = time.perf_counter()
import chocofactory_env as cf
imported = time.perf_counter()
{use}
print(imported - start, time.perf_counter() - imported)
"""
USES = {
    "AEC": """
from chocofactory_env import chocofactory_v0
env = chocofactory_v0.env(num_players=4)
env.reset(seed=1)
env.step(int(env.last()[0]["action_mask"].argmax()))
env.last()
""",
    "solo": """
import gymnasium
env = gymnasium.make("ChocoFactory/FactoryManager-v0")
_, info = env.reset(seed=1)
env.step(int(info["action_mask"].argmax()))
""",
    "batch": """
batch = cf.make_batch("chocofactory", 8, num_players=4)
batch.step(batch.reset(seed=1).action_masks.argmax(axis=1))
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


def run(program: str, cache: str) -> list[float]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    if cache:
        environment["CHOCOFACTORY_CACHE_DIR"] = cache
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return [float(word) for word in done.stdout.split()]


def main() -> None:
    command_line(__doc__)
    for name, use in USES.items():
        with tempfile.TemporaryDirectory() as cache:
            for when, asked in (("empty cache", "aim: < 45 in all"), ("later process", "aim: < 2 in all")):
                imported, first = run(TIMED.format(use=use), cache)
                print_row("start", f"{name}, {when}: import", round(imported, 2), "s")
                print_row("start", f"{name}, {when}: first step", round(first, 2), "s", asked)
    for form, scaled in (("raw", False), ("float32", True)):
        before, after = run(MEMORY.format(scaled=scaled), "")
        note = "beyond a batch of one; aim: < 100"
        print_row("memory", f"4,096 games of 4 players, {form}", round(after - before, 1), "MiB", note)


if __name__ == "__main__":
    main()
