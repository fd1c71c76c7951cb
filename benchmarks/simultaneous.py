"""Compare simultaneous mode with turns in one run: batch speed, steps per game, and time per game in PPO.

A step of a batch is one pass through a network. Measurements of the two modes alternate, in processor time, so that
other work on the machine does not favour one of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import chocofactory_env as cf
from agents.protocol import make_agent
from training.ppo import Learner
from training.ppo_config import Config
from training.self_play import Clocks

from .measure import command_line, print_row

MODES = ("turns", "simultaneous")
SIZE = 1024
PLAYERS = (2, 4)
FEW, MANY = 16, 512  # games in PPO
FORMS: dict[str, dict[str, Any]] = {
    "raw": {"scaled": False},
    "raw, of who is asked": {"scaled": False, "asked_only": True},
    "float32": {},
    "float32, of who is asked": {"asked_only": True},
}


def random_play(mode: str, players: int, **options: Any) -> Callable[[], int]:
    """A function that steps a batch, and returns the number of decisions."""
    batch = cf.make_batch("chocofactory", SIZE, num_players=players, mode=mode, **options)
    choose = cf.LegalSampler(1)
    batch.reset(seed=1)

    def step() -> int:
        masks = batch.buffers.action_masks
        decisions = SIZE if masks.ndim == 2 else int((masks[..., -1] == 0).sum())
        batch.step(choose(masks))
        return decisions

    return step


def ppo(mode: str, players: int, games: int) -> Callable[[], int]:
    """A function that collects a rollout of PPO with two layers of 256, and returns the number of decisions."""
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

    return lambda: table.collect(learner.network, None, Clocks()).decisions


def steps_of_random_play(players: int) -> dict[str, float]:
    """Mean steps of a game over SIZE games, by mode."""
    counted = {}
    for mode in MODES:
        batch = cf.make_batch("chocofactory", SIZE, num_players=players, mode=mode, autoreset=False, scaled=False)
        choose, step, steps = cf.LegalSampler(1), batch.reset(seed=1), 0
        while not step.dones.all():
            steps += int((~step.dones).sum())
            step = batch.step(choose(step.action_masks))
        counted[mode] = steps / SIZE
    return counted


def steps_of_greedy(players: int, games: int = 50) -> dict[str, float]:
    """Mean steps of a game in which `greedy` plays all seats: decisions in turns, and joint steps."""
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


def in_turn(make: Callable[[str], Callable[[], int]], seconds: float, repeats: int) -> dict[str, float]:
    """Decisions per second of each mode, measured alternately; medians of the repeats."""
    plays = {mode: make(mode) for mode in MODES}
    figures: dict[str, list[float]] = {mode: [] for mode in MODES}
    for play in plays.values():
        play()
    for _ in range(repeats):
        for mode, play in plays.items():
            decisions, begun = 0, time.process_time()
            while time.process_time() - begun < seconds:
                decisions += play()
            figures[mode].append(decisions / (time.process_time() - begun))
    return {mode: float(np.median(each)) for mode, each in figures.items()}


def rows(seconds: float, repeats: int) -> Iterator[tuple[str, float, str, str]]:
    for players in PLAYERS:
        for form, options in FORMS.items():
            found = in_turn(partial(random_play, players=players, **options), seconds, repeats)
            ratio = found["simultaneous"] / found["turns"]
            for mode in MODES:
                note = f"{ratio:.2f} x turns" if mode == "simultaneous" else ""
                yield (
                    f"batch of {SIZE:,}, {players} players, {form}: {mode}",
                    round(found[mode]),
                    "decisions/s",
                    note,
                )
        for who, steps_of in (("random play", steps_of_random_play), ("greedy", steps_of_greedy)):
            counted = steps_of(players)
            for mode in MODES:
                yield f"{who}, {players} players: {mode}", counted[mode], "steps/game", ""
        for games in (FEW, MANY):
            found = in_turn(partial(ppo, players=players, games=games), 2 * seconds, repeats)
            for mode in MODES:
                note = f"{found[mode]:,.0f} decisions/s; games as long as greedy's"
                milliseconds = 1000 * counted["turns"] / found[mode]  # a game has equally many decisions in both
                yield f"PPO collecting, {players} players, {games} games: {mode}", milliseconds, "ms/game", note


def main() -> None:
    chosen = command_line(__doc__)
    for name, value, unit, note in rows(chosen.seconds, chosen.repeats):
        print_row("simultaneous", name, value, unit, note)


if __name__ == "__main__":
    main()
