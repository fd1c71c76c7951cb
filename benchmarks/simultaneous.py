"""Seats that act at once beside turns, in one run: speed of batches, steps a game, and time a game in PPO.

A step of a batch is one pass through a network. Figures in turns and in simultaneous mode are measured in turn, so that
other work on the machine slows both.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import chocofactory_env as cf
from agents.protocol import make_agent
from training.ppo import Clock, Config, Learner

from .measure import command_line, print_row

MODES = ("turns", "simultaneous")
SIZE = 1024
PLAYERS = (2, 4)
FEW, MANY = 16, 512  # games of PPO


def random_play(mode: str, players: int, *, scaled: bool) -> Callable[[], tuple[int, int, int]]:
    """A step of a batch; returns its decisions, games that ended, and games."""
    batch = cf.make_batch("chocofactory", SIZE, num_players=players, mode=mode, scaled=scaled)
    choose = cf.LegalSampler(1)
    batch.reset(seed=1)

    def step() -> tuple[int, int, int]:
        masks = batch.buffers.action_masks
        decisions = SIZE if masks.ndim == 2 else int((masks[..., -1] == 0).sum())
        return decisions, int(batch.step(choose(masks)).dones.sum()), SIZE

    return step


def ppo(mode: str, players: int, games: int) -> Callable[[], tuple[int, int, int]]:
    """A rollout of PPO, collected by a network of two layers of 256."""
    config = Config(
        players=(players,),
        options={"mode": mode},
        network={"kind": "mlp", "width": 256},
        games=games,
        steps=32,
        threads=1,
    )
    learner = Learner(config, None)
    table = learner.tables[0]

    def step() -> tuple[int, int, int]:
        rollout = table.collect(learner.network, None, Clock())
        return rollout.decisions, int(table._dones.sum()), games * config.steps

    return step


def steps_of_greedy(players: int, games: int = 50) -> dict[str, float]:
    """Steps of a game in which `greedy` plays all seats: decisions in turns, and joint steps."""
    counted = dict.fromkeys(MODES, 0)
    for mode in MODES:
        env = cf.make_parallel_env("chocofactory", num_players=players, mode=mode, illegal_action="raise")
        game: Any = env.game
        agent: Any = make_agent("greedy", game)
        for seed in range(games):
            seen, _ = env.reset(seed=seed)
            while env.agents:
                actions = dict.fromkeys(env.agents, env.wait)
                for name, one in seen.items():
                    if not one["action_mask"][env.wait]:
                        tensors = game.observation_layout.tensors(one["observation"])
                        actions[name] = int(agent(tensors, one["action_mask"][: env.wait]))
                seen = env.step(actions)[0]
                counted[mode] += 1
    return {mode: steps / games for mode, steps in counted.items()}


def in_turn(
    make: Callable[[str], Callable[[], tuple[int, int, int]]], seconds: float, repeats: int
) -> dict[str, tuple[float, float, float]]:
    """Of each mode: decisions a second, steps a game, and milliseconds a game; medians of the repeats."""
    plays = {mode: make(mode) for mode in MODES}
    figures: dict[str, list[tuple[float, float, float]]] = {mode: [] for mode in MODES}
    for play in plays.values():
        play()
    for _ in range(repeats):
        for mode, play in plays.items():
            decisions = ended = steps = 0
            begun = time.perf_counter()
            while time.perf_counter() - begun < seconds or not ended:
                more = play()
                decisions, ended, steps = decisions + more[0], ended + more[1], steps + more[2]
            taken = time.perf_counter() - begun
            figures[mode].append((decisions / taken, steps / ended, 1000 * taken / ended))
    return {mode: tuple(np.median(each, axis=0).tolist()) for mode, each in figures.items()}


def rows(seconds: float, repeats: int) -> Iterator[tuple[str, float, str, str]]:
    for players in PLAYERS:
        for scaled in (False, True):
            form = "float32" if scaled else "raw"
            found = in_turn(partial(random_play, players=players, scaled=scaled), seconds, repeats)
            ratio = found["simultaneous"][0] / found["turns"][0]
            for mode in MODES:
                note = f"{ratio:.2f} x turns" if mode == "simultaneous" else ""
                yield (
                    f"batch of {SIZE:,}, {players} players, {form}: {mode}",
                    round(found[mode][0]),
                    "decisions/s",
                    note,
                )
        for mode in MODES:
            yield f"random play, {players} players: {mode}", found[mode][1], "steps/game", ""
        for mode, steps in steps_of_greedy(players).items():
            yield f"greedy, {players} players: {mode}", steps, "steps/game", ""
    for games in (FEW, MANY):
        found = in_turn(partial(ppo, players=4, games=games), 2 * seconds, repeats)
        for mode in MODES:
            note = f"{found[mode][0]:,.0f} decisions/s"
            yield f"PPO collecting, 4 players, {games} games: {mode}", found[mode][2], "ms/game", note


def main() -> None:
    chosen = command_line(__doc__)
    for name, value, unit, note in rows(chosen.seconds, chosen.repeats):
        print_row("simultaneous", name, value, unit, note)


if __name__ == "__main__":
    main()
