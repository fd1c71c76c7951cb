"""Our native batches: games side by side in one compiled call, and random playouts."""

from __future__ import annotations

from functools import partial
from itertools import count
from typing import Any

import gymnasium
import numpy as np

import chocofactory_env as cf
from chocofactory_env.envs.opponents import MakeByName, compiled
from chocofactory_env.registry import GAMES, environment_id

from .interfaces import LEARNER, SOLO, VERSUS
from .peers.measure import Play, Row, main

DECKS = "generated:100000-100999"  # a thousand of those for training
ASKED = {"learned": "one pass of the network for all rows"}  # how opponents play, unless each row has an agent


def self_play(num_envs: int, players: int, scaled: bool, game: str = "chocofactory", **options: Any) -> Play:
    batch = cf.make_batch(game, num_envs, num_players=players, scaled=scaled, **options)
    sample = cf.LegalSampler(1)
    batch.reset(seed=1)
    for _ in range(400 if "decks" in options else 0):  # until nearly all decks are loaded
        batch.step(sample(batch.buffers.action_masks))
    while True:
        batch.step(sample(batch.buffers.action_masks))
        yield num_envs


def vector(name: str, num_envs: int, **options: Any) -> Play:
    env = gymnasium.make_vec(name, num_envs, **options)
    sample = cf.LegalSampler(1)
    _, infos = env.reset(seed=1)
    while True:
        *_, infos = env.step(sample(infos["action_mask"]))
        yield num_envs


def against(opponents: str | None, game: str = "chocofactory") -> Row:
    """One seat against an opponent; agents that Python asks play fewer games."""
    native = opponents is None or compiled(MakeByName(opponents, cf.load(game)))
    num_envs = 1024 if native else 64
    name = f"{game}: make_vec, {num_envs:,} × versus {opponents or 'the default'}"
    how = "in compiled code" if native else ASKED.get(str(opponents), "an agent a row, in `num_threads` threads")
    env = environment_id(GAMES[game].versus)
    return Row(name, partial(vector, env, num_envs, opponents=opponents, copy=False), how)


def playouts(players: int, started: bool) -> Play:
    """Random playouts from the deal, or from the middle of a game (day 4)."""
    game = cf.load("chocofactory", num_players=players)
    state, sample = game.new(1), cf.LegalSampler(1)
    while started and game.to_dict(state)["day"] < 4:
        game.apply(state, sample.one(game.legal_mask(state)))
    for first in count(0, 500):
        game.random_playouts(state, np.arange(first, first + 500))
        yield 500


def batch_row(num_envs: int, players: int, scaled: bool, note: str = "") -> Row:
    kind = "solo" if players == 1 else f"{players} players"
    name = f"batch of {num_envs:,}, {kind}, {'float32' if scaled else 'raw'}"
    return Row(name, partial(self_play, num_envs, players, scaled), note)


BATCHES = [
    *(batch_row(size, 4, False, "aim: 1,500,000" if size == 1024 else "") for size in (1, 64, 1024, 4096)),
    batch_row(1024, 4, True, "aim: 700,000"),
    batch_row(1024, 2, False),
    batch_row(1024, 2, True),
    batch_row(1024, 1, False, "aim: 2,000,000"),
    batch_row(1024, 1, True),
    Row("make_vec, 1,024 × solo", partial(vector, SOLO, 1024)),
    Row("make_vec, 1,024 × solo, copy=False", partial(vector, SOLO, 1024, copy=False)),
    Row("make_vec, 64 × solo", partial(vector, SOLO, 64)),
    Row("SyncVectorEnv, 64 × solo", partial(vector, SOLO, 64, vectorization_mode="sync"), "Gymnasium's loop"),
    Row("make_vec, 1,024 × versus, 2 players", partial(vector, VERSUS, 1024, copy=False), LEARNER),
]
GAMES_AND_DECKS = [
    Row(f"{game}: batch of 1,024, 2 players, raw, {what}", partial(self_play, 1024, 2, False, game, **options))
    for game in GAMES
    for what, options in (("one deck", {}), ("1,000 decks", {"decks": DECKS}))
]
OPPONENTS = [
    *(against(name) for name in (None, "random", "greedy", "planner", "learned")),
    *(against(name, "schoko") for name in ("random", "manager")),
]
PLAYOUTS = [
    Row("playouts of whole games, 2 players", partial(playouts, 2, False), "aim: 10,000", "games/s"),
    Row("playouts of whole games, 4 players", partial(playouts, 4, False), "", "games/s"),
    Row("playouts of whole games, solo", partial(playouts, 1, False), "", "games/s"),
    Row("playouts from day 4, 2 players", partial(playouts, 2, True), "aim: 10,000", "games/s"),
]

if __name__ == "__main__":
    for group, rows in {
        "batch": BATCHES,
        "games": GAMES_AND_DECKS,
        "opponents": OPPONENTS,
        "playouts": PLAYOUTS,
    }.items():
        main(group, rows, __doc__)
