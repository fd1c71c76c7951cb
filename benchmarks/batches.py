"""Our native batches: games side by side in one compiled call, and random playouts."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import gymnasium
import numpy as np

import chocofactory_env as cf
from chocofactory_env.registry import GAMES

from .interfaces import SOLO, VERSUS
from .measure import Play, Row, command_line, main, print_row

SIZES = (1, 64, 1024, 4096)
LEARNING = 100_000  # first generated deck for training


def self_play(num_envs: int, players: int, game: str = "chocofactory", **options: Any) -> Play:
    batch = cf.make_batch(game, num_envs, num_players=players, **options)
    sample = cf.LegalSampler(1)
    batch.reset(seed=1)

    def play(count: int) -> int:
        steps = max(1, count // num_envs)
        for _ in range(steps):
            batch.step(sample(batch.buffers.action_masks))
        return steps * num_envs

    return play


def vector(name: str, num_envs: int, **options: Any) -> Play:
    env = gymnasium.make_vec(name, num_envs, **options)
    sample = cf.LegalSampler(1)
    mask = env.reset(seed=1)[1]["action_mask"]

    def play(count: int) -> int:
        nonlocal mask
        steps = max(1, count // num_envs)
        for _ in range(steps):
            mask = env.step(sample(mask))[4]["action_mask"]
        return steps * num_envs

    return play


def playouts(players: int, started: bool) -> Play:
    """Random playouts from the deal, or from the middle of a game (day 4)."""
    game = cf.load("chocofactory", num_players=players)
    state, sample = game.new(1), cf.LegalSampler(1)
    while started and game.to_dict(state)["day"] < 4:
        game.apply(state, sample.one(game.legal_mask(state)))
    seeds = np.arange(500)

    def play(count: int) -> int:
        done = 0
        while done < count:
            game.random_playouts(state, seeds + done)
            done += len(seeds)
        return done

    return play


def share_with_decks(game: str, decks: int, windows: int = 300, steps: int = 4) -> float:
    """The speed of a batch of 1,024 with many decks, relative to one deck.

    Both alternate, and the fastest short window of each counts, so other work on the machine hardly matters.
    """
    names = [f"generated:{LEARNING}-{LEARNING + last}" for last in (0, decks - 1)]
    plays = [self_play(1024, 2, game, scaled=False, decks=each) for each in names]
    fastest = [float("inf"), float("inf")]
    for play in plays:
        play(400 * 1024)  # until nearly all decks are loaded
    for _ in range(windows):
        for number, play in enumerate(plays):
            start = perf_counter()
            play(steps * 1024)
            fastest[number] = min(fastest[number], perf_counter() - start)
    return fastest[0] / fastest[1]


def batch_row(num_envs: int, players: int, scaled: bool, note: str = "", **options: Any) -> Row:
    kind = "solo" if players == 1 else f"{players} players"
    threads = f", {options['num_threads']} threads" if "num_threads" in options else ""
    name = f"batch of {num_envs:,}, {kind}, {'float32' if scaled else 'raw'}{threads}"
    return Row(name, lambda: self_play(num_envs, players, scaled=scaled, **options), note)


BATCHES = [
    *(batch_row(size, 4, False, "aim: 1,500,000" if size == 1024 else "") for size in SIZES),
    batch_row(1024, 4, True, "aim: 700,000"),
    batch_row(1024, 2, False),
    batch_row(1024, 2, True),
    batch_row(1024, 1, False, "aim: 2,000,000"),
    batch_row(1024, 1, True),
    Row("make_vec, 1,024 × solo", lambda: vector(SOLO, 1024)),
    Row("make_vec, 1,024 × solo, copy=False", lambda: vector(SOLO, 1024, copy=False)),
    Row("make_vec, 64 × solo", lambda: vector(SOLO, 64)),
    Row("SyncVectorEnv, 64 × solo", lambda: vector(SOLO, 64, vectorization_mode="sync"), "Gymnasium's loop"),
    Row("make_vec, 1,024 × versus, 2 players", lambda: vector(VERSUS, 1024, copy=False), "the learner's decisions"),
]
PLAYOUTS = [
    Row("playouts of whole games, 2 players", lambda: playouts(2, False), "aim: 10,000"),
    Row("playouts of whole games, 4 players", lambda: playouts(4, False)),
    Row("playouts of whole games, solo", lambda: playouts(1, False)),
    Row("playouts from day 4, 2 players", lambda: playouts(2, True), "aim: 10,000"),
]

if __name__ == "__main__":
    main("batch", BATCHES, __doc__)
    main("playouts", PLAYOUTS, __doc__, "games/s")
    for name in GAMES:
        row = f"{name}: batch of 1,024, 2 players, 1,000 decks"
        if command_line(__doc__).only in row:
            print_row("decks", row, share_with_decks(name, 1000), "of the speed with one deck", "aim: 0.9")
