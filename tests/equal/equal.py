"""Does the package still do exactly what it did? Digests of its behaviour, through public names alone.

    python tests/equal/equal.py check               # against digests.json; exit status 1 if a row differs
    python tests/equal/equal.py check games agents  # only these groups
    python tests/equal/equal.py record              # after a change that is meant to change games

A row is the SHA-256 of what one variant, environment or agent does in seeded games.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

import chocofactory_env as cf

DIGESTS = Path(__file__).with_name("digests.json")
Rows = Iterator[tuple[str, Any]]
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    *(("chocofactory", {"num_players": n}) for n in (1, 2, 3, 4)),
    ("chocofactory", {"num_players": 1, "difficulty": 3}),
    ("chocofactory", {"num_players": 1, "difficulty": 1, "expansion": "master_chocolatier"}),
    ("chocofactory", {"num_players": 3, "expansion": "master_chocolatier"}),
    ("chocofactory", {"num_players": 2, "sides": "ABBAA", "play_forced": False}),
    ("chocofactory", {"num_players": 4, "mode": "simultaneous"}),
    ("chocofactory", {"num_players": 2, "deck": "generated:17"}),
    ("chocofactory", {"num_players": 1, "deck": "generated:5,stray=1"}),
    *(("candyfactory", {"num_players": n}) for n in (2, 3, 4)),
    ("candyfactory", {"num_players": 2, "game": "plantation"}),
    ("candyfactory", {"num_players": 3, "game": "candy"}),
    ("candyfactory", {"num_players": 2, "deck": "generated:17"}),
    *(("schoko", {"num_players": n}) for n in (2, 3, 4)),
    ("schoko", {"num_players": 2, "months": 12, "upset": "all"}),
    ("schoko", {"num_players": 3, "deck": "generated:17"}),
]
AGENTS = {
    ("chocofactory", 1): ["greedy", "planner:width=16", "expert:width=16", "mcts:simulations=8", "learned"],
    ("chocofactory", 2): [
        "greedy",
        "planner:width=16",
        "expert:width=16,draft_width=4",
        "mcts:simulations=8",
        "flat_mc:playouts=3",
        "learned",
    ],
    ("chocofactory", 4): ["greedy", "planner:width=8", "learned"],
    ("candyfactory", 2): ["greedy", "expert", "mcts:simulations=20", "learned"],
    ("candyfactory", 3): ["greedy", "learned"],
    ("schoko", 2): ["manager", "expert:simulations=20", "mcts:simulations=20", "learned"],
    ("schoko", 4): ["manager", "learned"],
}


class Digest:
    def __init__(self) -> None:
        self.sha = hashlib.sha256()

    def add(self, *things: Any) -> None:
        for thing in things:
            if isinstance(thing, np.ndarray):
                self.sha.update(f"{thing.dtype.kind}{thing.shape}".encode())
                self.sha.update(np.ascontiguousarray(thing).tobytes())
            else:
                self.sha.update(repr(thing).encode())

    def __str__(self) -> str:
        return self.sha.hexdigest()[:24]


def label(name: str, options: dict[str, Any]) -> str:
    return f"{name} {json.dumps(options, sort_keys=True)}"


def games() -> Rows:
    for name, options in VARIANTS:
        game, digest = cf.load(name, **options), Digest()
        digest.add([game.describe(a) for a in range(game.num_actions)], game.observation_layout.size)
        for seed in range(6):
            rng, state, step = np.random.default_rng(seed), game.new(seed=seed), 0
            while not game.is_over(state):
                mask = game.legal_mask(state)
                digest.add(mask, game.current_player(state))
                if step % 4 == 0:
                    for seat in range(game.num_players):
                        digest.add(game.observe(state, seat).flat)
                    digest.add(
                        game.scores(state).tolist(), game.ranking(state).tolist(), game.standings(state).tolist()
                    )
                if step % 16 == 0:
                    for seat in range(game.num_players):
                        other = game.redeal(state, seat, seed=step)
                        digest.add(
                            game.legal_mask(other),
                            *(game.observe(other, each).flat for each in range(game.num_players)),
                        )
                game.apply(state, int(rng.choice(np.flatnonzero(mask))))
                step += 1
            digest.add(step, game.scores(state).tolist(), game.ranking(state).tolist(), game.won(state).tolist())
        yield label(name, options), digest


def playouts() -> Rows:
    for name, options in VARIANTS:
        game, digest = cf.load(name, **options), Digest()
        state = game.new(seed=3)
        for seat in (None, 0):
            digest.add(*(np.asarray(each) for each in game.random_playouts(state, range(200), player=seat)))
        yield label(name, options), digest


def batches() -> Rows:
    sets: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"num_players": 2}, {}),
        ({"num_players": 2}, {"scaled": False}),
        ({"num_players": 2, "decks": "generated:100000-100009"}, {}),
    ]
    for name in ("chocofactory", "candyfactory", "schoko"):
        for options, extra in sets:
            batch, digest, choose = (
                cf.make_batch(name, num_envs=48, **options, **extra),
                Digest(),
                cf.LegalSampler(seed=1),
            )
            step = batch.reset(seed=7)
            for _ in range(500):
                digest.add(step.observations, step.action_masks, step.current_player, step.rewards, step.dones)
                step = batch.step(choose(step.action_masks))
            yield label(name, {**options, **extra}), digest
    learners: list[tuple[str, dict[str, Any]]] = [
        ("ChocoFactory/FactoryManager-v0", {}),
        ("ChocoFactory/Versus-v0", {"num_players": 3}),
        ("ChocoFactory/SchokoVersus-v0", {}),
    ]
    for env_id, options in learners:
        envs, digest, choose = gymnasium.make_vec(env_id, num_envs=32, **options), Digest(), cf.LegalSampler(seed=1)
        seen, infos = envs.reset(seed=7)
        for _ in range(400):
            seen, rewards, ends, cuts, infos = envs.step(choose(infos["action_mask"]))
            digest.add(seen, rewards, ends, cuts, infos["action_mask"])
        yield label(env_id, options), digest


def envs() -> Rows:
    for name in ("chocofactory", "candyfactory", "schoko"):
        env, digest = import_module(f"chocofactory_env.{name}_v0").env(num_players=3), Digest()
        for seed in range(3):
            env.reset(seed=seed)
            rng = np.random.default_rng(seed)
            for agent in env.agent_iter():
                seen, reward, end, cut, info = env.last()
                digest.add(
                    agent,
                    seen["observation"],
                    seen["action_mask"],
                    reward,
                    end,
                    cut,
                    info.get("score"),
                    info.get("rank"),
                    info.get("won"),
                )
                env.step(None if end or cut else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        yield f"aec {name}", digest
    env, digest = (
        import_module("chocofactory_env.chocofactory_v0").parallel_env(num_players=4, mode="simultaneous"),
        Digest(),
    )
    seen, _ = env.reset(seed=5)
    rng = np.random.default_rng(5)
    while env.agents:
        moves = {agent: int(rng.choice(np.flatnonzero(seen[agent]["action_mask"]))) for agent in env.agents}
        seen, rewards, ends, *_ = env.step(moves)
        digest.add(*(seen[agent]["observation"] for agent in seen), sorted(rewards.items()), sorted(ends.items()))
    yield "parallel chocofactory", digest
    for env_id, options in (
        ("ChocoFactory/FactoryManager-v0", {"difficulty": 2}),
        ("ChocoFactory/Versus-v0", {"num_players": 3, "opponents": ["greedy", "random"], "reward": "shaped"}),
    ):
        env, digest = gymnasium.make(env_id, **options), Digest()
        for seed in range(3):
            seen, info = env.reset(seed=seed)
            rng, over = np.random.default_rng(seed), False
            while not over:
                seen, reward, over, cut, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
                digest.add(seen, reward, over, cut)
            digest.add(info.get("score"), info.get("won"), info.get("rank"))
        yield label(env_id, options), digest


def decks() -> Rows:
    for name in ("chocofactory", "candyfactory", "schoko"):
        digest = Digest()
        digest.add(
            cf.load(name).deck_hash,
            *(
                cf.load(name, deck=f"generated:{seed}{more}").deck_hash
                for seed in range(15)
                for more in ("", ",stray=1")
            ),
        )
        yield name, digest


def agents() -> Rows:
    for (name, players), names in AGENTS.items():
        game = cf.load(name, num_players=players)
        for agent_name in names:
            agent, digest, rng = cf.make_agent(agent_name, game), Digest(), np.random.default_rng(9)
            for seed in range(2):
                state, step = game.new(seed=1_000 + seed), 0
                cf.reset_agent(agent, seed)
                while not game.is_over(state):
                    if step % 3 == 0:
                        action = int(cf.decide(game, agent, state))
                        digest.add(action)
                    else:
                        action = int(rng.choice(np.flatnonzero(game.legal_mask(state))))
                    game.apply(state, action)
                    step += 1
            yield f"{agent_name} in {name} with {players}", digest


GROUPS = (games, playouts, batches, envs, decks, agents)


def rows(*names: str) -> Rows:
    """Label and digest of every row, or of those of the groups named."""
    for group in GROUPS:
        if not names or group.__name__ in names:
            for row, digest in group():
                yield f"{group.__name__}: {row}", str(digest)


def main(command: str = "check", *names: str) -> int:
    if command == "record":
        DIGESTS.write_text(json.dumps(dict(rows()), indent=1) + "\n")
        return 0
    known = json.loads(DIGESTS.read_text())
    differ = 0
    for row, digest in rows(*names):
        same = known.get(row) == digest
        differ += not same
        print("same   " if same else "DIFFERS", row, flush=True)
    return int(differ > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
