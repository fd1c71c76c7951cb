"""Decisions per second through each interface: uniform random legal play on one core.

    python -m benchmarks.interfaces [--seconds 5] [--repeats 3] [--json FILE]

Mask and observation of the next mover are built at every step. Of the repeats the median is shown.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

import chocofactory_env as cf
from chocofactory_env import chocofactory_v0

CHUNK = 2_000  # decisions between two looks at the clock
PACKAGES = ("numpy", "numba", "gymnasium", "pettingzoo")
TARGETS = {
    "engine, 2 players: legal_mask, choose, apply, observe": 100_000,
    "engine, 4 players: legal_mask, choose, apply, observe": 100_000,
    "AEC, 4 players": 60_000,
    "solo through gymnasium.make": 80_000,
    "clone": 1_000_000,
}

Play = Callable[[int], int]  # plays at least so many decisions and returns how many it was


class Chooser:
    """Any legal action; numbers are drawn ahead, so that choosing costs little."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._drawn: list[float] = []

    def __call__(self, mask: np.ndarray) -> int:
        if not self._drawn:
            self._drawn = self._rng.random(10_000).tolist()
        legal = mask.nonzero()[0]
        return int(legal[int(self._drawn.pop() * len(legal))])


def engine(players: int, named: bool) -> Play:
    """The game's own methods from Python."""
    game = cf.load("chocofactory", num_players=players)
    state, choose = game.new(1), Chooser(1)
    flat = np.empty(game.observation_layout.size, np.float32)

    def play(count: int) -> int:
        for _ in range(count):
            if game.is_over(state):
                game.renew(state)
            game.apply(state, choose(game.legal_mask(state)))
            player = max(0, game.current_player(state))
            if named:
                game.observe(state, player)
            else:
                game.write_observation(state, player, flat)
        return count

    return play


def fast_path() -> Play:
    """What the adapters call: no checks, into the caller's arrays."""
    game = cf.load("chocofactory", num_players=4)
    state, choose = game.new(1), Chooser(1)
    mask = game.legal_mask(state)
    flat = np.empty(game.observation_layout.size, np.float32)

    def play(count: int) -> int:
        for _ in range(count):
            seat = game.advance(state, choose(mask), mask)
            if seat < 0:
                game.renew(state)
                game.write_mask(state, mask)
                seat = game.current_player(state)
            game.write_observation(state, seat, flat)
        return count

    return play


def aec(**options: Any) -> Play:
    env = chocofactory_v0.env(num_players=4, **options)
    env.reset(seed=1)
    choose = Chooser(1)

    def play(count: int) -> int:
        decisions = 0
        while decisions < count:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                if not env.agents:
                    env.reset()
            else:
                env.step(choose(observation["action_mask"]))
                decisions += 1
        return decisions

    return play


def gym(name: str, **options: Any) -> Play:
    """Counted are the learner's decisions."""
    env = gymnasium.make(name, **options)
    _, first = env.reset(seed=1)
    choose = Chooser(1)
    mask = first["action_mask"]

    def play(count: int) -> int:
        nonlocal mask
        for _ in range(count):
            _, _, terminated, truncated, info = env.step(choose(mask))
            if terminated or truncated:
                _, info = env.reset()
            mask = info["action_mask"]
        return count

    return play


def first_legal(observation: Any, mask: np.ndarray) -> int:
    return int(mask.argmax())


def clone() -> Play:
    game = cf.load("chocofactory", num_players=4)
    state = game.new(1)

    def play(count: int) -> int:
        for _ in range(count):
            game.clone(state)
        return count

    return play


def whole_games(players: int) -> Play:
    """Random playouts without observation; counted are decisions."""
    game = cf.load("chocofactory", num_players=players)
    state, choose = game.new(1), Chooser(1)
    mask = game.legal_mask(state)

    def play(count: int) -> int:
        for _ in range(count):
            if game.advance(state, choose(mask), mask) < 0:
                game.renew(state)
                game.write_mask(state, mask)
        return count

    return play


ROWS: dict[str, Callable[[], Play]] = {
    "engine, 2 players: legal_mask, choose, apply, observe": lambda: engine(2, named=True),
    "engine, 4 players: legal_mask, choose, apply, observe": lambda: engine(4, named=True),
    "engine, 4 players, flat observation": lambda: engine(4, named=False),
    "adapters' path, 4 players": fast_path,
    "adapters' path, 4 players, no observation": lambda: whole_games(4),
    "AEC, 4 players": aec,
    "AEC, 4 players, named observation": lambda: aec(observation="named"),
    "AEC, 4 players, shaped reward": lambda: aec(reward="shaped"),
    "solo through gymnasium.make": lambda: gym("ChocoFactory/FactoryManager-v0"),
    "solo through gymnasium.make, named observation": lambda: gym(
        "ChocoFactory/FactoryManager-v0", observation="named"
    ),
    "versus, 2 players, random opponent (learner's decisions)": lambda: gym("ChocoFactory/Versus-v0"),
    "versus, 4 players, first legal (learner's decisions)": lambda: gym(
        "ChocoFactory/Versus-v0", num_players=4, opponents=[first_legal]
    ),
    "clone": clone,
}

FIRST_RESET = """
import time
start = time.perf_counter()
import chocofactory_env
imported = time.perf_counter()
from chocofactory_env import chocofactory_v0
env = chocofactory_v0.env(num_players=4)
env.reset(seed=1)
observation = env.last()[0]
env.step(int(observation["action_mask"].argmax()))
env.last()
print(imported - start, time.perf_counter() - imported)
"""


def rate(play: Play, seconds: float) -> float:
    """Decisions per second over at least so many seconds."""
    done, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        done += play(CHUNK)
    return done / spent


def cold_start() -> tuple[float, float]:
    """Seconds of the import, and from there to the second decision, in a process that finds compiled code."""
    root = Path(__file__).resolve().parent.parent
    environment = {**os.environ, "PYTHONPATH": str(root)}
    command = [sys.executable, "-c", FIRST_RESET]
    for _ in range(2):  # the first fills the cache
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    imported, first = map(float, done.stdout.split())
    return imported, first


def machine() -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "chocofactory_env": cf.__version__,
        **{name: version(name) for name in PACKAGES},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5.0, help="of each repeat (5)")
    parser.add_argument("--repeats", type=int, default=3, help="of each row; the median is shown (3)")
    parser.add_argument("--only", default="", help="rows whose name contains this")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    arguments = parser.parse_args()

    about = machine()
    print(", ".join(f"{name} {value}" for name, value in about.items()))
    figures: dict[str, float] = {}
    print(f"{'':58} {'per second':>12} {'us each':>8}  target")
    for name, make in ROWS.items():
        if arguments.only not in name:
            continue
        play = make()
        play(CHUNK)
        figures[name] = statistics.median(rate(play, arguments.seconds) for _ in range(arguments.repeats))
        target = TARGETS.get(name)
        aim = f">= {target:,}" if target else ""
        print(f"{name:58} {figures[name]:12,.0f} {1e6 / figures[name]:8.2f}  {aim}", flush=True)
    imported, first = cold_start()
    print(f"second process: import {imported:.2f} s, then first reset and step {first:.2f} s (target < 2 s)")
    if arguments.json:
        result = {"versions": about, "per_second": figures, "import_s": imported, "first_reset_s": first}
        arguments.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
